"""One turn to play: how good each card would be."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Hand, Suit, without
from engine.play.views import SeatView
from engine.players.prospects import EAGER, RELUCTANT, Prospects
from engine.rules.tricks import kitty_share

#: How much of a harmful card's worth it brings to lead below it and draw it out.
DRAWN_OUT = 0.04


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's turn, what it sees and what it expects."""

    view: SeatView
    prospects: Prospects
    held: Hand
    after: tuple[int, ...]
    pot: float  # what lies in the trick already, on hold or in the kitty's share

    @staticmethod
    def of(view: SeatView, prospects: Prospects) -> Turn:
        """The turn of the seat whose view it is."""
        deal, players = view.deal, view.rules.players
        left = players - 1 - len(deal.trick.cards)
        after = tuple((view.seat + step) % players for step in range(1, left + 1))
        pot = prospects.worth_of(deal.trick.cards + deal.on_hold) + _kitty(view, prospects)
        return Turn(view, prospects, view.hand + deal.face_up[view.seat], after, pot)

    def merit(self, card: Card) -> float:
        """What this card is worth to play: the trick that it makes, and the hand that it leaves."""
        led = self.view.deal.trick.led_suit or card.suit
        rest = without(self.held, (card,))
        pot = self.pot + self.prospects.worth.get(card, 0)
        eager = EAGER if pot > 0 else RELUCTANT
        chance = self.prospects.win(card, self.view.deal.trick.cards, led, self.after, eager)
        elsewhere = -pot / len(self.prospects.memory.others)  # what others gain is lost, and the reverse
        taken = pot + self._more(card, led) + self._next_lead(rest) if chance else 0.0
        return (
            chance * taken
            + (1 - chance) * elsewhere
            + self.prospects.outlook(rest)
            + self._drawn_out(card, rest)
        )

    def _more(self, card: Card, led: Suit | None) -> float:
        safe = not self.view.deal.tricks and bool(self.view.rules.unsafe)
        return self.prospects.spoils(card, led, self.after, safe, 1.0)

    def _next_lead(self, rest: Hand) -> float:
        return min(0.0, max(map(self.prospects.value, rest), default=0.0))

    def _drawn_out(self, card: Card, rest: Hand) -> float:
        """Leading below a harmful card that is out, with none that would catch it."""
        if self.view.deal.trick.cards or card.suit is None:
            return 0.0
        worst = min(self.prospects.memory.unseen[card.suit], key=self._worth, default=card)
        caught = any(own.suit is card.suit and own.rank > worst.rank for own in (*rest, card))
        return 0.0 if caught or self._worth(worst) > -2 else -DRAWN_OUT * self._worth(worst)

    def _worth(self, card: Card) -> float:
        return self.prospects.worth.get(card, 0)


def _kitty(view: SeatView, prospects: Prospects) -> float:
    """What the kitty's cards that go with this trick are worth on average."""
    deal, rules = view.deal, view.rules
    unseen = [card for cards in prospects.memory.unseen.values() for card in cards]
    face_down = rules.pack.cards[: deal.kitty_size]  # any cards: only their number matters
    share = len(kitty_share(rules, face_down, first=not deal.tricks, last=deal.is_last_trick))
    return share * prospects.worth_of(tuple(unseen)) / len(unseen) if share else 0.0
