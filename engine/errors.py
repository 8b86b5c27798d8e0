"""The package's own exceptions.

HeartsError
├── Refusal       a request isn't allowed: an id and values, from which callers make a sentence
├── RecordError   a game record is faulty: where, and a sentence with its values
└── StorageError  the database can't be used: the reason, worded to follow a colon

The commands in engine/cli have two more, for their arguments and for their input.
"""

from typing import Any

from engine.languages import ENGLISH, Language
from engine.sentences import in_words, sentence

#: What both command lines say instead of running without checks that the tests ran with.
OPTIMIZED = (
    "Python's options -O and -OO take away checks and texts that this program needs. "
    "Run it without them, and without PYTHONOPTIMIZE."
)


class HeartsError(Exception):
    """The base of this package's own exceptions; any other exception is a bug."""


class Refusal(HeartsError):
    """A request that the rules or the table forbid; `str()` is a rule's English sentence, or a table's id.

    `values` are cards, suits, numbers, names, ids, the input `given`, or tuples of these, never phrases.
    """

    def __init__(self, id: str, **values: Any) -> None:
        super().__init__(id)
        self.id = id
        self.values = values

    def __str__(self) -> str:
        return sentence(self.id, self.values, ENGLISH)


class RecordError(HeartsError):
    """A faulty game record: `deal` counts from 1 and `play` from 0; None if the fault isn't in one.

    `values` fill the sentence's placeholders: quoted input, numbers and cards; `what`, the faulty part, as a
    phrase to be translated; and `reason`, a Refusal.
    """

    def __init__(
        self, sentence: str, /, deal: int | None = None, play: int | None = None, **values: Any
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.deal = deal
        self.play = play
        self.values = values

    def __str__(self) -> str:
        return self.told(ENGLISH)

    def told(self, language: Language) -> str:
        """The sentence in this language."""
        words = {name: _in_words(name, value, language) for name, value in self.values.items()}
        if "what" in words:
            words["what"] = language.say(words["what"], **words)
        return language.say(self.sentence, **words)


def _in_words(name: str, value: Any, language: Language) -> str:
    if isinstance(value, Refusal):
        return language.after_colon(sentence(value.id, value.values, language))
    return value if isinstance(value, str) else in_words(name, value, language)


class StorageError(HeartsError):
    """Why a database can't be opened, claimed or copied, in words for the bot's operator."""
