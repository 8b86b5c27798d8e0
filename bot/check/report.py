"""What each probe finds, as text and as JSON, and what Discord's refusals mean to an operator."""

import json
import logging
import textwrap
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import TypeVar

import discord

from bot.discord.faults import NETWORK
from bot.words.text import visible
from engine.languages import ENGLISH

log = logging.getLogger(__name__)
T = TypeVar("T")
#: Columns of the text, and of a finding's outcome in it.
WIDTH, OUTCOME = 100, 9
#: The probes after whose failure none of the later ones can be tried.
ESSENTIAL = ("Way to Discord", "Token", "Channel", "Connection", "Permissions")
#: What some of Discord's error codes mean here; Discord's own words do for the others.
WORDS = {
    10003: "Discord knows no such channel. With Developer Mode on, right-click one to copy its ID",
    10062: "the answer to the click came too late: Discord waits three seconds",
    40060: "the click was already answered. Is another program running with this token?",
    50001: "the bot can't see it: View Channels is missing, or it isn't in that server",
    50013: "a permission is missing",
}


class Verdict(Enum):
    """How a probe ended; only a failure means that the bot isn't ready."""

    OK = "ok"
    NOTE = "note"  # not as it should be, but the bot copes
    FAILED = "FAILED"
    UNTRIED = "not tried"


#: Finds something out about a subject: says how that ended, and what it found or what to do about it.
Probe = Callable[[T], Awaitable[tuple[Verdict, str]]]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one probe found."""

    section: str
    title: str
    found: str
    outcome: Verdict


@dataclass
class Report:
    """All findings so far; each is also printed with `tell` as it comes."""

    tell: Callable[[str], None]
    results: list[Finding] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)  # by what they are for
    left_behind: list[str] = field(default_factory=list)  # what couldn't be removed, and why
    interrupted: bool = True  # until the check has ended
    stopped_by: str = ""  # the title of an essential probe that failed

    @property
    def failed(self) -> list[Finding]:
        """The findings that mean that the bot isn't ready."""
        return [one for one in self.results if one.outcome is Verdict.FAILED]

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
            return f"Not ready: {', '.join(one.title for one in self.failed)}."
        notes = [one.title for one in self.results if one.outcome is Verdict.NOTE]
        return f"Ready. Worth a look: {', '.join(notes)}." if notes else "Ready."

    async def ask(self, section: str, probes: Mapping[str, Probe[T]], subject: T) -> None:
        """Run these probes, by their titles and in order, and add what they find."""
        for title, probe in probes.items():
            if self.stopped_by:
                self.add(section, title, Verdict.UNTRIED, f"See {self.stopped_by}.")
                continue
            try:
                outcome, found = await probe(subject)
            except (discord.DiscordException, *NETWORK) as error:
                outcome, found = Verdict.FAILED, explain(error)
            except Exception as error:  # a bug of ours must not hide the other findings
                log.exception("the probe %s failed", title)
                outcome, found = Verdict.FAILED, f"The check itself failed: {type(error).__name__}: {error}"
            if outcome is Verdict.FAILED and title in ESSENTIAL:
                self.stopped_by = title
            self.add(section, title, outcome, found)

    def add(self, section: str, title: str, outcome: Verdict, found: str) -> None:
        """Add a finding and print it, below a heading if its section is new."""
        if not self.results or self.results[-1].section != section:
            self.tell(f"\n{section.upper()}")
        self.results.append(Finding(section, title, found, outcome))
        # The names of servers and channels are other people's text, and must not control the terminal.
        line = f"{outcome.value:{OUTCOME}}  {title}: {visible(found, ENGLISH)}"
        self.tell(textwrap.fill(line, WIDTH, subsequent_indent=" " * (OUTCOME + 2)))

    def end(self) -> None:
        """Print what follows the findings."""
        if self.left_behind:
            self.tell("\nLEFT BEHIND, to be removed by hand")
            for what in self.left_behind:
                self.tell(f"  {what}")
        for what, address in self.links.items():
            self.tell(f"\n{what}:\n{address}")
        self.tell(f"\n{self.verdict}")

    def as_json(self) -> str:
        """The whole report, for other programs."""
        content = {
            "ready": self.is_ready,
            "interrupted": self.interrupted,
            "links": self.links,
            "results": [asdict(one) | {"outcome": one.outcome.value.lower()} for one in self.results],
            "left_behind": self.left_behind,
        }
        return json.dumps(content, indent=2, ensure_ascii=False)


def explain(error: BaseException) -> str:
    """A sentence about what this error means to the bot's operator, with Discord's code for it."""
    if isinstance(error, discord.HTTPException):
        why = WORDS.get(error.code) or " ".join(error.text.split()) or "Discord doesn't say why"
        code = f", error {error.code}" if error.code else ""
        return f"Refused: {why} (status {error.status}{code})."
    if isinstance(error, discord.ConnectionClosed):
        return f"Discord closed the connection (code {error.code})."
    return f"No answer: {str(error) or 'none came in time'}."
