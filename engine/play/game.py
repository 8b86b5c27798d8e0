"""A whole game: deals in a row, totals, the end and the winners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random

from engine.errors import Refusal
from engine.play.deal import Deal, Phase, advance_deal, check_seat, replay_deal, start_deal
from engine.play.moves import Dealt, Ended, Move, SeatMove
from engine.play.public import PublicDeal, public_deal
from engine.play.values import replace
from engine.rules.ruleset import Ruleset


@dataclass(frozen=True)  # without slots, for cached properties
class Game:
    """All deals so far, including the one in progress, and the points of each complete one.

    A new game has only its rules. `advance` returns the next game; the game itself never changes:

    >>> from engine.play.moves import Played
    >>> game = Game(Ruleset.of("cancellation", 5))
    >>> game = game.advance(shuffle(game, Random(1)))
    >>> (seat,) = game.deal.waiting_for
    >>> game.advance(Played(seat, game.deal.legal(seat)[0])).deal.turn == (seat + 1) % 5
    True

    Tuples of points and totals are by seat.
    """

    rules: Ruleset
    oldest: int = 0  # C3: the seat that leads the first deal
    deals: tuple[Deal, ...] = ()
    points: tuple[tuple[int, ...], ...] = ()  # of each complete deal
    history: tuple[tuple[int, ...], ...] = ()  # the totals after each
    past: tuple[PublicDeal, ...] = ()  # the deals before the last one, which never change again
    ended: bool = False  # early: it counts as it stands
    dropped: Deal | None = None  # the deal in progress then, which doesn't count

    @property
    def totals(self) -> tuple[int, ...]:
        """Each player's total after the last complete deal (G4)."""
        return self.history[-1] if self.history else (0,) * self.rules.players

    @cached_property
    def deal(self) -> Deal | None:
        """The deal in progress."""
        return self.deals[-1] if self.deals and self.deals[-1].phase is not Phase.DONE else None

    @cached_property
    def begun(self) -> int:
        """The number of deals dealt, including a dropped one."""
        return len(self.deals) + (self.dropped is not None)

    @property
    def complete_deals(self) -> Game:
        """The game without the deal in progress, whose hands are still secret."""
        if self.deal is None:
            return self
        return replace(self, deals=self.deals[:-1], past=self.past[:-1])

    @cached_property
    def over(self) -> bool:
        """Whether the game is over (G4): decided after each deal, never within one."""
        return self.ended or (bool(self.history) and self.rules.ends(self.totals, len(self.history)))

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats with the best total (G5); None while the game goes on."""
        return self.rules.winner.leaders(self.totals) if self.over else None

    @property
    def next_dealer(self) -> int | None:
        """The next dealer (W15); None before the first deal."""
        return (self.deals[-1].dealt.dealer + 1) % self.rules.players if self.deals else None

    def advance(self, move: Move) -> Game:
        """The game after this move; Refusal if the rules forbid it.

        A deal's last card adds up its points, unless its shooter has a choice to make (K7, W23, P9). A dealt
        card isn't checked. A `Dealt` during a deal is a bug (AssertionError).
        """
        if self.deal is None and self.over:
            raise Refusal("game_over")
        if isinstance(move, Dealt):
            check_seat(self.rules, move.dealer)
            return self._deal_out(move)
        if isinstance(move, Ended):
            return self._end()
        if self.deal is None:
            raise Refusal("deal_over")
        return self._go_on(advance_deal(self.deal, move))

    def replay(self, moves: Sequence[Move]) -> Game:
        """The game after moves that are known to be legal, which a restart needn't check again."""
        game = self
        starts = [number for number, move in enumerate(moves) if isinstance(move, Dealt)]
        for start, end in pairwise([*starts, len(moves)]):
            dealt, *others = moves[start:end]
            assert isinstance(dealt, Dealt)
            game = game._deal_out(dealt)
            seat_moves = [move for move in others if isinstance(move, SeatMove)]
            game = game._go_on(replay_deal(game.deals[-1], seat_moves))
            if others and isinstance(others[-1], Ended):
                game = game._end()
        return game

    def _go_on(self, deal: Deal) -> Game:
        game = replace(self, deals=(*self.deals[:-1], deal))
        return game if deal.points is None else game._add_up(deal.points)

    def _deal_out(self, dealt: Dealt) -> Game:
        assert self.deal is None, "a deal is still going"
        assert not self.ended, "the game was ended"
        first_leader = None
        if self.rules.oldest_leads:
            first_leader = self._collector() if self.deals else self.oldest
        deal = start_deal(self.rules, len(self.deals) + 1, dealt, first_leader)
        past = (*self.past, public_deal(self.deals[-1])) if self.deals else ()
        return replace(self, deals=(*self.deals, deal), past=past)

    def _end(self) -> Game:
        if not self.history:
            raise Refusal("nothing_counts_yet")
        return replace(self.complete_deals, ended=True, dropped=self.deal)

    def _collector(self) -> int:
        """C3: the taker of the card that decides who leads the next deal."""
        piles = self.deals[-1].piles
        return next(seat for seat, pile in enumerate(piles) if self.rules.preset.leads_next in pile)

    def _add_up(self, points: tuple[int, ...]) -> Game:
        totals = self.rules.counting.add_up(self.totals, points)
        return replace(self, points=(*self.points, points), history=(*self.history, totals))


def shuffle(game: Game, rng: Random) -> Dealt:
    """The move that deals the next hands, shuffled with `rng`.

    The first dealer is to seat 0's right; then the deal moves to the left (W15). Without a salt, the deal
    isn't sealed.
    """
    pack = list(game.rules.pack.cards)
    rng.shuffle(pack)
    size, players = game.rules.pack.hand_size, game.rules.players
    hands = tuple(tuple(pack[seat * size : (seat + 1) * size]) for seat in range(players))
    dealer = game.next_dealer
    return Dealt(players - 1 if dealer is None else dealer, hands, tuple(pack[players * size :]))
