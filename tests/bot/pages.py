"""What stands between the bot and Discord and answers in its place: pages, half an answer, nothing."""

import json
import math
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from simcord.backend import Backend
from simcord.backend.errors import BackendError
from simcord.env import Env
from simcord.http import router
from simcord.types import HttpLogEntry

#: As proxies send it, on many lines.
PAGE = "<!DOCTYPE html>\n<title>Attention Required!</title>\n" + 200 * "<p>Ray ID\n" + "</html>"
#: The beginning of an answer.
HALF = '{"id": "14'


class Page(BackendError):
    """This text, with any status, in place of an answer."""

    def __init__(self, status: int, body: str = PAGE) -> None:
        super().__init__(status, 0, body)

    def to_json(self) -> Any:
        return self.message

    @property
    def kind(self) -> str:
        """The content type with which it comes."""
        return "text/html" if self.message.startswith("<") else "application/json"


@dataclass
class _OddAnswer:
    method: str
    path: str
    page: Page
    times: float
    is_done: bool

    def matches(self, method: str, path: str) -> bool:
        return self.times > 0 and self.method in (method, "*") and fnmatch(path, self.path)

    def give(self) -> Any:
        """Answer as discord.py's own request does."""
        self.times -= 1
        body = self.page.message
        if self.page.status != 200:
            raise self.page
        return json.loads(body) if body and self.page.kind == "application/json" else body


def answer_oddly(
    env: Env,
    method: str,
    path: str,
    status: int,
    body: str = PAGE,
    *,
    times: float | None = 1,
    is_done: bool = False,
) -> None:
    """Like `env.inject_error`, with a page; with `is_done`, Discord has done it all the same."""
    odd = _OddAnswer(method, path, Page(status, body), math.inf if times is None else times, is_done)
    env.backend.__dict__.setdefault("odd_answers", []).append(odd)


def clear_up(env: Env) -> None:
    """From now on, nothing stands between the bot and Discord."""
    env.backend.__dict__.pop("odd_answers", None)
    env.backend.faults.clear()


_dispatch = router.dispatch


def _dispatch_unless_odd(backend: Backend, method: str, path: str, **options: Any) -> Any:
    known = backend.__dict__.get("odd_answers", ())
    odd = next((one for one in known if one.matches(method, path)), None)
    if odd is None or odd.is_done:
        answer = _dispatch(backend, method, path, **options)
    else:
        json_sent = options.get("json")
        backend.http_requests.append(HttpLogEntry(method, path, options.get("params") or {}, json_sent, None))
    return odd.give() if odd else answer


router.dispatch = _dispatch_unless_odd
