"""A ruleset in words, for the people who sit down to play by it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import CLUB_JOKER, cards
from engine.rules.options import (
    Duplicates,
    Goal,
    HeartsBrokenBy,
    Kitty,
    Moon,
    SafeFirstTrick,
)
from engine.rules.passing import rotation
from engine.rules.presets import Scoring
from engine.rules.ruleset import Ruleset
from engine.rules.scoring import moon_worth

_NUMBERS = "no one two three four five".split()  # noqa: SIM905
_ORDINALS = "zeroth first second third fourth fifth".split()  # noqa: SIM905


def goal(rules: Ruleset) -> str:
    """How the game is won and when it is over: one sentence without its full stop."""
    best = "Lowest" if rules.winner is Goal.LOWEST else "Highest"
    below = f" or −{rules.ends_at}" if rules.preset.ends_below_zero else ""
    return f"{best} total wins; over when a total reaches {rules.ends_at}{below}"


def describe(rules: Ruleset) -> list[str]:
    """Every rule of this table that can differ from another's, a line each."""
    return [line for part in (_cards, _passing, _start, _play, _counting, _moon) for line in part(rules)]


def direction(offset: int, players: int, whose: str = "the") -> str:
    """Where cards passed this many seats to the left go: `two to the right`, `across`."""
    if offset * 2 == players:
        return "across"
    side = "left" if offset > 0 else "right"
    distance = abs(offset)
    return f"to {whose} {side}" if distance == 1 else f"{_NUMBERS[distance]} to {whose} {side}"


def _cards(rules: Ruleset) -> Iterator[str]:
    pack = rules.pack
    decks = "Two decks" if pack.decks == 2 else "One deck"
    extras = ""
    if pack.removed:
        one = "one " if pack.decks == 2 else ""
        extras += f" without {', '.join(one + card.symbol for card in cards(pack.removed))}"
    if pack.jokers:
        extras += f" and {_NUMBERS[len(pack.jokers)]} joker{'s' if len(pack.jokers) > 1 else ''}"
    yield f"{decks}{extras}: {pack.hand_size} cards each."
    if pack.jokers and pack.jokers[0].suit is not None:
        yield "The joker is a club below the two."
    elif pack.jokers:
        yield "Jokers may be played to any lead, never win and count nothing."
    if rules.kitty is not None:
        takes = {
            Kitty.FIRST_TRICK: "go with the first trick",
            Kitty.ONE_PER_TRICK: "go with the first tricks, one with each",
            Kitty.FIRST_AND_LAST: "go with the first trick (one) and the last (the rest)",
        }
        yield f"Kitty: {_cards_in_words(pack.kitty_size)} face down, to {takes[rules.kitty]}."


def _cards_in_words(count: int) -> str:
    return f"{_NUMBERS[count]} card{'s' if count > 1 else ''}"


def _passing(rules: Ruleset) -> Iterator[str]:
    if not rules.pass_cards:
        yield "No cards are passed."
        return
    steps = [direction(step, rules.players) if step else "no pass" for step in rotation(rules)]
    again = "; and again" if len(steps) > 1 else ""
    yield f"Pass {_cards_in_words(rules.pass_cards)}: {', '.join(steps)}{again}."


def _start(rules: Ruleset) -> Iterator[str]:
    if exposable := rules.preset.exposable:
        *others, last = [card.symbol for card in exposable]
        three, fourth = _NUMBERS[len(others)], _ORDINALS[len(exposable)]
        yield (
            f"{', '.join(others)} and {last} may be exposed before play; "
            f"once {three} are, the {fourth} must be."
        )
    if card := rules.preset.leads_next:
        yield (
            "The oldest account, or whom the host names, leads first; "
            f"later whoever took {card.symbol} before."
        )
    else:
        lowest = rules.pack.cards[0]
        opening = "the joker" if lowest is CLUB_JOKER else lowest.symbol
        yield f"The holder of {opening} leads it to the first trick."
    match rules.safe_first_trick:
        case SafeFirstTrick.HEARTS_AND_QUEEN:
            yield "First trick: no hearts and no Q♠."
        case SafeFirstTrick.ALL_SCORING:
            yield "First trick: no card that scores."


def _play(rules: Ruleset) -> Iterator[str]:
    match rules.hearts_broken_by:
        case HeartsBrokenBy.HEARTS:
            yield "Hearts may be led once a heart was played in an earlier trick."
        case HeartsBrokenBy.HEARTS_OR_QUEEN:
            yield "Hearts may be led once a heart or Q♠ was played in an earlier trick."
    if rules.lead_hearts_with_queen:
        yield "A hand of hearts and Q♠ alone may lead a heart all the same."
    match rules.duplicates:
        case Duplicates.FIRST_WINS:
            yield "Of two copies in a trick the first ranks higher."
        case Duplicates.CANCEL:
            yield "Two copies in a trick cancel each other: neither wins."
            yield "A trick with all of the suit led cancelled is on hold for the next winner."
            yield "In the last trick the second copy of the highest card wins all the same."


def _counting(rules: Ruleset) -> Iterator[str]:
    if rules.preset.scoring is Scoring.CHINESE:
        yield "Q♠ −100, J♦ +100, A♥ −50, K♥ −40, Q♥ −30, J♥ −20, 5♥ to 10♥ −10 each."
        yield "A suit of which a card was exposed counts double."
        yield "10♣ doubles its taker's points (exposed: fourfold); alone it is worth 50 (100)."
        yield "The moon (all 13 hearts): they count for you. With Q♠, J♦ and 10♣ besides: the sun, 10000."
        return
    face = "Hearts count their face value (J 11, Q 12, K 13, A 14)"
    hearts = face if rules.spot_hearts else "Each heart counts 1"
    yield f"{hearts}, Q♠ 13."
    if rules.winner is not rules.preset.options["winner"]:
        yield "The goal is turned round: what is bad in the usual game is good here, and the reverse."
    if rules.jack_of_diamonds:
        yield "J♦ −10 for its taker."
    if rules.hooligan:
        yield "7♣ +7 for its taker."
    if rules.even_scores:
        yield "A total of exactly 50, 100 or 150 loses 50."


def _moon(rules: Ruleset) -> Iterator[str]:
    worth = moon_worth(rules)
    needed = f"The moon (all hearts and {'both ' * (rules.pack.decks == 2)}Q♠)"
    match rules.moon:
        case Moon.OTHERS:
            yield f"{needed}: the shooter gets 0, everybody else {worth}."
        case Moon.SELF:
            yield f"{needed}: −{worth} for the shooter."
        case Moon.CHOICE:
            yield f"{needed}: the shooter chooses −{worth} for self or +{worth} for everybody else."
        case Moon.HALF:
            yield f"{needed}: −{worth // 2} for the shooter, +{worth // 2} for everybody else."
