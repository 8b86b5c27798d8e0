"""The meaning of Discord's errors for us, by Discord's list of JSON error codes."""

import asyncio
from enum import Enum, auto

import aiohttp
import discord


class Fault(Enum):
    """The kinds of failed requests, by what we do about them."""

    LATER = auto()  # try again later: every error that Discord doesn't document as final
    DM_REFUSED = auto()  # this person takes no DMs from us: don't retry on our own
    FORBIDDEN = auto()  # we can't see the channel or write in it
    ARCHIVED = auto()  # an archived or locked thread: a new message unarchives it, if allowed
    CHANNEL_GONE = auto()
    MESSAGE_GONE = auto()  # deleted, or too old for so many edits: send a new one
    EXPIRED = auto()  # the click is too old, or already answered
    INVALID = auto()  # refused for its content, so it would be refused again
    OTHER = auto()  # a bug of ours, or a Refusal


#: The bot opens DMs too fast; comes with status 400, 403 or 429.
TOO_FAST = 40003
#: Discord doesn't accept a field, which the error names.
INVALID_FORM = 50035
#: The errors that Discord documents as final. For a moment, proxies between us and Discord may answer with
#: any status and no code, or with a code of their own (40333, 130000): those say nothing about the request.
FINAL = {
    10003: Fault.CHANNEL_GONE,
    10004: Fault.CHANNEL_GONE,  # unknown server
    10008: Fault.MESSAGE_GONE,
    30046: Fault.MESSAGE_GONE,  # too many edits of a message over an hour old
    50005: Fault.MESSAGE_GONE,  # another application's, from which the database came
    10015: Fault.EXPIRED,  # unknown webhook
    10062: Fault.EXPIRED,  # unknown interaction
    40060: Fault.EXPIRED,  # already acknowledged
    50027: Fault.EXPIRED,  # invalid webhook token
    50001: Fault.FORBIDDEN,  # missing access
    50008: Fault.FORBIDDEN,  # no text can be sent in this kind of channel
    50013: Fault.FORBIDDEN,  # missing permissions
    50083: Fault.ARCHIVED,
    160005: Fault.ARCHIVED,  # locked
    50007: Fault.DM_REFUSED,
    50278: Fault.DM_REFUSED,  # no server in common any more
    10013: Fault.DM_REFUSED,  # an account that no longer exists
    INVALID_FORM: Fault.INVALID,
    50006: Fault.INVALID,  # an empty message
    30008: Fault.INVALID,  # more emojis than an application may have
}
#: Nothing more can be sent there until someone changes something.
REFUSALS = (Fault.FORBIDDEN, Fault.ARCHIVED, Fault.CHANNEL_GONE, Fault.DM_REFUSED)
#: Errors about a file, where the same message without one may be accepted: explicit content, too large,
#: missing permissions, larger than we may send, invalid.
ABOUT_FILES = (20009, 40005, 50013, 50045, 50046)
#: The connection broke, or no answer came: Discord may or may not have done it.
NETWORK = (aiohttp.ClientError, asyncio.TimeoutError, OSError)


class Garbled(ConnectionError):
    """A web page, or part of a response, came with status 200: Discord may or may not have done it."""


class TooFast(TimeoutError):
    """No DM may be sent to this person for `retry_after` seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__("Discord lets bots open only a few DMs in a short time")
        self.retry_after = retry_after


class TooEarly(TimeoutError):
    """Another message has to be there first."""


def is_too_fast(error: discord.HTTPException) -> bool:
    """Whether Discord says that the bot opens DMs too fast."""
    return error.code == TOO_FAST


def fault_of(error: BaseException) -> Fault:
    """The fault behind a failed request."""
    if isinstance(error, discord.HTTPException):
        return FINAL.get(error.code, Fault.LATER)
    return Fault.LATER if isinstance(error, NETWORK) else Fault.OTHER


def leave_out_page(error: discord.HTTPException) -> None:
    """Shorten this error to its status and code if its text is a web page, which would fill the log."""
    if not error.code and "<" in error.text:
        error.text = ""
        error.args = (f"{error.status} without a code, and with a page",)


def may_refuse_files(error: discord.HTTPException) -> bool:
    """Whether Discord may accept the message without its files."""
    return error.status == 413 or error.code in ABOUT_FILES


def may_refuse_what_stays(error: discord.HTTPException) -> bool:
    """Whether an edit may have been refused because it showed a file without sending it again."""
    return error.status == 400 and error.code in (INVALID_FORM, *ABOUT_FILES)


def refuses_emojis(error: discord.HTTPException) -> bool:
    """Whether Discord didn't know an emoji."""
    return error.code == INVALID_FORM and "emoji" in error.text.lower()


def in_short(error: Exception) -> str:
    """The error in one line for the log, without the text of a web page."""
    if isinstance(error, discord.HTTPException):
        return f"status {error.status}, error code {error.code}"
    if isinstance(error, NETWORK) and str(error):
        return str(error)
    return " ".join([type(error).__name__, *str(error).splitlines()[:1]])
