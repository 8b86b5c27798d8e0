"""Makes README's two pictures from a real game in local mode: `python -m tests.readme_pictures`.

Ann plays with three computers. Each run deals anew: look at what it has made before it is committed.
"""

import asyncio
import io
import re
from contextlib import suppress
from pathlib import Path

from PIL import Image

from tests.browser import NotDone, View, Window, chromium, local_mode, visiting

FOLDER = Path(__file__).parents[1] / ".github"
WIDE, PHONE = (1040, 760), (390, 790)
#: The table is shown in the second deal, so that there are scores, once at most this many cards are left in
#: the hand and this many lie on the table; the phone shows the cards to pass in the first deal.
LEFT, LAID = 7, 2
#: Seconds until the table has caught up with the hand.
SETTLED = 3.0
#: The files' scale, for letters as sharp as on a phone, and their quality.
SCALE, QUALITY = 2, 80


async def make() -> None:
    """Play, and take two screenshots."""
    async with chromium() as browser, visiting(browser), local_mode() as (url, _):
        phone = await Window.open(browser, url, size=PHONE, scale=SCALE)
        await phone.channel.run("hearts new")
        await phone.channel.click("Start")
        await phone.look("dm")
        await phone.dm.sees("Choose 3 cards")
        for card in (await phone.dm.cards())[-3:]:
            await phone.dm.click(card)
        await asyncio.sleep(SETTLED)
        save(await phone.picture(), "hand")
        await phone.page.close()

        wide = await Window.open(browser, url, size=WIDE, scale=SCALE)
        await wide.dm.click(next(name for name in await wide.dm.labels() if name.startswith("Pass")))
        await wide.dm.play_the_deal(1)
        await play_until_it_is_worth_a_look(wide.dm)
        await asyncio.sleep(SETTLED)
        save(await wide.picture(), "table")


async def play_until_it_is_worth_a_look(hand: View) -> None:
    """Play into the second deal, or the third if that one is over before."""
    for _ in range(2):
        await hand.pass_three()
        with suppress(NotDone):  # there's nothing left to play
            while not await is_worth_a_look(hand):
                await hand.play()
            return
    raise NotDone("No deal had what the picture should show: try again.")


async def is_worth_a_look(hand: View) -> bool:
    """Whether the deal is well under way, with cards on the table."""
    said = await (await hand.sees(re.compile("Your turn"))).inner_text()
    laid = said.partition("Your turn")[2].count("🤖")
    buttons = await hand.messages("Your turn").last.get_by_role("button").count()
    return buttons <= LEFT and laid >= LAID


def save(png: bytes, name: str) -> None:
    """Save a picture small enough for the top of a page."""
    Image.open(io.BytesIO(png)).convert("RGB").save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    asyncio.run(make())
