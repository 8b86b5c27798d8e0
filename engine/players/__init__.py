"""Computer players: each sees a SeatView, as a person does, and returns a move."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import partial
from random import Random

from engine.languages import N_
from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView, seat_view
from engine.players.advice import PERSON, Skills
from engine.players.easy import easy_move
from engine.players.manners import Manner
from engine.players.medium import medium_move
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset

__all__ = [
    "PLAYERS",
    "Computer",
    "Player",
    "Strength",
    "computer",
    "easy_move",
    "medium_move",
    "play_game",
    "random_move",
    "skills_of",
]


class Strength(Enum):
    """The strengths of computers, the weakest first."""

    EASY = "easy"  # a beginner, with a beginner's honest mistakes
    MEDIUM = "medium"  # a regular, who has learned by playing and doesn't look ahead
    STRONG = "strong"  # searches possible deals

    @property
    def title(self) -> str:
        """Its name in a sentence, to be translated."""
        return {
            "easy": N_("easy (a beginner)"),
            "medium": N_("medium (a regular)"),
            "strong": N_("strong (thinks ahead)"),
        }[self.value]


def skills_of(seats: Iterable[Strength | None]) -> Skills:
    """The seats' skills by their computers' strengths; None stands for a person."""
    return [PERSON if strength is None else _SKILLS[strength] for strength in seats]


_SKILLS = {Strength.EASY: 0.0, Strength.MEDIUM: 1.0, Strength.STRONG: 1.0}


def random_move(view: SeatView, rng: Random) -> SeatMove:
    """Any legal move of a seat that the deal waits for."""
    match view.deal.phase:
        case Phase.PLAYING:
            return Played(view.seat, rng.choice(view.legal))
        case Phase.PASSING:
            return Passed(view.seat, tuple(rng.sample(view.hand, view.rules.pass_cards)))
        case Phase.EXPOSING:
            card = rng.choice((None, *view.exposable))
            return Exposed(view.seat, card) if card else Declined(view.seat)
        case Phase.CHOOSING_MOON:
            return MoonChosen(view.seat, rng.choice(tuple(MoonChoice)))
        case Phase.DONE:
            raise ValueError("the deal is over")


#: Returns the move of a seat that the deal waits for.
Player = Callable[[SeatView, Random], SeatMove]
#: Returns the player of a strength and a manner.
Computer = Callable[[Strength, Manner | None], Player]


def computer(strength: Strength, manner: Manner | None = None, skills: Skills | None = None) -> Player:
    """A player of this strength and manner (easy ones have none); it can be pickled.

    A strong one uses how skilled the others are; without `skills`, it takes them for people. Its first
    move in a process loads compiled code or, on a new machine, compiles it.
    """
    match strength:
        case Strength.EASY:
            return easy_move
        case Strength.MEDIUM:
            return partial(medium_move, manner=manner)
        case Strength.STRONG:
            return partial(_strong_move, manner=manner, skills=skills)


def _strong_move(view: SeatView, rng: Random, manner: Manner | None, skills: Skills | None) -> SeatMove:
    # Imported here as it loads a compiler, which the bot's own process must not.
    from engine.players.strong import strong_move

    return strong_move(view, rng, prefer=manner and manner.prefer, skills=skills)


#: Players by name, the weakest first.
PLAYERS: Mapping[str, Player] = {
    "random": random_move,
    **{strength.value: computer(strength) for strength in Strength},
}


def play_game(
    rules: Ruleset,
    player: Player,
    deal_rng: Random,
    player_rng: Random,
    after_deal: Callable[[Game], None] = lambda game: None,
) -> Game:
    """Play a game to its end, all seats alike; `deal_rng` is for the deals, `player_rng` for the players.

    With two random sources, different players are dealt the same cards for the same seed.

    >>> game = play_game(Ruleset.of("classic", 4), PLAYERS["easy"], Random(1), Random(2))
    >>> game.over
    True
    """
    game = Game(rules)
    while not game.over:
        game = game.advance(shuffle(game, deal_rng))
        while game.deal:
            seat = game.deal.waiting_for[0]
            game = game.advance(player(seat_view(game, seat), player_rng))
        after_deal(game)
    return game
