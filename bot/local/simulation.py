"""Patches to simcord, which is pinned to one version, and the reasons for them.

simcord is made for tests, in which one thing happens at a time, and its Preview for developers: it refuses
simultaneous clicks and clicks on an outdated page, shows tools, and renders all pages on each request.
"""

import asyncio
import io
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, cast
from unittest.mock import patch

from aiohttp import web
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from PIL import Image
from simcord import interactions
from simcord.actors import MemberActor
from simcord.backend import Backend
from simcord.backend.cdn import CDN_BASE
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models.interaction import Interaction
from simcord.builders import ChannelHandle, UserHandle
from simcord.env import Env
from simcord.preview import Preview, _action_plans, _component_projection, _markdown, _messages
from simcord.preview._media import MediaInfo
from simcord.preview._server import PreviewServer

from bot.local.contexts import with_contexts
from bot.local.news import News
from engine.thinking.pool import Pool

WEB = Path(__file__).parent / "web"
IDLE = 0.005  # seconds between checks for the answer to a click
LONGEST_POLL = 20.0  # seconds that a page's request for news may stay open
BATCH = 0.02  # seconds in which changes are collected and shown together
PAGES = 1000  # the most that may be opened in ten minutes
NEWS_HEADER = "X-Hearts-News"  # the number of changes that a page includes
ROOM_HEADER = "X-Hearts-Room"  # the channel that a page shows, if it isn't the preview's own
EMPTY = "<!-- empty -->"
ADDED = (
    '<link rel="stylesheet" href="/frame.css">'
    '<script src="/pictures.js"></script><script src="/frame.js"></script>'
)
ADDED_FILES = {"/frame.css": "frame.css", "/frame.js": "frame.js", "/pictures.js": ""}
#: Returns the channel with this id, and a person as its viewer; SetupError if they can't see it.
Room = Callable[[int], tuple[ChannelHandle, MemberActor | UserHandle]]
#: Returns the HTML of a channel (None for the preview's own) while it has no messages.
Empty = Callable[[int | None], str]
CHANNEL = re.compile("<#([0-9]{1,20})>")
#: Edits of simcord's own files: pairs of a text and its replacement.
CHANGES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "/": (
        ("<title>SimCord Preview", "<title>Hearts"),
        ("</head>", f"{ADDED}</head>"),
        ('<p id="channel-empty"', '<div id="channel-empty"'),
        ("No messages in this channel.</p>", f"{EMPTY}</div>"),
    ),
    # Show the system's font until ours has loaded.
    "/preview.css": (("font-display: block", "font-display: swap"),),
    "/text.js": (
        # Gives links to channels an id, so that they can be followed.
        ('token.label || ""));', 'token.label || "")); target.lastChild.dataset.id = token.id || "";'),
        # frame.js has the pictures of cards, and lets times count down in the reader's language.
        (
            'const image = node("img", "custom-emoji");',
            'const ours = window.picture(emoji.name, "custom-emoji");\n'
            "  if (ours) return parent.append(ours);\n"
            '  const image = node("img", "custom-emoji");',
        ),
        (
            "if (title) time.title",
            'if (style === "R") time.dataset.locale = options.locale || "en-US";\n  if (title) time.title',
        ),
    ),
    "/dom.js": (
        (
            "const pending = [];",
            "const pending = [];\n  if (identity?.bot) {\n"
            '    avatar.append(window.picture("face", "entity-avatar-img"));\n'
            "    return { element: avatar, pending };\n  }",
        ),
    ),
    "/commands.js": (
        (
            'if (optional) item.append(node("span", "command-suggestion-ellipsis", "…"))',
            'if (optional) item.append(node("span", "command-suggestion-description", value.description))',
        ),
    ),
    # The page needn't pause between requests, as long polling delays the answers.
    "/session.js": (("interval = 500", "interval = 20"),),
}


def set_clock(simulated: Any, now: datetime) -> None:
    """Set the simulated clock, which starts at 2026-01-01 otherwise."""
    simulated._env.backend.clock._epoch = now


def set_identity(env: Env, name: str, face: bytes, emojis: Mapping[str, bytes]) -> None:
    """Give the bot a name and an avatar, and serve the pictures of its emojis, which simcord drops."""
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


def set_locale(env: Env, person: int, locale: str) -> None:
    """Set the language of a person's Discord, which simcord has no field for."""
    vars(env.backend.get_user(person))["locale"] = locale


def set_server_locale(env: Env, guild: int, locale: str) -> None:
    """Set a server's language."""
    env.backend.edit_guild(guild, {"preferred_locale": locale})


def payload_with_locales(backend: Backend, **fields: Any) -> tuple[Interaction, dict[str, Any]]:
    """An interaction's payload as Discord sends it.

    simcord's payloads are all in American English, and lack the permissions of people chosen from a list.
    """
    record, payload = _payload(backend, **fields)
    payload["locale"] = vars(backend.get_user(fields["user_id"])).get("locale", payload["locale"])
    if fields["guild_id"] is not None:
        payload["guild_locale"] = backend.get_guild(fields["guild_id"]).preferred_locale
        resolved = (payload.get("data") or {}).get("resolved") or {}
        for id, member in (resolved.get("members") or {}).items():
            permissions = backend.compute_permissions(fields["guild_id"], int(id), fields["channel_id"])
            member["permissions"] = str(int(permissions))
    return record, payload


async def open_preview(preview: Preview, server: "FrameServer") -> None:
    """Open a Preview on our server; simcord would allow only one."""
    preview.env._preview = None
    preview._server = server
    preview._media_worker = cast(Any, TrustedPictures())
    preview._MAX_PAGES = PAGES  # type: ignore[misc]
    await preview.__aenter__()
    preview._pages.clear()  # its own page, which isn't used but would be rendered on every request
    preview.env._preview = None


class TrustedPictures:
    """Replaces simcord's decoding, in a new process for each picture, since ours can be trusted."""

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """A picture's format and size from its header; the picture itself is served unchanged."""
        with Image.open(io.BytesIO(blob)) as image:
            kind, (width, height) = str(image.format), image.size
        return MediaInfo(kind, width, height, 1, 4 * width * height, blob, f"image/{kind.lower()}")

    def release(self, key: str) -> None:
        """Do nothing: nothing is kept."""

    async def close(self) -> None:
        """Do nothing: nothing is open."""


class FrameServer(PreviewServer):
    """Serves a Preview without tools, for a frame in our page, with changes pushed by long polling."""

    _STATIC_FILES: ClassVar[dict[str, str]] = {**PreviewServer._STATIC_FILES, **ADDED_FILES}

    def __init__(
        self,
        preview: Preview,
        news: News,
        turn: asyncio.Lock,
        *,
        framed_by: str,
        pictures: Mapping[str, bytes],
        room: Room,
        empty: Empty,
    ) -> None:
        super().__init__(preview, 0)
        self._news, self._turn, self._room, self._empty = news, turn, room, empty
        addresses = {name: data_url(png) for name, png in pictures.items()}
        self._pictures = f"const PICTURES = {json.dumps(addresses)};"
        self._act = preview._action
        preview._action = self._act_now  # type: ignore[method-assign]
        self._SECURITY_HEADERS = _headers(framed_by)  # type: ignore[misc]

    async def _static(self, request: web.Request) -> web.Response:
        if (added := ADDED_FILES.get(request.path)) is not None:
            if request.headers.get("Host") not in self._allowed_hosts():
                raise web.HTTPForbidden
            kind = "text/css" if request.path.endswith(".css") else "text/javascript"
            text = (WEB / added).read_text("utf-8") if added else self._pictures
            return web.Response(text=text, content_type=kind, headers=self._SECURITY_HEADERS)
        answer: web.Response = await super()._static(request)
        if request.path.startswith("/fonts/"):  # several MB that never change
            answer.headers["Cache-Control"] = "private, max-age=86400"
        for before, after in CHANGES.get(request.path, ()):
            text = str(answer.text)
            assert before in text, before
            answer.text = text.replace(before, after)
        if request.path == "/":
            answer.text = str(answer.text).replace(EMPTY, self._empty(_number(request.query.get("room"))))
        return answer

    async def _pages(self, request: web.Request) -> Any:
        """Open a page on the channel that it asks for, while simcord's Preview has only one."""
        async with self._turn:
            try:
                with self._showing(_number(request.headers.get(ROOM_HEADER))):
                    answer = await super()._pages(request)
            except (SetupError, BackendError):
                raise web.HTTPNotFound from None
        if answer.status != 200:
            return answer
        page = self.preview._get_page(json.loads(answer.text)["context"]["id"])
        await self._measure(page)
        return web.json_response(self.preview._page_payload(page), headers=self._SECURITY_HEADERS)

    async def _measure(self, page: Any) -> None:
        """Put the size of each picture into the page, so that nothing moves when it loads."""
        for picture, record in list(page.assets.items()):
            is_emoji = record.source and record.source[0] == "emoji"  # drawn by frame.js
            is_picture = record.contentType.startswith("image/") and not is_emoji
            if is_picture and record.available and not record.validated:
                with suppress(SetupError, BackendError):  # such as the bot's avatar in a server without it
                    await self.preview._prepare_asset(page.id, picture)

    @contextmanager
    def _showing(self, channel: int | None) -> Iterator[None]:
        """Point the Preview at this channel within the context; nothing else may use it meanwhile."""
        if channel is None or channel == self.preview.channel.id:
            yield
            return
        previous = self.preview.channel, self.preview.viewers
        self.preview.channel, viewer = self._room(channel)
        self.preview.viewers = (viewer,)
        try:
            yield
        finally:
            self.preview.channel, self.preview.viewers = previous

    async def _state(self, request: web.Request) -> Any:
        """A page's content once there is news, rendering only that page; simcord would render them all."""
        context = request.headers.get("X-Simcord-Context")
        if not self._authorized(request, context=context):
            raise web.HTTPUnauthorized
        if count_shown := request.headers.get(NEWS_HEADER):
            await self._news.since(count_shown, LONGEST_POLL)
            await asyncio.sleep(BATCH)
        if self._news.has_ended:
            raise web.HTTPServiceUnavailable
        if request.transport is None or request.transport.is_closing():
            raise web.HTTPGone  # the page has dropped this request, and may have made another
        count = self._news.count
        with suppress(SetupError, BackendError):  # simcord reports these below
            page = self.preview._get_page(context)
            self.preview._advance_presentation_time()
            self.preview._publish(page, reason="refresh")
            await self._measure(page)
        answer = await super()._state(request)
        answer.headers[NEWS_HEADER] = count
        return answer

    async def _action(self, request: web.Request) -> Any:
        """Perform a person's action; actions wait for each other and for the clock."""
        async with self._turn:
            self.preview.env._preview = self.preview
            page = self.preview._pages.get(request.headers.get("X-Simcord-Context", ""))
            try:
                with self._showing(page.channel_id if page else None):
                    return await super()._action(request)
            finally:
                self.preview.env._preview = None
                self._news.announce()

    async def _act_now(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Accept an action from a page that is out of date, as the bot itself handles old clicks."""
        revision = self.preview._get_page(context_id).revision
        return await self._act(context_id, {**body, "published_revision": revision})


def data_url(png: bytes) -> str:
    """A PNG as a `data:` URL."""
    return f"data:image/png;base64,{b64encode(png).decode()}"


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() else None


def _headers(framed_by: str) -> dict[str, str]:
    """The Preview's own headers, except that our page may embed it and pictures may be `data:` URLs."""
    headers = {**PreviewServer._SECURITY_HEADERS}
    del headers["X-Frame-Options"]
    policy = headers["Content-Security-Policy"].replace("img-src", "img-src data:")
    headers["Content-Security-Policy"] = policy.replace(
        "frame-ancestors 'none'", f"frame-ancestors {framed_by}"
    )
    return headers


@contextmanager
def patched_for_people() -> Iterator[None]:
    """Patch simcord: find controls by custom id, run timers by our clock, name channels in DMs, send locales.

    Also cache its parsers, and apply `contexts.py`, which has where people may use the app.
    """
    with (
        with_contexts(),
        patch.object(_component_projection, "_control_key", _control_key),
        patch.object(_action_plans, "_component_key", _component_key),
        # A click is over when the bot has answered it. simcord would also wait for the timers that it
        # started, which only fire when we move the clock.
        patch.object(Env, "_schedule_timer", lambda *timer: None),
        patch.dict(cast(Any, Env._settle_internal).__kwdefaults__, idle=IDLE),
        patch.object(_messages, "_markdown_context", _context_with_channels),
        patch.object(_markdown, "_markdown_parser", _ParserCache().parser),
        patch.object(StateInline, "scanDelims", _scan_stars),
        patch.object(interactions, "base_payload", payload_with_locales),
    ):
        yield


@contextmanager
def thinking_outside(env: Env) -> Iterator[None]:
    """Don't let clicks wait until computers have thought or pars are computed, as the clock would stop."""
    ask, ask_idly = Pool.ask, Pool.ask_idly

    async def ask_outside(pool: Pool, *request: Any, **options: Any) -> Any:
        return await env.external_wait(ask(pool, *request, **options), reason="computers think")

    async def ask_idly_outside(pool: Pool, *request: Any) -> Any:
        return await env.external_wait(ask_idly(pool, *request), reason="a par is computed")

    with patch.object(Pool, "ask", ask_outside), patch.object(Pool, "ask_idly", ask_idly_outside):
        yield


_key_by_position = _component_projection._control_key
_context = _messages._markdown_context
_payload = interactions.base_payload
_scan = StateInline.scanDelims
_new_parser = _markdown._markdown_parser


def _control_key(scope: str, component: Mapping[str, Any], place: str) -> str | None:
    """Find a control by its custom id, since on an outdated page another card may be in its place."""
    name = component.get("custom_id") if scope.startswith("message:") else None
    return f"{scope}:component:{name}" if name else _key_by_position(scope, component, place)


def _component_key(component: Mapping[str, Any], place: str, message: int) -> str | None:
    return _control_key(f"message:{message}", component, place)


def _context_with_channels(preview: Preview, page: Any, message: Any, channel: Any, **more: Any) -> Any:
    """Name the channels that a DM mentions, as simcord does only in servers."""
    context = _context(preview, page, message, channel, **more)
    if channel.guild_id is None:
        for text in _messages._message_texts(message, more.get("content", "")):
            for number in CHANNEL.findall(text):
                with suppress(BackendError):
                    context["channels"][number] = preview.env.backend.get_channel(int(number)).name
        context["channel_ids"] = list(context["channels"])
    return context


def _scan_stars(state: StateInline, start: int, can_split: bool) -> Scanned:
    """Let `*` begin and end bold beside any character but a space, as Discord does.

    CommonMark wants a space beside punctuation, which Chinese doesn't put there.
    """
    delimiters = _scan(state, start, can_split)
    if state.src[start] != "*":
        return delimiters
    end = start + delimiters.length
    before, after = state.src[max(0, start - 1) : start], state.src[end : end + 1]
    return Scanned(bool(after.strip()), bool(before.strip()), delimiters.length)


class _ParserCache:
    """Caches a parser for each policy; simcord makes one per text, which is most of a request's cost."""

    def __init__(self) -> None:
        self._cache: dict[tuple[Any, ...], tuple[Any, dict[str, Any]]] = {}

    def parser(self, policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
        """The parser for this policy, which looks names up in this context until the next call."""
        key = tuple(sorted(policy.items()))
        if key not in self._cache:
            names: dict[str, Any] = {}
            self._cache[key] = _new_parser(policy, names), names
        parser, names = self._cache[key]
        names.clear()
        names.update(context)
        return parser
