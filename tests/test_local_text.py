"""What local mode's page makes of a message's text."""

from typing import Any

import pytest
from simcord.preview import _markdown

from bot.local.simulation import patched_for_people


@pytest.mark.parametrize("text", ["电脑在替{}出牌", "{}", "a {}.", "（{}）"])
def test_bold_text_may_stand_beside_any_character(text: str) -> None:
    for name in ("Wolfgang A.…", "+2.3", "Ann", "快！", "«»"):
        with patched_for_people():
            html = discord_text().renderInline(text.format(f"**{name}**"))
        assert html == text.format(f"<strong>{name}</strong>")


@pytest.mark.parametrize("text", ["2 * 3 * 4", "a ** b ** c", "**a", "a **"])
def test_stars_beside_spaces_are_stars(text: str) -> None:
    with patched_for_people():
        assert discord_text().renderInline(text) == text


def discord_text() -> Any:
    """What turns a message's text into what the page shows."""
    return _markdown._markdown_parser(_markdown._FIELD_POLICIES["message"], {})
