"""What the image installs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NEEDED = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
LOCK = (ROOT / ".deploy" / "requirements.txt").read_text()
#: A pinned version, and the hashes of its files.
PINNED = re.compile(r"^([\w.-]+)==(\S+) \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked() -> dict[str, str]:
    """The version of each package in the lock file."""
    return {canonical(name): version for name, version, _ in PINNED.findall(LOCK)}


@pytest.mark.parametrize("needed", NEEDED)
def test_the_image_installs_what_the_project_needs(needed: str) -> None:
    requirement = Requirement(needed)
    assert locked()[canonical(requirement.name)] in requirement.specifier


def test_the_image_installs_nothing_without_a_hash() -> None:
    lines = [line for line in LOCK.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert len([line for line in lines if not line.startswith(" ")]) == len(PINNED.findall(LOCK)) > 15
    dockerfile = (ROOT / ".deploy" / "Dockerfile").read_text()
    installs = re.findall(r"pip install (.*)", dockerfile)
    assert len(installs) == 2
    assert all("--require-hashes" in one or "--no-deps --no-build-isolation" in one for one in installs)
