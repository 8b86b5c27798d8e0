"""`python -m bot check` and a simulated Discord at real sockets: as it should be, and as it should not."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import discord
import pytest
import tricks
from openapi import Description, faults
from server import Server, Sketches
from tricks import CALLBACK, MESSAGE, MESSAGES, ORIGINAL, Trick, refuse
from wire import TOKEN, Wire

from bot import check
from bot.check.results import Outcome, Result
from bot.config import Settings
from bot.discord.permissions import NEEDED, account_link, invitation
from bot.vocabulary.messages import CHECK

pytestmark = pytest.mark.slow

OK, NOTE, FAILED, UNTRIED = Outcome.OK, Outcome.NOTE, Outcome.FAILED, Outcome.UNTRIED
CLICKS = ("card", "update", "form", "sent", "private", "later", "dm")
#: What the simulation is kinder in than the real Discord, by what others report.
KINDER = {"deleted", "large", "update"}


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
        self.printer = check.TextReport(self.lines.append)
        self.report = check.Report(tell=self.printer)

    def __getitem__(self, key: str) -> Result:
        [found] = [one for one in self.report.results if one.key == key]
        return found

    @property
    def failed(self) -> dict[str, str]:
        """What came in place of what was expected, by the probes' keys."""
        return {one.key: one.found for one in self.report.failed}

    @property
    def noted(self) -> dict[str, str]:
        """The same of what the bot copes with."""
        return {one.key: one.found for one in self.report.results if one.outcome is NOTE}

    @property
    def text(self) -> str:
        """All that was printed."""
        return "\n".join(self.lines)


RunCheck = Callable[..., Awaitable[Checked]]


@pytest.fixture
def run(wire: Wire, tmp_path: Path) -> RunCheck:
    """Runs the check in the channel: `await run(wait=5)`."""

    async def run_check(
        *, token: str | None = TOKEN, channel: int | None = wire.channel, wait: float = 0
    ) -> Checked:
        checked = Checked()
        settings = Settings.read(
            {"DISCORD_TOKEN": token, "HEARTS_DATABASE": str(tmp_path / "hearts.sqlite3")}
        )
        waits = check.Waits(wait, later=0.3, servers=0.05)
        await check.check(checked.report, settings, channel, waits, checked.lines.append, Sketches())
        checked.printer.end(checked.report)
        return checked

    return run_check


async def click_all(wire: Wire, dm: str = "Send me a test DM") -> None:
    """Whoever runs the bot does what they are asked for."""
    await wire.press("Open a form")
    await wire.fill_in("Hearts")
    await wire.press("hearts_check")  # the queen, which is an emoji here
    await wire.press("Answer me privately")
    await wire.press(dm)


async def clicked(run: RunCheck, wire: Wire, dm: str = "Send me a test DM") -> Checked:
    """A check with all clicks."""
    checked, _ = await asyncio.gather(run(wait=10), click_all(wire, dm))
    return checked


def is_tidy(wire: Wire) -> bool:
    """Whether nothing is left of a check."""
    backend = wire.backend
    return not any(
        (
            *(messages for messages in backend.messages.values()),
            *backend.application_emojis,
            *backend.get_guild(wire.guild.id).thread_ids,
        )
    )


# As it should be


async def test_it_passes_where_all_is_as_expected(
    run: RunCheck, wire: Wire, description: Description | None
) -> None:
    checked = await clicked(run, wire)
    assert checked.failed == {}
    assert {key for key, found in checked.noted.items() if "kinder than reported" in found} == KINDER
    assert {*checked.noted} == KINDER
    assert [one.key for one in checked.report.results if one.outcome is UNTRIED] == []
    assert {*CLICKS} < {one.key for one in checked.report.results}
    assert is_tidy(wire)
    assert checked.report.left_behind == []
    assert "\nReady." in checked.text
    found = faults(wire.requests, description)
    assert all(("components: " in fault and "bytes" in fault) or "attachments: " in fault for fault in found)
    assert len(found) == 2, found  # what it tries on purpose


async def test_each_result_names_the_requests_that_were_made_for_it(run: RunCheck, wire: Wire) -> None:
    checked = await run()
    requests = {one.number: one for one in checked.report.recorder.requests}
    board = [requests[number] for number in checked["board"].requests]
    assert [one.kind for one in board] == [
        "POST /channels/{}/messages",
        *["PATCH /channels/{}/messages/{}"] * 10,
    ]
    assert all(re.fullmatch("cf-ray [0-9a-f]{16}-TST", one.id) for one in board)
    assert f"[#{board[0].number} to #{board[-1].number}]" in checked.text
    assert f"#{board[0].number:<3} POST /channels/{{}}/messages, 200" in checked.text
    assert board[0].id in checked.text


async def test_no_line_is_wider_than_100_columns(run: RunCheck, wire: Wire) -> None:
    checked = await clicked(run, wire)
    lines = checked.text.splitlines()
    assert max(len(line) for line in lines if "http" not in line) <= 100


async def test_machines_read_the_same_as_json(run: RunCheck, wire: Wire) -> None:
    checked = await run()
    told = json.loads(check.as_json(checked.report))
    assert told["ready"] is True
    assert told["invitation"] == invitation(wire.backend.application_id)
    assert [one["key"] for one in told["results"]] == [one.key for one in checked.report.results]
    [stays] = [one for one in told["results"] if one["key"] == "stays"]
    assert stays["outcome"] == "ok"
    [edit] = [one for one in told["requests"] if one["number"] == stays["requests"][1]]
    assert (edit["method"], edit["status"], edit["limit"]) == ("PATCH", 200, 5)
    assert re.fullmatch(r"/channels/\d+/messages/\d+", edit["route"])


async def test_nothing_that_it_tells_holds_a_secret(run: RunCheck, wire: Wire) -> None:
    checked = await clicked(run, wire)
    told = checked.text + check.as_json(checked.report)
    assert TOKEN not in told
    assert not any(token in told for token in wire.backend.interaction_tokens)


async def test_without_a_channel_nothing_is_sent(run: RunCheck, wire: Wire) -> None:
    checked = await run(channel=None)
    assert checked.failed == {}
    assert {call.method for call in wire.calls} == {"GET"}
    assert not wire.sockets
    assert "THE CHANNEL" not in checked.text
    assert invitation(wire.backend.application_id) in checked.text


# People


async def test_a_dm_comes_to_nobody_who_did_not_ask_for_it(run: RunCheck, wire: Wire) -> None:
    checked = await clicked(run, wire, dm="No DM")
    assert (checked["dm"].outcome, checked["dm"].found) == (UNTRIED, "You chose none.")
    assert not any(call.path == "/users/@me/channels" for call in wire.calls)


async def test_without_clicks_it_says_that_they_were_not_tried(run: RunCheck, wire: Wire) -> None:
    checked = await run(wait=0.3)
    assert {checked[key].outcome for key in CLICKS} == {UNTRIED}
    assert "No click arrived within 0 s." in " ".join(checked.text.split())
    assert checked.failed == {}
    assert is_tidy(wire)


async def test_a_form_that_is_not_sent_is_told(run: RunCheck, wire: Wire) -> None:
    checked, _ = await asyncio.gather(run(wait=2), wire.press("Open a form"))
    assert checked["form"].outcome is OK
    assert checked["sent"].found == "The form wasn't submitted."


async def test_only_whoever_runs_the_bot_can_answer(run: RunCheck, wire: Wire) -> None:
    checked, _ = await asyncio.gather(run(wait=1.5), wire.press("Send me a test DM", wire.other))
    assert checked["dm"].outcome is UNTRIED
    [told] = [call.message for call in wire.calls if call.matches("POST", CALLBACK)]
    assert "Only the bot's owner" in json.dumps(told)


async def test_a_bot_that_runs_meanwhile_leaves_the_buttons_alone(server: Server) -> None:
    await server.seat()
    answer = server.people[0].forge(f"{CHECK}1234:card", server.posts()[-1])
    await server.settle()
    assert not answer.result.acknowledged


async def test_when_it_is_stopped_it_tidies_up(run: RunCheck, wire: Wire) -> None:
    checking = asyncio.ensure_future(run(wait=20))
    await wire.press("Open a form")
    assert not is_tidy(wire)
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


async def test_emojis_of_a_killed_check_go_and_the_bots_own_stay(run: RunCheck, wire: Wire) -> None:
    wire.backend.create_application_emoji("hearts_check_0123")
    wire.backend.create_application_emoji("queen_of_spades")
    await run()
    assert [one.name for one in wire.backend.application_emojis.values()] == ["queen_of_spades"]


async def test_what_cannot_be_removed_is_named(run: RunCheck, wire: Wire) -> None:
    refuse("DELETE", r"/applications/\d+/emojis/\d+", 403, 50013)(wire)
    checked = await run()
    [left] = checked.report.left_behind
    assert left.startswith("emoji hearts_check_")
    assert "a permission is missing" in left
    assert left in checked.text
    assert checked["removed"].outcome is NOTE


# As it should not be


@pytest.mark.parametrize("permission", NEEDED)
async def test_each_missing_permission_is_named(run: RunCheck, wire: Wire, permission: str) -> None:
    wire.permit(**{permission: False})
    checked = await run()
    assert NEEDED[permission] in checked["servers"].found
    key = "channel" if permission == "view_channel" else "permissions"
    assert [*checked.failed] == [key]
    named = checked.failed[key].partition(": ")[2].rstrip(".")
    assert named.startswith(NEEDED[permission]) if key == "channel" else named == NEEDED[permission]
    assert is_tidy(wire)


#: In what way it misbehaves, which probe says so, how that ends, and in what words.
TRICKS: dict[str, tuple[Trick, str, Outcome, str]] = {
    "emojis are refused now and then": (
        refuse("POST", MESSAGES, 400, 50035, "Invalid emoji", times=2, when=tricks.has_emoji),
        "refusals",
        NOTE,
        "2 times in ",
    ),
    "an emoji is refused always": (
        refuse("POST", MESSAGES, 400, 50035, "Invalid emoji", when=tricks.has_emoji),
        "button",
        FAILED,
        "7128",
    ),
    "emojis are full": (
        refuse("POST", r"/applications/\d+/emojis", 400, 30008, "Maximum number of emojis reached"),
        "emoji",
        FAILED,
        "Maximum number of emojis",
    ),
    "large messages are an internal error": (
        refuse("POST", MESSAGES, 500, 0, when=lambda call: tricks.size(call) > 10_000),
        "large",
        OK,
        "status 500",
    ),
    "messages of 40 components are refused": (
        refuse("POST", MESSAGES, 400, 50035, when=lambda call: len(tricks.components(call)) == 40),
        "forty",
        FAILED,
        "50035",
    ),
    "a nonce outlives its message": (tricks.nonces_outlive_messages, "deleted", OK, "as expected"),
    "nonces are ignored": (tricks.nonces_are_ignored, "nonce", FAILED, "twice"),
    "edits take files away": (tricks.edits_take_files_away, "stays", FAILED, "took it away"),
    "an edit that keeps a file is refused": (
        refuse("PATCH", MESSAGE, 400, 50035, when=lambda call: "attachments" not in call.json),
        "stays",
        FAILED,
        "refused (error 50035)",
    ),
    "pictures are lost": (tricks.pictures_are_lost, "stays", FAILED, "404"),
    "files that are named go": (tricks.files_that_are_named_go, "replace", FAILED, "didn't keep"),
    "files are refused": (
        refuse("POST", MESSAGES, 413, 40005, when=lambda call: bool(call.files)),
        "board",
        FAILED,
        "0 pictures",
    ),
    "messages take no more edits": (
        refuse("PATCH", MESSAGE, 429, 30046),
        "board",
        FAILED,
        "30046",
    ),
    "threads are archived": (tricks.threads_are_closed(50083), "thread", FAILED, "archived"),
    "threads are locked": (tricks.threads_are_closed(160005), "thread", FAILED, "locked"),
    "mentions name nobody": (
        tricks.change("POST", MESSAGES, lambda answer: {**answer, "mentions": []}),
        "mention",
        FAILED,
        "nobody",
    ),
    "mentions name everybody": (
        tricks.change("POST", MESSAGES, lambda answer: {**answer, "mention_everyone": True}),
        "mention",
        FAILED,
        "others too",
    ),
    "what is deleted is still there": (tricks.nothing_is_deleted, "mention", FAILED, "still there"),
    "a limit is hit": (
        refuse("PATCH", MESSAGE, 429, 0, times=2),
        "limits",
        NOTE,
        "messages/{} (user)",
    ),
    "limits are not told": (tricks.without_headers, "limits", NOTE, "had none"),
    "the bot was started too often": (tricks.no_starts_left, "gateway", FAILED, "can't start again"),
    "clicks go elsewhere": (
        tricks.tell_of_application(interactions_endpoint_url="https://example.com"),
        "application",
        FAILED,
        "Interactions Endpoint URL",
    ),
    "invitations need a code": (
        tricks.tell_of_application(bot_require_code_grant=True),
        "application",
        FAILED,
        "OAuth2 Code Grant",
    ),
    "only servers can have it": (
        tricks.tell_of_application(integration_types_config={"0": {}}),
        "installs",
        OK,
        "“User Install” under Installation lets people play anywhere",
    ),
    "only people can have it": (
        tricks.tell_of_application(integration_types_config={"1": {}}),
        "installs",
        NOTE,
        "“Guild Install”",
    ),
    "privileged intents are on": (
        tricks.tell_of_application(flags=1 << 19),
        "intents",
        OK,
        "not used: Message Content",
    ),
    "this machine's clock is wrong": (
        tricks.with_header("Date", format_datetime(datetime.now(UTC) - timedelta(minutes=10), usegmt=True)),
        "clock",
        FAILED,
        "ahead: deadlines",
    ),
    # What needs clicks
    "updates take files away": (tricks.updates_take_files_away, "update", OK, "as expected"),
    "dms are closed": (
        refuse("POST", MESSAGES, 403, 50007, when=lambda call: "A DM." in json.dumps(call.message)),
        "dm",
        FAILED,
        "your DMs are closed to the bot",
    ),
    "dms are opened too fast": (refuse("POST", "/users/@me/channels", 403, 40003), "dm", FAILED, "too fast"),
    "a click is answered too late": (
        refuse("POST", CALLBACK, 404, 10062, when=tricks.answers(tricks.UPDATE)),
        "card",
        FAILED,
        "too late",
    ),
    "another program answers": (
        refuse("POST", CALLBACK, 400, 40060, when=tricks.answers(tricks.UPDATE)),
        "card",
        FAILED,
        "another program",
    ),
    "the picture goes under an answer": (
        tricks.change("PATCH", ORIGINAL, tricks.without_pictures),
        "sent",
        FAILED,
        "didn't stay",
    ),
    "everybody sees a private answer": (
        tricks.change("POST", CALLBACK, tricks.not_private),
        "private",
        FAILED,
        "Everyone sees it",
    ),
    "a token ends early": (
        refuse("PATCH", ORIGINAL, 404, 10015, when=lambda call: "says later" in json.dumps(call.json)),
        "later",
        FAILED,
        "token has expired",
    ),
}


@pytest.mark.parametrize("way", TRICKS)
async def test_it_says_in_which_way_discord_misbehaves(run: RunCheck, wire: Wire, way: str) -> None:
    trick, key, outcome, words = TRICKS[way]
    trick(wire)
    checked = await (clicked(run, wire) if key in CLICKS else run())
    assert checked[key].outcome is outcome
    assert words in checked[key].found
    if outcome is FAILED:
        assert key in checked.failed
        assert checked[key].title in checked.text.splitlines()[-1]
    else:
        assert checked.failed == {}


async def test_an_answer_that_is_lost_leaves_nothing_behind(run: RunCheck, wire: Wire) -> None:
    tricks.lose_answer("POST", MESSAGES)(wire)
    checked = await run()
    assert checked.failed == {}
    assert "1 of " in checked.noted["answers"]
    assert is_tidy(wire)


async def test_an_edit_without_an_answer_is_named(run: RunCheck, wire: Wire) -> None:
    tricks.lose_answer("PATCH", MESSAGE)(wire)
    checked = await run()
    assert checked.failed["board"].startswith("No answer")
    assert is_tidy(wire)


async def test_a_form_that_does_not_open_is_named(run: RunCheck, wire: Wire) -> None:
    refuse("POST", CALLBACK, 400, 50035, when=tricks.answers(tricks.FORM))(wire)
    checked, _ = await asyncio.gather(run(wait=1.5), wire.press("Open a form"))
    assert [*checked.failed] == ["form"]
    assert checked["sent"].found == "The form didn't open."


# Before there is anything to try


async def test_a_token_that_discord_does_not_know_is_named(run: RunCheck) -> None:
    checked = await run(token="some.other.token")
    assert [*checked.failed] == ["login"]
    assert {checked[key].outcome for key in ("servers", "board", *CLICKS)} == {UNTRIED}


async def test_a_channel_that_is_none_is_named(run: RunCheck) -> None:
    checked = await run(channel=10**18)
    assert "no such channel" in checked.failed["channel"]
    assert {checked[key].outcome for key in ("board", *CLICKS)} == {UNTRIED}


async def test_it_tells_how_to_add_the_app_to_an_account(run: RunCheck, wire: Wire) -> None:
    application = wire.backend.application_id
    assert account_link(application) not in (await run(channel=None)).text  # Discord doesn't say
    tricks.tell_of_application(integration_types_config={"0": {}, "1": {}})(wire)
    checked = await run(channel=None)
    assert checked["installs"].found == "to servers and to people's accounts"
    told = json.loads(check.as_json(checked.report))
    for address in (account_link(application), invitation(application, threads=True)):
        assert address in checked.text
        assert address in told.values()


async def test_a_bot_in_no_server_is_told_its_invitation(run: RunCheck, wire: Wire) -> None:
    wire.backend.guilds.clear()
    checked = await run(channel=None)
    assert "none yet: invite it" in checked["servers"].found
    assert checked.failed == {}
