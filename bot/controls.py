"""What each button, select and form does: a frozen class for each verb, and its custom id.

Each class also says who may use it and where; `bot/interactions/access.py` checks that before the handler.

A custom id is `hearts:VERB:TABLE` and then the class's other fields in order, with colons between them. A
renderer writes one with `str(Join(table.id))`; `decode` reads it back for the handler. Messages that were
posted long ago hold custom ids too: a field that is added to a class needs a default.
"""

# Without `from __future__ import annotations`: fields are read by their annotations.

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import date
from enum import Enum, Flag, auto
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, dataclass_transform, get_args, get_origin

from engine.languages import LANGUAGES
from engine.players import Strength
from engine.rules.options import MoonChoice
from engine.rules.presets import PRESETS
from engine.storage.standings import Order, Period
from engine.tables import Pace

#: How all of our custom ids begin.
PREFIX = "hearts"
#: The largest number that SQLite can hold.
LARGEST_NUMBER = 2**63 - 1
#: The class of each verb.
VERBS: dict[str, "type[Action]"] = {}


class Who(Enum):
    """Who may use a control or command, of those who are in its place."""

    ANYONE = auto()
    HOLDER = auto()  # a player at the table, of whose cards it is a move
    PLAYER = auto()  # of the table: they play there, are about to, or did
    HOST = auto()  # of the table
    CHANNEL_MANAGER = auto()  # someone who may manage the channel
    TOURNAMENT_HOST = auto()  # of the tournament, or someone who may manage events
    MANAGER = auto()  # of the server


class Where(Flag):
    """Where a control or command may be used.

    Channels and DMs are a table's places: its people and everyone who can see them are in the server still.
    """

    CHANNEL = auto()  # the table's own channel or thread
    AROUND = auto()  # the channel around the thread that the table has of its own
    DM = auto()  # a DM with the bot, of someone who plays at the table, is about to, or did
    ALONE = auto()  # wherever someone sees their table alone
    DAILY = auto()  # wherever someone sees their daily game
    TOURNAMENT = auto()  # the tournament's channel and the threads in it
    SERVER = auto()  # any server that the bot is in, where no table is concerned
    ANYWHERE = auto()  # where no table is concerned


#: At a lobby; also where a game is played, or a seat in it taken; also in daily games.
LOBBY = Where.CHANNEL | Where.ALONE
GAME = LOBBY | Where.AROUND | Where.DM
SEATS = GAME & ~Where.ALONE
HAND = GAME | Where.DAILY


@dataclass(frozen=True, eq=False)
class Queue:
    """Requests for one resource: how many one person, and everyone together, may have under way."""

    each: int
    most: int


@dataclass(frozen=True, slots=True)
class Cost:
    """The queue that a request joins, and the points that it costs: `PAGES / 2` is half as dear as a page."""

    queue: Queue
    points: float

    def __mul__(self, times: float) -> "Cost":
        return Cost(self.queue, self.points * times)

    def __truediv__(self, times: float) -> "Cost":
        return Cost(self.queue, self.points / times)


#: Pages, read from the database: a tenth of a second each at worst.
PAGES = Cost(Queue(each=4, most=60), 1)
#: Games, loaded move by move: a second for the longest.
GAMES = Cost(Queue(each=2, most=10), 2)
#: Hints from a strong computer: about a second.
HINTS = Cost(Queue(each=2, most=20), 1)
#: Reviews of a whole deal, one after another: some ten seconds.
REVIEWS = Cost(Queue(each=1, most=10), 5)
#: Someone's stored data, exported or deleted.
EXPORTS = Cost(Queue(each=1, most=10), 8)
#: Tables, each of which is stored for a day at least.
TABLES = Cost(Queue(each=2, most=60), 3)
#: Threads, each of which everyone in a channel sees.
THREADS = Cost(Queue(each=1, most=20), 7)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a control or command, where, and at what cost; without one it costs next to nothing.

    A `private` control works only in a message that the person alone sees. What `posts` something for
    everyone asks for the permission to write there, and counts toward a limit. What is about one's
    `own_data` is open to people whom the operator has blocked too.
    """

    who: Who
    where: Where
    cost: Cost | None = None
    private: bool = False
    posts: bool = False
    own_data: bool = False


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Action:
    """What a control does, and at which table; 0 where no table is concerned. Subclasses are dataclasses."""

    verb: ClassVar[str]
    access: ClassVar[Access]
    lobby_only: ClassVar[bool] = False  # a private message with it is out of date once the lobby is over
    shows_game: ClassVar[bool] = False  # its message shows one's game at a table alone, and how that ended
    says_presence: ClassVar[bool] = False  # itself: else its use counts as such before a planned start
    table: int

    def __init_subclass__(
        cls,
        verb: str = "",
        who: Who | None = None,
        where: Where | None = None,
        *,
        cost: Cost | None = None,
        private: bool = False,
        posts: bool = False,
        own_data: bool = False,
        lobby_only: bool = False,
        shows_game: bool = False,
        says_presence: bool = False,
    ) -> None:
        dataclass(frozen=True)(cls)
        if not verb:
            return
        if who is None or where is None:
            raise TypeError(f"{cls.__name__} doesn't say who may use it, and where")
        cls.verb = verb
        cls.lobby_only = lobby_only
        cls.says_presence = says_presence
        cls.shows_game = shows_game or who is Who.HOLDER
        cls.access = Access(who, where, cost, private, posts, own_data)
        VERBS[verb] = cls

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


Day = Annotated[str, iso_day]


def _filled(kind: type[A], texts: Sequence[str]) -> A:
    known = fields(kind)
    if any(field.default is MISSING for field in known[len(texts) :]):
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


# The lobby


class Join(Action, verb="join", who=Who.ANYONE, where=Where.CHANNEL):
    """Take a seat."""


class Leave(Action, verb="leave", who=Who.PLAYER, where=Where.CHANNEL):
    """Get up before the start."""


class AddComputer(Action, verb="computer", who=Who.HOST, where=LOBBY, private=True, lobby_only=True):
    """Seat a computer of this strength."""

    strength: Strength


class RemoveComputer(Action, verb="remove", who=Who.HOST, where=LOBBY, private=True, lobby_only=True):
    """Send the last computer away."""


class ChangeStrength(Action, verb="strength", who=Who.HOST, where=LOBBY, private=True, lobby_only=True):
    """Give all computers this strength."""

    strength: Strength


class Start(Action, verb="start", who=Who.HOST, where=LOBBY, shows_game=True):
    """Deal."""


class JoinInThread(Action, verb="enter", who=Who.ANYONE, where=Where.CHANNEL | Where.AROUND):
    """Take a seat at the table in the thread of the message with the button."""


# A table to be opened


class Jack(Enum):
    """Whether the jack of diamonds takes ten points off."""

    USUAL = "usual"
    YES = "yes"
    NO = "no"

    @classmethod
    def of(cls, wanted: bool | None) -> Self:
        """As somebody has chosen; None for what is usual."""
        return cls({None: "usual", True: "yes", False: "no"}[wanted])

    @property
    def is_worth_ten(self) -> bool | None:
        """The same the other way round."""
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
    """Open a table with options of /hearts new; empty or 0 where one was not given."""

    game: Annotated[str, _game]
    players: int
    strength: Strength
    pace: Pace
    jack: Jack
    ends_at: int


class OpenAlone(Open, verb="alone", who=Who.PLAYER, where=Where.ALONE, private=True, cost=TABLES):
    """Give up this table alone, and open another."""


class OpenWhole(Open):
    """With all that can be chosen in a server."""

    language: Annotated[str, _language]
    starts_at: int  # in minutes since 1970
    house: str  # in up to 40 characters, of which some may be colons

    @classmethod
    def read(cls, texts: Sequence[str]) -> Self:
        """The same; the last field has all that is left."""
        return _filled(cls, [*texts[:9], ":".join(texts[9:])] if len(texts) > 9 else texts)


class OpenThread(
    OpenWhole, verb="thread", who=Who.ANYONE, where=Where.SERVER, private=True, posts=True, cost=THREADS
):
    """Open a table in a thread of its own."""


class OpenHere(
    OpenWhole, verb="open", who=Who.ANYONE, where=Where.ANYWHERE, private=True, posts=True, cost=TABLES
):
    """Open a table as `/hearts new` does, instead of what was refused."""


# Others at the table


class ShowGuests(Action, verb="guests", who=Who.PLAYER, where=Where.CHANNEL):
    """Open the page from which others are invited."""


class Invite(
    Action,
    verb="invite",
    who=Who.PLAYER,
    where=Where.CHANNEL,
    private=True,
    posts=True,
    lobby_only=True,
    cost=PAGES,
):
    """Invite the people who were chosen."""


class CallPlayers(
    Action,
    verb="players",
    who=Who.HOST,
    where=Where.CHANNEL,
    private=True,
    posts=True,
    lobby_only=True,
    cost=PAGES * 2,
):
    """Tell people who wanted to be told that the table needs players."""


class BeHere(Action, verb="here", who=Who.PLAYER, where=Where.CHANNEL, says_presence=True):
    """Say that one is there for the planned start."""


class ChooseStart(
    Action, verb="when", who=Who.HOST, where=Where.CHANNEL | Where.AROUND, private=True, lobby_only=True
):
    """Plan the start for the time that was chosen by what one's clock shows; there are several lists."""

    part: int = 0


class OpenZones(Action, verb="zones", who=Who.ANYONE, where=Where.ANYWHERE, private=True):
    """Ask for one's time zone again."""


class ChooseZone(Action, verb="zone", who=Who.ANYONE, where=Where.ANYWHERE, private=True):
    """Store one's time zone, chosen by what one's clock shows; there are several lists."""

    part: int = 0


class DropPlan(
    Action, verb="unplan", who=Who.HOST, where=Where.CHANNEL | Where.AROUND, private=True, lobby_only=True
):
    """Let the game start by hand again."""


class Rematch(Action, verb="rematch", who=Who.PLAYER, where=LOBBY, posts=True, cost=TABLES):
    """Open a lobby with the same rules and people."""


# The rules, and help


class ShowRules(Action, verb="rules", who=Who.ANYONE, where=LOBBY):
    """Show all rules of the table."""


class ShowOptions(Action, verb="options", who=Who.HOST, where=LOBBY | Where.AROUND):
    """Show everything that the host sets."""


class ChooseGame(Action, verb="game", who=Who.HOST, where=LOBBY | Where.AROUND, private=True):
    """Play the game that was chosen."""


class ChoosePlayers(Action, verb="size", who=Who.HOST, where=LOBBY | Where.AROUND, private=True):
    """Play with the number of players that was chosen."""


class OpenForm(Action, verb="ask", who=Who.HOST, where=LOBBY | Where.AROUND):
    """Open the form of this name, in which the host changes rules."""

    form: str


class SendForm(Action, verb="set", who=Who.HOST, where=LOBBY | Where.AROUND):
    """Change the rules as that form says."""

    form: str


class Learn(Action, verb="learn", who=Who.ANYONE, where=LOBBY | Where.DM | Where.ANYWHERE):
    """Open the first page of how to play; where no table is concerned, of this game or the usual one."""

    game: str | None = None


class LearnPage(Action, verb="page", who=Who.ANYONE, where=LOBBY | Where.DM | Where.ANYWHERE, private=True):
    """Show this page (from 0) of how to play in the same message."""

    page: int
    game: str | None = None


class ListCommands(Action, verb="commands", who=Who.ANYONE, where=Where.ANYWHERE):
    """List every command."""


# A hand


class DealAction(Action):
    """What is done in one deal (from 1); nothing once another has begun."""

    deal: int


class ShowHand(Action, verb="hand", who=Who.ANYONE, where=Where.CHANNEL):
    """Show a player their hand, for them alone."""


class PlayByDm(DealAction, verb="dm", who=Who.HOLDER, where=Where.DAILY, private=True):
    """Send the hand of a daily game by DM."""


class PickCard(DealAction, verb="pick", who=Who.HOLDER, where=HAND, private=True):
    """Pick the card at this place in the hand (from 0), to pass it."""

    place: int


class PutBackCard(DealAction, verb="unpick", who=Who.HOLDER, where=HAND, private=True):
    """Put the card at this place back."""

    place: int


class Pass(DealAction, verb="pass", who=Who.HOLDER, where=HAND, private=True):
    """Pass the cards with these codes."""

    cards: tuple[str, ...]


class AskToExpose(DealAction, verb="expose", who=Who.HOLDER, where=HAND, private=True):
    """Ask whether this card is really to be exposed."""

    card: str


class Expose(DealAction, verb="lay", who=Who.HOLDER, where=HAND, private=True):
    """Expose this card."""

    card: str


class DontExpose(DealAction, verb="wait", who=Who.HOLDER, where=HAND, private=True):
    """Don't expose that card for now."""


class Decline(DealAction, verb="decline", who=Who.HOLDER, where=HAND, private=True):
    """Expose nothing more, after this number of cards that were exposed."""

    exposures: int


class Play(DealAction, verb="play", who=Who.HOLDER, where=HAND, private=True):
    """Play a card to the trick after this number of tricks; it is named by its slot, such as `QS.0`."""

    trick: int
    slot: str


class ConfirmPlay(Play, verb="confirm", who=Who.HOLDER, where=HAND, private=True):
    """Play the card that was tapped before, where its player taps each card twice."""


class ChooseMoon(DealAction, verb="moon", who=Who.HOLDER, where=HAND, private=True):
    """Decide what a moon does."""

    choice: MoonChoice


class GiveHint(DealAction, verb="hint", who=Who.HOLDER, where=GAME, private=True, cost=HINTS):
    """Show what a strong player would do after this number of tricks."""

    trick: int


# A game that goes on


class ComeBack(Action, verb="back", who=Who.ANYONE, where=GAME, shows_game=True):
    """Take one's seat back from the computer; with a deal, below the hand in it."""

    deal: int | None = None


class AskForSeat(Action, verb="seat", who=Who.ANYONE, where=SEATS):
    """Take the one seat that is free, or ask which."""


class ChooseSeat(Action, verb="take", who=Who.ANYONE, where=SEATS, private=True):
    """Take the seat that was chosen."""


class StayOut(Action, verb="out", who=Who.ANYONE, where=SEATS, private=True):
    """Don't take that seat."""


class ChangeLatecomers(Action, verb="latecomers", who=Who.HOST, where=Where.CHANNEL, private=True):
    """Open the seats to latecomers, or close them."""

    seats: Literal["open", "closed"]


class TryAgain(Action, verb="retry", who=Who.PLAYER, where=Where.DM):
    """Go on with a paused game if its channel can be written to again."""


class Stop(Action, verb="stop", who=Who.CHANNEL_MANAGER, where=Where.CHANNEL, private=True):
    """Stop the game at once, without a result."""


class Keep(Action, verb="keep", who=Who.ANYONE, where=LOBBY, private=True):
    """Don't end the game."""


class Propose(Action, verb="propose", who=Who.PLAYER, where=LOBBY, private=True, posts=True):
    """End the game, or ask everyone at the table to agree to that."""


class AnswerVote(Action, verb="vote", who=Who.PLAYER, where=Where.CHANNEL | Where.DM):
    """Answer the vote with this number."""

    vote: int
    answer: Literal["yes", "no"]


# What has been played


class Watch(Action, verb="watch", who=Who.ANYONE, where=LOBBY | Where.AROUND, cost=PAGES / 2):
    """Show the last deal that is done."""


class Look(DealAction, verb="look", who=Who.ANYONE, where=LOBBY | Where.AROUND, private=True, cost=PAGES / 2):
    """Show this deal in the same message."""


class ShowLuck(Action, verb="luck", who=Who.ANYONE, where=HAND, cost=GAMES):
    """Compare everyone's points with par."""


class ShareGame(Action, verb="lines", who=Who.ANYONE, where=GAME, cost=GAMES):
    """Show a game that is over in a few lines to copy and post anywhere."""


class ShowTricks(DealAction, verb="tricks", who=Who.ANYONE, where=HAND, cost=PAGES / 2):
    """List all finished tricks of a deal that goes on."""


class CheckSeal(DealAction, verb="check", who=Who.ANYONE, where=HAND, cost=PAGES):
    """Show the cards and the salt of this deal."""


class ReviewDeal(DealAction, verb="review", who=Who.ANYONE, where=HAND, cost=REVIEWS):
    """Tell which of one's own moves in this deal cost most."""


class Replay(Action, verb="replay", who=Who.ANYONE, where=HAND, cost=GAMES):
    """Open the table's game card by card."""


class ReplayAction(Action):
    """What is done from a step of a deal in a replay; the file is 0 for a table's own game."""

    file: int
    deal: int
    step: int


class ShowStep(
    ReplayAction, verb="step", who=Who.ANYONE, where=HAND | Where.ANYWHERE, private=True, cost=PAGES / 2
):
    """Show this step; the slot tells two buttons apart that lead to the same one."""

    slot: int | None = None


class ChooseDeal(
    ReplayAction, verb="deals", who=Who.ANYONE, where=HAND | Where.ANYWHERE, private=True, cost=PAGES / 2
):
    """Show the deal that was chosen as it was dealt, or more of the list."""


class Judge(
    ReplayAction, verb="costly", who=Who.ANYONE, where=HAND | Where.ANYWHERE, private=True, cost=REVIEWS
):
    """Tell which moves of the chosen player cost most in the deal that is shown."""


# Standings


class ShowBoard(Action, verb="board", who=Who.ANYONE, where=Where.SERVER, cost=PAGES):
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


class ShowCareer(Action, verb="career", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES):
    """Show the chosen game in somebody's statistics, or head to head with a rival (0 for none)."""

    person: int
    rival: int


# A table alone


class GoOn(Action, verb="on", who=Who.PLAYER, where=Where.ALONE, private=True, shows_game=True):
    """Go on with the table that one has."""


# The daily deal


class PlayDaily(Action, verb="daily", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Play today's deals, or see how that went."""


class FinishDaily(Action, verb="finish", who=Who.ANYONE, where=Where.ANYWHERE):
    """Go on with the game of an earlier day."""


class PlayTodays(Action, verb="anew", who=Who.ANYONE, where=Where.ANYWHERE):
    """Give up the game of this earlier day and play today's."""

    day: Day


class ShowDay(Action, verb="day", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Show how this day went."""

    day: Day


class ShowDailyDeal(Action, verb="dealt", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES):
    """Show the cards of a deal (from 1) of this day."""

    day: Day
    deal: int


class Share(Action, verb="share", who=Who.ANYONE, where=Where.ANYWHERE, private=True, posts=True, cost=PAGES):
    """Post the result of this day."""

    day: Day


class ShowSeals(Action, verb="seals", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Show the seals of this day's deals."""

    day: Day


class StopPosting(Action, verb="mornings", who=Who.MANAGER, where=Where.SERVER, private=True):
    """Stop posting the daily deal here."""


# A person


class Topic(Enum):
    """A form of the preferences."""

    TURNS = "turns"
    CARDS = "cards"
    INVITATIONS = "invitations"
    LANGUAGE = "language"


class ShowMissing(Action, verb="missing", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES / 2):
    """List the achievements that this person still has to get."""

    person: int


class OpenPreferences(Action, verb="topic", who=Who.ANYONE, where=Where.ANYWHERE, private=True):
    """Open a form of the preferences."""

    topic: Topic


class Prefer(Action, verb="prefer", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES):
    """Store the preferences that the form says."""

    topic: Topic


class OpenTimes(Action, verb="times", who=Who.ANYONE, where=Where.SERVER):
    """Open the form that asks when a person may be told that a table needs players."""


class SetTimes(Action, verb="quiet", who=Who.ANYONE, where=Where.SERVER):
    """Store what that form says."""


class StopTelling(Action, verb="untell", who=Who.ANYONE, where=Where.ANYWHERE):
    """Tell a person no more when a table of this server needs players."""

    guild: int


class ExportData(
    Action, verb="export", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=EXPORTS, own_data=True
):
    """Send everything stored about the person as a file."""


class AskToDelete(Action, verb="delete", who=Who.ANYONE, where=Where.ANYWHERE, private=True, own_data=True):
    """Ask whether to delete everything stored about the person."""


class DeleteData(
    Action, verb="forget", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=EXPORTS, own_data=True
):
    """Delete everything stored about the person."""


class KeepData(Action, verb="remember", who=Who.ANYONE, where=Where.ANYWHERE, private=True, own_data=True):
    """Delete nothing."""


# A tournament


class TournamentAction(Action):
    """What is done about a tournament; no table is concerned."""

    tournament: int


class SignUp(TournamentAction, verb="signup", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES * 2):
    """Sign up or, once it is on, come in or come back with the next round."""


class SignOff(TournamentAction, verb="signoff", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES * 2):
    """Take one's name off again or, once it is on, sit out from the next round."""


class BePresent(TournamentAction, verb="present", who=Who.ANYONE, where=Where.TOURNAMENT):
    """Say that one is there for the planned start."""


class ShowTerms(TournamentAction, verb="terms", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES / 2):
    """Show how the tournament is played."""


class StartTournament(TournamentAction, verb="begin", who=Who.TOURNAMENT_HOST, where=Where.TOURNAMENT):
    """Seat the first round now."""


class CancelTournament(TournamentAction, verb="cancel", who=Who.TOURNAMENT_HOST, where=Where.TOURNAMENT):
    """Ask whether to cancel it, or to end it with what has been played."""


class EndTournament(
    TournamentAction, verb="calloff", who=Who.TOURNAMENT_HOST, where=Where.TOURNAMENT, private=True
):
    """Cancel it, or end it with what has been played."""


class ShowMyTable(TournamentAction, verb="whither", who=Who.ANYONE, where=Where.TOURNAMENT):
    """Tell where one plays."""


class ShowMyDeals(TournamentAction, verb="mine", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES):
    """Show one's own deals against par."""


class ShowScores(TournamentAction, verb="ranks", who=Who.ANYONE, where=Where.TOURNAMENT, cost=PAGES):
    """Show a page (from 0) of all scores; `control` tells it from others that show the same."""

    page: int
    control: str | None = None


class TakeRecord(TournamentAction, verb="record", who=Who.ANYONE, where=Where.TOURNAMENT, cost=GAMES * 4):
    """Give everything that was played as a file."""


class ChooseTournamentStart(
    TournamentAction, verb="clock", who=Who.TOURNAMENT_HOST, where=Where.TOURNAMENT, private=True
):
    """Plan the start for the time that was chosen by what one's clock shows; there are several lists."""

    part: int


class ShowHonours(Action, verb="honours", who=Who.ANYONE, where=Where.SERVER, cost=PAGES):
    """Show a page (from 0) of the server's best tournament players."""

    period: Literal["season", "ever"]
    page: int
    control: str | None = None


# A server


class ShowHouseRules(Action, verb="house", who=Who.ANYONE, where=Where.SERVER, private=True, cost=PAGES):
    """Show the house rules that were chosen, or else this page (from 0) of the list."""

    page: int = 0
    control: str | None = None


class NameHouseRules(Action, verb="name", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Ask for a name under which to save the rules of this channel's table."""


class SaveHouseRules(Action, verb="save", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Save them under the name that the form says."""


class DeleteHouseRules(Action, verb="drop", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Delete the house rules whose name has this digest: the name itself could be too long."""

    digest: str


class ChangeSettings(Action, verb="settings", who=Who.MANAGER, where=Where.SERVER):
    """Store the settings of the server that the form says."""
