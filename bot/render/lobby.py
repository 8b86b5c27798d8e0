"""The lobby, the welcome to players who sit down, and the end of a table without a result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.controls import Join, Leave, ShowRules, Start
from bot.messages import Button, ByDm, Colour, Post, Row, Style, Whisper
from bot.render.buttons import rematch, to_table
from bot.render.how_to_play import learn
from bot.render.rules import length, options
from bot.render.text import chipped, person, seat_name
from engine.languages import ENGLISH
from engine.players import Strength
from engine.rules import lengths
from engine.rules.ruleset import Ruleset
from engine.rules.wording import differences, goal, worth
from engine.storage.tables import SeatClaim
from engine.tables import Pace, PublicTable, Seat, Seats, State

#: Shown before anyone joins: the bot only messages people who agreed to it.
HANDS = "Hands arrive by DM; joining lets the bot message you."


@dataclass(frozen=True, slots=True)
class LobbyView:
    """All that a table's first message shows: as long as it is equal, the message looks the same."""

    id: int
    host: int
    rules: Ruleset
    state: State
    seats: Seats
    seat_claims: tuple[SeatClaim, ...]
    first: int | None
    pace: Pace
    strength: Strength

    @classmethod
    def of(cls, table: PublicTable) -> LobbyView:
        """What it shows of this table."""
        return cls(*[getattr(table, name) for name in cls.__match_args__])


def lobby(table: LobbyView) -> Post:
    """The table's first message: the game, who sits and what can be done; the rest in small print."""
    game = f"## ♥ {table.rules.preset.title}\n**{goal(table.rules, ENGLISH)}.**"
    if table.state is State.LOBBY:
        small = (_starting(table), _time(table), *_worth(table.rules), HANDS)
        buttons = (_buttons(table), _small(small), (options(table.id), *_reading(table)))
        return Post((game, _seats(table), *buttons))
    small = (*_worth(table.rules), f"{_outcome(table)} {_pace(table)}")
    rows = (_reading(table),) if table.state is State.PLAYING else ()
    return Post((game, _seats(table), _small(small), *rows), Colour.DONE)


def _small(lines: Iterable[str]) -> str:
    return "\n".join(f"-# {line}" for line in lines)


def _starting(table: LobbyView) -> str:
    if len(table.seats) < table.rules.players:
        return f"**Start** deals; {table.strength.value} computers take the empty seats."
    if _has_computer(table):
        return "All seats are taken; **Join** takes a computer's seat. **Start** deals."
    return "All seats are taken: **Start** deals."


def _has_computer(table: LobbyView) -> bool:
    return any(seat.person is None for seat in table.seats)


def _time(table: LobbyView) -> str:
    end = lengths.end(table.rules, len(table.seats.people))
    return f"About {length(table.pace, end)}. {_pace(table)}"


def _pace(table: LobbyView) -> str:
    return f"Pace: {table.pace.title}."


def _worth(rules: Ruleset) -> Iterator[str]:
    """What the cards count, for newcomers, and this table's own rules, for players who know the game."""
    yield chipped(worth(rules, ENGLISH))
    if house := differences(lengths.usual(rules), ENGLISH):  # its end is told above
        yield f"House rules: {chipped('; '.join(house))}."


def _buttons(table: LobbyView) -> Row:
    """What is pressed first, in that order; a phone has room for three in a row."""
    has_room = len(table.seats) < table.rules.players
    return (
        Button("Join", Join(table.id), Style.GOOD, enabled=has_room or _has_computer(table)),
        Button("Start", Start(table.id), Style.MAIN),
        Button("Leave", Leave(table.id)),
    )


def _reading(table: LobbyView) -> Row:
    """The buttons whose answers only the person who presses them sees."""
    return Button("Rules", ShowRules(table.id)), learn(table.id)


def _seats(table: LobbyView) -> str:
    lines = [f"**Seats** ({len(table.seats)} of {table.rules.players})"]
    for place in range(table.rules.players):
        if place >= len(table.seats):
            lines.append(f"{place + 1}. *free*")
            continue
        seat = table.seats[place]
        lines.append(" · ".join((f"{place + 1}. {seat_name(seat, ENGLISH)}", *_notes(table, place))))
    return "\n".join(lines)


def _notes(table: LobbyView, number: int) -> Iterator[str]:
    """The notes beside the name of the player in this seat."""
    seat = table.seats[number]
    if seat.person is None:
        yield seat.strength.value
    if seat.manner:
        yield seat.manner.value
    if seat.person == table.host:
        yield "host"
    if _is_named_first(table, seat):
        yield "leads first"
    for claim in [one for one in table.seat_claims if one.seat == number]:
        yield f"{person(claim.name, ENGLISH)} takes the seat with the next deal"


def _is_named_first(table: LobbyView, seat: Seat) -> bool:
    """C3: whether the host has named this person to lead, in place of the oldest."""
    return seat.person is not None and seat.person == table.first


def _outcome(table: LobbyView) -> str:
    return {
        State.PLAYING: "The game is on.",
        State.OVER: "The game is over.",
        State.STOPPED: "This table is closed.",
    }[table.state]


def welcome(table: PublicTable) -> Whisper:
    """The first DM to a player who sits down. It leaves out the rules, which the host may still change."""
    text = f"### You have a seat\n{table.rules.preset.title} in <#{table.channel}>."
    hand = "Your hand will come here once the cards are dealt."
    return Whisper((f"{text} {hand}", (to_table(table), learn(table.id))))


def seated(by_dm: ByDm) -> str:
    """Tells players who have just sat down where their hand will be."""
    match by_dm:
        case ByDm.YES:
            return "You have a seat. Your hand will come by DM."
        case ByDm.LATER:
            return (
                "You have a seat. Your hand will come by DM as soon as Discord lets me send you one. "
                "If the cards are dealt before that, press **My hand** in this channel."
            )
        case ByDm.NO:
            return (
                "You have a seat. I can't DM you, so your hand will wait for you here: press **My hand** in "
                "this channel once the cards are dealt. Everything works that way."
            )


def stopped(table: PublicTable) -> Post:
    """Told when a game ends before its time."""
    text = "### ♥ The game was stopped\nThere is no result."
    return Post((text, (rematch(table),)), Colour.DONE)
