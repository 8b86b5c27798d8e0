"""`python -m bot check` and a simulated Discord at real sockets: as it should be, and as it should not.

Most tests run the check itself; those at the end start the command, as whoever runs a bot does.
"""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from openapi import Description, faults
from server import Server, Sketches
from wire import (
    CALLBACK,
    MESSAGE,
    MESSAGES,
    Call,
    Trick,
    Wire,
    lose_answer,
    no_starts_left,
    refuse,
    start,
    tell_of_application,
    with_header,
)

from bot import check
from bot.check import account
from bot.check.report import Finding, Verdict
from bot.config import Settings
from bot.discord.permissions import NEEDED, account_link, invitation
from bot.vocabulary.messages import CHECK
from engine.storage.database import Database
from engine.thinking.answers import warm_up
from tests.operations import TOKEN

pytestmark = pytest.mark.slow

OK, NOTE, FAILED, UNTRIED = Verdict.OK, Verdict.NOTE, Verdict.FAILED, Verdict.UNTRIED
IN_CHANNEL = ("Channel", "Connection", "Permissions", "Messages", "Click")


class Checked:
    """One run of the check, and what whoever ran it has read."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.report = check.Report(self.lines.append)

    def __getitem__(self, title: str) -> Finding:
        [found] = [one for one in self.report.results if one.title == title]
        return found

    @property
    def failed(self) -> dict[str, str]:
        """What is wrong, by the probes' titles."""
        return {one.title: one.found for one in self.report.failed}

    @property
    def text(self) -> str:
        """All that was printed."""
        return "\n".join(self.lines)


RunCheck = Callable[..., Awaitable[Checked]]


@pytest.fixture
def run(wire: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunCheck:
    """Runs the check in the channel: `await run(wait=5)`."""
    monkeypatch.setattr(account, "LAST_SERVER", 0.05)

    async def run_check(
        *, token: str = TOKEN, channel: int | None = wire.channel, wait: float = 0
    ) -> Checked:
        checked = Checked()
        database = str(tmp_path / "hearts.sqlite3")
        settings = Settings.read({"DISCORD_TOKEN": token, "HEARTS_DATABASE": database})
        await check.check(checked.report, settings, channel, wait, Sketches())
        checked.report.end()
        return checked

    return run_check


async def clicked(run: RunCheck, wire: Wire) -> Checked:
    """A check in which whoever runs the bot clicks."""
    checked, _ = await asyncio.gather(run(wait=10), wire.press("Press me"))
    return checked


def is_tidy(wire: Wire) -> bool:
    """Whether nothing is left of a check."""
    return not any(wire.backend.messages.values())


# As it should be


async def test_it_passes_where_all_is_well(
    run: RunCheck, wire: Wire, description: Description | None
) -> None:
    checked = await clicked(run, wire)
    assert checked.failed == {}
    assert [one.title for one in checked.report.results if one.outcome is UNTRIED] == []
    assert {*IN_CHANNEL} < {one.title for one in checked.report.results}
    assert is_tidy(wire)
    assert checked.report.left_behind == []
    posted, edited = [call for call in wire.calls if call.files]
    assert posted.matches("POST", MESSAGES)
    assert edited.matches("PATCH", MESSAGE)
    assert "\nReady." in checked.text
    assert max(len(line) for line in checked.text.splitlines() if "http" not in line) <= 100
    text = checked.report.as_json()
    assert not any(secret in checked.text + text for secret in (TOKEN, *wire.backend.interaction_tokens))
    assert faults(wire.requests, description) == []
    told = json.loads(text)
    assert told["ready"] is True
    assert invitation(wire.backend.application_id) in told["links"].values()
    assert [one["title"] for one in told["results"]] == [one.title for one in checked.report.results]
    assert {one["outcome"] for one in told["results"]} <= {"ok", "note"}


async def test_without_a_channel_nothing_is_sent_and_all_links_are_told(run: RunCheck, wire: Wire) -> None:
    application = wire.backend.application_id
    checked = await run(channel=None)
    assert checked.failed == {}
    assert {call.method for call in wire.calls} == {"GET"}
    assert not wire.connected
    assert "THE CHANNEL" not in checked.text
    assert account_link(application) not in checked.text  # Discord doesn't say
    tell_of_application(integration_types_config={"0": {}, "1": {}})(wire)
    wire.backend.guilds.clear()
    checked = await run(channel=None)
    assert "User Install" not in checked["Application"].found
    for address in (account_link(application), invitation(application, threads=True)):
        assert address in checked.text
    assert "none yet: invite it" in checked["Servers"].found
    assert checked.failed == {}


# People


async def test_only_whoever_runs_the_bot_can_answer(run: RunCheck, wire: Wire) -> None:
    checked, _ = await asyncio.gather(run(wait=1.5), wire.press("Press me", wire.other))
    assert checked["Click"].outcome is UNTRIED
    assert "No click arrived within 2 s." in " ".join(checked.text.split())
    assert checked.failed == {}
    [told] = [call.message for call in wire.calls if call.matches("POST", CALLBACK)]
    assert "Only the bot's owner" in json.dumps(told)


async def test_a_bot_that_runs_meanwhile_leaves_the_buttons_alone(server: Server) -> None:
    await server.seat()
    answer = server.people[0].forge(f"{CHECK}1234:press", server.posts()[-1])
    await server.settle()
    assert not answer.result.acknowledged


async def test_what_cannot_be_removed_is_named(run: RunCheck, wire: Wire) -> None:
    refuse("DELETE", ".*", 403, 50013)(wire)
    checked = await clicked(run, wire)
    assert len(checked.report.left_behind) == 3  # the picture, the question, and the private answer
    for left in checked.report.left_behind:
        assert left.startswith("message ")
        assert "a permission is missing" in left
        assert left in checked.text
    assert checked["Cleaned up"].outcome is NOTE


# As it should not be


@pytest.mark.parametrize("permission", NEEDED)
async def test_each_missing_permission_is_named(run: RunCheck, wire: Wire, permission: str) -> None:
    wire.permit(**{permission: False})
    checked = await run()
    assert NEEDED[permission] in checked["Servers"].found
    if permission == "view_channel":
        assert [*checked.failed] == ["Channel"]
        assert "View Channels is missing" in checked.failed["Channel"]
    else:
        assert checked.failed == {"Permissions": f"Missing: {NEEDED[permission]}."}
    assert is_tidy(wire)


TEN_MINUTES_AGO = format_datetime(datetime.now(UTC) - timedelta(minutes=10), usegmt=True)


def updates(call: Call) -> bool:
    """Whether a click is answered with a change of its message."""
    return bool(call.json["type"] == 7)


@pytest.mark.parametrize(
    ("title", "outcome", "words", "trick"),
    [
        ("Messages", FAILED, "permission", refuse("POST", MESSAGES, 403, 50013)),
        ("Messages", FAILED, "30046", refuse("PATCH", MESSAGE, 429, 30046)),  # too many edits
        ("Messages", FAILED, "No answer", lose_answer("PATCH", MESSAGE)),
        ("Starts", FAILED, "can't start again", no_starts_left),
        ("Application", FAILED, "Endpoint URL", tell_of_application(interactions_endpoint_url="http://a.b")),
        ("Application", FAILED, "OAuth2 Code Grant", tell_of_application(bot_require_code_grant=True)),
        ("Application", OK, "“User Install” under", tell_of_application(integration_types_config={"0": {}})),
        ("Application", NOTE, "“Guild Install”", tell_of_application(integration_types_config={"1": {}})),
        ("Clock", FAILED, "ahead: deadlines", with_header("Date", TEN_MINUTES_AGO)),
        ("Click", FAILED, "too late", refuse("POST", CALLBACK, 404, 10062, when=updates)),
        ("Click", FAILED, "another program", refuse("POST", CALLBACK, 400, 40060, when=updates)),
    ],
)
async def test_it_says_in_which_way_discord_misbehaves(
    run: RunCheck, wire: Wire, title: str, outcome: Verdict, words: str, trick: Trick
) -> None:
    trick(wire)
    checked = await (clicked(run, wire) if title == "Click" else run())
    assert checked[title].outcome is outcome
    assert words in checked[title].found
    if outcome is FAILED:
        assert title in checked.text.splitlines()[-1]
    else:
        assert checked.failed == {}
    assert is_tidy(wire)


async def test_a_token_or_channel_that_discord_does_not_know_is_named(run: RunCheck) -> None:
    checked = await run(token="some.other.token")
    assert [*checked.failed] == ["Token"]
    assert {checked[title].outcome for title in IN_CHANNEL} == {UNTRIED}
    assert "Reset Token" in checked.text
    assert checked.text.splitlines()[-1] == "Not ready: Token."
    checked = await run(channel=10**18)
    assert "no such channel" in checked.failed["Channel"]
    assert {checked[title].outcome for title in IN_CHANNEL[1:]} == {UNTRIED}


async def test_a_thread_is_a_channel_too(run: RunCheck, wire: Wire) -> None:
    thread = wire.backend.create_thread(wire.channel, "Table", wire.owner, broadcast=False)
    checked = await run(channel=thread.id)
    assert (checked["Channel"].found, checked.failed) == ("#Table", {})
    assert is_tidy(wire)
    assert thread.thread_metadata
    thread.thread_metadata.locked = True
    wire.permit(manage_threads=False)
    assert (await run(channel=thread.id)).failed == {"Permissions": "The thread is locked."}
    thread.thread_metadata.archived = True
    assert "archived" in (await run(channel=thread.id)).failed["Permissions"]


# The command, in a process of its own

#: Where nobody answers.
NOWHERE = "http://127.0.0.1:9"


async def run_command(
    discord: str, folder: Path, *arguments: str, **settings: str
) -> tuple[int | None, str, str]:
    """Its exit status, and all that it says on each output."""
    process = await start(discord, folder, "check", *arguments, **settings)
    out, error = [text.decode() for text in await process.communicate()]
    assert TOKEN not in out + error
    assert "Traceback" not in error
    return process.returncode, out, error


def row(text: str, outcome: str, title: str) -> str:
    """What the report says in the line of this title, which has to end so."""
    lines = text.replace("\n" + " " * 11, " ").splitlines()
    return next(line for line in lines if line.startswith(f"{outcome:9}  {title}:"))


async def test_a_bot_that_is_ready_ends_with_status_0(wire: Wire, tmp_path: Path) -> None:
    status, out, error = await run_command(wire.url, tmp_path, "--json")
    assert status == 0
    assert json.loads(out)["ready"] is True
    assert "Ready." in error
    assert os.listdir(tmp_path) == []
    tried = ("--channel", str(wire.channel), "--wait", "0", "--json", "report.json")
    status, out, error = await run_command(wire.url, tmp_path, *tried)
    assert (status, error) == (0, "")
    assert out.splitlines()[-1].startswith("Ready.")  # a busy machine draws slowly, which is noted
    results = json.loads((tmp_path / "report.json").read_text())["results"]
    outcomes = {one["title"]: one["outcome"] for one in results}
    assert (outcomes["Messages"], outcomes["Click"]) == ("ok", "not tried")
    row(out, "ok", "Messages")
    assert is_tidy(wire)


async def test_control_c_tidies_up_and_so_goes_what_is_on_its_way(wire: Wire, tmp_path: Path) -> None:
    wire.pause = lambda call: 0.5 if call.matches("POST", MESSAGES) else 0.0
    process = await start(wire.url, tmp_path, "check", "--channel", str(wire.channel))
    await wire.until(lambda: len(wire.messages()) == 2 or None)  # a picture, and a question on its way back
    process.send_signal(signal.SIGINT)
    out, error = await process.communicate()
    assert process.returncode == 1
    assert error == b""
    assert out.decode().splitlines()[-1] == "The check was interrupted."
    row(out.decode(), "ok", "Cleaned up")
    assert is_tidy(wire)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
async def test_an_output_that_is_full_does_not_keep_it_from_tidying_up(wire: Wire, tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:  # noqa: ASYNC230
        process = await start(
            wire.url, tmp_path, "check", "--channel", str(wire.channel), "--wait", "0", out=full
        )
    _, error = await process.communicate()
    assert process.returncode == 1
    assert error.decode() == "Cannot write: No space left on device.\n"
    assert any(call.matches("POST", MESSAGES) for call in wire.calls)
    assert is_tidy(wire)


async def test_without_a_token_or_a_place_for_the_report(wire: Wire, tmp_path: Path) -> None:
    report = str(tmp_path / "none" / "report.json")
    status, out, error = await run_command(wire.url, tmp_path, "--json", report, DISCORD_TOKEN="")
    assert status == 1
    assert error.startswith("Cannot write")
    assert ".env" in out
    row(out, "FAILED", "Token")
    row(out, "ok", "Way to Discord")
    row(out, "ok", "Database")
    assert out.splitlines()[-1] == "Not ready: Token."


async def test_without_a_network_and_with_a_file_that_is_no_database(path: Path) -> None:
    await asyncio.to_thread(path.write_text, "a shopping list, and no database at all\n" * 100)
    status, out, _ = await run_command(
        NOWHERE, path.parent, "--channel", "1234567890123456789", NUMBA_CACHE_DIR=str(path.parent)
    )
    assert status == 1
    row(out, "FAILED", "Way to Discord")
    assert "it is no database" in row(out, "FAILED", "Database")
    assert "not there yet" in row(out, "ok", "Compiled code")
    assert out.splitlines()[-1] == "Not ready: Database, Way to Discord."


async def test_a_database_that_a_bot_uses_is_left_to_it(database: Database, path: Path) -> None:
    warm_up()
    _, out, _ = await run_command(NOWHERE, path.parent)
    assert "in use by a running bot" in row(out, "ok", "Database")
    assert "it's in" in row(out, "ok", "Compiled code")
    await database.execute("PRAGMA user_version")


@pytest.mark.parametrize("channel", ["general", "7"])
async def test_what_can_be_no_channel_is_refused(tmp_path: Path, channel: str) -> None:
    status, out, error = await run_command(NOWHERE, tmp_path, "--channel", channel)
    assert (status, out) == (2, "")
    assert f"{channel!r} isn't an ID of Discord" in error
