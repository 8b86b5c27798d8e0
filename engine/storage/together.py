"""Writes that are wanted at about the same time, committed together: each commit waits for the disk."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from engine.storage.sqlite_errors import is_lock

T = TypeVar("T")
#: Writes, and answers something; nothing of it stays where it raises.
Write = Callable[[sqlite3.Connection], Any]
#: `commit` or `commit_each`, and how the connection's thread is made to do that.
Commit = Callable[[sqlite3.Connection, Sequence[Write]], list[Any]]
Run = Callable[[Commit, Sequence[Write]], Awaitable[list[Any]]]


class Together:
    """Whatever is to be written by the time of a turn goes along with the first that has waited for it."""

    def __init__(self, in_turn: Callable[[], AbstractAsyncContextManager[None]], run: Run) -> None:
        self._in_turn = in_turn
        self._run = run
        self._waiting: list[tuple[Write, asyncio.Future[Any]]] = []
        self._committing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many wait for their common turn."""
        return len(self._waiting)

    async def write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """What this answers or raises; it is called once more if another that goes along raises."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if len(self._waiting) == 1:
            self._committing = asyncio.create_task(self._commit())
        return await done

    async def _commit(self) -> None:
        taken: list[tuple[Write, asyncio.Future[Any]]] = []
        try:
            async with self._in_turn():
                taken = self._take()
                answers = await self._answers([write for write, _ in taken])
        except Exception as error:
            taken = taken or self._take()
            answers = [error] * len(taken)
        for (_, done), answer in zip(taken, answers, strict=True):
            if done.done():  # who asked for it has gone away meanwhile
                continue
            if isinstance(answer, Exception):
                done.set_exception(answer)
            else:
                done.set_result(answer)

    def _take(self) -> list[tuple[Write, asyncio.Future[Any]]]:
        """Those that wait, but for those whose askers have gone away."""
        taken, self._waiting = self._waiting, []
        return [one for one in taken if not one[1].done()]

    async def _answers(self, writes: Sequence[Write]) -> list[Any]:
        try:
            return await self._run(commit, writes)
        except Exception as error:
            if len(writes) == 1 or (isinstance(error, sqlite3.Error) and is_lock(error)):
                raise
            return await self._run(commit_each, writes)


def commit(connection: sqlite3.Connection, writes: Sequence[Write]) -> list[Any]:
    """What each of these answers: all of them in one transaction, or nothing if one raises."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        answers = [write(connection) for write in writes]
        connection.execute("COMMIT")
    except BaseException:
        # Unlike ROLLBACK it does nothing where SQLite has rolled back by itself, as on a full disk.
        connection.rollback()
        raise
    return answers


def commit_each(connection: sqlite3.Connection, writes: Sequence[Write]) -> list[Any]:
    """What each of these answers or raises, in a transaction of its own."""
    answers: list[Any] = []
    for write in writes:
        try:
            answers += commit(connection, [write])
        except Exception as error:
            answers.append(error)
    return answers
