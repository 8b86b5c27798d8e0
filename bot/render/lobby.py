"""The lobby, the welcome to players who sit down, and the end of a table without a result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.controls import AddComputer, ChangeStrength, EndAt, Join, Leave, RemoveComputer, ShowRules, Start
from bot.messages import Button, ByDm, Colour, Part, Post, Row, Style, Whisper
from bot.render.buttons import rematch, to_table
from bot.render.deadlines import AN_HOUR, spent
from bot.render.how_to_play import learn
from bot.render.text import chipped, person, seat_name, with_count
from engine.players import Strength
from engine.rules import lengths
from engine.rules.lengths import End
from engine.rules.ruleset import Ruleset
from engine.rules.wording import differences, goal, number, worth
from engine.sentences import either
from engine.storage.tables import SeatClaim
from engine.tables import Pace, PublicTable, Seat, Seats, State


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
    """The table's first message: the game and what is not usual about it, who sits, and what can be done."""
    about: tuple[Part, ...] = (_game(table), _seats(table))
    if table.state is State.LOBBY:
        asked = (*_computers(table), *_ends(table))
        return Post((*about, *asked, f"-# {_invitation(table)}", *_buttons(table)))
    rows = (_reading(table),) if table.state is State.PLAYING else ()
    return Post((*about, f"{_outcome(table)} {_pace(table)}", *rows), Colour.DONE)


def _game(table: LobbyView) -> str:
    """The goal of the game, for newcomers, and this table's own rules, for players who know it."""
    rules = table.rules
    lines = [f"## ♥ {rules.preset.title}", f"**{goal(rules)}.**", chipped(worth(rules))]
    if house := differences(lengths.usual(rules)):  # its end is told above
        lines.append(f"House rules: {chipped('; '.join(house))}.")
    return "\n".join(lines)


def _invitation(table: LobbyView) -> str:
    if len(table.seats) < table.rules.players:
        others = f"{table.strength.value} computers"
        seats = f"**Join** takes a seat. **Start** deals; {others} take the empty seats."
    elif _has_computer(table):
        seats = "All seats are taken; **Join** takes a computer's seat. **Start** deals."
    else:
        seats = "All seats are taken: **Start** deals."
    return f"{seats} Hands arrive by DM; joining lets the bot message you.\n-# {_pace(table)}"


def _has_computer(table: LobbyView) -> bool:
    return any(seat.person is None for seat in table.seats)


def _pace(table: LobbyView) -> str:
    return f"Pace: {table.pace.title}."


def _buttons(table: LobbyView) -> tuple[Row, Row]:
    """The buttons in the order in which they are pressed; a phone has room for three in a row."""
    has_room = len(table.seats) < table.rules.players
    return (
        (
            Button("Join", Join(table.id), Style.GOOD, enabled=has_room or _has_computer(table)),
            Button("Start", Start(table.id), Style.MAIN),
            Button("Leave", Leave(table.id)),
        ),
        _reading(table),
    )


def _computers(table: LobbyView) -> tuple[Part, ...]:
    """One of each strength can be added; where no seat is free, all can be changed. The last can go."""
    present = frozenset(seat.strength for seat in table.seats if seat.person is None)
    row = (Button("Remove last", RemoveComputer(table.id)),) if present else ()
    if len(table.seats) < table.rules.players:
        return "-# Add a computer:", (*_strengths(AddComputer, table, frozenset()), *row)
    return ("-# All computers:", (*_strengths(ChangeStrength, table, present), *row)) if present else ()


def _strengths(
    change: type[AddComputer | ChangeStrength], table: LobbyView, present: frozenset[Strength]
) -> Row:
    """A button for each, but for the one that all computers have already."""
    return tuple(
        Button(strength.value.title(), change(table.id, strength), enabled=present != {strength})
        for strength in Strength
    )


def _ends(table: LobbyView) -> tuple[Part, Part]:
    """The totals to which the game can be played, and with a button for each how long that should take."""
    found = lengths.ends(table.rules, len(table.seats.people))
    totals = either([number(one.total) for one in found])
    row = tuple(
        [
            Button(
                _length(table, one),
                EndAt(table.id, one.total),
                Style.MAIN if one.total == table.rules.ends_at else Style.PLAIN,
            )
            for one in found
        ]
    )
    return f"-# Game length (to {totals}):", row


def _length(table: LobbyView, end: End) -> str:
    """In minutes, but where somebody may think for hours."""
    if (table.pace.seconds or AN_HOUR * 2) <= AN_HOUR:
        return spent(end.minutes)
    return with_count(max(1, round(end.deals)), "{count} deal", "{count} deals")


def _reading(table: LobbyView) -> tuple[Button, ...]:
    """The buttons whose answers only the person who presses them sees."""
    return learn(table.id), Button("Rules", ShowRules(table.id))


def _seats(table: LobbyView) -> str:
    lines = [f"**Seats** ({len(table.seats)} of {table.rules.players})"]
    for place in range(table.rules.players):
        if place >= len(table.seats):
            lines.append(f"{place + 1}. *free*")
            continue
        seat = table.seats[place]
        lines.append(" · ".join((f"{place + 1}. {seat_name(seat)}", *_notes(table, place))))
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
        yield f"{person(claim.name)} takes the seat with the next deal"


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
