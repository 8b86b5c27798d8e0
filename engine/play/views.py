"""What may be seen of a game: by everyone, and by the player of one seat.

A SeatView contains the PublicView; what is secret was never in it, so nothing has to be stripped.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Hand
from engine.play.deal import Deal, DoneTrick, Phase
from engine.play.game import Game
from engine.play.moves import Dealt
from engine.play.seal import seal
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset
from engine.rules.tricks import Trick


@dataclass(frozen=True, slots=True)
class PublicDeal:
    """A deal as everyone at the table sees it."""

    number: int  # from 1
    dealer: int
    seal: str | None  # the hash of the cards and their salt; None for a deal that was not sealed
    phase: Phase
    offset: int  # how many seats to the left cards are passed, 0 for none
    has_chosen: tuple[bool, ...]  # who has chosen cards to pass
    exposures: tuple[tuple[int, Card], ...]
    lying: tuple[Hand, ...]  # exposed cards that still lie before their owners
    hand_sizes: tuple[int, ...]
    kitty_size: int
    tricks: tuple[DoneTrick, ...]
    trick: Trick
    turn: int | None
    on_hold: Hand
    taken: tuple[Hand, ...]  # in tricks; cards from the kitty are their taker's secret (W3)
    hearts_broken: bool
    shooter: int | None
    choice: MoonChoice | None
    points: tuple[int, ...] | None
    kitty_taken: tuple[Hand, ...] | None  # shown when the deal is done
    dealt: Dealt | None  # the cards as dealt, with their salt, shown when the deal is done

    @property
    def salt(self) -> str | None:
        """What opens the seal, once the deal is done."""
        return self.dealt.salt if self.dealt else None


@dataclass(frozen=True, slots=True)
class PublicView:
    """A game as everyone sees it: the deal going on (or the last one), and the one before."""

    rules: Ruleset
    deal: PublicDeal | None
    previous: PublicDeal | None
    points: tuple[tuple[int, ...], ...]  # of each complete deal
    history: tuple[tuple[int, ...], ...]  # the totals after each
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A game as the player of one seat sees it: what is public, and this player's own cards."""

    public: PublicView
    seat: int
    hand: Hand
    legal: Hand
    passed: Hand | None  # the cards chosen to pass, or passed
    received: Hand
    exposable: Hand  # what may be exposed now
    declined: bool
    kitty: Hand  # the cards that this player took from the kitty (W3)

    @property
    def rules(self) -> Ruleset:
        """The game's rules."""
        return self.public.rules

    @property
    def deal(self) -> PublicDeal:
        """The public side of the deal going on."""
        assert self.public.deal is not None
        return self.public.deal


def public_view(game: Game) -> PublicView:
    """What everyone may see of this game."""
    recent = [public_deal(deal) for deal in game.deals[-2:]]
    return PublicView(
        rules=game.rules,
        deal=recent[-1] if recent else None,
        previous=recent[0] if len(recent) == 2 else None,
        points=game.points,
        history=game.history,
        totals=game.totals,
        winners=game.winners,
    )


def seat_view(game: Game, seat: int, public: PublicView | None = None) -> SeatView:
    """What the player of this seat may see; ValueError before the first deal."""
    if not game.deals:
        raise ValueError("nothing has been dealt")
    deal = game.deals[-1]
    return SeatView(
        public=public or public_view(game),
        seat=seat,
        hand=deal.hands[seat],
        legal=deal.legal(seat),
        passed=deal.passes[seat],
        received=deal.received[seat],
        exposable=deal.exposable(seat) if deal.phase is Phase.EXPOSING else (),
        declined=seat in deal.declined,
        kitty=deal.kitty_taken[seat],
    )


def public_deal(deal: Deal) -> PublicDeal:
    """What everyone may see of this deal."""
    all_taken = deal.phase in (Phase.CHOOSING_MOON, Phase.DONE)
    return PublicDeal(
        number=deal.number,
        dealer=deal.dealt.dealer,
        seal=seal(deal.number, deal.dealt),
        phase=deal.phase,
        offset=deal.offset,
        has_chosen=tuple(cards is not None for cards in deal.passes),
        exposures=deal.exposures,
        lying=deal.lying,
        hand_sizes=tuple(len(hand) for hand in deal.hands),
        kitty_size=len(deal.kitty),
        tricks=deal.tricks,
        trick=deal.trick,
        turn=deal.turn,
        on_hold=deal.on_hold,
        taken=deal.taken,
        hearts_broken=deal.hearts_broken,
        shooter=deal.shooter if all_taken else None,
        choice=deal.choice,
        points=deal.points,
        kitty_taken=deal.kitty_taken if deal.phase is Phase.DONE else None,
        dealt=deal.dealt if deal.phase is Phase.DONE else None,
    )
