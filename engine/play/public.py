"""The public part of a deal: what everyone may see."""

from dataclasses import dataclass

from engine.cards import Card, Hand
from engine.play.deal import Deal, DoneTrick, Phase
from engine.play.moves import Dealt
from engine.rules.counting import Account, total
from engine.rules.options import MoonChoice
from engine.rules.plays import Trick, cancelled, winning_index


@dataclass(frozen=True, slots=True)
class PublicDeal:
    """A deal as everyone at the table sees it."""

    number: int  # from 1
    dealer: int
    seal: str | None  # the hash of the cards and their salt; None for a deal that was not sealed
    phase: Phase
    offset: int  # how many seats to the left cards are passed; 0 for none
    has_chosen: tuple[bool, ...]  # who has chosen cards to pass
    exposures: tuple[tuple[int, Card], ...]
    face_up: tuple[Hand, ...]  # exposed cards that are still on the table
    hand_sizes: tuple[int, ...]
    kitty_size: int
    tricks: tuple[DoneTrick, ...]
    trick: Trick
    is_last_trick: bool
    winning: int | None  # the index of the card winning the trick as it stands
    cancelled: frozenset[Card]  # in the trick
    turn: int | None
    on_hold: Hand
    on_hold_points: int
    on_hold_kitty: int  # the number of kitty cards with them
    so_far: tuple[int, ...]  # the points of each player's cards so far, without the kitty's
    taken: tuple[Hand, ...]  # in tricks; cards from the kitty are their taker's secret (W3)
    hearts_broken: bool
    settled_after: int | None  # the tricks after which no points were left; set once all cards are taken
    claimed_after: int | None  # those after which the player to lead was sure of the rest; set then too
    shooter: int | None
    choice: MoonChoice | None
    accounts: tuple[Account, ...] | None  # how each player's points came about
    points: tuple[int, ...] | None
    kitty_taken: tuple[Hand, ...] | None  # shown when the deal is over
    dealt: Dealt | None  # the cards as dealt, with their salt, shown when the deal is over

    @property
    def exposed(self) -> Hand:
        """All cards that were exposed, wherever they are now."""
        return tuple([card for _, card in self.exposures])

    @property
    def exposed_by(self) -> dict[int, list[Card]]:
        """The cards that each player has exposed, in the order of their first exposures."""
        by_seat: dict[int, list[Card]] = {}
        for seat, card in self.exposures:
            by_seat.setdefault(seat, []).append(card)
        return by_seat

    @property
    def salt(self) -> str | None:
        """The salt that opens the seal, once the deal is over."""
        return self.dealt.salt if self.dealt else None


def public_deal(deal: Deal) -> PublicDeal:
    """The public part of this deal."""
    all_taken = deal.phase in (Phase.CHOOSING_MOON, Phase.DONE)
    rules, trick, last = deal.rules, deal.trick, deal.is_last_trick
    on_hold_points = total(rules.counting.entries(deal.on_hold, deal.exposed)) if deal.on_hold else 0
    return PublicDeal(
        number=deal.number,
        dealer=deal.dealt.dealer,
        seal=deal.seal,
        phase=deal.phase,
        offset=deal.offset,
        has_chosen=tuple([cards is not None for cards in deal.passes]),
        exposures=deal.exposures,
        face_up=deal.face_up,
        hand_sizes=tuple(map(len, deal.hands)),
        kitty_size=len(deal.kitty),
        tricks=deal.tricks,
        trick=trick,
        is_last_trick=last,
        winning=winning_index(rules, trick, last=last) if trick.cards else None,
        cancelled=cancelled(rules, trick.cards),
        turn=deal.turn,
        on_hold=deal.on_hold,
        on_hold_points=on_hold_points,
        on_hold_kitty=len(deal.kitty_on_hold),
        so_far=deal.so_far,
        taken=deal.taken,
        hearts_broken=deal.hearts_broken,
        # W3: earlier, it would give away the kitty.
        settled_after=deal.settled_after if all_taken else None,
        claimed_after=deal.claimed_after if all_taken else None,  # earlier, it would give away hands
        shooter=deal.shooter if all_taken else None,
        choice=deal.choice,
        accounts=deal.accounts,
        points=deal.points,
        kitty_taken=deal.kitty_taken if deal.phase is Phase.DONE else None,
        dealt=deal.dealt if deal.phase is Phase.DONE else None,
    )
