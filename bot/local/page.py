"""Local mode's page: a tab for each person, with a frame for their DM and one for a channel."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from string import Template
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.local.frames import Frame
from bot.local.world import LOCALES, SERVER, World
from bot.pictures import avatar
from engine.languages import ENGLISH, N_, Language, by_locale

#: Sets the language of a person's Discord, or the server's.
Speak = Callable[[str, str], Awaitable[None]]
WEB = Path(__file__).parent / "web"
#: The page's files; nothing else is served.
FILES = {"page.css": "text/css", "page.js": "text/javascript"}
FACE = "face.png"
NEXT_PORTS = 100  # tried in turn if the port asked for is taken
TITLES = {
    Frame.Kind.CHANNEL: N_("The channel, as {who} sees it"),
    Frame.Kind.DM: N_("Direct messages from the bot to {who}"),
}


class Page:
    """Serves the page on this machine only, under a secret path and this machine's own names."""

    def __init__(self, port: int) -> None:
        self._port = self._port_asked_for = port
        self._secret = secrets.token_urlsafe(24)
        self._frames: Mapping[str, tuple[Frame, ...]] = {}
        self._world: World
        self._speak: Speak
        self._policy = ""
        app = web.Application(middlewares=[self._guarded])
        app.router.add_get("/{secret}/", self._index)
        app.router.add_get("/{secret}/threads", self._threads)
        app.router.add_get("/{secret}/{file}", self._file)
        app.router.add_post("/{secret}/language", self._choose_language)
        self._runner = web.AppRunner(app, access_log=None)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        for port in (*range(self._port_asked_for, min(self._port_asked_for + NEXT_PORTS, 65536)), 0):
            with suppress(OSError):
                await web.TCPSite(self._runner, "127.0.0.1", port).start()
                break
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()

    @property
    def origins(self) -> tuple[str, str]:
        """The origins at which a browser may open the page."""
        return f"http://127.0.0.1:{self._port}", f"http://localhost:{self._port}"

    @property
    def url(self) -> str:
        """The address to open; anyone who knows it can play."""
        return f"{self.origins[0]}/{self._secret}/"

    @property
    def busy_port(self) -> int | None:
        """The port asked for, if the page had to use another one."""
        return self._port_asked_for if self._port_asked_for not in (0, self._port) else None

    def show(self, frames: Mapping[str, tuple[Frame, ...]], world: World, speak: Speak) -> None:
        """Fill the page with each person's frames, and with switches for places and languages."""
        self._frames, self._world, self._speak = frames, world, speak
        origins = " ".join(frame.origin for both in frames.values() for frame in both)
        self._policy = (
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
            f"frame-src {origins}; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        # Check the host too: if another site's name resolved here, that site could read the page.
        hosts = {origin.removeprefix("http://") for origin in self.origins}
        secret = request.match_info.get("secret", "")
        if request.headers.get("Host") not in hosts or not secrets.compare_digest(secret, self._secret):
            raise web.HTTPNotFound
        answer = await handler(request)
        answer.headers.update(
            {
                "Cache-Control": "no-store",
                "Content-Security-Policy": self._policy,
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
            }
        )
        return answer

    async def _index(self, request: web.Request) -> web.Response:
        template = Template((WEB / "page.html").read_text("utf-8"))
        reader = accepted(request.headers.get("Accept-Language", ""))
        tabs = [f'<button type="button" data-person="{name}">{name}</button>' for name in self._frames]
        text = template.substitute(
            tabs="".join(tabs),
            languages="".join(_switch(reader, *whose) for whose in self._world.locales.items()),
            channel=self._world.channel.id,
            elsewhere=self._world.elsewhere.id,
            sections="".join(_section(reader, name, both) for name, both in self._frames.items()),
            language=reader.code,
            you_are=reader.say("You are"),
            language_lists=reader.say("Languages"),
            where=reader.say("Where you look"),
            other_server=reader.say("Another server"),
            seen=reader.say("{place}, as {who} sees it", place="{place}", who="{who}"),
            lost=reader.say("Local mode has ended. Start it again, and open the address that it prints."),
        )
        return web.Response(text=text, content_type="text/html")

    async def _threads(self, request: web.Request) -> web.Response:
        return web.json_response(
            [{"id": str(one.id), "name": one.name, "archived": one.archived} for one in self._world.threads]
        )

    async def _choose_language(self, request: web.Request) -> web.Response:
        fields = await request.post()
        try:
            await self._speak(str(fields["whose"]), str(fields["locale"]))
        except (KeyError, ValueError):
            raise web.HTTPBadRequest from None
        return web.Response(status=204)

    async def _file(self, request: web.Request) -> web.Response:
        name = request.match_info["file"]
        if name == FACE:
            return web.Response(body=avatar(), content_type="image/png")
        if name not in FILES:
            raise web.HTTPNotFound
        return web.Response(text=(WEB / name).read_text("utf-8"), content_type=FILES[name])


def accepted(header: str) -> Language:
    """The first language in a browser's `Accept-Language` header that the bot speaks, or English."""
    for one in header.split(","):
        locale = one.partition(";")[0].strip()
        language = by_locale(locale)
        if language is not ENGLISH or locale.startswith(ENGLISH.code):
            return language
    return ENGLISH


def _switch(reader: Language, whose: str, now: str) -> str:
    """The list that sets the language of one person's Discord, or of the server."""
    options = [
        f'<option value="{locale}"{" selected" * (locale == now)}>{by_locale(locale).name}</option>'
        for locale in LOCALES
    ]
    name, title = whose, reader.say("Language of {who}'s Discord", who=whose)
    if whose == SERVER:
        name, title = reader.say("the server"), reader.say("Language of the server")
    return (
        f'<label data-whose="{whose}" title="{title}"><span>{name}</span>'
        f'<select autocomplete="off">{"".join(options)}</select></label>'
    )


def _section(reader: Language, person: str, frames: tuple[Frame, ...]) -> str:
    inside = "".join(
        f'<iframe title="{reader.say(TITLES[frame.kind], who=person)}" '
        f'data-place="{frame.kind.value}" data-src="{frame.url}"></iframe>'
        for frame in frames
    )
    return f'<section data-person="{person}">{inside}</section>'
