"""The card play of a whole deal by strong players, in compiled code: thousands of decisions a second.

Each seat decides as `playing.weigh_cards` does for its view, with fewer trials, and on the same grounds: what
it knows is taken from the deal as `worlds.encode_view` takes it from a view.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.kernel.chance import step
from engine.kernel.compiled import compiled
from engine.kernel.habits import Policy, is_over
from engine.kernel.learned import see
from engine.kernel.records import SEATS, TRICKS, Laws, Position
from engine.kernel.rules import count_up, derive_fields, lay, legal, turn
from engine.numbers.appeal import SCALE, appeal_of, holder_of_moon, look
from engine.numbers.rows import (
    CODES,
    JOKERS,
    NONE,
    Grid,
    Row,
    bit_of,
    code_of,
    count,
    lowest,
    size,
    suit_of,
    up_to,
)
from engine.players.strong.playing import BELIEF, MOST_BEHIND, try_cards
from engine.players.strong.trials import Scratch, Tallies, Trials
from engine.players.strong.utility import Stakes
from engine.players.strong.worlds import Knowledge, Unseen

#: What the positions in memory are for: the first two are those of `Scratch`.
VIEW, DEAL = 2, 3
#: The places where an unseen card may be: see `Unseen`.
_PLACES = 2 * SEATS + 2
#: The most cards to choose from, each with an aim and without.
_OPTIONS = 2 * TRICKS


class Seating(NamedTuple):
    """What is the same for all decisions of a deal."""

    laws: Laws
    policy: Policy
    stakes: Stakes  # of any seat
    may_aim: bool  # whether the game has a moon to aim at
    more_than: int  # the moon cards that must be exceeded to aim at it
    kitty_size: int
    offset: int  # how many seats to the left cards were passed
    effort: int  # playouts for a decision
    least: int  # worlds for each option


class History(NamedTuple):
    """What has been seen of a deal, besides its position."""

    gifts: Grid  # by giver, the cards that it knows to be in the receiver's hand
    kitty_piles: Grid  # by seat, the kitty's cards in its pile, which only it knows (W3)
    kitty_held: Row  # the kitty's cards on hold, which nobody knows
    opening: Row  # the code of the first lead if the lowest card led, else NONE


class ReplayBuffers(NamedTuple):
    """Working memory, allocated once for many deals."""

    tallies: Tallies
    seeds: Row
    state: Row
    places: Row
    left: Row
    positions: MutableSequence[Position]
    codes: Row
    may: Row
    room: Row
    skills: NDArray[np.float64]  # all seats play as they have learned
    prior: NDArray[np.float64]  # by option
    cards: Row
    aims: Row
    alive: NDArray[np.int64]  # the options that have not dropped out
    means: NDArray[np.float64]
    legal: Row
    unseen: Row

    @staticmethod
    def of(effort: int, least: int) -> ReplayBuffers:
        """Memory for decisions with at most this many playouts."""

        def row(length: int) -> Row:
            return cast("Row", np.zeros(length, np.int64))

        worlds = effort + 8 * least
        return ReplayBuffers(
            tallies=Tallies.nothing(_OPTIONS, worlds),
            seeds=row(worlds),
            state=row(1),
            places=row(CODES),
            left=row(_PLACES),
            positions=Position.several(4),
            codes=row(CODES),
            may=row(CODES),
            room=row(_PLACES),
            skills=np.ones(SEATS),
            prior=np.zeros(_OPTIONS),
            cards=row(_OPTIONS),
            aims=row(_OPTIONS),
            alive=np.zeros(_OPTIONS, np.int64),
            means=np.zeros(_OPTIONS),
            legal=row(5),
            unseen=row(5),
        )


def play(seating: Seating, record: History, memory: ReplayBuffers, deal: Position, seed: Row) -> Position:
    """The deal, before its first lead, played to its end, with the deal's points; `seed` is used up."""
    memory.positions[DEAL] = deal
    play_deal(seating, record, memory, seed)
    return memory.positions[DEAL]


@compiled
def play_deal(seating: Seating, record: History, memory: ReplayBuffers, seed: Row) -> None:
    """Play the deal in memory until no points are left."""
    laws, deal = seating.laws, memory.positions[DEAL]
    derive_fields(laws, deal)
    while not is_over(laws, deal):
        legal(laws, deal, memory.legal)
        options = list_options(seating, record, memory)
        chosen = 0
        if options > 1:
            chosen = best_of(seating, record, memory, options, seed)
        note_and_lay(laws, seating.offset, record, deal, memory.cards[chosen])
    count_up(laws, deal)


# Which cards may be played


@compiled
def list_options(seating: Seating, record: History, memory: ReplayBuffers) -> int:
    """Put this seat's options in memory, and return their number: see `playing.candidates`."""
    laws, deal = seating.laws, memory.positions[DEAL]
    seat = turn(laws, deal)
    found = list_cards(laws, record, memory, deal, seat)
    for option in range(found):
        memory.aims[option] = NONE
    if found < 2 or not seating.may_aim or not aims(seating, record, deal, seat):
        return found
    for option in range(found):
        memory.cards[found + option] = memory.cards[option]
        memory.aims[found + option] = seat
    return 2 * found


@compiled
def list_cards(laws: Laws, record: History, memory: ReplayBuffers, deal: Position, seat: int) -> int:
    """The cards that may be played, one of each kind, the highest first."""
    found, anyone = 0, False
    for other in range(laws.players):
        anyone |= size(deal.face_up[other]) > 0
    for suit in range(5):
        row, others = memory.legal[suit], not_ours(laws, record, deal, seat, suit)
        while row:
            code = code_of(suit, lowest(row))
            row &= row - 1
            if found and is_same_card(memory.cards[found - 1], code):
                continue
            if found and not anyone and are_alike(laws, others, memory.cards[found - 1], code):
                memory.cards[found - 1] = code
            else:
                memory.cards[found] = code
                found += 1
    for option in range(found // 2):
        last = found - 1 - option
        memory.cards[option], memory.cards[last] = memory.cards[last], memory.cards[option]
    return found


@compiled
def is_same_card(one: int, other: int) -> bool:
    """Whether two codes are copies of a card, as all jokers are."""
    return one >> 1 == other >> 1 or suit_of(one) == suit_of(other) == JOKERS


@compiled
def not_ours(laws: Laws, record: History, deal: Position, seat: int, suit: int) -> int:
    """The cards of this suit in the trick, and those that others may hold."""
    seen = deal.hands[seat, suit] | (deal.on_hold[suit] & ~record.kitty_held[suit])
    for other in range(laws.players):
        hidden = record.kitty_piles[other, suit] if other != seat else 0
        seen |= deal.piles[other, suit] & ~hidden
    return laws.pack[suit] & ~seen


@compiled
def are_alike(laws: Laws, others: int, low: int, high: int) -> bool:
    """Whether two cards are equivalent: they count the same, with nobody else's in between."""
    suit = suit_of(low)
    if suit != suit_of(high) or laws.twins_cancel or laws.value[low] != laws.value[high]:
        return False
    one, other = low & 31, high & 31
    kinds = laws.deciding[suit], laws.multiplier[suit], laws.company[suit], laws.moon[suit], laws.sun[suit]
    for kind in kinds:
        if kind >> one & 1 != kind >> other & 1:
            return False
    return not others & up_to(high) & ~(up_to(low) >> 2)


@compiled
def aims(seating: Seating, record: History, deal: Position, seat: int) -> bool:
    """Whether to consider the moon: see `playing.may_aim`."""
    laws, mine = seating.laws, 0
    for other in range(laws.players):
        for suit in range(5):
            known = deal.piles[other, suit] & ~record.kitty_piles[other, suit]
            taken = count(known & laws.moon[suit])
            if other == seat:
                mine += taken
            elif taken:
                return False
    return mine > seating.more_than


# The best of them


@compiled
def best_of(seating: Seating, record: History, memory: ReplayBuffers, options: int, seed: Row) -> int:
    """The best of the options in memory, by sequential halving: see `trials.Rounds`."""
    laws, positions, places = seating.laws, memory.positions, 2 * seating.laws.players + 2
    seat, unseen = turn(laws, positions[DEAL]), prepare(seating, record, memory)
    hidden = Unseen(head(memory.codes, unseen), head(memory.may, unseen), head(memory.room, places))
    scratch = Scratch(
        memory.seeds, memory.state, head(memory.places, unseen), head(memory.left, places), positions
    )
    trials = Trials(
        Knowledge(laws, positions[VIEW], hidden),
        seating.policy,
        memory.skills[: laws.players],
        stakes_for(seating.stakes, seat),
        scratch,
        memory.tallies,
    )
    rounds, alive = 1, 2
    while alive < options:
        rounds, alive = rounds + 1, alive * 2
    for option in range(options):
        memory.alive[option] = option
    find_prior(seating, memory, options)
    first, alive = 0, options
    for number in range(rounds):
        last = first + max(seating.least, seating.effort // (rounds * alive))
        for world in range(first, last):
            memory.seeds[world] = step(seed) << 31 | step(seed) | 1
        try_cards(trials, memory.cards, memory.aims, memory.alive[:alive], first, last)
        stay = 1 if number == rounds - 1 else (alive + 1) // 2
        keep_best(memory, alive, stay, last)
        first, alive = last, stay
    return int(memory.alive[0])


@compiled
def head(row: Row, length: int) -> Row:
    """The first numbers of a row."""
    return row[:length]  # type: ignore[index, return-value]


@compiled
def keep_best(memory: ReplayBuffers, alive: int, stay: int, worlds: int) -> None:
    """Keep so many of the options alive, those with the highest means, in order; of equals the first."""
    merits, means, options = memory.tallies.merits, memory.means, memory.alive
    for index in range(alive):
        means[index] = merits[options[index], :worlds].mean() + memory.prior[options[index]]
    for _ in range(alive - stay):
        worst = 0
        for index in range(1, alive):
            if means[index] <= means[worst]:
                worst = index
        alive -= 1
        for index in range(worst, alive):
            options[index], means[index] = options[index + 1], means[index + 1]


@compiled
def find_prior(seating: Seating, memory: ReplayBuffers, options: int) -> None:
    """Put in memory what each option is thought to be worth before it is tried: see `worth_of_appeals`."""
    laws, deal, learned, prior = seating.laws, memory.positions[DEAL], seating.policy.learned, memory.prior
    holder, taken = holder_of_moon(laws, deal.piles)
    see(laws, deal, turn(laws, deal), holder, taken, learned)
    found, most = look(laws, learned, memory.legal, learned.codes, learned.seen), -1e9
    for option in range(options):
        for card in range(found):
            if learned.codes[card] == memory.cards[option]:
                prior[option] = appeal_of(learned.weights, learned.seen, card) / SCALE
        most = max(most, prior[option])
    for option in range(options):
        prior[option] = laws.at_stake / 26 * max(BELIEF * (prior[option] - most), -MOST_BEHIND)


# What a seat knows


@compiled
def prepare(seating: Seating, record: History, memory: ReplayBuffers) -> int:
    """Put in memory what the seat to play knows; returns the number of unseen cards."""
    laws, deal = seating.laws, memory.positions[DEAL]
    seat = turn(laws, deal)
    find_known(seating, record, deal, seat, memory)
    find_room(seating, record, deal, memory)
    return list_unseen(laws, record, memory)


@compiled
def stakes_for(any: Stakes, seat: int) -> Stakes:
    """Another seat's stakes in the same deal."""
    return Stakes(
        seat,
        any.sign,
        any.totals,
        any.ends_at,
        any.more,
        any.below_zero,
        any.even_scores,
        any.choice,
        any.pace,
        any.spread,
        any.weight,
        any.dread,
        any.scale,
    )


@compiled
def find_known(seating: Seating, record: History, deal: Position, seat: int, memory: ReplayBuffers) -> None:
    """Put what this seat knows of the deal in memory as a position, and the cards it doesn't see."""
    laws, receiver = seating.laws, (seat + seating.offset) % seating.laws.players
    memory.positions[VIEW] = deal
    view, unseen = memory.positions[VIEW], memory.unseen
    for suit in range(5):
        view.on_hold[suit] &= ~record.kitty_held[suit]
        unseen[suit] = laws.pack[suit] & ~view.on_hold[suit] & ~view.trick_rows[suit]
        for other in range(laws.players):
            if other != seat:
                gift = record.gifts[seat, suit] if other == receiver else 0
                view.hands[other, suit] &= view.face_up[other, suit] | gift
                view.piles[other, suit] &= ~record.kitty_piles[other, suit]
            unseen[suit] &= ~view.hands[other, suit] & ~view.piles[other, suit]


@compiled
def find_room(seating: Seating, record: History, deal: Position, memory: ReplayBuffers) -> None:
    """Put in memory how many unseen cards each place has: see `Unseen`."""
    players, view, room = seating.laws.players, memory.positions[VIEW], memory.room
    for other in range(players):
        room[other] = size(deal.hands[other]) - size(view.hands[other])
        room[players + 1 + other] = size(deal.piles[other]) - size(view.piles[other])
    room[players] = seating.kitty_size - seating.laws.kitty_before[deal.tricks_done]
    room[2 * players + 1] = size(record.kitty_held)


@compiled
def list_unseen(laws: Laws, record: History, memory: ReplayBuffers) -> int:
    """List the unseen cards in memory, those with the fewest possible places first; returns their number."""
    found = 0
    for suit in range(5):
        row = memory.unseen[suit]
        while row:
            code = code_of(suit, lowest(row))
            row &= row - 1
            may = may_be_in(laws, record, memory.positions[DEAL], memory.room, code)
            at = found
            while at and count(memory.may[at - 1]) > count(may):
                memory.codes[at], memory.may[at] = memory.codes[at - 1], memory.may[at - 1]
                at -= 1
            memory.codes[at], memory.may[at] = code, may
            found += 1
    return found


@compiled
def may_be_in(laws: Laws, record: History, deal: Position, room: Row, code: int) -> int:
    """The places where this card may be, as bits."""
    may, suit = 0, suit_of(code)
    for place in range(2 * laws.players + 2):
        if not room[place]:
            continue
        is_hand = place < laws.players
        if is_hand and (deal.voids[suit] >> place & 1 or code >> 1 < record.opening[0] >> 1):
            continue
        may |= 1 << place
    return may


# What everyone sees of a card


@compiled
def note_and_lay(laws: Laws, offset: int, record: History, deal: Position, code: int) -> None:
    """Play this card, and note what it shows."""
    seat, suit, done = turn(laws, deal), suit_of(code), deal.tricks_done
    if deal.opening != NONE:
        record.opening[0] = code
    forget_gift(record, (seat - offset) % laws.players, suit, code)
    lay(laws, deal, code)
    if deal.tricks_done > done:
        note_kitty(laws, record, deal, done)


@compiled
def forget_gift(record: History, giver: int, suit: int, code: int) -> None:
    """The giver no longer knows of this card; of its copies it can't tell which was played."""
    gift, bit = record.gifts[giver, suit], bit_of(code)
    other = gift & -gift if suit == JOKERS else bit_of(code ^ 1)
    record.gifts[giver, suit] = gift & ~(bit if gift & bit else other)


@compiled
def note_kitty(laws: Laws, record: History, deal: Position, done: int) -> None:
    """Note the kitty's cards that went with the trick of this number."""
    for index in range(laws.kitty_before[done], laws.kitty_before[done + 1]):
        code = deal.kitty[index]
        record.kitty_held[suit_of(code)] |= bit_of(code)
    if not size(deal.on_hold):
        for suit in range(5):
            record.kitty_piles[deal.leader, suit] |= record.kitty_held[suit]
            record.kitty_held[suit] = 0
