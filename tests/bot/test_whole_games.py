"""Whole games, from the command that opens the table to the result, which can be shared, and a rematch."""

import re

import pytest
from at_once import deals_played
from games import add_computers
from manners import message_of
from people import Player, computer, play_on, refusal
from seen import totals
from server import MOON, OpenServer, Server, stacked

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

    answer = await server.people[1].click("Share", server.posts()[-1])
    assert not answer.public
    [shown] = answer.private
    before, text, after = shown.raw.split("```")
    assert (before.strip(), after) == ("Copy this and post it wherever you like:", "")
    heading, *lines, legend = (line.split() for line in text.strip().split("\n"))
    [deals] = re.findall(r"^🃏 Hearts, (\d+) deals?$", " ".join(heading))
    assert " ".join(legend) == "🟩 better than everyone's average, 🟨 about as good, 🟥 worse"
    assert [int(total) for _, _, total, _ in lines] == sorted(standings.values())
    assert {name: int(total) for _, name, total, _ in lines} == standings
    assert [len(deal) for *_, deal in lines] == [int(deals)] * 4
    assert lines[0][0] == "🥇"


async def test_a_moon_is_shared_after_the_end_and_no_name_breaks_out(open_server: OpenServer) -> None:
    server = await open_server(stacked(MOON), names=("```@everyone", "Bo", "Cy", "Di"))
    [shooter, *_] = server.people
    await server.deal(ends_at=20, pace="none")
    assert await shooter.try_control("hearts:lines:1", server.posts()[-1]) == refusal("stale")
    for player, codes in zip(server.people, ("4D 3D 2D", "", "", "QC KC AC"), strict=True):
        await player.pass_cards(codes)
    await deals_played(server.people, lambda: server.shows("wins!") or server.shows("win together!"))
    [shown] = (await shooter.click("Share", server.posts()[-1])).private
    assert "🥇 '''@\u200beveryone 0 🌕" in shown.raw
    assert shown.raw.count("```") == 2


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
