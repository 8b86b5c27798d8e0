"""What players who are away are asked by DM: whether they are still there, and how the game shall end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.table.votes import asked_by_dm
from bot.vocabulary.messages import AWAY, VOTE, Colour, Whisper
from bot.words.buttons import come_back
from bot.words.deadlines import moment
from bot.words.text import place_of
from engine.tables import PublicTable, State


def due(table: PublicTable, seat: int, known: Iterable[str]) -> Iterator[str]:
    """The keys of the DMs that this seat's player is owed besides those that are `known` to be open."""
    sitting, known = table.seats[seat], tuple(known)
    if sitting.kept_until is None or not table.asks_all:
        return
    if not any(key.startswith(AWAY) for key in known):
        yield f"{AWAY}{int(sitting.kept_until)}"
    vote = table.vote
    if vote and vote.is_open and seat not in vote.agreed | vote.refused:
        yield from {f"{VOTE}{vote.number}"}.difference(known)


def letter(table: PublicTable, seat: int, key: str) -> Whisper:
    """What the DM with this key says now."""
    if not key.startswith(VOTE):
        return _away(table, seat)
    vote = table.vote
    if vote and key == f"{VOTE}{vote.number}":
        return asked_by_dm(table, vote, seat)
    told = table.say("That question is no longer open.")
    return Whisper((f"{place_of(table)}\n{told}",), Colour.DONE, is_final=True)


def _away(table: PublicTable, seat: int) -> Whisper:
    sitting, where = table.seats[seat], place_of(table)
    if not table.is_live:
        is_over = table.state is State.OVER
        ended = table.say("The game is over.") if is_over else table.say("The game was stopped.")
        return Whisper((f"{where}\n{ended}",), Colour.DONE, is_final=True)
    if not sitting.away:
        back = table.say("You're back: your cards are yours again.")
        return Whisper((f"{where}\n{back}",), Colour.DONE, is_final=True)
    row = (come_back(table.id, table.language),)
    if sitting.kept_until is None:
        told = [
            table.say("You count as having left: a computer plays your cards until you come back."),
            table.say("If you are still away when the game ends, you come last."),
        ]
        return Whisper((f"{where}\n{table.language.sentences(told)}", row), Colour.DONE)
    if sitting.missed:
        why = table.say(
            "You ran out of time twice in a row, so a computer plays your cards until you come back."
        )
    else:
        why = table.say("The game started as planned. A computer plays your cards until you arrive.")
    told = [
        why,
        table.say(
            "Until {time} nobody can take your seat, and you're asked before the game ends.",
            time=moment(table, sitting.kept_until),
        ),
        table.say(
            "After that you count as having left, and come last if you are still away when the game ends."
        ),
    ]
    question = table.say("Are you still there?") if sitting.missed else table.say("The game has started")
    return Whisper((f"### {question}\n{where}\n{table.language.sentences(told)}", row), Colour.TURN)
