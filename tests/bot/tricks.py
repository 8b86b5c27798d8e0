"""Ways in which Discord may differ from the simulation: each makes a Wire misbehave in one way."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any

from openapi import walk
from pages import Page
from simcord.backend.errors import BackendError
from wire import BUTTON, GALLERY, Call, Wire

Trick = Callable[[Wire], None]
MESSAGES, MESSAGE = r"/channels/\d+/messages", r"/channels/\d+/messages/\d+"
CALLBACK, ORIGINAL = r"/interactions/\d+/.*/callback", r"/webhooks/\d+/.*/messages/@original"
UPDATE, FORM = 7, 9
PRIVATE = 1 << 6


def refuse(
    method: str,
    path: str,
    status: int,
    code: int,
    message: str = "No",
    *,
    times: float = float("inf"),
    when: Callable[[Call], bool] = lambda call: True,
) -> Trick:
    """Refuse requests like this, this many times."""

    def trick(wire: Wire) -> None:
        so_far = count(1)

        def before(call: Call) -> None:
            if call.matches(method, path) and when(call) and next(so_far) <= times:
                raise BackendError(status, code, message)

        wire.before.append(before)

    return trick


def answer_oddly(method: str, path: str, page: Page, *, times: float = float("inf")) -> Trick:
    """Answer requests like this with a page, or with half an answer."""

    def trick(wire: Wire) -> None:
        so_far = count(1)

        def before(call: Call) -> None:
            if call.matches(method, path) and next(so_far) <= times:
                raise page

        wire.before.append(before)

    return trick


def lose_answer(method: str, path: str) -> Trick:
    """Carry out one request like this, and lose its answer."""

    def trick(wire: Wire) -> None:
        lost: list[Call] = []

        def after(call: Call, answer: Any) -> Any:
            if call.matches(method, path) and not lost:
                lost.append(call)
                raise ConnectionResetError
            return answer

        wire.after.append(after)

    return trick


def change(method: str, path: str, changed: Callable[[Any], Any]) -> Trick:
    """Change the answers to requests like this."""

    def trick(wire: Wire) -> None:
        wire.after.append(lambda call, answer: changed(answer) if call.matches(method, path) else answer)

    return trick


def allow(**permissions: bool) -> Trick:
    """Give the bot these permissions, or take them away."""
    return lambda wire: wire.permit(**permissions)


def tell_of_application(**told: Any) -> Trick:
    """Change the application's settings in the developer portal."""
    return lambda wire: wire.application.update(told)


def components(call: Call) -> list[Any]:
    """All components sent, including nested ones."""
    return list(walk(call.message.get("components") or ()))


def size(call: Call) -> int:
    """The bytes of its components."""
    return len(json.dumps(call.message.get("components") or (), ensure_ascii=False).encode())


def has_emoji(call: Call) -> bool:
    """Whether a button shows one."""
    return any(one.get("emoji") for one in components(call) if one.get("type") == BUTTON)


def answers(kind: int) -> Callable[[Call], bool]:
    """Whether a click is answered with this kind."""
    return lambda call: call.json["type"] == kind


def updates_take_files_away(wire: Wire) -> None:
    """6277: an update in answer to a click removes the files that it doesn't name."""

    def after(call: Call, answer: Any) -> Any:
        is_update = call.matches("POST", CALLBACK) and call.json["type"] == UPDATE
        if is_update and "attachments" not in (call.json.get("data") or {}):
            record = wire.backend.interactions[int(call.path.split("/")[2])]
            wire.backend.get_message(record.channel_id, record.source_message_id).attachments = []
        return answer

    wire.after.append(after)


def edits_take_files_away(wire: Wire) -> None:
    """Edits do the same."""

    def after(call: Call, answer: Any) -> Any:
        if call.matches("PATCH", MESSAGE) and "attachments" not in call.json:
            return without_pictures(answer)
        return answer

    wire.after.append(after)


def files_that_are_named_go(wire: Wire) -> None:
    """An edit replaces the files that it names by id with new ones."""

    def after(call: Call, answer: Any) -> Any:
        named = [one["id"] for one in (call.json or {}).get("attachments", ()) if "filename" not in one]
        if call.matches("PATCH", MESSAGE) and named:
            return json.loads(json.dumps(answer).replace(named[0], "77"))
        return answer

    wire.after.append(after)


def without_pictures(message: Any) -> Any:
    """The message with empty galleries."""
    told = json.loads(json.dumps(message))
    for one in walk(told["components"]):
        if one.get("type") == GALLERY:
            one["items"] = []
    return told


def not_private(answer: Any) -> Any:
    """The answer to a click, visible to everyone."""
    told = json.loads(json.dumps(answer))
    if message := told.get("resource", {}).get("message"):
        message["flags"] &= ~PRIVATE
    return told


def nonces_outlive_messages(wire: Wire) -> None:
    """6647: sending with the nonce of a deleted message fails as unknown."""

    def before(call: Call) -> None:
        known = wire.nonces.get((call.path, call.message.get("nonce", "")))
        if call.method == "POST" and known:
            wire.backend.get_message(int(call.path.split("/")[2]), known)

    wire.before.append(before)


def nonces_are_ignored(wire: Wire) -> None:
    """Each message is a new one."""
    wire.before.append(lambda call: wire.nonces.clear())


def nothing_is_deleted(wire: Wire) -> None:
    """Deleting a message succeeds, but the message stays."""
    delete = wire.backend.delete_message
    kept: set[int] = set()

    def once(channel: int, message: int) -> None:
        if message in kept:
            delete(channel, message)
        kept.add(message)

    wire.backend.delete_message = once  # type: ignore[method-assign]


def without_headers(wire: Wire) -> None:
    """Answers have no rate limit headers."""

    def before(call: Call) -> None:
        for name in list(call.headers):
            if name.startswith("X-RateLimit"):
                del call.headers[name]

    wire.before.append(before)


def with_header(name: str, value: str) -> Trick:
    """Answers have this header."""
    return lambda wire: wire.before.append(lambda call: call.headers.update({name: value}))


def threads_are_closed(code: int) -> Trick:
    """Refuse messages in threads: 50083 archived, 160005 locked."""

    def trick(wire: Wire) -> None:
        def before(call: Call) -> None:
            if call.matches("POST", MESSAGES) and int(call.path.split("/")[2]) != wire.channel:
                raise BackendError(400, code, "Thread is closed")

        wire.before.append(before)

    return trick


def no_starts_left(wire: Wire) -> None:
    """The bot was started too often today."""
    wire.starts_left = 0


def pictures_are_lost(wire: Wire) -> None:
    """Pictures' addresses lead nowhere."""
    wire.backend.cdn.get = lambda url: None  # type: ignore[method-assign]
