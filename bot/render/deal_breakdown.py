"""Each player's points in a deal, and why, where they are more than the sum of the cards."""

from __future__ import annotations

from collections.abc import Iterator

from bot.render.text import bold, chip, chips
from engine.cards import Card, Suit
from engine.languages import Language
from engine.play.public import PublicDeal
from engine.rules.counting import Account, Entry, Why
from engine.tables import PublicTable

#: Why cards bring points that a multiplier multiplies.
OWN = (Why.VALUE, Why.TURNED, Why.MOON)


def what_counted(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """C8 and C9: a line for what was exposed, and one for each player who took something that counts."""
    yield from doubled(table, deal)
    for seat, account in enumerate(deal.accounts or ()):
        counted = _in_words(account, table.dialect)
        if counted and account[0].why is not Why.SUN:
            yield table.say("{who}: {points}", who=bold(table, seat), points=counted)


def doubled(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """C8 and C9: what counts more because it was exposed."""
    if deal.exposures:
        cards = table.language.listing([_doubled(table, card) for card in deal.exposed])
        yield table.say("Doubled because exposed: {cards}.", cards=cards)


def _doubled(table: PublicTable, card: Card) -> str:
    """`hearts (A♥)`; a card by itself where none of its suit has a value."""
    counting, shown = table.rules.counting, chip(card)
    if counting.multiplier and card is counting.multiplier.card:
        shown = _multiplying(table, shown, counting.multiplies((card,), (card,)))
    if card.suit and any(other.suit is card.suit for other in counting.values):
        return table.say("{suit} ({card})", suit=table.language.suit(card.suit), card=shown)
    return shown


def multiplier(table: PublicTable, entry: Entry) -> str:
    """C9: what of a trick brings no points in itself: `10♣ (× 2, alone +50)`."""
    return _multiplying(table, chips(entry.cards), entry.times)


def _multiplying(table: PublicTable, card: str, times: int) -> str:
    """C9: a card with what it is worth, where it brings no points in itself: `10♣ (× 2, alone +50)`."""
    multiplier = table.rules.counting.multiplier
    assert multiplier is not None
    alone = table.language.change(multiplier.alone * times // multiplier.times)
    return table.say("{card} (× {times}, alone {points})", card=card, times=times, points=alone)


def _in_words(account: Account, language: Language) -> str:
    """`(hearts −60, Q♠ −100) × 2 for 10♣`; empty if nothing counted."""
    own = [entry for entry in account if entry.why in OWN]
    own.sort(key=lambda entry: not _is_of_hearts(entry))
    counted = [f"{_cards(entry, language)} {language.change(entry.points)}" for entry in own]
    for entry in account:
        cards = chips(entry.cards)
        if entry.why is Why.ALONE:
            points = language.change(entry.points)
            counted.append(language.say("{card} alone {points}", card=cards, points=points))
        if entry.why is Why.MULTIPLIER:
            points = language.series(counted or [f"{language.suit(Suit.HEARTS)} 0"])
            return language.say(
                "({points}) × {times} for {card}", points=points, times=entry.times, card=cards
            )
    return language.series(counted)


def _is_of_hearts(entry: Entry) -> bool:
    return entry.why is not Why.MOON and entry.cards[0].suit is Suit.HEARTS


def _cards(entry: Entry, language: Language) -> str:
    if entry.why is Why.MOON:
        return language.say("the moon")
    return language.suit(Suit.HEARTS) if _is_of_hearts(entry) else chips(entry.cards)
