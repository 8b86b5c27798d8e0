"""Share: a finished game in a few lines that can be posted anywhere."""

from __future__ import annotations

import re

import pytest
from at_once import deals_played
from people import Player, refusal
from server import MOON, Server, stacked


def is_over(server: Server) -> bool:
    return server.shows("wins!") or server.shows("win together!")


async def play_to_the_end(server: Server, *players: Player, ends_at: int) -> None:
    await server.deal(*players, ends_at=ends_at, pace="none")
    await deals_played(players, lambda: is_over(server))


@pytest.mark.slow
async def test_the_result_is_a_block_to_copy_that_the_player_alone_sees(
    server: Server, ann: Player, bo: Player
) -> None:
    await play_to_the_end(server, ann, bo, ends_at=25)
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


async def test_a_moon_is_seen(open_server) -> None:
    server: Server = await open_server(stacked(MOON))
    ann = server.people[0]
    await server.deal(*server.people, ends_at=20, pace="none")
    for player, codes in zip(server.people, ("4D 3D 2D", "", "", "QC KC AC"), strict=True):
        await player.pass_cards(codes)
    await deals_played(server.people, lambda: is_over(server))
    [shown] = (await ann.click("Share", server.posts()[-1])).private
    assert "🥇 Ann 0 🌕" in shown.raw


async def test_names_cannot_break_out_or_mention_anyone(open_server) -> None:
    server: Server = await open_server(names=("```@everyone", "Bo"))
    await play_to_the_end(server, *server.people, ends_at=1)
    [shown] = (await server.people[0].click("Share", server.posts()[-1])).private
    assert shown.raw.count("```") == 2
    assert "@everyone" not in shown.raw


async def test_a_game_that_goes_on_is_not_shared(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann, pace="none")
    forged = ann.forge("hearts:lines:1", server.posts()[-1])
    await server.settle()
    assert forged.told == refusal("stale")
