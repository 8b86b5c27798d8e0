"""Names are shown as they are, and do nothing."""

import re
import unicodedata

import pytest
from at_once import deals_played
from games import add_computers
from manners import CALL, message_of, text_of
from people import Player, computer, play_on
from seen import totals
from server import Server, Sketches
from test_replay import record_of

from bot.vocabulary.scenes import TableScene
from bot.words.text import short
from engine.languages import ENGLISH
from engine.names import look_of

WICKED = (
    *("@everyone", "**`x`**||y||", "<@12345>", "[a](https://x.yz)", "https://a.bc/_**x**_"),
    *("```\n# big", "a\nb\n> c", "\\", "~~__no__~~", "-# small", "@here <#1> <t:0>", "🂡" * 32),
    *("[**b**||c||](x)", "steam://run/1", "\u202edrahciR", "\u2066a\u200b\u2028b\u0085c\u2029d"),
    *("{who}", "{0}", "{count} {x", "}%(who)s"),
)
LONG = "Maximiliane Annabella Constanze"
#: Of these nobody would see anything.
UNSEEN = ("\u202e", "\u3164\u3164", "\u2800 \u200d", "\u0301")
#: The bot's own: one keeps @everyone from being called, two keep what is written from the right to itself.
OWN = "\u200b\u2068\u2069"


def check_harmless(text: str) -> None:
    """No name has become a mention, a layout or a link of its own, nor steers how the rest is shown."""
    steering = {sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp")}
    assert steering <= {"\n", *OWN}
    text = re.sub(r"[Dd]eadline <t:\d+:R>", "", CALL.sub("", text))
    text = re.sub(r"\|\|[0-9a-f]+\|\|", "", text)  # a seal in its spoiler
    assert text.count("```") % 2 == 0
    text = re.sub(r"```.*?```|\\.", "", text, flags=re.DOTALL)  # code and what is escaped do nothing
    for words in ("@everyone", "@here", "<@", "<#1>", "<t:", "[a](", "||", "~~", "__", "`x`", "_**x", "://"):
        assert words not in text
    for line in text.split("\n"):
        assert not line.startswith(("# big", "> c", "-# small"))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, len(WICKED), 4))
async def test_wicked_names_are_harmless_in_every_message(open_server, start: int) -> None:
    server: Server = await open_server(names=WICKED[start : start + 4])
    await server.deal(ends_at=1)
    ann, bo, *_ = server.people
    await ann.run("hearts scores")
    assert "Only" in (await bo.click("Options", server.post("Seats"))).told
    await bo.run("hearts end")
    await bo.run("hearts leave")
    await bo.click("I'm back")
    await play_on(server.people, lambda: server.shows("Trick 2"))
    await deals_played(server.people, lambda: server.shows("🏆"))
    await ann.run("hearts leaderboard")
    for player in server.people:
        await player.run("hearts stats", player=player.member)
    texts = [text_of(message) for one in server.requests if (message := message_of(one))]
    assert len(texts) > 50
    for text in texts:
        check_harmless(text)


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        (("A*n*n", "B_o", "C`y", "D|i"), "1. A\\*n\\*n · host\n2. B\\_o\n3. C\\`y\n4. D\\|i"),
        (UNSEEN, "1. (no name) · host\n2. (no name) (2)\n3. (no name) (3)\n4. (no name) (4)"),
        (  # emoji and scripts keep the joiners that they are made with
            ("👨\u200d👩\u200d👧 home", "ශ්\u200dරී", "A\u200dn\u200cn"),
            "1. 👨\u200d👩\u200d👧 home · host\n2. ශ්\u200dරී\n3. Ann",
        ),
        ((LONG, LONG), f"1. {LONG} · host\n2. {LONG} (2)"),
    ],
    ids=["escaped", "unseen", "joined", "long"],
)
async def test_a_name_can_still_be_read(open_server, names: tuple[str, ...], seats: str) -> None:
    server: Server = await open_server(names=names)
    await server.seat(*server.people)
    assert seats in server.post("Seats").text


APART = ("Sam", "sam (2)", "Sam (3)", "Ｓａｍ (4)")


@pytest.mark.slow
async def test_people_of_one_name_can_be_told_apart(open_server) -> None:
    alike = ("Sam", "sam", "S\u200bam", "Ｓａｍ")  # to the eye
    server: Server = await open_server(names=alike, sketches=Sketches())
    await server.deal_and_pass(ends_at=1)
    assert server.post("Seats").says("1. Sam · host 2. sam (2) 3. Sam (3) 4. Ｓａｍ (4)")
    await server.to_play.play()
    [table] = [scene for scene in server.scenes(server.posts()[-1]) if isinstance(scene, TableScene)]
    assert {seat.name for seat in table.places} == set(APART)
    await deals_played(server.people, lambda: server.shows("🏆"))
    assert set(totals(server.post("🏆").text)) == set(APART)
    scores = (await server.people[0].run("hearts scores")).told
    assert all(f"**{name}**" in scores for name in APART)
    record = await record_of(server.people[0])
    assert tuple(map(look_of, record["seats"])) == tuple(map(look_of, APART))


async def test_someone_who_takes_a_seat_is_told_from_the_players(open_server) -> None:
    server: Server = await open_server(names=("Sam", "Bo", "Sam"))
    sam, bo, other = server.people
    await server.deal(sam, bo)
    [choice] = (await other.click("Take a seat", server.opening(1))).private
    await other.choose("2", choice)
    assert server.shows("Sam (2) takes the seat of")


def test_the_number_of_a_long_name_is_not_cut_off() -> None:
    assert short(f"{LONG} (2)", ENGLISH) == "Maximil… (2)"


async def test_a_computer_is_called_like_nobody_else_at_the_table(open_server) -> None:
    server: Server = await open_server(names=("Lola", "hugo"))
    first, second = server.people
    await first.run("hearts new")
    await add_computers(first, "Medium", "Medium")
    assert server.post("Seats").says(f"1. Lola · host 2. {computer('Hugo')} 3. {computer('Nina')}")
    await second.click("Join")
    await first.click("Start")
    assert server.post("Seats").says(f"1. Lola · host 2. {computer('Kofi')} 3. {computer('Nina')} 4. hugo")


async def test_the_next_table_has_other_computers(server: Server, ann: Player) -> None:
    for thread in ("one", "two", "three"):
        ann.at = server.add_thread(thread)
        await ann.run("hearts new")
        await ann.click("Start")
    names = [row["name"] for row in server.stored()["seats"] if row["person"] is None]
    assert len(set(names)) == len(names) == 9


@pytest.mark.slow
async def test_figures_stand_behind_names_of_any_script_and_length(open_server) -> None:
    """One that is written from right to left leaves them where they are.

    A line of the leaderboard has room for twelve columns of a name, which is cut between its signs.
    """
    names = ("👩\u200d🚀" * 16, "王" * 20, "Ba\u0308" * 12, LONG, "עדה")
    server: Server = await open_server(names=names)
    ann = server.people[0]
    await server.deal(*server.people, game="wikibooks", players=5, ends_at=1)
    await deals_played(server.people, lambda: server.shows("🏆"))
    scores = (await ann.run("hearts scores")).told
    shown = (*names[:4], "\u2068עדה\u2069")
    assert set(totals(server.post("🏆").text)) == set(shown)
    for name in shown:
        assert re.search(rf"^\*\*{name}\*\* \*\*−?\d+\*\*: [+−]?\d+$", scores, re.MULTILINE), scores
    [board] = (await ann.run("hearts leaderboard")).public
    for name in ("👩\u200d🚀" * 5 + "…", "王" * 5 + "…", "Ba\u0308" * 5 + "B…", "Maximiliane…", shown[4]):
        assert f" **{name}** · " in board.text
