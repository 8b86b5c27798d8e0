"""Tables of every game at every moment, played by chance, and what everybody sees of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from games import NAMES

from bot.messages import Post
from bot.render import scores, tricks
from bot.render.board import board
from engine.cards import Card, Hand, sort_hand
from engine.play.deal import Deal, Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.rules.options import MoonChoice
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.tables import PublicTable, Seat, Seats, State, Table

#: Every game with each number of players.
GAMES = [(name, players) for name, preset in PRESETS.items() for players in preset.players]


def tables(preset: str, players: int, seed: int) -> Iterator[Table]:
    """A table at each moment of two deals in which everybody does what chance says."""
    rng = Random(seed)
    rules = Ruleset.of(preset, players)
    seats = Seats(Seat(number, f"Player {number}") for number in range(players))
    game = Game(rules)
    while len(game.deals) < 3:
        game = game.advance(shuffle(game, rng))
        while game.deal is not None:
            seat = rng.choice(game.deal.waiting_for)
            game = game.advance(chosen(game.deal, seat, rng))
            state = State.OVER if game.over else State.PLAYING
            yield Table(id=1, guild=2, channel=3, host=0, rules=rules, state=state, seats=seats, game=game)
        if game.over:
            return


def chosen(deal: Deal, seat: int, rng: Random) -> SeatMove:
    """Some move that this seat may make."""
    match deal.phase:
        case Phase.PASSING:
            return Passed(seat, tuple(rng.sample(deal.hands[seat], deal.rules.pass_cards)))
        case Phase.EXPOSING:
            move: SeatMove = Exposed(seat, rng.choice(deal.exposable(seat)))
            return rng.choice([move, Declined(seat)])
        case Phase.PLAYING:
            return Played(seat, rng.choice(deal.legal(seat)))
        case _:
            return MoonChosen(seat, rng.choice(list(MoonChoice)))


def played(preset: str, players: int, deals: int | None = None, seed: int = 1, **options: Any) -> PublicTable:
    """A game by chance, to its end or until so many deals are complete."""
    rules, rng = Ruleset.of(preset, players, options), Random(seed)
    game = Game(rules)
    while not game.over and (deals is None or len(game.history) < deals):
        game = game.advance(shuffle(game, rng))
        while game.deal is not None:
            game = game.advance(chosen(game.deal, rng.choice(game.deal.waiting_for), rng))
    state = State.OVER if game.over else State.PLAYING
    seats = Seats(Seat(number + 1, NAMES[number]) for number in range(players))
    return Table(id=1, guild=2, channel=3, host=1, rules=rules, state=state, seats=seats, game=game).public


def reshuffled(table: Table, rng: Random) -> Table:
    """The same table, if what nobody has shown were other cards."""
    assert table.game is not None
    deals = tuple(_other_cards(deal, rng) for deal in table.game.deals)
    return replace(table, game=replace(table.game, deals=deals))


def _other_cards(deal: Deal, rng: Random) -> Deal:
    secret = [*deal.hands, deal.kitty, deal.kitty_on_hold]
    if deal.phase is not Phase.DONE:  # then everybody is shown what the kitty held
        secret += deal.kitty_taken
    *hands, kitty, on_hold = _redealt(secret, rng)[: len(deal.hands) + 2]
    changes: dict[str, Any] = {"hands": tuple(hands), "kitty": kitty, "kitty_on_hold": on_hold}
    if deal.phase is not Phase.DONE:
        changes["kitty_taken"] = _redealt(secret, rng)[len(deal.hands) + 2 :]
    pack = list(deal.rules.pack.cards)
    rng.shuffle(pack)
    changes["passes"] = tuple(gone and tuple(rng.sample(pack, len(gone))) for gone in deal.passes)
    changes["received"] = tuple(tuple(rng.sample(pack, len(got))) for got in deal.received)
    dealt = _redealt([*deal.dealt.hands, deal.dealt.kitty], rng)
    changes["dealt"] = replace(deal.dealt, hands=tuple(dealt[:-1]), kitty=dealt[-1])
    return replace(deal, **changes)


def _redealt(heaps: list[Hand], rng: Random) -> list[Hand]:
    """All these cards again in heaps of the same sizes."""
    pack: list[Card] = [card for heap in heaps for card in heap]
    rng.shuffle(pack)
    again = []
    for heap in heaps:
        again.append(sort_hand(pack[: len(heap)]))
        del pack[: len(heap)]
    return again


def rendered(table: PublicTable) -> list[tuple[str, Post, bool]]:
    """All that the channel shows of a table."""
    return [(part.key, part.render(), part.create) for part in board(table)]


def check_posts(moments: Iterable[Table], rng: Random) -> None:
    """At each of these many moments, other hidden cards give everybody the same to see."""
    count = 0
    for table in moments:
        other = reshuffled(table, rng)
        assert rendered(other.public) == rendered(table.public)
        assert scores.sheet(other.public) == scores.sheet(table.public)
        assert tricks.last(other.public) == tricks.last(table.public)
        count += 1
    assert count > 100
