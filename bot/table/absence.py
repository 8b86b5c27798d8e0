"""DMs to players who are away: whether they are still there, and how the game should end."""

from collections.abc import Iterable, Iterator

from bot.table.votes import asked_by_dm
from bot.vocabulary.messages import AWAY, VOTE, Colour, Whisper
from bot.words.buttons import come_back
from bot.words.deadlines import moment
from bot.words.text import place_of
from engine.tables import PublicTable, State


def due(table: PublicTable, seat: int, open_keys: Iterable[str]) -> Iterator[str]:
    """The keys of the DMs to send this seat's player, besides those that are open already."""
    player, open_keys = table.seats[seat], tuple(open_keys)
    if player.kept_until is None or not table.asks_all:
        return
    if not any(key.startswith(AWAY) for key in open_keys):
        yield f"{AWAY}{int(player.kept_until)}"
    vote = table.vote
    if vote and vote.is_open and seat not in vote.agreed | vote.refused:
        yield from {f"{VOTE}{vote.number}"}.difference(open_keys)


def side_dm(table: PublicTable, seat: int, key: str) -> Whisper:
    """The current state of the DM with this key."""
    if not key.startswith(VOTE):
        return _away(table, seat)
    vote = table.vote
    if vote and key == f"{VOTE}{vote.number}":
        return asked_by_dm(table, vote, seat)
    sentence = table.say("That question is no longer open.")
    return Whisper((f"{place_of(table)}\n{sentence}",), Colour.DONE, is_final=True)


def _away(table: PublicTable, seat: int) -> Whisper:
    player, location = table.seats[seat], place_of(table)
    if not table.is_live:
        is_over = table.state is State.OVER
        ended = table.say("The game is over.") if is_over else table.say("The game was stopped.")
        return Whisper((f"{location}\n{ended}",), Colour.DONE, is_final=True)
    if not player.away:
        back = table.say("You're back: your cards are yours again.")
        return Whisper((f"{location}\n{back}",), Colour.DONE, is_final=True)
    row = (come_back(table.id, table.language),)
    if player.kept_until is None:
        sentences = [
            table.say("You count as having left: a computer plays your cards until you come back."),
            table.say("If you are still away when the game ends, you come last."),
        ]
        return Whisper((f"{location}\n{table.language.sentences(sentences)}", row), Colour.DONE)
    if player.missed:
        why = table.say(
            "You ran out of time twice in a row, so a computer plays your cards until you come back."
        )
    else:
        why = table.say("The game started as planned. A computer plays your cards until you arrive.")
    sentences = [
        why,
        table.say(
            "Until {time} nobody can take your seat, and you're asked before the game ends.",
            time=moment(table, player.kept_until),
        ),
        table.say(
            "After that you count as having left, and come last if you are still away when the game ends."
        ),
    ]
    question = table.say("Are you still there?") if player.missed else table.say("The game has started")
    return Whisper((f"### {question}\n{location}\n{table.language.sentences(sentences)}", row), Colour.TURN)
