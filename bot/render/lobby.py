"""The lobby, the welcome to who has sat down, and how a table ends without a result."""

from __future__ import annotations

from bot.messages import DIVIDER, Button, Colour, Link, Part, Post, Style, Whisper, action
from bot.render.text import channel_link, seat_name
from engine.rules.words import describe, goal
from engine.tables import PublicTable, Seat, State


def lobby(table: PublicTable) -> Post:
    """The table's first message: game, goal, seats and what can be done; below them the rules."""
    heading = f"## ♥ {table.rules.preset.title}\n**{goal(table.rules)}.**"
    house = f"{rules(table)}\n• Pace: {table.pace.title}."
    if table.state is not State.LOBBY:
        return Post((heading, _seats(table), _outcome(table), DIVIDER, house), Colour.DONE)
    return Post((heading, _seats(table), *_invitation(table), DIVIDER, house))


def _invitation(table: PublicTable) -> tuple[Part, Part]:
    empty = table.rules.players - len(table.seats)
    computers = any(seat.person is None for seat in table.seats)
    if empty:
        seats = "Start gives the empty seats to computers."
    else:
        seats = "All seats are taken" + ("; Join takes a computer's." if computers else ".")
    return (
        f"-# Hands come by DM: whoever joins lets the bot write to them. {seats}",
        (
            Button("Join", action("join", table.id), Style.GOOD, enabled=empty > 0 or computers),
            Button("Leave", action("leave", table.id)),
            Button("Add computer", action("computer", table.id), enabled=empty > 0),
            Button("Rules", action("rules", table.id)),
            Button("Start", action("start", table.id), Style.MAIN),
        ),
    )


def rules(table: PublicTable) -> str:
    """The house rules, a line each."""
    # C3: nobody's age is known here.
    oldest = ["The oldest player is who has the oldest account."] if table.rules.oldest_leads else []
    return "\n".join(f"• {line}" for line in [*describe(table.rules), *oldest])


def _seats(table: PublicTable) -> str:
    lines = [f"**Seats** ({len(table.seats)} of {table.rules.players})"]
    for number in range(table.rules.players):
        if number >= len(table.seats):
            lines.append(f"{number + 1}. *free*")
            continue
        seat = table.seats[number]
        notes = " · host" * (seat.person == table.host) + " · leads first" * _is_named_first(table, seat)
        lines.append(f"{number + 1}. {seat_name(seat)}{notes}")
    return "\n".join(lines)


def _is_named_first(table: PublicTable, seat: Seat) -> bool:
    """C3: whether the host has named this person to lead, in place of the oldest."""
    return seat.person is not None and seat.person == table.first


def _outcome(table: PublicTable) -> str:
    return {
        State.PLAYING: "The game is on.",
        State.OVER: "The game is over.",
        State.STOPPED: "This table is closed.",
    }[table.state]


def welcome(table: PublicTable) -> Whisper:
    """The first DM to somebody who has sat down."""
    text = f"### You have a seat\n{table.rules.preset.title} in <#{table.channel}>. {goal(table.rules)}."
    return Whisper(
        (
            text,
            "Your hand will come here once the cards are dealt.",
            (Link("Go to the table", channel_link(table)),),
        )
    )


def stopped(table: PublicTable) -> Post:
    """Told when a game ends before its time."""
    return Post(
        ("### ♥ The game was stopped\nNo result counts. `/hearts new` opens another table.",),
        Colour.DONE,
    )
