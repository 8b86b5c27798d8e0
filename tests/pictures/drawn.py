"""Tables, hands and curves to draw."""

import random
from dataclasses import replace
from typing import Any

from bot.pictures import draw
from bot.vocabulary.scenes import (
    Curve,
    CurvesScene,
    DealAgainstPar,
    FanScene,
    FeatScene,
    HandsScene,
    LaidCard,
    LastTrick,
    LuckLine,
    LuckScene,
    OpenHand,
    ParScene,
    PlayerAgainstPar,
    PodiumScene,
    PodiumStep,
    RatingScene,
    Scene,
    Score,
    SeatScene,
    StandingLine,
    StandingsScene,
    TableScene,
    TableWords,
    Tone,
)
from engine.cards import CLUB_JOKER, DECK, WILD_JOKER, cards, sort_hand
from engine.play.feats import FeatKind

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
WORDS = TableWords("Last trick", "On hold", "suits × 2")


def differ(*scenes: Scene) -> None:
    """Check that no two of these scenes have the same picture."""
    assert len(set(map(draw, scenes))) == len(scenes)


def table(players: int, laid: int = 0, *, turn: int | None = None) -> TableScene:
    """A table in the middle of a deal; the first seat leads."""
    deck = random.Random(players).sample((*DECK, CLUB_JOKER, WILD_JOKER), 54)
    places = tuple(
        SeatScene(
            name=NAMES[seat],
            seat=f"Seat {seat + 1}",
            laid=LaidCard(deck[seat], seat + 1, is_highest=seat == 0) if seat < laid else None,
            score=Score("−100", Tone.BAD) if seat % 2 else None,
            is_turn=seat == turn,
            is_computer=seat % 3 == 2,
        )
        for seat in range(players)
    )
    last = LastTrick(
        tuple(LaidCard(deck[20 + place], place + 1, is_highest=place == 1) for place in range(players)),
        2,
        Score("13", Tone.BAD),
    )
    return TableScene("Deal 3 · Trick 7", "Hearts broken", places, last, words=WORDS)


def with_place(scene: TableScene, seat: int, **changed: Any) -> TableScene:
    """The same table but for these things at one seat."""
    place = replace(scene.places[seat], **changed)
    return replace(scene, places=(*scene.places[:seat], place, *scene.places[seat + 1 :]))


def crowded(players: int, longest: str = NAMES[-1]) -> TableScene:
    """A table with more on it than there can be: all names long, all four cards exposed by everybody."""
    scene = table(players, players, turn=0)
    chinese = players <= 6
    exposed, most = cards("QS JD AH TC") if chinese else (), Score("−100" if chinese else "52", Tone.BAD)
    places = tuple(
        replace(place, name=longest, score=most, exposed=exposed, is_computer=True) for place in scene.places
    )
    return replace(scene, places=places, on_hold=(*DECK[:20], *DECK[:20]))


def hand(count: int, *chosen: int) -> FanScene:
    """Some cards of two decks with a joker among them."""
    return FanScene((*DECK, CLUB_JOKER, *DECK)[40 : 40 + count], frozenset(chosen))


def open_hands(players: int, room: int, below: TableScene | None = None) -> HandsScene:
    """Everybody's cards of two decks in the middle of a deal, every third one gone."""
    pack = random.Random(room).sample((*DECK, *DECK, WILD_JOKER), players * room)
    hands = [
        OpenHand(
            name=NAMES[seat],
            seat=f"Seat {seat + 1}",
            cards=sort_hand(pack[seat * room : (seat + 1) * room]),
            lit=frozenset({0, 1}) if seat % 2 else frozenset(),
            gone=frozenset(range(2, room, 3)),
            score=Score("−100", Tone.BAD) if seat % 2 else None,
            is_computer=seat % 3 == 2,
        )
        for seat in range(players)
    ]
    return HandsScene(tuple(hands), room, below)


def totals(players: int, deals: int, limit: int | None = 100, least: int = 0, most: int = 13) -> CurvesScene:
    """A game by chance, which the first player wins."""
    chance = random.Random(deals)
    curves = []
    for seat in range(players):
        sums = [0]
        for _ in range(deals):
            sums.append(sums[-1] + chance.randint(least, most))
        curves.append(Curve(NAMES[seat], f"Seat {seat + 1}", tuple(sums), has_won=seat == 0))
    end = "" if limit is None else f"ends at {limit}"
    return CurvesScene(tuple(curves), () if limit is None else (limit,), "Totals after each deal", end)


def rating(games: int, *, every: int = 1, start: int = 1000) -> RatingScene:
    """A rating that goes up and down by chance, told after every so many games."""
    chance = random.Random(games)
    steps = [chance.randint(-30, 34) for _ in range(games)]
    ratings = tuple((game, start + sum(steps[:game])) for game in range(every, games + 1, every))
    return RatingScene("Rating after each game", ratings)


def feat(kind: FeatKind, name: str = NAMES[0]) -> FeatScene:
    """What was special about a deal, with long words."""
    return FeatScene(kind, name, "Seat 1", "nearly shot the moon", "−13, and +13 for everyone else")


def pars(players: int, deals: int, *, least: int = 0, most: int = 26, unknown: int | None = None) -> ParScene:
    """A game by chance against par, which the first player wins; the par of one deal may be unknown."""
    chance = random.Random(players * 100 + deals)
    found = []
    for seat in range(players):
        against = []
        for deal in range(1, deals + 1):
            points, par = chance.randint(least, most), chance.uniform(least, most)
            tone = Tone.PLAIN if deal == unknown else Tone.GOOD if points < par else Tone.BAD
            against.append(DealAgainstPar(points, None if deal == unknown else par, tone))
        told, gain = "−1234 points, par −1234.5", Score("▼ 1234.5", Tone.BAD)
        one = PlayerAgainstPar(NAMES[seat], f"Seat {seat + 1}", tuple(against), told, gain, seat == 0)
        found.append(one)
    return ParScene(tuple(found), "Points against par, deal by deal", ("par", "better than par", "worse"))


def standings(players: int) -> StandingsScene:
    """A tournament's standings with any names."""
    lines = []
    for number in range(players):
        value = 20.0 - 7 * number
        score = Score(f"{value:+}", Tone.GOOD if value > 0 else Tone.BAD)
        name = NAMES[number % len(NAMES)]
        lines.append(StandingLine(number + 1, name, f"Player {number + 1}", value, score, number % 2 == 1))
    return StandingsScene("Standings", "Round 2 of 3", tuple(lines), "worse than par", "better than par")


def podium() -> PodiumScene:
    """The podium of a tournament in which two share the second place."""
    steps = [
        PodiumStep(place, NAMES[place], f"Player {number}", "+12.5") for number, place in enumerate((1, 2, 2))
    ]
    return PodiumScene("Friday Hearts", "16 players", tuple(steps))


def luck(players: int) -> LuckScene:
    """What was luck in it."""
    lines = [
        LuckLine(NAMES[number], f"Player {number + 1}", 5.0 - number, number - 2.0, "+5", "−2")
        for number in range(players)
    ]
    return LuckScene("What was luck?", tuple(lines), "what the cards gave", "what they made of it")
