"""What plays itself: a card without an alternative after a while, the rest of a decided deal at once.

Whoever has shot the moon may choose, and a moon that threatens is pointed out, if wanted.
"""

import re

import pytest
from at_once import all_pass, moves_made
from games import change_rules, deal_in_full, open_table
from people import Player, refusal
from seen import totals
from server import OpenServer, Server

from bot.table import playing
from engine.cards import Suit
from engine.play.game import Game
from engine.play.moves import Played

pytestmark = pytest.mark.slow

#: Seconds; longer than the simulation waits by itself.
WHILE = 30.0
TRICKS = 13
#: Bo leads 2♣; Ann takes every trick but the last with a club. Her 2♦ beats nothing, so she hasn't the rest.
#: Two each throw a heart on all but the first.
HANDS = (
    "2D 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2C 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2S 3S 4S 5S 6S 7S QS 2H 3H 4H 5H 6H 7H",
    "8S 9S TS JS KS AS 8H 9H TH JH QH KH AH",
)
#: So many tricks take all points: those of 13 hearts, two a trick, and of Q♠, after one without any.
SETTLED = 8
PLAYED_OUT = f"After trick {SETTLED} no points were left, so the deal finished itself."
#: After the first trick Ann has nothing but the highest clubs.
ALL_HERS = (
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    *HANDS[2:],
)
POINTED_OUT = "👀 Ann has taken every point so far."
CLAIMED = "After trick 1 the rest was sure to go to Ann, so the deal finished itself."


async def play_tricks(server: Server, count: int) -> None:
    """Play this many tricks, with a point in each as long as there is one."""
    await moves_made(server, count * len(server.people), points_first)


def points_first(game: Game, seat: int) -> Played:
    legal = game.deals[-1].legal(seat)
    return Played(seat, next((one for one in legal if one.suit is Suit.HEARTS or one.code == "QS"), legal[0]))


def settings(server: Server) -> list[tuple[bool, bool]]:
    """Of each table, whether computers finish its deals, and whether it points out moons."""
    return [(row["finishes_early"], row["points_out_moons"]) for row in server.stored()["tables"]]


async def test_the_rest_of_a_deal_without_points_is_played_at_once(open_server: OpenServer) -> None:
    """The log holds every card; after which trick it was isn't told before the deal is done."""
    server = await open_table(open_server, "classic", 4, HANDS, house={"pass_cards": 0, "moon": "others"})
    for trick in range(1, SETTLED):
        await play_tricks(server, 1)
        [table] = server.env.bot.tables.live
        assert table.public.view.deal.settled_after is None
        assert server.shows(POINTED_OUT) == (trick > 1)  # which has Q♠
    assert server.plays == 4 * (SETTLED - 1)
    await play_tricks(server, 1)
    assert server.plays == 4 * TRICKS
    assert server.shows("After deal 1")
    assert server.shows(PLAYED_OUT)
    assert not server.shows("sure to go")
    assert not server.shows(POINTED_OUT)
    assert server.people[0].hand.says("Deal 2")
    [table] = server.env.bot.tables.live
    assert table.game.points == ((0, 26, 26, 26),)
    assert all(trick.entries == () for trick in table.game.deals[0].tricks[SETTLED:])


async def test_where_the_rest_is_theirs_they_choose_after_it_is_played(open_server: OpenServer) -> None:
    """However often they press."""
    server = await open_table(open_server, "classic", 4, ALL_HERS, house={"pass_cards": 0}, ends_at=1)
    ann = server.people[0]
    await play_tricks(server, 1)
    assert server.plays == 4 * TRICKS
    assert not server.shows("Points in deal 1")
    assert server.shows(CLAIMED)
    assert not server.shows("no points were left")
    await server.restart()
    hand = ann.hand
    answers = [ann.press("+26 for the others", hand) for _ in range(3)]
    await server.settle()
    assert [answer.told for answer in answers] == ["", *[refusal("table_gone")] * 2]
    assert ann.hand.enabled == ["Replay"]
    assert server.post("shoots the moon").says("Everyone else gets +26.")
    assert not server.post("Points in deal 1").says("shoots the moon")  # it stands right above
    assert sum(post.says("Everyone else gets +26") for post in server.posts()) == 1
    assert totals(server.post("🏆").text) == {"Ann": 0, "Bo": 26, "Cy": 26, "Di": 26}


async def test_the_shooter_alone_chooses_before_a_deadline(open_server: OpenServer) -> None:
    house = {"pass_cards": 0, "ends_at": 1}
    server = await open_table(open_server, "classic", 4, ALL_HERS, house=house, pace="live")
    ann, bo, *_ = server.people
    ann.has_dms = False
    await ann.open_hand()
    await play_tricks(server, 1)
    asked, post, before = ann.hand, server.post("shoots the moon"), server.stored()
    assert asked.says("You shot the moon! Choose:")
    assert asked.enabled == ["−26 for me", "+26 for the others"]
    assert bo.hand.enabled == []
    assert "**Ann** chooses: −26 for the shooter, or +26 for everyone else." in post.text
    for text in (post.text, asked.text):
        assert re.search(r"(or \+26 for everyone else\.|Choose:)\n-# Deadline <t:\d+:R>", text)
    assert await bo.try_press("+26 for the others", asked) == refusal("no_moon_choice")
    assert server.stored() == before
    first, second = ann.press("−26 for me", asked), ann.press("+26 for the others", asked)
    await server.settle()
    assert first.told == ""
    assert second.told.startswith(refusal("stale"))
    assert server.post("shoots the moon").says("Ann takes −26.")
    assert server.post("After deal 1").says("🟢 Ann −26 → −26")  # and nobody has reached 1
    assert ann.hand.says("Your hand · Deal 2")


async def test_where_the_table_wants_it_every_card_is_played_and_nothing_pointed_out(
    open_server: OpenServer,
) -> None:
    """Also after a restart and in a rematch."""
    house = {"pass_cards": 0, "moon": "others", "early": False, "moons": False, "ends_at": 1}
    server = await open_table(open_server, "classic", 4, HANDS, house=house)
    ann = server.people[0]
    await server.restart()
    await play_tricks(server, SETTLED - 1)
    assert not server.shows("👀")
    await play_tricks(server, 1)
    assert server.plays == 4 * SETTLED
    await play_tricks(server, TRICKS - SETTLED)
    assert server.shows("Points in deal 1")
    assert not server.shows("no points were left")
    await ann.click("Rematch")
    assert settings(server) == [(False, False)] * 2


async def test_the_host_decides_and_the_rules_say_how(server: Server, ann: Player, bo: Player) -> None:
    at_once = "Once all points are taken or sure to go to one player, the deal finishes itself."
    to_the_end = "Each deal is played to its last card, even when no points are left in it."
    unnamed = "The table doesn't point out a player"
    await server.seat()
    for chosen in ((True, True), (False, True), (True, False)):
        await change_rules(ann, early=chosen[0], moons=chosen[1])
        [page] = (await bo.click("Rules")).private
        assert (page.says(at_once), page.says(to_the_end)) == (chosen[0], not chosen[0])
        assert page.says(unnamed) != chosen[1]
        assert settings(server) == [chosen]
    form = await ann.click("Hints and deals", (await ann.click("Options")).private[0])
    await ann.click("Start")
    assert (await ann.send(form, switches=["moons"])).told == refusal("already_started")
    assert settings(server) == [chosen]


# What has only one answer


@pytest.fixture(autouse=True)
def plays_itself(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.tables.flow.FORCED_PLAYS", WHILE)


async def wait(server: Server) -> None:
    await server.env.advance_time(WHILE + 1)


async def test_the_opening_lead_plays_itself_once_whatever_happens_meanwhile(server: Server) -> None:
    await server.deal_and_pass(pace="live")  # whose players are reminded after half a minute
    leader = server.to_play
    before = leader.hand
    assert before.says("You lead with 2♣, which plays itself in a second.")
    await server.env.advance_time(WHILE - 1)
    await server.restart()
    assert server.plays == 0
    await wait(server)
    assert server.plays == 1
    assert server.post("Trick 1").says("2♣")
    assert "2♣︎" not in leader.hand.buttons
    # A click that crosses the card is answered as if it had played it.
    assert await leader.try_press("2♣︎", before) == ""
    await server.restart()
    assert not server.shows("the table is waiting for you")
    await server.env.advance_time(31)
    assert server.shows("the table is waiting for you")
    assert server.plays == 1


async def test_the_last_cards_play_themselves_one_after_the_other_and_hands_are_edited_at_most_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deal_in_full(server, pace="none")
    await moves_made(server, 48)
    monkeypatch.setattr(playing, "PASSING_BY", 2 * WHILE)
    await server.to_play.play()  # the last trick is open: from here on nobody has to click
    before = len(server.requests)
    for number in (50, 51):
        await wait(server)
        assert server.plays == number
    await wait(server)
    assert server.shows("After deal 1")
    posts = f"/channels/{server.channel.id}/messages"
    edits = [one for one in server.requests[before:] if one.method == "PATCH"]
    # Through the token of a click or the bot's own: the hands of the three who have not clicked.
    assert len([one for one in edits if not one.path.startswith(posts)]) <= 3
    assert all(not player.playable for player in server.people)


async def test_a_card_of_which_only_its_player_knows_that_it_is_forced_waits(server: Server) -> None:
    """Until they want every forced card to play itself, and have not changed their mind."""
    await server.deal(pace="none")
    await all_pass(server)
    await server.to_play.play()
    while len((player := server.to_play).playable) > 1:
        await player.play()
    before = server.plays
    assert before < 48
    for other in server.people:
        await other.prefer(forced="every")
    await player.prefer(forced="known")
    await wait(server)
    assert server.plays == before
    await player.prefer(forced="every")  # while the card already waits
    [label] = player.playable
    told = f"You have no choice: {label}, which plays itself in a second."
    assert player.hand.says(told.replace("\ufe0e", ""))
    await wait(server)
    assert server.plays == before + 1
    assert label not in player.hand.buttons
