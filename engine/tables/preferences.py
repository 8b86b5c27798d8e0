"""Players' preferences, which hold at all tables, and the languages they read."""

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
    """The turns for which a player is mentioned in the channel."""

    ALWAYS = "always"
    LATE = "late"
    NEVER = "never"


class Forced(Enum):
    """The forced cards of a player that play themselves."""

    KNOWN = "known"  # the lead of the opening card and a hand's last: everyone knows that they are forced
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Preference:
    """What one player prefers; the defaults are for players who have chosen nothing."""

    calls: Calls = Calls.LATE
    forced: Forced = Forced.KNOWN
    language: Language | None = None  # None for that of their locale
    may_be_invited: bool = True  # to tables, by others
    zone: str | None = None  # the name of their time zone; None until they choose one
    taps_twice: bool = False  # has to tap twice to play a card
    faces: Faces = USUAL_FACES  # of the cards in their hand
    suits: tuple[Suit, ...] = tuple(Suit)  # in the order of their hand

    @property
    def takes_invitations(self) -> bool:
        """Whether others may invite them, which takes a mention."""
        return self.may_be_invited and self.calls is not Calls.NEVER


#: The preferences of players who have chosen nothing.
NO_PREFERENCE = Preference()


def _preference(stored: StoredPreference) -> Preference:
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
    """Everyone's preferences: stored, and held in memory, as they are needed for every card.

    It also has the locales of people who have had a seat, at a table or in a daily deal.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._of: dict[int, Preference] = {}
        self._locales: dict[int, str] = {}
        self._arriving: dict[int, str] = {}  # of people whose seat is still being saved

    async def load(self) -> None:
        """Read everyone's preferences and locales."""
        self._of = {one.person: _preference(one) for one in await every_preference(self._database)}
        self._locales = dict(await every_locale(self._database))

    def of(self, person: int) -> Preference:
        """This person's preferences."""
        return self._of.get(person, NO_PREFERENCE)

    def chosen_language(self, person: int) -> Language | None:
        """The language that this person has chosen; None for that of their locale."""
        return self.of(person).language

    def language_of(self, person: int, otherwise: Language) -> Language:
        """The language this person reads: the chosen one, that of their locale, or else `otherwise`."""
        if chosen := self.chosen_language(person):
            return chosen
        locale = self._locales.get(person) or self._arriving.get(person)
        return by_locale(locale) if locale else otherwise

    def told_to(self, person: int, table: T) -> T:
        """The table in this person's language, for their private messages."""
        return table.in_language(self.language_of(person, table.language).in_private(table.language))

    async def put(self, person: int, preference: Preference) -> None:
        """Store this person's preferences; Refusal if they can't be saved."""
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
        """Use this person's locale while they are being seated in this block, and store it afterwards."""
        if person.locale:
            self._arriving[person.id] = person.locale
        try:
            yield
        finally:
            self._arriving.pop(person.id, None)
        if person.locale and self._locales.get(person.id) != person.locale:
            self._locales[person.id] = person.locale
            with suppress(Refusal):  # they have their seat, and the locale can be stored another time
                await put_locale(self._database, person.id, person.locale)

    async def update_locale(self, person: Person) -> None:
        """Store a person's locale if it has changed; does nothing unless one is stored."""
        stored = self._locales.get(person.id)
        if stored and person.locale and stored != person.locale:
            self._locales[person.id] = person.locale
            with suppress(Refusal):  # it holds at least until the next start
                await change_locale(self._database, person.id, person.locale)

    def forget(self, person: int) -> None:
        """Forget this person in memory; `engine.storage.privacy` deletes what is stored."""
        self._of.pop(person, None)
        self._locales.pop(person, None)
