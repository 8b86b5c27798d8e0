"""The options of a new table, from `/hearts new` or from a button that repeats them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any, Self

from bot.vocabulary.controls import TABLES, THREADS, Action, Where, Who, filled
from engine.errors import Refusal
from engine.languages import LANGUAGES
from engine.players import Strength
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed
from engine.tables import Pace

#: The number of players unless another is chosen, in games that allow it.
USUAL_PLAYERS = 4

#: By a refusal's id, the changes to a request with which the table can be opened instead.
WITHOUT: dict[str, dict[str, Any]] = {
    "house_names_game": {"game": None},
    "no_room_for_option": {"jack_of_diamonds": None},
    "no_threads_here": {},
    **{id: {"starts_at": None} for id in ("no_such_time", "start_past", "start_too_soon", "start_too_late")},
}


class Jack(Enum):
    """Whether the jack of diamonds takes ten points off."""

    USUAL = "usual"
    YES = "yes"
    NO = "no"

    @classmethod
    def of(cls, choice: bool | None) -> Self:
        """The member for True or False; None leaves it to the game."""
        return cls({None: "usual", True: "yes", False: "no"}[choice])

    @property
    def is_worth_ten(self) -> bool | None:
        """True or False; None leaves it to the game."""
        return {"usual": None, "yes": True, "no": False}[self.value]


def _game(text: str) -> str:
    if text and text not in PRESETS:
        raise ValueError(text)
    return text


def _language(text: str) -> str:
    if text and text not in LANGUAGES:
        raise ValueError(text)
    return text


class Open(Action):
    """Open a table with options of `/hearts new`; an option that wasn't chosen is empty or 0."""

    game: Annotated[str, _game]
    players: int
    strength: Strength
    pace: Pace
    jack: Jack
    ends_at: int


class OpenAlone(Open, verb="alone", who=Who.PLAYER, where=Where.ALONE, private=True, cost=TABLES):
    """Give up this table alone, and open another one."""


class OpenWhole(Open):
    """Open a table with all options that a server offers."""

    language: Annotated[str, _language]
    starts_at: int  # in minutes since 1970
    house: str  # in up to 40 characters, of which some may be colons

    @classmethod
    def read(cls, texts: Sequence[str]) -> Self:
        """The action with these fields; further texts belong to the last field."""
        return filled(cls, [*texts[:9], ":".join(texts[9:])] if len(texts) > 9 else texts)


class OpenThread(
    OpenWhole, verb="thread", who=Who.ANYONE, where=Where.SERVER, private=True, posts=True, cost=THREADS
):
    """Open a table in a thread of its own."""


class OpenHere(
    OpenWhole, verb="open", who=Who.ANYONE, where=Where.ANYWHERE, private=True, posts=True, cost=TABLES
):
    """Open a table like `/hearts new`, in place of one that was refused."""


@dataclass(frozen=True, slots=True)
class TableRequest:
    """The options of `/hearts new`; None for the usual value. A table alone has none of the last three."""

    game: str | None = None
    players: int | None = None
    computers: Strength = Strength.MEDIUM
    jack_of_diamonds: bool | None = None
    ends_at: int | None = None
    pace: Pace = Pace.NONE
    house: str | None = None  # the name of house rules
    language: str | None = None  # its code
    starts_at: float | None = None  # when the game starts by itself (seconds since 1970)

    @property
    def rules(self) -> Ruleset:
        """The rules of the table; Refusal if the options contradict each other."""
        game = self.game or _usual_game(self.players or USUAL_PLAYERS)
        return self.applied_to(Ruleset.of(game, self.players or _usual_players(game)))

    def applied_to(self, rules: Ruleset) -> Ruleset:
        """These rules with the chosen options, other than the game; Refusal if an option doesn't fit them."""
        chosen = {"jack_of_diamonds": self.jack_of_diamonds, "ends_at": self.ends_at}
        options: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
        return changed(rules, options, self.players)

    def alone(self, instead_of: int) -> OpenAlone:
        """A control that gives up the table alone with this id, and opens the requested one."""
        return OpenAlone(instead_of, *self._fields)

    @property
    def in_thread(self) -> OpenThread:
        """A control that opens the requested table in a thread."""
        return OpenThread(0, *self._fields, *self._more_fields)

    @property
    def here(self) -> OpenHere:
        """A control that opens the requested table where it is pressed."""
        return OpenHere(0, *self._fields, *self._more_fields)

    def instead(self, refusal: Refusal) -> Refusal:
        """The refusal of this table with a control that opens a possible one, if there is such a table."""
        change = WITHOUT.get(refusal.id)
        if refusal.id == "players" and self.players and not self.house:
            change = {"game": _usual_game(self.players)}
        if change is None:
            return refusal
        return Refusal(refusal.id, **refusal.values, instead=replace(self, **change).here)

    @property
    def _more_fields(self) -> tuple[str, int, str]:
        return self.language or "", int(self.starts_at or 0) // 60, self.house or ""

    @property
    def _fields(self) -> tuple[str, int, Strength, Pace, Jack, int]:
        jack = Jack.of(self.jack_of_diamonds)
        return self.game or "", self.players or 0, self.computers, self.pace, jack, self.ends_at or 0

    @classmethod
    def of(cls, action: Open) -> Self:
        """The request that this control repeats."""
        jack, total = action.jack.is_worth_ten, action.ends_at or None
        request = cls(action.game or None, action.players or None, action.strength, jack, total, action.pace)
        if not isinstance(action, OpenWhole):
            return request
        starts_at = 60.0 * action.starts_at or None
        return replace(
            request, house=action.house or None, language=action.language or None, starts_at=starts_at
        )


def _usual_game(players: int) -> str:
    """The first game for this number of players, used if none is chosen."""
    return next(preset.name for preset in PRESETS.values() if players in preset.players)


def _usual_players(game: str) -> int:
    possible = PRESETS[game].players
    return USUAL_PLAYERS if USUAL_PLAYERS in possible else possible[0]
