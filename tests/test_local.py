"""Local mode as a newcomer meets it: the real command, a real browser, a deal played by clicks."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.browser import Window, chromium

pytestmark = pytest.mark.slow

CARD = re.compile("(?:10|[2-9JQKA])[♣♦♠♥]\ufe0e")
CARDS_EACH = 13


@asynccontextmanager
async def local_mode() -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """`python -m bot --local`: its address, and the process, which Ctrl-C has to end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "--local",
        env={**os.environ, "HEARTS_LOCAL_PORT": "0"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        first = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
        yield first.removeprefix("Open ").strip(), process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def play_a_deal(person: Window) -> None:
    """Pass the last three cards, then play whichever card may be played, until the deal is scored."""
    await person.click("My hand", within="Deal 1")
    held = CARD.findall(" ".join(await person.labels("Your hand")))
    assert len(held) == CARDS_EACH
    for card in held[-3:]:
        await person.click(card, within="Your hand")
    [button] = [label for label in await person.labels("Your hand") if label.startswith("Pass 3 to")]
    await person.click(button, within="Your hand")
    for _ in range(CARDS_EACH):
        await person.sees(re.compile("Your turn"))
        playable = CARD.findall(" ".join(await person.labels("Your hand")))
        await person.click(playable[0], within="Your turn")
    await person.sees(re.compile("After deal 1|You shot the moon"))
    if "You shot the moon" in await person.text("Your hand"):  # by chance: the cards are not stacked here
        await person.click("+26 for the others")
        await person.sees("After deal 1")


async def test_a_newcomer_plays_a_deal_against_computers_and_ends_with_ctrl_c() -> None:
    async with chromium() as browser, local_mode() as (url, process):
        ann = await Window.open(browser, url)
        await ann.run("hearts new")
        assert "Lowest total wins" in await ann.text("Seats")
        await ann.click("Start")
        await play_a_deal(ann)

        bo = await Window.open(browser, url, "Bo")
        await bo.click("My hand")
        assert "You have no seat at this table" in await bo.text()
        assert await bo.messages("Your hand").count() == 0
        await bo.run("hearts status")
        assert "Only whoever runs this bot can see that." in await bo.text()
        await ann.run("hearts status")
        assert "tables playing" in await ann.text("Status")

        process.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(process.communicate(), 10)
        assert process.returncode == 0
        assert "Traceback" not in errors.decode()
