"""Whole games of every kind, through the command line: `python -m tests.bench.games [--games 20]`.

For every game and number of players, `python -m engine play` plays games between computers, and `python -m
engine replay` checks each move of their records by the rules. It prints the number of games and the faults:
records that replay refuses, and commands that fail.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

from engine.players import PLAYERS
from engine.rules.presets import PRESETS

ENGINE = [sys.executable, "-m", "engine"]


def faults(preset: str, players: int, games: int, player: str) -> list[str]:
    """Play these games and replay them; returns a line for each fault."""
    wanted = ["--preset", preset, "--players", str(players), "--games", str(games), "--player", player]
    with subprocess.Popen([*ENGINE, "play", *wanted, "--seed", "1"], stdout=subprocess.PIPE) as playing:
        replayed = subprocess.run([*ENGINE, "replay"], stdin=playing.stdout, capture_output=True, text=True)
    answers = [json.loads(line) for line in replayed.stdout.splitlines()]
    found = [json.dumps(answer) for answer in answers if not answer.get("ok")]
    if playing.returncode or replayed.returncode:
        found.append(f"status {playing.returncode} and {replayed.returncode}: {replayed.stderr}")
    if len(answers) != games:
        found.append(f"{len(answers)} of {games} games were replayed")
    return found


def main(presets: list[str], games: int, player: str) -> int:
    """Print a line for each table; returns status 1 if there was any fault."""
    total, wrong = 0, 0
    for name in presets:
        for players in PRESETS[name].players:
            found = faults(name, players, games, player)
            total, wrong = total + games, wrong + len(found)
            sys.stdout.write(f"{name:13}{players:3} players: {games} games, {len(found)} faults\n")
            sys.stdout.write("".join(f"    {fault}\n" for fault in found))
    sys.stdout.write(f"{total} games, {wrong} faults\n")
    return bool(wrong)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--preset", choices=PRESETS, help="only this game")
    parser.add_argument("--games", type=int, default=20, help="for each game and number of players")
    parser.add_argument("--player", default="random", help=f"the players: {', '.join(PLAYERS)}")
    arguments = parser.parse_args()
    presets = [arguments.preset] if arguments.preset else list(PRESETS)
    sys.exit(main(presets, arguments.games, arguments.player))
