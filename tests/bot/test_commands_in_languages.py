"""Slash commands in the languages of Discord's clients: how they are described and answered."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations
from typing import Any

import pytest
import simcord.interactions
from catalogs import source
from people import Player
from server import Server

from engine.languages import LANGUAGES, REGIONS, Catalog, by_code

#: Discord's limits: characters of a description or a choice, and of all texts of a command together.
LONGEST, LONGEST_COMMAND = 100, 8000
#: How Discord names the languages that we know, besides English.
LOCALES = {"de", "es-ES", "es-419", "fr", "pt-BR", "zh-CN", "zh-TW"}


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


def syncs(server: Server) -> list[list[dict[str, Any]]]:
    """The commands as Discord was told them, each time."""
    return [one.body for one in server.requests if one.method == "PUT" and one.path.endswith("/commands")]


def parts(told: Any) -> Iterator[dict[str, Any]]:
    """Commands, their options and the choices of these."""
    for one in told:
        yield one
        yield from parts(one.get("options", ()))
        yield from parts(one.get("choices", ()))


def is_choice(part: dict[str, Any]) -> bool:
    return "value" in part


async def test_descriptions_and_choices_are_told_in_every_language(
    translated: Translated, server: Server
) -> None:
    found = list(parts(syncs(server)[0]))
    for part in found:
        if not is_choice(part):
            told = part["description"]
            assert part["description_localizations"] == dict.fromkeys(LOCALES, f"[{told}]")
    choices = {
        part["value"]: (part.get("name_localizations") or {}).get("zh-TW")
        for part in found
        if is_choice(part)
    }
    assert choices["medium"] == "[medium (a regular)]"
    assert choices["classic"] == "[Hearts (4 players)]"


async def test_names_stay_english(translated: Translated, server: Server) -> None:
    for part in parts(syncs(server)[0]):
        assert is_choice(part) or not part.get("name_localizations"), part["name"]


@pytest.mark.slow
async def test_every_text_of_a_command_is_in_the_catalogs(translated: Translated, server: Server) -> None:
    assert translated.asked
    assert translated.asked <= {str(message.id) for message in source()}


async def test_a_new_translation_is_told_to_discord_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(by_code("de")), "catalog", Catalog(Translated()))
    await server.restart()
    [_, translated] = syncs(server)
    assert any(
        (part.get("description_localizations") or {}).get("de", "")[:1] == "[" for part in parts(translated)
    )
    await server.restart()
    assert len(syncs(server)) == 2


async def test_texts_of_commands_are_within_discords_limits(server: Server) -> None:
    for command in syncs(server)[0]:
        length = 0
        for part in parts([command]):
            field = "name" if is_choice(part) else "description"
            texts = [part[field], *(part.get(f"{field}_localizations") or {}).values()]
            assert max(map(len, texts)) <= LONGEST, texts
            length += max(map(len, texts)) + len(str(part["value"] if is_choice(part) else part["name"]))
        assert length <= LONGEST_COMMAND, command["name"]


@pytest.fixture
def in_german(translated: Translated, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody's Discord is German in this test; the server's is English."""
    base_payload = simcord.interactions.base_payload

    def german(*args: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = base_payload(*args, **options)
        return record, payload | {"locale": "de"}

    monkeypatch.setattr(simcord.interactions, "base_payload", german)


async def test_answers_are_in_the_readers_language_and_posts_in_the_servers(
    in_german: None, server: Server, ann: Player
) -> None:
    server.speaks("en-GB")
    opened = await ann.run("hearts new")
    assert opened.public[0].says("Pace: relaxed (10 minutes a turn).")
    assert "[You have a seat]" in ann.dm.text
    for command in ("hearts hand", "hearts rules", "hearts house", "hearts help", "hearts privacy"):
        assert "[" in (await ann.run(command)).told, command
    assert (await ann.open_form("turns")).result.modal["title"] == "[Your preferences]"
    assert (await ann.run("hearts leave")).told == "[You have left the table.]"
