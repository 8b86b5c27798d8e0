"""Processes that play until they are killed; what they sent, what was acknowledged, and what is stored."""

import json
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from engine.play import moves as moves_
from engine.play.game import Game
from engine.rules.ruleset import Ruleset
from tests.outside import edit

#: A move as its player knows it: table, deal, seat or person, and the move itself as JSON.
Made = tuple[Any, ...]
WARM = ["pytest", "hypothesis", "simcord", "bot.client", "bot.running"]
#: Seconds after which a process without progress counts as hung.
LONGEST_LIFE = 120.0


class Diary:
    """A file where a process records its moves, a line each, which SIGKILL can't undo."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "diary"

    def open(self) -> Callable[..., None]:
        """Open it for writing: `note("sent", table, deal, ...)`."""
        file = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_WRONLY)

        def note(kind: str, *made: Any) -> None:
            os.write(file, f"{json.dumps([kind, *made])}\n".encode())

        return note

    def read(self, kind: str) -> Counter[Made]:
        """How often each move is recorded with this kind."""
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        entries = [json.loads(line) for line in lines]
        return Counter(_frozen(made) for said, *made in entries if said == kind)


@contextmanager
def life(work: Callable[..., None], *arguments: Any) -> Iterator[Any]:
    """Within, run this in a separate process, which is killed at the end."""
    # Forked from a process that has imported everything and done nothing: a life begins in no time.
    births = multiprocessing.get_context("forkserver")
    births.set_forkserver_preload(WARM)
    process = births.Process(target=work, args=arguments)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()
        process.close()


def outlive_kills(work: Callable[..., None], folder: Path, rng: Random, *, kills: int, most: int) -> None:
    """Run process after process on one database, kill each and check the database; the last ends all games.

    `work` is called with the folder, the process's number and, in the last one, True.
    """
    diary, path = Diary(folder), folder / "hearts.sqlite3"
    moves = []
    for number in range(kills):
        with life(work, folder, number) as process:
            _kill_at_random(process, diary, rng, most)
        if path.exists():
            moves.append(len(check(path, diary).rows))
    assert len(set(moves)) > kills / 2, "hardly any life has got anywhere"
    with life(work, folder, kills, True) as process:
        process.join(LONGEST_LIFE)
        assert process.exitcode == 0
    assert {state for _, state, _ in check(path, diary).tables} == {"over"}


def _kill_at_random(process: Any, diary: Diary, rng: Random, most: int) -> None:
    """Send SIGKILL during its start, or a moment after some more moves have been acknowledged."""
    size = diary.path.stat().st_size if diary.path.exists() else 0
    wanted = rng.randrange(-most // 4, most)
    if wanted < 0:
        time.sleep(rng.uniform(0, 0.15))
    else:
        wait_for_moves(process, diary, size, wanted)
        time.sleep(rng.uniform(0, 0.006))
    process.kill()
    process.join()
    assert process.exitcode in (-signal.SIGKILL, 0)


def wait_for_moves(process: Any, diary: Diary, after: int, count: int) -> None:
    """Wait until this many more moves are acknowledged in the diary, or the process has ended."""
    deadline = time.monotonic() + LONGEST_LIFE
    while process.is_alive():
        assert time.monotonic() < deadline, "this life does nothing"
        if diary.path.exists():
            with diary.path.open("rb") as file:
                file.seek(after)
                if file.read().count(b'["acked"') >= count:
                    return
        time.sleep(0.001)


class Left:
    """The contents of the database while no process runs."""

    def __init__(self, path: Path) -> None:
        assert edit(path, "PRAGMA integrity_check") == [("ok",)]
        # A process that was killed at once has created the file, but no tables in it.
        has_tables = edit(path, "SELECT 1 FROM sqlite_schema LIMIT 1")

        def rows(statement: str) -> list[Any]:
            return edit(path, statement) if has_tables else []

        tables = rows("SELECT id, state, body FROM tables")
        self.tables = [(id, state, json.loads(body)) for id, state, body in tables]
        self.people = {
            (id, number): seat["person"]
            for id, _, body in self.tables
            for number, seat in enumerate(body["seats"])
        }
        self.rows = rows("SELECT table_id, number, move FROM moves ORDER BY table_id, number")
        self.results = rows("SELECT table_id, seat FROM results")
        #: The moves that may have played themselves: cards that are forced, or on which nothing hangs.
        self.forced: set[Made] = set()
        self.games = self._replay()

    def _replay(self) -> dict[int, Game]:
        """Each game from its stored moves, every one checked by the rules."""
        games = {}
        for table, state, body in self.tables:
            rules = Ruleset.from_json(body["rules"])
            log = [json.loads(move) for id, _, move in self.rows if id == table]
            assert [number for id, number, _ in self.rows if id == table] == list(range(len(log)))
            game = Game(rules)
            for move in log:
                deal = game.deal
                if "played" in move and deal and (deal.is_known_to_be_forced or deal.is_decided):
                    person = self.people[table, move["seat"]]
                    self.forced.add(_frozen((table, len(game.deals), person, {"played": move["played"]})))
                game = game.advance(moves_.from_json(rules, move))
            assert game.over == (state == "over")
            people = sum(person is not None for (id, _), person in self.people.items() if id == table)
            assert sum(id == table for id, _ in self.results) == (people if game.over else 0)
            games[table] = game
        return games

    def moves(self) -> Counter[Made]:
        """How often each person's move is stored: table, deal, person and the move."""
        found: Counter[Made] = Counter()
        deals: Counter[int] = Counter()
        for table, _, text in self.rows:
            move = json.loads(text)
            if "dealt" in move:
                deals[table] += 1
            elif person := self.people[table, move.pop("seat")]:
                found[_frozen((table, deals[table], person, move))] += 1
        return found

    def lost_taps(self, diary: Diary) -> list[Made]:
        """The cards whose picking was acknowledged, but are neither picked nor passed."""
        picked = {
            (id, self.people[id, seat], self.games[id].deals[-1].hands[seat][place].code)
            for id, _, body in self.tables
            for seat, places in enumerate(body["picks"])
            for place in places or ()
        }
        passed = {made[:3] for made in self.moves() if made[3][0][0] == "passed"}
        taps = diary.read("tapped")
        return [tap for tap in taps if tap[:3] not in passed and (tap[0], *tap[2:]) not in picked]


def check(path: Path, diary: Diary) -> Left:
    """Check that everything acknowledged is stored exactly once, and nothing that wasn't sent."""
    left = Left(path)
    stored = left.moves()
    assert not (lost := diary.read("acked") - stored), f"lost: {lost}"
    unsent = set(stored) - set(diary.read("sent")) - left.forced
    assert not unsent, f"nobody sent {unsent}"
    assert not (doubled := stored - Counter(set(stored))), f"twice: {doubled.most_common(3)}"
    assert not (taps := left.lost_taps(diary)), f"picked, and not there: {taps}"
    return left


def _frozen(value: Any) -> Any:
    """JSON that can be counted."""
    if isinstance(value, dict):
        return tuple((key, _frozen(item)) for key, item in sorted(value.items()))
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value
