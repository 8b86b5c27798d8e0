"""A ruleset and its options in words."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engine.cards import CLUB_JOKER, HEARTS, Card, Suit, cards
from engine.errors import Refusal
from engine.languages import N_, Language, N_as
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


class Ways(NamedTuple):
    """Phrases for a direction of passing: to the next seat on either side, further on, and across."""

    context: str
    left: str
    right: str
    far_left: str
    far_right: str
    across: str


TO_THE = Ways(
    "pass cards",
    N_as("pass cards", "to the left"),
    N_as("pass cards", "to the right"),
    N_as("pass cards", "{count} to the left"),
    N_as("pass cards", "{count} to the right"),
    N_as("pass cards", "across"),
)
TO_YOUR = Ways(
    "you pass cards",
    N_as("you pass cards", "to your left"),
    N_as("you pass cards", "to your right"),
    N_as("you pass cards", "{count} to your left"),
    N_as("you pass cards", "{count} to your right"),
    N_as("you pass cards", "across"),
)
IN_A_LIST = Ways(
    "passing, deal by deal",
    N_as("passing, deal by deal", "left"),
    N_as("passing, deal by deal", "right"),
    N_as("passing, deal by deal", "{count} to the left"),
    N_as("passing, deal by deal", "{count} to the right"),
    N_as("passing, deal by deal", "across"),
)


def direction(offset: int, players: int, language: Language, ways: Ways = TO_THE) -> str:
    """Where cards passed this many seats to the left go: `two to the right`, `across`."""
    if offset * 2 == players:
        return language.say_as(ways.context, ways.across)
    if abs(offset) == 1:
        return language.say_as(ways.context, ways.left if offset > 0 else ways.right)
    far = ways.far_left if offset > 0 else ways.far_right
    return language.say_as(ways.context, far, count=language.spelled(abs(offset)))


# A ruleset, for the people who play by it


def goal(rules: Ruleset, language: Language) -> str:
    """One sentence, without its full stop, on how the game is won and when it ends."""
    if rules.deals and rules.winner is Goal.LOWEST:
        return language.say_count(
            rules.deals,
            "Lowest total wins; over after {count} deal",
            "Lowest total wins; over after {count} deals",
        )
    if rules.deals:
        return language.say_count(
            rules.deals,
            "Highest total wins; over after {count} deal",
            "Highest total wins; over after {count} deals",
        )
    end = str(rules.ends_at)
    if rules.preset.ends_below_zero:
        end = language.either([end, f"−{end}"])
    if rules.winner is Goal.LOWEST:
        return language.say("Lowest total wins; over when a total reaches {end}", end=end)
    return language.say("Highest total wins; over when a total reaches {end}", end=end)


def describe(rules: Ruleset, language: Language) -> list[str]:
    """The rules that differ from table to table, a line each."""
    parts = (pack, passing, opening, breaking, twins, _counting, moon)
    return [line for part in parts for line in part(rules, language)]


#: Who gets the cards of the kitty.
_KITTY = {
    Kitty.FIRST_TRICK: N_("Kitty: {cards} face down, for the winner of the first trick."),
    Kitty.ONE_PER_TRICK: N_("Kitty: {cards} face down, one each for the winners of the first tricks."),
    Kitty.FIRST_AND_LAST: N_(
        "Kitty: {cards} face down, one for the winner of the first trick, the rest for the last trick's."
    ),
}


def pack(rules: Ruleset, language: Language) -> Iterator[str]:
    """The cards in play, jokers and a kitty."""
    pack, say = rules.pack, language.say
    decks = say("One deck") if pack.decks == 1 else say("Two decks")
    if pack.removed:
        missing = [card.symbol for card in cards(pack.removed)]
        if pack.decks == 2:
            missing = [say("one {card}", card=card) for card in missing]
        decks = say("{decks} without {cards}", decks=decks, cards=language.series(missing))
    if pack.jokers:
        jokers, count = language.spelled(len(pack.jokers)), len(pack.jokers)
        decks = language.say_count(
            count, "{decks} and one joker", "{decks} and {jokers} jokers", decks=decks, jokers=jokers
        )
    yield language.say_count(
        pack.hand_size, "{decks}: {count} card each.", "{decks}: {count} cards each.", decks=decks
    )
    if pack.jokers and pack.jokers[0].suit is not None:
        yield say("The joker is a club below the two.")
    elif pack.jokers:
        yield say("Jokers may be played to any lead, never win and count nothing.")
    if rules.kitty is not None:
        yield say(_KITTY[rules.kitty], cards=_cards_in_words(pack.kitty_size, language))


def _cards_in_words(count: int, language: Language) -> str:
    return language.say_count(count, "{number} card", "{number} cards", number=language.spelled(count))


def passing(rules: Ruleset, language: Language) -> Iterator[str]:
    """The cards to pass and their directions, deal by deal."""
    if not rules.pass_cards:
        yield language.say("No cards are passed.")
        return
    steps, cards = rotation(rules), _cards_in_words(rules.pass_cards, language)
    if len(steps) == 1:
        way = direction(steps[0], rules.players, language)
        yield language.say("Pass {cards} {direction}.", cards=cards, direction=way)
    else:
        ways = [
            direction(step, rules.players, language, IN_A_LIST) if step else language.say("no pass")
            for step in steps
        ]
        yield language.say(
            "Pass {cards}: {directions}, then repeat.", cards=cards, directions=language.series(ways)
        )


def opening(rules: Ruleset, language: Language) -> Iterator[str]:
    """What is exposed, who leads first, and what may not be played to the first trick."""
    if exposable := rules.preset.exposable:
        count = len(exposable)
        yield language.say(
            "{cards} may be exposed before play; once {number} are, the {last} must be.",
            cards=language.listing([card.symbol for card in exposable]),
            number=language.spelled(count - 1),
            last=language.ordinal(count),
        )
    if card := rules.preset.leads_next:
        yield language.say(
            "The oldest player, or whoever the host names, leads first; "
            "after that, whoever last took {card}.",
            card=card.symbol,
        )
    elif (lowest := rules.pack.cards[0]) is CLUB_JOKER:
        yield language.say("The holder of the joker leads it to the first trick.")
    else:
        yield language.say("The holder of {card} leads it to the first trick.", card=lowest.symbol)
    match rules.safe_first_trick:
        case SafeFirstTrick.HEARTS_AND_QUEEN:
            yield language.say("First trick: no hearts and no Q♠.")
        case SafeFirstTrick.ALL_SCORING:
            yield language.say("First trick: no card that scores.")


def breaking(rules: Ruleset, language: Language) -> Iterator[str]:
    """When hearts may be led."""
    match rules.hearts_broken_by:
        case HeartsBrokenBy.HEARTS:
            yield language.say("Hearts may be led once a heart has been played in an earlier trick.")
        case HeartsBrokenBy.HEARTS_OR_QUEEN:
            yield language.say("Hearts may be led once a heart or Q♠ has been played in an earlier trick.")
    if rules.lead_hearts_with_queen:
        yield language.say("If you hold only hearts and Q♠, you may lead a heart.")


def twins(rules: Ruleset, language: Language) -> Iterator[str]:
    """The effect of two copies of a card in a trick."""
    match rules.duplicates:
        case Duplicates.FIRST_WINS:
            yield language.say("If both copies of a card are in a trick, the first ranks higher.")
        case Duplicates.CANCEL:
            yield language.say("Two copies in a trick cancel each other: neither wins.")
            yield language.say(
                "If every card of the suit led is cancelled, the trick is on hold for the next winner."
            )
            yield language.say(
                "If that happens in the last trick, the second copy of the highest card wins it."
            )


def _counting(rules: Ruleset, language: Language) -> Iterator[str]:
    counting, own = rules.counting, rules.preset.counting.values
    yield _worth({card: counting.values[card] for card in own}, language)
    if rules.preset.exposable:
        yield language.say("A suit with an exposed card counts double.")
    if counting.multiplier:
        yield multiplying(counting.multiplier, language)
    if "winner" in rules.options:
        yield language.say("The goal is reversed: what's bad in the usual game is good here, and vice versa.")
    for card, value in counting.values.items():
        if card not in own:
            yield language.say(
                "Whoever takes {card} gets {value}.", card=card.symbol, value=language.change(value)
            )
    if rules.even_scores:
        totals = language.either(EVEN_TOTALS)
        yield language.say("A total of exactly {totals} loses {bonus}.", totals=totals, bonus=EVEN_BONUS)


def worth(rules: Ruleset, language: Language) -> str:
    """What every card counts with these options, and what the multiplier does, for a newcomer."""
    counting = rules.counting
    sentences = [_worth(counting.values, language)]
    if counting.multiplier:
        sentences.append(multiplying(counting.multiplier, language))
    return language.sentences(sentences)


def _worth(counted: Mapping[Card, int], language: Language) -> str:
    """The phrases of `valued` as a sentence."""
    return language.say("{cards}.", cards=language.series([words for words, _ in valued(counted, language)]))


def valued(counted: Mapping[Card, int], language: Language) -> Iterator[tuple[str, int]]:
    """Phrases for what these cards count, `Each heart counts 1`, `Q♠ 13`, each with one card's points.

    Points have signs if those of any card are negative.
    """
    format_points = language.change if min(counted.values()) < 0 else language.number
    hearts = [counted.get(card, 0) for card in HEARTS]
    others = {card: value for card, value in counted.items() if card.suit is not Suit.HEARTS}
    if hearts == [card.rank for card in HEARTS]:
        pictures = language.series([f"{card.symbol[0]} {card.rank}" for card in HEARTS[-4:]])
        yield language.say("Hearts count their face value ({pictures})", pictures=pictures), hearts[0]
    elif len(set(hearts)) == 1 and hearts[0]:
        yield language.say("Each heart counts {value}", value=format_points(hearts[0])), hearts[0]
    else:
        others = dict(counted)
    for first, *last in _runs(others):
        value = others[first]
        if last:
            each = {"first": first.symbol, "last": last[0].symbol, "value": format_points(value)}
            yield language.say("{first} to {last} {value} each", **each), value
        else:
            yield language.say("{card} {value}", card=first.symbol, value=format_points(value)), value


def _runs(counted: Mapping[Card, int]) -> list[tuple[Card, ...]]:
    """The first and last card of each run in a suit that counts the same, or one card alone."""
    runs: list[tuple[Card, ...]] = []
    for card, value in counted.items():
        last = runs[-1][-1] if runs else None
        if last and counted[last] == value and (last.suit, last.rank + 1) == (card.suit, card.rank):
            runs[-1] = (runs[-1][0], card)
        else:
            runs.append((card,))
    return runs


def multiplying(multiplier: Multiplier, language: Language) -> str:
    """The effect of the multiplier, exposed or not (C9)."""
    values = {
        "card": multiplier.card.symbol,
        "alone": multiplier.alone,
        "exposed": multiplier.alone * EXPOSED,
    }
    if (multiplier.times, EXPOSED) == (2, 2):
        return language.say(
            "{card} doubles its taker's points (exposed: fourfold); alone it is worth {alone} ({exposed}).",
            **values,
        )
    return language.say(
        "{card} multiplies its taker's points by {times} (exposed: {more}); "
        "alone it is worth {alone} ({exposed}).",
        times=multiplier.times,
        more=multiplier.times * EXPOSED,
        **values,
    )


def moon_cards(rules: Ruleset, language: Language, *, counted: bool = False) -> list[str]:
    """What a moon takes: `["all hearts", "both Q♠"]`; with the number of hearts if `counted`."""
    counting, say = rules.counting, language.say
    both = say("both {card}") if rules.pack.decks == 2 else "{card}"
    others = [both.format(card=card.symbol) for card in counting.moon if card.suit is not Suit.HEARTS]
    if len(others) == len(counting.moon):
        return others
    return [say("all {count} hearts", count=counting.needed) if counted else say("all hearts"), *others]


def moon(rules: Ruleset, language: Language) -> Iterator[str]:
    """The cards a moon takes, and the points it brings."""
    counting, say = rules.counting, language.say
    if not counting.moon:
        return
    own, others = counting.moon_points()
    values = {
        "cards": language.listing(moon_cards(rules, language, counted=rules.moon is None)),
        "own": language.change(own),
        "others": language.change(others),
    }
    match rules.moon:
        case Moon.OTHERS:
            values |= {"own": language.number(own), "others": language.number(others)}
            yield say("The moon ({cards}): the shooter gets {own}, everyone else {others}.", **values)
        case Moon.SELF:
            yield say("The moon ({cards}): {own} for the shooter.", **values)
        case Moon.CHOICE:
            own, others = counting.moon_choice
            values |= {"own": language.change(own), "others": language.change(others)}
            yield say(
                "The moon ({cards}): the shooter chooses {own} for the shooter "
                "or {others} for everyone else.",
                **values,
            )
        case Moon.HALF:
            yield say("The moon ({cards}): {own} for the shooter, {others} for everyone else.", **values)
        case None:
            sentence = say(
                "Shooting the moon ({cards}): the hearts count for you instead of against you.", **values
            )
            yield language.sentences([sentence, *_sun(counting.sun, language)])


def _sun(sun: Sun | None, language: Language) -> Iterator[str]:
    if sun:
        cards = language.listing([card.symbol for card in sun.cards])
        yield language.say("With {cards} as well, it's the sun: {points}.", cards=cards, points=sun.points)


def exposing(rules: Ruleset, language: Language) -> str:
    """What exposing does, for players who may."""
    count, multiplier = len(rules.preset.exposable), rules.counting.multiplier
    if multiplier is None:
        effect = language.say(
            "You may lay a card face up before the first trick: then its suit counts double."
        )
    elif (multiplier.times, EXPOSED) == (2, 2):
        effect = language.say(
            "You may lay a card face up before the first trick: then its suit counts double, and "
            "{card} four times instead of twice.",
            card=multiplier.card.symbol,
        )
    else:
        effect = language.say(
            "You may lay a card face up before the first trick: then its suit counts double, and "
            "{card} multiplies by {more} instead of {times}.",
            card=multiplier.card.symbol,
            more=multiplier.times * EXPOSED,
            times=multiplier.times,
        )
    last = language.say(
        "Once {number} are exposed, the {last} must be.",
        number=language.spelled(count - 1),
        last=language.ordinal(count),
    )
    return language.sentences([effect, last])


def exposed(rules: Ruleset, card: Card, language: Language) -> str:
    """How points change if this card is exposed."""
    counting = rules.counting
    multiplier = counting.multiplier
    if multiplier and multiplier.card is card:
        return language.say(
            "It will multiply its taker's points by {more} instead of {times}; "
            "alone it will be worth {exposed} instead of {alone}.",
            more=language.spelled(multiplier.times * EXPOSED),
            times=language.spelled(multiplier.times),
            exposed=multiplier.alone * EXPOSED,
            alone=multiplier.alone,
        )
    if card.suit and any(one.suit is card.suit for one in counting.values if one is not card):
        return language.say("All {suit} will count double.", suit=language.suit(card.suit))
    value, change = counting.values[card], language.change
    return language.say(
        "It will count {exposed} instead of {value}.", exposed=change(value * EXPOSED), value=change(value)
    )


# Options, for the host who changes them


def applicable(rules: Ruleset) -> list[str]:
    """The options that can be set on these rules, in order."""
    preset, players = rules.preset, rules.players
    return [name for name in rules.all_options if len(allowed_of(preset, players, name)) > 1]


def changed(rules: Ruleset, options: dict[str, Any], players: int | None = None) -> Ruleset:
    """The rules with these options (JSON values) changed; others that then no longer apply are dropped.

    Refusal if a new value is impossible.
    """
    others = {name: value for name, value in rules.options.items() if name not in options}
    seats = players or rules.players
    while True:
        try:
            return Ruleset.for_preset(rules.preset, seats, {**others, **options})
        except Refusal as refusal:
            # Fewer players or another remainder can leave no kitty to rule about.
            if others.pop(refusal.values.get("option", ""), None) is None:
                raise


def differences(rules: Ruleset, language: Language, *, with_values: bool = True) -> list[str]:
    """How these rules differ from their game's; `with_values` includes options that change cards' values."""
    words = []
    for name, value in rules.options.items():
        if OPTIONS[name].counts and not with_values:
            continue
        option, title = OPTIONS[name], language.say(OPTIONS[name].title)
        if value is False:
            words.append(language.say("not: {option}", option=title))
        elif value is True:
            words.append(title)
        else:
            words.append(
                language.say("{option}: {value}", option=title, value=language.say(option.in_words(value)))
            )
    return words
