"""README and the pages for engineers: what they point to is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *(ROOT / ".github").glob("*.md")]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
#: A file or folder of the project, as in `engine/rules` or `bot/config.py`.
IN_CODE = re.compile(r"`((?:bot|engine|tests|\.ci|\.deploy|\.github)/[\w./*-]*)`")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text()
    for link in LINK.findall(text):
        assert (page.parent / link).exists(), link
    for path in IN_CODE.findall(text):
        assert list(ROOT.glob(path)), path


def test_the_command_for_all_tests_is_readmes_second_block() -> None:
    """`.ci/run` takes it from there."""
    blocks = FENCE.findall((ROOT / "README.md").read_text())
    assert [kind for kind, _ in blocks[:2]] == ["sh", "sh"]
    assert blocks[0][1].rstrip().endswith("-m bot --local")
    assert blocks[1][1].rstrip().endswith("-m pytest -n auto")
