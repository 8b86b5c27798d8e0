"""The game record: a whole game as JSON (.github/RECORD.md), written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.cards import Hand
from engine.play.deal import Deal, Phase
from engine.play.game import Game
from engine.play.seal import seal

FORMAT = "hearts-record/1"


def write(game: Game, names: Sequence[str]) -> dict[str, Any]:
    """The game's record, `names` by seat; a deal going on stops early."""
    return {
        "format": FORMAT,
        "rules": game.rules.to_json(),
        "seats": list(names),
        **({"oldest": game.oldest} if game.rules.oldest_leads else {}),
        "deals": [_write_deal(game, deal) for deal in game.deals],
        "winners": winners(game),
    }


def _write_deal(game: Game, deal: Deal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "dealer": deal.dealt.dealer,
        "hands": [_codes(hand) for hand in deal.dealt.hands],
        "kitty": _codes(deal.dealt.kitty),
        # While seats still choose, those that have not are null.
        "passes": [given and _codes(given) for given in deal.passes] if deal.offset else None,
        "exposed": [[seat, card.code] for seat, card in deal.exposures],
        "plays": [card.code for done in deal.tricks for card in done.trick.cards] + _codes(deal.trick.cards),
        "moon": deal.choice.value if deal.choice else None,
        **derived_fields(game, deal),
        **_sealed(deal),
    }


def _sealed(deal: Deal) -> dict[str, Any]:
    """What a sealed deal adds to the record when it is done: its salt is a secret before."""
    if deal.dealt.salt is None or deal.phase is not Phase.DONE:
        return {}
    return {"salt": deal.dealt.salt, "seal": seal(deal.number, deal.dealt)}


def derived_fields(game: Game, deal: Deal) -> dict[str, Any]:
    """What follows from the deal's other fields."""
    tricks = [{"leader": done.trick.leader, "winner": done.winner} for done in deal.tricks]
    if deal.points is None:
        return {"tricks": tricks}
    totals = game.history[deal.number - 1]
    return {"tricks": tricks, "points": list(deal.points), "totals": list(totals)}


def winners(game: Game) -> list[int] | None:
    """The winning seats as the record has them; None unless the rules have ended the game."""
    return None if game.ended or game.winners is None else list(game.winners)


def _codes(cards: Hand) -> list[str]:
    return [card.code for card in cards]
