"""Sealed deals as the table sees them: the seal before the first choice, and the button that opens it."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from at_once import deals_played, moves_made
from games import arranged, change_rules
from people import Answer, Player, play_on, refusal
from seen import Seen
from server import EVEN, Server
from test_replay import record_of
from weather import SLOW, Weather

from bot.delivery import queue
from engine.__main__ import main
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

POSTS = r"/channels/\d+/messages"
HELD = "Your cards come here once the deal's seal is posted"
LINE = re.compile(r"printf %s '([^']+)' \| sha256sum")


def seals(server: Server) -> dict[int, str]:
    """The seals that everybody sees, by deal."""
    found = [seal for post in server.posts() for seal in post.seals.items()]
    assert len(found) == len(dict(found)), "a deal has two seals"
    return dict(found)


def said(server: Server) -> str:
    """Everything that the bot has sent to anybody so far, edits and all."""
    return "\n".join(str(request.body) for request in server.requests)


def stored_moves(server: Server) -> list[dict]:
    return [json.loads(row["move"]) for row in server.stored()["moves"]]


def check_answer(answer: Answer, deal: int, seal: str) -> str:
    """The salt that the button shows, if the line that it shows gives this seal."""
    [opened] = answer.private
    assert not answer.public
    assert opened.text.startswith("### The deal checks out")
    assert opened.says(f"Deal {deal} was played with the cards that were sealed")
    assert opened.says(f"shows how the seal begins, 🔒 Seal {seal},")
    line = LINE.search(opened.text)
    salt = re.search(r"Salt: `([0-9a-f]{64})`", opened.text)
    whole = hashlib.sha256(line[1].encode()).hexdigest()
    assert f"Seal: `{whole}`" in opened.text
    assert whole.startswith(seal)
    assert line[1].startswith(f"deal {deal}, dealer ")
    assert f"salt {salt[1]}, " in line[1]
    return salt[1]


async def test_a_deals_seal_stands_from_the_first_and_once_it_is_over_all_that_opens_it_agrees(
    server: Server, ann: Player, di: Player, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Through restarts, with a pass and without, for all to see."""
    await server.deal(ann, ends_at=100)
    _, post = server.posts()
    assert post.says("Everyone passes 3 cards to the left")
    dealt, *_ = stored_moves(server)
    sealed = seals(server)
    assert set(sealed) == {1}

    def over() -> bool:
        assert seals(server)[1] == sealed[1]
        if not server.shows("After deal 1"):
            assert seals(server) == sealed
            assert dealt["salt"] not in said(server)
        return server.shows("After deal 1")

    await server.restart()
    await ann.pass_cards()
    await ann.play()
    await server.restart()
    await play_on([ann], over)
    scores, game = server.post("After deal 1"), await record_of(ann)
    assert [deal["seal"][:30] for deal in game["deals"]] == [seals(server)[1]]
    second = [move["salt"] for move in stored_moves(server) if "dealt" in move][1]
    assert check_answer(await ann.click("Check the deal", scores), 1, seals(server)[1]) == dealt["salt"]
    assert ["Check the deal" in post.enabled for post in server.posts()].count(True) == 1
    button = scores.buttons["Check the deal"]
    for forged in (2, 3, 0):
        button["custom_id"] = re.sub(r"\d+$", str(forged), button["custom_id"])
        assert await ann.try_press("Check the deal", scores) == refusal("stale")
    assert second not in said(server) + json.dumps(game)

    await deals_played([ann], lambda: server.shows("🏆"))
    sealed, game = seals(server), await record_of(ann)
    assert {deal["number"]: deal["seal"][:30] for deal in game["deals"]} == sealed
    assert len(set(sealed.values())) >= 4  # nobody passes in the fourth
    # Discord is the witness: it marks what was edited, and dates what was not.
    assert post.message.edited_timestamp is None
    assert not any(request.path.endswith(f"/messages/{post.id}") for request in server.requests)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(game))
    assert main(["verify", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == {"ok": True, "deals": len(sealed), "sealed": len(sealed)}
    last = game["deals"][-1]
    answer = await di.click("Check the deal", server.post("🏆"))  # who did not play may ask as well
    assert check_answer(answer, last["number"], sealed[last["number"]]) == last["salt"]
    post = server.opening(last["number"])
    assert answer.private[0].links == {"The sealed post": f"{server.address()}/{post.id}"}


# Before the seal stands


@pytest.fixture
async def last(open_server) -> Player:
    """Who plays, in the channel as all four do, the last card of a deal after which nobody passes."""
    rules = Ruleset.of("classic", 4, {"pass_cards": 0})
    server: Server = await open_server(arranged(rules, EVEN, EVEN))
    for player in server.people:
        player.close_dms()
    host = await server.seat(pace="none")
    await change_rules(host, pass_cards="0", early=False)
    await host.click("Start")
    for player in server.people:
        await player.open_hand()
    await moves_made(server, 51)
    assert server.to_play is not host  # who leads the next deal, and whose hand would move below its post
    return server.to_play


def shows_cards(hand: Seen) -> bool:
    """Whether it shows any card that its player holds."""
    return any(":play:" in one["custom_id"] for one in hand.buttons.values())


async def test_whose_click_ends_a_deal_sees_no_card_of_the_next_before_its_seal(last: Player) -> None:
    server = last.server
    button, weather = server.opening(1), Weather(server)
    weather.slow_down(POSTS)
    await last.play()
    assert not server.shows("### Deal 2")
    assert last.my_hand.says(HELD)
    for player in server.people:
        assert not shows_cards(player.my_hand)
    for number, player in enumerate(server.people):
        asked = player.run("hearts hand") if number % 2 else player.click("My hand", button)
        [hand] = (await asked).private
        assert hand.says(HELD)
        assert not shows_cards(hand)
    weather.clear_up()
    await server.env.advance_time(2 * SLOW)
    assert server.opening(2)
    for player in server.people:
        [hand] = [one for one in player.sees() if one.is_private and shows_cards(one)]
        assert hand.says("Your hand · Deal 2")


async def test_a_seal_that_comes_after_a_restart_lets_the_hand_come_then(
    last: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", 6.0)
    server = last.server
    server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=503, times=None)
    await last.play()
    assert last.my_hand.says(HELD)
    server.env.backend.faults.clear()
    await server.restart()
    assert server.opening(2)
    assert shows_cards((await last.run("hearts hand")).private[0])


async def test_while_the_bot_may_not_post_no_hand_is_shown_and_the_player_is_told_why(last: Player) -> None:
    server = last.server
    ann = server.people[0]
    server.deny(server.env.bot.user, "send_messages")
    await last.play()
    for player in (last, ann):
        assert not shows_cards(player.my_hand)
        assert (await player.run("hearts hand")).told == refusal("paused")
    server.deny(server.env.bot.user)  # gives it back
    await server.settle()
    assert server.opening(2)
    assert shows_cards(last.my_hand)
    assert shows_cards((await ann.run("hearts hand")).private[0])


async def test_no_hand_is_shown_without_its_seal(last: Player, caplog: pytest.LogCaptureFixture) -> None:
    """That is a bug, which is in the log: the game waits until it is mended, or somebody tries again."""
    server = last.server
    server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=400, code=50035)
    await last.play()
    assert "could not show deal2" in caplog.text
    caplog.clear()
    for player in server.people:
        assert (await player.run("hearts hand")).told == refusal("paused")
        assert not shows_cards(player.my_hand)
