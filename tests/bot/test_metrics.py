"""Every figure that Prometheus reads moves when people play, and when something goes wrong."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import yaml
from at_once import deals_played
from games import change_rules
from people import Player, play_on
from scraping import Scrape, counted, free_port, read
from server import PEOPLE, OpenServer, Server, Sketches, no_picture
from simcord.backend.errors import BackendError
from wire import Wire, answer_with, refuse

from bot.client import HeartsBot
from bot.delivery import building, picture_cache
from bot.discord import traffic
from bot.operator import metrics
from bot.operator.messages import status
from bot.table.calls import LATE
from engine import __version__
from engine.players import Strength
from engine.storage.database import Database
from tests.bench.measure import real_time
from tests.operations import TOKEN

CLICKS, DATABASE = "hearts_click_seconds", "hearts_database_seconds"
REFUSALS = "hearts_discord_refusals_total"
LONG = 900.0  # seconds, as a process may have to compile first

DEPLOY = Path(__file__).parents[2] / ".deploy"
#: What Prometheus itself adds to each answer.
ITS_OWN = {"up", "scrape_duration_seconds"}
#: A name in a query, and what its labels are to be.
SELECTOR = re.compile(r"\b([a-zA-Z_:][\w:]*)(?![\w:]|\s*\()(?:\s*\{([^}]*)\})?")
LABEL = re.compile(r'(\w+)\s*(=~|=)\s*"([^"]*)"')
GROUPING = re.compile(r"\b(?:by|without|on|ignoring)\s*\([^)]*\)")
WORDS = {"and", "or", "unless", "bool", "offset"}
#: How the name of a part of a histogram ends.
PART = re.compile("_(bucket|count|sum)$")


@pytest.fixture
async def address(server: Server) -> AsyncIterator[str]:
    """Where the figures of this server's bot are served, as `python -m bot` does."""
    port = free_port()
    async with metrics.serving(("127.0.0.1", port)) as show:
        show(lambda: server.env.bot.monitor.collect())
        yield f"http://127.0.0.1:{port}"


async def scraped(address: str) -> Scrape:
    """What Prometheus reads there."""
    async with aiohttp.request("GET", f"{address}/metrics") as answer:
        assert answer.status == 200, await answer.text()
        return read(await answer.text())


def figures(server: Server) -> Scrape:
    """What is served of this server's bot, without asking for it."""
    return counted(server.env.bot.monitor)


# Clicks and calls


async def test_clicks_count_by_kind_with_their_calls_and_those_that_discord_gives_up_on(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, since = figures(server), len(server.requests)
    await ann.run("hearts new")  # a command
    await change_rules(ann, pass_cards="2")  # a button, a button that opens a form, and the form
    await ann.member.autocomplete(ann.at, "hearts new", "house", "")
    await ann.click("Start")
    after, made = figures(server), server.requests[since:]
    kinds = {"command": 1, "control": 3, "form": 1, "suggestion": 1}
    assert after.by("kind", f"{CLICKS}_count") == kinds
    assert after(f"{CLICKS}_sum", kind="command") > 0

    of_clicks = [one for one in made if one.path.startswith(("/interactions", "/webhooks"))]
    calls = "hearts_discord_calls_total"
    assert after(calls) - before(calls) == len(made)
    assert after(calls, token="click") == len(of_clicks) > 0
    sent = [one for one in made if re.fullmatch(r"POST /channels/\d+/messages", f"{one.method} {one.path}")]
    assert after(calls, token="bot", route="POST /channels/{channel_id}/messages") == len(sent) > 1

    server.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, times=None)
    ann.press("Rules", server.post("Seats"))
    await server.settle()
    assert figures(server)("hearts_clicks_unanswered_total") == 0  # it has three seconds
    monkeypatch.setattr(traffic, "ANSWER_DEADLINE", 0.0)
    scrape = figures(server)
    assert scrape("hearts_clicks_unanswered_total") == 1
    assert scrape.by("kind", f"{CLICKS}_count") == kinds
    assert scrape(REFUSALS, fault="expired", code="10062") >= 1


async def test_what_waits_for_the_budget_shows_and_how_long_it_waited(server: Server) -> None:
    await server.deal(pace="none")
    for player in server.people:
        await player.pass_cards()  # so that their hands are edited by clicks' tokens
    budget = server.env.bot.delivery.budget
    budget.calls = 1
    with server.env._bot_scope():  # whose clock is another
        budget.spend()
    player = server.to_play
    player.press(player.playable[0], player.hand)
    while not (scrape := figures(server))("hearts_budget_waiting"):  # noqa: ASYNC110
        await asyncio.sleep(0)  # the click is on its way
    assert scrape("hearts_budget_waiting") == 1
    assert scrape("hearts_messages_waiting") > 0
    assert scrape("hearts_budget_calls_per_second") == 1
    before = scrape("hearts_budget_wait_seconds_count")
    await server.env.advance_time(LATE + 10)  # until whoever is to play has been called
    scrape = figures(server)
    assert scrape("hearts_budget_waiting") == scrape("hearts_messages_waiting") == 0
    assert scrape("hearts_budget_wait_seconds_count") > before
    assert scrape("hearts_budget_wait_seconds_sum") > 0


@pytest.mark.slow
async def test_refusals_count_by_what_they_mean_and_lines_of_the_log_by_level(
    server: Server, bo: Player, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    bo.close_dms()
    await server.deal_and_pass(pace="none")
    refused = figures(server)(REFUSALS)
    assert figures(server)(REFUSALS, fault="dm_refused", code="50007") == refused > 0
    path = f"/channels/{server.channel.id}/messages/*"
    for error, code, fault in ((503, 0, "later"), (404, 10003, "channel_gone")):
        server.env.inject_error("PATCH", path, status=error, code=code, times=1)
        await server.to_play.play()
        scrape = figures(server)
        assert scrape(REFUSALS, fault=fault, code=str(code)) == 1
        await server.env.advance_time(5)
    assert scrape(REFUSALS) == refused + 2
    logging.getLogger("somebody else").error("something went wrong")
    scrape = await scraped(address)
    assert scrape("hearts_log_lines_total", level="error") == 1
    warnings = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert scrape("hearts_log_lines_total", level="warning") == len(warnings) > 0


@pytest.mark.slow
async def test_answers_that_the_library_deals_with_itself_count_by_status(wire: Wire, path: Path) -> None:
    """The one figure of which the simulated Discord knows nothing: it has no HTTP."""
    answer_with("GET", "/users/@me", BackendError(429, 0, "Slowly"), times=1)(wire)
    refuse("GET", "/users/@me", 401, 0)(wire)
    async with HeartsBot(await Database.open(path), draw=no_picture) as bot:
        with pytest.raises(discord.LoginFailure):
            await bot.login(TOKEN)
        assert bot.monitor.read().by("discord_responses", "status") == {"429": 1, "401": 1}


# Pictures


@pytest.mark.slow
@pytest.mark.parametrize("reason", ["late", "busy"])
async def test_a_picture_that_takes_too_long_or_has_too_many_before_it_is_left_out(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    monkeypatch.setattr(building, "PICTURE_PATIENCE", 0.05)
    if reason == "busy":
        monkeypatch.setattr(picture_cache, "MOST_WAITING", 0)
    with real_time():
        server = await open_server(sketches=Sketches())
        server.sketches.seconds = 0.3
        await server.deal(*server.people[:2])
        assert figures(server)("hearts_pictures_left_out_total", reason=reason) > 0


# Tables


async def test_tables_count_and_status_says_the_same(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    def tables() -> dict[str, float]:
        return figures(server).by("state", "hearts_tables")

    assert tables() == {}
    await ann.run("hearts new", computers=Strength.STRONG.value)
    assert tables() == {"lobby": 1}
    await bo.click("Join")
    await ann.click("Start")
    cy.at = server.add_channel("another")
    await cy.run("hearts new")
    assert tables() == {"people": 1, "lobby": 1}
    scrape, monitor = figures(server), server.env.bot.monitor
    assert scrape.by("player", "hearts_seats") == {"person": 3, "computer": 2}
    assert scrape("hearts_thoughts_total", by="medium") > 0  # no process is there to think
    assert scrape("hearts_thoughts_total", by="strong") == 0
    assert scrape("hearts_playouts_total") == scrape("hearts_thinking_processes") == 0

    lines = [line.rsplit("  ", 1) for line in status(monitor.read(), monitor.running).splitlines()]
    told = {name.strip(): value.strip() for name, value in lines}
    assert told["version"] == __version__
    assert told["servers"] == told["tables in the lobby"] == told["tables playing"] == "1"
    assert (told["people seated"], told["computers seated"]) == ("3", "2")
    assert int(told["clicks answered"]) == scrape(f"{CLICKS}_count") > 0
    assert int(told["calls to Discord"]) == scrape("hearts_discord_calls_total", token="bot") > 0
    for name in (
        *("clicks not answered", "calls waiting", "calls refused", "messages waiting", "database, waiting"),
        *("pictures drawn", "pictures left out", "strong moves"),
    ):
        assert told[name] == "0", name
    assert told["running for"]
    assert "latency" in told
    assert told["database, size"].endswith("kB")
    assert told["clicks, 99% within"].endswith(" ms")
    assert told["database, 99% within"].endswith(" ms")

    server.env.backend.remove_guild(server.guild.id)
    await server.settle()
    assert tables() == {"paused": 2}
    assert figures(server)("hearts_servers") == 0


# Pars


@pytest.mark.slow
async def test_deals_wait_for_their_pars(open_server: OpenServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.thinking.SEARCHES", 1)
    monkeypatch.setattr("engine.thinking.REPLAYS", 2)
    server = await open_server(thinkers=1)

    async def somebody_waits() -> None:
        while not figures(server)("hearts_pars_waiting"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    await server.deal_and_pass(pace="none")
    assert figures(server)("hearts_pars_waiting") == 0
    await asyncio.gather(
        deals_played(server.people, lambda: server.shows("After deal 1")),
        asyncio.wait_for(somebody_waits(), LONG),
    )
    await server.settle()
    assert figures(server)("hearts_pars_waiting") == 0


# The database, and the rest


@pytest.mark.slow
async def test_the_database_counts_by_what_is_done_and_what_waits(server: Server, ann: Player) -> None:
    await server.deal_and_pass(pace="none")
    before = figures(server)
    await server.to_play.play()
    await ann.run("hearts stats")
    await ann.export_data()
    after = figures(server)
    count = f"{DATABASE}_count"
    assert after(count, call="read") > 0
    for call in ("write", "read_later"):
        assert after(count, call=call) > before(count, call=call)
    assert after(count, call="read_apart") == 1
    assert after(f"{DATABASE}_sum", call="write") > before(f"{DATABASE}_sum", call="write")
    assert after("hearts_database_bytes") >= before("hearts_database_bytes") > 0

    database = server.env.bot.database
    async with database.snapshot():
        ann.press("My hand", next(one for one in reversed(server.posts()) if "My hand" in one.buttons))
        writing = asyncio.ensure_future(database.execute("DELETE FROM settings WHERE name = 'none'"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert figures(server)("hearts_database_waiting") >= 2
    await writing
    await server.settle()
    assert figures(server)("hearts_database_waiting") == 0


# The dashboard and the alerts


def selected(query: str) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """The names that a query asks for, each with its labels: their names, = or =~, and their values."""
    plain = re.sub(r"\[[^\]]*\]", "", GROUPING.sub("", query))
    found = [(name, LABEL.findall(labels)) for name, labels in SELECTOR.findall(plain)]
    return [(name, labels) for name, labels in found if name not in WORDS]


def alerts() -> list[dict[str, Any]]:
    [group] = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


def is_served(scrape: Scrape, name: str, label: str, how: str, value: str) -> bool:
    """Whether a sample of this name has such a label; Prometheus itself adds `job` and `instance`."""
    if label in ("job", "instance"):
        return True
    values = {one.labels.get(label) for one in scrape.samples if one.name == name}
    return value in values if how == "=" else any(one and re.fullmatch(value, one) for one in values)


async def test_dashboard_and_alerts_ask_for_what_is_served(server: Server, address: str) -> None:
    await server.deal_and_pass(pace="none")
    await play_on(server.people, lambda: server.shows("Trick 2"))
    scrape = await scraped(address)
    assert scrape("hearts_build_info", version=__version__) == 1
    assert scrape("hearts_servers") == scrape("hearts_gateway_shards") == 1
    assert scrape("hearts_gateway_latency_seconds") >= 0
    assert scrape("process_resident_memory_bytes") > 0
    for method, path, found in (("GET", "/", 404), ("POST", "/metrics", 405), ("GET", "/metrics/x", 404)):
        async with aiohttp.request(method, address + path) as answer:
            assert answer.status == found
    panels = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    queries = [*shown, *(rule["expr"] for rule in alerts())]
    asked = [one for query in queries for one in selected(query)]
    assert all(map(selected, queries))
    assert {name for name, _ in asked} - ITS_OWN <= scrape.names
    missing = [(name, one) for name, labels in asked for one in labels if not is_served(scrape, name, *one)]
    assert missing == []
    on_dashboard = {PART.sub("", name) for query in shown for name, _ in selected(query)}
    ours = {PART.sub("", name) for name in scrape.names if name.startswith("hearts_")}
    assert ours - on_dashboard == set()
    assert not re.search(r"(?<![.\d])\d{15,}", scrape.text)
    assert not re.search(rf"\b({'|'.join(PEOPLE)}|{server.guild.name}|{server.channel.name})\b", scrape.text)


def test_each_alert_says_what_is_wrong_and_what_it_means() -> None:
    for rule in alerts():
        assert rule["alert"].startswith("Hearts")
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert set(rule["annotations"]) == {"summary", "description"}
    assert len({rule["alert"] for rule in alerts()}) == len(alerts())
