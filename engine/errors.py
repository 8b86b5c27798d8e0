"""The package's own exceptions.

HeartsError
├── Refusal       a request isn't allowed: an id and values, from which callers make a sentence
├── RecordError   a game record is faulty: where, and a sentence
└── StorageError  the database can't be used: what is wrong with it, to follow a colon

The commands in engine/cli have two more for their arguments and their input.
"""

from __future__ import annotations

from typing import Any

from engine.languages import ENGLISH
from engine.sentences import sentence


class HeartsError(Exception):
    """The base of this package's own exceptions; any other exception is a bug."""


class Refusal(HeartsError):
    """A request that the rules or the table forbid; `str()` is an English sentence if the rules do.

    `values` are cards, suits, numbers, names, ids, the input `given`, or tuples of these: never words.
    """

    def __init__(self, id: str, **values: Any) -> None:
        super().__init__(id)
        self.id = id
        self.values = values

    def __str__(self) -> str:
        return sentence(self.id, self.values, ENGLISH)


class RecordError(HeartsError):
    """A faulty game record: `deal` counts from 1 and `play` from 0; None if the fault isn't in one."""

    def __init__(self, sentence: str, deal: int | None = None, play: int | None = None) -> None:
        super().__init__(sentence)
        self.deal = deal
        self.play = play


class StorageError(HeartsError):
    """Why a database can't be opened, claimed or copied, in words for the bot's operator."""
