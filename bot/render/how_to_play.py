"""How to play, for somebody who never has: a few pages with pictures, made of the rules that they tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.controls import Learn, LearnPage
from bot.messages import Button, Colour, Part, Picture, Style, Whisper
from bot.render.buttons import pager
from bot.render.text import chip, chipped, chips
from bot.render.tones import SIGNS, score, sign, tone
from bot.scenes import FanScene, LaidCard, Score, SeatScene, TableScene
from engine.cards import Card, Hand, Suit, cards, sort_hand
from engine.languages import ENGLISH
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

#: Told where no table's rules are at hand.
USUAL = Ruleset.for_preset(CLASSIC, CLASSIC.players[0])


@dataclass(frozen=True, slots=True)
class Page:
    """A page: what it is about, and below its picture what there is to say."""

    title: str
    text: str
    picture: Picture | None = None


def learn(table: int, style: Style = Style.PLAIN, game: str | None = None) -> Button:
    """Opens the pages, for the rules of this table; with 0 for the game of this name, or the usual one."""
    return Button("How to play", Learn(table, game), style)


def how_to_play(rules: Ruleset, table: int, number: int, game: str | None = None) -> Whisper:
    """One of the pages (from 0; the last one for any number beyond), with what turns them."""
    found = pages(rules)
    number = min(number, len(found) - 1)
    page = found[number]
    row = pager(number + 1, len(found), lambda to: LearnPage(table, to - 1, game), ENGLISH)
    parts: list[Part] = [f"### {page.title}"]
    if page.picture:
        parts.append(page.picture)
    return Whisper((*parts, page.text, row), Colour.TABLE)


def pages(rules: Ruleset) -> list[Page]:
    """The goal, passing, following suit and the moon; what this game has of its own; and computers."""
    parts: tuple[Callable[[Ruleset], Iterator[Page]], ...] = (
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
    return [page for part in parts for page in part(rules)]


def _goal(rules: Ruleset) -> Iterator[Page]:
    counting = rules.counting
    shown = [card for card in counting.scoring if card.suit is not Suit.HEARTS]
    hearts = sorted((card for card in counting.values if card.suit is Suit.HEARTS), key=_rank)
    fan = sort_hand((*shown, *hearts[-5:]))
    text = [
        "Everyone plays one card: that's a trick. Its winner takes the points in it.",
        *(
            f"{SIGNS[tone(rules, value)]} {chipped(said)}."
            for said, value in wording.valued(counting.values, ENGLISH)
        ),
        "⚪ No other card counts.",
        f"**{wording.goal(rules, ENGLISH)}.**",
    ]
    if counting.multiplier:
        text.insert(-2, f"✖️ {chipped(wording.multiplying(counting.multiplier, ENGLISH))}")
    yield Page("The goal", "\n".join(text), _cards_picture(fan, "Cards that count"))


def _rank(card: Card) -> int:
    return card.rank


def _passing(rules: Ruleset) -> Iterator[Page]:
    if not rules.pass_cards:
        return
    hand = sort_hand(rules.pack.cards[:: rules.players][: rules.pack.hand_size])
    best_kept = rules.winner is Goal.HIGHEST
    ranked = sorted(range(len(hand)), key=lambda index: hand[index].rank, reverse=not best_kept)
    chosen = frozenset(ranked[: rules.pass_cards])
    why = "Low cards take no points" if best_kept else "High cards take tricks, and points with them"
    text = "\n".join(
        [
            f"Everyone is dealt {len(hand)} cards and first passes some of them to another player.",
            *wording.passing(rules, ENGLISH),
            f"Tap the cards you don't want, then **Pass**. {why}, so most players pass those.",
        ]
    )
    yield Page("Passing", text, _cards_picture(hand, "A hand with cards chosen to pass", chosen))


def _following(rules: Ruleset) -> Iterator[Page]:
    trick = cards("7D TD 5D KH" if rules.players > 3 else "7D TD KH")
    led, *_, free = trick
    worth = _trick_worth(rules, trick)
    lines = [
        f"{chip(led)} is led, so players with a diamond must play one. "
        f"A player with none may play any card: here {chip(free)}.",
        f"The highest diamond takes the trick ({SIGNS[worth.tone]} {worth.text}), "
        "and its player leads the next. Tap a card to play it. Cards you can't play are greyed out.",
        *(
            f"- {chipped(line)}"
            for line in (*wording.opening(rules, ENGLISH), *wording.breaking(rules, ENGLISH))
        ),
    ]
    yield Page("Following suit", "\n".join(lines), _trick_picture(rules, trick))


def _moon(rules: Ruleset) -> Iterator[Page]:
    counting = rules.counting
    if not counting.moon:
        return
    text = "\n".join(
        [
            "Take them **all** and the tables turn: that's shooting the moon.",
            *map(chipped, wording.moon(rules, ENGLISH)),
            "If anyone else takes even one of them, it's no moon.",
        ]
    )
    yield Page("The moon", text, _cards_picture(sort_hand(counting.moon), "The cards of a moon"))


def _twins(rules: Ruleset) -> Iterator[Page]:
    if rules.duplicates is None:
        return
    trick = cards("KD 9D KD QH 4D")
    lines = ["There are two copies of every card."]
    if rules.duplicates is Duplicates.CANCEL:
        lines = [f"Both {chip(trick[0])} are out, so {chip(trick[1])} is the highest diamond left."]
    lines += [f"- {line}" for line in wording.twins(rules, ENGLISH)]
    yield Page("Two of a kind", "\n".join(lines), _trick_picture(rules, trick))


def _exposing(rules: Ruleset) -> Iterator[Page]:
    exposable, counting = rules.preset.exposable, rules.counting
    if not exposable:
        return
    examples = [
        f"{sign(rules, value)} {chip(card)} {ENGLISH.change(value * counting.times(card, (card,)))} "
        f"instead of {ENGLISH.change(value)}."
        for card in exposable
        if (value := counting.values.get(card))
    ]
    lines = [
        chipped(wording.exposing(rules, ENGLISH)),
        *examples,
        "An exposed card lies in front of you. You play it when your hand has no card to follow suit with.",
    ]
    yield Page(
        "Exposing", "\n".join(lines), _cards_picture(sort_hand(exposable), "Cards that may be exposed")
    )


def _multiplier(rules: Ruleset) -> Iterator[Page]:
    multiplier = rules.counting.multiplier
    if not multiplier:
        return
    by_worth = sorted(multiplier.company, key=lambda card: rules.counting.values.get(card, 0))
    own = multiplier.card
    piles: tuple[Hand, ...] = ((by_worth[0], own), (by_worth[-1], own), (own,))
    lines = [chipped(wording.multiplying(multiplier, ENGLISH)), "What you get for taking:"]
    for pile in piles:
        [once], [exposed] = (rules.counting.points([pile], shown) for shown in ((), (own,)))
        worth = f"{ENGLISH.change(once)}, or {ENGLISH.change(exposed)} if {chip(own)} was exposed"
        lines.append(f"{sign(rules, once)} {chips(pile)}: {worth}.")
    title, picture = f"The {own.title}", _cards_picture(sort_hand(piles[0]), f"The {own.title} at work")
    yield Page(title, "\n".join(lines), picture)


def _pack(rules: Ruleset) -> Iterator[Page]:
    pack = rules.pack
    if pack.jokers or pack.kitty_size:
        text = "\n".join(f"- {chipped(line)}" for line in wording.pack(rules, ENGLISH))
        yield Page("The pack", text, _cards_picture(pack.jokers, "Jokers") if pack.jokers else None)


def _house(rules: Ruleset) -> Iterator[Page]:
    if house := differences(lengths.usual(rules), ENGLISH):  # its end is told with the goal
        lines = "\n".join(f"- {chipped(one)}" for one in house)
        yield Page("House rules", f"This table plays some things its own way:\n{lines}")


def _computers(rules: Ruleset) -> Iterator[Page]:
    known = [f"{name} {manner.value}" for name in COMPUTERS[:2] if (manner := manner_of(name))]
    lines = [
        f"Computers take the empty seats: {ENGLISH.either(strength.title for strength in Strength)}.",
        "- They see only their own cards and the table, just as you do.",
        f"- All but the easy ones have a playing style: {ENGLISH.listing(known)}. "
        "It decides between cards that are about equally good.",
    ]
    yield Page("Computers", "\n".join(lines))


# Pictures: cards side by side, and tricks at seats that say what happens there


def _cards_picture(hand: Hand, what: str, chosen: frozenset[int] = frozenset()) -> Picture:
    """Cards side by side, those that are chosen standing out."""
    out = tuple(card for index, card in enumerate(hand) if index in chosen) or hand
    return Picture(FanScene(hand, chosen), f"{what}: {', '.join(card.symbol for card in out)}.", chips(out))


def _trick_picture(rules: Ruleset, trick: Hand) -> Picture:
    """A trick as these rules judge it."""
    twins, winner = cancelled(rules, trick), winning_index(rules, Trick(0, trick))
    places = []
    for index, card in enumerate(trick):
        laid = LaidCard(card, index + 1, is_cancelled=card in twins, is_highest=index == winner)
        name = _part_played(trick, laid)
        places.append(SeatScene(name, "", laid, _trick_worth(rules, trick) if laid.is_highest else None))
    told = [(card, place.name) for card, place in zip(trick, places, strict=True)]
    description = f"A trick: {'; '.join(f'{card.symbol} {name}' for card, name in told)}."
    words = "\n".join(f"{chip(card)} {name}" for card, name in told)
    return Picture(TableScene("", "", tuple(places)), description, words)


def _trick_worth(rules: Ruleset, trick: Hand) -> Score:
    """What this trick brings its taker."""
    return score(rules, total(rules.counting.entries(trick)))


def _part_played(trick: Hand, laid: LaidCard) -> str:
    if laid.is_highest:
        return "takes it"
    if laid.place == 1:
        return "leads"
    if laid.is_cancelled:
        return "cancels it"
    suit = trick[0].suit
    assert suit is not None
    return "follows" if laid.card.suit is suit else f"no {suit.title}"
