"""Where we reach into simcord, which is pinned to one version, and why.

It is made for tests, where one thing happens after another, and its Preview for those who write bots: it
refuses what comes at the same time or from a page older than the channel, shows tools, and draws all pages at
each look.
"""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, cast
from unittest.mock import patch

from aiohttp import web
from PIL import Image
from simcord.backend.cdn import CDN_BASE
from simcord.backend.errors import BackendError, SetupError
from simcord.env import Env
from simcord.preview import Preview, _action_plans, _component_projection, _markdown, _messages
from simcord.preview._media import MediaInfo
from simcord.preview._server import PreviewServer

from bot.local.news import News
from engine.thinking.pool import Pool

WEB = Path(__file__).parent / "web"
GLANCE = 0.005  # seconds after which the simulation looks again whether a click is answered
LONGEST_POLL = 20.0  # seconds that a page's question for news may stay open
TOGETHER = 0.02  # seconds; what comes within them is shown at once
PAGES = 1000  # as many as may be open, or forgotten, in ten minutes
TOLD = "X-Hearts-News"  # how much of it a page has been told
ADDED = '<link rel="stylesheet" href="/frame.css"><script src="/frame.js"></script>'
CHANNEL = re.compile("<#([0-9]{1,20})>")


def set_clock(simulated: Any, now: datetime) -> None:
    """Else every start is 2026-01-01."""
    simulated._env.backend.clock._epoch = now


def dress(env: Env, name: str, face: bytes, emojis: Mapping[str, bytes]) -> None:
    """Give the bot a name and a face, and its emojis the pictures that the simulation throws away."""
    backend = env.backend
    backend.bot_user.name, backend.bot_user.avatar = name, "face"
    pictures = backend.cdn._blobs
    pictures[f"{CDN_BASE}/avatars/{backend.bot_user.id}/face.png"] = face
    create = backend.create_application_emoji

    def create_with_picture(name: str, *, animated: bool = False) -> Any:
        emoji = create(name, animated=animated)
        pictures[f"{CDN_BASE}/emojis/{emoji.id}.png"] = emojis[name]
        return emoji

    backend.create_application_emoji = create_with_picture  # type: ignore[method-assign]


async def enter(preview: Preview, server: FrameServer) -> None:
    """Open a Preview that is served by us, and one of several, each of which believes that it is alone."""
    preview.env._preview = None
    preview._server = server
    preview._media_worker = cast(Any, OurPictures())
    preview._MAX_PAGES = PAGES  # type: ignore[misc]
    await preview.__aenter__()
    preview._pages.clear()  # of one that nobody sees, and which would be drawn at every look
    preview.env._preview = None


class OurPictures:
    """In place of a new process for each picture, which decodes it: these are all our own bot's."""

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """What simcord wants to know of a picture, which the browser gets as it is."""
        with Image.open(io.BytesIO(blob)) as image:  # reads no more than its head
            kind, (width, height) = str(image.format), image.size
        return MediaInfo(kind, width, height, 1, 4 * width * height, blob, f"image/{kind.lower()}")

    def release(self, key: str) -> None:
        """Nothing is kept."""

    async def close(self) -> None:
        """Nothing is open."""


class FrameServer(PreviewServer):
    """Serves a Preview as a bare window of Discord, which our page may frame and which hears news at once."""

    _STATIC_FILES: ClassVar[dict[str, str]] = {
        **PreviewServer._STATIC_FILES,
        "/frame.css": "frame.css",
        "/frame.js": "frame.js",
    }

    def __init__(
        self, preview: Preview, news: News, turn: asyncio.Lock, *, framed_by: str, empty: str
    ) -> None:
        super().__init__(preview, 0)
        self._news, self._turn = news, turn
        self._act = preview._action
        preview._action = self._act_now  # type: ignore[method-assign]
        self._SECURITY_HEADERS = _headers(framed_by)  # type: ignore[misc]
        self._changes = {
            "/": (
                ("<title>SimCord Preview", "<title>Hearts"),
                ("</head>", f"{ADDED}</head>"),
                ('<p id="channel-empty"', '<div id="channel-empty"'),
                ("No messages in this channel.</p>", f"{empty}</div>"),
            ),
            # After an answer the page waits before it asks again; now it is the answer that waits.
            "/session.js": (("interval = 500", "interval = 20"),),
        }

    async def _static(self, request: web.Request) -> web.Response:
        if request.path in ("/frame.css", "/frame.js"):
            if request.headers.get("Host") not in self._allowed_hosts():
                raise web.HTTPForbidden
            kind = "text/css" if request.path.endswith(".css") else "text/javascript"
            text = (WEB / request.path[1:]).read_text("utf-8")
            return web.Response(text=text, content_type=kind, headers=self._SECURITY_HEADERS)
        answer: web.Response = await super()._static(request)
        for before, after in self._changes.get(request.path, ()):
            text = str(answer.text)
            assert before in text, before
            answer.text = text.replace(before, after)
        return answer

    async def _state(self, request: web.Request) -> Any:
        """What a page shows, drawn when it asks and once there is news; simcord would draw all each time."""
        context = request.headers.get("X-Simcord-Context")
        if not self._authorized(request, context=context):
            raise web.HTTPUnauthorized
        if told := request.headers.get(TOLD):
            await self._news.since(told, LONGEST_POLL)
            await asyncio.sleep(TOGETHER)
        if self._news.has_ended:
            raise web.HTTPServiceUnavailable
        if request.transport is None or request.transport.is_closing():
            raise web.HTTPGone  # the page has given up this question, and may have asked another
        count = self._news.count
        with suppress(SetupError, BackendError):  # which simcord answers below
            page = self.preview._get_page(context)
            self.preview._advance_presentation_time()
            self.preview._publish(page, reason="refresh")
            for picture, record in list(page.assets.items()):
                if record.available and not record.validated and record.contentType.startswith("image/"):
                    # So that the page knows its size, and nothing moves when it comes.
                    await self.preview._prepare_asset(context, picture)
        answer = await super()._state(request)
        answer.headers[TOLD] = count
        return answer

    async def _action(self, request: web.Request) -> Any:
        """What somebody does; they wait for each other and for the clock."""
        async with self._turn:
            self.preview.env._preview = self.preview
            try:
                return await super()._action(request)
            finally:
                self.preview.env._preview = None
                self._news.tell()

    async def _act_now(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Whatever has come since the page was drawn; the bot itself knows what is out of date."""
        revision = self.preview._get_page(context_id).revision
        return await self._act(context_id, {**body, "published_revision": revision})


def _headers(framed_by: str) -> dict[str, str]:
    """The Preview's own, but that our page may frame it."""
    headers = {**PreviewServer._SECURITY_HEADERS}
    del headers["X-Frame-Options"]
    policy = headers["Content-Security-Policy"]
    headers["Content-Security-Policy"] = policy.replace(
        "frame-ancestors 'none'", f"frame-ancestors {framed_by}"
    )
    return headers


@contextmanager
def like_people_at_a_table() -> Iterator[None]:
    """Keys by name, timers by our clock, `#hearts` in DMs, and one Markdown parser for each kind of text."""
    with (
        patch.object(_component_projection, "_control_key", _control_key),
        patch.object(_action_plans, "_component_key", _component_key),
        # A click is over when the bot has answered it, not when the timers that it set have run out:
        # only our own moving of the clock lets them ring.
        patch.object(Env, "_schedule_timer", lambda *timer: None),
        patch.dict(cast(Any, Env._settle_internal).__kwdefaults__, idle=GLANCE),
        patch.object(_messages, "_markdown_context", _context_with_channels),
        patch.object(_markdown, "_markdown_parser", _Parsers().parser),
    ):
        yield


@contextmanager
def thinking_beside(env: Env) -> Iterator[None]:
    """A click is over before computers have thought; the clock would stand still meanwhile."""
    ask = Pool.ask

    async def ask_beside(pool: Pool, *asked: Any, **options: Any) -> Any:
        return await env.external_wait(ask(pool, *asked, **options), reason="computers think")

    with patch.object(Pool, "ask", ask_beside):
        yield


_key_by_place = _component_projection._control_key
_context = _messages._markdown_context
_new_parser = _markdown._markdown_parser


def _control_key(scope: str, component: Mapping[str, Any], place: str) -> str | None:
    """A page may be behind: a control is what its custom_id says, whichever card has its place by now."""
    name = component.get("custom_id") if scope.startswith("message:") else None
    return f"{scope}:component:{name}" if name else _key_by_place(scope, component, place)


def _component_key(component: Mapping[str, Any], place: str, message: int) -> str | None:
    return _control_key(f"message:{message}", component, place)


def _context_with_channels(preview: Preview, page: Any, message: Any, channel: Any, **more: Any) -> Any:
    """Names the channels that a DM mentions, which simcord does in servers only."""
    context = _context(preview, page, message, channel, **more)
    if channel.guild_id is None:
        for text in _messages._message_texts(message, more.get("content", "")):
            for number in CHANNEL.findall(text):
                with suppress(BackendError):
                    context["channels"][number] = preview.env.backend.get_channel(int(number)).name
        context["channel_ids"] = list(context["channels"])
    return context


class _Parsers:
    """Keeps one for each policy; simcord makes one for each text, which is most of what a look costs."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], tuple[Any, dict[str, Any]]] = {}

    def parser(self, policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
        """The parser, which reads names from this context now."""
        key = tuple(sorted(policy.items()))
        if key not in self._kept:
            names: dict[str, Any] = {}
            self._kept[key] = _new_parser(policy, names), names
        kept, names = self._kept[key]
        names.clear()
        names.update(context)
        return kept
