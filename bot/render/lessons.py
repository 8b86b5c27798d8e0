"""The pictures of How to play: cards side by side, and tricks at seats that say what happens there."""

from __future__ import annotations

from bot.messages import Picture
from bot.render.text import chip, chips
from bot.render.tones import score
from bot.scenes import FanScene, LaidCard, Place, Score, TableScene
from engine.cards import Hand
from engine.rules.counting import total
from engine.rules.plays import Trick, cancelled, winning_index
from engine.rules.ruleset import Ruleset


def fan(hand: Hand, what: str, chosen: frozenset[int] = frozenset()) -> Picture:
    """Cards side by side, those that are chosen standing out."""
    out = tuple(card for index, card in enumerate(hand) if index in chosen) or hand
    return Picture(FanScene(hand, chosen), f"{what}: {', '.join(card.symbol for card in out)}.", chips(out))


def table(rules: Ruleset, trick: Hand) -> Picture:
    """A trick as these rules judge it."""
    twins, winner = cancelled(rules, trick), winning_index(rules, Trick(0, trick))
    places = []
    for index, card in enumerate(trick):
        laid = LaidCard(card, index + 1, is_cancelled=card in twins, is_highest=index == winner)
        name = _part_played(trick, laid)
        places.append(Place(name, laid, worth(rules, trick) if laid.is_highest else None))
    told = [(card, place.name) for card, place in zip(trick, places, strict=True)]
    description = f"A trick: {'; '.join(f'{card.symbol} {name}' for card, name in told)}."
    words = "\n".join(f"{chip(card)} {name}" for card, name in told)
    return Picture(TableScene("", "", tuple(places)), description, words)


def worth(rules: Ruleset, trick: Hand) -> Score:
    """What this trick brings its taker."""
    return score(rules, total(rules.counting.entries(trick)))


def _part_played(trick: Hand, laid: LaidCard) -> str:
    if laid.is_highest:
        return "takes it"
    if laid.place == 1:
        return "leads"
    if laid.is_cancelled:
        return "cancels it"
    suit = trick[0].suit
    assert suit is not None
    return "follows" if laid.card.suit is suit else f"no {suit.title}"
