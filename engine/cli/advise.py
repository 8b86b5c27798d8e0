"""`advise`: the strong player's advice for a record in progress, with the outcome of each choice."""

import argparse
import sys
from typing import Any

from engine.cli.records import answer_all, faulty
from engine.errors import RecordError
from engine.play.game import Game
from engine.play.record import read_record
from engine.play.views import seat_view
from engine.players.advice import FULL, Option


def add_to(commands: Any) -> None:
    """Add the command and its arguments."""
    command = commands.add_parser("advise", help="rate the choices where a record stops, as JSON")
    command.add_argument(
        "--seat", type=int, metavar="SEAT", help="from 0; by default the first that has to choose"
    )
    command.add_argument("--playouts", type=int, default=FULL, metavar="P", help=f"effort; default {FULL}")
    command.add_argument("--seed", type=int, default=0, help="the same seed gives the same advice")
    command.add_argument("file", nargs="?", metavar="FILE", help="default: standard input")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer each record, and return the exit status."""
    if arguments.playouts < 1:
        sys.stderr.write(f"The number of playouts must be at least 1, not {arguments.playouts}.\n")
        return 2
    return answer_all(arguments.file, lambda data: _advise(read_record(data), arguments), faulty)


def _advise(game: Game, arguments: argparse.Namespace) -> dict[str, Any]:
    """A seat's options, best first; RecordError if it has nothing to choose."""
    from engine.players.strong import advise  # loads compiled code, too slow for the other commands

    seat = _seat(game, arguments.seat)
    advice = advise(seat_view(game, seat), arguments.playouts, arguments.seed)
    return {
        "ok": True,
        "deal": len(game.deals),
        "seat": seat,
        "phase": advice.phase.value,
        "options": [_described(option) for option in advice.options],
    }


def _seat(game: Game, requested: int | None) -> int:
    """The seat to advise."""
    waiting = game.deal.waiting_for if game.deal else ()
    if not waiting:
        raise RecordError("Nobody has anything to choose: no deal is going on.")
    if requested is None:
        return waiting[0]
    if requested not in waiting:
        seats = ", ".join(map(str, waiting))
        sentence = "Seat {seat} has nothing to choose now; the deal waits for {seats}."
        raise RecordError(sentence, seat=requested, seats=seats)
    return requested


def _described(option: Option) -> dict[str, Any]:
    """An option as JSON: `expected` are the seat's points in this deal, `moon` is a share of the worlds."""
    return {
        "cards": [card.code for card in option.cards],
        "same": [card.code for card in option.same],
        "expected": round(option.expected, 3),
        "error": round(option.error, 3),
        "moon": round(option.moon, 3),
        "worlds": option.worlds,
    }
