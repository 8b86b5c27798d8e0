"""Tests do not hurry where the machine is slow."""

import asyncio
import time


async def test_while_the_process_stands_still_no_time_passes() -> None:
    order: list[str] = []
    loop = asyncio.get_running_loop()
    for seconds in (0.04, 0.02):
        loop.call_later(seconds, order.append, f"{seconds} s")
    time.sleep(0.1)  # noqa: ASYNC251 - nothing else can go on meanwhile
    for _ in range(5):
        await asyncio.sleep(0)
    order.append("what was to be done")
    await asyncio.sleep(0.03)
    order.append("and a while later")
    await asyncio.sleep(0.03)
    assert order == ["what was to be done", "0.02 s", "and a while later", "0.04 s"]
