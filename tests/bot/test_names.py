"""Names are shown as they are, and do nothing."""

import re

import pytest
from manners import CALL, message_of, text_of
from people import play_on
from server import Server

WICKED = (
    "@everyone",
    "**`x`**||y||",
    "<@12345>",
    "[a](https://x.yz)",
    "https://a.bc/_**x**_",
    "```\n# big",
    "a\nb\n> c",
    "\\",
    "~~__no__~~",
    "-# small",
    "@here <#1> <t:0>",
    "🂡" * 32,
)


def harmless(text: str) -> None:
    """No name has become a mention, a layout or a link of its own."""
    text = re.sub(r"until <t:\d+:t>", "", CALL.sub("", text))
    assert text.count("```") % 2 == 0
    text = re.sub(r"```.*?```|\\.", "", text, flags=re.DOTALL)  # code and what is escaped do nothing
    for words in ("@everyone", "@here", "<@", "<#1>", "<t:", "[a](", "||", "~~", "__", "`x`", "_**x"):
        assert words not in text
    for line in text.split("\n"):
        assert not line.startswith(("# big", "> c", "-# small"))


@pytest.mark.parametrize("start", range(0, len(WICKED), 4))
async def test_wicked_names_are_harmless_in_every_message(open_server, start: int) -> None:
    server: Server = await open_server(names=WICKED[start : start + 4])
    await server.deal(ends_at=1)
    ann, bo, *_ = server.people
    await ann.run("hearts scores")
    assert "Only" in (await bo.run("hearts stop")).told
    await bo.run("hearts leave")
    await bo.click("I'm back")
    await play_on(server.people, lambda: server.shows("🏆"))
    await ann.run("leaderboard")
    for player in server.people:
        await player.run("stats", player=player.member)
    texts = [text_of(message) for one in server.requests if (message := message_of(one))]
    assert len(texts) > 100
    for text in texts:
        harmless(text)


async def test_a_name_can_still_be_read(open_server) -> None:
    server: Server = await open_server(names=("A*n*n", "B_o", "C`y", "D|i"))
    await server.seat()
    assert "1. A\\*n\\*n · host\n2. B\\_o\n3. C\\`y\n4. D\\|i" in server.post("Seats").text


async def test_the_name_of_this_server_is_used(server: Server) -> None:
    nicky = server.add("Nicola", nick="Nicky")
    await nicky.run("hearts new")
    assert server.post("Seats").says("1. Nicky · host")


async def test_a_person_called_like_a_computer_is_no_computer(open_server) -> None:
    server: Server = await open_server(names=("Computer 1",))
    [person] = server.people
    await server.deal(person)
    assert server.post("Seats").says("1. Computer 1 · host 2. 🤖 Computer 1")


async def test_names_of_any_length_stand_below_each_other(open_server) -> None:
    server: Server = await open_server(names=("Maximiliane Anna", "Bo"))
    await server.deal(*server.people, ends_at=1)
    await play_on(server.people, lambda: server.shows("🏆"))
    await server.people[0].run("leaderboard")
    for shown in (server.post("🏆"), server.post("Leaderboard")):
        lines = [line for line in shown.text.split("```")[1].strip("\n").split("\n") if line[0].isdigit()]
        assert len({re.match(r"\d+\. +", line).end() for line in lines}) == 1  # type: ignore[union-attr]
