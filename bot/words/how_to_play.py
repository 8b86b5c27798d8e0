"""How to play, for beginners: a few pages with pictures, generated from the table's rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.vocabulary.controls import LOBBY, Action, Where, Who
from bot.vocabulary.messages import Button, Colour, Part, Picture, Style, Whisper
from bot.vocabulary.scenes import FanScene, LaidCard, Score, SeatScene, TableScene
from bot.words.buttons import pager
from bot.words.text import chip, chipped, chips
from bot.words.tones import SIGNS, score, sign, tone
from engine.cards import Hand, Suit, cards, sort_hand
from engine.languages import N_, Language
from engine.names import COMPUTERS
from engine.players import Strength
from engine.players.manners import manner_of
from engine.rules import lengths, wording
from engine.rules.counting import total
from engine.rules.options import Duplicates, Goal
from engine.rules.plays import Trick, cancelled, winning_index
from engine.rules.presets import CLASSIC
from engine.rules.ruleset import Ruleset
from engine.rules.wording import differences

#: The rules that are explained where no table is concerned.
USUAL_RULES = Ruleset.for_preset(CLASSIC, CLASSIC.players[0])


class Learn(Action, verb="learn", who=Who.ANYONE, where=LOBBY | Where.DM | Where.ANYWHERE):
    """Open the first page of how to play; without a table, for this game or the usual one."""

    game: str | None = None


class LearnPage(Action, verb="page", who=Who.ANYONE, where=LOBBY | Where.DM | Where.ANYWHERE, private=True):
    """Show this page (from 0) of how to play in the same message."""

    page: int
    game: str | None = None


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A page: its title, its picture, and the text below that."""

    title: str
    text: str
    picture: Picture | None = None


def learn(table: int, language: Language, style: Style = Style.PLAIN, game: str | None = None) -> Button:
    """A button that opens the pages for this table's rules; for table 0, for `game` or the usual one."""
    return Button(language.say("How to play"), Learn(table, game), style)


def how_to_play(
    rules: Ruleset, table: int, number: int, language: Language, game: str | None = None
) -> Whisper:
    """One of the pages (from 0; the last one for any number beyond), with the buttons that turn them."""
    all_pages = pages(rules, language)
    number = min(number, len(all_pages) - 1)
    page = all_pages[number]
    row = pager(number + 1, len(all_pages), lambda to: LearnPage(table, to - 1, game), language)
    parts: list[Part] = [f"### {page.title}"]
    if page.picture:
        parts.append(page.picture)
    return Whisper((*parts, page.text, row), Colour.TABLE)


def pages(rules: Ruleset, language: Language) -> list[RulesPage]:
    """All pages: the goal, passing, following suit, the moon, this game's own features, and computers."""
    parts: tuple[Callable[[Ruleset, Language], Iterator[RulesPage]], ...] = (
        _goal,
        _passing,
        _following,
        _moon,
        _twins,
        _exposing,
        _multiplier,
        _pack,
        _house,
        _computers,
    )
    dialect = language.of_game(rules.preset.name)
    return [page for part in parts for page in part(rules, dialect)]


def _goal(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    counting, say = rules.counting, language.say
    others = [card for card in counting.scoring if card.suit is not Suit.HEARTS]
    hearts = sorted(
        (card for card in counting.values if card.suit is Suit.HEARTS), key=lambda card: card.rank
    )
    fan = sort_hand((*others, *hearts[-5:]))
    text = [
        say("Everyone plays one card: that's a trick. Its winner takes the points in it."),
        *(
            f"{SIGNS[tone(rules, value)]} {language.full_stop(chipped(words))}"
            for words, value in wording.valued(counting.values, language)
        ),
        f"⚪ {say('No other card counts.')}",
        f"**{language.full_stop(wording.goal(rules, language))}**",
    ]
    if counting.multiplier:
        text.insert(-2, f"✖️ {chipped(wording.multiplying(counting.multiplier, language))}")
    yield RulesPage(
        say("The goal"), "\n".join(text), _cards_picture(fan, N_("Cards that count: {cards}."), language)
    )


def _passing(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    if not rules.pass_cards:
        return
    say, hand = language.say, sort_hand(rules.pack.cards[:: rules.players][: rules.pack.hand_size])
    best_kept = rules.winner is Goal.HIGHEST
    ranked = sorted(range(len(hand)), key=lambda index: hand[index].rank, reverse=not best_kept)
    chosen = frozenset(ranked[: rules.pass_cards])
    if best_kept:
        why = say("Low cards take no points, so most players pass those.")
    else:
        why = say("High cards take tricks, and points with them, so most players pass those.")
    text = "\n".join(
        [
            language.say_count(
                len(hand),
                "Everyone is dealt {count} card and first passes some of them to another player.",
                "Everyone is dealt {count} cards and first passes some of them to another player.",
            ),
            *wording.passing(rules, language),
            language.sentences([say("Tap the cards you don't want, then **Pass**."), why]),
        ]
    )
    picture = _cards_picture(hand, N_("A hand with cards chosen to pass: {cards}."), language, chosen)
    yield RulesPage(say("Passing"), text, picture)


def _following(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    trick = cards("7D TD 5D KH" if rules.players > 3 else "7D TD KH")
    led, *_, free = trick
    worth, say = _trick_worth(rules, trick), language.say
    lines = [
        say(
            "{led} is led, so players with a diamond must play one. "
            "A player with none may play any card: here {card}.",
            led=chip(led),
            card=chip(free),
        ),
        say(
            "The highest diamond takes the trick ({points}), and its player leads the next. "
            "Tap a card to play it. Cards you can't play are greyed out.",
            points=f"{SIGNS[worth.tone]} {worth.text}",
        ),
        *(
            f"- {chipped(line)}"
            for line in (*wording.opening(rules, language), *wording.breaking(rules, language))
        ),
    ]
    yield RulesPage(say("Following suit"), "\n".join(lines), _trick_picture(rules, trick, language))


def _moon(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    counting, say = rules.counting, language.say
    if not counting.moon:
        return
    text = "\n".join(
        [
            say("Take them **all** and the tables turn: that's shooting the moon."),
            *map(chipped, wording.moon(rules, language)),
            say("If anyone else takes even one of them, it's no moon."),
        ]
    )
    picture = _cards_picture(sort_hand(counting.moon), N_("The cards of a moon: {cards}."), language)
    yield RulesPage(say("The moon"), text, picture)


def _twins(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    if rules.duplicates is None:
        return
    trick, say = cards("KD 9D KD QH 4D"), language.say
    sentence = say("There are two copies of every card.")
    if rules.duplicates is Duplicates.CANCEL:
        sentence = say(
            "Both {cancelled} are out, so {card} is the highest diamond left.",
            cancelled=chip(trick[0]),
            card=chip(trick[1]),
        )
    lines = [sentence, *(f"- {line}" for line in wording.twins(rules, language))]
    yield RulesPage(say("Two of a kind"), "\n".join(lines), _trick_picture(rules, trick, language))


def _exposing(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    exposable, counting = rules.preset.exposable, rules.counting
    if not exposable:
        return
    lines = [chipped(wording.exposing(rules, language))]
    for card in exposable:
        if value := counting.values.get(card):
            sentence = language.say(
                "{card} {exposed} instead of {value}.",
                card=chip(card),
                exposed=language.change(value * counting.times(card, (card,))),
                value=language.change(value),
            )
            lines.append(f"{sign(rules, value)} {sentence}")
    lines.append(
        language.say(
            "An exposed card lies in front of you. "
            "You play it when your hand has no card to follow suit with."
        )
    )
    picture = _cards_picture(sort_hand(exposable), N_("Cards that may be exposed: {cards}."), language)
    yield RulesPage(language.say("Exposing"), "\n".join(lines), picture)


def _multiplier(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    multiplier = rules.counting.multiplier
    if not multiplier:
        return
    by_worth = sorted(multiplier.company, key=lambda card: rules.counting.values.get(card, 0))
    own, say = multiplier.card, language.say
    piles: tuple[Hand, ...] = ((by_worth[0], own), (by_worth[-1], own), (own,))
    lines = [chipped(wording.multiplying(multiplier, language)), say("What you get for taking:")]
    for pile in piles:
        [once], [exposed] = (rules.counting.points([pile], exposed_cards) for exposed_cards in ((), (own,)))
        sentence = say(
            "{cards}: {points}, or {exposed} if {card} was exposed.",
            cards=chips(pile),
            points=language.change(once),
            exposed=language.change(exposed),
            card=chip(own),
        )
        lines.append(f"{sign(rules, once)} {sentence}")
    name = language.card(own)
    picture = _cards_picture(sort_hand(piles[0]), N_("The {card} at work: {cards}."), language, card=name)
    # Note: a heading
    yield RulesPage(say("The {card}", card=name), "\n".join(lines), picture)


def _pack(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    pack = rules.pack
    if pack.jokers or pack.kitty_size:
        text = "\n".join(f"- {chipped(line)}" for line in wording.pack(rules, language))
        jokers = _cards_picture(pack.jokers, N_("Jokers: {cards}."), language) if pack.jokers else None
        yield RulesPage(language.say("The pack"), text, jokers)


def _house(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    if house := differences(lengths.usual(rules), language):  # the goal's page has the game's length
        opening = language.say("This table plays some things its own way:")
        lines = [opening, *(f"- {chipped(difference)}" for difference in house)]
        yield RulesPage(language.say("House rules"), "\n".join(lines))


def _computers(rules: Ruleset, language: Language) -> Iterator[RulesPage]:
    say = language.say
    examples = [
        say("{name} {manner}", name=name, manner=say(manner.value))
        for name in COMPUTERS[:2]
        if (manner := manner_of(name))
    ]
    strengths = language.either([say(strength.title) for strength in Strength])
    style = say(
        "All but the easy ones have a playing style: {examples}. "
        "It decides between cards that are about equally good.",
        examples=language.listing(examples),
    )
    lines = [
        say("Computers take the empty seats: {strengths}.", strengths=strengths),
        f"- {say('They see only their own cards and the table, just as you do.')}",
        f"- {style}",
    ]
    yield RulesPage(say("Computers"), "\n".join(lines))


# Pictures: cards side by side, and tricks at seats that say what happens there


def _cards_picture(
    hand: Hand, description: str, language: Language, chosen: frozenset[int] = frozenset(), **values: str
) -> Picture:
    """Cards side by side; `{cards}` in the description names the chosen ones, or all if none is chosen."""
    highlighted = tuple(card for index, card in enumerate(hand) if index in chosen) or hand
    text = language.say(description, cards=language.series(card.symbol for card in highlighted), **values)
    return Picture(FanScene(hand, chosen), text, chips(highlighted))


def _trick_picture(rules: Ruleset, trick: Hand, language: Language) -> Picture:
    """A trick, with each card's part in it by these rules in place of its player's name."""
    twins, winner = cancelled(rules, trick), winning_index(rules, Trick(0, trick))
    places = []
    for index, card in enumerate(trick):
        laid = LaidCard(card, index + 1, is_cancelled=card in twins, is_highest=index == winner)
        name = _part_played(trick, laid, language)
        places.append(SeatScene(name, "", laid, _trick_worth(rules, trick) if laid.is_highest else None))
    played = [(card, place.name) for card, place in zip(trick, places, strict=True)]
    listed = language.clauses([f"{card.symbol} {name}" for card, name in played])
    description = language.say("A trick: {cards}.", cards=listed)
    words = "\n".join(f"{chip(card)} {name}" for card, name in played)
    return Picture(TableScene("", "", tuple(places)), description, words)


def _trick_worth(rules: Ruleset, trick: Hand) -> Score:
    return score(rules, total(rules.counting.entries(trick)))


def _part_played(trick: Hand, laid: LaidCard, language: Language) -> str:
    """What this card does in the trick: `leads`, `follows`, `takes it`."""
    say_as = language.say_as
    if laid.is_highest:
        return say_as("what a card does", "takes it")
    if laid.place == 1:
        return say_as("what a card does", "leads")
    if laid.is_cancelled:
        return say_as("what a card does", "cancels it")
    suit = trick[0].suit
    assert suit is not None
    if laid.card.suit is suit:
        return say_as("what a card does", "follows")
    return language.say("no {suit}", suit=language.suit(suit))
