"""Inviting and calling people to a table: the page for it, and the messages that it sends."""

from collections.abc import Iterator, Sequence
from enum import Enum

from bot.table.lobby import OUTCOMES, Join
from bot.vocabulary.controls import PAGES, Action, Where, Who
from bot.vocabulary.messages import Button, Colour, Part, PeopleSelect, Post, Row, Style, Whisper
from bot.words.buttons import take_a_seat, to_table
from bot.words.how_to_play import learn
from bot.words.text import mentions, person, place_of
from engine.languages import N_, Language
from engine.tables import Invitation, PublicTable, State, Way


class Invite(
    Action,
    verb="invite",
    who=Who.PLAYER,
    where=Where.CHANNEL,
    private=True,
    posts=True,
    lobby_only=True,
    cost=PAGES,
):
    """Invite the chosen people."""


class CallPlayers(
    Action,
    verb="players",
    who=Who.HOST,
    where=Where.CHANNEL,
    private=True,
    posts=True,
    lobby_only=True,
    cost=PAGES * 2,
):
    """Tell people who asked for it that the table needs players."""


class StopTelling(Action, verb="untell", who=Who.ANYONE, where=Where.ANYWHERE):
    """Stop telling this person when tables in this server need players."""

    guild: int


class Unwelcome(Enum):
    """Why someone can't be invited; the value is the sentence that says so."""

    ONESELF = N_("You don't need an invitation: you have a seat.")
    BOT = N_("{who} is a bot. In the lobby, **Options** adds computers.")
    SEATED = N_("{who} already has a seat.")
    ASKED = N_("{who} has already been invited to this table, and nobody is invited twice.")
    STRANGER = N_("{who} isn't a member of this server.")
    BLIND = N_("{who} can't see this channel.")
    UNWILLING = N_("{who} takes no invitations.")
    TOO_OFTEN = N_("{who} has had enough invitations for today.")
    TOO_MANY = N_("You've invited many people in the last hour, so {who} has to wait.")


# The page


def page(table: PublicTable, results: Sequence[str] = (), *, may_call: bool = False) -> Whisper:
    """The page for inviting people and, with `may_call`, calling players; `results` are of the last try."""
    say = table.say
    parts: list[Part] = [f"### {say('Invite players')}"]
    if results:
        parts.append("\n".join(results))
    if table.state is State.LOBBY and table.room:
        explanation = say(
            "Each is mentioned once, in this channel, and a seat is kept for them for ten minutes."
        )
        prompt = table.language.say_count(
            table.room, "Choose who to invite", "Choose who to invite (up to {count})"
        )
        parts += [f"-# {explanation}", PeopleSelect(Invite(table.id), prompt, table.room)]
        if may_call:
            about_calls = say(
                "**Call players** tells people in this server who have asked for it in "
                "`/hearts preferences`. You can do that once in 30 minutes."
            )
            parts += [f"-# {about_calls}", (Button(say("Call players"), CallPlayers(table.id)),)]
    return Whisper(tuple(parts))


def came_of(
    invited: Sequence[str], unwelcome: Sequence[tuple[str, Unwelcome]], language: Language
) -> list[str]:
    """A line for everyone who was invited, by name, and one for each person who couldn't be."""
    lines = []
    if invited:
        names = language.listing([f"**{person(name, language)}**" for name in invited])
        lines.append(language.say("You've invited {who}.", who=names))
    return lines + [
        "⚠️ " + language.say(why.value, who=f"**{person(name, language)}**") for name, why in unwelcome
    ]


def called(mentioned: int, written_to: int, language: Language) -> str:
    """How many people a call is sent to."""
    if not mentioned + written_to:
        return language.say(
            "Nobody here wants to be told about tables right now. Anyone can ask for it in `/hearts "
            "preferences`."
        )
    return language.say_count(
        mentioned + written_to, "I'm telling {count} person.", "I'm telling {count} people."
    )


# The messages


def by_dm(table: PublicTable, inviter: int) -> Whisper:
    """The DM to someone who asked to hear when a table needs players; later, what became of the table."""
    say, seat = table.say, table.seat_of(inviter)
    if table.state is not State.LOBBY:
        text = f"### ♥ {say('Players wanted')}\n{place_of(table)}\n{say(OUTCOMES[table.state])}"
        return Whisper((text, (to_table(table),)), Colour.DONE)
    free = table.say_count(table.room, "{count} seat is free.", "{count} seats are free.")
    if seat is not None:
        host = f"**{person(table.names[seat], table.language)}**"
        free = table.language.sentences([say("{host} is looking for players.", host=host), free])
    reason = say(
        "You asked me to tell you. `/hearts preferences` in that server says how often, and when not."
    )
    stop = Button(say("Don't tell me any more"), StopTelling(0, table.guild))
    text = f"### ♥ {say('Players wanted')}\n{place_of(table)}\n{free}\n-# {reason}"
    return Whisper((text, (to_table(table), stop)))


def asking(table: PublicTable, number: int) -> Post:
    """The post that invites or calls people; it mentions each of them once, when it is first sent."""
    invitations = tuple([one for one in table.invitations if one.number == number and one.way is not Way.DM])
    ping = tuple([one.person for one in invitations])
    text = "\n".join(
        [*_invitation(table, invitations), *[f"-# {line}" for line in _progress(table, invitations)]]
    )
    colour = Colour.TABLE if table.state is State.LOBBY else Colour.DONE
    return Post((text, _buttons(table)), colour, call=mentions(ping), ping=ping)


def _invitation(table: PublicTable, invitations: Sequence[Invitation]) -> Iterator[str]:
    game = table.say(table.rules.preset.title)
    seat = table.seat_of(invitations[0].inviter)
    host = None if seat is None else f"**{person(table.names[seat], table.language)}**"
    if invitations[0].way is not Way.INVITED:
        yield f"### ♥ {table.say('Players wanted: {game}', game=game)}"
        if host:
            yield table.say("{host} is looking for players.", host=host)
        return
    yield f"### ♥ {table.say('An invitation: {game}', game=game)}"
    names = _names(table, invitations)
    if host:
        yield table.say("{host} invites {who}.", host=host, who=names)
    else:
        yield table.say("For {who}.", who=names)


def _progress(table: PublicTable, invitations: Sequence[Invitation]) -> Iterator[str]:
    """What has become of the invitations, or how many seats are free for those called."""
    if table.state is not State.LOBBY:
        yield table.say(OUTCOMES[table.state])
        return
    if invitations[0].way is not Way.INVITED:
        yield table.say_count(table.room, "{count} seat is free.", "{count} seats are free.")
        yield table.say("You asked to be told. `/hearts preferences` changes that.")
        return
    seated = [one for one in invitations if table.seat_of(one.person) is not None]
    expected = [one for one in invitations if one.kept_until is not None]
    others = [one for one in invitations if one not in seated and one not in expected]
    if seated:
        yield table.say_count(
            len(seated), "{who} has a seat.", "{who} have their seats.", who=_names(table, seated)
        )
    if expected:
        until = f"<t:{int(expected[0].kept_until or 0)}:t>"
        yield table.say_count(
            len(expected),
            "A seat is kept for {who} until {time}.",
            "Seats are kept for {who} until {time}.",
            who=_names(table, expected),
            time=until,
        )
    if others:
        yield table.say("No seat is kept for {who} any more; anyone may join.", who=_names(table, others))


def _names(table: PublicTable, invitations: Sequence[Invitation]) -> str:
    names = [person(table.name_of_guest(one), table.language) for one in invitations]
    return table.language.listing([f"**{name}**" for name in names])


def _buttons(table: PublicTable) -> Row:
    if table.state is State.LOBBY:
        join = Button(
            table.language.say_as("for everyone", "Join"),
            Join(table.id),
            Style.GOOD,
            enabled=bool(table.room or table.kept),
        )
        return join, learn(table.id, table.language)
    return (take_a_seat(table.id, table.language),) if table.free_seats else ()
