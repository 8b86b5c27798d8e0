"""Whether the strong player's predictions come true: `python -m tests.bench.calibration classic 4`.

Strong players play at three tables: among themselves, each alone with medium ones, and at a mixed table. Each
share that a hint could give for their choices is recorded, with what then happened. The output has a line for
each table and kind: predicted → happened in tenths, with the number of deals, and the largest difference
among those with at least `ENOUGH` deals. Fix the number of deals before you look.
"""

# ruff: noqa: T201

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import floor
from random import Random
from statistics import fmean

from engine.play.deal import Deal, Phase
from engine.play.moves import Declined, Exposed, Passed, Played, SeatMove
from engine.play.views import SeatView, seat_view
from engine.players import Strength, medium_move, skills_of
from engine.players.advice import FULL, Option, Skills
from engine.players.strong import advise
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from tests.bench.duplicates import dealt

#: The fewest deals with which a tenth means something.
ENOUGH = 20
#: By table, the players around it, repeated.
TABLES: Mapping[str, tuple[Strength, ...]] = {
    "strong": (Strength.STRONG,),
    "medium": (Strength.STRONG, Strength.MEDIUM, Strength.MEDIUM, Strength.MEDIUM),
    "mixed": (Strength.STRONG, Strength.MEDIUM),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A predicted share, and what happened: 0 or 1, or a share of the deal's points."""

    kind: str
    deal: int
    predicted: float
    happened: float


@dataclass(frozen=True, slots=True)
class Moment:
    """A choice, and what was predicted of the option taken."""

    view: SeatView
    option: Option

    def claims(self, number: int, deal: Deal) -> Iterator[Claim]:
        """Its predictions, with what happened in this finished deal."""
        seat, phase = self.view.seat, self.view.deal.phase.value
        stake = deal.rules.at_stake
        yield Claim(f"points, {phase}", number, self.option.expected / stake, deal.points[seat] / stake)
        yield Claim(f"own moon, {phase}", number, self.option.moon, deal.shooter == seat)
        for other, share in enumerate(self.option.rivals):
            if other != seat:
                yield Claim(f"another's moon, {phase}", number, share, deal.shooter == other)
        if self.view.deal.phase is Phase.PLAYING:
            trick = deal.tricks[len(self.view.deal.tricks)]
            cost = trick.cost if trick.winner == seat else 0
            yield Claim("points of the trick", number, self.option.costs / stake, cost / stake)
            yield Claim("takes the trick", number, self.option.takes, trick.winner == seat)
            for card, share in self.option.catches:
                caught = trick.winner == seat and card in trick.won
                yield Claim("catches a card", number, min(1.0, share), caught)


def claims_of(rules: Ruleset, table: str, effort: int, number: int) -> list[Claim]:
    """All predictions in the deal with this number, which also rotates the strong seats."""
    kinds = TABLES[table]
    seats = [kinds[(seat + number) % len(kinds)] for seat in range(rules.players)]
    skills, made = skills_of(seats), list[Moment]()
    game, rng = dealt(rules, number, Random(f"cards 1 {number}")), Random(f"player 1 {number}")
    while game.deal:
        view = seat_view(game, game.deal.waiting_for[0])
        if seats[view.seat] is Strength.STRONG and view.deal.phase is not Phase.CHOOSING_MOON:
            move = _made(view, skills, effort, rng, made)
        else:
            move = medium_move(view, rng)
        game = game.advance(move)
    return [claim for moment in made for claim in moment.claims(number, game.deals[0])]


def _made(view: SeatView, skills: Skills, effort: int, rng: Random, made: list[Moment]) -> SeatMove:
    """The strong player's move, recorded unless it was forced."""
    best = advise(view, effort, rng.getrandbits(62), skills=skills).best
    if best.worlds:
        made.append(Moment(view, best))
    if view.deal.phase is Phase.PASSING:
        return Passed(view.seat, best.cards)
    if view.deal.phase is Phase.EXPOSING:
        return Exposed(view.seat, *best.cards) if best.cards else Declined(view.seat)
    return Played(view.seat, *best.cards)


def tenths(claims: list[Claim]) -> dict[str, dict[int, list[Claim]]]:
    """The claims by kind and by tenth."""
    found: dict[str, dict[int, list[Claim]]] = defaultdict(lambda: defaultdict(list))
    for claim in claims:
        found[claim.kind][min(9, floor(10 * claim.predicted))].append(claim)
    return found


def means(claims: list[Claim]) -> tuple[float, float]:
    """The means of what was predicted and what happened."""
    return fmean(one.predicted for one in claims), fmean(one.happened for one in claims)


def furthest(bins: Mapping[int, list[Claim]], enough: int = ENOUGH) -> float:
    """The largest difference between predicted and happened in tenths with enough deals."""
    known = [means(claims) for claims in bins.values() if len({one.deal for one in claims}) >= enough]
    return max((abs(predicted - happened) for predicted, happened in known), default=0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", choices=PRESETS)
    parser.add_argument("players", type=int)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--effort", type=int, default=FULL, help="playouts a card")
    given = parser.parse_args()
    rules, numbers = Ruleset.of(given.preset, given.players), range(1, given.deals + 1)
    for table in TABLES:
        found = tenths(
            [claim for number in numbers for claim in claims_of(rules, table, given.effort, number)]
        )
        for kind, bins in sorted(found.items()):
            told = "  ".join(
                "{:.2f}→{:.2f} ({})".format(*means(claims), len(claims)) for _, claims in sorted(bins.items())
            )
            print(f"{table:8}{kind:26}{furthest(bins):5.2f}  {told}", flush=True)


if __name__ == "__main__":
    main()
