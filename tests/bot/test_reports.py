"""What the log tells of a start, of each day and of an end, in a few lines that name nobody.

The times in it are quantiles of durations that are counted in buckets, as Prometheus finds them.
"""

import logging
import re
from collections.abc import Callable
from random import Random

import pytest
from at_once import deals_played
from people import Player
from scraping import counted
from server import PEOPLE, Server

from bot.operator.figures import Figures
from engine import __version__
from engine.metrics import BOUNDS, histogram

A_DAY = 24 * 60 * 60.0
Told = Callable[[], list[str]]


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Told:
    """What has been told since this was asked before, which names nobody."""
    caplog.set_level(logging.INFO, logger="bot.operator.reports")

    def since() -> list[str]:
        records = [record for record in caplog.records if record.name == "bot.operator.reports"]
        assert {record.levelno for record in records} <= {logging.INFO}
        lines = [record.getMessage() for record in records]
        assert not re.search(rf"\d{{15,}}|\b({'|'.join(PEOPLE)})\b", " ".join(lines))
        caplog.clear()
        return lines

    return since


async def test_a_start_tells_what_it_found(
    server: Server, cy: Player, told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    await server.deal_and_pass(pace="none")
    cy.at = server.add_channel("another")
    await cy.run("hearts new")
    server.change_file("UPDATE tables SET body = json_set(body, '$.pace', 'slow') WHERE id = 1")
    told()
    await server.restart()
    resumed, connected = told()
    assert re.fullmatch(
        rf"Version {re.escape(__version__)}: resumed 1 table in \d+ ms, 1 damaged\. "
        r"The database has [\d.]+ kB\.",
        resumed,
    )
    assert counted(server.env.bot.monitor)("hearts_tables_damaged") == 1
    assert connected == "Connected to Discord: 1 server, 1 shard."
    caplog.get_records("call").clear()  # the damage


@pytest.mark.slow
async def test_a_day_tells_what_was_done_and_refused_in_it(server: Server, ann: Player, told: Told) -> None:
    ann.close_dms()
    await ann.run("hearts new")
    await ann.click("Leave")  # of a lobby nothing is counted
    await server.deal(ann, ends_at=1, pace="none")
    await deals_played([ann], lambda: "🏆" in server.posts()[-1].text)
    for _ in range(2):
        await server.deal(ann)
        await server.stop_the_game()
    clicks = server.env.bot.monitor.read().count("click_seconds")
    told()
    await server.env.advance_time(A_DAY)
    people, machine = told()
    assert re.fullmatch(
        rf"In 24 h: {clicks} clicks, 99% within \d+ ms; 0 not answered; 1 game finished, 2 stopped\.", people
    )
    assert re.fullmatch(
        r"In 24 h: \d+ calls to Discord, (\d+) refused \(dm_refused \1\); 0 pictures, 0 left out; "
        r"0 strong moves, 0 left to medium computers; \d+ database calls, 99% within \d+ ms\.",
        machine,
    )
    await ann.run("hearts help")
    told()
    await server.env.advance_time(A_DAY)
    assert told()[0].startswith("In 24 h: 1 click, 99% within ")
    await server.env.advance_time(A_DAY)
    assert told()[0] == "In 24 h: 0 clicks; 0 not answered; 0 games finished, 0 stopped."


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["all is shown.", "1 message still to be shown."])
async def test_an_end_tells_what_is_not_shown(server: Server, ann: Player, told: Told, shown: str) -> None:
    await server.deal_and_pass(ann, pace="none")
    await server.env.advance_time(A_DAY)
    if shown.startswith("1"):
        path = f"/channels/{server.channel.id}/messages*"
        server.env.inject_error("*", path, status=503, times=None)
        await ann.play()
    told()
    with server.env._bot_scope():  # whose clock is another
        await server.env.bot.close()
    stopping, people, machine, stopped = told()
    assert stopping == "Stopping after 1 d: 1 table will go on at the next start."
    assert people.startswith("Since the start: ")
    assert machine.startswith("Since the start: ")
    assert stopped == f"Stopped; {shown}"


# Figures


def of(*seconds: float) -> Figures:
    durations = histogram("seconds", "What was timed.", "call")
    for number, each in enumerate(seconds):
        durations.labels(str(number % 2)).observe(each)
    return Figures.of(durations.collect())


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_a_quantile_lies_in_the_bucket_of_the_true_one(share: float) -> None:
    rng = Random(1)
    seconds = sorted(rng.expovariate(20) for _ in range(1000))
    true = seconds[round(share * len(seconds)) - 1]
    found = of(*seconds).within("seconds", share)
    least = max((bound for bound in BOUNDS if bound < true), default=0.0)
    assert least <= found <= min(bound for bound in BOUNDS if bound >= true)


def test_a_quantile_is_spread_evenly_within_its_bucket_of_which_the_last_has_all_that_took_longer() -> None:
    assert of(*[0.03] * 100).within("seconds", 0.5) == pytest.approx(0.0275)  # between 0.02 and 0.035
    assert of(100.0).within("seconds") == BOUNDS[-1]
    assert of().within("seconds") is None


def test_what_came_since_is_the_difference() -> None:
    before, now = of(0.01, 0.2), of(0.01, 0.2, 0.7, 0.7)
    assert (now - before).count("seconds") == (now - before).count("seconds", call="0") * 2 == 2
    assert 0.5 < ((now - before).within("seconds") or 0) <= 1.0
    assert (now - now).within("seconds") is None
    with pytest.raises(KeyError):
        now.count("second")
