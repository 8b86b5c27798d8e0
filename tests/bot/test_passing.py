"""The pass: picked card by card in secret, changed at will until all have chosen."""

import pytest
from games import open_table
from people import Player, label_of, refusal
from seen import Seen
from server import Server, stacked

from engine.cards import DECK, cards
from engine.play.moves import Passed

HANDS = (
    "2C 3C 4C 5C 6C 7C 2D 3D 4D 5D 2S 3S 4S",
    "8C 9C TC JC QC KC 6D 7D 8D 9D 5S 6S 7S",
    "AC 2H 3H 4H 5H 6H TD JD QD KD 8S 9S TS",
    "AD JS QS KS AS 7H 8H 9H TH JH QH KH AH",
)


@pytest.fixture
async def server(open_server) -> Server:
    return await open_server(stacked(HANDS))


def picked(hand: Seen) -> str:
    """The cards that stand out in this hand."""
    return " ".join(code for code, is_picked in hand.offered if is_picked)


def button(hand: Seen) -> tuple[str, bool]:
    """What the button below the cards says, and whether it can be pressed."""
    [label] = [label for label, one in hand.buttons.items() if ":pass:" in one["custom_id"]]
    return label, label in hand.enabled


# Tapping


async def test_taps_pick_cards_and_put_them_back(server: Server, ann: Player, bo: Player) -> None:
    await server.deal()
    await bo.open_hand()
    asked, seen = len(server.requests), [one.components for one in (*bo.sees(), *bo.dms())]
    before = ann.hand
    assert before.says("Choose 3 cards to pass to Bo")
    assert button(before) == ("Choose 3 more", False)
    await ann.pick_cards("4S")
    assert button(ann.hand) == ("Choose 2 more", False)
    assert ann.hand.buttons["4♠\ufe0e"]["style"] != ann.hand.buttons["3♠\ufe0e"]["style"]
    await ann.click("4♠\ufe0e", ann.hand)
    assert ann.hand.components == before.components
    old = await ann.pick_cards("4S 3S")
    assert button(old) == ("Choose 1 more", False)
    full = await ann.pick_cards("4S 3S 2S")
    assert button(full) == ("Pass 3 to Bo", True)
    assert [label for label in full.enabled if label[-2] in "♣♦♠♥"] == ["2♠\ufe0e", "3♠\ufe0e", "4♠\ufe0e"]
    assert [one.components for one in (*bo.sees(), *bo.dms())] == seen
    for request in server.requests[asked:]:  # her own clicks are answered, and nothing else is sent
        assert request.path.startswith(("/interactions/", "/webhooks/"))
    assert await ann.try_press("2♣\ufe0e", old) == refusal("all_picked")  # a fourth, before its button rests
    assert picked(ann.hand) == "2S 3S 4S"
    await ann.click("2♠\ufe0e", ann.hand)
    await ann.click("2♣\ufe0e", ann.hand)
    assert picked(ann.hand) == "2C 3S 4S"
    await server.stop_the_game()
    assert server.stored()["picks"] == []


async def test_of_two_copies_the_one_that_was_tapped_stands_out_and_both_can_be_passed(open_server) -> None:
    """And either can be played."""
    server = await open_table(open_server, "double-deck", 6, ("QS QS 2D 2D 2C 2C",), people=2)
    ann, bo = server.people
    second = max(one for one in ann.hand.pressable if one in ann.hand.taps("QS QS"))
    await ann.try_control(second, ann.hand)
    assert [is_picked for code, is_picked in ann.hand.offered if code == "QS"] == [False, True]
    await ann.pass_cards("QS QS 2D")
    assert ann.hand.says("You pass 2♦ Q♠ Q♠ to Bo, to your left.")
    assert picked(ann.hand) == "2D QS QS"
    await bo.pass_cards()
    assert bo.hand.says("received 2♦ Q♠ Q♠ from Ann.")
    assert label_of("QS") not in ann.hand.buttons
    first, second = [id for id in ann.hand.pressable if ":play:" in id and ":2C" in id]
    assert await ann.try_control(second, ann.hand) == ""
    assert server.post("Trick 1").says("2♣ Ann · led")
    assert first != second


async def test_a_dm_and_my_hand_show_the_same_taps_and_passes(server: Server, ann: Player) -> None:
    await server.deal()
    await ann.pick_cards("4S 3S")
    shown = await ann.open_hand()
    assert picked(shown) == "3S 4S"
    await ann.pick_cards("4S 2S", shown)
    assert picked(ann.hand) == picked(ann.my_hand) == "2S 4S"
    assert button(ann.hand) == button(ann.my_hand) == ("Choose 1 more", False)
    dm = await ann.pick_cards("4S 3S 2S")
    await ann.pick_cards("7C 6C 5C", ann.my_hand)
    assert await ann.try_press("Pass 3 to Bo", dm) == ""  # which passes what it was seen to pass
    assert ann.my_hand.says("You pass 2♠ 3♠ 4♠ to Bo")
    assert picked(ann.hand) == picked(ann.my_hand) == "2S 3S 4S"
    await ann.pass_cards("5D 3S 2S", ann.my_hand)
    assert ann.hand.says("You pass 5♦ 2♠ 3♠")
    assert ann.my_hand.text == ann.hand.text


async def test_taps_at_once_all_count_and_survive_a_restart_as_do_passes(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal(pace="none")
    hand, labels = ann.hand, ("4♠\ufe0e", "3♠\ufe0e", "4♠\ufe0e")  # one twice
    answers = [ann.press(label, hand) for label in labels]
    await server.settle()
    assert [answer.told for answer in answers] == [""] * 3
    await bo.pass_cards("8C 9C TC")
    await bo.pick_cards("8C 9C JC")
    await cy.pick_cards("AC 4H")
    await server.act_unseen(cy, lambda seat: Passed(seat, cards("AC 2H 3H")))
    await server.restart()
    assert picked(cy.hand) == "AC 2H 3H"
    assert cy.hand.says("You pass A♣ 2♥ 3♥ to Di")
    assert picked(ann.hand) == "3S 4S"
    assert picked(bo.hand) == "8C 9C JC"
    assert bo.hand.says("You pass 8♣ 9♣ 10♣ to Cy")
    await ann.pass_cards("4S 3S 2S")
    assert ann.hand.says("You pass 2♠ 3♠ 4♠ to Bo")


# Passing


async def test_the_choice_may_be_changed_until_all_have_chosen(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.deal(pace="none")
    answers = [ann.forge(f"hearts:pass:1:1:{codes}", ann.hand) for codes in ("2C-3C-4C", "2S-3S-4S")]
    await server.settle()
    assert [answer.told for answer in answers] == ["", ""]
    assert ann.hand.says("You pass 2♠ 3♠ 4♠ to Bo")
    assert ann.hand.says("You may still choose others.")
    assert picked(ann.hand) == "2S 3S 4S"
    await ann.pick_cards("5D 3S 2S")
    assert ann.hand.says("You pass 2♠ 3♠ 4♠ to Bo")  # until she says so
    assert button(ann.hand) == ("Pass these instead", True)
    await ann.pass_cards("5D 3S 2S")
    assert ann.hand.says("You pass 5♦ 2♠ 3♠ to Bo")
    await cy.pass_cards()
    assert ann.hand.says("Still choosing: Bo and Di.")
    post = server.post("Deal 1")
    assert post.says("Deal 1 Everyone passes 3 cards to the left.")
    assert not any(card.symbol in post.text for card in DECK)
    await bo.pass_cards()
    await ann.pass_cards("7C 6C 5C")
    late = await ann.pick_cards("4S 3S 2S")
    first = di.press("Pass 3 to Ann", await di.pick_cards("AS KS QS"))
    second = ann.press("Pass these instead", late)
    await server.settle()
    assert (first.told, second.told) == ("", refusal("not_passing"))
    assert server.stored()["picks"] == []
    assert ann.hand.says("You passed 5♣ 6♣ 7♣ and received Q♠ K♠ A♠ from Di.")
    assert bo.hand.says("received 5♣ 6♣ 7♣ from Ann.")
    assert {"4♠︎", "5♦︎", "Q♠︎"} <= set(ann.hand.buttons)
    assert not {"5♣︎", "6♣︎", "7♣︎"} & set(ann.hand.buttons)
