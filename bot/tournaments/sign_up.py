"""A tournament before and between its rounds: signing up, its terms, the reminder, and who sits where."""

from collections.abc import Callable, Iterator, Sequence

from bot.table.starts import starting_line
from bot.vocabulary.controls import PAGES, TournamentAction, Where, Who
from bot.vocabulary.messages import Button, ByDm, Colour, Link, Part, Post, Row, Style, Whisper
from bot.words.how_to_play import learn
from bot.words.text import SHORT_NAME, channel_link, chipped, in_a_row, person
from engine.languages import N_, Language
from engine.rules import lengths
from engine.rules.wording import differences
from engine.tournaments import (
    MOST_PEOPLE,
    Entrant,
    Reason,
    Round,
    RoundTable,
    TableState,
    Tournament,
    TournamentState,
)

#: Up to this many names are shown in full; with more, each is cut short.
NAMED_IN_FULL = 16
#: The state of a tournament once its sign-up is over.
OUTCOMES = {
    TournamentState.PLAYING: N_("The tournament is on. Anyone who joins now plays from the next round."),
    TournamentState.OVER: N_("The tournament is over."),
    TournamentState.STOPPED: N_("The tournament was called off."),
}
#: Why it didn't start, or ended early.
REASONS = {
    Reason.CANCELLED: N_("It was called off."),
    Reason.TOO_FEW: N_("Too few people were left to play."),
    Reason.NOBODY_CAME: N_("Too few people were there for the start."),
    Reason.START_MISSED: N_("I was offline at the start, and it is too late for it now."),
    Reason.NOT_STARTED: N_("Nobody started it within a day."),
    Reason.NO_PLACE: N_("I could open no thread for its tables."),
}


class SignUp(TournamentAction, verb="signup", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES * 2):
    """Sign up or, once it is on, join or come back in the next round."""


class SignOff(TournamentAction, verb="signoff", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES * 2):
    """Cancel the sign-up or, once it is on, sit out from the next round."""


class BePresent(TournamentAction, verb="present", who=Who.ANYONE, where=Where.TOURNAMENT):
    """Confirm being there for the planned start."""


class ShowTerms(TournamentAction, verb="terms", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES / 2):
    """Show how the tournament is played."""


class StartTournament(TournamentAction, verb="begin", who=Who.TOURNAMENT_HOST, where=Where.TOURNAMENT):
    """Seat the first round now."""


class CancelTournament(TournamentAction, verb="cancel", who=Who.TOURNAMENT_HOST, where=Where.TOURNAMENT):
    """Ask for confirmation before the tournament is called off or ended."""


class EndTournament(
    TournamentAction, verb="calloff", who=Who.TOURNAMENT_HOST, where=Where.TOURNAMENT, private=True
):
    """Call the tournament off or, once it is on, end it with what has been played."""


class ChooseTournamentStart(
    TournamentAction, verb="clock", who=Who.TOURNAMENT_HOST, where=Where.TOURNAMENT, private=True
):
    """Plan the start by what the host's clock shows; `part` tells several lists of times apart."""

    part: int


def title(tournament: Tournament, language: Language) -> str:
    """`Hearts tournament`."""
    # Note: the name of a tournament, by its game: Hearts tournament
    return language.say("{game} tournament", game=language.say(tournament.terms.rules.preset.title))


def name_of(entrant: Entrant, language: Language, width: int | None = None) -> str:
    """A player's name, or "someone" once their data was deleted."""
    if not entrant.is_known:
        return language.say("someone")
    return person(entrant.name, language, width) if width else person(entrant.name, language)


def host_name(tournament: Tournament, language: Language) -> str | None:
    """The host's name, if they have signed up themselves."""
    host = tournament.by_person.get(tournament.host)
    return name_of(tournament.shown[host.number], language) if host else None


def extent(tournament: Tournament, language: Language) -> str:
    """`3 rounds of 4 deals`."""
    terms = tournament.terms
    deals = language.say_count(terms.deals, "{count} deal", "{count} deals")
    return language.say_count(
        terms.rounds, "{count} round of {deals}", "{count} rounds of {deals}", deals=deals
    )


# Signing up


def sign_up(tournament: Tournament) -> Post:
    """The tournament's first post, which is the reply to the command that opened it."""
    language = tournament.terms.language
    heading = f"## 🏆 {title(tournament, language)}\n**{extent(tournament, language)}**"
    if tournament.state is not TournamentState.SIGNING_UP:
        return Post(
            (heading, _names(tournament, language), f"-# {outcome(tournament, language)}"), Colour.DONE
        )
    parts: list[Part] = [f"{heading}{_starting(tournament, language)}", _names(tournament, language)]
    if _is_near(tournament):
        parts.append((_here(tournament, language),))
    parts += [
        (*entering(tournament, language), terms_button(tournament, language)),
        "\n".join(f"-# {line}" for line in _in_short(tournament, language)),
    ]
    return Post((*parts, _hosting(tournament, language)))


def outcome(tournament: Tournament, language: Language) -> str:
    """The tournament's state, and why it ended if that was early."""
    sentences = [language.say(OUTCOMES[tournament.state])]
    if tournament.reason:
        sentences.append(language.say(REASONS[tournament.reason]))
    # Of one that was called off, the reason says enough.
    return language.sentences(sentences[-1:] if tournament.state is TournamentState.STOPPED else sentences)


def _is_near(tournament: Tournament) -> bool:
    """Whether the reminder of its planned start has been sent."""
    return tournament.plan is not None and tournament.plan.reminded


def _starting(tournament: Tournament, language: Language) -> str:
    if tournament.plan is None:
        return f"\n🕗 **{language.say('Starts when its host presses Start now')}**"
    return starting_line(tournament.plan, language)


def _names(tournament: Tournament, language: Language) -> str:
    """Everyone who has signed up, in that order; ✅ marks those who are there for the start."""
    people = [one for one in tournament.shown.values() if one.is_known]
    if not people:
        return language.say("Nobody has signed up yet.")
    heading = language.say("**Signed up** ({count} of {most})", count=len(people), most=MOST_PEOPLE)
    return f"{heading}\n{in_a_row(_name(one, len(people), tournament, language) for one in people)}"


def _name(one: Entrant, count: int, tournament: Tournament, language: Language) -> str:
    width = None if count <= NAMED_IN_FULL else SHORT_NAME
    is_here = one.is_here and _is_near(tournament) and tournament.state is TournamentState.SIGNING_UP
    return name_of(one, language, width) + " ✅" * is_here


def entering(tournament: Tournament, language: Language) -> Row:
    """The buttons to join and to leave."""
    say_as = language.say_as
    return (
        Button(say_as("for everyone", "Join"), SignUp(0, tournament.id), Style.GOOD),
        Button(say_as("button", "Leave"), SignOff(0, tournament.id)),
    )


def terms_button(tournament: Tournament, language: Language) -> Button:
    """The button for the rules of the tournament."""
    return Button(language.say_as("button", "Rules"), ShowTerms(0, tournament.id))


def _here(tournament: Tournament, language: Language) -> Button:
    return Button(language.say_as("for everyone", "I'm here"), BePresent(0, tournament.id), Style.GOOD)


def _hosting(tournament: Tournament, language: Language) -> Row:
    """The buttons for its host and for people who may manage events."""
    return (
        Button(language.say("Start now"), StartTournament(0, tournament.id), Style.MAIN),
        cancel_button(tournament, language),
    )


def cancel_button(tournament: Tournament, language: Language) -> Button:
    """The button that asks for confirmation and then ends it."""
    label = language.say("End tournament")
    if tournament.state is TournamentState.SIGNING_UP:
        label = language.say("Call off")
    return Button(label, CancelTournament(0, tournament.id))


def _in_short(tournament: Tournament, language: Language) -> Iterator[str]:
    terms = tournament.terms
    if _is_near(tournament):
        yield language.say(
            "The start is near: press **I'm here**, or a computer plays your cards until you arrive."
        )
    yield language.sentences([_tables(tournament, language), _limit(tournament, language)])
    yield language.say("Your points count against par: what strong computers make of the same cards.")
    if house := differences(lengths.usual(terms.rules), language):
        yield language.say("House rules: {rules}.", rules=chipped(language.clauses(house)))
    host = host_name(tournament, language)
    if host:
        yield language.say("{who} is the host.", who=host)
    yield language.say("Hands arrive by DM; joining lets the bot message you.")


def _tables(tournament: Tournament, language: Language) -> str:
    return language.say_count(
        tournament.terms.rules.players,
        "Tables of {count}, each in a thread of its own; computers fill the last one.",
        "Tables of {count}, each in a thread of its own; computers fill the last one.",
    )


def _limit(tournament: Tournament, language: Language) -> str:
    terms = tournament.terms
    return language.say_count(
        terms.limit,
        "Pace: {pace}. A round takes {count} minute at most.",
        "Pace: {pace}. A round takes {count} minutes at most.",
        pace=language.say(terms.pace.title),
    )


# The terms, for one person


def terms_page(tournament: Tournament, language: Language) -> Whisper:
    """How a tournament is played and scored, and its game's goal."""
    terms, say = tournament.terms, language.say
    aim = say("The best score against par wins.")
    lines = [
        language.full_stop(extent(tournament, language)),
        _tables(tournament, language),
        say(
            "Seats are drawn for the first round; later rounds follow the standings, and nobody meets "
            "the same people more often than needed."
        ),
        say(
            "When a deal is over, strong computers play it again and again from the same cards. A "
            "seat's average points are its par. Your score is how much better than par you did, so bad "
            "cards cost you nothing."
        ),
        language.sentences(
            [
                say("Only deals that you play yourself count. A computer plays for you while you are away."),
                say("If you miss a whole round, you sit out until you press **Join**."),
            ]
        ),
        language.sentences(
            [_limit(tournament, language), say("Then computers finish what is still being played.")]
        ),
        say("If scores are equal, points decide, then who joined first."),
        say("You may join, leave and come back at any time: newcomers play from the next round."),
    ]
    if house := differences(lengths.usual(terms.rules), language):
        lines.append(say("House rules: {rules}.", rules=chipped(language.clauses(house))))
    heading = f"### {title(tournament, language)}\n**{aim}**"
    game = terms.rules.preset.name
    return Whisper((heading, "\n".join(f"- {line}" for line in lines), (learn(0, language, game=game),)))


# Answers to one person


def signed_up(tournament: Tournament, person: int, by_dm: ByDm, language: Language) -> str:
    """The answer to someone who has just signed up: from when they play, and where their hands will be."""
    sentences = [_from_when(tournament, person, language)]
    match by_dm:
        case ByDm.YES:
            sentences.append(language.say("Your hands will come by DM."))
        case ByDm.LATER:
            sentences.append(
                language.say("Your hands will come by DM as soon as Discord lets me send you one.")
            )
        case ByDm.NO:
            sentences.append(
                language.say("I can't DM you: press **My hand** in your table's thread once cards are dealt.")
            )
    return language.sentences(sentences)


def _from_when(tournament: Tournament, person: int, language: Language) -> str:
    round, own = tournament.round, tournament.by_person.get(person)
    if tournament.state is TournamentState.SIGNING_UP:
        return language.say("You're in.")
    table = round.table_of(own.number) if round and own else None
    if table and table.channel and not table.is_over:
        return language.say("You're back at your table: {where}.", where=f"<#{table.channel}>")
    return language.say("You're in from round {number}.", number=len(tournament.rounds) + 1)


def welcome(tournament: Tournament, language: Language) -> Whisper:
    """The first DM to someone who has signed up."""
    game = language.say(tournament.terms.rules.preset.title)
    sentences = [
        language.say("{game} in {channel}.", game=game, channel=f"<#{tournament.channel}>"),
        _when(tournament, language),
        language.say("Your hands will come here."),
    ]
    text = f"### {language.say('You have joined the tournament')}\n{language.sentences(sentences)}"
    row = (
        Link(language.say("Go to the tournament"), channel_link(tournament.guild, tournament.channel)),
        learn(0, language),
    )
    return Whisper((text, row))


def _when(tournament: Tournament, language: Language) -> str:
    if tournament.state is not TournamentState.SIGNING_UP:
        return language.say("You play from the next round.")
    if tournament.plan is None:
        return language.say("Its host decides when it starts.")
    at = int(tournament.plan.at)
    return language.say("It starts {time} ({distance}).", time=f"<t:{at}:f>", distance=f"<t:{at}:R>")


def signed_off(tournament: Tournament, language: Language) -> str:
    """The answer to someone who has just left."""
    if tournament.state is TournamentState.SIGNING_UP:
        return language.say("You're out.")
    return language.say(
        "You're out: a computer plays your cards, and the next rounds go on without you. **Join** brings you "
        "back."
    )


def noted(tournament: Tournament, language: Language) -> str:
    """The answer to someone who is there for the planned start."""
    assert tournament.plan is not None
    return language.say(
        "Good. The tournament starts {distance}.", distance=f"<t:{int(tournament.plan.at)}:R>"
    )


def confirm_end(tournament: Tournament, language: Language) -> Whisper:
    """Ask for confirmation before the tournament is called off or ended."""
    if tournament.state is TournamentState.SIGNING_UP:
        question, label = language.say("Call this tournament off?"), language.say("Call it off")
    else:
        question = language.say(
            "End this tournament now? Games in progress stop. What has been played is shown, and counts for "
            "no season."
        )
        if tournament.is_counting:
            question = language.say("End this tournament now? The scores known so far are its result.")
        label = language.say("End it")
    return Whisper((question, (Button(label, EndTournament(0, tournament.id), Style.RED),)))


def my_table(tournament: Tournament, entrant: Entrant, language: Language) -> str:
    """Where a player's table is or, without one, why."""
    round = tournament.round
    table = round.table_of(entrant.number) if round else None
    if entrant.is_out:
        return language.say("You sit out. **Join** brings you back with the next round.")
    if round is None or table is None:
        return language.say("You play from the next round.")
    if table.state is TableState.GIVEN_UP:
        return language.say("I could open no thread for your table: you have no game in this round.")
    if table.channel is None:
        return language.say("Your table is about to open.")
    where = f"<#{table.channel}>"
    if table.is_over:
        return language.say("Your table has finished: {where}. The others are still playing.", where=where)
    return language.say("You play at table {number}: {where}.", number=table.number, where=where)


# The reminder and the rounds


def reminder(tournament: Tournament, may_ping: Callable[[int], bool]) -> Post:
    """Mention, shortly before the start, those who signed up and haven't confirmed that they are there."""
    language = tournament.terms.language
    assert tournament.plan is not None
    missing = [one for one in tournament.shown.values() if one.is_known and not one.is_here]
    names, ping = _called(missing, may_ping, language)
    # Note: To one player, or to several.
    text = language.say(
        "🕗 {who}: the tournament starts {distance}. Press **I'm here**, or a computer plays your cards "
        "until you arrive.",
        who=" ".join(names),
        distance=f"<t:{int(tournament.plan.at)}:R>",
    )
    row = (_here(tournament, language),)
    return Post((text, row), Colour.TURN, ping=ping, never_edited=True)


def seating(
    tournament: Tournament, round: Round, may_ping: Callable[[int], bool], language: Language
) -> tuple[list[str], tuple[int, ...]]:
    """A list of a round's tables with links, a notice to players who are missing; and the people to ping."""
    lines: list[str] = []
    ping: list[int] = []
    for table in round.tables:
        line, called = _line(tournament, table, may_ping, language)
        lines.append(line)
        ping += called
    playing = [number for table in round.tables if not table.is_over for number in table.people]
    seated = [tournament.shown[number] for number in playing]
    # A part of its own: right below the list, it would seem to belong to the last table.
    notices = _missing([one for one in seated if one.is_missing], language)
    return ["\n".join(lines), *notices], tuple(ping)


def _missing(missing: Sequence[Entrant], language: Language) -> Iterator[str]:
    """Tell the missing players, together, how they get their seats back."""
    if missing:
        # Note: Of one player, or of several.
        yield language.say(
            "🤖 A computer plays for {who}: press **Join**, and the seat is yours again.",
            who=language.listing(f"**{name_of(one, language, SHORT_NAME)}**" for one in missing),
        )


def _line(
    tournament: Tournament, table: RoundTable, may_ping: Callable[[int], bool], language: Language
) -> tuple[str, tuple[int, ...]]:
    """A table's link and players, and the people to ping."""
    people = [tournament.shown[number] for number in table.people]
    names, ping = _called(people, may_ping, language)
    computers = len(table.seats) - len(people)
    who = " · ".join([*names, *["🤖"] * computers])
    if table.state is TableState.WAITING:
        line = language.say("Table {number}: its thread opens soon · {who}", number=table.number, who=who)
        return line, ping
    if table.state is TableState.GIVEN_UP or table.channel is None:
        line = language.say("Table {number}: no thread could be opened · {who}", number=table.number, who=who)
        return line, ping
    return f"{table.number}. <#{table.channel}> {who}", ping


def _called(
    people: list[Entrant], may_ping: Callable[[int], bool], language: Language
) -> tuple[list[str], tuple[int, ...]]:
    """Their mentions, or the names of those who want none; and the people to ping."""
    ping = [one.person for one in people if one.is_known and may_ping(one.person)]
    names = [
        f"<@{one.person}>" if one.person in ping else f"**{name_of(one, language, SHORT_NAME)}**"
        for one in people
    ]
    return names, tuple(ping)


# The threads of its tables


def thread_line(tournament: Tournament, number: int) -> Post:
    """The post that a table's thread starts from; all rounds share it."""
    language = tournament.terms.language
    text = language.say("Table {number} of the tournament", number=number)
    return Post((f"**♥ {text}**",), Colour.TABLE, never_edited=True)


def thread_name(tournament: Tournament, number: int) -> str:
    """The name of a table's thread."""
    language = tournament.terms.language
    # Note: the name of a thread: Table 3 · Hearts tournament
    return language.say("Table {number} · {title}", title=title(tournament, language), number=number)
