"""A player that counts cards and weighs its choices by what they bring under the table's rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from engine.cards import Card, Hand, Suit, without
from engine.play.deal import Phase
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.estimate import EAGER, RELUCTANT, Prospects, Worth, worths
from engine.players.manners import Manner
from engine.players.memory import Memory, recall
from engine.rules.options import MoonChoice
from engine.rules.plays import kitty_share
from engine.rules.ruleset import Ruleset

#: Merits are about equal if they differ by at most this share of all that counts in a deal.
TOLERANCE = 0.02


def medium_move(
    view: SeatView,
    rng: Random,
    manner: Manner | None = None,
    weigh: Callable[[SeatView, Memory], Worth] = worths,
) -> SeatMove:
    """The best move by its own estimate of what cards are worth; manner or chance decides among equals."""
    if view.deal.phase is Phase.CHOOSING_MOON:
        return MoonChosen(view.seat, moon_choice(view))
    if view.deal.phase is Phase.PLAYING and len(set(view.legal)) == 1:
        return Played(view.seat, view.legal[0])
    memory = recall(view)
    prospects = Prospects(view.rules, memory, weigh(view, memory))
    match view.deal.phase:
        case Phase.PASSING:
            return _pass(view, prospects, rng, manner)
        case Phase.EXPOSING:
            return exposing_move(view, prospects)
        case Phase.PLAYING:
            return _play(view, prospects, rng, manner)
        case _:
            raise ValueError("the deal is over")


def _play(view: SeatView, prospects: Prospects, rng: Random, manner: Manner | None) -> Played:
    turn = Turn.of(view, prospects)
    faces = list(dict.fromkeys(view.legal))
    rng.shuffle(faces)
    return Played(view.seat, _choose(view, {card: turn.merit(card) for card in faces}, manner))


def _choose(view: SeatView, merits: dict[Card, float], manner: Manner | None) -> Card:
    """The best of these cards, or one that the manner likes if it is hardly worse."""
    if manner is None:
        return max(merits, key=lambda card: merits[card])
    counts = view.rules.at_stake
    return max(merits, key=lambda card: merits[card] + TOLERANCE * counts * manner.likes(view, card))


def _pass(view: SeatView, prospects: Prospects, rng: Random, manner: Manner | None) -> Passed:
    """Card by card, each time the one without which the hand looks best."""
    hand = list(view.hand)
    rng.shuffle(hand)
    chosen: list[Card] = []
    for _ in range(view.rules.pass_cards):
        looks = {card: prospects.outlook(without(tuple(hand), (card,))) for card in hand}
        chosen.append(_choose(view, looks, manner))
        hand.remove(chosen[-1])
    return Passed(view.seat, tuple(chosen))


# Playing

#: The share of a harmful card's worth that leading below it, to draw it out, brings.
DRAWN_OUT = 0.04


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's turn: what it sees and expects."""

    view: SeatView
    prospects: Prospects
    held: Hand
    after: tuple[int, ...]
    pot: float  # the worth of the trick so far, on hold, and of the kitty's share

    @staticmethod
    def of(view: SeatView, prospects: Prospects) -> Turn:
        """The turn of the view's seat."""
        deal, players = view.deal, view.rules.players
        left = players - 1 - len(deal.trick.cards)
        after = tuple((view.seat + step) % players for step in range(1, left + 1))
        pot = prospects.worth_of(deal.trick.cards + deal.on_hold) + _kitty(view, prospects)
        return Turn(view, prospects, view.hand + deal.face_up[view.seat], after, pot)

    def merit(self, card: Card) -> float:
        """What playing this card is worth: the trick it makes, and the hand it leaves."""
        led = self.view.deal.trick.led_suit or card.suit
        rest = without(self.held, (card,))
        pot = self.pot + self.prospects.worth.get(card, 0)
        eager = EAGER if pot > 0 else RELUCTANT
        chance = self.prospects.win(card, self.view.deal.trick.cards, led, self.after, eager)
        elsewhere = -pot / len(self.prospects.memory.others)  # the others' gain is a loss, and the reverse
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
        """The gain from leading below a harmful card that is out, with no card that would catch it."""
        if self.view.deal.trick.cards or card.suit is None:
            return 0.0
        worst = min(self.prospects.memory.unseen[card.suit], key=self._worth, default=card)
        caught = any(own.suit is card.suit and own.rank > worst.rank for own in (*rest, card))
        return 0.0 if caught or self._worth(worst) > -2 else -DRAWN_OUT * self._worth(worst)

    def _worth(self, card: Card) -> float:
        return self.prospects.worth.get(card, 0)


def _kitty(view: SeatView, prospects: Prospects) -> float:
    """The average worth of the kitty's cards that go with this trick."""
    deal, rules = view.deal, view.rules
    unseen = [card for cards in prospects.memory.unseen.values() for card in cards]
    face_down = rules.pack.cards[: deal.kitty_size]  # any cards: only their number matters
    share = len(kitty_share(rules, face_down, first=not deal.tricks, last=deal.is_last_trick))
    return share * prospects.worth_of(tuple(unseen)) / len(unseen) if share else 0.0


# Exposing

#: The least gain for which a card is exposed, as a share of its suit's worth.
LEAST_GAIN = 0.15


def exposing_move(view: SeatView, prospects: Prospects) -> Exposed | Declined:
    """Expose the card that gains most, if it gains enough."""
    gains = {card: _gain(view, prospects, card) for card in view.exposable}
    best = max(gains, key=lambda card: gains[card])
    return Exposed(view.seat, best) if gains[best] > LEAST_GAIN else Declined(view.seat)


def _gain(view: SeatView, prospects: Prospects, card: Card) -> float:
    """What exposing this card promises, as a share of what it doubles."""
    multiplier = view.rules.counting.multiplier
    if multiplier and card is multiplier.card:  # worth it for a player who takes it with points to multiply
        return _capture(view, prospects, card) - 0.5 if prospects.outlook(view.hand) > 0 else 0.0
    fair = 1 / view.rules.players
    if prospects.worth.get(card, 0) > 0:
        return _capture(view, prospects, card) - fair
    suit = [other for other in prospects.worth if other.suit is card.suit]
    total = prospects.worth_of(tuple(suit))
    mine = prospects.outlook(tuple(own for own in view.hand if own.suit is card.suit))
    return fair - mine / total if total else 0.0


def _capture(view: SeatView, prospects: Prospects, card: Card) -> float:
    """The chance of taking one's own good card: higher cards and length guard it."""
    suit = [own for own in view.hand if own.suit is card.suit]
    support = sum(1 for own in suit if own.rank > card.rank)
    higher = sum(1 for rank in prospects.memory.ranks[card.suit] if rank > card.rank)
    return (1 + support) / (1 + support + higher) * min(1.0, len(suit) / 4)


# Choosing after a moon


def moon_choice(view: SeatView) -> MoonChoice:
    """A choice that wins the game, else one that doesn't lose it, else the one that makes a lead last."""
    deal, rules = view.deal, view.rules
    piles = [pile + (view.kitty if seat == view.seat else ()) for seat, pile in enumerate(deal.taken)]
    points = {choice: rules.counting.points(piles, deal.exposed, choice) for choice in MoonChoice}
    return best_moon_choice(rules, view.public.totals, view.seat, points, deal.number)


def best_moon_choice(
    rules: Ruleset,
    totals: Sequence[int],
    seat: int,
    points: Mapping[MoonChoice, Sequence[int]],
    number: int,
) -> MoonChoice:
    """The same in the deal of this number, given the totals before it and each choice's points by seat."""

    def merit(choice: MoonChoice) -> tuple[int, int, bool]:
        """1, 0 or −1 for a game won, continuing or lost; the lead; whether the pace suits the lead."""
        after = rules.counting.add_up(totals, points[choice])
        sign = rules.winner.sign
        rivals = [sign * total for other, total in enumerate(after) if other != seat]
        lead = sign * after[seat] - max(rivals)
        outcome = 0 if not rules.ends(after, number) else 1 if lead >= 0 else -1
        return outcome, lead, (lead > 0) == (choice is MoonChoice.ADD)

    return max((MoonChoice.SUBTRACT, MoonChoice.ADD), key=merit)
