"""The speed of local mode: `python -m tests.bench.local [--cards 40]`, with a real browser.

It measures the time from the command until both frames of the page can be used, and from clicking a card in
the DM until it has left the hand, and until the table in the channel shows it. It prints the median and the
worst.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import time

from bot.pictures import emoji_name
from engine.cards import DECK
from tests.browser import Window, chromium, local_mode, visiting

#: The text of a hand that waits for its player.
WAITS = re.compile("Your turn|Choose 3 cards|You shot the moon")
#: Presses a card, and returns when; then when it has left the hand.
PRESS = """name => {
    const hand = [...document.querySelectorAll("article.channel-message")].at(-1);
    const card = hand.querySelector(`button:enabled:has(img[alt="${name}"])`);
    const key = card.dataset.controlKey;
    const list = document.getElementById("channel-message-list");
    window.gone = new Promise((done) => {
        new MutationObserver((_, look) => {
            if (list.querySelector(`[data-control-key="${key}"]`)) return;
            look.disconnect();
            requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
        }).observe(list, { childList: true, subtree: true });
    });
    const pressed = performance.timeOrigin + performance.now();
    card.click();
    return pressed;
}"""
#: When the newest posts mention a card, in words or in a picture's description.
WATCH = """symbol => {
    const list = document.getElementById("channel-message-list");
    const told = () => [...list.querySelectorAll("article")].slice(-2).map((post) =>
        post.innerText + [...post.querySelectorAll("img")].map((image) => image.alt)
    ).join().replaceAll("\ufe0e", "").includes(symbol);
    window.told = new Promise((done) => {
        new MutationObserver((_, look) => {
            if (!told()) return;
            look.disconnect();
            requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
        }).observe(list, { childList: true, subtree: true });
    });
}"""
SYMBOLS = {emoji_name(card): card.symbol for card in DECK}


async def one_click(window: Window) -> tuple[float, float]:
    """Milliseconds until a card has left the hand, and until the table shows it."""
    hand, channel = window.dm.frame, window.channel.frame
    card = (await window.dm.cards())[0]
    await channel.evaluate(WATCH, SYMBOLS[card])
    pressed: float = await hand.evaluate(PRESS, card)
    gone: float = await hand.evaluate("gone")
    told: float = await channel.evaluate("told")
    return gone - pressed, told - pressed


async def measured(cards: int) -> tuple[float, list[tuple[float, float]]]:
    """The seconds until the page is ready, and the times of the clicks."""
    async with chromium() as browser, visiting(browser):
        began = time.perf_counter()
        async with local_mode() as (url, _):
            window = await Window.open(browser, url)
            ready = time.perf_counter() - began
            await window.channel.run("hearts new")
            await window.channel.click("Start")
            clicks: list[tuple[float, float]] = []
            while len(clicks) < cards:
                said = await (await window.dm.sees(WAITS)).inner_text()
                if "Choose" in said:
                    await window.dm.pass_three()
                elif "moon" in said:
                    await window.dm.click("+26 for the others")
                elif "plays itself" in said:
                    await asyncio.sleep(0.2)
                else:
                    clicks.append(await one_click(window))
        return ready, clicks


def report(ready: float, clicks: list[tuple[float, float]]) -> None:
    """Print."""
    out = sys.stdout.write
    out(f"ready after {ready:.1f} s\n")
    for title, taken in zip(
        ("the card leaves the hand", "the table shows it"), zip(*clicks, strict=True), strict=True
    ):
        out(f"{title}: median {statistics.median(taken):.0f} ms, worst {max(taken):.0f} of {len(taken)}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=int, default=40, help="clicks to measure")
    report(*asyncio.run(measured(parser.parse_args().cards)))
