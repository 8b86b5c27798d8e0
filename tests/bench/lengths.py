"""How many deals a game takes to each total: `nice python -m tests.bench.lengths [--deals 300]`.

For every game and number of players, medium computers play this many deals in an endless game. Games are then
drawn from these deals, each with its seats rotated at random, until a total is reached. It prints the deals
and cards per player for totals from half of a deal's points to sixteen times as many, including the
document's own end, and then the two numbers for `engine/rules/lengths.py`.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players import medium_move
from engine.rules import lengths
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed

#: The totals of the games drawn, in points of a deal, and the number of games.
REACHES, GAMES = (0.5, 1, 2, 4, 8, 16), 1000

Points = Sequence[tuple[int, ...]]


def played(rules: Ruleset, deals: int, seed: int = 1) -> Points:
    """Each player's points in this many deals between medium computers."""
    endless = changed(rules, {"ends_at": 100_000})
    cards, players, game = Random(seed), Random(seed + 1), Game(endless)
    points: list[tuple[int, ...]] = []
    while len(points) < deals:
        if game.over:  # 100,000 points, or −100,000
            game = Game(endless)
        game = game.advance(shuffle(game, cards))
        while game.deal:
            game = game.advance(medium_move(seat_view(game, game.deal.waiting_for[0]), players))
        points.append(game.points[-1])
    return points


def mean_deals(rules: Ruleset, points: Points) -> float:
    """The mean number of deals of games with these rules, drawn from these deals."""
    rng, deals = Random(1), 0
    for _ in range(GAMES):
        totals = (0,) * rules.players
        while not rules.ends(totals, deals) or not any(totals):
            one, turned = rng.choice(points), rng.randrange(rules.players)
            totals = rules.counting.add_up(totals, one[turned:] + one[:turned])
            deals += 1
    return deals / GAMES


def fitted(found: Mapping[float, float]) -> tuple[float, float]:
    """The numbers of `deals = first * reach ** second`, by least squares of the logarithms.

    Games of one or two deals are left out, as none takes less than one.
    """
    pairs = [(math.log(reach), math.log(deals)) for reach, deals in found.items() if deals > 1.8]
    x, y = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
    slope = sum((a - x) * (b - y) for a, b in pairs) / sum((a - x) ** 2 for a, _ in pairs)
    return round(math.exp(y - slope * x), 2), round(slope, 2)


def report(rules: Ruleset, deals: int) -> Iterator[str]:
    points = played(rules, deals)
    totals = {reach: max(1, round(reach * lengths.points_per_deal(rules))) for reach in REACHES}
    found = {reach: mean_deals(changed(rules, {"ends_at": total}), points) for reach, total in totals.items()}
    own = mean_deals(rules, points)
    first, second = fitted(found)
    title = f"{rules.preset.name} {rules.players}"
    yield f"{title}: to {rules.ends_at} {own:.1f} deals, {own * rules.pack.hand_size:.0f} cards each"
    for reach, mean in found.items():
        yield f"    to {totals[reach]:6}: {mean:6.1f} deals, {mean * rules.pack.hand_size:5.0f} cards each"
    said = lengths.deals(rules)
    yield f"    engine/rules/lengths.py says {said:.1f} deals to {rules.ends_at}, {said / own - 1:+.0%}"
    yield f'    ("{rules.preset.name}", {rules.players}): ({first}, {second}),'


def main(presets: Iterable[str], deals: int) -> None:
    for name in presets:
        for players in PRESETS[name].players:
            for line in report(Ruleset.of(name, players), deals):
                sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300, help="for each kind of game")
    parser.add_argument("--preset", choices=PRESETS, help="only this game")
    arguments = parser.parse_args()
    main([arguments.preset] if arguments.preset else PRESETS, arguments.deals)
