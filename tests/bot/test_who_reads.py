"""Who reads what: posts are in the table's or the server's language, and what one person sees in theirs."""

import re
from functools import partial

import pytest
from games import open_options
from people import Player, filled, refusal
from pseudo import Saying
from seen import Seen
from server import Server
from test_daily import elsewhere, play_all

from bot.local.simulation import set_server_locale
from bot.table.controls import SendForm
from bot.table.rules import TABLE_FORM
from engine.languages import LANGUAGES, REGIONS, Catalog

MARK = re.compile(r"⟨(\w\w)⟩")


def with_mark(code: str, sentence: str) -> str:
    """A sentence with its language: `Waiting for Ann.⟨de⟩`."""
    return f"{sentence}⟨{code}⟩" if sentence.count(" ") > 3 else sentence  # no label


@pytest.fixture(autouse=True)
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each language but English marks its sentences in these tests."""
    for language in (LANGUAGES | REGIONS).values():
        if language.words != "en":
            catalog = Catalog(Saying(partial(with_mark, language.words)))
            monkeypatch.setitem(vars(language), "catalog", catalog)


def languages(*seen: Seen) -> set[str]:
    """The languages in these messages."""
    return {mark for one in seen for mark in MARK.findall(f"{one.text} {' '.join(one.buttons)}")}


@pytest.fixture
async def chinese(server: Server, ann: Player) -> Server:
    """A Chinese server in which Ann is German."""
    server.speaks("zh-CN")
    ann.speaks("de")
    return server


async def test_a_german_in_a_chinese_server_who_prefers_french(
    chinese: Server, ann: Player, bo: Player
) -> None:
    assert languages(*(await ann.run("hearts new")).public) == {"zh"}
    assert languages(ann.dm) == {"de"}
    await bo.click("Join")
    for command in ("hearts rules", "hearts help", "hearts house"):
        assert languages(*(await ann.run(command)).private) == {"de"}, command
        assert languages(*(await bo.run(command)).private) == set(), command
    await ann.click("Start")
    hand, posts = ann.hand.text, [post.text for post in chinese.posts()]
    await chinese.stop_and_start()
    assert (ann.hand.text, [post.text for post in chinese.posts()]) == (hand, posts)
    for _ in range(2):
        assert languages(*chinese.posts()) == {"zh"}
        assert languages(ann.hand) == {"de"}
        assert languages(bo.hand) == set()
        assert languages(await ann.open_hand()) == {"de"}
        if ann.hand.asks_to_pass:
            await ann.pass_cards()
            await bo.pass_cards()
    page = await ann.prefer(language="fr")
    assert languages(page) == languages(ann.hand) == languages(ann.my_hand) == {"fr"}
    assert page.says("What only you see is in Français.")
    await chinese.restart()
    assert languages(ann.hand) == languages(await ann.open_hand()) == {"fr"}
    assert languages(*chinese.posts()) == {"zh"}
    await ann.prefer(language="discord")
    assert languages(ann.hand) == {"de"}
    ann.speaks("es-419")
    assert languages(await ann.open_hand()) == {"es"}
    assert (ann.id, "es-419") in chinese.rows("SELECT * FROM locales")


async def test_a_latecomers_hands_are_in_their_language(chinese: Server, ann: Player, bo: Player) -> None:
    bo.speaks("fr")
    await chinese.deal(ann)
    await ann.run("hearts leave")
    [which] = (await bo.click("Take a seat")).private
    await bo.choose("1", which)
    assert languages(bo.hand) == {"fr"}


async def test_a_host_may_choose_the_language_of_the_table(chinese: Server, ann: Player) -> None:
    [lobby] = (await ann.run("hearts new", language="fr")).public
    assert languages(lobby) == {"fr"}
    page = await open_options(ann, lobby)
    form = await ann.click("Length and pace", page)
    sent = {name: str(value) for name, value in filled(form).items()}
    assert sent["language"] == "fr"
    [before] = chinese.env.bot.tables.live
    action = str(SendForm(before.id, TABLE_FORM))
    ann.forge_form(action, page, **{name: sent[name] for name in sent if name != "language"})
    await chinese.settle()
    assert chinese.env.bot.tables.live[0].language.code == "fr"
    forged = ann.forge_form(action, page, **sent | {"language": "klingon"})
    await chinese.settle()
    assert MARK.sub("", forged.told) == refusal("stale")
    await ann.send(form, language="pt")
    assert languages(page.current) == {"de"}
    assert languages(*chinese.posts()) == {"pt"}
    await ann.click("Start")
    await chinese.stop_the_game()
    assert languages(*chinese.posts()) == {"pt"}


async def test_a_manager_may_choose_the_language_of_the_server(chinese: Server, ann: Player) -> None:
    max_ = chinese.add_manager()
    assert "Español" in (await max_.send(await max_.run("hearts settings"), language="es")).told
    assert languages(*(await ann.run("hearts new")).public) == {"es"}
    assert languages(ann.dm) == {"de"}
    assert "简体中文" in (await max_.send(await max_.run("hearts settings"), language="discord")).told
    assert languages(*chinese.posts()) == {"es"}  # an open table keeps its own
    await ann.click("Leave")
    assert languages(*(await ann.run("hearts new")).public) == {"zh"}


async def test_a_daily_game_is_told_in_its_players_language(chinese: Server, ann: Player) -> None:
    assert languages(*(await ann.run("hearts daily")).private) == {"de"}
    await ann.pass_cards(on=ann.my_hand)
    assert languages(ann.my_hand) == {"de"}
    [by_dm] = [label for label in ann.my_hand.buttons if "DM" in label]
    await ann.click(by_dm, ann.my_hand)
    assert languages(*ann.dms()) == {"de"}
    manager = chinese.add_manager()
    manager.speaks("fr")
    news = chinese.add_channel("news")
    assert languages(*(await manager.run("hearts daily", channel=news)).private) == {"fr"}
    assert languages(*chinese.posts(news)) == {"zh"}
    assert languages(*(await ann.run("hearts leaderboard")).public) == {"zh"}


async def test_a_result_is_shared_in_the_language_of_its_readers_server(chinese: Server, ann: Player) -> None:
    ann.has_dms = False
    await play_all(ann)
    in_another = elsewhere(chinese, ann.member.user)
    set_server_locale(chinese.env, in_another.member.guild.id, "fr")
    [result] = (await in_another.run("hearts daily")).private
    await in_another.click("Share", result)
    assert languages(*chinese.posts(in_another.at)) == {"fr"}
    assert chinese.posts() == []


async def test_where_a_server_has_no_language_a_table_speaks_its_hosts(server: Server, ann: Player) -> None:
    """Discord calls every server American that has not become a Community."""
    ann.speaks("de")
    assert languages(*(await ann.run("hearts new")).public) == {"de"}
    server.speaks("en-GB")
    await server.stop_the_game()
    assert languages(*(await ann.run("hearts new")).public) == set()
