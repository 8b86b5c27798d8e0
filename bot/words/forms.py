"""Fields of forms in which one thing is chosen: what the values mean, and how they are said.

A renderer makes the field with `pick`, a handler reads it with `Click.chosen`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from bot.vocabulary.messages import Choice, ChoiceField
from engine.errors import Refusal
from engine.languages import LANGUAGES, Language

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
#: A marked sentence, or what says one in a language.
Said = str | Callable[[Language], str]


@dataclass(frozen=True)
class Field(Generic[T]):
    """A field by this name; `values` has the choices in order, with the meaning, label and hint of each."""

    name: str
    title: Said
    values: Mapping[str, tuple[T, Said, Said | None]]
    hint: Said | None = None

    def pick(self, now: T, language: Language) -> ChoiceField:
        """The field as it is asked for, with what holds now filled in."""
        choices = [
            Choice(_say(label, language), value, meaning == now, hint and _say(hint, language))
            for value, (meaning, label, hint) in self.values.items()
        ]
        title, hint = _say(self.title, language), self.hint and _say(self.hint, language)
        return ChoiceField(self.name, title, tuple(choices), hint)

    def meaning(self, value: str) -> T:
        """What this value stands for; Refusal if the field has none like it."""
        if value not in self.values:
            raise Refusal("stale")
        return self.values[value][0]


def enum_field(
    name: str, title: Said, labels: Mapping[E, Said | tuple[Said, Said]], hint: Said | None = None
) -> Field[E]:
    """A field whose choices are members of an enumeration, each with a label and perhaps a hint."""
    said = {one: words if isinstance(words, tuple) else (words, None) for one, words in labels.items()}
    return Field(name, title, {str(one.value): (one, *words) for one, words in said.items()}, hint)


def language_field(name: str, title: Said, as_usual: Said, hint: Said) -> Field[Language | None]:
    """A field for a language; None follows what Discord says, whose label is `as_usual`."""
    usual: dict[str, tuple[Language | None, Said, Said | None]] = {"discord": (None, as_usual, None)}
    return Field(name, title, usual | _named(), hint)


def posts_language_field(name: str, title: Said, hint: Said) -> Field[Language]:
    """A field for the language of what everyone reads, which is always a certain one."""
    return Field(name, title, _named(), hint)


def _named() -> dict[str, tuple[Language, Said, Said | None]]:
    """Every language under its own name."""
    return {code: (one, as_it_is(one.name), None) for code, one in LANGUAGES.items()}


def as_it_is(text: str) -> Callable[[Language], str]:
    """What is said alike in every language, such as letters and signs."""
    return lambda language: text


def _say(words: Said, language: Language) -> str:
    return language.say(words) if isinstance(words, str) else words(language)
