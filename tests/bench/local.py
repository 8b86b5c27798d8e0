"""How quick local mode is: `python -m tests.bench.local [--cards 40]`, with a real browser.

From the command until both frames of the page can be used, and from the click on a card in the DM until it
has left the hand there, and until the channel beside it shows something else. Printed are median and worst.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import time

from tests.browser import Window, chromium, local_mode

#: What a hand says that waits for its player.
WAITS = re.compile("Your turn|Choose 3 cards|You shot the moon")
#: Presses the first card of the hand, and answers when it did, by the page's clock.
PRESS = """() => {
    const hand = [...document.querySelectorAll("article.channel-message")].at(-1);
    const card = hand.querySelector("button.component-button:enabled");
    const key = card.dataset.controlKey;
    window.gone = new Promise((done) => {
        const list = document.getElementById("channel-message-list");
        const look = new MutationObserver(() => {
            if (list.querySelector(`[data-control-key="${key}"]`)) return;
            look.disconnect();
            requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
        });
        look.observe(list, { childList: true, subtree: true });
    });
    const pressed = performance.timeOrigin + performance.now();
    card.click();
    return pressed;
}"""
#: Starts to wait until what is shown looks different.
WATCH = """() => {
    window.changed = new Promise((done) => {
        const list = document.getElementById("channel-message-list");
        const look = new MutationObserver(() => {
            look.disconnect();
            requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
        });
        look.observe(list, { childList: true, subtree: true });
    });
}"""


async def one_click(window: Window) -> tuple[float, float]:
    """Milliseconds until a card has left the hand, and until the channel has changed."""
    hand, channel = window.dm.frame, window.channel.frame
    await channel.evaluate(WATCH)
    pressed: float = await hand.evaluate(PRESS)
    gone: float = await hand.evaluate("gone")
    changed: float = await channel.evaluate("changed")
    return gone - pressed, changed - pressed


async def measured(cards: int) -> tuple[float, list[tuple[float, float]]]:
    """Seconds until the page is ready, and what the clicks took."""
    async with chromium() as browser:
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
                elif len(await window.dm.cards()) > 1:
                    clicks.append(await one_click(window))
                else:
                    await asyncio.sleep(0.2)  # the card plays itself
        return ready, clicks


def report(ready: float, clicks: list[tuple[float, float]]) -> None:
    """Print."""
    out = sys.stdout.write
    out(f"ready after {ready:.1f} s\n")
    for title, taken in zip(
        ("card leaves the hand", "channel changes"), zip(*clicks, strict=True), strict=True
    ):
        out(f"{title}: median {statistics.median(taken):.0f} ms, worst {max(taken):.0f} of {len(taken)}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=int, default=40, help="how many clicks are measured")
    report(*asyncio.run(measured(parser.parse_args().cards)))
