"""`play`: whole games between computer players, as records."""

import argparse
import json
import sys
import time
from random import Random, SystemRandom
from typing import Any

from engine.errors import HeartsError, Refusal
from engine.play.game import Game
from engine.play.record import write_record
from engine.players import PLAYERS, Strength, computer, play_game, skills_of
from engine.rules.options import from_text
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.sentences import quote


def add_to(commands: Any) -> None:
    """Add the command and its arguments."""
    command = commands.add_parser(
        "play", help="play games between computers and print their records, one per line"
    )
    command.add_argument("--preset", required=True, help=", ".join(PRESETS))
    command.add_argument("--players", required=True, type=int, metavar="N")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="see presets")
    command.add_argument("--games", type=int, default=1, metavar="G")
    command.add_argument("--seed", help="the same seed gives the same records")
    command.add_argument("--player", default=Strength.MEDIUM.value, metavar="NAME", help=", ".join(PLAYERS))
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play games and print their records; returns 0, or 2 for bad arguments."""
    try:
        rules = Ruleset.of(arguments.preset, arguments.players, _options(arguments.option))
        if arguments.games < 1:
            raise UsageError(f"The number of games must be at least 1, not {arguments.games}.")
        if arguments.player not in PLAYERS:
            raise UsageError(f"There is no player {quote(arguments.player)}; there are {', '.join(PLAYERS)}.")
        _check_seed(arguments.seed)
    except (Refusal, UsageError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    _play(rules, arguments)
    return 0


class UsageError(HeartsError):
    """Invalid arguments; `str()` is the message."""


def _check_seed(seed: str | None) -> None:
    try:
        (seed or "").encode()
    except UnicodeEncodeError:
        raise UsageError(f"The seed isn't text: {quote(seed)}.") from None


def _options(texts: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"An option is NAME=VALUE, not {quote(text)}.")
        options[name] = from_text(name, value)
    return options


def _play(rules: Ruleset, arguments: argparse.Namespace) -> None:
    seed = SystemRandom().getrandbits(64) if arguments.seed is None else arguments.seed
    # Two random sources, so that different players are dealt the same cards.
    deal_rng, player_rng = Random(f"cards {seed}"), Random(f"players {seed}")
    names = [f"{arguments.player} {seat + 1}" for seat in range(rules.players)]
    progress = Progress(arguments.games)
    strength = next((one for one in Strength if one.value == arguments.player), None)
    alike = computer(strength, skills=skills_of([strength] * rules.players)) if strength else None
    try:
        for index in range(arguments.games):
            progress.games = index
            game = play_game(rules, alike or PLAYERS[arguments.player], deal_rng, player_rng, progress.show)
            progress.hide()
            sys.stdout.write(json.dumps(write_record(game, names)) + "\n")
            sys.stdout.flush()
    finally:
        progress.hide()


class Progress:
    """A progress line on standard error, if that is a terminal, after the first second."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.games = 0
        self._shown = False
        self._next = time.monotonic() + 1 if sys.stderr.isatty() else float("inf")

    def show(self, game: Game) -> None:
        """Update the line after each deal, at most a few times a second."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.2
            self._shown = True  # set first, as Ctrl-C may come at any moment
            sys.stderr.write(f"\rGame {self.games + 1} of {self.total}, deal {len(game.deals)}\x1b[K")
            sys.stderr.flush()

    def hide(self) -> None:
        """Clear the line before a record, which may go to the same terminal."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
