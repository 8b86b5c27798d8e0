"""Ways in which Discord may differ from the simulation: each makes a Wire misbehave in one way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from simcord.backend.errors import BackendError
from wire import Call, Wire

Trick = Callable[[Wire], None]
MESSAGES, MESSAGE = r"/channels/\d+/messages", r"/channels/\d+/messages/\d+"
CALLBACK, UPDATE = r"/interactions/\d+/.*/callback", 7


def refuse(
    method: str, path: str, status: int, code: int, *, when: Callable[[Call], bool] = lambda call: True
) -> Trick:
    """Refuse requests like this."""
    return answer_oddly(method, path, BackendError(status, code, "No"), when=when)


def answer_oddly(
    method: str,
    path: str,
    answer: Exception,
    *,
    times: float = float("inf"),
    when: Callable[[Call], bool] = lambda call: True,
) -> Trick:
    """Answer requests like this with an error, a page, or half an answer, this many times."""

    def trick(wire: Wire) -> None:
        so_far = count(1)

        def before(call: Call) -> None:
            if call.matches(method, path) and when(call) and next(so_far) <= times:
                raise answer

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


def tell_of_application(**told: Any) -> Trick:
    """Change the application's settings in the developer portal."""
    return lambda wire: wire.application.update(told)


def answers(kind: int) -> Callable[[Call], bool]:
    """Whether a click is answered with this kind."""
    return lambda call: call.json["type"] == kind


def with_header(name: str, value: str) -> Trick:
    """Answers have this header."""
    return lambda wire: wire.before.append(lambda call: call.headers.update({name: value}))


def no_starts_left(wire: Wire) -> None:
    """The bot was started too often today."""
    wire.starts_left = 0
