"""The benchmark's solver against a search of the engine's own deals."""

from random import Random

import pytest

from engine.kernel.rows import random_state
from engine.play.deal import Deal, Phase, advance_deal
from engine.play.moves import MoonChosen, Played
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset
from tests.bench.solver import Lines, solve
from tests.kernel.encoded import encoded, ready_to_play
from tests.kernel.test_kernel import played_to_the_end

pytestmark = pytest.mark.slow


def outcomes(deal: Deal, sign: int) -> set[tuple[int, ...]]:
    """The points of all lines of play in which each seat does the best for itself."""
    if deal.points is not None:
        return {tuple(deal.points)}
    seat = deal.waiting_for[0]
    if deal.phase is Phase.CHOOSING_MOON:  # the kernel's points have no choice
        return outcomes(advance_deal(deal, MoonChosen(seat, MoonChoice.ADD)), sign)
    found = [
        outcomes(advance_deal(deal, Played(seat, card)), sign)
        for card in sorted(set(deal.legal(seat)), key=str)
    ]

    def lead(points: tuple[int, ...]) -> int:
        return sign * (len(points) * points[seat] - sum(points))

    sure = max(min(map(lead, points)) for points in found)
    return {points for ends in found for points in ends if lead(points) >= sure}


@pytest.mark.parametrize(
    ("preset", "players"), [("classic", 4), ("wikibooks", 5), ("cancellation", 5), ("chinese", 4)]
)
def test_the_solver_finds_a_line_that_is_best_for_each_seat(preset: str, players: int) -> None:
    rules = Ruleset.of(preset, players)
    rng = Random(f"{preset} {players}")
    for _ in range(8):
        deal = ready_to_play(rules, rng)
        while deal.phase is Phase.PLAYING and (deal.trick.cards or max(map(len, deal.hands)) > 3):
            deal = advance_deal(
                deal, Played(deal.waiting_for[0], rng.choice(deal.legal(deal.waiting_for[0])))
            )
        if deal.phase is not Phase.PLAYING:
            continue
        laws, position = encoded(deal)
        lines = Lines.up_to(players * 3)
        lines.positions[0] = position
        length = solve(laws, lines, random_state(rng.getrandbits(32)))
        possible = outcomes(deal, rules.winner.sign)
        for depth in range(length):
            assert deal.turn is not None
            deal = advance_deal(deal, Played(deal.turn, laws.face(lines.cards[0, depth])))
        points = played_to_the_end(deal).points  # of what is left nothing counts
        assert points is not None
        assert tuple(points) in possible
