"""Random rules, moves and games."""

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.play.deal import Deal, Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Exposed, MoonChosen, Move, Passed, Played
from engine.rules.options import MoonChoice
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset, allowed_of
from engine.rules.wording import applicable, changed

#: Every game with every number of players.
TABLES = [(preset.name, players) for preset in PRESETS.values() for players in preset.players]


@st.composite
def rulesets(draw: st.DrawFn, presets: tuple[str, ...] = ()) -> Ruleset:
    """Random rules within the options."""
    preset, players = draw(st.sampled_from([table for table in TABLES if not presets or table[0] in presets]))
    rules = Ruleset.of(preset, players)
    if "remainder" in applicable(rules):  # it decides whether there is a kitty
        rules = changed(rules, {"remainder": draw(_values(rules, "remainder"))})
    others = {name: _values(rules, name) for name in applicable(rules) if name != "remainder"}
    return changed(rules, draw(st.fixed_dictionaries({}, optional=others)))


def _values(rules: Ruleset, name: str) -> st.SearchStrategy[Any]:
    """This option's values, without games of thousands of points or 100 deals, which would take too long."""
    if name == "ends_at":
        return st.integers(1, 300)
    if name == "deals":
        return st.integers(0, 4)
    return st.sampled_from(list(allowed_of(rules.preset, rules.players, name)))


SEEDS = st.integers(0, 2**32)


def moves(game: Game, rng: Random) -> Iterator[Move]:
    """Random moves that the deal waits for."""
    deal = game.deal
    if deal is None:
        yield shuffle(game, rng)
        return
    seat = rng.choice(deal.waiting_for)
    match deal.phase:
        case Phase.PASSING:
            yield Passed(seat, tuple(rng.sample(deal.hands[seat], deal.rules.pass_cards)))
        case Phase.EXPOSING:
            yield from (Exposed(seat, card) for card in deal.exposable(seat))
            yield Declined(seat)
        case Phase.PLAYING:
            yield from (Played(seat, card) for card in deal.legal(seat))
        case _:
            yield from (MoonChosen(seat, choice) for choice in MoonChoice)


def play_on(game: Game, rng: Random) -> Game:
    """The game after a random move."""
    return game.advance(rng.choice(list(moves(game, rng))))


def games(rules: Ruleset, rng: Random) -> Iterator[Game]:
    """A random game after each of its moves, to its end."""
    game = Game(rules, oldest=rng.randrange(rules.players))
    while not game.over:
        game = play_on(game, rng)
        yield game


def one_deal(rules: Ruleset, rng: Random) -> Iterator[Deal]:
    """Every position of a random deal, the last one complete."""
    for game in games(rules, rng):
        yield game.deals[-1]
        if game.deal is None:
            return


#: What a card counts in Chinese Hearts, by C7.
CHINESE = {"QS": -100, "JD": 100, "AH": -50, "KH": -40, "QH": -30, "JH": -20}
CHINESE |= {f"{rank}H": -10 for rank in "56789T"}


def values(rules: Ruleset) -> dict[str, int]:
    """What a card counts without a moon and with nothing exposed, by K6, W9 to W12 and C7."""
    if rules.preset.name == "chinese":
        return CHINESE
    faces = dict(zip("23456789TJQKA", range(2, 15), strict=True))
    worth = {f"{rank}H": face if rules.spot_hearts else 1 for rank, face in faces.items()}
    return (
        worth
        | {"QS": 13}
        | ({"JD": -10} if rules.jack_of_diamonds else {})
        | ({"7C": 7} if rules.hooligan else {})
    )


def played(name: str, players: int, seed: int = 1, deals: int = 2) -> Game:
    """A random game with this many finished deals."""
    options = {"remainder": "kitty"} if (name, players) == ("wikibooks", 5) else {}
    rules = Ruleset.of(name, players, {"ends_at": 99999, **options})
    return next(game for game in games(rules, Random(seed)) if len(game.points) == deals)
