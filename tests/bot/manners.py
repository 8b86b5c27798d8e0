"""Checks for every message that the bot sends, in every test."""

import re
from collections.abc import Iterator
from typing import Any

from consent import intrusions
from openapi import Answer as Kind
from openapi import Request, walk
from seen import BUTTON, SEALED, TEXT, in_letters, plain
from server import Server

from engine.rules.presets import PRESETS

SENDS = re.compile(r"/channels/(\d+)/messages")
CALL = re.compile(r"<@(\d+)>")
TURN = re.compile(r"<@\d+>, it's your turn\.")
#: How other posts begin that may mention people: reminders, questions, invitations, a round's seats.
REASON = re.compile(
    r"⏰ .+ the table is waiting for you|👋 .+ it's still yours if you come back|### End this game\?"
    r"|### ♥ (?:An invitation|Players wanted): |### 🏆 Round \d+ of \d+: your tables"
    r"|🕗 .+: the (?:game starts <t:\d+:R>\. Press I'm here|tournament starts <t:\d+:R>\.)"
)
HAND = re.compile(r"^### Your hand · Deal (\d+)\n-# .+? in <#(\d+)>", re.MULTILINE)
ALONE = "alone with computers"
CARDS = re.compile(r"hearts:(?:pick|unpick|pass|expose|play|moon):")
AN_ID = re.compile(r"(?<!#)\b\d{15,}\b")  # a seal may begin with many digits
TITLES = [preset.title for preset in PRESETS.values()]


def lapses(server: Server) -> Iterator[str]:
    """Everything wrong with what the bot sent."""
    dms = set(server.env.backend.dm_channels.values())
    yield from _calls_left_over(server)
    yield from _hands_before_their_seals(server)
    yield from intrusions(server)
    for request in server.requests:
        message = message_of(request)
        if message is None:
            continue
        text = text_of(message)
        sends = SENDS.fullmatch(request.path) if request.method == "POST" else None
        is_post = sends is not None and int(sends[1]) not in dms
        yield from (f"{request}: {one}" for one in _pings(message, text, is_post=is_post))
        if match := AN_ID.search(CALL.sub("", text)):
            yield f"{request}: shows the id {match[0]}"
        if sends and int(sends[1]) in dms:
            yield from (f"{request}: {one}" for one in _dm(server, message, text))


def _pings(message: Any, text: str, *, is_post: bool) -> Iterator[str]:
    """A message notifies only players whose turn it is (in a post of its own), or who are reminded or asked.

    Others are invited or called; consent.py checks who may be. Players who left are reminded before someone
    else takes the seat, those in a lobby of its planned start.
    """
    mentions = message.get("allowed_mentions")
    if mentions is None and "edits" not in message:
        yield "could notify anybody"
        return
    if (mentions or {}).get("parse"):
        yield f"could notify {mentions['parse']}"
    users = [str(user) for user in (mentions or {}).get("users", ())]
    calls = CALL.findall(re.sub("```.*?```", "", text, flags=re.DOTALL))  # code blocks notify nobody
    if users != calls:
        yield f"notifies {users}, calls {calls}"
    is_public = is_post or "edits" in message  # an edit notifies nobody, whatever it says
    if calls and not (is_public and (TURN.fullmatch(text) or REASON.match(plain(text)))):
        yield "calls somebody, and is no call"


def _calls_left_over(server: Server) -> Iterator[str]:
    """Each channel has at most one mention, of a player whose turn it is there."""
    for channel, messages in server.env.backend.messages.items():
        texts = [text_of({"components": message.components}) for message in messages.values()]
        calls = [text for text in texts if TURN.fullmatch(text)]
        if len(calls) > 1:
            yield f"leaves calls in channel {channel}: {calls}"


def _hands_before_their_seals(server: Server) -> Iterator[str]:
    """Nobody sees a card of a deal before the post with its seal has been sent."""
    sealed: dict[str, set[str]] = {}
    for request in server.requests:
        message = message_of(request)
        if message is None:
            continue
        text, sends = text_of(message), SENDS.fullmatch(request.path)
        for deal, _ in SEALED.findall(text) if sends and request.method == "POST" else ():
            before = sealed.get(sends[1], set()) if deal != "1" else set()  # another game has started there
            sealed[sends[1]] = before | {deal}
        controls = [one for one in walk(message["components"]) if CARDS.match(str(one.get("custom_id")))]
        if controls and ALONE in text and "🔒 Seal" not in text:
            yield f"{request}: shows cards at a table alone without their seal"
        for deal, channel in HAND.findall(text) if controls else ():
            if deal not in sealed.get(channel, ()):
                yield f"{request}: shows cards of deal {deal}, whose seal is not posted"


def _dm(server: Server, message: Any, text: str) -> Iterator[str]:
    """Every DM names its table and links to its channel, except for the daily deal, which has none."""
    if re.search("[Dd]aily (?:deal|Hearts|Chinese Hearts)", text):
        return
    named = re.search(r"<#(\d+)>", text)
    if not named:
        yield f"a DM that names no channel: {text!r}"
        return
    if not any(f"{title} in <#{named[1]}>" in plain(text) for title in TITLES):
        yield f"a DM that does not name the game: {text!r}"
    urls = [one.get("url") for one in walk(message["components"]) if one.get("type") == BUTTON]
    if f"https://discord.com/channels/{server.guild.id}/{named[1]}" not in urls:
        yield f"a DM without a link to its table: {text!r}"


def message_of(request: Request) -> Any:
    """The message that this request sends or changes."""
    body = request.body if isinstance(request.body, dict) else {}
    if body.get("type") == Kind.MODAL and request.path.endswith("/callback"):
        return None  # a form isn't a message
    message = body.get("data") if request.path.endswith("/callback") else body
    if not isinstance(message, dict) or "components" not in message:
        return None
    return message | {"edits": True} if request.method == "PATCH" or body.get("type") == 7 else message


def text_of(message: Any) -> str:
    """A message's whole text."""
    found = (one["content"] for one in walk(message["components"]) if one.get("type") == TEXT)
    return in_letters("\n".join(found))
