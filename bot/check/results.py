"""Probes, and the report of what each expected and found."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, TypeVar

import discord

from bot.check.requests import Recorder
from bot.check.words import explain
from bot.discord.faults import NETWORK

log = logging.getLogger(__name__)
T = TypeVar("T")


class Outcome(Enum):
    """How a probe ended; only a failure means that the bot isn't ready."""

    OK = "ok"
    NOTE = "note"  # not as expected, but the bot copes
    FAILED = "FAILED"
    UNTRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the report; `requests` are the numbers of the requests made for it."""

    section: str
    key: str
    title: str
    expected: str
    found: str
    outcome: Outcome
    requests: tuple[int, ...] = ()


class Unexpected(Exception):
    """What was found wasn't expected: a sentence."""

    outcome = Outcome.FAILED


class Note(Unexpected):
    """The bot can cope, but its operator may want to know."""

    outcome = Outcome.NOTE


class NotTried(Unexpected):
    """The probe couldn't be tried, for this reason."""

    outcome = Outcome.UNTRIED


class Blocked(Unexpected):
    """No later probe of this section can be tried, for the reason `others`."""

    def __init__(self, found: str, others: str, outcome: Outcome = Outcome.FAILED) -> None:
        super().__init__(found)
        self.others = others
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Probe(Generic[T]):
    """Something to try: `run` returns what it found, in words, or raises Unexpected."""

    key: str
    title: str
    expected: str
    run: Callable[[T], Awaitable[str]]


Probes = list[Probe[T]]


def add_to(
    probes: Probes[T], key: str, title: str, expected: str
) -> Callable[[Callable[[T], Awaitable[str]]], Callable[[T], Awaitable[str]]]:
    """Add the decorated function to these probes."""

    def add(run: Callable[[T], Awaitable[str]]) -> Callable[[T], Awaitable[str]]:
        probes.append(Probe(key, title, expected, run))
        return run

    return add


@dataclass
class Report:
    """All results so far; `tell` is called with new ones, with several if they weren't tried."""

    recorder: Recorder = field(default_factory=Recorder)
    tell: Callable[[Sequence[Result]], None] = lambda results: None
    results: list[Result] = field(default_factory=list)
    invitation: str | None = None  # the address that invites the bot to a server
    invitation_with_threads: str | None = None  # the same where tables may open threads
    account_link: str | None = None  # the address that adds the app to an account, where it may be
    left_behind: list[str] = field(default_factory=list)  # what couldn't be removed, and why
    interrupted: bool = False

    @property
    def failed(self) -> list[Result]:
        """The results that mean that the bot isn't ready."""
        return [result for result in self.results if result.outcome is Outcome.FAILED]

    @property
    def is_ready(self) -> bool:
        """Whether the bot can be started."""
        return not self.failed and not self.interrupted

    @property
    def keys(self) -> set[str]:
        """The keys of all probes that have a result."""
        return {result.key for result in self.results}

    def add(self, *results: Result) -> None:
        """Add results and report them."""
        self.results += results
        self.tell(results)

    async def try_all(self, section: str, probes: Sequence[Probe[T]], subject: T) -> bool:
        """Run these in order; False if one was Blocked, and the rest weren't tried."""
        for index, probe in enumerate(probes):
            try:
                await self.run(section, probe, subject)
            except Blocked as blocked:
                self.skip(section, probes[index + 1 :], blocked.others)
                return False
        return True

    async def run(self, section: str, probe: Probe[T], subject: T) -> Outcome:
        """Run one probe and add its result; raises Blocked if the probe did."""
        with self.recorder.collecting() as made:
            found, outcome, error = await _run(probe, subject)
        numbers = tuple(request.number for request in made)
        self.add(Result(section, probe.key, probe.title, probe.expected, found, outcome, numbers))
        if isinstance(error, Blocked):
            raise error
        return outcome

    def skip(self, section: str, probes: Sequence[Probe[Any]], reason: str) -> None:
        """Add a result for each of these that says why it wasn't tried."""
        skipped = [
            Result(section, probe.key, probe.title, probe.expected, reason, Outcome.UNTRIED)
            for probe in probes
        ]
        if skipped:
            self.add(*skipped)


async def _run(probe: Probe[T], subject: T) -> tuple[str, Outcome, Exception | None]:
    try:
        return await probe.run(subject), Outcome.OK, None
    except Unexpected as unexpected:
        return str(unexpected), unexpected.outcome, unexpected
    except (discord.DiscordException, *NETWORK) as error:
        return explain(error), Outcome.FAILED, error
    except Exception as error:  # a bug of ours must not hide the other results
        log.exception("the probe %s failed", probe.key)
        return f"The check itself failed: {type(error).__name__}: {error}", Outcome.FAILED, error
