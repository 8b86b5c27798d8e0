"""A game's posts cost few requests: what comes close together is shown together.

A post that lives moves down when it is old or others have written below it, and leaves nothing behind.
"""

from datetime import timedelta

import pytest
from discord.utils import time_snowflake, utcnow
from games import change_pace
from people import HAND, Player
from seen import Seen
from server import EVEN, PASSES, OpenServer, Server, stacked

from bot.delivery import posts, queue
from bot.delivery.building import Address
from bot.delivery.reposting import MIN_STAY, ForeignMessages, Reposting
from bot.table import deals, passing
from bot.vocabulary.messages import Button, Post
from bot.words.buttons import ShowHand

#: Longer than the simulation waits by itself.
WHILE = 30.0
HOUR = 3600.0
KEY = "deal9.board"


def requests(server: Server, method: str, path: str) -> int:
    """The number of requests to this path or below it."""
    return sum(one.method == method and one.path.startswith(path) for one in server.requests)


async def test_cards_close_together_cost_one_edit(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts, "SPACING", WHILE)
    server = await open_server()
    await server.deal_and_pass(pace="none")
    await server.env.advance_time(3 * WHILE)
    before = requests(server, "PATCH", f"/channels/{server.channel.id}/")
    for _ in range(3):
        await server.to_play.play()
    assert requests(server, "PATCH", f"/channels/{server.channel.id}/") == before + 1
    assert cards_shown(server) == 1
    await server.env.advance_time(WHILE)
    assert requests(server, "PATCH", f"/channels/{server.channel.id}/") == before + 2
    assert cards_shown(server) == 3


def cards_shown(server: Server) -> int:
    """How many cards of the trick the deal's post shows."""
    return server.post("Trick 1").text.count("`") // 2


async def test_a_hand_comes_at_once_and_who_still_chooses_is_told_by_and_by(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passing, "WATCHING", WHILE)
    await server.deal(pace="none")
    assert ann.hand.says("Choose 3 cards to pass")
    await ann.pass_cards()
    await bo.pass_cards()
    assert ann.hand.says("Still choosing: Bo, Cy and Di.")
    await server.env.advance_time(WHILE + 1)
    assert ann.hand.says("Still choosing: Cy and Di.")


async def test_a_hand_in_the_channel_comes_below_a_new_board_only_when_it_is_asked(
    open_server: OpenServer,
) -> None:
    server = await open_server(stacked(EVEN))
    ann, bo, *_ = server.people
    bo.close_dms()
    await server.deal(pace="none")
    await bo.open_hand()
    for player, codes in zip(server.people, PASSES, strict=True):
        await player.pass_cards(codes)
    board = server.post("Trick 1")
    assert bo.my_hand.says("Not your turn yet.")
    assert bo.my_hand.id < board.id
    await ann.play("2C")
    assert bo.my_hand.says("Your turn")
    assert bo.sees()[-1].id == bo.my_hand.id > board.id


async def test_a_new_board_waits_for_a_forced_lead(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "OPENS", 2 * WHILE)
    monkeypatch.setattr("engine.tables.flow.FORCED_PLAYS", WHILE)
    await server.deal_and_pass(pace="none")
    assert not server.shows("Trick 1")
    before = requests(server, "PATCH", f"/channels/{server.channel.id}/")
    await server.env.advance_time(WHILE + 1)
    assert cards_shown(server) == 1
    assert requests(server, "PATCH", f"/channels/{server.channel.id}/") == before


async def test_a_finished_trick_lies_there_before_a_computer_leads(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts, "MOMENT", WHILE)
    await server.deal_and_pass(ann, pace="none")
    while not ann.playable:
        await server.env.advance_time(WHILE)
    await server.env.advance_time(WHILE + 1)
    for _ in range(3):  # playing on at once doesn't hide it
        await ann.play()
        assert listed(server) == (1, True)
    await server.env.advance_time(WHILE + 1)
    assert listed(server) == (3, True)
    seen = 0
    for trick in range(4, 9):
        await server.env.advance_time(WHILE + 1)
        await ann.play()
        assert listed(server) == (trick, True)
        assert ann.hand.says("Your turn")  # the hand does not wait
        await server.env.advance_time(WHILE + 1)
        seen += not listed(server)[1]
    assert seen  # computers led now and then


def listed(server: Server) -> tuple[int, bool]:
    """How many tricks are finished by the deal's post, and whether the last one still lies on the table."""
    board = server.post("Deal 1 · Trick")
    finished = board.tricks[-1].number if board.tricks else 0
    return finished, board.says(f"Deal 1 · Trick {finished}")


# When a post moves down


async def show(server: Server, text: str, moment: int) -> None:
    """Let the board of the table in this channel look so."""
    table = server.stored()["tables"][0]["id"]
    row = (Button("My hand", ShowHand(table)),)
    post = Post((f"board {text}", row), repost_on_change_of=moment)
    with server.env._bot_scope():
        server.env.bot.delivery.posts.at(table, server.channel.id).show(KEY, post)
    await server.settle()


def boards(server: Server) -> list[Seen]:
    return [post for post in server.posts() if post.text.startswith("board")]


def board(server: Server) -> Seen:
    [found] = boards(server)
    return found


def hands(player: Player) -> list[int]:
    """The ids of the hands that the player sees in the channel."""
    return [one.id for one in player.sees() if one.is_private and HAND in one.text]


async def write(server: Server, player: Player) -> None:
    """Someone writes below, and someone uses a command, which tells the bot."""
    await server.env.advance_time(2)
    await player.member.send(server.channel, "Nice weather")
    await player.run("hearts help")


@pytest.fixture
async def first(server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch) -> Seen:
    """The board of Ann's table, a minute after it was sent."""
    monkeypatch.setattr(queue, "FIRST_WAIT", WHILE)
    await server.deal(ann, pace="none")
    await show(server, "a", 0)
    await server.env.advance_time(61)
    return board(server)


def test_it_moves_with_a_new_trick_if_it_is_old_or_above_others_and_at_most_once_a_minute() -> None:
    foreign, now = ForeignMessages(), [0.0]
    reposting = Reposting(foreign, lambda: now[0])
    foreign.watch(1)
    old, young = ((1, time_snowflake(utcnow() - timedelta(hours=hours), high=True)) for hours in (2, 0))

    def is_due(trick: int, address: Address) -> bool:
        return reposting.is_due((1, KEY), Post(("",), repost_on_change_of=trick), address)

    assert [is_due(trick, old) for trick in (0, 0, 1)] == [False, False, True]
    assert not is_due(1, young)
    foreign.note_newest(1, young[1] + 1)
    assert not is_due(1, young)  # it was well placed when this trick began
    assert is_due(2, young)
    reposting.sent((1, KEY), Post(("",), repost_on_change_of=2))
    now[0] = MIN_STAY - 1
    assert [is_due(trick, young) for trick in (2, 3)] == [False, False]
    now[0] = MIN_STAY
    assert [is_due(trick, young) for trick in (2, 3)] == [False, True]


def test_a_message_heard_of_before_its_answer_is_ours_all_the_same() -> None:
    """A click can arrive before Discord has answered the request that sent the message."""
    foreign = ForeignMessages()
    foreign.watch(1)
    older, newer = time_snowflake(utcnow(), high=True) + 1, time_snowflake(utcnow(), high=True) + 2
    foreign.note_newest(1, newer)
    assert foreign.has_others(1, older)
    foreign.wrote(1, newer)
    assert not foreign.has_others(1, older)


@pytest.mark.parametrize(
    ("status", "code", "later", "after_restart"), [(403, 50013, 2, 1), (404, 10008, 2, 2), (503, 0, 1, 1)]
)
async def test_an_old_board_that_cannot_be_deleted_is_left_or_deleted_later(
    server: Server, first: Seen, status: int, code: int, later: int, after_restart: int
) -> None:
    path = f"/channels/{first.channel}/messages/{first.id}"
    server.env.inject_error("DELETE", path, status=status, code=code)
    await server.env.advance_time(HOUR)
    await show(server, "b", 1)
    assert [one.text for one in boards(server)] == [first.text, "board b"]
    await server.env.advance_time(WHILE + 1)
    await show(server, "c", 1)
    assert boards(server)[-1].says("board c")
    assert len(boards(server)) == later
    assert requests(server, "DELETE", path) == 3 - later
    assert not server.stored()["tables"][-1]["paused"]
    await server.restart()
    assert len(boards(server)) == after_restart


async def test_a_hand_that_is_asked_for_again_stands_once(server: Server, ann: Player, first: Seen) -> None:
    """Nobody can tell which of two that look alive is out of date."""
    for _ in range(2):
        await ann.click("My hand", first)
        assert hands(ann) == [ann.my_hand.id]
    await ann.run("hearts hand")
    assert hands(ann) == [ann.my_hand.id]

    await server.env.advance_time(16 * 60)  # Discord lets nobody take it away any more
    await ann.click("My hand", first)
    assert len(hands(ann)) == 2


async def test_my_hand_edits_the_board_for_a_quarter_hour(server: Server, ann: Player, first: Seen) -> None:
    before = requests(server, "PATCH", "/channels/")
    answer = await ann.click("My hand", first)
    assert answer.private[0].says("Your hand")
    await server.env.advance_time(14 * 60)
    await show(server, "b", 0)
    assert board(server).says("board b")
    assert requests(server, "PATCH", "/channels/") == before
    await server.env.advance_time(2 * 60)
    await show(server, "c", 0)
    assert board(server).says("board c")
    assert requests(server, "PATCH", "/channels/") == before + 1
    await ann.click("My hand", board(server))
    await write(server, ann)
    for text in "de":
        await show(server, text, 1)
        assert board(server).says(f"board {text}")


# In a game


def shown_deal(server: Server) -> Seen:
    """The only message that shows the first deal."""
    [found] = [post for post in server.posts() if "Deal 1 · Trick" in post.text]
    return found


async def test_the_board_of_a_deal_moves_when_the_next_trick_begins(server: Server, ann: Player) -> None:
    await server.deal_and_pass(pace="none")
    first = shown_deal(server)
    await server.env.advance_time(61)
    await server.to_play.play()
    await write(server, ann)
    for _ in range(2):
        await server.to_play.play()
        assert shown_deal(server).id == first.id
    await server.to_play.play()
    moved = shown_deal(server)
    assert moved.id == server.posts()[-1].id > first.id
    assert moved.says("Deal 1 · Trick 1")  # complete, and who leads the next
    await server.to_play.play()
    assert shown_deal(server).id == moved.id


async def test_the_bots_own_messages_do_not_move_it(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    first = shown_deal(server)
    await server.env.advance_time(61)
    await change_pace(ann, server, "daily")
    await ann.open_hand()
    while "Deal 1 · Trick 3" not in shown_deal(server).text:
        await server.env.advance_time(31)  # calls come and go
        await (ann if ann.playable else bo).play()
    assert shown_deal(server).id == first.id


async def test_a_hand_follows_the_board_which_stays_above_the_next_deal(server: Server, ann: Player) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann, pace="none")
    first = shown_deal(server)
    await server.env.advance_time(61)
    await write(server, ann)
    while shown_deal(server).id == first.id:
        await ann.play()
    [hand] = hands(ann)
    assert hand > shown_deal(server).id
    while not server.shows("After deal 1"):
        before = shown_deal(server)
        await server.env.advance_time(61)
        await write(server, ann)
        await ann.play()
    assert shown_deal(server).id == before.id < server.post("Deal 2").id


async def test_a_new_message_costs_one_request(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    for place in (server.opening(1), ann.hand):
        path = f"/channels/{place.channel}/messages"
        deleted = requests(server, "DELETE", path)
        left = len(server.messages(place.channel)) - (place.channel == server.channel.id)
        assert requests(server, "POST", path) == left + deleted
    await ann.run("hearts leave")
    left = server.post("Ann has left")
    assert requests(server, "PATCH", f"/channels/{left.channel}/messages/{left.id}") == 0
