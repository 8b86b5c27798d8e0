"""Probes, the report of what each found, and what Discord's refusals mean to an operator."""

from __future__ import annotations

import asyncio
import json
import logging
import textwrap
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import TypeVar

import discord

from bot.discord.faults import NETWORK, TooFast
from bot.words.text import visible
from engine.languages import ENGLISH

log = logging.getLogger(__name__)
T = TypeVar("T")
#: Finds something out about a subject, in words, or raises Unexpected.
Probe = Callable[[T], Awaitable[str]]
#: The columns of the report.
WIDTH, OUTCOME = 100, 9

#: By Discord's error code.
WORDS = {
    10003: "Discord doesn't know that channel",
    10062: "the answer to the click came too late: Discord waits three seconds",
    40003: "DMs are being opened too fast. That's a limit on the bot and not a closed DM: try again later",
    40060: "the click was already answered. Is another program running with this token?",
    50001: "the bot can't see that channel",
    50007: "your DMs are closed to the bot, so hands would only come by My hand. "
    "The server's privacy settings let you allow DMs from its members",
    50013: "a permission is missing",
    50083: "the thread is archived",
    160005: "the thread is locked",
}


class Verdict(Enum):
    """How a probe ended; only a failure means that the bot isn't ready."""

    OK = "ok"
    NOTE = "note"  # not as it should be, but the bot copes
    FAILED = "FAILED"
    UNTRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    section: str
    title: str
    found: str
    outcome: Verdict


class Unexpected(Exception):
    """What was found isn't as it should be: a sentence that says what to do."""

    outcome = Verdict.FAILED


class Note(Unexpected):
    """The bot can cope, but its operator may want to know."""

    outcome = Verdict.NOTE


class NotTried(Unexpected):
    """The probe couldn't be tried, for this reason."""

    outcome = Verdict.UNTRIED


class CheckStopped(Unexpected):
    """Nothing else in this section can be tried."""


@dataclass
class Report:
    """All results so far; `tell` is called with each new one."""

    tell: Callable[[Finding], None] = lambda result: None
    results: list[Finding] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)  # by what they are for
    left_behind: list[str] = field(default_factory=list)  # what couldn't be removed, and why
    interrupted: bool = False

    @property
    def failed(self) -> list[Finding]:
        """The results that mean that the bot isn't ready."""
        return [result for result in self.results if result.outcome is Verdict.FAILED]

    @property
    def is_ready(self) -> bool:
        """Whether the bot can be started."""
        return not self.failed and not self.interrupted

    @property
    def verdict(self) -> str:
        """Whether the bot is ready, in a sentence."""
        if self.interrupted:
            return "The check was interrupted."
        if self.failed:
            return f"Not ready: {', '.join(result.title for result in self.failed)}."
        notes = [result.title for result in self.results if result.outcome is Verdict.NOTE]
        return f"Ready. Worth a look: {', '.join(notes)}." if notes else "Ready."

    def add(self, result: Finding) -> None:
        """Add a result and tell it."""
        self.results.append(result)
        self.tell(result)

    async def ask(self, section: str, probes: Mapping[str, Probe[T]], subject: T) -> bool:
        """Run these in order; False if one was Blocked, and the rest weren't tried."""
        for number, (title, probe) in enumerate(probes.items(), 1):
            found, outcome, is_blocked = await _run(title, probe, subject)
            self.add(Finding(section, title, found, outcome))
            if is_blocked:
                self.skip(section, list(probes)[number:], f"See {title}.")
                return False
        return True

    def skip(self, section: str, titles: Mapping[str, object] | list[str], reason: str) -> None:
        """Add a result for each of these that says why it wasn't tried."""
        for title in titles:
            self.add(Finding(section, title, reason, Verdict.UNTRIED))


async def _run(title: str, probe: Probe[T], subject: T) -> tuple[str, Verdict, bool]:
    try:
        return await probe(subject), Verdict.OK, False
    except Unexpected as unexpected:
        return str(unexpected), unexpected.outcome, isinstance(unexpected, CheckStopped)
    except (discord.DiscordException, *NETWORK) as error:
        return explain(error), Verdict.FAILED, False
    except Exception as error:  # a bug of ours must not hide the other results
        log.exception("the probe %s failed", title)
        return f"The check itself failed: {type(error).__name__}: {error}", Verdict.FAILED, False


def explain(error: BaseException) -> str:
    """A sentence about what this error means to the bot's operator, with Discord's code for it."""
    if isinstance(error, TooFast) and error.__cause__:  # the bot only needs to know when to try again
        return explain(error.__cause__)
    if isinstance(error, discord.HTTPException):
        why = WORDS.get(error.code) or " ".join(error.text.split()) or "Discord doesn't say why"
        code = f", error {error.code}" if error.code else ""
        return f"Refused: {why} (status {error.status}{code})."
    if isinstance(error, asyncio.TimeoutError):
        return "No answer came in time."
    if isinstance(error, discord.ConnectionClosed):
        return f"Discord closed the connection (code {error.code})."
    return f"No answer: {str(error) or type(error).__name__}."


class TextReport:
    """Prints results as they come, with a heading for each section."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._section = ""

    def __call__(self, result: Finding) -> None:
        """Print a new result."""
        if result.section != self._section:
            self._section = result.section
            self._tell(f"\n{result.section.upper()}")
        # The names of servers and channels are other people's text, and must not control the terminal.
        line = f"{result.outcome.value:{OUTCOME}}  {result.title}: {visible(result.found, ENGLISH)}"
        self._tell(textwrap.fill(line, WIDTH, subsequent_indent=" " * (OUTCOME + 2)))

    def end(self, report: Report) -> None:
        """Print what follows the results."""
        if report.left_behind:
            self._tell("\nLEFT BEHIND, to be removed by hand")
            for what in report.left_behind:
                self._tell(f"  {what}")
        for what, address in report.links.items():
            self._tell(f"\n{what}:\n{address}")
        self._tell(f"\n{report.verdict}")


def as_json(report: Report) -> str:
    """The whole report, for machines."""
    content = {
        "ready": report.is_ready,
        "interrupted": report.interrupted,
        "links": report.links,
        "results": [asdict(one) | {"outcome": one.outcome.value.lower()} for one in report.results],
        "left_behind": report.left_behind,
    }
    return json.dumps(content, indent=2, ensure_ascii=False)
