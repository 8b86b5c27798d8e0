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
    chance: Random,
    mind: Random,
    after_deal: Callable[[Game], None] = lambda game: None,
) -> Game:
    """A game to its end, all seats played alike; `chance` deals the cards, `mind` is the players' own."""
    game = Game(rules)
    while not game.over:
        game = game.advance(shuffle(game, chance))
        while game.deal:
            seat = game.deal.waiting_for[0]
            game = game.advance(player(seat_view(game, seat), mind))
        after_deal(game)
    return game
