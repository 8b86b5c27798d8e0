"""How long a game is expected to last: the ends that fit an evening, and how honest they are."""

from typing import Any

import pytest
from by_chance import TABLES

from engine.rules import lengths, options
from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed
from tests.bench.lengths import mean_deals, played

#: Games as their documents have them, and each option once that changes what a deal comes to.
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", 4, {}),
    ("wikibooks", 5, {}),
    ("double-deck", 6, {}),
    ("wikibooks", 5, {"spot_hearts": True}),
    ("classic", 4, {"jack_of_diamonds": True}),
    ("classic", 4, {"winner": "highest"}),
    ("wikibooks", 5, {"winner": "lowest", "hooligan": True, "even_scores": True}),
]


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("people", [1, 3])
def test_the_ends_are_allowed_apart_and_hold_the_documents_own(
    preset: str, players: int, people: int
) -> None:
    rules = Ruleset.of(preset, players)
    found = lengths.ends(rules, people)
    totals = [one.total for one in found]
    assert totals == sorted(set(totals))
    assert set(totals) <= set(options.OPTIONS["ends_at"].values)
    assert rules.ends_at in totals
    assert [one.minutes for one in found] == sorted(one.minutes for one in found)
    for minutes in lengths.EVENINGS:  # or the shortest game there can be
        assert min(abs(one.minutes / minutes - 1) for one in found) < 1 / 3 or found[0].deals < 2
    for one in found:
        assert lengths.end(changed(rules, {"ends_at": one.total}), people) == one


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_game_can_be_four_deals(preset: str, players: int) -> None:
    rules = Ruleset.of(preset, players)
    [four] = lengths.short(rules, 1)
    assert four.deals == 4
    assert four.minutes == 4 * lengths.minutes_a_deal(rules, 1)
    assert lengths.ends(changed(rules, {"deals": 4}), 1) == lengths.ends(rules, 1)
    assert lengths.usual(changed(rules, {"deals": 4})) == rules


def test_a_host_s_own_number_of_deals_or_total_stands_with_the_usual_ones() -> None:
    assert [one.deals for one in lengths.short(Ruleset.of("classic", 4, {"deals": 6}), 2)] == [4, 6]
    totals = [one.total for one in lengths.ends(Ruleset.of("classic", 4, {"ends_at": 42}), 2)]
    assert {42, 100} < set(totals)


def test_no_other_end_stands_beside_the_hosts_own_that_takes_about_as_long() -> None:
    for total in range(20, 400, 5):
        rules = Ruleset.of("classic", 4, {"ends_at": total, "jack_of_diamonds": True})
        own, document = lengths.end(rules, 2), lengths.end(lengths.usual(rules), 2)
        for one in lengths.ends(rules, 2):
            assert one in (own, document) or abs(one.minutes / own.minutes - 1) > lengths.ALIKE


def test_more_people_take_longer_and_come_to_fewer_deals() -> None:
    rules = Ruleset.of("classic", 4)
    alone, four = lengths.end(rules, 1), lengths.end(rules, 4)
    assert alone.deals == four.deals
    assert alone.minutes * 2 < four.minutes
    assert lengths.ends(rules, 4)[0].total < lengths.ends(rules, 1)[0].total


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players", "options"), GAMES, ids=str)
def test_what_is_said_is_true_within_a_third(preset: str, players: int, options: dict[str, Any]) -> None:
    rules = Ruleset.of(preset, players, options)
    points = played(rules, 30, seed=5)
    for one in lengths.ends(rules, 2):
        if one.deals > 2:
            taken = mean_deals(changed(rules, {"ends_at": one.total}), points)
            assert one.deals == pytest.approx(taken, rel=1 / 3)
