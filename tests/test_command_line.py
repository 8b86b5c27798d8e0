"""`python -m bot` with settings that are missing or wrong: one plain sentence, exit status 2."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.config import ConfigError, Settings
from engine import __version__
from tests.operations import only

pytestmark = pytest.mark.slow

BOT = (sys.executable, "-m", "bot")


def run(
    folder: Path, *arguments: str, command: tuple[str, ...] = BOT, **settings: str
) -> subprocess.CompletedProcess[str]:
    """The bot started in an empty folder, with these settings and no others of its own."""
    return subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env=only(**settings),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The last line that it says when it cannot start."""
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def refusal(**settings: str) -> str:
    """What is wrong with these settings, in this process: where much is tried, each start takes a while."""
    with pytest.raises(ConfigError) as problem:
        Settings.read(settings)
    return str(problem.value)


@pytest.mark.parametrize("program", ["bot", "engine"])
def test_both_programs_tell_the_version(tmp_path: Path, program: str) -> None:
    done = run(tmp_path, "--version", command=(sys.executable, "-m", program))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{__version__}\n", "")


@pytest.mark.parametrize(
    ("option", "program"),
    [("-O", ("bot", "--version")), ("-OO", ("bot", "health")), ("-O", ("engine", "presets"))],
)
def test_without_its_assertions_it_does_nothing(
    option: str, program: tuple[str, ...], tmp_path: Path
) -> None:
    command = (sys.executable, option, "-m", *program)
    done = run(tmp_path, command=command, PYTHONDONTWRITEBYTECODE="1")
    assert done.stdout == ""
    assert "Run it without them" in sentence(done)
    assert done.stderr.count("\n") == 1


def test_without_a_token_it_says_both_ways_on(tmp_path: Path) -> None:
    line = sentence(run(tmp_path))
    assert "DISCORD_TOKEN is not set" in line
    assert ".env" in line
    assert "python -m bot --local" in line


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])  # Windows puts a mark at its beginning
def test_a_setting_is_read_from_the_env_file_but_the_environment_wins(tmp_path: Path, encoding: str) -> None:
    (tmp_path / ".env").write_bytes("HEARTS_LOG_LEVEL=shouting\n".encode(encoding))
    assert "HEARTS_LOG_LEVEL is 'SHOUTING'" in sentence(run(tmp_path))
    assert "DISCORD_TOKEN" in sentence(run(tmp_path, HEARTS_LOG_LEVEL="debug"))


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_warning_where_others_can_read_the_token(tmp_path: Path, mode: int) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=some.real.token\n")
    (tmp_path / ".env").chmod(mode)
    done = run(tmp_path, HEARTS_DATABASE=":memory:")  # it ends as soon as it has read its settings
    assert done.returncode == 2
    assert ("Others on this machine can read .env" in done.stderr) is (mode != 0o600)
    assert "some.real.token" not in done.stderr


@pytest.mark.parametrize(
    "content", [b"DISCORD_TOKEN=\xff\xfe\n", "DISCORD_TOKEN=some.real.token\n".encode("utf-16")]
)
def test_an_env_file_that_is_no_utf8_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".env").write_bytes(content)
    assert sentence(run(tmp_path)) == ".env is not UTF-8: save it as such."


def test_a_token_that_can_be_none_is_refused_and_not_repeated(tmp_path: Path) -> None:
    done = run(tmp_path, DISCORD_TOKEN="some.real\n.token")
    assert done.stderr == "DISCORD_TOKEN isn't a token: it has a line break, a space or a foreign letter.\n"
    assert (done.returncode, done.stdout) == (2, "")
    for token in ("some.real\r\nHost: elsewhere", "some real token", "tökén"):
        assert f"{refusal(DISCORD_TOKEN=token)}\n" == done.stderr


@pytest.mark.parametrize(
    ("setting", "values", "it_must_be"),
    [
        ("HEARTS_LOCAL_PORT", "many -1 65536 ٣٣٣ ² 8_0 080080", "a number from 0 to 65535."),
        ("HEARTS_CALLS_PER_SECOND", "0 some 45.5 10001", "a number from 1 to 10000."),
        ("HEARTS_LOG_FORMAT", "xml", "one of text, json."),
        (
            "HEARTS_METRICS",
            "many 0 65536 ٣٣٣ :9464 ::1:9464 [::1] [nobody]:9464 1.2.3:9464",
            "or an IP address and a port, such as 0.0.0.0:9464 or [::1]:9464.",
        ),
    ],
)
def test_a_value_that_a_setting_cannot_have_is_refused(setting: str, values: str, it_must_be: str) -> None:
    for value in (*values.split(), "8" * 5000):
        line = refusal(**{setting: value})
        assert line.startswith(f"{setting} is ")
        assert line.endswith(it_must_be)
        assert len(line) < 250


@pytest.mark.parametrize("mode", [(), ("--local",)])
def test_a_port_for_metrics_that_is_taken_is_named_before_anything_is_done(
    tmp_path: Path, mode: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run(tmp_path, *mode, DISCORD_TOKEN="no.real.token", HEARTS_METRICS=str(port))
    line = f"HEARTS_METRICS is 127.0.0.1:{port}, which can't be used: address already in use."
    assert sentence(done) == line
    assert list(tmp_path.iterdir()) == []


def test_with_standard_error_closed_it_ends_with_the_same_status(tmp_path: Path) -> None:
    shell = ("sh", "-c", 'exec "$@" 2>&-', "sh", *BOT)
    done = run(tmp_path, command=shell)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")
