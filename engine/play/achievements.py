"""Achievements: what Hearts players boast of, each proved by a game's moves or by many results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.cards import QUEEN_OF_SPADES, Hand
from engine.languages import N_, Language
from engine.play.deal import Deal, DoneTrick
from engine.play.feats import has_shot_moon, hurts, is_sun, moons_help
from engine.play.game import Game
from engine.rules.ruleset import Ruleset

Evidence = TypeVar("Evidence")
#: The fewest deals of a game for Clean sheet, and for From last to first.
FEW_DEALS, SEVERAL_DEALS = 3, 4
#: Queens given away in one game, and in all; games won in a row.
QUEENS_OF_A_GAME, QUEENS_OF_A_CAREER, WON_IN_A_ROW = 5, 100, 5


@dataclass(frozen=True, slots=True)
class Achievement(Generic[Evidence]):
    """An achievement: its name, what its owner did, and how a part in a game, or a career, proves it."""

    id: str
    title: str
    deed: str  # a sentence without a full stop
    proof: Callable[[Evidence], bool]
    count: int = 0  # in the deed

    def done(self, language: Language) -> str:
        """The deed in this language."""
        return language.say(self.deed, count=self.count)


@dataclass(frozen=True, slots=True)
class Part:
    """A seat's part in a finished game: the complete deals since its player sat down."""

    game: Game
    seat: int
    since: int = 1  # the first deal that its player played there
    winners: tuple[int, ...] | None = None  # if they aren't the seats with the best total

    @property
    def rules(self) -> Ruleset:
        """The game's rules."""
        return self.game.rules

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The complete deals that this player played."""
        return self.game.deals[self.since - 1 : len(self.game.points)]

    @property
    def played_all(self) -> bool:
        """Whether they played the whole game."""
        return self.since == 1

    @property
    def has_won(self) -> bool:
        """Whether they won the game, alone or with others."""
        return self.seat in (self.winners or self.game.winners or ())

    @property
    def moons(self) -> int:
        """The number of moons shot, if that is a feat by these rules."""
        return sum(has_shot_moon(deal, self.seat) for deal in self.deals) if moons_help(self.rules) else 0


@dataclass(frozen=True, slots=True)
class Career:
    """The outcome of someone's games between people in a server."""

    won_in_a_row: int  # the last ones
    queens_given: int


def _shot_the_sun(part: Part) -> bool:
    return moons_help(part.rules) and any(is_sun(deal) and deal.shooter == part.seat for deal in part.deals)


def _is_clean(part: Part) -> bool:
    """Took no points that hurt, from cards or others' moons, in a game where cards can hurt."""
    rules = part.rules
    if not any(hurts(rules, points) for points in rules.counting.values.values()):
        return False
    entries = [entry for deal in part.deals if deal.accounts for entry in deal.accounts[part.seat]]
    is_long = part.played_all and len(part.deals) >= FEW_DEALS
    return is_long and not any(hurts(rules, entry.points) for entry in entries)


def _came_back(part: Part) -> bool:
    """Won after having the worst total, alone, at half-time."""
    history = part.game.history
    if len(history) < SEVERAL_DEALS or not (part.played_all and part.has_won):
        return False
    halfway = history[len(history) // 2 - 1]
    worst = min(halfway, key=lambda total: total * part.rules.winner.sign)
    return [seat for seat, total in enumerate(halfway) if total == worst] == [part.seat]


def _broke_a_moon(part: Part) -> bool:
    return moons_help(part.rules) and any(_broke(deal, part.seat) for deal in part.deals)


def _broke(deal: Deal, seat: int) -> bool:
    """Whether this seat took the only moon card that someone else lacked."""
    counting = deal.rules.counting
    moon = frozenset(counting.moon)
    took = [sum(card in moon for card in pile) for pile in deal.piles]
    return took[seat] == 1 and max(took) == counting.needed - 1


def _kept_queens_away(part: Part) -> bool:
    """Gave several queens away and took none, in a game where she hurts."""
    given_away = sum(count_queens_given(deal.tricks, part.seat) for deal in part.deals)
    queens_taken = sum(count_queens_taken(deal.piles[part.seat]) for deal in part.deals)
    she_hurts = hurts(part.rules, part.rules.counting.values.get(QUEEN_OF_SPADES, 0))
    return she_hurts and given_away >= QUEENS_OF_A_GAME and not queens_taken


#: Achievements that one game proves.
OF_A_GAME: tuple[Achievement[Part], ...] = (
    Achievement("moon", N_("Over the moon"), N_("Shot the moon"), lambda part: part.moons > 0),
    Achievement(
        "moons", N_("Two full moons"), N_("Shot the moon twice in one game"), lambda part: part.moons > 1
    ),
    Achievement("sun", N_("Sunrise"), N_("Shot the sun of Chinese Hearts"), _shot_the_sun),
    Achievement("clean", N_("Clean sheet"), N_("Finished a game without one bad point"), _is_clean),
    Achievement("comeback", N_("From last to first"), N_("Was last at half-time and won"), _came_back),
    Achievement("moonbreaker", N_("Moonbreaker"), N_("Took the one card a moon still needed"), _broke_a_moon),
    Achievement(
        "queens",
        N_("Hot potato"),
        N_("Gave {count} queens away in a game, and took none"),
        _kept_queens_away,
        QUEENS_OF_A_GAME,
    ),
)
#: Achievements that take many games between people.
OF_A_CAREER: tuple[Achievement[Career], ...] = (
    Achievement(
        "streak",
        N_("Hot streak"),
        N_("Won {count} games with people in a row"),
        lambda career: career.won_in_a_row >= WON_IN_A_ROW,
        WON_IN_A_ROW,
    ),
    Achievement(
        "courier",
        N_("Her Majesty's courier"),
        N_("Gave {count} queens away in games with people"),
        lambda career: career.queens_given >= QUEENS_OF_A_CAREER,
        QUEENS_OF_A_CAREER,
    ),
)
#: All achievements, in the order they are shown.
ALL: tuple[Achievement[Part] | Achievement[Career], ...] = (*OF_A_GAME, *OF_A_CAREER)
BY_ID = {one.id: one for one in ALL}


def in_game(part: Part) -> list[str]:
    """The ids of the achievements that this part in a game proves."""
    return [one.id for one in OF_A_GAME if one.proof(part)]


def in_career(career: Career) -> list[str]:
    """The ids of the achievements that this career proves."""
    return [one.id for one in OF_A_CAREER if one.proof(career)]


def count_queens_taken(pile: Hand) -> int:
    """The number of queens of spades in a pile."""
    return pile.count(QUEEN_OF_SPADES)


def count_queens_given(tricks: Sequence[DoneTrick], seat: int) -> int:
    """The number of queens of spades that this seat played and someone else took; passing doesn't count."""
    count = pending = 0
    for trick in tricks:
        cards = trick.trick.cards
        if QUEEN_OF_SPADES in cards:
            pending += (seat, QUEEN_OF_SPADES) in trick.trick.laid(len(cards))
        if trick.winner is not None:  # the winner also takes the tricks on hold (W21, P7)
            count += pending if trick.winner != seat else 0
            pending = 0
    return count
