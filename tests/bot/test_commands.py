"""Slash commands: how Discord is told of them, in all languages, and those that ask about a table."""

import re
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest
from catalogs import source
from moments import played
from pages import answer_oddly
from people import Player, refusal
from server import Server

from bot.provisioning import SYNCED, sync
from bot.table import scores
from engine.languages import LANGUAGES, REGIONS, Catalog, by_code

#: Discord's limits: characters of a description or a choice, and of all texts of a command together.
LONGEST, LONGEST_COMMAND = 100, 8000
#: How Discord names the languages that we know, besides English.
LOCALES = {"de", "es-ES", "es-419", "fr", "pt-BR", "zh-CN", "zh-TW"}


def synced(server: Server) -> list[Any]:
    """The commands of each sync so far."""
    return [one.body for one in server.requests if one.method == "PUT" and one.path.endswith("/commands")]


# What they answer


async def test_help_and_the_page_for_players_name_every_command(ann: Player) -> None:
    [help] = (await ann.run("hearts help")).private
    assert help.enabled == ["How to play", "All commands"]
    assert help.says("Each heart counts 1, Q♠ 13. Lowest total wins; over when a total reaches 100.")
    answer = await ann.click("All commands", help)
    assert not answer.public
    available = set(ann.member.available_commands(ann.at))
    assert set(re.findall(r"^- `/([a-z ]+)`", answer.told, re.MULTILINE)) == available
    page = (Path(__file__).parents[2] / ".github" / "PLAYING.md").read_text()
    assert sorted(re.findall(r"^\| `/([a-z ]+)`", page, re.MULTILINE)) == sorted(available)


async def test_before_and_in_a_game_they_answer_in_private(server: Server, ann: Player, bo: Player) -> None:
    for command in ("hand", "scores", "rules", "leave", "end"):
        assert (await ann.run(f"hearts {command}")).told == refusal("no_table"), command
    await server.seat(ann, game="chinese", ends_at=420)
    [help] = (await ann.run("hearts help")).private
    assert help.says("## ♥ Chinese Hearts")
    assert help.says("Q♠ −100, J♦ +100")
    assert (await ann.run("hearts hand")).told.startswith(refusal("not_started"))
    assert "No deal is complete yet: everyone has 0." in (await ann.run("hearts scores")).told
    [rules] = (await ann.run("hearts rules")).private
    assert rules.says("over when a total reaches 420 or −420")
    [pressed] = (await ann.click("Rules")).private
    assert pressed.text == rules.text
    await ann.click("Start")
    before = len(server.posts())
    for command in ("hand", "scores", "rules", "stats", "help"):
        answer = await ann.run(f"hearts {command}")
        assert not answer.public, command
        assert answer.private, command
    assert len(server.posts()) == before
    assert ann.my_hand.says("Your hand · Deal 1")
    assert ann.my_hand.id not in [one.id for one in bo.sees()]
    assert (await ann.run("hearts leaderboard")).public
    await ann.run("hearts hand")
    await ann.act()
    assert ann.my_hand.text == ann.hand.text


def test_the_scores_add_up() -> None:
    text = str(scores.sheet(played("classic", 4, deals=3)).parts[-1])
    assert "the points of deals 1 to 3." in text
    lines = re.findall(r"^\*\*\w+\*\*\s\*\*(\d+)\*\*: (.+)$", text, re.MULTILINE)
    assert [sum(map(int, points.split(", "))) for _, points in lines] == [int(total) for total, _ in lines]
    assert len(lines) == 4


async def test_an_error_away_from_a_table_mentions_none(server: Server, ann: Player) -> None:
    for has_table in (False, True):
        server.env.inject_error("POST", "/interactions/*/callback", status=503)
        told = (await ann.run("hearts stats")).told
        assert told.startswith("Something went wrong here.")
        assert ("My hand" in told) is has_table
        if not has_table:
            await server.deal(ann)


@pytest.mark.parametrize("status", [404, 200])
async def test_suggestions_that_come_too_late_are_no_error(server: Server, ann: Player, status: int) -> None:
    path = "/interactions/*/*/callback"
    if status == 200:
        answer_oddly(server.env, "POST", path, status)
    else:
        server.env.inject_error("POST", path, status=status, code=10062)
    await ann.member.autocomplete(ann.at, "hearts new", "house", "20:00")
    assert sum(one.path.endswith("/callback") for one in server.requests) == 1


# How Discord is told of them


async def test_commands_are_offered_everywhere_and_synced_when_that_changes(server: Server) -> None:
    tree, database = server.env.bot.tree, server.databases[-1]

    def offered() -> list[tuple[list[int], list[int]]]:
        """Where each command can be used, and whose app it is, by Discord's numbers."""
        return [(one["contexts"], one["integration_types"]) for one in synced(server)[-1]]

    assert offered() == [([0, 1, 2], [0, 1])] * len(tree.get_commands())
    count = len(synced(server))
    await sync(tree, database)
    assert len(synced(server)) == count
    tree.allowed_contexts.private_channel = False
    await sync(tree, database)
    tree.allowed_installs.user = False
    await sync(tree, database)
    assert len(synced(server)) == count + 2
    assert offered() == [([0, 1], [0])] * len(tree.get_commands())


async def test_a_command_in_a_sentence_can_be_tapped(server: Server, ann: Player) -> None:
    ids = {command.name: command.id for command in await server.env.bot.tree.fetch_commands()}
    [shown] = (await ann.run("hearts leaderboard")).public
    assert f"</hearts new:{ids['hearts']}> opens a table" in shown.raw
    [help] = (await ann.run("hearts help")).private
    listed = (await ann.click("All commands", help)).private[0].raw
    assert f"</hearts daily:{ids['hearts']}>" in listed
    assert f"</hearts stats:{ids['hearts']}>" in listed
    assert "`channel`" in listed

    await server.restart()  # after which nothing is sent to Discord that it knows
    assert f"</hearts new:{ids['hearts']}>" in (await ann.run("hearts leaderboard")).public[0].raw
    for stored in ("others", "[]", '{"hash": "x", "ids": {"hearts": "1"}}', "{"):  # it may be damaged
        await server.put_setting(SYNCED, stored)
        await server.restart()
        assert "</hearts new:" in (await ann.run("hearts leaderboard")).public[0].raw, stored


# Languages


class Translated(NullTranslations):
    """A catalog that sets whatever is more than a word in brackets, and knows what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return f"[{message}]" if " " in message else message


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> Translated:
    """What German, Chinese, French, Spanish and Portuguese say in this test."""
    catalog = Translated()
    for language in (LANGUAGES | REGIONS).values():
        if language.words != "en":
            monkeypatch.setitem(vars(language), "catalog", Catalog(catalog))
    return catalog


def parts(told: Any) -> Iterator[dict[str, Any]]:
    """Commands, their options and the choices of these."""
    for one in told:
        yield one
        yield from parts(one.get("options", ()))
        yield from parts(one.get("choices", ()))


def is_choice(part: dict[str, Any]) -> bool:
    return "value" in part


@pytest.mark.slow
async def test_every_text_is_in_the_catalogs_and_sent_in_every_language(
    translated: Translated, server: Server
) -> None:
    assert translated.asked <= {str(message.id) for message in source()}
    found = list(parts(synced(server)[0]))
    for part in found:
        if not is_choice(part):
            told = part["description"]
            assert part["description_localizations"] == dict.fromkeys(LOCALES, f"[{told}]")
            assert not part.get("name_localizations"), "names stay English"
    names = {part["value"]: part.get("name_localizations") or {} for part in found if is_choice(part)}
    assert names["medium"]["zh-TW"] == "[medium (a regular)]"
    assert names["classic"]["zh-TW"] == "[Hearts (4 players)]"


async def test_a_new_translation_is_synced_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(by_code("de")), "catalog", Catalog(Translated()))
    await server.restart()
    [_, translated] = synced(server)
    assert any(
        (part.get("description_localizations") or {}).get("de", "")[:1] == "[" for part in parts(translated)
    )
    await server.restart()
    assert len(synced(server)) == 2


async def test_texts_of_commands_are_within_discords_limits(server: Server) -> None:
    for command in synced(server)[0]:
        length = 0
        for part in parts([command]):
            field = "name" if is_choice(part) else "description"
            texts = [part[field], *(part.get(f"{field}_localizations") or {}).values()]
            assert max(map(len, texts)) <= LONGEST, texts
            length += max(map(len, texts)) + len(str(part["value"] if is_choice(part) else part["name"]))
        assert length <= LONGEST_COMMAND, command["name"]
