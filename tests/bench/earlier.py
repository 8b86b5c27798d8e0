"""A player from an earlier commit, as an opponent in the tournament: `--second strong@f50ee6d`.

Its code is exported with git into a temporary folder, which is kept, and runs in a process of its own. That
process is told each deal and every move, and asked for the player's moves.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from engine.play.moves import SeatMove, from_json, to_json
from engine.play.views import SeatView

ROOT = Path(__file__).parent.parent.parent

#: The other process's code. A strong player is told who sits there, as far as that commit wants to know.
SERVER = """
import json, sys
from functools import partial
from random import Random
from engine import players
from engine.play.moves import from_json, to_json
from engine.play.views import seat_view
from engine.rules.ruleset import Ruleset
from tests.bench.duplicates import dealt, strength_called

def player_among(names):
    strength, _, effort = sys.argv[1].partition("+")
    if strength != "strong":
        return players.PLAYERS[strength]
    from engine.players.strong import strong_move
    seats = [strength_called(name) for name in names]
    told = {"skills": players.skills_of(seats)} if hasattr(players, "skills_of") else {
        "vigilance": players.vigilance_of(seats)
    }
    return partial(strong_move, **told, **({"effort": int(effort)} if effort else {}))

for line in sys.stdin:
    match json.loads(line):
        case ["deal", table, number, seed, names]:
            player = player_among(names)
            game = dealt(Ruleset.of(*table), number, Random(seed))
        case ["move", move]:
            game = game.advance(from_json(game.rules, move))
        case ["ask", seat, seed]:
            move = player(seat_view(game, seat), Random(seed))
            print(json.dumps(to_json(move)), flush=True)
"""


class Earlier:
    """The player with this name as it was in a commit."""

    def __init__(self, name: str, commit: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVER, name],
            cwd=checked_out(commit),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, table: tuple[str, int], number: int, seed: str, names: Sequence[str]) -> None:
        """Note a deal, which `dealt` makes with this number and seed for the players with these names."""
        self._say("deal", table, number, seed, names)

    def hear(self, move: SeatMove) -> None:
        self._say("move", to_json(move))

    def __call__(self, view: SeatView, rng: Random) -> SeatMove:
        self._say("ask", view.seat, rng.getrandbits(62))
        return from_json(view.rules, json.loads(self._process.stdout.readline()))

    def _say(self, *what: object) -> None:
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()


@lru_cache
def earlier(name: str) -> Earlier:
    """Return this process's player of a name such as `strong@f50ee6d`."""
    return Earlier(*name.split("@"))


def checked_out(commit: str) -> Path:
    """Return a folder with this commit's code, exported from git if it isn't there yet."""
    command = ["git", "rev-parse", "--verify", f"{commit}^{{commit}}"]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    folder = Path(tempfile.gettempdir(), f"hearts-table-{found[:12]}")
    if not (folder / "complete").exists():
        folder.mkdir(exist_ok=True)
        archive = subprocess.run(["git", "archive", found], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        (folder / "complete").touch()
    return folder
