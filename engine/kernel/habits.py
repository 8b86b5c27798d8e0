"""A deal played out by quick players: the first habit that applies decides the card.

Habits are named as at the card table, and return a code, or NONE if they don't apply. `Policy` has their
weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.kernel.chance import below, chance
from engine.kernel.compiled import compiled
from engine.kernel.learned import INDIFFERENT, Learned, pick, see
from engine.kernel.records import Laws, Position
from engine.kernel.rules import count_up, is_open, lay, legal, turn
from engine.numbers.appeal import TOO_LATE, holder_of_moon
from engine.numbers.rows import (
    HEARTS,
    JOKERS,
    NONE,
    Row,
    above,
    code_of,
    count,
    highest,
    highest_of,
    lowest,
    nth,
    rank_of,
    share_any,
    size,
    suit_of,
    take_out,
    up_to,
)


class Policy(NamedTuple):
    """The weights of the habits; shares and chances run from 0 to 1."""

    whim: float = 0.1  # how often a card is played by chance
    alarms: tuple[int, int, int] = (3, 5, 8)  # one of these numbers of moon cards in a pile raises the alarm
    unsure: float = 0.3  # how much chance affects which suit is led
    void_lead: float = -0.5  # for a suit that no other player holds
    flush_out: float = 0.4  # for a suit in which someone else holds a bleeder
    own_bleeder: float = -0.5  # for a suit in which a bleeder is out, and one is in hand
    high_prize_lead: float = 0.6  # where points are good, how often the highest of a suit is led
    early_grab: float = 0.3  # how often a player who wants points takes a trick without any
    plenty: float = 2.4  # with this many cards of a suit for each other player, nobody is void
    bold: float = 0.1  # how often the highest card is played although a low one may duck
    heart_first: float = 4.0  # ranks by which hearts are preferred as discards
    guarded: float = 3.0  # ranks by which suits with a low card are kept
    low_card: int = 5  # up to this rank a card guards its suit
    learned: Learned = INDIFFERENT  # the weights of players who have learned


#: Plays every legal card with the same chance.
BY_CHANCE = Policy(whim=1.0)


# A playout


class Roles(NamedTuple):
    """How the seats play in a playout."""

    aim: int = NONE  # the seat that tries to shoot the moon until someone else has a moon card, or NONE
    learned: int = 0  # a bit for each seat that plays as it has learned, instead of by habit


class MoonThreat(NamedTuple):
    """Who may shoot the moon, as seen before a trick: seats, or NONE."""

    aim: int  # still tries for all of its cards
    shooter: int  # plays for it now
    feared: int  # alone has enough moon cards for everyone to notice
    holder: int  # alone has any; or TOO_LATE
    taken: int  # how many of them


@compiled
def play_out(laws: Laws, policy: Policy, roles: Roles, position: Position, random_state: Row) -> None:
    """Play to the end of the deal, or until no points are left; then `points` are the deal's points."""
    play_on(laws, policy, roles, position, random_state, laws.hand_size)
    count_up(laws, position)


@compiled
def play_on(
    laws: Laws, policy: Policy, roles: Roles, position: Position, random_state: Row, tricks: int
) -> None:
    """Play until this many tricks of the deal are done, or no points are left."""
    alarm = policy.alarms[below(random_state, 3)]
    rows = np.empty(5, np.int64)
    aim = roles.aim
    while position.tricks_done < tricks and not is_over(laws, position):
        moon = find_moon(laws, position, aim, alarm)
        aim, trick = moon.aim, position.tricks_done
        while position.tricks_done == trick:
            legal(laws, position, rows)
            lay(laws, position, choose(laws, policy, roles, moon, position, rows, random_state))


@compiled
def is_over(laws: Laws, position: Position) -> bool:
    """Whether all cards have been played or, between two tricks, no points are left."""
    if position.tricks_done == laws.hand_size:
        return True
    return position.laid == 0 and not is_open(laws, position)


@compiled
def find_moon(laws: Laws, position: Position, aim: int, alarm: int) -> MoonThreat:
    """Find who may shoot the moon; `alarm` is the number of moon cards from which others notice."""
    holder, moon_cards = holder_of_moon(laws, position.piles)
    if holder == TOO_LATE:
        return MoonThreat(NONE, NONE, NONE, TOO_LATE, 0)
    if holder == NONE:
        return MoonThreat(aim, aim, NONE, NONE, 0)
    feared = holder if moon_cards >= alarm else NONE
    if holder == aim:
        return MoonThreat(aim, aim, feared, holder, moon_cards)
    return MoonThreat(NONE, feared, feared, holder, moon_cards)


# A card


@compiled
def choose(
    laws: Laws,
    policy: Policy,
    roles: Roles,
    moon: MoonThreat,
    position: Position,
    legal: Row,
    random_state: Row,
) -> int:
    """The legal card that the seat to play chooses."""
    seat, held = turn(laws, position), size(legal)
    if held == 1:
        return nth(legal, 0)
    if roles.learned >> seat & 1 and seat != moon.aim:
        see(laws, position, seat, moon.holder, moon.taken, policy.learned)
        return pick(laws, policy.learned, legal)
    mood = chance(random_state)
    if mood < policy.whim:
        return nth(legal, below(random_state, held))
    if seat == moon.shooter:
        return shoot(laws, position, legal, seat)
    if moon.feared != NONE and position.laid and position.winner == moon.feared:
        code = stop(laws, position, legal)
        if code != NONE:
            return code
    if position.laid == 0:
        return lead(laws, policy, position, legal, seat, mood, random_state)
    if follows(position, legal):
        return follow(laws, policy, position, legal, seat, mood)
    return discard(laws, policy, position, legal)


# Leading


@compiled
def lead(
    laws: Laws, policy: Policy, position: Position, legal: Row, seat: int, mood: float, random_state: Row
) -> int:
    """A low card of a suit in which the others hold many higher ones, or that flushes out the queen."""
    if laws.moon_is_good:
        return lead_for_points(policy, legal, mood, random_state)
    if share_any(position.in_play, laws.bleeders):
        take_out(legal, laws.bleeders)
        take_out(legal, laws.catchers)
    take_out(legal, laws.prizes)
    best, most = NONE, -99.0
    for suit in range(JOKERS):
        if legal[suit]:
            appeal = appeal_of_lead(laws, policy, position, suit, lowest(legal[suit]), seat)
            appeal += policy.unsure * chance(random_state)
            if appeal > most:
                best, most = code_of(suit, lowest(legal[suit])), appeal
    return best if best != NONE else nth(legal, 0)


@compiled
def appeal_of_lead(laws: Laws, policy: Policy, position: Position, suit: int, place: int, seat: int) -> float:
    """The share of the others' cards in the suit that are higher, adjusted for bleeders."""
    theirs, bleeders = others_hold(position, seat, suit), laws.bleeders[suit]
    if not theirs:
        return policy.void_lead
    appeal = count(theirs & above(place)) / (count(theirs) + 0.5)
    if theirs & bleeders:
        appeal += policy.own_bleeder if position.hands[seat, suit] & bleeders else policy.flush_out
    return appeal


@compiled
def lead_for_points(policy: Policy, legal: Row, mood: float, random_state: Row) -> int:
    """A random suit, preferably long: mostly its highest card, to collect, else its lowest."""
    suit = suit_of(nth(legal, below(random_state, size(legal))))
    row = legal[suit]
    return code_of(suit, highest(row) if mood < policy.high_prize_lead else lowest(row))


# Following suit


@compiled
def follow(laws: Laws, policy: Policy, position: Position, legal: Row, seat: int, mood: float) -> int:
    """Take good points; else lose a bleeder, duck, or win cheaply if the trick costs nothing."""
    led = position.led
    if laws.moon_is_good or position.trick_points * laws.goal > 0:
        return grab(laws, policy, position, legal, mood)
    row = legal[led]
    if share_any(position.in_play, laws.bleeders):
        bleeders = under(position, row) & laws.bleeders[led]
        if bleeders:
            return code_of(led, highest(bleeders))
        row = drop_kind(row, laws.bleeders[led])
        if not is_last(laws, position) and position.in_play[led] & laws.bleeders[led]:
            row = drop_kind(row, laws.catchers[led])
    if row & laws.prizes[led]:
        prize = highest(row & laws.prizes[led])
        if is_last(laws, position) and not position.trick_points and not under(position, row) >> prize & 1:
            return code_of(led, prize)
        row = drop_kind(row, laws.prizes[led])
    return duck(laws, policy, position, legal, row, seat, mood)


@compiled
def duck(laws: Laws, policy: Policy, position: Position, legal: Row, row: int, seat: int, mood: float) -> int:
    """The highest card that doesn't win; if all win, a high one while that costs nothing."""
    led, last, costs = position.led, is_last(laws, position), position.trick_points != 0
    first = position.tricks_done == 0
    if first and laws.first_is_safe:
        return code_of(led, highest(row))
    low = under(position, row)
    if low and not last and not costs and is_plenty(laws, policy, position, seat):
        return code_of(led, highest(row))
    if low and (costs or not last):
        return code_of(led, highest(low))
    if costs and legal[JOKERS]:
        return code_of(JOKERS, lowest(legal[JOKERS]))
    theirs = others_hold(position, seat, led)
    if last or first or mood > 1 - policy.bold or not theirs & above(lowest(row)):
        return code_of(led, highest(row))
    return code_of(led, lowest(row))


@compiled
def is_plenty(laws: Laws, policy: Policy, position: Position, seat: int) -> bool:
    """Whether everyone can probably follow this suit, and nothing bad in it is out."""
    led = position.led
    if led == HEARTS or position.in_play[led] & laws.bleeders[led]:
        return False
    return count(others_hold(position, seat, led)) > policy.plenty * (laws.players - 1)


@compiled
def grab(laws: Laws, policy: Policy, position: Position, legal: Row, mood: float) -> int:
    """Win good tricks: high while others follow, as low as possible in last place; else keep what counts."""
    led, last = position.led, is_last(laws, position)
    winners, gain = over(position, legal[led]), position.trick_points * laws.goal
    if winners and (gain > 0 or (not gain and not last and mood < policy.early_grab)):
        return winning(laws, position, winners)
    return code_of(led, lowest(drop_kind(legal[led], laws.deciding[led])))


# Discarding


@compiled
def discard(laws: Laws, policy: Policy, position: Position, legal: Row) -> int:
    """The costliest card, as the queen of spades; else one that would catch her; else others.

    If points are good, no other card that counts is discarded.
    """
    code = highest_of(legal, laws.bleeders)
    if laws.moon_is_good:
        take_out(legal, laws.deciding)
        return code if code != NONE else nth(legal, 0)
    if code == NONE and share_any(position.in_play, laws.bleeders):
        code = highest_of(legal, laws.catchers)
    return code if code != NONE else unload(laws, policy, legal)


@compiled
def unload(laws: Laws, policy: Policy, legal: Row) -> int:
    """The highest card, preferring hearts and suits without a low card."""
    take_out(legal, laws.prizes)
    best, most = NONE, -99.0
    for suit in range(JOKERS):
        row = legal[suit]
        if row:
            burden = float(rank_of(highest(row)))
            if suit == HEARTS:
                burden += policy.heart_first
            if row & row - 1 and rank_of(lowest(row)) <= policy.low_card:
                burden -= policy.guarded
            if burden > most:
                best, most = code_of(suit, highest(row)), burden
    return best if best != NONE else nth(legal, 0)


# The moon


@compiled
def shoot(laws: Laws, position: Position, legal: Row, seat: int) -> int:
    """Win every trick: with sure winners first, then from the longest suit; lose cheaply if it must."""
    if position.laid == 0:
        return lead_to_shoot(position, legal, seat)
    if not follows(position, legal):
        take_out(legal, laws.deciding)
        return nth(legal, 0)
    led = position.led
    winners = over(position, legal[led])
    if winners:
        return winning(laws, position, winners)
    return code_of(led, lowest(drop_kind(legal[led], laws.moon[led])))


@compiled
def lead_to_shoot(position: Position, legal: Row, seat: int) -> int:
    """A card that can't be beaten, else the top of the longest suit."""
    longest, most = NONE, 0
    for suit in range(JOKERS):
        row = legal[suit]
        if row:
            top = highest(row)
            if not others_hold(position, seat, suit) & above(top):
                return code_of(suit, top)
            if count(row) > most:
                longest, most = code_of(suit, top), count(row)
    return longest if longest != NONE else nth(legal, 0)


@compiled
def stop(laws: Laws, position: Position, legal: Row) -> int:
    """Take the trick from the shooter, or give them no moon card; NONE if following and unable."""
    if follows(position, legal):
        top = code_of(position.led, highest(legal[position.led]))
        return top if top >> 1 > position.best >> 1 else NONE
    if laws.moon_is_good:
        return NONE
    take_out(legal, laws.moon)
    return nth(legal, 0)


# What a player sees


@compiled
def follows(position: Position, legal: Row) -> bool:
    """Whether a card of the suit led must be played, or a joker instead."""
    return position.led != NONE and legal[position.led] != 0


@compiled
def others_hold(position: Position, seat: int, suit: int) -> int:
    """The cards of this suit in the others' hands and in the trick."""
    return position.in_play[suit] & ~position.hands[seat, suit]


@compiled
def drop_kind(row: int, kind: int) -> int:
    """The row without the cards of a kind, unless it has no others."""
    return row & ~kind if row & ~kind else row


@compiled
def under(position: Position, row: int) -> int:
    """The cards of the suit led that wouldn't win the trick as it stands."""
    return row & up_to(position.best) if position.best != NONE else 0


@compiled
def over(position: Position, row: int) -> int:
    """The cards of the suit led that would win the trick as it stands."""
    return row & ~under(position, row)


@compiled
def winning(laws: Laws, position: Position, winners: int) -> int:
    """Which of these winners to play: the lowest in last place, else the highest, as it holds best."""
    return code_of(position.led, lowest(winners) if is_last(laws, position) else highest(winners))


@compiled
def is_last(laws: Laws, position: Position) -> bool:
    """Whether this is the trick's last card."""
    return position.laid == laws.players - 1
