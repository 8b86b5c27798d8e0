"""The messages that show players their hands by DM."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from typing import Any

import discord

from bot.components import layout
from bot.delivery.places import Place, Places, Shown, nonce
from bot.delivery.posts import NOBODY, Posts, Troubled
from bot.faults import NETWORK, Fault, fault_of
from bot.lanes import Lane, drop
from bot.messages import Colour, Whisper

Interaction = discord.Interaction[Any]
#: A table, and one of its players.
Mine = tuple[int, int]
log = logging.getLogger(__name__)


class Dms:
    """A lane for each player of each table."""

    def __init__(self, client: discord.Client, places: Places, posts: Posts, troubled: Troubled) -> None:
        self._client = client
        self._places = places
        self._posts = posts
        self._troubled = troubled
        self._lanes: dict[Mine, Lane[Whisper]] = {}
        self._clicks: dict[Mine, Interaction] = {}
        self._refused: set[Mine] = set()

    def lane(self, table: int, person: int) -> Lane[Whisper]:
        """The lane of a player's DMs about this table."""
        mine = (table, person)
        if mine not in self._lanes:
            self._places.begin(*mine)
            self._lanes[mine] = Lane(
                f"table {table}, a DM", lambda key, whisper: self._paint(mine, key, whisper)
            )
        return self._lanes[mine]

    @property
    def lanes(self) -> list[Lane[Whisper]]:
        """All of them."""
        return list(self._lanes.values())

    def show(self, table: int, person: int, deal: int, whisper: Whisper) -> None:
        """Show a player their hand in this deal, unless they take no DMs."""
        if (table, person) in self._refused:
            return
        lane = self.lane(table, person)
        if self._places.looked_so(table, _part(_key(deal), person), whisper):
            lane.painted(_key(deal), whisper)
        else:
            lane.want(_key(deal), whisper, patience=whisper.patience)

    def offers(self, table: int, person: int, deal: int) -> bool:
        """Whether the DM of this deal still asks its player for something."""
        lane = self._lanes.get((table, person))
        shown = lane.shown.get(_key(deal)) if lane else None
        return shown is not None and shown.colour is Colour.TURN

    async def leave(self, table: int, person: int) -> None:
        """Send this person nothing more about the table, once what is on its way has arrived."""
        self._clicks.pop((table, person), None)
        if lane := self._lanes.pop((table, person), None):
            lane.hurry()
            await lane.idle()
            lane.close()

    def clicked(self, table: int, click: Interaction, deal: int, shown: Whisper) -> None:
        """A click was answered with this hand; for some minutes it can change it without the bot's token."""
        self._clicks[table, click.user.id] = click
        self.lane(table, click.user.id).painted(_key(deal), shown)

    def link(self, table: int, person: int, deal: int) -> str | None:
        """The address of the DM that shows this player's hand."""
        place = self._places.get(table, _part(_key(deal), person))
        return f"https://discord.com/channels/@me/{place[0]}/{place[1]}" if place else None

    async def greet(self, table: int, person: int, whisper: Whisper) -> bool:
        """Whether a DM to this player arrives."""
        self._refused.discard((table, person))
        try:
            await self._send(person, whisper, secrets.token_hex(12))
            return True
        except (discord.HTTPException, *NETWORK) as error:
            if fault_of(error) is Fault.DM_REFUSED:
                # Never tried again by itself: refusals in numbers get a bot banned.
                self._refused.add((table, person))
            else:
                log.warning("table %s: a first DM could not be sent: %s", table, error)
            return False

    @property
    def shown(self) -> Iterator[Shown]:
        """The DMs that are certain to look so."""
        for (table, person), lane in self._lanes.items():
            yield from ((table, _part(key, person), dm) for key, dm in lane.shown.items())

    async def forget(self, table: int) -> bool:
        """Once all is shown, drop the table's lanes; False if the bot stops before."""
        if not await drop(table, self._lanes, self._clicks):
            return False
        self._refused = {mine for mine in self._refused if mine[0] != table}
        return True

    async def _paint(self, mine: Mine, key: str, whisper: Whisper) -> None:
        try:
            place = self._places.get(mine[0], _part(key, mine[1]))
            if place is None or not await self._edit(mine, place, whisper):
                await self._send_hand(mine, key, whisper, place)
        except discord.HTTPException as error:
            if fault_of(error) in (Fault.DM_REFUSED, Fault.FORBIDDEN):
                self._refused.add(mine)
                self._troubled(mine[0], Fault.DM_REFUSED, mine[1])
            raise

    async def _edit(self, mine: Mine, place: Place, whisper: Whisper) -> bool:
        """Whether the DM is still there to be edited; through the player's last click where that serves."""
        click = self._click(mine)
        try:
            if click and click.message and click.message.id == place[1]:
                try:
                    await click.edit_original_response(view=layout(whisper))
                    return True
                except discord.HTTPException as error:
                    if fault_of(error) is not Fault.EXPIRED:
                        raise
                    del self._clicks[mine]
            message = self._client.get_partial_messageable(place[0]).get_partial_message(place[1])
            await message.edit(view=layout(whisper), allowed_mentions=NOBODY)
            return True
        except discord.HTTPException as error:
            if fault_of(error) is not Fault.MESSAGE_GONE:
                raise
            return False

    async def _send_hand(self, mine: Mine, key: str, whisper: Whisper, old: Place | None) -> None:
        table, person = mine
        await self._posts.idle(table)
        if self._posts.owes_new(table):
            raise TimeoutError("the seal of a deal lies open before its hands are sent")
        with self._places.sending(table, person) as is_doubtful:
            # A follow-up knows no nonce: what may have been sent before goes the way that does.
            sent = None if is_doubtful else await self._follow_up(mine, whisper)
            if sent is None:
                sent = await self._send(person, whisper, nonce(f"{table} {key} {person} {old}"))
            await self._places.put(table, _part(key, person), (sent.channel.id, sent.id))
            if is_doubtful:
                await sent.edit(view=layout(whisper), allowed_mentions=NOBODY)

    async def _follow_up(self, mine: Mine, whisper: Whisper) -> discord.Message | None:
        """A new DM through the player's last click, if that still serves."""
        click = self._click(mine)
        if click is None:
            return None
        try:
            return await click.followup.send(view=layout(whisper), wait=True, allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            if fault_of(error) is not Fault.EXPIRED:
                raise
            del self._clicks[mine]
            return None

    async def _send(self, person: int, whisper: Whisper, nonce: str) -> discord.Message:
        dm = await self._client.create_dm(discord.Object(person))
        return await dm.send(view=layout(whisper), allowed_mentions=NOBODY, nonce=nonce)

    def _click(self, mine: Mine) -> Interaction | None:
        """The player's last click in a DM, as long as Discord takes it."""
        click = self._clicks.get(mine)
        return click if click and not click.is_expired() else None


def _key(deal: int) -> str:
    return f"hand{deal}"


def _part(key: str, person: int) -> str:
    return f"{key}:{person}"
