"""What each button, select and form does: a frozen class for each verb, and its custom id.

A custom id is `hearts:VERB:TABLE` and then the class's other fields in order, with colons between them. A
renderer writes one with `str(Join(table.id))`; `decode` reads it back for the handler. Messages that were
posted long ago hold custom ids too: a field that is added to a class needs a default.
"""

# Without `from __future__ import annotations`: fields are read by their annotations.

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import date
from enum import Enum
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, dataclass_transform, get_args, get_origin

from engine.players import Strength
from engine.rules.options import MoonChoice
from engine.storage.standings import Order, Period
from engine.tables import Motion

#: How all of our custom ids begin.
PREFIX = "hearts"
#: The largest number that SQLite can hold.
LARGEST_NUMBER = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Action:
    """What a control does, and at which table; 0 where no table is concerned."""

    verb: ClassVar[str]

    table: int

    def __str__(self) -> str:
        """Return the custom id; a field that is None is left out."""
        texts = [PREFIX, self.verb]
        for name in self.__match_args__:
            value = getattr(self, name)
            if value is not None:
                texts.append(str(value) if type(value) in (int, str) else _written(value))
        return ":".join(texts)

    @classmethod
    def read(cls, texts: Sequence[str]) -> Self:
        """The action with these fields; ValueError if they can't be read. More texts are ignored."""
        return _filled(cls, texts)


A = TypeVar("A", bound=Action)
#: The class of each verb.
VERBS: dict[str, type[Action]] = {}


def decode(custom_id: str) -> Action | None:
    """The action that a custom id names; None if no control of ours could have it."""
    prefix, verb, *texts = [*custom_id.split(":"), ""]
    if prefix != PREFIX or verb not in VERBS:
        return None
    try:
        return VERBS[verb].read(texts[:-1])
    except ValueError:
        return None


def number(text: str) -> int:
    """A number from 0 that a control holds; ValueError if none of ours could."""
    if not (text.isascii() and text.isdigit() and len(text) <= 19) or int(text) > LARGEST_NUMBER:
        raise ValueError(text)
    return int(text)


def iso_day(text: str) -> str:
    """A day such as `2026-11-22`; ValueError if it is none."""
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError(text)
    return text


def _filled(kind: type[A], texts: Sequence[str]) -> A:
    known = fields(kind)
    if len(texts) < sum(field.default is MISSING for field in known):
        raise ValueError(texts)
    return kind(*[_read(field.type, text) for field, text in zip(known, texts, strict=False)])


def _read(kind: Any, text: str) -> Any:
    """The value of this annotation that a custom id holds; ValueError if it can't be one."""
    if isinstance(kind, UnionType):  # with None
        return _read(get_args(kind)[0], text) if text else None
    origin = get_origin(kind)
    if origin is Annotated:
        return kind.__metadata__[0](text)
    if origin is tuple:
        return tuple(text.split("-"))
    if origin is Literal and text not in get_args(kind):
        raise ValueError(text)
    if kind is int:
        return number(text)
    return kind(text) if isinstance(kind, type) else text


def _written(value: Enum | tuple[str, ...]) -> str:
    return "-".join(value) if isinstance(value, tuple) else str(value.value)


@dataclass_transform(frozen_default=True)
def control(verb: str) -> Callable[[type[A]], type[A]]:
    """Make this a frozen dataclass whose custom ids have this verb."""

    def made(kind: type[A]) -> type[A]:
        kind = dataclass(frozen=True, slots=True)(kind)
        kind.verb = verb
        VERBS[verb] = kind
        return kind

    return made


Day = Annotated[str, iso_day]


# The lobby


@control("join")
class Join(Action):
    """Take a seat."""


@control("leave")
class Leave(Action):
    """Get up before the start."""


@control("computer")
class AddComputer(Action):
    """Seat a computer of this strength."""

    strength: Strength


@control("remove")
class RemoveComputer(Action):
    """Send the last computer away."""


@control("strength")
class ChangeStrength(Action):
    """Give all computers this strength."""

    strength: Strength


@control("ends")
class EndAt(Action):
    """Play to this total."""

    total: int


@control("start")
class Start(Action):
    """Deal."""


@control("rematch")
class Rematch(Action):
    """Open a lobby with the same rules and people."""


# The rules, and help


@control("rules")
class ShowRules(Action):
    """Show all rules of the table."""


@control("ask")
class OpenForm(Action):
    """Open the form of this name, in which the host changes rules."""

    form: str


@control("set")
class SendForm(Action):
    """Change the rules as that form says."""

    form: str


@control("learn")
class Learn(Action):
    """Open the first page of how to play."""


@control("page")
class LearnPage(Action):
    """Show this page (from 0) of how to play in the same message."""

    page: int


@control("commands")
class ListCommands(Action):
    """List every command."""


# A hand


@dataclass(frozen=True, slots=True)
class DealAction(Action):
    """What is done in one deal (from 1); nothing once another has begun."""

    deal: int


@control("hand")
class ShowHand(Action):
    """Show a player their hand, for them alone."""


@control("dm")
class PlayByDm(DealAction):
    """Send the hand of a daily game by DM."""


@control("pick")
class PickCard(DealAction):
    """Pick the card at this place in the hand (from 0), to pass it."""

    place: int


@control("unpick")
class PutBackCard(DealAction):
    """Put the card at this place back."""

    place: int


@control("pass")
class Pass(DealAction):
    """Pass the cards with these codes."""

    cards: tuple[str, ...]


@control("expose")
class AskToExpose(DealAction):
    """Ask whether this card is really to be exposed."""

    card: str


@control("lay")
class Expose(DealAction):
    """Expose this card."""

    card: str


@control("wait")
class DontExpose(DealAction):
    """Don't expose that card for now."""


@control("decline")
class Decline(DealAction):
    """Expose nothing more, after this number of cards that were exposed."""

    exposures: int


@control("play")
class Play(DealAction):
    """Play a card to the trick after this number of tricks; it is named by its slot, such as `QS.0`."""

    trick: int
    slot: str


@control("moon")
class ChooseMoon(DealAction):
    """Decide what a moon does."""

    choice: MoonChoice


@control("hint")
class GiveHint(DealAction):
    """Show what a strong player would do after this number of tricks."""

    trick: int


# A game that goes on


@control("back")
class ComeBack(Action):
    """Take one's seat back from the computer; with a deal, below the hand in it."""

    deal: int | None = None


@control("seat")
class AskForSeat(Action):
    """Take the one seat that is free, or ask which."""


@control("take")
class ChooseSeat(Action):
    """Take the seat that was chosen."""


@control("out")
class StayOut(Action):
    """Don't take that seat."""


@control("latecomers")
class ChangeLatecomers(Action):
    """Open the seats to latecomers, or close them."""

    seats: Literal["open", "closed"]


@control("retry")
class TryAgain(Action):
    """Go on with a paused game if its channel can be written to again."""


@control("stop")
class Stop(Action):
    """Stop the game at once."""


@control("keep")
class Keep(Action):
    """Don't stop the game."""


@control("propose")
class Propose(Action):
    """Ask everyone at the table to end the game in this way."""

    motion: Motion


@control("vote")
class AnswerVote(Action):
    """Answer the vote with this number."""

    vote: int
    answer: Literal["yes", "no"]


# What has been played


@control("watch")
class Watch(Action):
    """Show the last deal that is done."""


@control("look")
class Look(DealAction):
    """Show this deal in the same message."""


@control("check")
class CheckSeal(DealAction):
    """Show the cards and the salt of this deal."""


@control("review")
class ReviewDeal(DealAction):
    """Tell which of one's own moves in this deal cost most."""


@control("replay")
class Replay(Action):
    """Open the table's game card by card."""


@dataclass(frozen=True, slots=True)
class ReplayAction(Action):
    """What is done from a step of a deal in a replay; the file is 0 for a table's own game."""

    file: int
    deal: int
    step: int


@control("step")
class ShowStep(ReplayAction):
    """Show this step; the slot tells two buttons apart that lead to the same one."""

    slot: int | None = None


@control("deals")
class ChooseDeal(ReplayAction):
    """Show the deal that was chosen as it was dealt, or more of the list."""


@control("costly")
class Judge(ReplayAction):
    """Tell which moves of the chosen player cost most in the deal that is shown."""


# Standings


@control("board")
class ShowBoard(Action):
    """Show a page (from 0) of a leaderboard; `control` tells it from others that show the same.

    A select has None for `kind` and `players`: each of its choices names them.
    """

    kind: str | None
    players: str | None
    order: Order
    period: Period
    page: int
    control: str | None = None

    @classmethod
    def read(cls, texts: Sequence[str]) -> Self:
        """The same; a select's custom id has neither kind nor players."""
        return _filled(cls, texts if len(texts) > 4 else [*texts[:1], "", "", *texts[1:]])


@control("career")
class ShowCareer(Action):
    """Show the chosen game in somebody's statistics, or head to head with a rival (0 for none)."""

    person: int
    rival: int


# The daily deal


@control("daily")
class PlayDaily(Action):
    """Play today's deals, or see how that went."""


@control("finish")
class FinishDaily(Action):
    """Go on with the game of an earlier day."""


@control("anew")
class PlayTodays(Action):
    """Give up the game of this earlier day and play today's."""

    day: Day


@control("day")
class ShowDay(Action):
    """Show how this day went."""

    day: Day


@control("dealt")
class ShowDailyDeal(Action):
    """Show the cards of a deal (from 1) of this day."""

    day: Day
    deal: int


@control("share")
class Share(Action):
    """Post the result of this day."""

    day: Day


@control("mornings")
class StopPosting(Action):
    """Stop posting the daily deal here."""


# A person


@control("prefer")
class Prefer(Action):
    """Store the preferences that the form says."""


@control("forget")
class DeleteData(Action):
    """Delete everything stored about the person."""


@control("remember")
class KeepData(Action):
    """Delete nothing."""
