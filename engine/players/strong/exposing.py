"""Which card to expose (C2): each, or none, in the same sampled deals, as their rules would then count."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.kernel.compiled import compiled
from engine.kernel.habits import Policy, play_out
from engine.kernel.records import Laws
from engine.kernel.rows import NONE, bit_of, suit_of
from engine.play.views import SeatView
from engine.players.advice import Option
from engine.players.strong.passing import find_leader, opening_dealer
from engine.players.strong.playing import may_aim
from engine.players.strong.trials import Trials, deal_world, note_catches, note_end, search
from engine.players.strong.worlds import Seen


def weigh_exposures(view: SeatView, seen: Seen, policy: Policy, effort: int, seed: int) -> tuple[Option, ...]:
    """Each card that may be exposed, and none, best first."""
    aims = (NONE, view.seat) if may_aim(view, seen) else (NONE,)
    choices = [(cards, aim) for aim in aims for cards in ((), *((card,) for card in view.exposable))]
    sights = [_exposed(view, seen, *cards) for cards, _ in choices]
    dealer = opening_dealer(view)

    def attempt(trials: Trials, alive: NDArray[np.int64], first: int, last: int) -> None:
        for option in alive:
            _, aim = choices[option]
            try_deals(trials._replace(seen=sights[option]), dealer, aim, option, first, last)

    return search(view, seen, policy, [(cards, ()) for cards, _ in choices], effort, seed, attempt)


def _exposed(view: SeatView, seen: Seen, *cards: Card) -> Seen:
    """What is known, with these cards exposed by this seat."""
    position = seen.position.copies(1)[0]
    for code in (seen.laws.codes(card)[0] for card in cards):
        position.face_up[view.seat][suit_of(code)] |= bit_of(code)
    return seen._replace(laws=Laws.of(view.rules, view.deal.exposed + cards), position=position)


@compiled
def try_deals(trials: Trials, dealer: int, aim: int, option: int, first: int, last: int) -> None:
    """Play these worlds out from the first lead."""
    seen, policy, stakes, bench, found = trials
    laws, random_state = seen.laws, bench.random_state
    world, end = bench.positions[0], bench.positions[1]
    for number in range(first, last):
        deal_world(seen, bench, number)
        if dealer != NONE:
            find_leader(laws, world, dealer)
        bench.positions[1] = world
        play_out(laws, policy, end, aim, random_state)
        note_catches(laws, world, end, stakes.seat, option, found)
        note_end(laws, stakes, end, option, number, found)
