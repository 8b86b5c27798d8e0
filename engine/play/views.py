"""Views of a game: what everyone may see, and what the player of one seat may see.

A SeatView contains the PublicView. Neither ever held others' secrets, so none have to be removed.
"""

from dataclasses import dataclass
from functools import cached_property

from engine.cards import Hand
from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.public import PublicDeal, public_deal
from engine.rules.plays import Situation, reasons
from engine.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class PublicView:
    """A game as everyone sees it: the deal in progress (or the last one), and those before."""

    rules: Ruleset
    deal: PublicDeal | None
    past: tuple[PublicDeal, ...]
    points: tuple[tuple[int, ...], ...]  # of each complete deal
    history: tuple[tuple[int, ...], ...]  # the totals after each
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None
    ended: bool  # early: the game counts as it stands
    dropped: PublicDeal | None  # the deal in progress then, which doesn't count

    @property
    def previous(self) -> PublicDeal | None:
        """The deal before this one."""
        return self.past[-1] if self.past else None


@dataclass(frozen=True)
class SeatView:
    """A game as the player of one seat sees it: what is public, and their own cards.

    Hands are sorted by suit. `legal` are the cards that may be played now: none if it isn't this seat's turn.
    """

    public: PublicView
    seat: int
    hand: Hand
    legal: Hand
    passed: Hand | None  # the cards chosen to pass, or passed
    received: Hand
    exposable: Hand  # the cards that may be exposed now
    declined: bool
    kitty: Hand  # the cards that this player took from the kitty (W3)

    @cached_property
    def rules(self) -> Ruleset:
        """The game's rules."""
        return self.public.rules

    @cached_property
    def deal(self) -> PublicDeal:
        """The public side of the deal in progress."""
        assert self.public.deal is not None
        return self.public.deal

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """The ids of refusals that say why some cards can't be played now, without the opening lead's."""
        deal = self.deal
        position = Situation(
            self.rules,
            self.hand,
            deal.face_up[self.seat],
            leading=not deal.trick.cards,
            led=deal.trick.led_suit,
            first_trick=not deal.tricks,
            hearts_broken=deal.hearts_broken,
            opening=None,
        )
        return reasons(position)

    @cached_property
    def played(self) -> int:
        """The number of cards that this player has played in this deal."""
        return self.rules.pack.hand_size - len(self.hand) - len(self.deal.face_up[self.seat])


def public_view(game: Game) -> PublicView:
    """The view of this game that everyone may see."""
    return PublicView(
        rules=game.rules,
        deal=public_deal(game.deals[-1]) if game.deals else None,
        past=game.past,
        points=game.points,
        history=game.history,
        totals=game.totals,
        winners=game.winners,
        ended=game.ended,
        dropped=public_deal(game.dropped) if game.dropped else None,
    )


def seat_view(game: Game, seat: int, public: PublicView | None = None) -> SeatView:
    """The view of this seat's player; ValueError before the first deal.

    Pass `public` to share one public view between several seats.

    >>> from random import Random
    >>> from engine.play.game import shuffle
    >>> game = Game(Ruleset.of("cancellation", 5))
    >>> game = game.advance(shuffle(game, Random(1)))
    >>> view = seat_view(game, 2)
    >>> len(view.hand), view.deal.hand_sizes, view.deal.dealt is None
    (21, (21, 21, 21, 21, 21), True)
    """
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
