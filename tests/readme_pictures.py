"""Makes README's two pictures from a real game in local mode: `python -m tests.readme_pictures`.

Ann plays with three computers until a trick lies on the table that is worth a look. Each run deals anew: look
at what it has made before it is committed.
"""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

from PIL import Image

from tests.browser import Window, chromium, local_mode

FOLDER = Path(__file__).parents[1] / ".github"
WIDE, PHONE = (1180, 800), (390, 800)
#: After so many tricks there is something to tell; this deal, as it has scores before it.
TRICKS, DEAL = 6, 2
#: In a file, with letters as sharp as on a telephone.
SCALE, QUALITY = 2, 80


async def make() -> None:
    """Play, and take both pictures at the same moment."""
    async with chromium() as browser, local_mode() as (url, _):
        wide = await Window.open(browser, url, size=WIDE, scale=SCALE)
        await wide.channel.run("hearts new")
        await wide.channel.click("Start")
        for deal in range(1, DEAL):
            await wide.dm.pass_three()
            await wide.dm.play_the_deal(deal)
        await wide.dm.sees(f"Deal {DEAL}")
        await wide.dm.pass_three()
        for _ in range(TRICKS):
            await wide.dm.play()
        await wide.dm.sees("Your turn")
        phone = await Window.open(browser, url, size=PHONE, scale=SCALE)
        await phone.look("dm")
        for window, name in ((wide, "table"), (phone, "hand")):
            save(await window.picture(), name)


def save(png: bytes, name: str) -> None:
    """Small enough for a page that loads it first."""
    Image.open(io.BytesIO(png)).convert("RGB").save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    asyncio.run(make())
