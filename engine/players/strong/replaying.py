"""The card play of a whole deal by strong players, in compiled code: thousands of decisions a second.

Each seat decides as `playing.weigh_cards` does for its view, with fewer trials. What it knows is read from
the deal, as `worlds.encode_view` reads it from a view.
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

#: The indices of positions in memory: what a seat knows, and the deal; the first two are those of `Scratch`.
VIEW, DEAL = 2, 3
#: The most places where an unseen card may be: see `Unseen`.
_PLACES = 2 * SEATS + 2
#: The most cards to choose from, each with an aim and without.
_OPTIONS = 2 * TRICKS


class Seating(NamedTuple):
    """The constants of a deal's decisions."""

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
    """What players have seen of a deal, besides its position."""

    gifts: Grid  # by giver, the cards that it knows to be in the receiver's hand
    kitty_piles: Grid  # by seat, the kitty's cards in its pile, which only it knows (W3)
    kitty_held: Row  # the kitty's cards on hold, which no player knows
    opening: Row  # the code of the first lead if the lowest card led, else NONE


class ReplayBuffers(NamedTuple):
    """Working memory, allocated once for many deals."""

    tallies: Tallies
    seeds: Row
    state: Row
    places: Row
    room_left: Row
    positions: MutableSequence[Position]
    codes: Row
    may: Row
    room: Row
    skills: NDArray[np.float64]  # 1 for all seats: they play as they have learned
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
            room_left=row(_PLACES),
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


def play(seating: Seating, history: History, memory: ReplayBuffers, deal: Position, seed: Row) -> Position:
    """Play a deal from its first lead to its end, and return it with its points; `seed` is advanced."""
    memory.positions[DEAL] = deal
    play_deal(seating, history, memory, seed)
    return memory.positions[DEAL]


@compiled
def play_deal(seating: Seating, history: History, memory: ReplayBuffers, seed: Row) -> None:
    """Play the deal in memory until no points are left."""
    laws, deal = seating.laws, memory.positions[DEAL]
    derive_fields(laws, deal)
    while not is_over(laws, deal):
        legal(laws, deal, memory.legal)
        options = list_options(seating, history, memory)
        chosen = 0
        if options > 1:
            chosen = best_of(seating, history, memory, options, seed)
        note_and_lay(laws, seating.offset, history, deal, memory.cards[chosen])
    count_up(laws, deal)


# Which cards may be played


@compiled
def list_options(seating: Seating, history: History, memory: ReplayBuffers) -> int:
    """Put the options of the seat to play in memory; returns their number. See `playing.candidates`."""
    laws, deal = seating.laws, memory.positions[DEAL]
    seat = turn(laws, deal)
    plain = list_cards(laws, history, memory, deal, seat)
    for option in range(plain):
        memory.aims[option] = NONE
    if plain < 2 or not seating.may_aim or not aims(seating, history, deal, seat):
        return plain
    for option in range(plain):
        memory.cards[plain + option] = memory.cards[option]
        memory.aims[plain + option] = seat
    return 2 * plain


@compiled
def list_cards(laws: Laws, history: History, memory: ReplayBuffers, deal: Position, seat: int) -> int:
    """Put the cards that may be played in memory, one of each kind, highest first; returns their number."""
    options, is_any_exposed = 0, False
    for other in range(laws.players):
        is_any_exposed |= size(deal.face_up[other]) > 0
    for suit in range(5):
        row, others = memory.legal[suit], not_ours(laws, history, deal, seat, suit)
        while row:
            code = code_of(suit, lowest(row))
            row &= row - 1
            if options and is_same_card(memory.cards[options - 1], code):
                continue
            if options and not is_any_exposed and are_alike(laws, others, memory.cards[options - 1], code):
                memory.cards[options - 1] = code
            else:
                memory.cards[options] = code
                options += 1
    for option in range(options // 2):
        last = options - 1 - option
        memory.cards[option], memory.cards[last] = memory.cards[last], memory.cards[option]
    return options


@compiled
def is_same_card(one: int, other: int) -> bool:
    """Whether two codes are copies of a card, as all jokers are."""
    return one >> 1 == other >> 1 or suit_of(one) == suit_of(other) == JOKERS


@compiled
def not_ours(laws: Laws, history: History, deal: Position, seat: int, suit: int) -> int:
    """The cards of this suit in the trick, and those that others may hold."""
    seen = deal.hands[seat, suit] | (deal.on_hold[suit] & ~history.kitty_held[suit])
    for other in range(laws.players):
        hidden = history.kitty_piles[other, suit] if other != seat else 0
        seen |= deal.piles[other, suit] & ~hidden
    return laws.pack[suit] & ~seen


@compiled
def are_alike(laws: Laws, others: int, low: int, high: int) -> bool:
    """Whether two cards are equivalent: they count the same, and `others` have none in between."""
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
def aims(seating: Seating, history: History, deal: Position, seat: int) -> bool:
    """Whether to consider the moon: see `playing.may_aim`."""
    laws, mine = seating.laws, 0
    for other in range(laws.players):
        for suit in range(5):
            pile = deal.piles[other, suit] & ~history.kitty_piles[other, suit]
            cards = count(pile & laws.moon[suit])
            if other == seat:
                mine += cards
            elif cards:
                return False
    return mine > seating.more_than


# The best of them


@compiled
def best_of(seating: Seating, history: History, memory: ReplayBuffers, options: int, seed: Row) -> int:
    """The best of the options in memory, by sequential halving: see `trials.Rounds`."""
    laws, positions, places = seating.laws, memory.positions, 2 * seating.laws.players + 2
    seat, unseen = turn(laws, positions[DEAL]), prepare(seating, history, memory)
    hidden = Unseen(head(memory.codes, unseen), head(memory.may, unseen), head(memory.room, places))
    scratch = Scratch(
        memory.seeds, memory.state, head(memory.places, unseen), head(memory.room_left, places), positions
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
    """Keep the `stay` options with the highest means, in order; of equals, the first."""
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
    """Put in memory what each option's appeal is worth before it is tried: see `worth_of_appeals`."""
    laws, deal, learned, prior = seating.laws, memory.positions[DEAL], seating.policy.learned, memory.prior
    holder, moon_cards = holder_of_moon(laws, deal.piles)
    see(laws, deal, turn(laws, deal), holder, moon_cards, learned)
    cards, most = look(laws, learned, memory.legal, learned.codes, learned.seen), -1e9
    for option in range(options):
        for card in range(cards):
            if learned.codes[card] == memory.cards[option]:
                prior[option] = appeal_of(learned.weights, learned.seen, card) / SCALE
        most = max(most, prior[option])
    for option in range(options):
        prior[option] = laws.at_stake / 26 * max(BELIEF * (prior[option] - most), -MOST_BEHIND)


# What a seat knows


@compiled
def prepare(seating: Seating, history: History, memory: ReplayBuffers) -> int:
    """Put in memory what the seat to play knows; returns the number of unseen cards."""
    laws, deal = seating.laws, memory.positions[DEAL]
    seat = turn(laws, deal)
    find_known(seating, history, deal, seat, memory)
    find_room(seating, history, deal, memory)
    return list_unseen(laws, history, memory)


@compiled
def stakes_for(stakes: Stakes, seat: int) -> Stakes:
    """These stakes as those of another seat."""
    return Stakes(
        seat,
        stakes.sign,
        stakes.totals,
        stakes.ends_at,
        stakes.more,
        stakes.below_zero,
        stakes.even_scores,
        stakes.choice,
        stakes.pace,
        stakes.spread,
        stakes.weight,
        stakes.dread,
        stakes.scale,
    )


@compiled
def find_known(seating: Seating, history: History, deal: Position, seat: int, memory: ReplayBuffers) -> None:
    """Put in memory a position with what this seat knows of the deal, and the cards that it doesn't see."""
    laws, receiver = seating.laws, (seat + seating.offset) % seating.laws.players
    memory.positions[VIEW] = deal
    view, unseen = memory.positions[VIEW], memory.unseen
    for suit in range(5):
        view.on_hold[suit] &= ~history.kitty_held[suit]
        unseen[suit] = laws.pack[suit] & ~view.on_hold[suit] & ~view.trick_rows[suit]
        for other in range(laws.players):
            if other != seat:
                gift = history.gifts[seat, suit] if other == receiver else 0
                view.hands[other, suit] &= view.face_up[other, suit] | gift
                view.piles[other, suit] &= ~history.kitty_piles[other, suit]
            unseen[suit] &= ~view.hands[other, suit] & ~view.piles[other, suit]


@compiled
def find_room(seating: Seating, history: History, deal: Position, memory: ReplayBuffers) -> None:
    """Put in memory how many unseen cards each place has: see `Unseen`."""
    players, view, room = seating.laws.players, memory.positions[VIEW], memory.room
    for other in range(players):
        room[other] = size(deal.hands[other]) - size(view.hands[other])
        room[players + 1 + other] = size(deal.piles[other]) - size(view.piles[other])
    room[players] = seating.kitty_size - seating.laws.kitty_before[deal.tricks_done]
    room[2 * players + 1] = size(history.kitty_held)


@compiled
def list_unseen(laws: Laws, history: History, memory: ReplayBuffers) -> int:
    """List the unseen cards in memory, those with the fewest possible places first; returns their number."""
    unseen = 0
    for suit in range(5):
        row = memory.unseen[suit]
        while row:
            code = code_of(suit, lowest(row))
            row &= row - 1
            may = may_be_in(laws, history, memory.positions[DEAL], memory.room, code)
            place = unseen
            while place and count(memory.may[place - 1]) > count(may):
                memory.codes[place], memory.may[place] = memory.codes[place - 1], memory.may[place - 1]
                place -= 1
            memory.codes[place], memory.may[place] = code, may
            unseen += 1
    return unseen


@compiled
def may_be_in(laws: Laws, history: History, deal: Position, room: Row, code: int) -> int:
    """The places where this card may be, as bits."""
    may, suit = 0, suit_of(code)
    for place in range(2 * laws.players + 2):
        if not room[place]:
            continue
        is_hand = place < laws.players
        if is_hand and (deal.voids[suit] >> place & 1 or code >> 1 < history.opening[0] >> 1):
            continue
        may |= 1 << place
    return may


# What players see


@compiled
def note_and_lay(laws: Laws, offset: int, history: History, deal: Position, code: int) -> None:
    """Play this card, and note what players learn from it."""
    seat, suit, trick = turn(laws, deal), suit_of(code), deal.tricks_done
    if deal.opening != NONE:
        history.opening[0] = code
    forget_gift(history, (seat - offset) % laws.players, suit, code)
    lay(laws, deal, code)
    if deal.tricks_done > trick:
        note_kitty(laws, history, deal, trick)


@compiled
def forget_gift(history: History, giver: int, suit: int, code: int) -> None:
    """Remove this card from those that the giver knows of; it can't tell which copy was played."""
    gift, bit = history.gifts[giver, suit], bit_of(code)
    other = gift & -gift if suit == JOKERS else bit_of(code ^ 1)
    history.gifts[giver, suit] = gift & ~(bit if gift & bit else other)


@compiled
def note_kitty(laws: Laws, history: History, deal: Position, trick: int) -> None:
    """Note the kitty's cards that went with the trick of this number."""
    for index in range(laws.kitty_before[trick], laws.kitty_before[trick + 1]):
        code = deal.kitty[index]
        history.kitty_held[suit_of(code)] |= bit_of(code)
    if not size(deal.on_hold):
        for suit in range(5):
            history.kitty_piles[deal.leader, suit] |= history.kitty_held[suit]
            history.kitty_held[suit] = 0
