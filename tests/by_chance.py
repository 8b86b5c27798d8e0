"""Games that chance plays."""

from __future__ import annotations

from random import Random

from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players.random_player import random_move
from engine.rules.ruleset import Ruleset

#: A game with a kitty, where the rules say so.
KITTY = ("wikibooks", 5)


def played(name: str, players: int, seed: int = 1, deals: int = 2) -> Game:
    """A game in which so many deals are done, played by chance."""
    options = {"remainder": "kitty"} if (name, players) == KITTY else {}
    game, rng = Game(Ruleset.of(name, players, {"ends_at": 99999, **options})), Random(seed)
    while len(game.points) < deals:
        if game.deal is None:
            game = game.advance(shuffle(game, rng))
        else:
            seat = rng.choice(game.deal.waiting_for)
            game = game.advance(random_move(seat_view(game, seat), rng))
    return game
