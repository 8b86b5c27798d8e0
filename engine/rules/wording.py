"""A ruleset and its options in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.cards import CLUB_JOKER, HEARTS, Card, Suit, cards
from engine.errors import Refusal
from engine.rules.counting import EXPOSED, Multiplier, Sun
from engine.rules.options import (
    EVEN_BONUS,
    EVEN_TOTALS,
    OPTIONS,
    Duplicates,
    Goal,
    HeartsBrokenBy,
    Kitty,
    Moon,
    SafeFirstTrick,
)
from engine.rules.plays import rotation
from engine.rules.ruleset import Ruleset, allowed_of
from engine.sentences import either

_NUMBERS = "no one two three four five six seven eight nine ten".split()  # noqa: SIM905
_ORDINALS = "zeroth first second third fourth fifth".split()  # noqa: SIM905


# Numbers, lists and directions


def spelled(count: int) -> str:
    """`three`; from eleven on in digits."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


_OFTEN = [*"never once twice".split(), *(f"{spelled(count)} times" for count in range(3, 11))]  # noqa: SIM905
_TIMES = {2: "doubles", 3: "trebles", 4: "quadruples"}


def number(value: int) -> str:
    """The number with a real minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def change(value: int) -> str:
    """`+5`, `−10` or `0`."""
    return f"+{value}" if value > 0 else number(value)


def ordinal(count: int) -> str:
    """`1st`, `2nd`, `11th`."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{'th' if count % 100 in (11, 12, 13) else ending}"


def listing(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


class Ways(NamedTuple):
    """Words for where cards are passed: to the next seat on either side, to one beyond it, and across."""

    left: str
    right: str
    far_left: str
    far_right: str
    across: str = "across"


TO_THE = Ways("to the left", "to the right", "{count} to the left", "{count} to the right")
TO_YOUR = Ways("to your left", "to your right", "{count} to your left", "{count} to your right")
IN_A_LIST = Ways("left", "right", "{count} to the left", "{count} to the right")


def direction(offset: int, players: int, ways: Ways = TO_THE) -> str:
    """Where cards passed this many seats to the left go: `two to the right`, `across`."""
    if offset * 2 == players:
        return ways.across
    if abs(offset) == 1:
        return ways.left if offset > 0 else ways.right
    return (ways.far_left if offset > 0 else ways.far_right).format(count=spelled(abs(offset)))


# A ruleset, for the people who sit down to play by it


def goal(rules: Ruleset) -> str:
    """One sentence, without its full stop, on how the game is won and when it ends."""
    end = str(rules.ends_at)
    if rules.preset.ends_below_zero:
        end = either([end, f"−{end}"])
    if rules.winner is Goal.LOWEST:
        return f"Lowest total wins; over when a total reaches {end}"
    return f"Highest total wins; over when a total reaches {end}"


def describe(rules: Ruleset) -> list[str]:
    """Every rule of this table that can differ from another's, a line each."""
    parts = (pack, passing, opening, breaking, twins, _counting, moon)
    return [line for part in parts for line in part(rules)]


#: Who gets the cards of the kitty.
_KITTY = {
    Kitty.FIRST_TRICK: "Kitty: {cards} face down, for the winner of the first trick.",
    Kitty.ONE_PER_TRICK: "Kitty: {cards} face down, one each for the winners of the first tricks.",
    Kitty.FIRST_AND_LAST: (
        "Kitty: {cards} face down, one for the winner of the first trick, the rest for the last trick's."
    ),
}


def pack(rules: Ruleset) -> Iterator[str]:
    """The cards in play, jokers and a kitty."""
    pack = rules.pack
    decks, removed = "One deck", "{card}"
    if pack.decks == 2:
        decks, removed = "Two decks", "one {card}"
    if pack.removed:
        missing = [removed.format(card=card.symbol) for card in cards(pack.removed)]
        decks = f"{decks} without {', '.join(missing)}"
    if pack.jokers:
        jokers = "one joker" if len(pack.jokers) == 1 else f"{spelled(len(pack.jokers))} jokers"
        decks = f"{decks} and {jokers}"
    yield f"{decks}: {pack.hand_size} cards each."
    if pack.jokers and pack.jokers[0].suit is not None:
        yield "The joker is a club below the two."
    elif pack.jokers:
        yield "Jokers may be played to any lead, never win and count nothing."
    if rules.kitty is not None:
        yield _KITTY[rules.kitty].format(cards=_cards_in_words(pack.kitty_size))


def _cards_in_words(count: int) -> str:
    return "one card" if count == 1 else f"{spelled(count)} cards"


def passing(rules: Ruleset) -> Iterator[str]:
    """The cards to pass and their directions, deal by deal."""
    if not rules.pass_cards:
        yield "No cards are passed."
        return
    steps = rotation(rules)
    if len(steps) == 1:
        yield f"Pass {_cards_in_words(rules.pass_cards)} {direction(steps[0], rules.players)}."
    else:
        ways = [direction(step, rules.players, IN_A_LIST) if step else "no pass" for step in steps]
        yield f"Pass {_cards_in_words(rules.pass_cards)}: {', '.join(ways)}, then repeat."


def opening(rules: Ruleset) -> Iterator[str]:
    """What is exposed, who leads first, and what may not be played to the first trick."""
    if exposable := rules.preset.exposable:
        cards_ = listing([card.symbol for card in exposable])
        three, fourth = spelled(len(exposable) - 1), _ORDINALS[len(exposable)]
        yield f"{cards_} may be exposed before play; once {three} are, the {fourth} must be."
    if card := rules.preset.leads_next:
        yield (
            "The oldest player, or whoever the host names, leads first; "
            f"after that, whoever last took {card.symbol}."
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


def breaking(rules: Ruleset) -> Iterator[str]:
    """When hearts may be led."""
    match rules.hearts_broken_by:
        case HeartsBrokenBy.HEARTS:
            yield "Hearts may be led once a heart has been played in an earlier trick."
        case HeartsBrokenBy.HEARTS_OR_QUEEN:
            yield "Hearts may be led once a heart or Q♠ has been played in an earlier trick."
    if rules.lead_hearts_with_queen:
        yield "If you hold only hearts and Q♠, you may lead a heart."


def twins(rules: Ruleset) -> Iterator[str]:
    """What two copies of a card do."""
    match rules.duplicates:
        case Duplicates.FIRST_WINS:
            yield "If both copies of a card are in a trick, the first ranks higher."
        case Duplicates.CANCEL:
            yield "Two copies in a trick cancel each other: neither wins."
            yield "If every card of the suit led is cancelled, the trick is on hold for the next winner."
            yield "If that happens in the last trick, the second copy of the highest card wins it."


def _counting(rules: Ruleset) -> Iterator[str]:
    counting, own = rules.counting, rules.preset.counting.values
    yield f"{', '.join(values({card: counting.values[card] for card in own}))}."
    if rules.preset.exposable:
        yield "A suit with an exposed card counts double."
    if counting.multiplier:
        yield multiplying(counting.multiplier)
    if "winner" in rules.options:
        yield "The goal is reversed: what's bad in the usual game is good here, and vice versa."
    for card, value in counting.values.items():
        if card not in own:
            yield f"{card.symbol} {change(value)} for its taker."
    if rules.even_scores:
        yield f"A total of exactly {either(EVEN_TOTALS)} loses {EVEN_BONUS}."


def worth(rules: Ruleset) -> str:
    """What every card counts, with the options, and the card that multiplies: for a newcomer."""
    counting = rules.counting
    multiplied = f" {multiplying(counting.multiplier)}" if counting.multiplier else ""
    return f"{', '.join(values(counting.values))}.{multiplied}"


def values(counted: Mapping[Card, int]) -> list[str]:
    """What these cards count: `Each heart counts 1`, `Q♠ 13`; signs stand where some bring and some cost."""
    return [words for words, _ in valued(counted)]


def valued(counted: Mapping[Card, int]) -> Iterator[tuple[str, int]]:
    """The phrases of `values`, each with what one of its cards counts."""
    shown = change if min(counted.values()) < 0 else number
    hearts = [counted.get(card, 0) for card in HEARTS]
    others = {card: value for card, value in counted.items() if card.suit is not Suit.HEARTS}
    if hearts == [card.rank for card in HEARTS]:
        pictures = ", ".join(f"{card.symbol[0]} {card.rank}" for card in HEARTS[-4:])
        yield f"Hearts count their face value ({pictures})", hearts[0]
    elif len(set(hearts)) == 1 and hearts[0]:
        yield f"Each heart counts {shown(hearts[0])}", hearts[0]
    else:
        others = dict(counted)
    for first, *last in _runs(others):
        value = others[first]
        if last:
            yield f"{first.symbol} to {last[0].symbol} {shown(value)} each", value
        else:
            yield f"{first.symbol} {shown(value)}", value


def _runs(counted: Mapping[Card, int]) -> list[tuple[Card, ...]]:
    """The first and the last of neighbours in a suit that count the same; cards alone by themselves."""
    runs: list[tuple[Card, ...]] = []
    for card, value in counted.items():
        last = runs[-1][-1] if runs else None
        if last and counted[last] == value and (last.suit, last.rank + 1) == (card.suit, card.rank):
            runs[-1] = (runs[-1][0], card)
        else:
            runs.append((card,))
    return runs


def multiplying(multiplier: Multiplier) -> str:
    """What the card that multiplies does, also exposed (C9)."""
    exposed = spelled(multiplier.times * EXPOSED)
    return (
        f"{multiplier.card.symbol} {_TIMES[multiplier.times]} its taker's points (exposed: {exposed}fold); "
        f"alone it is worth {multiplier.alone} ({multiplier.alone * EXPOSED})."
    )


def moon_cards(rules: Ruleset, hearts: str = "hearts") -> list[str]:
    """What a moon takes: `["all hearts", "both Q♠"]`."""
    both = "both " if rules.pack.decks == 2 else ""
    others = [both + card.symbol for card in rules.counting.moon if card.suit is not Suit.HEARTS]
    return [f"all {hearts}", *others] if len(others) < len(rules.counting.moon) else others


def moon(rules: Ruleset) -> Iterator[str]:
    """What a moon takes, and what it brings."""
    counting = rules.counting
    if not counting.moon:
        return
    needed, (own, others) = listing(moon_cards(rules)), counting.moon_points()
    match rules.moon:
        case Moon.OTHERS:
            yield f"The moon ({needed}): the shooter gets {number(own)}, everyone else {number(others)}."
        case Moon.SELF:
            yield f"The moon ({needed}): {change(own)} for the shooter."
        case Moon.CHOICE:
            own, others = counting.moon_choice
            yield (
                f"The moon ({needed}): the shooter chooses {change(own)} for the shooter "
                f"or {change(others)} for everyone else."
            )
        case Moon.HALF:
            yield f"The moon ({needed}): {change(own)} for the shooter, {change(others)} for everyone else."
        case None:
            needed = listing(moon_cards(rules, f"{counting.needed} hearts"))
            yield " ".join([f"The moon ({needed}): they count for you.", *_sun(counting.sun)])


def _sun(sun: Sun | None) -> Iterator[str]:
    if sun:
        yield f"With {listing([card.symbol for card in sun.cards])} as well, it's the sun: {sun.points}."


def exposing(rules: Ruleset) -> str:
    """What exposing does, for players who may do it."""
    count = len(rules.preset.exposable)
    told = "You may lay a card face up before the first trick: then its suit counts double."
    if multiplier := rules.counting.multiplier:
        told = (
            "You may lay a card face up before the first trick: then its suit counts double, and "
            f"{multiplier.card.symbol} {_OFTEN[multiplier.times * EXPOSED]} instead of "
            f"{_OFTEN[multiplier.times]}."
        )
    return f"{told} Once {spelled(count - 1)} are exposed, the {_ORDINALS[count]} must be."


def exposed(rules: Ruleset, card: Card) -> str:
    """What becomes of the count if this card is exposed."""
    counting = rules.counting
    multiplier = counting.multiplier
    if multiplier and multiplier.card is card:
        times, alone = multiplier.times, multiplier.alone
        return (
            f"It will multiply its taker's points by {spelled(times * EXPOSED)} instead of {spelled(times)}; "
            f"alone it will be worth {alone * EXPOSED} instead of {alone}."
        )
    if any(one.suit is card.suit for one in counting.values if one is not card):
        return f"All {card.suit.title if card.suit else 'of its suit'} will count double."
    value = counting.values[card]
    return f"It will count {change(value * EXPOSED)} instead of {change(value)}."


# Options, for the host who changes them


def applicable(rules: Ruleset) -> list[str]:
    """The options that can be set on these rules, in order."""
    preset, players = rules.preset, rules.players
    return [name for name in rules.all_options if len(allowed_of(preset, players, name)) > 1]


def changed(rules: Ruleset, options: dict[str, Any], players: int | None = None) -> Ruleset:
    """The rules with these options (JSON values) changed; others that then no longer apply are dropped.

    Refusal if a new value is impossible.
    """
    kept = {name: value for name, value in rules.options.items() if name not in options}
    seats = players or rules.players
    while True:
        try:
            return Ruleset.for_preset(rules.preset, seats, {**kept, **options})
        except Refusal as refusal:
            # Fewer players or another remainder can leave no kitty to rule about.
            if kept.pop(refusal.values.get("option", ""), None) is None:
                raise


def differences(rules: Ruleset) -> list[str]:
    """The differences between these rules and their game's own, in words."""
    words = []
    for name, value in rules.options.items():
        option = OPTIONS[name]
        if value is False:
            words.append(f"not: {option.title}")
        elif value is True:
            words.append(option.title)
        else:
            words.append(f"{option.title}: {option.in_words(value)}")
    return words
