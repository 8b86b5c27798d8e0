"""Fields of forms that offer a choice: what their values mean, and what they are called.

A renderer shows a field with `pick`, and a handler reads it with `Click.chosen`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from bot.vocabulary.messages import Choice, ChoiceField
from engine.errors import Refusal
from engine.languages import LANGUAGES, Language

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
#: A marked sentence, or a function that returns one in a language.
Said = str | Callable[[Language], str]


@dataclass(frozen=True)
class Field(Generic[T]):
    """A field with choices: `values` has the meaning, label and hint of each value, in order."""

    name: str
    title: Said
    values: Mapping[str, tuple[T, Said, Said | None]]
    hint: Said | None = None

    def pick(self, now: T, language: Language) -> ChoiceField:
        """The field for a form, with the current choice preselected."""
        choices = [
            Choice(_say(label, language), value, meaning == now, hint and _say(hint, language))
            for value, (meaning, label, hint) in self.values.items()
        ]
        title, hint = _say(self.title, language), self.hint and _say(self.hint, language)
        return ChoiceField(self.name, title, tuple(choices), hint)

    def meaning(self, value: str) -> T:
        """The meaning of this value; Refusal if the field doesn't offer it."""
        if value not in self.values:
            raise Refusal("stale")
        return self.values[value][0]


def enum_field(
    name: str, title: Said, labels: Mapping[E, Said | tuple[Said, Said]], hint: Said | None = None
) -> Field[E]:
    """A field whose choices are members of an enumeration, each with a label and perhaps a hint."""
    values = {
        str(member.value): (member, *(words if isinstance(words, tuple) else (words, None)))
        for member, words in labels.items()
    }
    return Field(name, title, values, hint)


def language_field(name: str, title: Said, as_usual: Said, hint: Said) -> Field[Language | None]:
    """A field for a language; the choice labelled `as_usual` is None, which follows Discord's language."""
    usual: dict[str, tuple[Language | None, Said, Said | None]] = {"discord": (None, as_usual, None)}
    return Field(name, title, usual | _named(), hint)


def posts_language_field(name: str, title: Said, hint: Said) -> Field[Language]:
    """A field for the language of posts, without a choice that follows Discord."""
    return Field(name, title, _named(), hint)


def _named() -> dict[str, tuple[Language, Said, Said | None]]:
    """Every language under its own name."""
    return {code: (one, as_it_is(one.name), None) for code, one in LANGUAGES.items()}


def as_it_is(text: str) -> Callable[[Language], str]:
    """A text that is the same in every language, such as letters and signs."""
    return lambda language: text


def _say(words: Said, language: Language) -> str:
    return language.say(words) if isinstance(words, str) else words(language)
