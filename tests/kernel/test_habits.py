"""What a quick player does while a deal is played out, a habit at a time, where chance has no say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from encoded import encoded, faces
from seating import playing, rules

from engine.kernel.chance import random_state
from engine.kernel.habits import BY_CHANCE, MoonThreat, Policy, Roles, choose, find_moon
from engine.kernel.rules import legal
from engine.numbers.appeal import TOO_LATE
from engine.numbers.rows import NONE
from engine.rules.ruleset import Ruleset

CLASSIC, TWO_DECKS = rules("classic", 4), rules("double-deck", 6)
JOKERS, UNSAFE = rules("wikibooks", 3, remainder="jokers"), rules("classic", 4, safe_first_trick="off")
JACK = rules("classic", 4, jack_of_diamonds=True)
#: Points are good, and the jack costs some.
HIGHEST = rules("cancellation", 5, jack_of_diamonds=True)
GONE: dict[str, Any] = {"out": "4H 5H 6H"}  # the queen, and much else
BY_HABIT, NO_MOON = Roles(), MoonThreat(NONE, NONE, NONE, NONE, 0)
STEADY = Policy(whim=0.0, unsure=0.0, bold=0.0, early_grab=0.0, high_prize_lead=0.0)
FIRST = "3C AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD"
FEW = "2D 3D 4D 6D JD QD AC AH AS"  # are out: most diamonds are gone, and so is the queen


def plays(
    of: Ruleset,
    held: str,
    trick: str = "",
    *,
    roles: Roles = BY_HABIT,
    moon: MoonThreat = NO_MOON,
    state: int = 1,
    policy: dict[str, Any] | Policy = STEADY,
    **others: Any,
) -> str:
    """The card that seat 0 plays from these; `others` says where the rest lies, as in `seating.playing`."""
    [deal] = playing(of, held, trick, **others).deals
    laws, position = encoded(deal)
    rows = np.zeros(5, np.int64)
    legal(laws, position, rows)
    assert set(faces(laws, rows)) == set(deal.legal(0))
    weights = STEADY._replace(**policy) if isinstance(policy, dict) else policy
    return laws.face(choose(laws, weights, roles, moon, position, rows, random_state(state))).code


SHOOTING: dict[str, Any] = {"moon": NO_MOON._replace(shooter=0)}


def against(shooter: int) -> dict[str, Any]:
    """All fear that this seat shoots the moon."""
    return {"moon": NO_MOON._replace(shooter=shooter, feared=shooter)}


HABITS = {
    # leads
    "low, where many are higher": (CLASSIC, "3D KD 7C", "", {}, "3D"),
    "no card that would catch the queen": (CLASSIC, "KS 9D", "", {"out": "QS AS 2D 3D"}, "9D"),
    "such a card once she is gone": (CLASSIC, "KS 9D", "", {"out": "TS AS 2D 3D"}, "KS"),
    "no queen": (CLASSIC, "QS 9D", "", {"out": "KS AS 2D 3D"}, "9D"),
    "no card that is good to have": (JACK, "JD 9C", "", {"out": "QD KD AD 2C 3C"}, "9C"),
    "no suit that nobody else has": (CLASSIC, "2C 9D", "", {"out": "2D 3D 4D"}, "9D"),
    "a suit in which the queen may fall": (CLASSIC, "5S 5D", "", {"out": "QS 6S 2S 6D 7D 2D"}, "5S"),
    "no suit with one's own of two queens": (TWO_DECKS, "QS 4S 5D", "", {"out": "QS 5S 6S 6D 7D 2D"}, "5D"),
    "a low card where points are good": (HIGHEST, "3D KD", "", {}, "3D"),
    "a high one to collect them": (HIGHEST, "3D KD", "", {"policy": {"high_prize_lead": 1.0}}, "KD"),
    # follows with
    "the queen under the king": (CLASSIC, "QS 2S", "KS", {}, "QS"),
    "nothing that she or what would catch her is": (CLASSIC, "QS KS 5S", "2S 3S", {}, "5S"),
    "neither, though nobody can beat it": (CLASSIC, "QS KS 5S", "2S 3S", {"out": "4S 2D"}, "5S"),
    "no high spade while she is out, although all have many": (CLASSIC, "JS 8S", "9S", {}, "8S"),
    "the king as the last to a trick without her": (CLASSIC, "KS 5S", "2S 3S 4S", {}, "KS"),
    "the king, once she is gone": (CLASSIC, "KS 5S", "3S", {"out": "2S"}, "KS"),
    "the jack as the last, if it takes the trick": (JACK, "JD AD", "2D 3D 4D", {}, "JD"),
    "no jack for another": (JACK, "JD 4D", "2D 3D QD", {}, "4D"),
    "no jack that would take hearts": (JACK, "JD AD", "2D 3D 5H", {}, "AD"),
    "no jack before others have played": (JACK, "JD AD", "2D 3D", {"out": "QD 4C"}, "AD"),
    "a high card while all have many": (CLASSIC, "8D 5D AD", "9D", {}, "AD"),
    "else the highest that does not win": (CLASSIC, "8D 5D AD", "9D", {"out": FEW}, "8D"),
    "no high heart although all have many": (CLASSIC, "8H AH", "9H", {}, "8H"),
    "the highest as the last, if it costs nothing": (CLASSIC, "8D KD", "9D 3D 2D", {}, "KD"),
    "none that wins points": (CLASSIC, "8D KD", "9D 3D 5H", {}, "8D"),
    "who must win points as the last, the highest": (CLASSIC, "TD KD", "9D 3D 5H", {}, "KD"),
    "none that may win points, although all have many": (CLASSIC, "8D AD", "9D 5H", {}, "8D"),
    "who must win for now, low": (CLASSIC, "TD AD", "9D", {"out": FEW}, "TD"),
    "who must win for now, low, although all have many": (CLASSIC, "TD AD", "9D", {}, "TD"),
    "a joker in place of a card that wins points": (JOKERS, "AD JK", "9D 5H", {}, "JK"),
    "no joker where it would save nothing": (JOKERS, "TD JK", "9D 2D", {}, "TD"),
    "who is bold and must win, high": (CLASSIC, "TD AD", "9D", {"out": FEW, "policy": {"bold": 1.0}}, "AD"),
    "what nobody can beat, high": (CLASSIC, "KD AD", "9D", {"out": FEW}, "AD"),
    "high in a safe first trick": (CLASSIC, FIRST, "2C", {"opened": False}, "AC"),
    "high in a first trick of any cards": (UNSAFE, FIRST, "2C", {"opened": False}, "AC"),
    "a trick with the jack, though it costs a heart": (JACK, "QD 2D", "JD 3D", {}, "QD"),
    "points where they are good, high": (HIGHEST, "KH TH 5H", "9H", {}, "KH"),
    "points as the last, as low as will do": (HIGHEST, "KH TH 5H", "9H 2H 3H 4H", {}, "TH"),
    "who cannot win points, low": (HIGHEST, "KH 5H", "AH", {}, "5H"),
    "nothing where there are none": (HIGHEST, "KC 5C", "9C", {}, "5C"),
    "a trick that may bring some": (HIGHEST, "KC 5C", "9C", {"policy": {"early_grab": 1.0}}, "KC"),
    "no trick that costs some": (HIGHEST, "KD 5D", "JD", {"policy": {"early_grab": 1.0}}, "5D"),
    "none that cannot bring any": (HIGHEST, "KC 5C", "9C 2C 3C 4C", {"policy": {"early_grab": 1.0}}, "5C"),
    "no good card to another": (HIGHEST, "QS KS", "AS", {}, "KS"),
    # discards
    "the queen first": (CLASSIC, "QS AH AS", "2D", {}, "QS"),
    "then what would catch her": (CLASSIC, "AS AH KC", "2D", {}, "AS"),
    "a heart before a higher card": (CLASSIC, "QH AC", "2D", GONE, "QH"),
    "a much higher card before a heart": (CLASSIC, "8H KC", "2D", GONE, "KC"),
    "no heart that weighs no more": (CLASSIC, "QH AC", "2D", GONE | {"policy": {"heart_first": 0.0}}, "AC"),
    "from a suit that no low card guards": (CLASSIC, "KC 3C JS", "2D", GONE, "JS"),
    "no five's high card": (CLASSIC, "KC 5C JS", "2D", GONE, "JS"),
    "a five that guards nothing": (CLASSIC, "5C 7S 3S", "2D", GONE, "5C"),
    "the high card of two that guard nothing": (CLASSIC, "KC 6C JS", "2D", GONE, "KC"),
    "nothing that is good to have": (JACK, "JD 5C", "2S", GONE, "5C"),
    "a heart before the ace of spades once she is gone": (CLASSIC, "AS KH", "2D", GONE, "KH"),
    "whatever comes first where points are good": (HIGHEST, "3C KD", "2S", {}, "3C"),
    "no good queen": (HIGHEST, "QS KS", "2D", {}, "KS"),
    "nothing that counts where points are good": (HIGHEST, "AH 5C", "2D", {}, "5C"),
    "what costs some where points are good": (HIGHEST, "JD 5C AH", "2S", {}, "JD"),
    # shoots the moon with
    "what nobody can beat": (CLASSIC, "AD 5C 6C 7C", "", SHOOTING, "AD"),
    "else from the longest suit": (CLASSIC, "QD 5C 7C", "", SHOOTING, "7C"),
    "high to win": (CLASSIC, "KD TD 5D", "9D", SHOOTING, "KD"),
    "as the last as low as will do": (CLASSIC, "KD TD 5D", "9D 2D 3D", SHOOTING, "TD"),
    "none of the moon's cards to another": (CLASSIC, "QS KS", "AS", SHOOTING, "KS"),
    "none of them in another suit": (CLASSIC, "QS KS", "2D", SHOOTING, "KS"),
    # stops a moon with
    "the trick taken": (CLASSIC, "AD 5D", "9D", against(3) | {"out": FEW}, "AD"),
    "where that cannot be, the usual": (CLASSIC, "QD 5D", "KD", against(3) | {"out": "2D 3D"}, "QD"),
    "none of the moon's cards": (CLASSIC, "QS KS AH", "9D", against(3), "KS"),
    "the usual where another takes it": (CLASSIC, "QS AH 5C", "9D KD", against(2), "QS"),
    "the usual where a moon is no harm": (HIGHEST, "JD 5C AH", "2S", against(4), "JD"),
}


@pytest.mark.parametrize(("of", "held", "trick", "others", "played"), HABITS.values(), ids=HABITS.keys())
def test_a_player_of_habit_plays(
    of: Ruleset, held: str, trick: str, others: dict[str, Any], played: str
) -> None:
    assert plays(of, held, trick, **others) == played


def seen(taken: dict[int, str], aim: int = NONE) -> MoonThreat:
    """What a moon looks like where these cards have been taken, and two of its cards are feared."""
    [deal] = playing(CLASSIC, "2D 3D 4D", taken=taken).deals
    return find_moon(*encoded(deal), aim, 2)


def test_a_seat_shoots_on_once_all_others_fear_it() -> None:
    assert seen({}) == NO_MOON
    assert seen({1: "2H"}) == NO_MOON._replace(holder=1, taken=1)
    assert seen({1: "2H 3H"}) == MoonThreat(NONE, shooter=1, feared=1, holder=1, taken=2)
    assert seen({1: "2H 3H 4H 5H 6H 7H 8H"}).taken == 7
    assert seen({1: "2H 3H", 2: "4H"}) == NO_MOON._replace(holder=TOO_LATE)


def test_who_aims_goes_on_until_another_has_one_of_the_moons_cards() -> None:
    assert seen({}, aim=0) == MoonThreat(aim=0, shooter=0, feared=NONE, holder=NONE, taken=0)
    assert seen({0: "2H"}, aim=0) == MoonThreat(aim=0, shooter=0, feared=NONE, holder=0, taken=1)
    assert seen({2: "2H"}, aim=0).aim == NONE


def test_by_chance_plays_whatever_is_legal() -> None:
    found = {plays(CLASSIC, "2D 9D AD KS", "5D", state=state, policy=BY_CHANCE) for state in range(40)}
    assert found == {"2D", "9D", "AD"}
