"""Sealed deals: the seal is known before the cards, fits no others, and opens when the deal is done."""

import copy
import hashlib
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from by_chance import play_on

from engine.__main__ import main
from engine.cards import cards
from engine.errors import RecordError
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt
from engine.play.record import read_record, write_record
from engine.play.seal import seal, sealed_text, with_salt
from engine.play.views import SeatView, public_view, seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from tests.tables.house import ANN, House

Verify = Callable[..., tuple[int, list[dict[str, Any]]]]

NAMES = ["ann", "bo", "cy", "di", "ed"]
TABLES = [
    ("classic", 4, {"ends_at": 60}),
    ("classic", 4, {"pass_cards": 0, "ends_at": 30}),
    ("wikibooks", 5, {"remainder": "kitty", "ends_at": 30}),
    ("wikibooks", 3, {"remainder": "jokers", "ends_at": 30}),
    ("cancellation", 5, {"ends_at": 50}),
    ("chinese", 4, {"deals": 2}),
]

FORGED = Dealt(2, tuple(map(cards, ("2C QS", "AH 3D"))), cards("TC"), "00" * 32)


def moments(preset: str, players: int, options: dict[str, Any]) -> Iterator[Game]:
    """A random game with sealed deals after each of its moves."""
    rng = Random(5)
    game = Game(Ruleset.of(preset, players, options))
    while not game.over:
        game = play_on(game, rng) if game.deal else game.advance(with_salt(shuffle(game, rng), rng))
        yield game


def record(preset: str, players: int, options: dict[str, Any]) -> dict[str, Any]:
    """The record of such a game."""
    *_, game = moments(preset, players, options)
    return write_record(game, NAMES[:players])


SEALED = record(*TABLES[0])


@pytest.fixture
def verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verify:
    """The exit status and the answers of `python -m engine verify`, without starting a process."""

    def run(*records: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
        file = tmp_path / "games.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in records))
        status = main(["verify", str(file)])
        told = capsys.readouterr()
        assert told.err == ""
        return status, [json.loads(line) for line in told.out.splitlines()]

    return run


# What a seal is


def test_the_seal_is_the_hash_of_a_line_that_a_person_can_read_with_the_salt_in_it() -> None:
    line = f"deal 3, dealer 2, salt {'00' * 32}, hands 2C QS / AH 3D, kitty TC"
    assert sealed_text(3, FORGED) == line
    assert seal(3, FORGED) == hashlib.sha256(line.encode()).hexdigest()
    assert seal(3, Dealt(2, FORGED.hands, FORGED.kitty)) is None


def test_the_salt_comes_from_the_chance_that_is_handed_in_and_is_long_enough() -> None:
    dealt = Dealt(0, FORGED.hands)
    salts = [with_salt(dealt, Random(seed)).salt or "" for seed in (1, 1, 2)]
    assert salts[0] == salts[1] != salts[2]
    assert {len(salt) for salt in salts} == {256 // 4}


# The record


@pytest.mark.parametrize(("preset", "players", "options"), TABLES)
def test_a_sealed_game_is_sound_for_verify_and_for_replay(
    preset: str, players: int, options: dict[str, Any], verify: Verify
) -> None:
    made = record(preset, players, options)
    deals = len(made["deals"])
    assert all(len(deal["salt"]) == len(deal["seal"]) == 64 for deal in made["deals"])
    assert write_record(read_record(made), NAMES[:players]) == made
    assert verify(made) == (0, [{"ok": True, "deals": deals, "sealed": deals}])


def swap_two_hands_cards(deal: dict[str, Any]) -> None:
    ann, bo = deal["hands"][:2]
    ann[0], bo[0] = bo[0], ann[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (swap_two_hands_cards, "The seal is broken"),
        (lambda deal: deal["hands"][2].insert(0, deal["hands"][2].pop(1)), "The seal is broken"),
        (lambda deal: deal.update(salt=f"{int(deal['salt'], 16) ^ 1:064x}"), "The seal is broken"),
        (lambda deal: deal.update(seal=hashlib.sha256(b"others").hexdigest()), "The seal is broken"),
        (lambda deal: deal.update(salt="AB" * 32), "The salt must be 64 hexadecimal digits"),
        (lambda deal: deal.update(salt=7), "The salt must be 64 hexadecimal digits, not 7."),
        (lambda deal: deal["plays"].reverse(), "Seat "),
        (lambda deal: deal.pop("salt"), "A sealed deal must have its salt."),
        (lambda deal: deal.pop("seal"), "A sealed deal must have its seal."),
    ],
)
def test_a_changed_deal_is_found_and_named(
    change: Callable[[dict[str, Any]], Any], says: str, verify: Verify
) -> None:
    good, bad = SEALED, copy.deepcopy(SEALED)
    change(bad["deals"][1])
    status, (first, second, third) = verify(good, bad, good)
    assert status == 1
    assert first["ok"] is third["ok"] is True
    assert list(second) == ["ok", "deal", "error"]
    assert (second["ok"], second["deal"]) == (False, 2)
    assert second["error"].startswith(says)
    with pytest.raises(RecordError, match=says) as fault:
        read_record(bad)
    assert fault.value.deal == 2


def test_a_record_without_seals_is_sound_and_says_so(verify: Verify) -> None:
    made = copy.deepcopy(SEALED)
    for deal in made["deals"][1:]:
        del deal["salt"], deal["seal"]
    deals = len(made["deals"])
    assert deals > 2
    assert verify(made) == (0, [{"ok": True, "deals": deals, "sealed": 1}])


def test_what_cannot_be_used_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["verify", str(tmp_path / "none")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "No such file" in told.err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"}\n42\n")))
    assert main(["verify"]) == 2
    assert [json.loads(line)["deal"] for line in capsys.readouterr().out.splitlines()] == [None, None]


# Who knows what, and when


@pytest.mark.parametrize(("preset", "players", "options"), [TABLES[0], TABLES[2], TABLES[-1]])
def test_the_seal_is_public_from_the_start_and_the_salt_only_at_the_end(
    preset: str, players: int, options: dict[str, Any]
) -> None:
    seals: dict[int, str] = {}
    for game in moments(preset, players, options):
        deal, shown = game.deals[-1], public_view(game).deal
        salt = deal.dealt.salt
        assert shown.seal == seals.setdefault(deal.number, shown.seal or "") == seal(deal.number, deal.dealt)
        if game.deal is None:
            assert (shown.salt, shown.dealt) == (salt, deal.dealt)
        else:
            views = [public_view(game), *(seat_view(game, seat) for seat in range(players))]
            assert not any(salt in repr(view) for view in views)
            assert shown.salt is shown.dealt is None
            assert salt not in json.dumps(write_record(game, NAMES[:players]))
    assert len(set(seals.values())) == len(seals) > 1


async def test_a_computers_code_gets_a_seats_view_and_a_chance_that_tells_no_cards(path: Path) -> None:
    seen: list[tuple[SeatView, Random]] = []

    def player(view: SeatView, mind: Random) -> Any:
        seen.append((view, mind))
        return random_move(view, mind)

    chance = Random(8)
    house = await House(path, rng=chance, computer=lambda strength, manner: player).open()
    await house.start(ANN)
    assert len(seen) == 3  # the computers have passed
    for view, mind in seen:
        assert type(view) is SeatView
        assert mind is not chance
    await house.close()
