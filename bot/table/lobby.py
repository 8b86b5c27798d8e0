"""The lobby, the welcome to players who sit down, and the end of a table without a result."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from bot.table.controls import Start
from bot.table.rules import about, options
from bot.table.starts import in_short, plan_button, presence_buttons, starting_line
from bot.vocabulary.controls import LOBBY, Action, Where, Who
from bot.vocabulary.messages import Button, ByDm, Colour, Post, Row, Style, Whisper
from bot.words.buttons import Rematch, once_more, to_table
from bot.words.how_to_play import learn
from bot.words.text import chipped, person, place_of
from engine.languages import N_, Language
from engine.names import NOBODY
from engine.players import Strength
from engine.rules import lengths
from engine.rules.ruleset import Ruleset
from engine.rules.wording import differences, goal, worth
from engine.tables import Invitation, Pace, PublicTable, Seat, State

#: Shown before anyone joins: the bot only messages people who agreed to it.
HANDS = N_("Hands arrive by DM; joining lets the bot message you.")
#: What Start does while seats are free, by the strength of the computers that take them.
STARTS = {
    Strength.EASY: N_("Press **Start** to deal. Easy computers take the empty seats."),
    Strength.MEDIUM: N_("Press **Start** to deal. Medium computers take the empty seats."),
    Strength.STRONG: N_("Press **Start** to deal. Strong computers take the empty seats."),
}
#: The note beside a computer's name.
STRENGTHS = {Strength.EASY: N_("easy"), Strength.MEDIUM: N_("medium"), Strength.STRONG: N_("strong")}

#: What became of a table after its lobby.
OUTCOMES = {
    State.PLAYING: N_("The game is on."),
    State.OVER: N_("The game is over."),
    State.STOPPED: N_("This table is closed."),
}


class Join(Action, verb="join", who=Who.ANYONE, where=Where.CHANNEL):
    """Take a seat."""


class Leave(Action, verb="leave", who=Who.PLAYER, where=Where.CHANNEL):
    """Give up one's seat before the start."""


class ShowGuests(Action, verb="guests", who=Who.PLAYER, where=Where.CHANNEL):
    """Open the page for inviting people."""


class ShowRules(Action, verb="rules", who=Who.ANYONE, where=LOBBY):
    """Show all rules of the table."""


def lobby(table: PublicTable) -> Post:
    """The table's first message: the game, the seats and the buttons; the rest in small print."""
    language, game = table.dialect, _game(table)
    if table.state is State.LOBBY:
        game += starting_line(table.plan, language)
        small = (
            _starting(table),
            *_waiting(table),
            *in_short(table.plan, language),
            _time(table),
            *_worth(table),
            language.say(HANDS),
        )
        present = presence_buttons(table.id, table.plan, language)
        return Post((game, _seats(table), *present, _buttons(table), _small(small), _setting(table)))
    small = (*_worth(table), language.sentences([_outcome(table), _pace(table)]))
    rows = ((options(table.id, language), *_reading(table)),) if table.state is State.PLAYING else ()
    return Post((game, _seats(table), _small(small), *rows), Colour.DONE)


def _game(table: PublicTable) -> str:
    """The heading with the game's name and its goal."""
    aim = table.dialect.full_stop(goal(table.rules, table.dialect))
    return f"## ♥ {table.dialect.say(table.rules.preset.title)}\n**{aim}**"


def alone(table: PublicTable) -> Whisper:
    """The lobby of a table alone, for its player, or that it was closed before a game began."""
    language, game = table.dialect, _game(table)
    if table.state is not State.LOBBY:
        again = Button(language.say_as("button", "Play again"), Rematch(table.id), Style.GOOD)
        return Whisper((game, f"-# {_outcome(table)}", (again,)), Colour.DONE, is_final=True)
    only_you = language.say("Only you see this table, and nobody waits for you.")
    small = (_time_alone(table), *_worth(table), only_you)
    start = Button(language.say_as("for everyone", "Start"), Start(table.id), Style.GOOD)
    row = (start, options(table.id, language), *_reading(table))
    return Whisper((game, _opponents(table), _small(small), row))


def _opponents(table: PublicTable) -> str:
    """The opponents at a table alone; in a rematch, last game's computers by name."""
    if _has_computer(table):
        is_full, say = len(table.seats) == table.rules.players, table.dialect.say
        start = (
            say("All seats are taken: press **Start** to deal.") if is_full else say(STARTS[table.strength])
        )
        return f"{_seats(replace(table, host=NOBODY))}\n-# {start}"
    count, say_count = table.rules.players - 1, table.dialect.say_count
    match table.strength:
        case Strength.EASY:
            return say_count(
                count,
                "Press **Start** to play against {count} easy computer.",
                "Press **Start** to play against {count} easy computers.",
            )
        case Strength.MEDIUM:
            return say_count(
                count,
                "Press **Start** to play against {count} medium computer.",
                "Press **Start** to play against {count} medium computers.",
            )
        case Strength.STRONG:
            return say_count(
                count,
                "Press **Start** to play against {count} strong computer.",
                "Press **Start** to play against {count} strong computers.",
            )


def _small(lines: Iterable[str]) -> str:
    return "\n".join(f"-# {line}" for line in lines)


def _starting(table: PublicTable) -> str:
    if len(table.seats) < table.rules.players:
        return table.say(STARTS[table.strength])
    if _has_computer(table):
        return table.say("All seats are taken. **Join** takes a computer's seat; **Start** begins the game.")
    return table.say("All seats are taken: press **Start** to deal.")


def _waiting(table: PublicTable) -> Iterator[str]:
    if table.kept:
        yield table.say("**Start** doesn't wait for those who are invited.")


def _has_computer(table: PublicTable) -> bool:
    return any(seat.person is None for seat in table.seats)


def _time(table: PublicTable) -> str:
    time = about(table.rules, len(table.seats.people), table.pace, table.dialect)
    return table.dialect.sentences([time, _pace(table)])


def _time_alone(table: PublicTable) -> str:
    """How many minutes a game takes without other people, and the pace if there is one."""
    time = about(table.rules, 1, Pace.LIVE, table.dialect)
    return time if table.pace is Pace.NONE else table.dialect.sentences([time, _pace(table)])


def _pace(table: PublicTable) -> str:
    return table.say("Pace: {pace}.", pace=table.say(table.pace.title))


def _worth(table: PublicTable) -> tuple[str, ...]:
    return _worth_in_words(table.rules, table.dialect)


@lru_cache(maxsize=256)  # the first message of every table is compared with each card
def _worth_in_words(rules: Ruleset, language: Language) -> tuple[str, ...]:
    """What the cards count, for newcomers; and the house rules, for players who know the game."""
    values = chipped(worth(rules, language))
    # The goal says when the game ends, and `values` what the cards count.
    house = differences(lengths.usual(rules), language, with_values=False)
    if not house:
        return (values,)
    return values, language.say("House rules: {rules}.", rules=chipped(language.clauses(house)))


def _buttons(table: PublicTable) -> Row:
    """The main buttons; a phone has room for four in a row if their labels are short."""
    has_room, say_as = len(table.seats) < table.rules.players, table.dialect.say_as
    return (
        Button(
            say_as("for everyone", "Join"),
            Join(table.id),
            Style.GOOD,
            enabled=has_room or _has_computer(table),
        ),
        Button(say_as("for everyone", "Start"), Start(table.id), Style.MAIN),
        Button(say_as("button", "Leave"), Leave(table.id)),
        Button(say_as("button", "Invite"), ShowGuests(table.id), enabled=table.room > 0),
    )


def _setting(table: PublicTable) -> Row:
    """The buttons for the host's settings, and for what everyone can read."""
    language = table.dialect
    return (options(table.id, language), plan_button(table.id, language), *_reading(table))


def _reading(table: PublicTable) -> Row:
    """The buttons whose answers only the person who presses them sees."""
    rules = Button(table.dialect.say_as("button", "Rules"), ShowRules(table.id))
    return rules, learn(table.id, table.dialect)


def _seats(table: PublicTable) -> str:
    players, say = table.rules.players, table.dialect.say
    free = table.dialect.say_as("a seat", "free")
    lines = [say("**Seats** ({taken} of {all})", taken=len(table.seats), all=players)]
    guests = iter(table.kept if table.state is State.LOBBY else ())
    for place in range(players):
        if place >= len(table.seats):
            guest = next(guests, None)
            lines.append(f"{place + 1}. *{_kept_for(table, guest) if guest else free}*")
            continue
        lines.append(" · ".join((f"{place + 1}. {_who(table, place)}", *_notes(table, place))))
    # Every seat is taken, so these guests can only have a computer's.
    for guest in guests:
        who = person(table.name_of_guest(guest), table.dialect)
        lines.append(f"-# {say('A computer makes room for {who}, who is invited.', who=who)}")
    return "\n".join(lines)


def _who(table: PublicTable, number: int) -> str:
    """Who sits here, and whether a computer plays."""
    seat, name = table.seats[number], person(table.names[number], table.dialect)
    if seat.person is None:
        return f"🤖 {name}"
    return table.say("{who} (🤖 plays)", who=name) if seat.away else name


def _kept_for(table: PublicTable, guest: Invitation) -> str:
    assert guest.kept_until is not None
    return table.say(
        "kept for {who} until {time}",
        who=person(table.name_of_guest(guest), table.dialect),
        time=f"<t:{int(guest.kept_until)}:t>",
    )


def _notes(table: PublicTable, number: int) -> Iterator[str]:
    """The notes beside the name of the player in this seat."""
    seat, say = table.seats[number], table.dialect.say
    if seat.person is None:
        yield say(STRENGTHS[seat.strength])
    if seat.manner:
        yield say(seat.manner.value)
    if seat.person == table.host:
        yield table.dialect.say_as("beside a player's name", "host")
    if _is_named_first(table, seat):
        yield table.dialect.say_as("beside a player's name", "leads first")
    if table.plan and seat.is_here:
        yield table.dialect.say_as("beside a player's name", "here ✅")
    for claim in [one for one in table.seat_claims if one.seat == number]:
        who = person(table.name_of_guest(claim), table.dialect)
        yield say("{who} takes the seat with the next deal", who=who)


def _is_named_first(table: PublicTable, seat: Seat) -> bool:
    """C3: whether the host has named this person to lead, in place of the oldest."""
    return seat.person is not None and seat.person == table.first


def _outcome(table: PublicTable) -> str:
    return table.say(OUTCOMES[table.state])


def welcome(table: PublicTable, who: int) -> Whisper:
    """The first DM to a player who sits down, in its current state until a hand replaces it.

    It leaves out the rules, which the host may still change.
    """
    say, game = table.say, table.say(table.rules.preset.title)
    is_to_play = table.state is State.LOBBY and table.seat_of(who) is not None
    if not table.is_live or not (is_to_play or table.claim_of(who)):
        has_left = table.is_live and table.seat_of(who) is None
        now = N_("You don't have a seat at this table any more.") if has_left else OUTCOMES[table.state]
        return Whisper((f"{place_of(table)}\n{say(now)}", (to_table(table),)), Colour.DONE)
    sentences = (
        say("{game} in {channel}.", game=game, channel=f"<#{table.channel}>"),
        say("Your hand will come here once the cards are dealt."),
    )
    text = f"### {say('You have a seat')}\n{table.language.sentences(sentences)}"
    return Whisper((text, (to_table(table), learn(table.id, table.language))))


def seated(by_dm: ByDm, language: Language) -> str:
    """Tell players who have just sat down where their hand will be."""
    match by_dm:
        case ByDm.YES:
            return language.say("You have a seat. Your hand will come by DM.")
        case ByDm.LATER:
            return language.say(
                "You have a seat. Your hand will come by DM as soon as Discord lets me send you one. "
                "If the cards are dealt before that, press **My hand** in this channel."
            )
        case ByDm.NO:
            return language.say(
                "You have a seat. I can't DM you, so your hand will wait for you here: press **My hand** in "
                "this channel once the cards are dealt. Everything works that way."
            )


def stopped(table: PublicTable) -> Post:
    """The post about a game that was stopped, without a result."""
    text = f"### ♥ {table.say('The game was stopped')}\n{table.say('There is no result.')}"
    return Post((text, once_more(table)), Colour.DONE)
