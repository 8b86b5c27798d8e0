"""Two frames for each person: the channel, and their DM with the bot, both shown by simcord's Preview."""

import asyncio
import os
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self
from zoneinfo import ZoneInfo

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, UserHandle
from simcord.preview import Preview

from bot.local.news import News
from bot.local.simulation import FrameServer, data_url, open_preview
from bot.local.world import CLOSED, INSTALLED, PEOPLE, World
from bot.pictures import avatar, emojis
from engine.languages import Language

#: The bot's avatar, shown in empty channels.
FACE = f'<img src="{data_url(avatar())}" alt="">'


@dataclass(frozen=True, slots=True)
class Frame:
    """A person's view of Discord; anyone with its address can act as that person."""

    class Kind(Enum):
        """What a frame shows."""

        CHANNEL = "channel"
        DM = "dm"

    kind: Kind
    url: str

    @property
    def origin(self) -> str:
        """Its server's address: `http://127.0.0.1:40000`."""
        return self.url.partition("/#")[0]


class Frames:
    """Serves all frames to this machine; only pages of the given origins may embed them.

    The channel's frame shows another channel instead if its address names one: `/?room=123`.
    """

    def __init__(self, world: World, origins: Sequence[str]) -> None:
        self.by_person: dict[str, tuple[Frame, Frame]] = {}
        self.turn = asyncio.Lock()  # held by each click, and by the clock
        self.news = News()
        self._world, self._framed_by = world, " ".join(origins)
        self._previews: dict[str, list[Preview]] = {person: [] for person in PEOPLE}
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for person, member, user in zip(PEOPLE, self._world.people, self._world.users, strict=True):
            channel = await self._preview(person, self._world.channel, member)
            dm = await self._preview(person, user.dm_channel, user)
            self.by_person[person] = Frame(Frame.Kind.CHANNEL, channel), Frame(Frame.Kind.DM, dm)
        self._open.callback(self.news.end)  # before the servers close, which wait for open requests
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    async def speak(self, whose: str, locale: str) -> None:
        """Set the language of a person's Discord or of the server; ValueError for an unknown one."""
        async with self.turn:
            self._world.speak(whose, locale)
            for preview in self._previews.get(whose, ()):
                preview.locale = locale  # for dates
        self.news.announce()

    async def _preview(self, person: str, channel: ChannelHandle, viewer: MemberActor | UserHandle) -> str:
        """Open a preview for this person, and return its address."""
        preview = self._world.env.preview(channel, viewers=[viewer], layout="channel", timezone=timezone())
        server = FrameServer(
            preview,
            self.news,
            self.turn,
            framed_by=self._framed_by,
            pictures={"face": avatar(), **emojis()},
            room=partial(self._world.room, person),
            empty=lambda room: self._empty(person, room or channel.id),
        )
        await open_preview(preview, server)
        self._open.push_async_callback(preview.close)
        self._previews[person].append(preview)
        return preview.url

    def _empty(self, person: str, channel: int) -> str:
        """What a person sees in a channel without messages, in the language of their Discord."""
        language = self._world.language_of(person)
        if channel == self._world.channel.id:
            return _channel(language)
        if channel == self._world.elsewhere.id:
            return _elsewhere(language, may_play=person == INSTALLED)
        if any(channel == user.dm_channel.id for user in self._world.users):
            return _closed_dm(language) if person == CLOSED else _dm(language)
        return f"<h2>{language.say('A thread')}</h2>"


def _channel(language: Language) -> str:
    return _page(
        language.say("Hearts"),
        language.say(
            "Play the Hearts family of card games here just as you would in Discord, with computers or with "
            "friends."
        ),
        language.say("Open a table"),
        language.say("Sends **/hearts new**. Then press **Start**: computers take the empty seats."),
        before=FACE,
    )


def _dm(language: Language) -> str:
    return _page(
        language.say("Your hand"),
        language.say("Your cards come here once they are dealt, in a direct message that only you see."),
        language.say("Play alone"),
        language.say("Sends **/hearts new** here, for you and computers."),
        kind="other",
    )


def _closed_dm(language: Language) -> str:
    shows = language.say("The button **My hand** at the table shows the cards, to {who} alone.", who=CLOSED)
    return _page(language.say("{who} takes no direct messages", who=CLOSED), shows)


def _elsewhere(language: Language, *, may_play: bool) -> str:
    if not may_play:
        text = language.say(
            "It doesn't have the bot, and you haven't added the app to your account, so you can't use its "
            "commands here. {who} can.",
            who=INSTALLED,
        )
        return _page(language.say("Another server"), text)
    return _page(
        language.say("Another server"),
        language.say(
            "It doesn't have the bot, but you have added the app to your account, so you can play here too."
        ),
        language.say("Open a table"),
        language.say("Sends **/hearts new**. Only you will see the table."),
        before=FACE,
    )


def _page(
    heading: str, text: str, button: str = "", small: str = "", *, before: str = "", kind: str = ""
) -> str:
    """The content of an empty channel, as HTML; the button runs the command that opens a table."""
    parts = [f"{before}<h2>{heading}</h2>", f"<p>{text}</p>"]
    if button:
        parts.append(f'<button type="button" data-run="/hearts new" class="{kind}">{button}</button>')
        parts.append(f"<small>{small}</small>")
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", "\n".join(parts))


def timezone() -> str:
    """The name of this machine's time zone from `TZ` or /etc/localtime, as Python can't tell it; else UTC."""
    link = str(Path("/etc/localtime").resolve()).partition("zoneinfo/")[2]
    for name in (os.environ.get("TZ", ""), link):
        try:
            return ZoneInfo(name).key
        except (ValueError, OSError, LookupError):
            continue
    return "UTC"
