"""Makes README's two pictures from a real game in local mode: `python -m tests.readme_pictures`.

Ann plays with three computers. Each run deals anew: look at what it has made before it is committed.
"""

from __future__ import annotations

import asyncio
import io
import re
from contextlib import suppress
from pathlib import Path

from PIL import Image

from tests.browser import NotDone, View, Window, chromium, local_mode

FOLDER = Path(__file__).parents[1] / ".github"
WIDE, PHONE = (1040, 760), (390, 790)
#: The table is shown in the second deal, as there are scores then, once no more cards of the hand are left
#: and so many lie on the table; in the first, the cards to pass on a telephone.
LEFT, LAID = 7, 2
#: Seconds in which the table has caught up with the hand.
SETTLED = 3.0
#: In the file, with letters as sharp as on a telephone.
SCALE, QUALITY = 2, 80


async def make() -> None:
    """Play, and look twice."""
    async with chromium() as browser, local_mode() as (url, _):
        phone = await Window.open(browser, url, size=PHONE, scale=SCALE)
        await phone.channel.run("hearts new")
        await phone.channel.click("Start")
        await phone.look("dm")
        await phone.dm.sees("Choose 3 cards")
        for card in (await phone.dm.cards())[-3:]:
            await phone.dm.click(card)
        await asyncio.sleep(SETTLED)
        save(await phone.picture(), "hand")
        await phone.close()

        wide = await Window.open(browser, url, size=WIDE, scale=SCALE)
        await wide.dm.click(next(name for name in await wide.dm.labels() if name.startswith("Pass")))
        await wide.dm.play_the_deal(1)
        await play_until_it_is_worth_a_look(wide.dm)
        await asyncio.sleep(SETTLED)
        save(await wide.picture(), "table")


async def play_until_it_is_worth_a_look(hand: View) -> None:
    """In the second deal, or in the third, where that one is over before."""
    for _ in range(2):
        await hand.pass_three()
        with suppress(NotDone):  # nobody is asked to play any more
            while not await is_worth_a_look(hand):
                await hand.play()
            return
    raise NotDone("No deal had what the picture should show: try again.")


async def is_worth_a_look(hand: View) -> bool:
    """Whether the deal is on its way, and cards lie on the table."""
    said = await (await hand.sees(re.compile("Your turn"))).inner_text()
    laid = said.partition("Your turn")[2].count("🤖")
    buttons = await hand.messages("Your turn").last.get_by_role("button").count()
    return buttons <= LEFT and laid >= LAID


def save(png: bytes, name: str) -> None:
    """Small enough for the first thing that a page loads."""
    Image.open(io.BytesIO(png)).convert("RGB").save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    asyncio.run(make())
