"""The pass: chosen in secret, changed at will until all have chosen."""

import pytest
from people import Player, refusal
from server import Server, stacked

from engine.cards import DECK

HANDS = (
    "2C 3C 4C 5C 6C 7C 2D 3D 4D 5D 2S 3S 4S",
    "8C 9C TC JC QC KC 6D 7D 8D 9D 5S 6S 7S",
    "AC 2H 3H 4H 5H 6H TD JD QD KD 8S 9S TS",
    "AD JS QS KS AS 7H 8H 9H TH JH QH KH AH",
)


@pytest.fixture
async def server(open_server) -> Server:
    return await open_server(stacked(HANDS))


async def test_whoever_has_chosen_sees_what_and_to_whom(server: Server, ann: Player) -> None:
    await server.deal()
    assert ann.hand.says("Choose 3 cards to pass to Bo")
    await ann.pass_cards("4S 3S 2S")
    assert ann.hand.says("You pass 2♠ 3♠ 4♠ to Bo")
    assert ann.hand.says("You may still choose others.")


async def test_the_choice_may_be_changed_until_all_have_chosen(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.deal()
    await ann.pass_cards("4S 3S 2S")
    await ann.pass_cards("5D 3S 2S")
    await bo.pass_cards()
    await cy.pass_cards()
    await ann.pass_cards("7C 6C 5C")
    assert ann.hand.says("You pass 5♣ 6♣ 7♣ to Bo")
    await di.pass_cards("AS KS QS")
    assert ann.hand.says("You passed 5♣ 6♣ 7♣ and received Q♠ K♠ A♠ from Di.")
    assert bo.hand.says("received 5♣ 6♣ 7♣ from Ann.")
    assert {"4♠︎", "5♦︎", "Q♠︎"} <= set(ann.hand.buttons)
    assert not {"5♣︎", "6♣︎", "7♣︎"} & set(ann.hand.buttons)


async def test_the_choice_may_be_changed_in_the_channel(server: Server, ann: Player) -> None:
    ann.close_dms()
    await server.deal()
    await ann.open_hand()
    await ann.pass_cards("4S 3S 2S")
    await ann.pass_cards("5D 3S 2S")
    assert ann.my_hand.says("You pass 5♦ 2♠ 3♠ to Bo")


async def test_chosen_by_dm_and_changed_in_the_channel(server: Server, ann: Player) -> None:
    await server.deal()
    await ann.pass_cards("4S 3S 2S")
    shown = await ann.open_hand()
    assert shown.says("You pass 2♠ 3♠ 4♠")
    await ann.choose(["5D.0", "3S.0", "2S.0"], shown)
    assert ann.hand.says("You pass 5♦ 2♠ 3♠")
    assert ann.my_hand.text == ann.hand.text


async def test_the_chosen_cards_stay_marked_in_the_list(server: Server, ann: Player) -> None:
    await server.deal()
    await ann.pass_cards("4S 3S 2S")
    select = ann.hand.select
    assert select is not None
    assert {one["value"] for one in select["options"] if one.get("default")} == {"2S.0", "3S.0", "4S.0"}


async def test_two_choices_at_once_leave_one_of_them(server: Server, ann: Player) -> None:
    await server.deal()
    hand = ann.hand
    answers = [ann.pick(["4S.0", "3S.0", "2S.0"], hand), ann.pick(["2C.0", "3C.0", "4C.0"], hand)]
    await server.settle()
    assert [answer.told for answer in answers] == ["", ""]
    assert ann.hand.says("You pass 2♣ 3♣ 4♣ to Bo")


async def test_a_change_that_comes_too_late(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.deal()
    for player in (ann, bo, cy):
        await player.pass_cards()
    last, late = di.hand, ann.hand
    first = di.pick(["AS.0", "KS.0", "QS.0"], last)
    second = ann.pick(["4S.0", "3S.0", "2S.0"], late)
    await server.settle()
    assert first.told == ""
    assert second.told == refusal("not_passing")
    assert ann.hand.says("You passed 2♣ 3♣ 4♣ and received Q♠ K♠ A♠")


async def test_who_has_chosen_sees_who_still_chooses_and_the_channel_no_card(
    server: Server, ann: Player, cy: Player
) -> None:
    await server.deal(pace="none")
    await ann.pass_cards()
    await cy.pass_cards()
    assert ann.hand.says("Still choosing: Bo and Di.")
    post = server.post("Deal 1")
    assert post.says("Deal 1 Everyone passes 3 cards to the left.")
    assert not any(card.symbol in post.text for card in DECK)
