"""What each player prefers, at all tables, and the language they read."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from engine.cards import USUAL_FACES, Faces, Letters, Suit
from engine.errors import Refusal
from engine.languages import Language, by_code, by_locale
from engine.storage.database import Database
from engine.storage.settings import (
    StoredPreference,
    change_locale,
    every_locale,
    every_preference,
    put_locale,
    put_preference,
)
from engine.tables.table import Person, TableInfo

log = logging.getLogger(__name__)
T = TypeVar("T", bound=TableInfo)


class Calls(Enum):
    """Which turns a player is mentioned for in the channel."""

    ALWAYS = "always"
    LATE = "late"
    NEVER = "never"


class Forced(Enum):
    """Which of a player's cards play themselves."""

    KNOWN = "known"  # the lead of the opening card and a hand's last: everybody knows that they are forced
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Preference:
    """What one player prefers; the defaults are for players who have chosen nothing."""

    calls: Calls = Calls.LATE
    forced: Forced = Forced.KNOWN
    language: Language | None = None  # None is that of their locale
    may_be_invited: bool = True  # to tables, by others
    zone: str | None = None  # the name of their time zone, once they have chosen it
    taps_twice: bool = False  # to play a card
    faces: Faces = USUAL_FACES  # of the cards in their hand
    suits: tuple[Suit, ...] = tuple(Suit)  # in the order in which their hand shows them

    @property
    def takes_invitations(self) -> bool:
        """Whether others may invite them, which is by a mention."""
        return self.may_be_invited and self.calls is not Calls.NEVER


#: What players prefer who have chosen nothing.
NO_PREFERENCE = Preference()


def _preference(stored: StoredPreference) -> Preference:
    """What is stored, as a value."""
    return Preference(
        Calls(stored.calls),
        Forced(stored.forced),
        None if stored.language is None else by_code(stored.language),
        stored.may_be_invited,
        stored.zone,
        stored.taps_twice,
        Faces(stored.two_colours, Letters(stored.letters)),
        tuple(map(Suit, stored.suits)),
    )


class Preferences:
    """Everybody's preferences: stored, and held in memory, as every card asks for them.

    The same goes for the locales of people who have had a seat, at a table or in a daily deal.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._of: dict[int, Preference] = {}
        self._locales: dict[int, str] = {}
        self._arriving: dict[int, str] = {}  # of people whose seat is still being saved

    async def load(self) -> None:
        """Read everybody's choices."""
        self._of = {one.person: _preference(one) for one in await every_preference(self._database)}
        self._locales = dict(await every_locale(self._database))

    def of(self, person: int) -> Preference:
        """What this person prefers."""
        return self._of.get(person, NO_PREFERENCE)

    def chosen_language(self, person: int) -> Language | None:
        """The language that this person has chosen; None for that of their locale."""
        return self.of(person).language

    def language_of(self, person: int, otherwise: Language) -> Language:
        """The language this person reads: as they chose, else as last seen, else this one."""
        if chosen := self.chosen_language(person):
            return chosen
        locale = self._locales.get(person) or self._arriving.get(person)
        return by_locale(locale) if locale else otherwise

    def told_to(self, person: int, table: T) -> T:
        """The table as this person is told of it, in their language."""
        return table.in_language(self.language_of(person, table.language).in_private(table.language))

    async def put(self, person: int, preference: Preference) -> None:
        """Store what this person prefers from now on; Refusal if it cannot be saved."""
        stored = StoredPreference(
            person,
            preference.calls.value,
            preference.forced.value,
            preference.language.code if preference.language else None,
            preference.may_be_invited,
            preference.zone,
            preference.taps_twice,
            preference.faces.two_colours,
            preference.faces.letters.value,
            "".join([suit.value for suit in preference.suits]),
        )
        await put_preference(self._database, stored)
        self._of[person] = preference

    @asynccontextmanager
    async def sitting_down(self, person: Person) -> AsyncIterator[None]:
        """Within, someone takes a seat: they read of it in their language; their locale is kept with it."""
        if person.locale:
            self._arriving[person.id] = person.locale
        try:
            yield
        finally:
            self._arriving.pop(person.id, None)
        if person.locale and self._locales.get(person.id) != person.locale:
            self._locales[person.id] = person.locale
            with suppress(Refusal):  # they have their seat, and can be asked again
                await put_locale(self._database, person.id, person.locale)

    async def heard(self, person: Person) -> None:
        """Notice that a person's locale has changed, if it is kept."""
        known = self._locales.get(person.id)
        if known and person.locale and known != person.locale:
            self._locales[person.id] = person.locale
            with suppress(Refusal):  # it counts until the next start at least
                await change_locale(self._database, person.id, person.locale)

    def forget(self, person: int) -> None:
        """Forget what is known of this person in memory; engine.storage.privacy deletes what is stored."""
        self._of.pop(person, None)
        self._locales.pop(person, None)
