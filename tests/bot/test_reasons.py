"""Each reason that a hint can give, in a position of which it is true."""

import re
from dataclasses import replace
from typing import Any

import pytest
from games import NAMES
from hypothesis import given
from hypothesis import strategies as st
from moments import table_of
from seating import dealt, my_view, playing, rules

from bot.table.hints import hint
from engine.play.deal import Phase
from engine.play.game import Game
from engine.players.advice import HINT, Advice, Option
from engine.tables import Seat, Seats

CLASSIC, CHINESE = rules("classic", 4), rules("chinese", 4)
WITH_JACK = rules("classic", 4, jack_of_diamonds=True)
#: All that a moon takes but three hearts.
NEARLY_A_MOON = "QS 5H 6H 7H 8H 9H TH JH QH"
OFTEN = r"(?:hardly ever|sometimes|often|usually|nearly always)"


def told(game: Game, advice: Advice | None = None) -> str:
    """The hint to Ann among computers, in plain letters, without what is printed small."""
    return whole(game, advice).partition("\n")[0]


def whole(game: Game, advice: Advice | None = None) -> str:
    """The same with what is printed small."""
    from engine.players.strong import advise

    view = my_view(game)
    seats = Seats(Seat(None if number else 1, name) for number, name in enumerate(NAMES[:4]))
    table = replace(table_of(game), seats=seats)
    found = advice or advise(view, HINT, seed=1, skills=table.seats.skills)
    text = hint(table.public, view, found)
    return re.sub(r"[*`\ufe0e]", "", text)


#: A position, and how the hint begins, which gives its reason.
REASONS = [
    (playing(CLASSIC, "AS 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S"), rf"Play [37]♠: A♠ {OFTEN} catches Q♠\."),
    (
        playing(CLASSIC, "AS 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S 6S 8S"),
        r"Play A♠: there are hardly any points in this trick, so use a high card while it's cheap\.",
    ),
    (
        playing(CLASSIC, "QS 5S 9D 4D 8C 3C 6H 4H", "TS AS 3S"),
        r"Play Q♠: A♠ already beats it, so you won't take Q♠\.",
    ),
    (
        playing(CLASSIC, "AH KH QS 2S 9S AD", "5C 7C"),
        r"Play Q♠: you have no clubs, so someone else takes Q♠\.",
    ),
    (
        playing(CLASSIC, "AS 2D 3D 9H 4H 7H", "5C 7C"),
        r"Play A♠: you have no clubs, so this is a chance to get rid of A♠ before it catches Q♠\.",
    ),
    (
        playing(CLASSIC, "KH 2H 3S", "QC 7C", taken={1: "QS AS KS"}),
        r"Play K♥: you have no clubs, so someone else takes K♥ and what it counts\.",
    ),
    (
        playing(CLASSIC, "JD 9S 8S 3S", "5C 9C", taken={1: "QS AS KS"}),
        r"Play J♦: you have no clubs, and J♦ is your last of its suit, so you can discard .+ too\.",
    ),
    (
        playing(CLASSIC, "AH 4H 5C 6C", "2H 3H KH", taken={3: NEARLY_A_MOON}),
        r"Play A♥: Di may be shooting the moon, and A♥ makes it harder than 4♥\.",
    ),
    (
        playing(WITH_JACK, "QD 3D 5C 6C", "2D JD 4D"),
        r"Play Q♦: the trick is worth having, as it takes 10 points off you on average\.",
    ),
    (
        playing(CHINESE, "QD 3D 5C 6C", "2D JD 4D"),
        r"Play Q♦: the trick is worth having, as it brings you 100 points on average\.",
    ),
    (
        playing(CLASSIC, "KH 9H 5C 6C 7D", "4H 3H 2H"),
        r"Play K♥: you take this trick whatever you play, so use your highest",
    ),
    (
        playing(CLASSIC, "6S 2S 3D 5D 9D JD 9C 8C 7C JH TH 8H"),
        r"Play 6♠: leading this suit may draw out Q♠, and you hold none that would catch it\.",
    ),
    (
        playing(CLASSIC, "7D 5S 4S TC 9H JH", taken={1: "QS"}),
        r"Play (7♦|10♣): it's your last of its suit; when that is led again, you can throw away what hurts\.",
    ),
    (
        playing(CLASSIC, "8D 5C 9C 6H 7H 2H"),
        r"Play 2♥: someone will usually play higher; you hardly ever take the trick\.",
    ),
    (playing(CLASSIC, "2D 3C"), r"Play 2♦: whatever you play, it comes to about the same\."),
    (
        playing(CLASSIC, "KC QC JC TC 3D", "4C 2C 3H"),
        r"Play K♣, Q♣, J♣ or 10♣: it makes no difference here\.",
    ),
    (playing(CLASSIC, "QH TH 4S 5S 2D", "4H", taken={1: "QS"}), r"Play 10♥: it's a close choice\."),
    (
        dealt(CLASSIC, "QS 3S 4C 8C TC KC 2D 6D 9D 3H 5H 6H 8H"),
        r"Pass .*Q♠: only one lower card of its suit would guard Q♠",
    ),
    (
        dealt(CLASSIC, "QS 2S 9S 5S 3S 4S 4D 2C 3C 3D AD AC KC"),
        r"Pass .+: Q♠ is safe behind five lower cards of its suit; you .*take it",
    ),
    (
        dealt(CLASSIC, "AS KS 2C 5C 6C 9C 2D 3D 8D 2H 3H 5H 7H"),
        r"Pass .*K♠ A♠: K♠ and A♠ could catch Q♠, and without spades you can throw away what hurts",
    ),
    (dealt(CLASSIC, "2S 5S 8S TS 4C JC AC 5D QD KD 3H 9H QH"), r"Pass (.+): \1 win tricks you don't want\."),
    (
        dealt(CLASSIC, "AS KS QS JS AH KH QH JH TH 9H 8H 3D 4C"),
        r"Pass .+: the cards you keep win tricks; you may well shoot the moon, though",
    ),
    (
        dealt(CHINESE, "QS AS KS JS 2D 3D JD AD KD 5C 6C TH JH"),
        r"Expose J♦: with J♦ exposed you score about \d+ points in this deal, with nothing exposed ",
    ),
    (
        dealt(CHINESE, "QS AS 3C 4C 5C 6C 7C 9C 9D 8D 7D 6D 5D"),
        r"Expose nothing: with nothing exposed you score about −?\d+ points in this deal, with .♠ exposed",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "words"), REASONS)
def test_the_reason_is_true_of_the_position(game: Game, words: str) -> None:
    assert re.match(f"💡 {words}", told(game)), told(game)


def option(codes: str, points: float, **found: Any) -> Option:
    """What was found about these cards: how many points the deal comes to, where the fewest are best."""
    catches = tuple((CLASSIC.pack.faces[code], found.pop(code)) for code in list(found) if len(code) == 2)
    cards = tuple(CLASSIC.pack.faces[code] for code in codes.split())
    return Option(cards, points, 0.1, found.pop("merit", -points), 0.1, catches=catches, worlds=100, **found)


FOUND = [
    (
        playing(CLASSIC, "AS 5S 9D 4D", "TS QS"),
        (option("5S", 3), option("AS", 16, takes=0.99, costs=13, QS=0.99)),
        "Play 5♠: Q♠ is in this trick, so leave it to someone else.",
    ),
    (
        playing(CLASSIC, "QC 8C 5C 9D", "3C JH"),
        (option("QC", 4.4, takes=0.8, costs=1.4), option("5C", 5.2), option("8C", 6.4, takes=0.3)),
        "Play Q♣: Q♣ will win a trick sooner or later, and it costs you less now.",
    ),
    (
        playing(WITH_JACK, "QC 8C 5C 9D", "3C JD"),
        (option("QC", 4.4, takes=0.8, costs=-0.8), option("5C", 5.2), option("8C", 6.4, takes=0.3)),
        "Play Q♣: with Q♣ you score about 4.4 points in this deal, with 5♣ 5.2.",
    ),
    (
        playing(CLASSIC, "AC KC 9D AH"),
        (option("AC", 9, moon=0.61), option("AH", 12, moon=0.4), option("9D", 15, moon=0.1)),
        "Play A♣: you may well shoot the moon, though the others can still stop it, "
        "and with A♥ it would be less likely.",
    ),
    (
        playing(CLASSIC, "AC KC 9D AH"),
        (option("AC", 9, moon=0.61), option("AH", 9.1, moon=0.6)),
        "Play A♣: whatever you play, it comes to about the same; "
        "you may well shoot the moon, though the others can still stop it.",
    ),
    (
        playing(CHINESE, "AC KC 9D AH"),
        (option("AC", -900, moon=0.97, sun=0.96, merit=900), option("9D", -100, moon=0.1)),
        "Play A♣: you nearly always shoot the sun, and with 9♦ it would be less likely.",
    ),
    (
        playing(CLASSIC, "AC KC 9D AH"),
        (option("AC", 9, moon=0.3), option("9D", 15, moon=0.25)),
        "Play A♣: the moon is possible, though the others will often stop it.",
    ),
    (
        playing(CLASSIC, "AC KC 9D AH", taken={2: "2H 3H"}),
        (option("9D", 6, rivals=(0, 0, 0.2, 0)), option("AC", 9, rivals=(0, 0, 0.4, 0))),
        "Play 9♦: Cy may be shooting the moon, and 9♦ makes it harder than A♣.",
    ),
    (
        playing(CLASSIC, "KC 5C 9D", "QC 3C", taken={2: "2H 3H"}),
        (option("5C", 4.4, rivals=(0, 0, 0.2, 0)), option("KC", 6.2, takes=0.9, rivals=(0, 0, 0.2, 0))),
        "Play 5♣: Cy may be shooting the moon; it's below Q♣, so someone else wins the trick.",
    ),
    (
        playing(CLASSIC, "KD 9D 4C 8H 2S"),
        (option("9D", 4.2, takes=0.6), option("4C", 4.3), option("8H", 4.1, merit=-4.3), option("2S", 9)),
        "Play 9♦: with 9♦ you score about 4.2 points in this deal, with 2♠ 9.0. 4♣ and 8♥ are about as good.",
    ),
    (
        playing(CLASSIC, "KC 5C 9D 4C", "QC 3C"),
        (option("5C", 4.4), option("4C", 5.5), option("KC", 3.4, takes=0.9, merit=-9)),
        "Play 5♣: it's your highest below Q♣, so you don't win the trick, and you keep a small one. "
        "It may cost you more points than K♣, but it hurts the others more than you.",
    ),
    (
        playing(CLASSIC, "KD 9D 4C 8H"),
        (option("9D", 4.2, takes=0.6, costs=2, merit=3), option("4C", 4.0, takes=0.1)),
        "Play 9♦: it may cost you more points than 4♣, but it hurts the others more than you.",
    ),
    (  # of several cards that hurt the dearest is named, in whatever order they are gone through
        playing(rules("classic", 4, spot_hearts=True), "2H 3D 4C 5S"),
        (option("2H", 3.0), option("3D", 9.0)),
        "Play 2♥: leading this suit may draw out A♥, and you hold none that would catch it.",
    ),
]


@pytest.mark.parametrize(("game", "options", "words"), FOUND)
def test_the_reason_is_true_of_what_was_found(game: Game, options: tuple[Option, ...], words: str) -> None:
    assert told(game, Advice(Phase.PLAYING, options, 100)) == f"💡 {words}"


def figures(game: Game, *options: Option) -> str:
    """The points that the hint tells of these options."""
    return whole(game, Advice(Phase.PLAYING, options, 100)).rpartition("on average: ")[2]


def test_what_is_about_as_good_has_one_figure() -> None:
    game = playing(CLASSIC, "KD 9D 4C 8H")
    assert figures(game, option("9D", 3.4), option("4C", 3.3, merit=-3.5), option("8H", 6.1)) == (
        "9♦ or 4♣ 3.4 · 8♥ 6.1."
    )
    assert figures(game, option("9D", 3.4), option("8H", 6.1), option("4C", 6.2)) == (
        "9♦ 3.4 · 8♥ 6.1 · 4♣ 6.2."
    )


@given(st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30), st.floats(0, 1)), min_size=2, max_size=4))
def test_no_figure_speaks_for_another_card_unless_the_hint_says_why(found: list[Any]) -> None:
    """A card whose points are better is about as good, or the hint says what speaks against it."""
    game, cards = playing(CLASSIC, "KD 9D 4C 8H"), ["KD", "9D", "4C", "8H"]
    options = sorted(
        (
            replace(option(code, points, merit=merit), margin=margin)
            for code, (points, merit, margin) in zip(cards, found, strict=False)
        ),
        key=lambda one: -one.merit,
    )
    first, small = whole(game, Advice(Phase.PLAYING, tuple(options), 100)).split("\n")
    best, *others = [
        part.rpartition(" ") for part in small.rpartition(": ")[2].removesuffix(".").split(" · ")
    ]
    told_why = ("about as good", "hurts the others more")
    for _, _, points in others:
        if float(points.replace("−", "-")) < float(best[2].replace("−", "-")):
            assert any(why in first for why in told_why)
