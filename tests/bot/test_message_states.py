"""What messages show and should show: by a clock that stands still, apart from any queue."""

import pytest

from bot.delivery.queue import LOOKS_REMEMBERED, States


@pytest.fixture
def now() -> list[float]:
    """What the clock shows, which tests change."""
    return [100.0]


@pytest.fixture
def states(now: list[float]) -> States[str]:
    return States(0.0, lambda: now[0])


def write(states: States[str], key: str) -> str | None:
    """Show what this message should show next."""
    if (message := states.take_next(key)) is not None:
        states.set_shown(key, message)
        states.written(key)
    return message


def test_a_moment_is_shown_for_its_time_and_what_follows_is_due_at_once(
    states: States[str], now: list[float]
) -> None:
    states.want_after("trick", "complete", "next", 2.0)
    assert write(states, "trick") == "complete"
    assert states.due("trick") == 100.0
    assert states.moments_left() == 2.0
    assert (states.ripe(), states.ripens_at()) == ([], 102.0)
    now[0] = 102.0
    assert states.ripe() == ["trick"]
    assert write(states, "trick") == "next"
    assert states.moments_left() == 0.0


def test_what_changed_and_changed_back_is_not_written(states: States[str]) -> None:
    states.want("score", "1", 0.0)
    write(states, "score")
    assert not states.want("score", "1", 0.0)
    states.want("score", "2", 0.0)
    assert states.want("score", "1", 0.0)
    assert write(states, "score") is None


def test_what_a_message_on_its_way_shows_is_not_known(states: States[str]) -> None:
    states.set_shown("score", "1")
    states.set_shown("trick", "2")
    states.on_its_way = "score"
    assert (states.shown("score"), states.shown("trick")) == (None, "2")
    assert states.all_shown == {"trick": "2"}
    assert states.is_coming("score")
    assert not states.is_coming("trick")


def test_only_the_newest_looks_are_remembered(states: States[str]) -> None:
    for number in range(LOOKS_REMEMBERED):
        states.set_shown(str(number), "a")
    assert states.shown("0") == "a"
    states.set_shown("one more", "a")
    assert (states.shown("0"), states.shown("1")) == (None, "a")


def test_in_a_hurry_no_moment_is_shown_and_nothing_waits(states: States[str]) -> None:
    states.want("score", "1", 60.0)
    states.want("held", "1", 0.0)
    states.hold("held")
    states.want_after("trick", "complete", "next", 2.0)
    states.hurry()
    assert states.ripe() == ["score", "held", "trick"]
    assert states.moments_left() == 0.0
    assert write(states, "trick") == "next"


def test_what_is_owed_waits_for_nothing_but_discord(states: States[str], now: list[float]) -> None:
    states.want("score", "1", 60.0)
    states.want("trick", "1", 0.0)
    now[0] = 110.0
    assert [states.owes(key) for key in ("score", "trick", "other")] == [False, True, False]
    states.on_its_way = "other"
    assert states.owes("other")
    assert states.owed == ["other", "trick"]
