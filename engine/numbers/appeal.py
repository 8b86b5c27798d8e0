"""What a learned player looks at: a card's appeal is a sum of weights, each looked up by what is seen.

A game's weights are a table that self-play has found (`engine.learning`). The features depend on what cards
are worth, so that they serve all games. These functions run as Python and as compiled code, so they use only
numbers, rows and objects that have them as attributes.
"""

from collections.abc import Sequence
from typing import Protocol

from engine.numbers.rows import (
    HEARTS,
    JOKERS,
    NONE,
    Grid,
    Numbers,
    Row,
    above,
    bit_of,
    code_of,
    count,
    highest,
    lowest,
    rank_of,
    shared,
    size,
    suit_of,
    up_to,
)
from engine.numbers.worths import Worths

#: The number of weights in a card's appeal, and the appeal that makes a card more likely by a factor of e.
PARTS, SCALE = 7, 1000
#: The kinds of cards and the states of the moon: see `_kind` and `state_of_moon`.
KINDS, MOONS = 11, 11
#: The holder of moon cards once a moon is impossible.
TOO_LATE = -2

# Where each kind of weight begins; place 0 has a weight that is always 0.
LEAD_BETWEEN = 1
LEAD_LENGTH = LEAD_BETWEEN + KINDS * 36
LEAD_MOON = LEAD_LENGTH + KINDS * 30
LEAD_VOIDS = LEAD_MOON + MOONS * KINDS * 3
LEAD_LATE = LEAD_VOIDS + 4 * KINDS * 3
LEAD_WORTH = LEAD_LATE + 5 * KINDS * 3
FOLLOW_POT = LEAD_WORTH + KINDS * 16
FOLLOW_BETWEEN = FOLLOW_POT + 4 * KINDS * 20
FOLLOW_LENGTH = FOLLOW_BETWEEN + 4 * KINDS * 36
FOLLOW_MOON = FOLLOW_LENGTH + 4 * 30
FOLLOW_TO_COME = FOLLOW_MOON + MOONS * 4 * 4 * 8
FOLLOW_EXITS = FOLLOW_TO_COME + 4 * 2 * 12
FOLLOW_PLACE = FOLLOW_EXITS + 4 * 2 * 10
DISCARD_BETWEEN = FOLLOW_PLACE + 4 * 4 * 2
DISCARD_LENGTH = DISCARD_BETWEEN + KINDS * 36
DISCARD_MOON = DISCARD_LENGTH + KINDS * 30
DISCARD_GUARD = DISCARD_MOON + MOONS * 4 * KINDS * 2
DISCARD_WORTH = DISCARD_GUARD + 4 * KINDS * 5
PASS_RANK = DISCARD_WORTH + 16 * 2
PASS_LENGTH = PASS_RANK + KINDS * 15
PASS_GUARDS = PASS_LENGTH + KINDS * 24
PASS_LOSERS = PASS_GUARDS + KINDS * 7
PASS_WAY = PASS_LOSERS + 5 * KINDS * 5
PASS_LAST = PASS_WAY + 3 * KINDS * 3
EXPOSE_BETWEEN = PASS_LAST + 2 * KINDS
EXPOSE_LENGTH = EXPOSE_BETWEEN + 4 * 20
EXPOSE_LOSERS = EXPOSE_LENGTH + 4 * 8
#: The number of weights.
WEIGHTS = EXPOSE_LOSERS + 4 * 5


class Sight(Protocol):
    """A player's view of its turn in numbers; rows hold cards by suit."""

    seat: int
    mine: Row
    theirs: Row  # what others may hold
    trick: Row
    voids: Row  # by suit, a bit for each seat that has shown to hold none
    laid: int  # the number of cards in the trick
    led: int  # its suit, or NONE
    best: int  # the code that wins it as it stands, or NONE
    winner: int  # the seat that played it
    pot: int  # the worth of the trick and of what is on hold
    is_first: bool  # whether this is the deal's first trick
    holder: int  # the only seat with moon cards; NONE if no seat has any; or TOO_LATE
    taken: int  # how many of the moon's cards the holder has
    daring: int  # how many losers fewer the player counts in its hand than there are


def look(laws: Worths, sight: Sight, legal: Numbers, codes: Row, seen: Row) -> int:
    """List the legal cards in `codes` and, `PARTS` for each, their weights' places in `seen`.

    Returns the number of cards.
    """
    moon = state_of_moon(laws, sight)
    if sight.laid == 0:
        return _look_at_leads(laws, sight, moon, legal, codes, seen)
    role = _role(laws, sight)
    if sight.led == NONE or not legal[sight.led]:
        return _look_at_discards(laws, sight, moon, role, 0, 0, legal, codes, seen)
    followers = _look_at_followers(laws, sight, moon, role, legal[sight.led], codes, seen)
    return _look_at_discards(laws, sight, moon, role, JOKERS, followers, legal, codes, seen)


def appeal_of(weights: Numbers, seen: Numbers, card: int) -> int:
    """The appeal of the card with this number in a list of cards looked at."""
    total = 0
    for part in range(PARTS * card, PARTS * card + PARTS):
        total += weights[seen[part]]
    return total


def most_appealing(weights: Numbers, seen: Numbers, cards: int) -> int:
    """The number of the card with the highest appeal; of equals, the first."""
    best, most = 0, appeal_of(weights, seen, 0)
    for card in range(1, cards):
        appeal = appeal_of(weights, seen, card)
        if appeal > most:
            best, most = card, appeal
    return best


def _look_at_leads(laws: Worths, sight: Sight, moon: int, legal: Numbers, codes: Row, seen: Row) -> int:
    index, late = 0, _late(sight)
    for suit in range(5):
        row = legal[suit]
        if not row:
            continue
        mine, theirs = sight.mine[suit], sight.theirs[suit]
        cards = _length(mine) * 6 + _number(count(theirs))
        void = _up_to(count(sight.voids[suit] & ~(1 << sight.seat)), 3)
        while row:
            code = code_of(suit, lowest(row))
            row &= row - 1
            kind = _kind(laws, mine | theirs, mine, code)
            higher = _up_to(count(theirs & above(code)), 5)
            some = 0 if higher == 0 else 1 if higher < 3 else 2
            at = _next(codes, seen, index, code)
            seen[at] = LEAD_BETWEEN + (kind * 6 + higher) * 6 + _lower(theirs, code)
            seen[at + 1] = LEAD_LENGTH + kind * 30 + cards
            seen[at + 2] = LEAD_MOON + (moon * KINDS + kind) * 3 + some
            seen[at + 3] = LEAD_VOIDS + (void * KINDS + kind) * 3 + some
            seen[at + 4] = LEAD_LATE + (late * KINDS + kind) * 3 + some
            seen[at + 5] = LEAD_WORTH + kind * 16 + _worth(laws, code)
            seen[at + 6] = 0
            index += 1
    return index


def _look_at_followers(
    laws: Worths, sight: Sight, moon: int, role: int, row: int, codes: Row, seen: Row
) -> int:
    suit, to_come = sight.led, laws.players - 1 - sight.laid
    mine, theirs = sight.mine[suit], sight.theirs[suit]
    whole = mine | theirs | sight.trick[suit]
    some, pot = 1 if sight.pot else 0, _pot(laws, sight.pot)
    cards = _length(mine) * 6 + _number(count(theirs))
    come = (_up_to(to_come, 3) * 2, _up_to(_voids_to_come(laws, sight, to_come), 2))
    out = some * 2 + _is_bleeder_out(laws, sight)
    exits, late = _exits(sight), _late(sight)
    top, bottom = highest(row), lowest(row)
    under = row & up_to(sight.best) if sight.best != NONE else 0
    safest = highest(under) if under else -1
    first, index = 1 if sight.is_first else 0, 0
    while row:
        place = lowest(row)
        row &= row - 1
        code = code_of(suit, place)
        kind = _kind(laws, whole, mine, code)
        higher = count(theirs & above(code))
        wins = 1 if place > safest else 0
        where = (2 if to_come == 0 else 0) + wins
        if place == safest or (not under and place == bottom):
            which = 3
        else:
            which = 1 if place == top else 2 if place == bottom else 0
        at = _next(codes, seen, index, code)
        seen[at] = FOLLOW_POT + ((where * KINDS + kind) * 5 + pot) * 4 + _up_to(higher, 3)
        seen[at + 1] = (
            FOLLOW_BETWEEN + ((where * KINDS + kind) * 6 + _up_to(higher, 5)) * 6 + _lower(theirs, code)
        )
        seen[at + 2] = FOLLOW_LENGTH + where * 30 + cards
        seen[at + 3] = FOLLOW_MOON + (((moon * 4 + role) * 4 + where) * 2 + some) * 4 + _group(kind)
        seen[at + 4] = FOLLOW_TO_COME + ((come[0] + wins) * 3 + come[1]) * 4 + out
        seen[at + 5] = FOLLOW_EXITS + ((exits * 2 + wins) * 5 + late) * 2 + some
        seen[at + 6] = FOLLOW_PLACE + (which * 4 + where) * 2 + first
        index += 1
    return index


def _look_at_discards(
    laws: Worths,
    sight: Sight,
    moon: int,
    role: int,
    first: int,
    index: int,
    legal: Numbers,
    codes: Row,
    seen: Row,
) -> int:
    """List cards that don't follow, from suit `first` on, after the `index` cards listed so far."""
    last, some = 1 if sight.laid == laws.players - 1 else 0, 1 if sight.pot else 0
    for suit in range(first, 5):
        row = legal[suit]
        if not row:
            continue
        mine, theirs = sight.mine[suit], sight.theirs[suit]
        length = _length(mine)
        cards = length * 6 + _number(count(theirs))
        guard = _up_to(count(theirs & ((1 << lowest(mine)) - 1)), 3)
        while row:
            code = code_of(suit, lowest(row))
            row &= row - 1
            kind = _kind(laws, mine | theirs | sight.trick[suit], mine, code)
            higher = _up_to(count(theirs & above(code)), 5)
            at = _next(codes, seen, index, code)
            seen[at] = DISCARD_BETWEEN + (kind * 6 + higher) * 6 + _lower(theirs, code)
            seen[at + 1] = DISCARD_LENGTH + kind * 30 + cards
            seen[at + 2] = DISCARD_MOON + ((moon * 4 + role) * KINDS + kind) * 2 + some
            seen[at + 3] = DISCARD_GUARD + (guard * KINDS + kind) * 5 + length
            seen[at + 4] = DISCARD_WORTH + _worth(laws, code) * 2 + last
            seen[at + 5] = seen[at + 6] = 0
            index += 1
    return index


def _next(codes: Row, seen: Row, index: int, code: int) -> int:
    """List this card, and return where its weights' places begin."""
    codes[index] = code
    return PARTS * index


# Passing and exposing


def look_to_pass(
    laws: Worths, hand: Numbers, losers: int, remaining: int, way: int, codes: Row, seen: Row
) -> int:
    """List the cards of a hand and their weights' places, as `look` does; returns the number of cards.

    `remaining` cards are still to be passed, in the direction given by `way_of`; `losers` are those of the
    whole hand (`losers_in_hand`).
    """
    index = 0
    for suit in range(5):
        mine = row = hand[suit]
        length, counts = _up_to(count(mine), 7), laws.bleeders[suit] | laws.prizes[suit]
        guards = _up_to(count(mine & ((counts & -counts) - 1)), 6) if counts else 0
        last = 1 if count(mine) <= remaining else 0
        while row:
            code = code_of(suit, lowest(row))
            row &= row - 1
            kind, rank = _kind(laws, laws.pack[suit], mine, code), rank_of(code)
            band = 0 if rank < 6 else 1 if rank < 10 else 2
            height = 0 if rank < 5 else 1 if rank < 8 else 2 if rank < 11 else 3 if rank < 13 else 4
            at = _next(codes, seen, index, code)
            seen[at] = PASS_RANK + kind * 15 + _up_to(rank, 14)
            seen[at + 1] = PASS_LENGTH + (kind * 8 + length) * 3 + band
            seen[at + 2] = PASS_GUARDS + kind * 7 + guards
            seen[at + 3] = PASS_LOSERS + (losers * KINDS + kind) * 5 + height
            seen[at + 4] = PASS_WAY + (way * KINDS + kind) * 3 + band
            seen[at + 5] = PASS_LAST + last * KINDS + kind
            seen[at + 6] = 0
            index += 1
    return index


def look_to_expose(laws: Worths, hand: Numbers, losers: int, code: int, seen: Row) -> None:
    """Put the weights' places in `seen`: first those of exposing nothing, all 0, then this card's."""
    for part in range(2 * PARTS):
        seen[part] = 0
    suit = suit_of(code)
    mine, theirs = hand[suit], laws.pack[suit] & ~hand[suit]
    higher, lower = count(mine & above(code)), count(mine & (bit_of(code) - 1))
    seen[PARTS] = EXPOSE_BETWEEN + (suit * 4 + _up_to(higher, 3)) * 5 + _up_to(lower, 4)
    seen[PARTS + 1] = EXPOSE_LENGTH + suit * 8 + _up_to(count(theirs & above(code)), 7)
    seen[PARTS + 2] = EXPOSE_LOSERS + suit * 5 + losers


def way_of(players: int, offset: int) -> int:
    """The direction of passing: 0 to the left, 1 to the right, 2 elsewhere."""
    return 0 if offset == 1 else 1 if offset == players - 1 else 2


def losers_in_hand(laws: Worths, hand: Numbers) -> int:
    """The number of losers in a hand before the first trick, in five steps."""
    losers = 0
    for suit in range(JOKERS):
        losers += _losers(laws, hand[suit], laws.pack[suit] & ~hand[suit])
    return 0 if losers < 4 else 1 if losers < 6 else 2 if losers < 8 else 3 if losers < 10 else 4


# Features, each in a few steps


def _up_to(number: int, most: int) -> int:
    return number if number < most else most


def _number(cards: int) -> int:
    """A number of cards in six steps: 0, 1, 2–3, 4–6, 7–9, or more."""
    if cards < 2:
        return cards
    return 2 if cards < 4 else 3 if cards < 7 else 4 if cards < 10 else 5


def _length(row: int) -> int:
    """The length of a suit that is held, less 1: up to 4, which stands for 5 cards or more."""
    return _up_to(count(row), 5) - 1


def _lower(theirs: int, code: int) -> int:
    return _up_to(count(theirs & (bit_of(code) - 1)), 5)


def _late(sight: Sight) -> int:
    cards = 0
    for suit in range(5):
        cards += count(sight.mine[suit])
    return 0 if cards < 3 else 1 if cards < 5 else 2 if cards < 8 else 3 if cards < 11 else 4


def _kind(laws: Worths, in_play: int, mine: int, code: int) -> int:
    """The kind of a card, given the cards of its suit that are in play, and the player's own.

    0 counts nothing; 1 and 3 are below and above a bleeder that is out, 2 and 4 below and above the player's
    own; 5 is a bleeder; 6 a heart; 7 a prize; 8 and 9 are above and below a prize in play; 10 is a joker.
    """
    suit, bit = suit_of(code), bit_of(code)
    if suit == JOKERS:
        return 10
    if laws.worth[code] > 0:
        return 7
    if suit == HEARTS:
        return 6
    bleeders = laws.bleeders[suit] & in_play
    if bleeders:
        if bit & bleeders:
            return 5
        return (3 if bit & laws.catchers[suit] else 1) + (1 if mine & bleeders else 0)
    prizes = laws.prizes[suit] & in_play
    if prizes:
        return 8 if bit > prizes else 9
    return 0


def _group(kind: int) -> int:
    """1 for hearts, 2 for bleeders and what would catch them, 3 for prizes and their neighbours, else 0."""
    return 1 if kind == 6 else 2 if 3 <= kind <= 5 else 3 if 7 <= kind < 10 else 0


def _worth(laws: Worths, code: int) -> int:
    """The worth of a card, as if 26 points were at stake: 0 for none, 1 to 7 if bad, 9 to 15 if good."""
    worth = laws.worth[code]
    if worth == 0:
        return 0
    step = (abs(worth) * 260 + 7 * laws.at_stake) // (10 * laws.at_stake)
    return (1 if worth < 0 else 9) + (step if step < 5 else 5 if step < 10 else 6)


def _pot(laws: Worths, worth: int) -> int:
    """The worth of a trick, as if 26 points were at stake: 0 for none, 1 to 3 if bad, 4 if good."""
    if worth == 0:
        return 0
    if worth > 0:
        return 4
    return 1 if -52 * worth < 5 * laws.at_stake else 2 if -52 * worth < 19 * laws.at_stake else 3


def holder_of_moon(laws: Worths, piles: Sequence[Numbers] | Grid) -> tuple[int, int]:
    """The only seat with moon cards, as `Sight` has it, and how many it has; `piles` are the seats' rows."""
    holder, holder_cards = NONE if laws.moon_is_possible else TOO_LATE, 0
    for seat in range(laws.players):
        moon_cards = shared(piles[seat], laws.moon)
        if moon_cards and holder != NONE:
            return TOO_LATE, 0
        if moon_cards:
            holder, holder_cards = seat, moon_cards
    return holder, holder_cards


def state_of_moon(laws: Worths, sight: Sight) -> int:
    """The state of the moon: 0 impossible; 1 to 3 open, 4 to 6 mine, by my losers; 7 to 10 another's."""
    if sight.holder == TOO_LATE:
        return 0
    if sight.holder not in (NONE, sight.seat):
        return 7 + _up_to(4 * sight.taken // size(laws.moon), 3)
    losers = count(sight.mine[JOKERS]) - sight.daring
    for suit in range(JOKERS):
        losers += _losers(laws, sight.mine[suit], sight.theirs[suit])
        if losers > 3:
            break
    return (1 if sight.holder == NONE else 4) + (0 if losers < 2 else 1 if losers < 4 else 2)


def _losers(laws: Worths, mine: int, theirs: int) -> int:
    """The number of cards of a suit that would lose a trick, if played from the top."""
    losers, unplayed = 0, count(theirs)
    while mine and unplayed > 0:
        top = highest(mine)
        mine ^= 1 << top
        higher = theirs & above(top)
        if higher:
            losers += 1
            theirs ^= 1 << highest(higher)
        unplayed -= laws.players - 1
    return losers


def _role(laws: Worths, sight: Sight) -> int:
    """1 if another holder of moon cards wins the trick, 2 if it is still to play, 3 if it has; else 0."""
    if sight.holder < 0 or sight.holder == sight.seat:
        return 0
    if sight.winner == sight.holder:
        return 1
    ahead = (sight.holder - sight.seat) % laws.players
    return 2 if ahead < laws.players - sight.laid else 3


def _voids_to_come(laws: Worths, sight: Sight, to_come: int) -> int:
    voids, total = sight.voids[sight.led], 0
    for step in range(1, to_come + 1):
        total += voids >> (sight.seat + step) % laws.players & 1
    return total


def _is_bleeder_out(laws: Worths, sight: Sight) -> int:
    for suit in range(4):
        if laws.bleeders[suit] & (sight.theirs[suit] | sight.trick[suit]):
            return 1
    return 0


def _exits(sight: Sight) -> int:
    """The number of suits in which most of the others' cards beat the player's lowest, up to 3."""
    exits = 0
    for suit in range(4):
        mine, theirs = sight.mine[suit], sight.theirs[suit]
        if mine and 2 * count(theirs >> lowest(mine)) > count(theirs):
            exits += 1
    return _up_to(exits, 3)
