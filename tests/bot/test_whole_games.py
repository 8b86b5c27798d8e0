"""Whole games, from the command that opens the table to the winner's name."""

import pytest
from at_once import deals_played
from games import add_computers
from manners import message_of
from people import Player, computer, play_on
from seen import totals
from server import Server

pytestmark = pytest.mark.slow


async def test_four_people_play_to_the_end(server: Server) -> None:
    await server.deal(ends_at=14)
    await play_on(server.people, lambda: server.shows("🏆"))
    standings = totals(server.post("🏆").text)
    assert set(standings) == {"Ann", "Bo", "Cy", "Di"}
    assert max(standings.values()) >= 14
    for player in server.people:
        assert player.hand.says("The game is over. 🏆")
        assert player.hand.enabled == ["Replay"]
    for request in server.requests:
        message = message_of(request)
        assert not (message and (message["allowed_mentions"] or {}).get("users")), "they play at once"


async def test_people_play_by_dm_or_in_public(server: Server, ann: Player, bo: Player, di: Player) -> None:
    bo.close_dms()
    await server.deal(ends_at=1)
    await bo.open_hand()
    di.has_dms = False  # who has DMs may play in the channel all the same
    await di.open_hand()
    await ann.open_hand()

    def is_over() -> bool:
        assert ann.my_hand.text == ann.hand.text
        assert ann.my_hand.buttons == ann.hand.buttons
        return server.shows("🏆")

    await play_on(server.people, is_over)
    for player in server.people:
        assert "The game is over." in player.hand.text


async def test_a_rematch_seats_the_same_people_and_computers(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, ends_at=1, jack_of_diamonds=True)
    await add_computers(ann, "Easy")
    await bo.click("Join")
    await ann.click("Start")
    lola, hugo = computer("Lola", "easy"), computer("Hugo", "easy")
    assert server.post("Seats").says(f"1. Ann · host 2. {lola} 3. Bo 4. {hugo}")
    await play_on([ann, bo], lambda: server.shows("🏆"))
    [lobby] = (await bo.click("Rematch")).public
    assert lobby.says(f"Seats (4 of 4) 1. Ann 2. {lola} 3. Bo · host 4. {hugo}")
    assert lobby.says("J♦ −10")
    assert lobby.says("over when a total reaches 1")
    assert sum(totals(server.post("🏆").text).values()) % 26 in (0, 16)  # with J♦ −10
    await bo.click("Start", lobby)
    await deals_played([ann, bo], lambda: "🏆" in server.posts()[-1].text)
    assert len(server.stored()["results"]) == 4
