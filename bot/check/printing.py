"""The report as text, 100 columns wide, and as JSON."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from bot.check.requests import Request
from bot.check.results import Outcome, Report, Result
from bot.words.text import visible
from engine.languages import ENGLISH

#: The columns' widths: outcome, what was tried, what was expected, what was found.
WIDTHS = (9, 22, 31, 32)
GAP = "  "
WIDTH = sum(WIDTHS) + len(GAP) * (len(WIDTHS) - 1)
#: Where Discord's behaviour is reported, and how the probes refer to such a report.
ISSUES, REPORTED = "https://github.com/discord/discord-api-docs/issues", r"\([0-9]{4}\)"
HEADINGS = ("", "what", "expected", "found")


class TextReport:
    """Prints results as they come, with a heading for each section."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._section = ""

    def __call__(self, results: Sequence[Result]) -> None:
        """Print new results of a section; several at once were all not tried, for the same reason."""
        first = results[0]
        if first.section != self._section:
            self._section = first.section
            self._tell(f"\n{first.section.upper()}\n{_row(HEADINGS)}\n{'-' * WIDTH}")
        if len(results) > 1:
            text = f"{', '.join(result.title for result in results)}: {first.found}"
            line = f"{first.outcome.value.ljust(WIDTHS[0])}{GAP}{text}"
            self._tell(textwrap.fill(line, WIDTH, subsequent_indent=" " * WIDTHS[0] + GAP))
            return
        # The names of servers and channels are other people's text, and must not control the terminal.
        found = visible(f"{first.found} {_numbers(first.requests)}", ENGLISH)
        self._tell(_row((first.outcome.value, first.title, first.expected, found)))

    def end(self, report: Report) -> None:
        """Print what follows the table."""
        if any(re.search(REPORTED, result.expected) for result in report.results):
            self._tell(f"\nA number like (6647) is the issue in which that was reported:\n{ISSUES}/6647")
        if report.recorder.requests:
            self._tell("\nREQUESTS: status/error, time, calls left, and the id for Discord's support")
            for request in report.recorder.requests:
                self._tell(_request(request))
        if report.left_behind:
            self._tell("\nLEFT BEHIND, to be removed by hand")
            for what in report.left_behind:
                self._tell(f"  {what}")
        if report.invitation:
            self._tell(f"\nInvite the bot to a server with this address:\n{report.invitation}")
            self._tell(f"With tables in threads:\n{report.invitation_with_threads}")
        if report.account_link:
            self._tell(f"Add it to your own account, to play anywhere:\n{report.account_link}")
        self._tell(f"\n{verdict(report)}")


def verdict(report: Report) -> str:
    """Whether the bot is ready, in a sentence."""
    if report.interrupted:
        return "The check was interrupted."
    if report.failed:
        return f"Not ready: {', '.join(result.title for result in report.failed)}."
    notes = [result.title for result in report.results if result.outcome is Outcome.NOTE]
    return f"Ready. Worth a look: {', '.join(notes)}." if notes else "Ready."


def as_json(report: Report) -> str:
    """The whole report, for machines."""
    content = {
        "ready": report.is_ready,
        "interrupted": report.interrupted,
        "invitation": report.invitation,
        "invitation_with_threads": report.invitation_with_threads,
        "account_link": report.account_link,
        "results": [_result_as_json(result) for result in report.results],
        "requests": [_request_as_json(request) for request in report.recorder.requests],
        "left_behind": report.left_behind,
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def _result_as_json(result: Result) -> dict[str, Any]:
    return {
        "section": result.section,
        "key": result.key,
        "title": result.title,
        "outcome": result.outcome.value.lower(),
        "expected": result.expected,
        "found": result.found,
        "requests": result.requests,
    }


def _request_as_json(request: Request) -> dict[str, Any]:
    return {
        "number": request.number,
        "method": request.method,
        "route": request.route,
        "status": request.status,
        "code": request.code,
        "milliseconds": round(request.seconds * 1000),
        "id": request.id,
        "bucket": request.bucket,
        "limit": request.limit,
        "remaining": request.remaining,
        "reset_after": request.reset_after,
        "scope": request.scope,
    }


def _request(request: Request) -> str:
    status = str(request.status or "no answer") + (f"/{request.code}" if request.code else "")
    took = f"{request.seconds * 1000:.0f} ms" if request.status else ""
    left = f"{request.remaining}/{request.limit} left" if request.limit is not None else ""
    return f"#{request.number:<3} {', '.join(filter(None, [request.kind, status, took, left, request.id]))}"


def _numbers(numbers: Sequence[int]) -> str:
    """`[#4]`, `[#4 to #9]` or `[#4, #6]`; nothing if there are none."""
    if not numbers:
        return ""
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"[#{numbers[0]} to #{numbers[-1]}]"
    return f"[{', '.join(f'#{number}' for number in numbers)}]"


def _row(cells: Sequence[str]) -> str:
    columns = [textwrap.wrap(cell, width) for cell, width in zip(cells, WIDTHS, strict=True)]
    lines = zip_longest(*columns, fillvalue="")
    return "\n".join([GAP.join(map(str.ljust, line, WIDTHS)).rstrip() for line in lines])
