"""A table alone: one person and computers in one message of a DM, edited through the clicks."""

import asyncio
import hashlib
import json
import re
from typing import Any

import pytest
from at_once import deals_played
from nights import give_par
from own_data import exported, forget
from people import Player, refusal
from seen import Seen
from server import Server
from test_daily import play, states
from weather import Weather

from bot.answering.opening import TableRequest
from bot.delivery.reply import ACKNOWLEDGE_AFTER
from engine.cards import card
from engine.errors import Refusal
from engine.play.moves import Passed
from engine.tables import Pace, Person, Tables, changes

pytestmark = pytest.mark.slow

#: A type of answer, and a flag of a message.
DEFERRED, EPHEMERAL = 5, 1 << 6
SEAL = re.compile(r"🔒 Seal \|\|([0-9a-f]{30})\|\|")
GIVE_UP = "Give it up, open a new one"


@pytest.fixture
def ann(server: Server) -> Player:
    """Ann in her DM with the bot."""
    return server.people[0].in_dm


async def deal(player: Player, **options: Any) -> Seen:
    """Open a table and start; returned is the message."""
    await player.run("hearts new", **options)
    await player.click("Start")
    return player.dm


def is_over(player: Player) -> bool:
    return "🏆" in player.dm.text


async def play_to_the_end(player: Player) -> Seen:
    """Play a short game, without a click for each move; returned is the message."""
    await deal(player, ends_at=20)
    await deals_played([player], lambda: is_over(player))
    return player.dm


async def test_a_whole_game_in_one_message_without_a_call_of_the_token(server: Server, ann: Player) -> None:
    calls = Weather(server).calls
    hand = await deal(ann, ends_at=1)
    [seal] = SEAL.findall(hand.text)
    assert hand.text.index(seal) < hand.text.index("♣")
    await server.env.advance_time(20 * 60)  # then no token is left that could edit the message
    await ann.click(hand.enabled[0], hand)
    assert "Choose 2 more" in ann.hand.buttons
    stale = await ann.pick_cards()
    await play(ann, 4)
    await server.env.advance_time(20 * 60)
    # A client that still shows how it was: no reproach, as the message shows the game as it is.
    assert await ann.try_press(stale.enabled[-1], stale) == ""
    while not is_over(ann):
        assert SEAL.findall(ann.hand.text) == [seal]
        await play(ann, 1)
    [message] = ann.dms()
    assert not message.is_private  # it stays in the DM
    assert message.says("Points in deal")
    assert {"Play again", "Replay", "How did I play?", "Check the deal"} <= set(message.enabled)
    [result] = server.stored()["results"]
    assert (result["guild"], result["people"], result["person"]) == (0, 1, ann.id)
    [checked] = (await ann.click("Check the deal", message)).private
    assert checked.says(f"🔒 Seal {seal}")
    assert not checked.says("post")
    shown = re.search(r"printf %s '([^']*)'", checked.raw)
    assert hashlib.sha256(shown[1].encode()).hexdigest().startswith(seal)
    assert calls == []


async def test_it_stays_in_the_dm_even_if_discord_had_to_wait_for_it(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = server.env.bot.tables
    open_alone = tables.open_alone

    async def slowly(*given: Any) -> Any:
        await asyncio.sleep(2 * ACKNOWLEDGE_AFTER)
        return await open_alone(*given)

    monkeypatch.setattr(tables, "open_alone", slowly)
    await deal(ann)
    sent = [one.body for one in server.requests if one.path.endswith("/callback")]
    waiting = next(one for one in sent if one["type"] == DEFERRED)
    assert not (waiting.get("data") or {}).get("flags", 0) & EPHEMERAL  # which the answer keeps
    [message] = ann.dms()
    assert not message.is_private


# What can be chosen, and what is around a game


async def test_every_option_counts_but_those_that_only_a_server_has(server: Server, ann: Player) -> None:
    options: list[dict[str, Any]] = [{"thread": True}, {"starts": "in 45 minutes"}, {"house": "ours"}]
    for option in options:
        assert (await ann.run("hearts new", **option)).told == refusal("needs_server")
    [told] = (await ann.run("hearts new", game="classic", players=10)).private
    assert server.stored()["tables"] == []
    await ann.click("Double-deck Hearts", told)
    [table] = server.env.bot.tables.live
    assert (table.is_alone, table.rules.players, table.pace) == (True, 10, Pace.NONE)
    chosen = {"game": "wikibooks", "players": 5, "jack_of_diamonds": True, "ends_at": 30}
    await ann.run("hearts new", computers="strong", **chosen)
    await ann.click(GIVE_UP)
    assert ann.dm.says("Press Start to play against 4 strong computers.")
    assert ann.dm.says("when a total reaches 30")
    assert not ann.dm.says("Pace")
    [table] = server.env.bot.tables.live
    assert (table.rules.preset.name, table.rules.jack_of_diamonds) == ("wikibooks", True)


async def test_options_and_rules_take_the_place_of_the_lobby_until_back(server: Server, ann: Player) -> None:
    await ann.run("hearts new")
    lobby = ann.dm
    assert "Plan" not in lobby.buttons  # nobody else comes
    tables = server.env.bot.tables
    with pytest.raises(Refusal, match="stale"):
        await tables.plan_start(tables.live[0].id, ann.id, tables.now + 3600)
    await ann.click("Options", lobby)
    await ann.choose("chinese", ann.dm, "Game")
    await ann.send(await ann.click("Length and pace", ann.dm), computers="easy")
    await ann.send(await ann.click("Points", ann.dm), ends_at="700")
    await ann.click("Back", ann.dm)
    assert ann.dm.says("Chinese Hearts")
    await ann.click("Rules", ann.dm)
    assert ann.dm.says("when a total reaches 700")
    await ann.click("Back", ann.dm)
    assert ann.dm.says("3 easy computers")
    await ann.click("Options", ann.dm)
    await ann.click("Medium", ann.dm)
    await ann.click("Start", ann.dm)
    assert [seat["strength"] for seat in server.stored()["seats"]][1:] == ["medium"] * 3
    assert [one.id for one in ann.dms()] == [lobby.id]
    await ann.run("hearts rules")
    await ann.click("Options", ann.dm)
    await ann.send(await ann.click("Pace", ann.dm), pace="live")
    assert ann.dm.says("Pace: live (60 seconds a turn).")
    await ann.click("Back", ann.dm)
    assert ann.hand.says("Your hand · Deal 1")


# One table at a time


async def test_another_one_asks_first_and_goes_on_or_gives_up_the_first(server: Server, ann: Player) -> None:
    hand = await deal(ann)
    await ann.run("hearts new", game="chinese")
    question = ann.dm
    assert question.says("You already have a table")
    assert question.says("Hearts, deal 1")
    await ann.click("Go on", question)
    [message] = ann.dms()  # the question's: the one before is deleted
    assert hand.id != message.id == question.id
    assert message.says("Your hand · Deal 1")
    await play(ann, 2)
    await ann.run("hearts new", game="chinese", players=3, computers="easy", ends_at=900)
    question = ann.dm
    await ann.click(GIVE_UP, question)
    old, new = ann.dms()
    assert old.says("The game was stopped")
    assert new.id == question.id
    for words in ("Chinese Hearts", "reaches 900", "against 2 easy computers"):
        assert new.says(words)
    assert await ann.try_press(GIVE_UP, question) == ""  # another click on what it was
    assert states(server) == ["stopped", "lobby"]
    await ann.click("Start")
    await deals_played([ann], lambda: bool(server.env.bot.tables.live[0].game.points))
    await ann.run("hearts new")
    await ann.click(GIVE_UP)
    assert states(server) == ["stopped", "over", "lobby"]  # or a player could give up what goes badly
    assert [(row["name"], row["deals"]) for row in server.stored()["results"]] == [("Ann", 1)]


async def test_two_commands_at_once_open_one_table(server: Server, ann: Player) -> None:
    tables, person = server.env.bot.services[Tables], Person(ann.id, "Ann")
    opening = [tables.open_alone(person, TableRequest().rules) for _ in range(2)]
    opened = await asyncio.gather(*opening, return_exceptions=True)
    assert sum(isinstance(one, Refusal) for one in opened) == 1


async def test_it_stands_beside_a_table_and_the_daily_deal(server: Server, ann: Player, bo: Player) -> None:
    await deal(ann)
    in_server = server.people[0]
    await server.deal(in_server, bo)
    in_server.has_dms = False
    await in_server.run("hearts daily")
    assert [table.is_private for table in server.env.bot.tables.live] == [True, False, True]
    assert len({table.channel for table in server.env.bot.tables.live}) == 3
    assert (await in_server.run("hearts scores")).told == (await bo.run("hearts scores")).told
    [hand] = (await bo.run("hearts hand")).private
    assert f"<#{server.channel.id}>" in hand.raw


# Afterwards


async def test_looking_back_playing_again_and_deleting(server: Server, ann: Player, bo: Player) -> None:
    nothing = "not finished a game here yet"
    assert nothing in (await ann.run("hearts stats")).told
    over = await play_to_the_end(ann)
    assert (await ann.run("hearts replay")).private[0].says("Deal 1")
    assert (await ann.run("hearts stats")).private[0].says("Alone with computers")
    assert (await ann.run("hearts stats", player=bo.member.user)).told == refusal("needs_server")
    assert nothing in (await server.people[0].run("hearts stats")).told
    assert (await bo.run("hearts leaderboard")).public[0].says("/hearts new")
    for other in (bo, bo.in_dm):
        assert (await other.run("hearts replay")).told == refusal("no_game_here")
    [page] = (await bo.in_dm.run("hearts help")).private
    of_ann = f"hearts:career:0:{ann.id}:0"
    assert await bo.try_control(of_ann, page, "classic.lowest") == refusal("needs_server")
    for _ in range(2):  # the second click opens no other lobby
        await ann.click("Play again", over)
    result, *_, lobby = [one for one in ann.dms() if not one.is_private]
    assert result.text == over.text
    assert lobby.says("when a total reaches 20")
    assert lobby.says("All seats are taken: press Start to deal.")
    assert states(server) == ["over", "lobby"]
    stored = await exported(await ann.export_data())
    assert [(one["server"], one["channel"]) for one in stored["tables"]] == [(None, None)] * 2
    assert [one["server"] for one in stored["results"]] == [None]
    assert str(ann.id) not in json.dumps(stored["tables"])
    await forget(ann)
    names = [name for (name,) in server.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {value for name in names for row in server.rows(f"SELECT * FROM {name}") for value in row}
    assert not found & {ann.id, -ann.id, -ann.id - (1 << 62)}
    assert (await ann.run("hearts replay")).told == refusal("no_game_here")


# Time


async def test_leaving_coming_back_and_stopping(server: Server, ann: Player) -> None:
    calls = Weather(server).calls
    hand = await deal(ann, pace="live")
    await server.env.advance_time(3 * 61)
    assert ann.dm.says("You've left. The game waits for you here for a day.")
    await ann.click("I'm back")
    assert ann.hand.enabled
    assert calls == []
    await ann.run("hearts leave")
    [message] = ann.dms()  # shown below, as with My hand
    assert message.says("You've left.")
    await ann.click("I'm back")
    [question] = (await ann.run("hearts end")).private
    await ann.click("End", question)
    assert message.current.says("The game was stopped")
    assert hand.id != message.id
    assert (await ann.run("hearts hand")).told == refusal("no_table")


async def test_a_lobby_closes_after_an_hour_and_opens_again(server: Server, ann: Player) -> None:
    await ann.run("hearts new")
    lobby = ann.dm
    await server.env.advance_time(61 * 60)
    assert server.env.bot.tables.live == []
    await ann.click("Start", lobby)
    [closed] = ann.dms()
    assert closed.says("This table is closed.")
    await ann.click("Play again", closed)
    assert ann.dm.says("Press Start to play")


# Restarts


async def test_a_kill_at_each_step_and_before_it_was_shown(server: Server, ann: Player) -> None:
    await ann.run("hearts new", ends_at=1)
    await server.restart()
    await ann.click("Start", ann.dms()[0])
    hand = ann.hand
    cards = tuple(card(code) for code, _ in hand.offered[:3])
    await ann.click(hand.enabled[0], hand)
    await server.act_unseen(ann, lambda seat: Passed(seat, cards))
    await server.restart()
    await ann.click(ann.hand.enabled[1], ann.hand)
    assert ann.hand.says("You passed")
    while not is_over(ann):
        await server.restart()
        await play(ann, 1)
    await server.restart()
    [message] = ann.dms()
    assert message.id == hand.id
    await ann.click("Play again", message)
    await ann.click("Start")
    hand = ann.hand
    await server.do_unseen(lambda tables, table: tables.change(table, changes.stop, ann.id, may_manage=True))
    await server.restart()
    await ann.click(hand.enabled[0], hand)
    assert hand.current.says("The game was stopped")
    assert "Play again" in hand.current.enabled
    assert server.posts() == []


# Par


async def pars_arrive(server: Server) -> None:
    """As if strong computers had just played every deal of the first table often enough."""
    deals = len((await server.env.bot.tables.games.whole(1)).game.points)
    for number in range(1, deals + 1):
        await give_par(server, 1, number, 4)
    await server.settle()


async def test_late_pars_change_the_end_and_not_the_next_table(server: Server, ann: Player) -> None:
    await play_to_the_end(ann)
    await ann.click("Play again")
    calls, [end, lobby] = Weather(server).calls, ann.dms()
    assert "⛳" not in end.text
    await pars_arrive(server)
    [message, still] = ann.dms()
    assert (message.id, message.enabled) == (end.id, end.enabled)
    assert re.search("⛳ (By the cards|The cards) .+", message.text)
    assert (still.text, still.enabled) == (lobby.text, lobby.enabled)
    assert calls == []


async def test_late_pars_leave_a_message_alone_that_shows_the_next_table(server: Server, ann: Player) -> None:
    """A question that was answered twice, as on a telephone that shows an old state."""
    await deal(ann, ends_at=20)
    await ann.run("hearts new")
    question = ann.dm
    await ann.click("Go on", question)
    await deals_played([ann], lambda: is_over(ann))
    await ann.try_press(GIVE_UP, question)
    lobby = ann.dm
    assert lobby.id == question.id
    assert "Start" in lobby.enabled
    await pars_arrive(server)
    assert (ann.dm.text, ann.dm.enabled) == (lobby.text, lobby.enabled)
