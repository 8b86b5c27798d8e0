"""The head of a hand: the last trick, how all stand, and what was passed, without a call for each card."""

import pytest
from at_once import deals_played
from people import Player, play_on
from server import EVEN, PASSES, Server, Sketches, stacked


async def table(server: Server, **options: object) -> None:
    await server.deal(**options)
    for player, codes in zip(server.people, PASSES, strict=True):
        await player.pass_cards(codes)


async def play(server: Server, codes: str) -> None:
    for code in codes.split():
        await server.to_play.play(code)


async def test_who_took_the_last_trick_and_how_all_stand(open_server) -> None:
    server: Server = await open_server(stacked(EVEN))
    ann, bo, _, di = server.people
    await table(server)
    await play(server, "2C 5C 8C JC")
    assert di.hand.says("Trick 1 went to you: no points.")
    await play(server, "AD 5D 8D JD AS 5S 8S QS")
    assert di.hand.says("Trick 3 went to you: 🔴 13 points. You +13 · Ann 0 · Bo 0 · Cy 0 ")
    await play(server, "2D")
    assert ann.hand.says("Trick 3 went to Di: 🔴 13 points. You 0 · Bo 0 · Cy 0 · Di +13")
    assert not bo.hand.says("went to")  # since his last card trick 3 has gone to Di
    await play(server, "6D")
    assert ann.hand.says("Before trick 4: You 0 · Bo 0 · Cy 0 · Di +13")


async def test_neither_a_hand_nor_the_board_names_a_trick_that_is_not_the_last(open_server) -> None:
    """Not even a new hand, which is asked for while somebody else is to play."""
    server: Server = await open_server(stacked(EVEN), sketches=Sketches())
    await table(server, pace="none")
    for number, codes in enumerate(("2C 5C 8C JC", "AD 5D 8D JD", "AS 5S 8S QS"), 1):
        await play(server, codes)
        for player in server.people:
            for hand in (player.hand, await player.open_hand()):
                assert not hand.says("went to") or hand.says(f"Trick {number} went to")
        [board] = [post for post in server.posts() if post.pictures]
        assert [scene.title for scene in server.scenes(board)] == [f"Deal 1 · Trick {number}"]


async def test_totals_stand_before_what_the_deal_adds(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=1000)
    await deals_played([ann], lambda: "Deal 2" in ann.hand.text)
    [points] = server.env.bot.tables.live[0].game.points
    assert any(points)
    assert ann.hand.says(f"After deal 1: You {points[0]} · ")
    hand = ann.hand
    while "+" not in ann.hand.text:
        await ann.act()
    assert hand.text.count("·") == ann.hand.text.count("·")


async def test_a_new_deal_begins_with_what_the_last_one_brought(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=1000)
    await deals_played([ann], lambda: "Deal 3" in ann.hand.text)
    table = server.env.bot.tables.live[0]
    first, second = table.game.history
    totals = [
        f"{name} {now} ({f'+{now - before}' if now > before else 0})" if before else f"{name} {now}"
        for name, before, now in zip(("You", *table.public.names[1:]), first, second, strict=True)
    ]
    assert ann.hand.says(f"After deal 2: {' · '.join(totals)}")


async def test_what_was_passed_and_received_stays_in_small_print(open_server) -> None:
    server: Server = await open_server(stacked(EVEN))
    ann, bo, *_ = server.people
    await table(server)
    assert ann.hand.says("You passed 3♥ 4♥ 5♥ and received 3♠ 4♠ A♥ from Di.")
    assert "\nYou passed" in ann.hand.text  # as long as it is news
    await play(server, "2C 5C 8C JC")
    for player in (ann, bo):
        assert "\n-# You passed" in player.hand.text


async def test_others_cards_cost_a_hand_nothing(open_server) -> None:
    """It is edited by its own clicks, and when its turn comes."""
    server: Server = await open_server(stacked(EVEN))
    _, bo, cy, _ = server.people
    await table(server, pace="none")
    await play(server, "2C 5C 8C")
    seen, asked = cy.hand.components, len(server.requests)
    await play(server, "JC AD 5D")  # a trick ends, and another begins
    assert cy.hand.components == seen
    edited = f"/channels/{cy.member.user.dm_channel.id}/messages/"
    assert not any(one.path.startswith(edited) for one in server.requests[asked:])
    await bo.play("8D")
    assert cy.hand.says("Trick 1 went to Di: no points.")


async def test_a_trick_that_ones_own_card_completes_is_told_at_once(open_server) -> None:
    server: Server = await open_server(stacked(EVEN))
    await table(server)
    await play(server, "2C 5C 8C JC AD 5D 8D")
    cy = server.people[2]
    await cy.play("JD")
    assert cy.hand.says("Trick 2 went to Di: no points.")
    assert cy.hand.says("Not your turn yet.")


@pytest.mark.slow
async def test_when_a_deal_is_over_every_hand_of_it_goes(server: Server, ann: Player, bo: Player) -> None:
    """The last card mostly plays itself: then nobody clicks on the hand that showed it."""
    await server.deal_and_pass(ann, bo)
    for deal in (1, 2):
        await play_on([ann, bo], lambda deal=deal: server.shows(f"After deal {deal}"))
        for player in (ann, bo):
            assert not [dm for dm in player.dms() if dm.says(f"Your hand · Deal {deal}")]
