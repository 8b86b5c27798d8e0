"""Each player's points in a deal, and why, where they are more than the sum of the cards."""

from collections.abc import Iterator

from bot.words.text import bold, chip, chips
from engine.cards import Card, Suit
from engine.languages import N_, Language
from engine.play.public import PublicDeal
from engine.rules.counting import EXPOSED, Account, Entry, Why
from engine.tables import PublicTable

#: The kinds of points that a multiplier multiplies.
OWN = (Why.VALUE, Why.TURNED, Why.MOON)


def what_counted(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """C8 and C9: a line for what was exposed, and one for each player who took something that counts."""
    yield from exposures(table, deal)
    for seat, account in enumerate(deal.accounts or ()):
        if counted := _in_words(account, table.dialect):
            yield table.say("{who}: {points}", who=bold(table, seat), points=counted)


def exposures(table: PublicTable, deal: PublicDeal, me: int | None = None) -> Iterator[str]:
    """C8 and C9: who exposed what, and what counts more because of it.

    `me` is the reader's seat, in a hand.
    """
    if deal.exposures:
        sentences = [
            _exposed(table, card, "" if seat == me else bold(table, seat)) for seat, card in deal.exposures
        ]
        yield table.language.sentences(sentences)


def still_face_up(table: PublicTable, deal: PublicDeal, me: int | None = None) -> Iterator[str]:
    """C4: the exposed cards that haven't been played, once others have; `me` is the reader's seat."""
    lying = {seat: cards for seat, cards in enumerate(deal.face_up) if cards}
    if 0 < sum(map(len, lying.values())) < len(deal.exposures):
        owners = [
            table.say("you {cards}", cards=chips(cards))
            if seat == me
            else f"{bold(table, seat)} {chips(cards)}"
            for seat, cards in lying.items()
        ]
        yield table.say("Still face up: {cards}.", cards=table.language.listing(owners))


def _exposed(table: PublicTable, card: Card, who: str) -> str:
    """Who exposed this card, and its effect; an empty `who` is the reader."""
    counting, change = table.rules.counting, table.language.change
    if counting.multiplier and card is counting.multiplier.card:
        times = counting.multiplies((card,), (card,))
        alone = change(counting.multiplier.alone * times // counting.multiplier.times)
        theirs = N_("{who} exposed {card}: × {times}, alone {points}.")
        mine = N_("You exposed {card}: × {times}, alone {points}.")
        return table.say(theirs if who else mine, who=who, card=chip(card), times=times, points=alone)
    if card.suit and any(one.suit is card.suit for one in counting.values if one is not card):
        theirs, mine = (
            N_("{who} exposed {card}: {suit} count double."),
            N_("You exposed {card}: {suit} count double."),
        )
        return table.say(
            theirs if who else mine, who=who, card=chip(card), suit=table.language.suit(card.suit)
        )
    theirs, mine = (
        N_("{who} exposed {card}: it counts {points}."),
        N_("You exposed {card}: it counts {points}."),
    )
    points = change(counting.values[card] * EXPOSED)
    return table.say(theirs if who else mine, who=who, card=chip(card), points=points)


def multiplier(table: PublicTable, entry: Entry) -> str:
    """C9: a card that multiplies points instead of scoring any: `10♣ (× 2, alone +50)`."""
    multiplier = table.rules.counting.multiplier
    assert multiplier is not None
    alone = table.language.change(multiplier.alone * entry.times // multiplier.times)
    card = chips(entry.cards)
    return table.say("{card} (× {times}, alone {points})", card=card, times=entry.times, points=alone)


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
