"""Inviting people to a table: each is mentioned once, and a seat is kept for them for ten minutes."""

import json
from typing import Any

import pytest
from games import add_computers, change_rule
from own_data import forget
from people import Answer, Player, refusal
from seen import Seen, plain
from server import Server

from bot.invitations import asking

KEPT = 600


async def invite(player: Player, *guests: Any) -> Answer:
    """Press Invite in the lobby, and choose these people."""
    [page] = (await player.click("Invite")).private
    people = [guest.member if isinstance(guest, Player) else guest for guest in guests]
    return Answer(await player.member.select(page.handle, people))


def page_of(player: Player) -> str:
    """The newest page from which this player invites."""
    return [plain(one.text) for one in player.sees() if one.is_private and "Invite players" in one.text][-1]


def pinged(server: Server) -> list[list[int]]:
    """Whom each new message in the channel has notified, as often as Discord was asked to."""
    path = f"/channels/{server.channel.id}/messages"
    sent = [one.body for one in server.requests if (one.method, one.path) == ("POST", path)]
    users = [[int(user) for user in one["allowed_mentions"].get("users", ())] for one in sent]
    return [one for one in users if one]


def lobby(server: Server) -> Seen:
    return server.post("Seats (")


# The invitation


async def test_invited_people_are_mentioned_once_in_one_message_and_their_seats_kept(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    """Restarts change neither."""
    await server.seat(ann)
    await invite(ann, bo, cy)
    assert "You've invited Bo and Cy." in page_of(ann)
    post = server.post("An invitation: Hearts")
    assert post.says("Ann invites Bo and Cy.")
    assert post.says("Seats are kept for Bo and Cy until <t:")
    assert post.enabled == ["Join", "How to play"]
    assert pinged(server) == [[bo.id, cy.id]]
    for line in ("2. kept for Bo until <t:", "3. kept for Cy until <t:", "4. free"):
        assert lobby(server).says(line)
    await server.restart(after=60)
    assert lobby(server).says("2. kept for Bo until")
    await invite(ann, bo)
    assert "Bo has already been invited" in page_of(ann)
    await bo.click("Join", server.post("An invitation"))
    assert server.post("An invitation").says("Bo has a seat.")
    assert server.post("An invitation").says("A seat is kept for Cy until")
    assert lobby(server).says("2. Bo 3. kept for Cy")
    assert bo.dm.says("You have a seat")
    await server.restart(after=KEPT)
    await server.env.advance_time(1)
    assert lobby(server).says("2. Bo 3. free")
    assert len([one for one in server.posts() if one.says("An invitation")]) == 1
    assert pinged(server) == [[bo.id, cy.id]]


async def test_after_ten_minutes_the_seat_is_anyones(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.seat(ann, bo, players=4)
    await invite(bo, cy, di)
    eve = server.add("Eve")
    assert "Invite" not in lobby(server).enabled
    assert (await eve.click("Join", lobby(server))).told == refusal("seats_kept")
    await cy.click("Join", lobby(server))
    await server.env.advance_time(KEPT + 1)
    assert server.post("An invitation").says("No seat is kept for Di any more; anyone may join.")
    await eve.click("Join", lobby(server))
    assert lobby(server).says("4. Eve")
    assert "Join" not in server.post("An invitation").enabled
    assert pinged(server) == [[cy.id, di.id]]


async def test_a_computer_makes_room_for_who_is_invited_and_the_table_cant_become_too_small(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.seat(ann, game="wikibooks", players=4)
    page = await add_computers(ann, "Medium")
    await invite(ann, bo, cy, di)
    assert await change_rule(ann, page, "players", "3") == refusal("seats_promised", players=3)
    for guest in (bo, cy, di):
        await guest.click("Join")
    assert lobby(server).says("Seats (4 of 4)")
    assert "🤖" not in lobby(server).text


# Who isn't invited


async def test_each_who_cant_be_invited_is_named_with_the_reason_and_the_others_are(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    stranger = server.env.create_user("Stranger", global_name="Stranger")
    robot = server.guild.add_member(server.env.create_user("robot", bot=True))
    server.deny(di, "view_channel")
    eve, flo = server.add("Eve"), server.add("Flo")
    assert (await eve.prefer(invites="nobody")).says("Nobody may invite you to a table.")
    assert (await flo.prefer(calls="never")).says("You are never mentioned")
    await server.restart()
    await server.seat(ann, bo, players=10)
    await invite(ann, ann, bo, cy, di, eve, flo, stranger, robot)
    told = page_of(ann)
    for words in (
        "You've invited Cy.",
        "You don't need an invitation: you have a seat.",
        "Bo already has a seat.",
        "Di can't see this channel.",
        "Eve takes no invitations.",
        "Flo takes no invitations.",
        "Stranger isn't a member of this server.",
        "robot is a bot. In the lobby, Options adds computers.",
    ):
        assert words in told
    assert pinged(server) == [[cy.id]]
    await invite(ann, server.guild.add_member(stranger))
    assert "You've invited Stranger." in page_of(ann)
    [page] = (await ann.click("Invite")).private
    assert await ann.try_control("hearts:invite:1", page, str(eve.id)) == refusal("stale")
    assert len(server.stored()["invitations"]) == 2


# Who invites in a loop


@pytest.mark.slow
async def test_one_person_is_invited_by_another_three_times_a_day(
    server: Server, ann: Player, bo: Player
) -> None:
    for turn in range(5):
        await server.seat(ann)
        await invite(ann, bo)
        assert ("Bo has had enough invitations for today." in page_of(ann)) == (turn >= 3)
        await ann.click("Leave")
        await server.restart()
    await server.env.advance_time(24 * 60 * 60 + 1)
    await server.seat(ann)
    await invite(ann, bo)
    assert "You've invited Bo." in page_of(ann)
    assert pinged(server) == 4 * [[bo.id]]


async def test_one_person_invites_so_many_in_an_hour(
    server: Server, ann: Player, bo: Player, cy: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "INVITATIONS_AN_HOUR", 1)
    await server.seat(ann)
    await invite(ann, bo, cy)
    assert "You've invited Bo." in page_of(ann)
    assert "You've invited many people in the last hour, so Cy has to wait." in page_of(ann)
    await ann.click("Leave")
    await server.env.advance_time(3601)
    await server.seat(ann)
    await invite(ann, cy)
    assert "You've invited Cy." in page_of(ann)


async def test_deleting_ones_data_lifts_no_limit_on_whom_one_invites(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "INVITATIONS_A_DAY", 2)
    for turn in range(3):
        await server.seat(ann)
        await invite(ann, bo)
        assert ("enough invitations" in page_of(ann)) == (turn >= 2)
        await forget(ann)
    assert pinged(server) == 2 * [[bo.id]]


# What is stored


@pytest.mark.slow
async def test_what_is_stored_of_an_invitation_is_handed_out_and_deleted(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.seat(ann)
    await invite(ann, bo, cy)
    [table] = json.loads((await bo.export_data()).file)["tables"]
    assert (table["table"], table["invitation"]["name"], table["invitation"]["way"]) == (1, "Bo", "invited")
    [table] = json.loads((await ann.export_data()).file)["tables"]
    assert [one["way"] for one in table["invitations_sent"]] == ["invited", "invited"]
    await forget(bo)
    assert [one["person"] for one in server.stored()["invitations"]] == [cy.id]
    assert not server.post("An invitation").says("Bo")
    await forget(cy)
    await server.env.advance_time(10)
    await invite(ann, di)
    assert server.post("An invitation").says("Ann invites Di.")
    assert pinged(server) == [[bo.id, cy.id], [di.id]]
    await forget(ann)
    assert [(one["person"], one["inviter"]) for one in server.stored()["invitations"]] == [(di.id, 0)]
