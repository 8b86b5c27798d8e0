"""What went wrong with a request, in plain words."""

from __future__ import annotations

import asyncio

import discord

from bot.discord.faults import TooFast, refuses_emojis

#: By Discord's error code.
WORDS = {
    10003: "Discord doesn't know that channel",
    10008: "Discord doesn't know that message any more",
    10013: "Discord doesn't know that person",
    10015: "the click's token has expired",
    10062: "the answer to the click came too late: Discord waits three seconds",
    20028: "the channel's rate limit was hit",
    30046: "too many edits of a message that is over an hour old",
    40003: "DMs are being opened too fast. That's a limit on the bot and not a closed DM: try again later",
    40005: "the file is too large",
    40060: "the click was already answered. Is another program running with this token?",
    50001: "the bot can't see that channel",
    50007: "your DMs are closed to the bot, so hands would only come by My hand. "
    "The server's privacy settings let you allow DMs from its members",
    50013: "a permission is missing",
    50027: "the click's token has expired",
    50083: "the thread is archived",
    50278: "you and the bot share no server",
    160005: "the thread is locked",
}
#: By status, for other codes without a message.
STATUS = {
    401: "the token was refused",
    403: "it isn't allowed",
    404: "it doesn't exist",
    413: "it's too large",
    429: "too many requests",
}


def explain(error: BaseException) -> str:
    """A sentence about what this error means to the bot's operator, with Discord's code for it."""
    if isinstance(error, TooFast) and error.__cause__:  # the bot only needs to know when to try again
        return explain(error.__cause__)
    if isinstance(error, discord.HTTPException):
        return f"Refused: {_refusal(error)} ({_number(error)})."
    if isinstance(error, asyncio.TimeoutError):
        return "No answer came in time."
    if isinstance(error, discord.ConnectionClosed):
        return f"Discord closed the connection (code {error.code})."
    return f"No answer: {str(error) or type(error).__name__}."


def _refusal(error: discord.HTTPException) -> str:
    if refuses_emojis(error):
        return "an emoji that the application has"
    if error.code in WORDS:
        return WORDS[error.code]
    if error.status >= 500:
        return "an internal error of Discord"
    return " ".join(error.text.split()) or STATUS.get(error.status, "Discord doesn't say why")


def _number(error: discord.HTTPException) -> str:
    return f"status {error.status}" + (f", error {error.code}" if error.code else "")
