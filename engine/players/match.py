"""Whole games between computer players."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players import Player
from engine.rules.ruleset import Ruleset


def play_game(
    rules: Ruleset,
    player: Player,
    deal_rng: Random,
    player_rng: Random,
    after_deal: Callable[[Game], None] = lambda game: None,
) -> Game:
    """A game to its end, all seats played alike; `deal_rng` deals, `player_rng` is the players' own."""
    game = Game(rules)
    while not game.over:
        game = game.advance(shuffle(game, deal_rng))
        while game.deal:
            seat = game.deal.waiting_for[0]
            game = game.advance(player(seat_view(game, seat), player_rng))
        after_deal(game)
    return game
