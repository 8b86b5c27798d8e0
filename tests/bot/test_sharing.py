"""Share: a finished game in a few lines that can be posted anywhere."""

from __future__ import annotations

import re

import pytest
from at_once import deals_played
from people import Player, refusal
from server import MOON, OpenServer, Server, stacked


def is_over(server: Server) -> bool:
    return server.shows("wins!") or server.shows("win together!")


@pytest.mark.slow
async def test_the_result_is_a_private_block_to_copy(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo, ends_at=25, pace="none")
    await deals_played([ann, bo], lambda: is_over(server))
    answer = await bo.click("Share", server.posts()[-1])
    assert not answer.public
    [shown] = answer.private
    before, text, after = shown.raw.split("```")
    assert (before.strip(), after) == ("Copy this and post it wherever you like:", "")
    heading, *lines, legend = text.strip().split("\n")
    [deals] = re.findall(r"^🃏 Hearts, (\d+) deals?$", heading)
    assert legend == "🟩 better than everyone's average, 🟨 about as good, 🟥 worse"
    assert len(lines) == 4
    assert lines[0].startswith("🥇 ")
    totals = [int(line.split()[-2]) for line in lines]
    assert totals == sorted(totals)
    assert all(len(line.split()[-1]) == int(deals) for line in lines)
    assert {name for line in lines for name in ("Ann", "Bo") if name in line} == {"Ann", "Bo"}


async def test_a_moon_is_seen_after_the_end_and_no_name_breaks_out(open_server: OpenServer) -> None:
    server = await open_server(stacked(MOON), names=("```@everyone", "Bo", "Cy", "Di"))
    [shooter, *_] = server.people
    await server.deal(ends_at=20, pace="none")
    forged = shooter.forge("hearts:lines:1", server.posts()[-1])
    await server.settle()
    assert forged.told == refusal("stale")
    for player, codes in zip(server.people, ("4D 3D 2D", "", "", "QC KC AC"), strict=True):
        await player.pass_cards(codes)
    await deals_played(server.people, lambda: is_over(server))
    [shown] = (await shooter.click("Share", server.posts()[-1])).private
    assert "🥇 '''@\u200beveryone 0 🌕" in shown.raw
    assert shown.raw.count("```") == 2
