"""Whatever becomes of a click or a command, whoever used it is told."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from bot.delivery import Reply
from bot.faults import NETWORK, Fault, fault_of
from bot.render.refusals import refused
from engine.errors import Refusal

log = logging.getLogger(__name__)

SORRY = "Something went wrong here. Nothing is lost: try again, or press **My hand** at the table."
#: The same where no table is concerned.
SORRY_ELSEWHERE = "Something went wrong here. Wait a little and try again."


@asynccontextmanager
async def answering(reply: Reply, doing: str, sorry: str) -> AsyncIterator[None]:
    """While this is done; a refusal is told in its own words, and after any other error that we are sorry."""
    with reply.in_time():
        try:
            yield
        except Exception as error:
            await answer_for(reply, error, doing, sorry)


async def answer_for(reply: Reply, error: Exception, doing: str, sorry: str) -> None:
    """Tell the person privately what this error means, and log what is not their own doing."""
    fault = fault_of(error)
    if fault is Fault.EXPIRED:
        # What was done is done and will be shown by other means; only this answer came too late.
        log.warning("%s was done, but could not be answered: %s", doing, error)
        return
    if fault is not Fault.OTHER:
        # Out of reach, or what was clicked, or its channel, was deleted at that moment.
        log.warning("%s: Discord did not do it: %s", doing, error)
    elif not isinstance(error, Refusal):
        log.error("%s failed", doing, exc_info=error)
    try:
        await reply.whisper(refused(error) if isinstance(error, Refusal) else sorry)
    except (discord.HTTPException, *NETWORK) as failed:
        log.warning("%s could not be answered: %s", doing, failed)
