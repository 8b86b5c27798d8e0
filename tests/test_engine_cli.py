"""`python -m engine` as a shell sees it."""

import io
import json
import os
import pty
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import quietly
from engine.cli.presets import describe
from engine.errors import Refusal
from engine.rules.options import from_text
from engine.rules.presets import PRESETS, Preset
from engine.rules.ruleset import Ruleset

Run = subprocess.CompletedProcess[bytes]
Engine = Callable[..., Run]
PIPE = subprocess.PIPE

ROOT = Path(__file__).parent.parent
#: As outside of tests: output into a pipe is buffered.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
#: Seconds after which a command has hung.
LONG = 60.0
COMMAND = [sys.executable, "-m", "engine"]
CLASSIC = ("play", "--preset", "classic", "--players", "4", "--player", "random")
#: An argument with a byte that isn't UTF-8.
NO_TEXT = "\udcff"


def engine(*arguments: str, stdin: bytes = b"", before: Callable[[], None] | None = None) -> Run:
    command = [*COMMAND, *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, cwd=ROOT, env=ENVIRONMENT, timeout=300, preexec_fn=before
    )


@pytest.fixture
def engine_here(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Engine:
    """As `engine`, in this process: where much is tried, each start would take a quarter of a second."""

    def run(*arguments: str, stdin: bytes = b"") -> Run:
        monkeypatch.setattr(sys, "argv", ["engine", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = quietly()
        return Run(arguments, status, *capfdbinary.readouterr())

    return run


def start(*arguments: str, **files: int) -> subprocess.Popen[bytes]:
    """A command that still runs."""
    return subprocess.Popen([*COMMAND, *arguments], cwd=ROOT, env=ENVIRONMENT, **files)


def answers(run: Run) -> list[dict[str, Any]]:
    assert run.stderr == b""
    return [json.loads(line) for line in run.stdout.splitlines()]


def sentence(run: Run) -> str:
    """What a run that could not begin has to say."""
    assert run.returncode == 2
    assert run.stdout == b""
    text = run.stderr.decode()
    assert text.endswith(".\n")
    assert text.count("\n") == 1
    return text


@pytest.fixture(scope="module")
def game() -> bytes:
    """A line: a short game's record."""
    return engine(*CLASSIC, "--option", "ends_at=20", "--seed", "5").stdout


# play


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "options", "who", "seat"),
    [
        (
            4,
            {"pass_cards": 0, "hooligan": True, "moon": "half", "ends_at": 30},
            "--player=random",
            "random 1",
        ),
        (4, {"ends_at": 1}, None, "medium 1"),
        (4, {"ends_at": 1}, "--player=strong", "strong 1"),
        (9, {"duplicates": "cancel"}, "--player=random", "random 1"),
    ],
)
def test_what_play_writes_replay_finds_sound(
    players: int, options: dict[str, Any], who: str | None, seat: str, engine_here: Engine
) -> None:
    given = [word for name, value in options.items() for word in ("--option", f"{name}={value}".lower())]
    table = ["--preset", "classic" if players == 4 else "double-deck", "--players", str(players), *given]
    played = engine_here("play", *table, "--games", "2", *([who] if who else []))
    assert played.returncode == 0
    records = answers(played)
    assert [record["rules"]["options"] for record in records] == [options] * 2
    assert [record["seats"][0] for record in records] == [seat] * 2
    replayed = engine_here("replay", stdin=played.stdout)
    assert replayed.returncode == 0
    plays = [sum(len(deal["plays"]) for deal in record["deals"]) for record in records]
    assert answers(replayed) == [{"ok": True, "plays": count} for count in plays]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_records(engine_here: Engine) -> None:
    command = (*CLASSIC, "--games", "3", "--seed")
    first, again = (engine(*command, "7").stdout for _ in range(2))
    other = engine_here(*command, "8").stdout
    assert first.count(b"\n") == 3
    assert first == again
    assert first != other
    assert first.startswith(engine_here(*CLASSIC, "--seed", "7").stdout)
    assert engine_here(*CLASSIC).stdout != engine_here(*CLASSIC).stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "--preset", "classic", "--players", "5"], "4 players, not 5"),
        (["play", "--preset", "classic", "--players", "four"], "four"),
        ([*CLASSIC, "--option", "moon"], "NAME=VALUE"),
        ([*CLASSIC, "--games", "0"], "at least 1"),
        ([*CLASSIC, "--seed", NO_TEXT], "The seed isn't text"),
        ([*CLASSIC, "--player", NO_TEXT], "There is no player"),
        (["advise", "--playouts", "0"], "at least 1"),
        (["advise", "nothing.jsonl"], "No such file"),
        (["replay", "."], "directory"),
    ],
)
def test_bad_arguments_get_a_sentence(arguments: list[str], says: str, engine_here: Engine) -> None:
    assert says in sentence(engine_here(*arguments))


@pytest.mark.slow
def test_long_work_shows_its_progress_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = (*CLASSIC, "--option", "ends_at=20000", "--games", "9")
    with start(*command, stdout=subprocess.DEVNULL, stderr=theirs) as run:
        try:
            assert b"Game 1 of 9, deal " in os.read(ours, 10_000)
            run.send_signal(signal.SIGINT)
            assert run.wait(LONG) == 130
        finally:
            run.kill()
    assert os.read(ours, 10_000).endswith(b"\r\x1b[K")
    os.close(ours)
    os.close(theirs)


# ending early


@pytest.mark.parametrize("arguments", [[*CLASSIC, "--games", "9999"], ["replay"]])
def test_ctrl_c_is_quiet(arguments: list[str], game: bytes) -> None:
    with start(*arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE) as run:
        if arguments == ["replay"]:
            run.stdin.write(game)
            run.stdin.flush()
        assert json.loads(run.stdout.readline())  # answered at once, though more may come
        run.send_signal(signal.SIGINT)
        _, complaint = run.communicate(timeout=LONG)
    assert complaint == b""
    assert run.returncode == 130


def test_a_reader_that_goes_away_is_no_fault() -> None:
    with start(*CLASSIC, "--games", "9999", stdout=PIPE, stderr=PIPE) as run:
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait(LONG) == 141


@pytest.mark.parametrize(
    ("redirection", "arguments", "status", "error"),
    [
        (">&-", CLASSIC, 2, b"There is no standard output.\n"),
        (">/dev/full", CLASSIC, 2, b"Cannot write: No space left on device.\n"),
        (">/dev/full", ["--help"], 2, b"Cannot write: No space left on device.\n"),
        ("2>&-", [*CLASSIC, "--option", "ends_at=1"], 0, b""),
        ("2>&-", ["replay", "nothing.jsonl"], 2, b""),
    ],
)
def test_where_nothing_can_be_written_it_ends_with_a_sentence_and_its_status(
    redirection: str, arguments: list[str], status: int, error: bytes
) -> None:
    shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, *arguments]
    run = subprocess.run(shell, capture_output=True, cwd=ROOT, env=ENVIRONMENT, timeout=LONG)
    assert (run.returncode, run.stderr) == (status, error)
    assert run.stdout.count(b"\n") == (not status)


# replay


def test_replay_reads_a_file_which_may_hold_nothing(tmp_path: Path, game: bytes, engine_here: Engine) -> None:
    for content, sound in ((game + game, [True, True]), (b"\n\n", [])):
        (tmp_path / "games.jsonl").write_bytes(content)
        run = engine_here("replay", str(tmp_path / "games.jsonl"))
        assert run.returncode == 0
        assert [answer["ok"] for answer in answers(run)] == sound


def test_a_faulty_record_is_located(game: bytes, engine_here: Engine) -> None:
    record = json.loads(game)
    record["deals"][1]["plays"][17] = "2C"
    run = engine_here("replay", stdin=game + json.dumps(record).encode() + b"\n" + game)
    assert run.returncode == 1
    good, bad, last = answers(run)
    assert good["ok"] is last["ok"] is True
    assert bad == {"ok": False, "deal": 2, "play": 17, "error": bad["error"]}
    assert bad["error"].endswith(".")


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"{", 2),
        (b"\xff\xfe{}", 2),
        (b"{}", 1),
        (b'{"format": 1, "format": 2}', 1),
        (b'["\\ud800"]', 1),
        (b"[" * 900 + b"]" * 900, 1),
    ],
)
def test_a_bad_line_gets_its_answer_and_the_lines_after_it_theirs(
    line: bytes, status: int, game: bytes, engine_here: Engine
) -> None:
    run = engine_here("replay", stdin=game + line + b"\n\n  \n" + game.rstrip())
    assert run.returncode == status
    good, bad, last = answers(run)
    assert good["ok"] is last["ok"] is True
    assert (bad["ok"], bad["deal"], bad["play"]) == (False, None, None)
    assert bad["error"].endswith((".", "..."))


@pytest.mark.parametrize(
    ("indent", "line_end", "encoding", "is_sound"),
    [
        (2, "\n", "utf-8", True),
        (0, "\n", "utf-8", True),
        (2, "\r\n", "utf-8", True),
        (None, "\n", "utf-8-sig", True),  # with a byte order mark
        (None, "\n", "utf-16", False),
        (None, "\n", "utf-16-be", False),
    ],
)
def test_a_record_gets_one_answer_however_it_was_saved(
    indent: int | str | None, line_end: str, encoding: str, is_sound: bool, game: bytes, engine_here: Engine
) -> None:
    """The same as /hearts replay gives: see tests/bot/test_replay.py."""
    saved = json.dumps(json.loads(game), indent=indent).replace("\n", line_end)
    (answer,) = answers(engine_here("replay", stdin=saved.encode(encoding)))
    assert answer["ok"] is is_sound
    assert is_sound or answer["error"] == "This line is not UTF-8."


def test_records_in_many_lines_follow_each_other(game: bytes, engine_here: Engine) -> None:
    indented = json.dumps(json.loads(game), indent=1).encode()
    stopped_early = indented[: len(indented) // 2]
    mixed = (indented + b"\n" + stopped_early + b"\n" + game) * 3 + indented
    found = answers(engine_here("replay", stdin=mixed))
    assert [answer["ok"] for answer in found] == [True, False, True] * 3 + [True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "status", "says"),
    [
        (b"[" + b"{}," * (10 * 1024 * 1024) + b"{}]", 1, "far too many brackets"),
        (b"[" + b'"2C",' * (6 * 1024 * 1024) + b"1]", 1, "more memory than there is"),
        (b"[" + b'"2C",' * (13 * 1024 * 1024) + b"1]", 2, "longer than 33554432 bytes"),
    ],
    ids=["brackets", "strings", "longer"],
)
def test_a_huge_line_gets_its_answer_and_the_lines_after_it_theirs(
    line: bytes, status: int, says: str, game: bytes
) -> None:
    little_memory = partial(resource.setrlimit, resource.RLIMIT_AS, (300_000_000, 300_000_000))
    run = engine("replay", stdin=game + line + b"\n" + game, before=little_memory)
    good, bad, last = answers(run)
    assert run.returncode == status
    assert good["ok"] is last["ok"] is True
    assert bad["ok"] is False
    assert says in bad["error"]


def stopped(game: bytes, plays: int) -> bytes:
    """The record as it stood when so many cards of the first deal had been played."""
    record = json.loads(game)
    record["winners"] = None
    deal = record["deals"][0]
    deal["plays"], deal["moon"] = deal["plays"][:plays], None
    record["deals"] = [{name: deal[name] for name in deal if name not in ("tricks", "points", "totals")}]
    return json.dumps(record).encode() + b"\n"


def test_legal_cards_before_each_play_of_a_sound_record(game: bytes, engine_here: Engine) -> None:
    deals = json.loads(game)["deals"]
    faulty = json.loads(stopped(game, 0))
    faulty["deals"][0]["plays"] = ["KC"]
    lines = game + stopped(game, 5) + stopped(game, 0) + json.dumps(faulty).encode()
    whole, begun, waiting, refused = answers(engine_here("replay", "--legal", stdin=lines))
    for deal, legal in zip(deals, whole["legal"], strict=True):
        assert legal[0] == ["2C"]
        for play, codes in zip(deal["plays"], legal, strict=True):
            assert play in codes
            assert codes == sorted(set(codes))
    assert begun == {"ok": True, "plays": 5, "legal": [whole["legal"][0][:5]]}
    assert waiting == {"ok": True, "plays": 0, "legal": [[]]}
    assert [*refused] == ["ok", "deal", "play", "error"]


# advise


@pytest.mark.slow
def test_advice_on_a_card_names_every_choice_and_repeats_with_its_seed(
    game: bytes, engine_here: Engine
) -> None:
    records = stopped(game, 5) + stopped(game, 0)
    run = engine("advise", "--playouts", "200", stdin=records)
    assert run.returncode == 0
    fifth, opening = answers(run)
    legal = answers(engine_here("replay", "--legal", stdin=game))[0]["legal"][0][5]
    assert (fifth["ok"], fifth["deal"], fifth["phase"]) == (True, 1, "playing")
    told = [code for option in fifth["options"] for code in (*option["cards"], *option["same"])]
    assert sorted(told) == legal
    assert all(option["worlds"] > 0 and option["error"] >= 0 for option in fifth["options"] if len(legal) > 1)
    assert [option["cards"] for option in opening["options"]] == [["2C"]]
    assert opening["options"][0]["worlds"] == 0  # there is nothing to choose
    assert engine_here("advise", "--playouts", "200", stdin=records).stdout == run.stdout


@pytest.mark.slow
def test_advice_on_a_pass_is_for_one_seat(game: bytes, engine_here: Engine) -> None:
    record = json.loads(stopped(game, 0))
    record["deals"][0]["passes"][1:] = [None, None, None]
    waiting = json.dumps(record).encode()
    (first,) = answers(engine_here("advise", "--playouts", "20", stdin=waiting))
    (asked,) = answers(engine_here("advise", "--playouts", "20", "--seat", "3", stdin=waiting))
    assert (first["seat"], asked["seat"]) == (1, 3)
    for answer in (first, asked):
        assert answer["phase"] == "passing"
        assert all(len(option["cards"]) == 3 for option in answer["options"])
        hand = record["deals"][0]["hands"][answer["seat"]]
        assert set(answer["options"][0]["cards"]) <= set(hand)
    refused = engine_here("advise", "--seat", "0", stdin=waiting)
    assert refused.returncode == 1
    assert answers(refused)[0]["error"] == "Seat 0 has nothing to choose now; the deal waits for 1, 2, 3."


@pytest.mark.slow
def test_there_is_no_advice_where_nobody_has_a_choice_or_the_record_is_faulty(
    game: bytes, engine_here: Engine
) -> None:
    run = engine_here("advise", stdin=game + b"{}\nhello\n")
    assert run.returncode == 2
    over, faulty, unusable = answers(run)
    assert over["error"] == "Nobody has anything to choose: no deal is going on."
    assert not over["ok"]
    assert not faulty["ok"]
    assert not unusable["ok"]


# presets


def test_presets_are_printed_as_json(engine_here: Engine) -> None:
    run = engine_here("presets")
    assert run.returncode == 0
    printed = json.loads(run.stdout)
    assert printed == {name: describe(game) for name, game in PRESETS.items()}
    options = printed["wikibooks"]["options"]
    assert options["remainder"] == {
        "players": [3, 5],
        "allowed": ["remove", "kitty", "jokers"],
        "default": "remove",
        "unless": [],
    }
    assert options["kitty"]["unless"] == [{"when": {"remainder": ["kitty"]}, "default": "first-trick"}]


def _variants(option: dict[str, Any]) -> list[tuple[dict[str, Any], Any]]:
    """Other options' settings, and the described option's default with them."""
    rows = [
        ({name: value}, row["default"])
        for row in option["unless"]
        for name, values in row["when"].items()
        for value in values
    ]
    return [({}, option["default"]), *rows]


@pytest.mark.parametrize("game", PRESETS.values(), ids=list(PRESETS))
def test_what_presets_say_is_what_the_rules_take(game: Preset) -> None:
    described = describe(game)["options"]
    for name, option in described.items():
        for players, (others, default) in product(option["players"], _variants(option)):
            if all(players in described[other]["players"] for other in others):
                plain = getattr(Ruleset.of(game.name, players, others), name)
                assert getattr(plain, "value", plain) == default
        for players in set(game.players) - set(option["players"]):
            with pytest.raises(Refusal):
                Ruleset.of(game.name, players, {name: option["default"]})


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("hooligan", "true", True),
        ("ends_at", "250", 250),
        ("ends_at", "-5", -5),
        ("ends_at", "9" * 5000, "9" * 5000),
        ("moon", "half", "half"),
    ],
)
def test_a_typed_option_value(name: str, text: str, value: Any) -> None:
    read = from_text(name, text)
    assert read == value
    assert type(read) is type(value)
