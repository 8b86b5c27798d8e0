"""The ids of rules, such as W19, that code and tests cite, and the page that says what they mean."""

import re
from pathlib import Path

from engine.rules.options import OPTIONS
from engine.rules.presets import PRESETS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / ".github" / "RULES.md").read_text()
RULES = re.findall(r"^- \*\*([A-Z]\d+)\*\* ", PAGE, re.MULTILINE)
AN_ID = re.compile(rf"(?<![A-Za-z0-9])[{''.join({rule[0] for rule in RULES})}]\d+(?![A-Za-z0-9.])")
TEST = re.compile(r"def (test_\w+)")


def sources(*folders: str) -> dict[Path, str]:
    """What each Python file of these folders says."""
    return {path: path.read_text() for folder in folders for path in (ROOT / folder).rglob("*.py")}


def test_no_rule_stands_there_twice():
    assert len(set(RULES)) == len(RULES)


def test_every_id_that_is_cited_has_its_rule():
    for path, text in sources("engine", "bot", "tests").items():
        if path != Path(__file__):
            assert set(AN_ID.findall(text)) <= set(RULES), path
    assert set(AN_ID.findall(PAGE)) <= set(RULES)


def test_every_rule_has_tests_of_its_name():
    tests = [name for text in sources("tests").values() for name in TEST.findall(text)]
    assert set(RULES) <= {cited for name in tests for cited in AN_ID.findall(name.replace("_", " "))}


def test_every_option_and_every_game_stands_there():
    options = PAGE.partition("## Options")[2]
    first_cells = re.findall(r"^\| (`.+?) \|", options, re.MULTILINE)
    assert {name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)} == set(OPTIONS)
    assert set(PRESETS) <= set(re.findall(r"`([a-z-]+)` \| \d", PAGE))
