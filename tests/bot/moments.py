"""Tables of random games at every moment."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from by_chance import games
from games import NAMES

from engine.cards import Hand, sort_hand
from engine.play.deal import Deal, Phase
from engine.play.game import Game
from engine.rules.ruleset import Ruleset
from engine.tables import Pace, PublicTable, Seat, Seats, State, Table


def tables(rules: Ruleset, seed: int, deals: int = 3) -> Iterator[Table]:
    """A table at each moment of this many random deals."""
    names = [f"Player {number}" for number in range(rules.players)]
    for game in games(rules, Random(seed)):
        if len(game.deals) > deals:
            return
        yield table_of(game, names)


def table_of(game: Game, names: Sequence[str] = NAMES) -> Table:
    """The table at which people with these names play this game."""
    return Table(
        id=1,
        guild=2,
        channel=3,
        host=1,
        rules=game.rules,
        state=State.OVER if game.over else State.PLAYING,
        seats=Seats(Seat(number + 1, names[number]) for number in range(game.rules.players)),
        game=game,
        pace=Pace.LIVE,
    )


def played(preset: str, players: int, deals: int | None = None, seed: int = 1, **options: Any) -> PublicTable:
    """A random game, to its end or until this many deals are complete."""
    rules = Ruleset.of(preset, players, options)
    found = (game for game in games(rules, Random(seed)) if game.over or len(game.history) == deals)
    return table_of(next(found)).public


def reshuffled(table: Table, rng: Random) -> Table:
    """The same table with all hidden cards shuffled."""
    deals = tuple(_other_cards(deal, rng) for deal in table.game.deals)
    return replace(table, game=replace(table.game, deals=deals))


def _other_cards(deal: Deal, rng: Random) -> Deal:
    is_done, count = deal.phase is Phase.DONE, len(deal.hands)
    taken = () if is_done else deal.kitty_taken  # of a done deal, everyone sees all hands and the kitty
    heaps = _redealt([*deal.hands, deal.kitty, deal.kitty_on_hold, *taken], rng)
    *hands, kitty = _redealt([*deal.dealt.hands, deal.dealt.kitty], rng)
    pack = deal.rules.pack.cards
    return replace(
        deal,
        hands=tuple(heaps[:count]),
        kitty=heaps[count],
        kitty_on_hold=heaps[count + 1],
        kitty_taken=deal.kitty_taken if is_done else tuple(heaps[count + 2 :]),
        passes=tuple(gone and tuple(rng.sample(pack, len(gone))) for gone in deal.passes),
        received=tuple(tuple(rng.sample(pack, len(got))) for got in deal.received),
        dealt=deal.dealt if is_done else replace(deal.dealt, hands=tuple(hands), kitty=kitty),
    )


def _redealt(heaps: list[Hand], rng: Random) -> list[Hand]:
    """The same cards shuffled into heaps of the same sizes."""
    pack = [card for heap in heaps for card in heap]
    left = iter(sorted(pack, key=lambda _: rng.random()))  # much faster than shuffle()
    return [sort_hand(islice(left, len(heap))) for heap in heaps]
