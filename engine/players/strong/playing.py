"""Which card to play: each candidate is tried in the same sampled deals, played out by quick players."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.kernel.compiled import compiled
from engine.kernel.habits import Policy, Roles, play_on, play_out
from engine.kernel.records import Laws, Position
from engine.kernel.rules import lay
from engine.numbers.appeal import SCALE
from engine.numbers.rows import NONE, Row, bit_of, size, suit_of, up_to
from engine.play.views import SeatView
from engine.players.advice import Skills
from engine.players.sight import appeals
from engine.players.strong.trials import (
    SearchResult,
    Tallies,
    Trials,
    deal_world,
    note_catches,
    note_end,
    search,
    unsearched,
)
from engine.players.strong.worlds import Knowledge


def weigh_cards(
    view: SeatView, knowledge: Knowledge, policy: Policy, skills: Skills, effort: int, seed: int
) -> SearchResult:
    """Try the cards that may be played."""
    groups = candidates(view, knowledge)
    if len(groups) == 1:
        return unsearched(knowledge.laws, (groups[0][0],), tuple(groups[0][1:]))
    aims = (NONE, view.seat) if may_aim(view, knowledge) else (NONE,)
    choices = [(group, aim) for aim in aims for group in groups]
    cards = np.array([knowledge.laws.codes(group[0])[0] for group, _ in choices])
    aimed = np.array([aim for _, aim in choices])

    def attempt(trials: Trials, alive: NDArray[np.int64], first: int, last: int) -> None:
        try_cards(trials, cards, aimed, alive, first, last)

    sets = [((group[0],), tuple(group[1:])) for group, _ in choices]
    by_card = appeals(view)
    appealing = np.array([by_card[group[0]] for group, _ in choices])
    prior = worth_of_appeals(knowledge.laws, appealing, BELIEF, MOST_BEHIND)
    return search(view, knowledge, policy, skills, sets, effort, seed, attempt, prior)


#: How many hearts' points a card starts behind for each factor of e by which a learned player is less likely
#: to choose it, and the most it can.
BELIEF, MOST_BEHIND = 0.25, 2.0


def worth_of_appeals(
    laws: Laws, appealing: NDArray[np.int64], belief: float, most: float
) -> NDArray[np.float64]:
    """The merit of choices before they are tried, by their appeals; see BELIEF and MOST_BEHIND."""
    hearts: NDArray[np.float64] = np.maximum(belief * (appealing - appealing.max()) / SCALE, -most)
    return laws.at_stake / 26 * hearts


def candidates(view: SeatView, knowledge: Knowledge) -> list[list[Card]]:
    """The cards that may be played, with equivalent ones grouped; highest first, of groups and in them."""
    groups: list[list[Card]] = []
    for card in sorted(set(view.legal), key=lambda card: card.order):
        if groups and _alike(view, knowledge, groups[-1][0], card):
            groups[-1].insert(0, card)
        else:
            groups.append([card])
    return groups[::-1]  # of equally good ones, the first is chosen


def _alike(view: SeatView, knowledge: Knowledge, low: Card, high: Card) -> bool:
    """Whether two cards in the hand are equivalent: they count the same, and others have none in between."""
    laws = knowledge.laws
    one, other = laws.codes(low)[0], laws.codes(high)[0]
    suit = suit_of(one)
    if suit != suit_of(other) or laws.twins_cancel or any(view.deal.face_up):
        return False
    kinds = laws.deciding, laws.multiplier, laws.company, laws.moon, laws.sun
    if any(bool(kind[suit] & bit_of(one)) != bool(kind[suit] & bit_of(other)) for kind in kinds):
        return False
    between = up_to(other) & ~(up_to(one) >> 2)
    return laws.value[one] == laws.value[other] and not _not_ours(view, knowledge, suit) & between


def _not_ours(view: SeatView, knowledge: Knowledge, suit: int) -> int:
    """The cards of this suit in the trick, and those that others may hold."""
    position = knowledge.position
    row = sum(int(position.hands[seat, suit]) for seat in range(view.rules.players) if seat != view.seat)
    laid = [position.trick[index] for index in range(position.laid)]
    for code in (*map(int, np.asarray(knowledge.unseen.codes)), *laid):
        row |= bit_of(code) if suit_of(code) == suit else 0
    return row


def may_aim(view: SeatView, knowledge: Knowledge) -> bool:
    """Whether to consider the moon: no one else has its cards and, with two decks, this seat has most."""
    counting, deal = view.rules.counting, view.deal
    if not counting.needed or knowledge.laws.moon_is_good:
        return False
    counts = [sum(card in counting.moon for card in pile) for pile in deal.taken]
    mine = counts[view.seat]
    return sum(counts) == mine and (counting.decks == 1 or 2 * mine > counting.needed)


@compiled
def try_cards(
    trials: Trials, cards: Row, aims: Row, options: NDArray[np.int64], first: int, last: int
) -> None:
    """Try each of these options in the same worlds: a card, and whether to aim at the moon."""
    policy, stakes, scratch, tallies = trials.policy, trials.stakes, trials.scratch, trials.tallies
    laws, random_state = trials.knowledge.laws, scratch.random_state
    world, end = scratch.positions[0], scratch.positions[1]
    for number in range(first, last):
        learned = deal_world(trials, number)
        luck = random_state[0]
        for option in options:
            random_state[0] = luck
            scratch.positions[1] = world
            lay(laws, end, cards[option])
            roles = Roles(aims[option], learned)
            play_on(laws, policy, roles, end, random_state, world.tricks_done + 1)
            note_trick(laws, world, end, stakes.seat, option, tallies)
            play_out(laws, policy, roles, end, random_state)
            note_end(laws, stakes, end, option, number, tallies)


@compiled
def note_trick(
    laws: Laws, before: Position, after: Position, seat: int, option: int, tallies: Tallies
) -> None:
    """Record the outcome of the trick in progress for this seat."""
    if after.leader == seat and not size(after.on_hold):
        tallies.takes[option] += 1
        tallies.costs[option] += after.points[seat] - before.points[seat]
        note_catches(laws, before, after, seat, option, tallies)
