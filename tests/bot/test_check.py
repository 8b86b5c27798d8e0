"""`python -m bot check` and a simulated Discord at real sockets: as it should be, and as it should not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import discord
import pytest
import tricks
from openapi import Description, faults
from server import Server, Sketches
from tricks import CALLBACK, MESSAGE, MESSAGES, Trick, refuse
from wire import TOKEN, Wire

from bot import check
from bot.check import account
from bot.check.report import Finding, Verdict
from bot.config import Settings
from bot.discord.permissions import NEEDED, account_link, invitation
from bot.vocabulary.messages import CHECK

pytestmark = pytest.mark.slow

OK, NOTE, FAILED, UNTRIED = Verdict.OK, Verdict.NOTE, Verdict.FAILED, Verdict.UNTRIED
IN_CHANNEL = ("Channel", "Connection", "Permissions", "Messages", "Click")


@pytest.fixture
async def wire(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    """A Discord that does as simcord does."""
    wire = await Wire().open()
    monkeypatch.setattr(discord.http.Route, "BASE", wire.base)
    yield wire
    await wire.close()


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
        *, token: str | None = TOKEN, channel: int | None = wire.channel, wait: float = 0
    ) -> Checked:
        checked = Checked()
        settings = Settings.read(
            {"DISCORD_TOKEN": token, "HEARTS_DATABASE": str(tmp_path / "hearts.sqlite3")}
        )
        await check.check(checked.report, settings, channel, wait, Sketches())
        checked.report.end()
        return checked

    return run_check


async def clicked(run: RunCheck, wire: Wire) -> Checked:
    """A check in which whoever runs the bot clicks."""
    checked, _ = await asyncio.gather(run(wait=10), wire.press("Press me"))
    return checked


async def asked(wire: Wire) -> None:
    """Wait until the check asks for a click, below the picture."""
    await wire.until(lambda: len(wire.messages()) == 2 or None)


def is_tidy(wire: Wire) -> bool:
    """Whether nothing is left of a check."""
    return not any(wire.backend.messages.values())


# As it should be


async def test_it_passes_where_all_is_as_it_should_be(
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
    told = checked.text + checked.report.as_json()
    assert not any(secret in told for secret in (TOKEN, *wire.backend.interaction_tokens))
    assert faults(wire.requests, description) == []


async def test_machines_read_the_same_as_json(run: RunCheck, wire: Wire) -> None:
    checked = await run()
    told = json.loads(checked.report.as_json())
    assert told["ready"] is True
    assert invitation(wire.backend.application_id) in told["links"].values()
    assert [one["title"] for one in told["results"]] == [one.title for one in checked.report.results]
    assert {one["outcome"] for one in told["results"]} <= {"ok", "note", "not tried"}


async def test_without_a_channel_nothing_is_sent(run: RunCheck, wire: Wire) -> None:
    checked = await run(channel=None)
    assert checked.failed == {}
    assert {call.method for call in wire.calls} == {"GET"}
    assert not wire.sockets
    assert "THE CHANNEL" not in checked.text
    assert invitation(wire.backend.application_id) in checked.text


# People


async def test_without_a_click_it_says_that_none_arrived(run: RunCheck, wire: Wire) -> None:
    checked = await run(wait=0.3)
    assert checked["Click"].outcome is UNTRIED
    assert "No click arrived within 0 s." in " ".join(checked.text.split())
    assert checked.failed == {}
    assert is_tidy(wire)


async def test_only_whoever_runs_the_bot_can_answer(run: RunCheck, wire: Wire) -> None:
    checked, _ = await asyncio.gather(run(wait=1.5), wire.press("Press me", wire.other))
    assert checked["Click"].outcome is UNTRIED
    [told] = [call.message for call in wire.calls if call.matches("POST", CALLBACK)]
    assert "Only the bot's owner" in json.dumps(told)


async def test_a_bot_that_runs_meanwhile_leaves_the_buttons_alone(server: Server) -> None:
    await server.seat()
    answer = server.people[0].forge(f"{CHECK}1234:press", server.posts()[-1])
    await server.settle()
    assert not answer.result.acknowledged


async def test_when_it_is_stopped_it_tidies_up(run: RunCheck, wire: Wire) -> None:
    checking = asyncio.ensure_future(run(wait=20))
    await asked(wire)
    checking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await checking
    assert is_tidy(wire)


async def test_what_is_on_its_way_when_it_is_stopped_goes_too(run: RunCheck, wire: Wire) -> None:
    wire.pause = lambda call: 0.5 if call.matches("POST", MESSAGES) else 0.0
    checking = asyncio.ensure_future(run())
    await wire.until(lambda: any(call.matches("POST", MESSAGES) for call in wire.calls) or None)
    checking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await checking
    assert is_tidy(wire)


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
    title = "Channel" if permission == "view_channel" else "Permissions"
    assert title in checked.failed
    assert {*checked.failed} == {title}
    if title == "Channel":
        assert "View Channels is missing" in checked.failed[title]
    else:
        assert checked.failed[title] == f"Missing: {NEEDED[permission]}."
    assert is_tidy(wire)


#: In what way it misbehaves, which probe says so, how that ends, and in what words.
TRICKS: dict[str, tuple[Trick, str, Verdict, str]] = {
    "messages are refused": (refuse("POST", MESSAGES, 403, 50013), "Messages", FAILED, "permission"),
    "messages take no more edits": (refuse("PATCH", MESSAGE, 429, 30046), "Messages", FAILED, "30046"),
    "the bot was started too often": (tricks.no_starts_left, "Starts", FAILED, "can't start again"),
    "clicks go elsewhere": (
        tricks.tell_of_application(interactions_endpoint_url="https://example.com"),
        "Application",
        FAILED,
        "Interactions Endpoint URL",
    ),
    "invitations need a code": (
        tricks.tell_of_application(bot_require_code_grant=True),
        "Application",
        FAILED,
        "OAuth2 Code Grant",
    ),
    "only servers can have it": (
        tricks.tell_of_application(integration_types_config={"0": {}}),
        "Application",
        OK,
        "“User Install” under Installation lets people play anywhere",
    ),
    "only people can have it": (
        tricks.tell_of_application(integration_types_config={"1": {}}),
        "Application",
        NOTE,
        "“Guild Install”",
    ),
    "this machine's clock is wrong": (
        tricks.with_header("Date", format_datetime(datetime.now(UTC) - timedelta(minutes=10), usegmt=True)),
        "Clock",
        FAILED,
        "ahead: deadlines",
    ),
    # What needs a click
    "a click is answered too late": (
        refuse("POST", CALLBACK, 404, 10062, when=tricks.answers(tricks.UPDATE)),
        "Click",
        FAILED,
        "too late",
    ),
    "another program answers": (
        refuse("POST", CALLBACK, 400, 40060, when=tricks.answers(tricks.UPDATE)),
        "Click",
        FAILED,
        "another program",
    ),
}


@pytest.mark.parametrize("way", TRICKS)
async def test_it_says_in_which_way_discord_misbehaves(run: RunCheck, wire: Wire, way: str) -> None:
    trick, title, outcome, words = TRICKS[way]
    trick(wire)
    checked = await (clicked(run, wire) if title == "Click" else run())
    assert checked[title].outcome is outcome
    assert words in checked[title].found
    if outcome is FAILED:
        assert title in checked.text.splitlines()[-1]
    else:
        assert checked.failed == {}
    assert is_tidy(wire)


async def test_an_answer_that_is_lost_leaves_nothing_behind(run: RunCheck, wire: Wire) -> None:
    tricks.lose_answer("PATCH", MESSAGE)(wire)
    checked = await run()
    assert checked.failed["Messages"].startswith("No answer")
    assert is_tidy(wire)


# Before there is anything to try


async def test_a_token_that_discord_does_not_know_is_named(run: RunCheck) -> None:
    checked = await run(token="some.other.token")
    assert [*checked.failed] == ["Token"]
    assert {checked[title].outcome for title in IN_CHANNEL} == {UNTRIED}


async def test_a_channel_that_is_none_is_named(run: RunCheck) -> None:
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


async def test_it_tells_how_to_add_the_app_to_an_account(run: RunCheck, wire: Wire) -> None:
    application = wire.backend.application_id
    assert account_link(application) not in (await run(channel=None)).text  # Discord doesn't say
    tricks.tell_of_application(integration_types_config={"0": {}, "1": {}})(wire)
    checked = await run(channel=None)
    assert "User Install" not in checked["Application"].found
    for address in (account_link(application), invitation(application, threads=True)):
        assert address in checked.text


async def test_a_bot_in_no_server_is_told_its_invitation(run: RunCheck, wire: Wire) -> None:
    wire.backend.guilds.clear()
    checked = await run(channel=None)
    assert "none yet: invite it" in checked["Servers"].found
    assert checked.failed == {}
