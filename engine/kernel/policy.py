"""How seats play a deal out: a quick player's habits, each a small part with its name from the card table.

Every part answers with a code, or with NONE where it has nothing to say.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.kernel.chance import below, chance
from engine.kernel.compiled import Row, compiled
from engine.kernel.plays import turn
from engine.kernel.position import Position
from engine.kernel.rows import (
    HEARTS,
    JOKERS,
    NONE,
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
from engine.kernel.tables import Tables


class Policy(NamedTuple):
    """The weights of the habits; shares and chances run from 0 to 1."""

    whim: float = 0.1  # how often a card is played by chance
    alarms: tuple[int, int, int] = (3, 5, 8)  # so many of a moon's cards in one pile are feared: one of these
    unsure: float = 0.3  # how much chance there is in which suit is led
    void_lead: float = -0.5  # a suit that nobody else holds
    flush_out: float = 0.4  # a suit in which another holds a bleeder
    own_bleeder: float = -0.5  # a suit in which a bleeder is out, and one is in hand
    high_prize_lead: float = 0.6  # where points are good, how often the highest of a suit is led
    early_grab: float = 0.3  # how often a trick without points is taken by who wants points
    plenty: float = 2.4  # so many cards of a suit for each other player: nobody will be void
    bold: float = 0.1  # how often the highest card is played where a low one may duck
    heart_first: float = 4.0  # ranks by which a heart is rather discarded
    guarded: float = 3.0  # ranks by which a suit with a low card is rather kept
    low_card: int = 5  # up to this rank a card guards its suit


#: What plays every legal card with the same chance.
BY_CHANCE = Policy(whim=1.0)


@compiled
def choose(
    tables: Tables, policy: Policy, position: Position, legal: Row, aim: int, feared: int, random_state: Row
) -> int:
    """The card that whose turn it is plays, one of the legal ones.

    `aim` is a seat that tries to shoot the moon, `feared` one that the others see trying; NONE for nobody.
    """
    seat, held = turn(tables, position), size(legal)
    if held == 1:
        return nth(legal, 0)
    mood = chance(random_state)
    if mood < policy.whim:
        return nth(legal, below(random_state, held))
    if seat in (aim, feared):
        return shoot(tables, position, legal, seat)
    if feared != NONE and position.laid and position.winner == feared:
        code = stop(tables, position, legal)
        if code != NONE:
            return code
    if position.laid == 0:
        return lead(tables, policy, position, legal, seat, mood, random_state)
    if follows(position, legal):
        return follow(tables, policy, position, legal, seat, mood)
    return discard(tables, policy, position, legal)


@compiled
def follows(position: Position, legal: Row) -> bool:
    """Whether a card of the suit led is to be played, or a joker in its place."""
    return position.led != NONE and legal[position.led] != 0


@compiled
def others_hold(position: Position, seat: int, suit: int) -> int:
    """The cards of this suit in the others' hands and in the trick."""
    return position.in_play[suit] & ~position.hands[seat, suit]


@compiled
def kept(row: int, kind: int) -> int:
    """A row less the cards of a kind, unless nothing else is left."""
    return row & ~kind if row & ~kind else row


@compiled
def under(position: Position, row: int) -> int:
    """The cards of the suit led that would not win as the trick lies."""
    return row & up_to(position.best) if position.best != NONE else 0


@compiled
def over(position: Position, row: int) -> int:
    """The cards of the suit led that would win as the trick lies."""
    return row & ~under(position, row)


@compiled
def winning(tables: Tables, position: Position, winners: int) -> int:
    """Which of these winners to play: the lowest will do for who is last, else the highest holds best."""
    return code_of(position.led, lowest(winners) if is_last(tables, position) else highest(winners))


@compiled
def is_last(tables: Tables, position: Position) -> bool:
    """Whether who plays now is the last to this trick."""
    return position.laid == tables.players - 1


@compiled
def lead(
    tables: Tables, policy: Policy, position: Position, legal: Row, seat: int, mood: float, random_state: Row
) -> int:
    """Low, in a suit of which the others hold many higher cards, or one that flushes out the queen."""
    if tables.moon_is_good:
        return lead_for_points(policy, legal, mood, random_state)
    if share_any(position.in_play, tables.bleeders):
        take_out(legal, tables.bleeders)
        take_out(legal, tables.catchers)
    take_out(legal, tables.prizes)
    best, most = NONE, -99.0
    for suit in range(JOKERS):
        if legal[suit]:
            appeal = appeal_of_lead(tables, policy, position, suit, lowest(legal[suit]), seat)
            appeal += policy.unsure * chance(random_state)
            if appeal > most:
                best, most = code_of(suit, lowest(legal[suit])), appeal
    return best if best != NONE else nth(legal, 0)


@compiled
def appeal_of_lead(
    tables: Tables, policy: Policy, position: Position, suit: int, place: int, seat: int
) -> float:
    """The share of the others' cards of the suit that are higher, and what a bleeder there makes of it."""
    theirs, bleeders = others_hold(position, seat, suit), tables.bleeders[suit]
    if not theirs:
        return policy.void_lead
    appeal = count(theirs & above(place)) / (count(theirs) + 0.5)
    if theirs & bleeders:
        appeal += policy.own_bleeder if position.hands[seat, suit] & bleeders else policy.flush_out
    return appeal


@compiled
def lead_for_points(policy: Policy, legal: Row, mood: float, random_state: Row) -> int:
    """A suit by chance, long ones rather: mostly its highest card, to collect, else its lowest."""
    suit = suit_of(nth(legal, below(random_state, size(legal))))
    row = legal[suit]
    return code_of(suit, highest(row) if mood < policy.high_prize_lead else lowest(row))


@compiled
def follow(tables: Tables, policy: Policy, position: Position, legal: Row, seat: int, mood: float) -> int:
    """Take what is good; else get rid of a bleeder, duck, or win cheaply where nothing lies."""
    led = position.led
    if tables.moon_is_good or position.trick_points * tables.goal > 0:
        return grab(tables, policy, position, legal, mood)
    row = legal[led]
    if share_any(position.in_play, tables.bleeders):
        bleeders = under(position, row) & tables.bleeders[led]
        if bleeders:
            return code_of(led, highest(bleeders))
        row = kept(row, tables.bleeders[led])
        if not is_last(tables, position) and position.in_play[led] & tables.bleeders[led]:
            row = kept(row, tables.catchers[led])
    if row & tables.prizes[led]:
        prize = highest(row & tables.prizes[led])
        if is_last(tables, position) and not position.trick_points and not under(position, row) >> prize & 1:
            return code_of(led, prize)
        row = kept(row, tables.prizes[led])
    return duck(tables, policy, position, legal, row, seat, mood)


@compiled
def duck(
    tables: Tables, policy: Policy, position: Position, legal: Row, row: int, seat: int, mood: float
) -> int:
    """The highest card that does not win, if there is one; who must win, wins high while it costs nothing."""
    led, last, costs = position.led, is_last(tables, position), position.trick_points != 0
    first = position.tricks_done == 0
    if first and tables.first_is_safe:
        return code_of(led, highest(row))
    low = under(position, row)
    if low and not last and not costs and is_plenty(tables, policy, position, seat):
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
def is_plenty(tables: Tables, policy: Policy, position: Position, seat: int) -> bool:
    """Whether everybody should still follow this suit, in which nothing bad is out."""
    led = position.led
    if led == HEARTS or position.in_play[led] & tables.bleeders[led]:
        return False
    return count(others_hold(position, seat, led)) > policy.plenty * (tables.players - 1)


@compiled
def grab(tables: Tables, policy: Policy, position: Position, legal: Row, mood: float) -> int:
    """Win what is good: high while others follow, as low as will do at the end; else keep what counts."""
    led, last = position.led, is_last(tables, position)
    winners, gain = over(position, legal[led]), position.trick_points * tables.goal
    if winners and (gain > 0 or (not gain and not last and mood < policy.early_grab)):
        return winning(tables, position, winners)
    return code_of(led, lowest(kept(legal[led], tables.deciding[led])))


@compiled
def discard(tables: Tables, policy: Policy, position: Position, legal: Row) -> int:
    """What costs most by itself, as the queen of spades; while it is out, what would catch it; the rest.

    Where points are good, nothing else that counts is given away.
    """
    code = highest_of(legal, tables.bleeders)
    if tables.moon_is_good:
        take_out(legal, tables.deciding)
        return code if code != NONE else nth(legal, 0)
    if code == NONE and share_any(position.in_play, tables.bleeders):
        code = highest_of(legal, tables.catchers)
    return code if code != NONE else unload(tables, policy, legal)


@compiled
def unload(tables: Tables, policy: Policy, legal: Row) -> int:
    """The highest card, hearts first, and from suits that no low card guards."""
    take_out(legal, tables.prizes)
    take_out(legal, tables.jokers)
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


@compiled
def shoot(tables: Tables, position: Position, legal: Row, seat: int) -> int:
    """Win every trick: with sure winners first, then from the longest suit; what must lose, loses cheaply."""
    if position.laid == 0:
        return lead_to_shoot(position, legal, seat)
    if not follows(position, legal):
        take_out(legal, tables.deciding)
        return nth(legal, 0)
    led = position.led
    winners = over(position, legal[led])
    if winners:
        return winning(tables, position, winners)
    return code_of(led, lowest(kept(legal[led], tables.moon[led])))


@compiled
def lead_to_shoot(position: Position, legal: Row, seat: int) -> int:
    """A card that nobody can beat, else the top of the longest suit."""
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
def stop(tables: Tables, position: Position, legal: Row) -> int:
    """Take the trick from who shoots the moon, or give them none of its cards; NONE if a follower cannot."""
    if follows(position, legal):
        top = code_of(position.led, highest(legal[position.led]))
        return top if top >> 1 > position.best >> 1 else NONE
    if tables.moon_is_good:
        return NONE
    take_out(legal, tables.moon)
    return nth(legal, 0)
