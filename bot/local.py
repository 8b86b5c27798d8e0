"""Local mode: the real bot in a simulated Discord, played in a browser on this machine."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, cast
from unittest.mock import patch

import simcord
from discord.ext import commands
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError
from simcord.builders import ChannelHandle
from simcord.env import Env
from simcord.preview import Preview, _action_plans, _component_projection

PEOPLE = ("Ann", "Bo", "Cy", "Di")
TICK = 0.25  # seconds; others' moves show after this and the page's own half a second
GLANCE = 0.005  # seconds after which the simulation looks again whether a click is answered

log = logging.getLogger(__name__)


class PortTaken(Exception):
    """Says which setting chooses another port."""


def greeting(url: str) -> str:
    """What to tell whoever started local mode."""
    first, *others = PEOPLE
    return (
        f"Open {url}\n"
        f"You are {first}: type /hearts new in #hearts. Ctrl-C ends.\n"
        f"Be {', '.join(others)} under 'Viewing as', or in more windows of the same address."
    )


async def serve(bot: commands.AutoShardedBot, *, port: int, ready: Callable[[str], None]) -> None:
    """Play on this machine's port (0: any free one) until cancelled or ended in the page; closes the bot."""
    with _like_people_at_a_table():
        simulation = simcord.run(bot, check_errors=False)
        simulation._env.backend.clock._epoch = datetime.now(UTC)  # else every start is 2026-01-01
        async with simulation as env:
            try:
                channel, people = furnish(env)
                bot.owner_id = people[0].id  # so that somebody can try /hearts status
                page = env.preview(channel, viewers=people, layout="channel", port=port)
                with _taking_turns(page) as turn:
                    async with page:
                        ready(page.url)
                        await _keep_up(env, page, turn)
            except SetupError as problem:
                if not isinstance(problem.__cause__, OSError):
                    raise
                raise PortTaken(f"Port {port} is taken: choose another with HEARTS_LOCAL_PORT.") from None
            finally:
                await bot.close()


def furnish(env: Env) -> tuple[ChannelHandle, list[MemberActor]]:
    """A server with #hearts and four people; the first owns it. Their DMs are closed: the page shows none."""
    users = [env.create_user(name) for name in PEOPLE]
    guild = env.create_guild("Hearts", owner=users[0])
    for user in users:
        path = f"/channels/{user.dm_channel.id}/messages"
        env.inject_error("POST", path, status=403, code=50007, times=None)
    return guild.create_text_channel("hearts"), [guild.add_member(user) for user in users]


async def _keep_up(env: Env, page: Preview, turn: asyncio.Lock) -> None:
    """The simulated clock follows the real one, and the page follows the channel, until the page is ended."""
    began, first = time.perf_counter(), env.now()
    while True:
        try:
            async with asyncio.timeout(TICK):
                return await page.wait_closed()
        except TimeoutError:
            pass
        async with turn:
            try:
                # The bot's timers move that clock as well: add what is missing, not what was slept.
                missing = time.perf_counter() - began - (env.now() - first).total_seconds()
                await env.advance_time(max(0.0, missing))
                page.capture_time = env.now()  # what <t:...:R> counts from
                if env.backend.transcript:
                    env.backend.transcript.clear()
                    env.backend.http_requests.clear()
                    await page.refresh()
            except Exception:
                log.exception("Local mode stumbled and goes on.")


# From here on we reach into simcord, which is pinned to one version. It is made for tests, where one thing
# happens after another: it refuses what comes at the same time, or from a page older than the channel.


@contextmanager
def _taking_turns(page: Preview) -> Iterator[asyncio.Lock]:
    """Clicks wait for each other and for the clock, and may come from a page that is behind."""
    turn, act = asyncio.Lock(), page._action

    async def act_in_turn(context: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with turn:
            return await act(context, {**body, "published_revision": page._get_page(context).revision})

    with patch.object(page, "_action", act_in_turn):
        yield turn


@contextmanager
def _like_people_at_a_table() -> Iterator[None]:
    """A page may be behind, as a control is what its custom_id says, whichever card has its place by now.

    And a click is over when the bot has answered it, not when the timers that it set have run out: only
    our own moving of the clock lets them ring.
    """
    by_place = _component_projection._control_key

    def key(scope: str, component: Mapping[str, Any], place: str) -> str | None:
        name = component.get("custom_id") if scope.startswith("message:") else None
        return f"{scope}:component:{name}" if name else by_place(scope, component, place)

    def key_in_message(component: Mapping[str, Any], place: str, message: int) -> str | None:
        return key(f"message:{message}", component, place)

    with (
        patch.object(_component_projection, "_control_key", key),
        patch.object(_action_plans, "_component_key", key_in_message),
        patch.object(Env, "_schedule_timer", lambda *timer: None),
        patch.dict(cast(Any, Env._settle_internal).__kwdefaults__, idle=GLANCE),
    ):
        yield
