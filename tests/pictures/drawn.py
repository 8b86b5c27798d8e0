"""Tables, hands and curves to draw."""

from __future__ import annotations

import random
from dataclasses import replace

from bot.scenes import Curve, CurvesScene, FanScene, LaidCard, LastTrick, Place, Score, TableScene, Tone
from engine.cards import CLUB_JOKER, DECK, cards

NAMES = (
    "Ann",
    "Bo Peterson",
    "Wolfgang Amadeus Mozart the Third",
    "Дмитрий",
    "田中さくら",
    "محمد علي",
    "🎉🎉",
    "Nguyễn Thị",
    "👩‍👩‍👧‍👦 Gus 🎉",
    "W" * 32,
)


def table(players: int, laid: int = 0, *, turn: int | None = None) -> TableScene:
    """A table with everything on it that there can be; the first seat leads."""
    deck = random.Random(players).sample(DECK, 52)
    places = tuple(
        Place(
            name=NAMES[seat],
            laid=LaidCard(deck[seat], seat + 1, is_highest=seat == 0) if seat < laid else None,
            score=Score("−100", Tone.BAD) if seat % 2 else None,
            is_turn=seat == turn,
            is_computer=seat % 3 == 2,
        )
        for seat in range(players)
    )
    last = LastTrick(
        tuple(LaidCard(deck[20 + place], place + 1, is_highest=place == 1) for place in range(players)),
        NAMES[2],
        Score("13", Tone.BAD),
    )
    return TableScene("Deal 3 · Trick 7", "Hearts broken", places, last)


def with_place(scene: TableScene, seat: int, changed: Place) -> TableScene:
    """The same table but for what is at one seat."""
    return replace(scene, places=(*scene.places[:seat], changed, *scene.places[seat + 1 :]))


def exposing(scene: TableScene) -> TableScene:
    """The same with all four cards exposed that Chinese Hearts knows, all by one player."""
    return with_place(scene, 1, replace(scene.places[1], exposed=cards("QS JD AH TC")))


def hand(count: int, *chosen: int) -> FanScene:
    """The first cards of two decks and a joker."""
    return FanScene((*DECK, CLUB_JOKER, *DECK)[40 : 40 + count], frozenset(chosen))


def totals(players: int, deals: int, limit: int | None = 100, least: int = 0, most: int = 13) -> CurvesScene:
    """A game by chance, which the first player wins."""
    chance = random.Random(deals)
    curves = []
    for seat in range(players):
        sums = [0]
        for _ in range(deals):
            sums.append(sums[-1] + chance.randint(least, most))
        curves.append(Curve(NAMES[seat], tuple(sums), has_won=seat == 0))
    return CurvesScene(tuple(curves), limit)
