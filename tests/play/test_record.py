"""The game record: what is written is read back, and every fault is found where it lies."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from by_chance import TABLES, play_on

from engine.errors import RecordError
from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.record import read_record, write_record
from engine.players import play_game, random_move
from engine.rules.ruleset import Ruleset

VARIANTS = [
    ("wikibooks", 3, {"remainder": "kitty", "kitty": "one-per-trick", "pass_cards": 5}),
    ("wikibooks", 5, {"remainder": "kitty", "kitty": "first-and-last", "moon": "half"}),
    ("wikibooks", 5, {"remainder": "jokers", "moon": "self", "winner": "highest", "ends_at": 30}),
    ("double-deck", 6, {"remainder": "remove", "duplicates": "cancel", "even_scores": True}),
    ("double-deck", 10, {"duplicates": "cancel", "spot_hearts": True, "jack_of_diamonds": True}),
    ("cancellation", 5, {"pass_cards": 3, "hooligan": True, "safe_first_trick": "all-scoring"}),
]

# Seat 0 holds the clubs, 1 the diamonds, 2 the spades and 3 the hearts: seat 0 wins every trick.
ONE_SUIT_EACH = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDSH"]
ALL_IN_ORDER = [rank + suit for rank in "23456789TJQKA" for suit in "CDSH"]
ALL_FOUR = [[0, "TC"], [2, "QS"], [1, "JD"], [3, "AH"]]
TEN_THOUSAND = [10000, 0, 0, 0]


def copied(record: dict[str, Any]) -> dict[str, Any]:
    """What a file would hold: nothing in it is shared."""
    return json.loads(json.dumps(record))


def whole_deal(
    number: int, dealer: int, points: list[int], totals: list[int], moon: str | None, exposed: Any = ()
) -> dict[str, Any]:
    """A finished deal in which seat 0 takes everything."""
    return {
        "number": number,
        "dealer": dealer,
        "hands": ONE_SUIT_EACH,
        "kitty": [],
        "passes": None,
        "exposed": exposed,
        "plays": ALL_IN_ORDER,
        "moon": moon,
        "tricks": [{"leader": 0, "winner": 0}] * 13,
        "points": points,
        "totals": totals,
    }


def finished(
    preset: str, options: dict[str, Any], deals: list[dict[str, Any]], **oldest: int
) -> dict[str, Any]:
    """A finished game, which seat 0 wins."""
    record = {
        "format": "hearts-record/1",
        "rules": {"preset": preset, "players": 4, "options": options},
        "seats": ["ann", "bo", "cy", "di"],
        **oldest,
        "deals": deals,
        "winners": [0],
    }
    return copied(record)


def played(preset: str, players: int, options: dict[str, Any], seed: int = 1) -> Game:
    """A whole random game."""
    rules = Ruleset.of(preset, players, options)
    return play_game(rules, random_move, Random(seed), Random(seed))


def written(game: Game) -> dict[str, Any]:
    return copied(write_record(game, [f"player {seat}" for seat in range(game.rules.players)]))


#: Two deals, in both of which seat 0 shoots the moon.
MOONS = finished(
    "classic",
    {"pass_cards": 0, "ends_at": 50},
    [
        whole_deal(1, 2, [0, 26, 26, 26], [0, 26, 26, 26], "add"),
        whole_deal(2, 3, [0, 26, 26, 26], [0, 52, 52, 52], "add"),
    ],
)
#: Chinese Hearts: all four cards are exposed, and seat 0 takes everything (C9).
SUN = finished("chinese", {}, [whole_deal(1, 0, TEN_THOUSAND, TEN_THOUSAND, None, ALL_FOUR)], oldest=0)
#: Three cards are passed to the left in the first deal, in which nobody shoots the moon.
PASSING = written(played("classic", 4, {"ends_at": 20}, seed=2))
#: One card lies in the kitty.
KITTY = written(played("wikibooks", 3, {"remainder": "kitty", "ends_at": 10}))


def fault(record: Any) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_record(record)
    assert str(caught.value).endswith((".", "..."))
    assert len(str(caught.value)) < 300
    return caught.value


# Written and read back


@pytest.mark.parametrize("record", [MOONS, SUN])
def test_a_game_is_written_as_the_page_has_it(record: dict[str, Any]) -> None:
    assert json.dumps(write_record(read_record(record), record["seats"])) == json.dumps(record)


@pytest.mark.parametrize(("preset", "players", "options"), [*((*table, {}) for table in TABLES), *VARIANTS])
def test_a_played_game_comes_back_the_same(preset: str, players: int, options: dict[str, Any]) -> None:
    game = played(preset, players, {"ends_at": 60, **options})
    record = written(game)
    assert ("oldest" in record) == (preset == "chinese")
    assert read_record(copied(record)) == game


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "players", "options"),
    [("classic", 4, {}), ("chinese", 5, {}), *VARIANTS[:1]],
)
def test_a_game_going_on_comes_back_at_every_moment(
    preset: str, players: int, options: dict[str, Any]
) -> None:
    rng = Random(5)
    game = Game(Ruleset.of(preset, players, options), oldest=2 if preset == "chinese" else 0)
    assert read_record(written(game)) == game
    for _ in range(120):  # two deals and more
        game = play_on(game, rng)
        record = written(game)
        again = read_record(copied(record))
        assert written(again) == record
        if record["deals"][-1]["plays"]:
            assert again == game
        elif game.deals[-1].phase is Phase.EXPOSING:  # who declined is not recorded
            assert again.deals[-1].phase is Phase.EXPOSING
        if game.deal:
            assert "points" not in record["deals"][-1]
            assert "totals" not in record["deals"][-1]


def test_derived_fields_may_be_missing() -> None:
    record = copied(MOONS)
    del record["winners"]
    for deal in record["deals"]:
        del deal["tricks"], deal["points"], deal["totals"]
    assert read_record(record) == read_record(MOONS)


def test_a_game_may_wait_for_the_moons_choice() -> None:
    record = copied(MOONS)
    record["winners"] = record["deals"][1]["moon"] = None
    del record["deals"][1]["points"], record["deals"][1]["totals"]
    assert read_record(record).deals[-1].phase is Phase.CHOOSING_MOON


# Every fault, where it lies

Change = Callable[[dict[str, Any]], Any]


def put(*path: Any) -> Change:
    """Set what the path leads to: `put("deals", 0, "dealer", 7)`."""
    *way, key, value = path

    def change(record: Any) -> None:
        for step in way:
            record = record[step]
        record[key] = value

    return change


def drop(*path: Any) -> Change:
    """Delete what the path leads to."""
    *way, key = path

    def change(record: Any) -> None:
        for step in way:
            record = record[step]
        del record[key]

    return change


def a_hidden_moon(record: dict[str, Any]) -> None:
    deal = record["deals"][0]
    del deal["tricks"], deal["points"], deal["totals"]
    deal["moon"] = None


FAULTS: list[tuple[dict[str, Any], Change, int | None, int | None, str]] = [
    # the game
    (MOONS, drop("format"), None, None, "no format"),
    (MOONS, put("format", "hearts-record/2"), None, None, "format must be"),
    (MOONS, put("rules", "classic"), None, None, "rules must name"),
    (MOONS, put("rules", "preset", "whist"), None, None, "no game called"),
    (MOONS, put("seats", 0, 7), None, None, "must have a name"),
    (MOONS, put("oldest", 0), None, None, "oldest"),
    (SUN, drop("oldest"), None, None, "oldest"),
    (SUN, put("oldest", 4), None, None, "oldest must be a seat from 0 to 3"),
    (SUN, put("oldest", 1), 1, 0, "don't hold"),
    (MOONS, put("deals", {}), None, None, "deals must be a list"),
    (MOONS, lambda record: record["deals"].append(record["deals"][0] | {"number": 3}), 3, None, "was over"),
    (MOONS, put("winners", [False]), None, None, "winners must be [0]"),
    # a deal
    (MOONS, put("deals", 1, "deal"), 2, None, "deal must be an object"),
    (MOONS, put("deals", 1, "note", ""), 2, None, "no field called"),
    (MOONS, put("deals", 0, "number", 2), 1, None, "deal 1, not 2"),
    (MOONS, put("deals", 1, "dealer", 2), 2, None, "dealer must be seat 3, not 2"),
    (MOONS, put("deals", 0, "hands", 0, ["2C"]), 1, None, "hand of seat 0 must have 13 entries, not 1"),
    (MOONS, put("deals", 0, "hands", 2, 0, "2C"), 1, None, "two of clubs was dealt more often"),
    (KITTY, put("deals", 0, "kitty", []), 1, None, "kitty must have 1 entry, not 0"),
    # passing
    (MOONS, put("deals", 0, "passes", [[], [], [], []]), 1, None, "No cards are passed"),
    (PASSING, put("deals", 0, "passes", 1, None), 1, None, "before everybody has passed"),
    (PASSING, drop("deals", 0, "passes", 3, 0), 1, None, "Seat 3 cannot pass like that: choose exactly 3"),
    # exposing
    (MOONS, put("deals", 0, "exposed", [[2, "QS"]]), 1, None, "no card can be exposed"),
    (SUN, put("deals", 0, "exposed", 1, [1, "QS"]), 1, None, "Seat 1 cannot expose QS"),
    (SUN, put("deals", 0, "exposed", 3, [0, "TC"]), 1, None, "as the fourth card"),
    (SUN, drop("deals", 0, "exposed", 3), 1, None, "fourth must be exposed"),
    # plays
    (MOONS, put("deals", 1, "plays", 17, "2X"), 2, 17, 'no card "2X"'),
    (MOONS, put("deals", 1, "plays", 17, "2D"), 2, 17, "Seat 1 cannot play 2D: you don't hold"),
    (MOONS, lambda record: record["deals"][1]["plays"].append("2C"), 2, 52, "played before"),
    (PASSING, drop("deals", -1, "plays", 51), 2, None, "tricks must have 12 entries, not 13"),
    # the moon
    (MOONS, put("deals", 1, "moon", None), 2, None, "Seat 0 shot the moon"),
    (MOONS, a_hidden_moon, 1, None, "stops early"),
    (MOONS, put("deals", 1, "moon", "ADD"), 2, None, "moon must be"),
    (MOONS, put("deals", 1, "moon", "subtract"), 2, None, "points must be [-26, 0, 0, 0]"),
    (PASSING, put("deals", 0, "moon", "add"), 1, None, "Nobody has to decide about a moon"),
    # what follows
    (MOONS, put("deals", 0, "tricks", 4, {"leader": 0, "winner": 0, "by": 1}), 1, None, "Trick 5 must be"),
    (MOONS, put("deals", 0, "tricks", 4, "winner", False), 1, None, "must be"),
    (MOONS, put("deals", 1, "points", 0, False), 2, None, "points must be [0, 26, 26, 26]"),
    (MOONS, put("deals", 1, "totals", [0, 26, 26, 26]), 2, None, "totals must be [0, 52, 52, 52]"),
]


@pytest.mark.parametrize(("base", "change", "deal", "play", "says"), FAULTS)
def test_a_fault_is_found_where_it_lies(
    base: dict[str, Any], change: Change, deal: int | None, play: int | None, says: str
) -> None:
    record = copied(base)
    read_record(record)
    change(record)
    found = fault(record)
    assert (found.deal, found.play) == (deal, play), str(found)
    assert says in str(found)


@pytest.mark.parametrize("data", [None, True, 0, 1e400, "{}", [], [MOONS], {}, {1: 2}, {None: None}])
def test_what_is_no_record_is_refused(data: Any) -> None:
    assert (fault(data).deal, fault(data).play) == (None, None)


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


JUNK = [None, True, False, -1, 10**5000, 0.0, float("nan"), "", "2C", "\ud800", [], {}, nested(10**5)]


def leaves(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """The path to everything inside the value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*path, key)
        if len(path) < 6:  # there is nothing deeper but junk
            yield from leaves(item, *path, key)


def replayed(record: dict[str, Any]) -> tuple[Game | None, str]:
    try:
        return read_record(record), ""
    except RecordError as found:
        return None, str(found)


def says_the_truth(record: dict[str, Any], game: Game) -> bool:
    """Whether this is the game's record, perhaps without fields that follow from others."""
    truth = write_record(game, record["seats"])
    deals = [
        true | {name: value for name, value in said.items() if value is not None}
        for said, true in zip(record["deals"], truth["deals"], strict=True)
    ]
    return truth | record | {"deals": deals, "rules": truth["rules"]} == truth


@pytest.mark.slow
@pytest.mark.parametrize("base", [MOONS, SUN, PASSING, KITTY])
def test_without_a_field_or_with_anything_else_in_it_a_record_is_refused_or_says_the_truth(
    base: dict[str, Any],
) -> None:
    rng = Random(7)
    kinds: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}  # all items of a list are read alike
    for path in leaves(base):
        if path[0] != "seats" or len(path) == 1:
            kinds.setdefault(tuple([type(one) if one in range(99) else one for one in path]), []).append(path)
    for path in map(rng.choice, kinds.values()):
        for change in (drop(*path), *(put(*path, junk) for junk in JUNK)):
            record = copied(base)
            change(record)
            game, refusal = replayed(record)
            assert len(refusal) < 300
            assert game is None or says_the_truth(record, game), path
