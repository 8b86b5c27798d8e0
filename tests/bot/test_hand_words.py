"""What a hand says and shows, and that the biggest fits into a message with room for more."""

import re
from dataclasses import replace
from typing import Any

import pytest
from estimates import estimate
from games import play
from moments import played, table_of
from openapi import Description, Request, faults, walk
from rules.cardtable import after, first_trick
from rules.cardtable import play as play_cards
from seating import dealt, my_view, playing, rules
from server import EVEN, PASSES, OpenServer, Server, Sketches, stacked

from bot.delivery.components import layout
from bot.delivery.emojis import Emojis
from bot.pictures import emojis
from bot.table.hand import hand, over
from bot.table.hands import with_link
from bot.vocabulary.messages import Link, Part, Picture
from bot.vocabulary.scenes import FanScene
from engine.cards import Suit, cards
from engine.languages import ENGLISH
from engine.play.game import Game
from engine.play.moves import Declined, Passed
from engine.play.views import seat_view
from engine.rules.presets import PRESETS
from engine.rules.wording import TO_YOUR, direction
from engine.tables import Hints, Seats, Table
from engine.tables.plan import Timer

CLASSIC, CHINESE = rules("classic", 4), rules("chinese", 4)
FIVE, SIX = rules("wikibooks", 5), rules("wikibooks", 6)
HELD = "QS AS KS 2S 3C 4C 5C 6D 7D 8D 9H TH JH"


def words(parts: tuple[Part, ...]) -> str:
    """What a message says, in plain letters."""
    text = "\n".join(part for part in parts if isinstance(part, str))
    return re.sub(r"[*`\ufe0e]", "", text).replace("\N{NO-BREAK SPACE}", " ")


def shown(game: Game) -> str:
    """What the hand of the first seat says, whose turn it is."""
    return words(hand(table_of(game).public, my_view(game)).parts)


def unbroken(game: Game) -> Game:
    """The game in which no heart has been played yet."""
    return replace(game, deals=(replace(game.deal, hearts_broken=False),))


def raised(game: Game, picked: tuple[int, ...] = ()) -> set[str]:
    """The cards of the first seat's hand that stand out in its picture."""
    parts = hand(table_of(game).public, my_view(game), picked).parts
    [scene] = [part.scene for part in parts if isinstance(part, Picture)]
    assert isinstance(scene, FanScene)
    return {scene.cards[place].code for place in scene.chosen}


def test_cards_stand_out_once_they_are_passed() -> None:
    game = dealt(CLASSIC, HELD)
    assert raised(game) == set()
    assert raised(game, (0, 1, 2)) == set()  # what is only picked would have it sent anew each time
    assert raised(game.advance(Passed(0, cards("QS AS 7D")))) == {"QS", "AS", "7D"}


@pytest.mark.parametrize(
    ("deal", "receiver", "giver"),
    [
        (1, "Bo, to your left", "Ed"),
        (2, "Ed, to your right", "Bo"),
        (3, "Cy, two to your left", "Di"),
        (4, "Di, two to your right", "Cy"),
    ],
)
def test_whom_one_passes_to_is_said_by_name_in_every_deal(deal: int, receiver: str, giver: str) -> None:
    game = dealt(FIVE, "QS AS KS 2S 3C 4C 5C 6D 7D 8D", deal)
    assert f"Choose 3 cards to pass to {receiver}." in shown(game)
    for seat in range(5):
        game = game.advance(Passed(seat, game.deal.hands[seat][:3]))
    assert f"from {giver}." in shown(game)


def test_a_single_card_is_no_plural() -> None:
    game = dealt(rules("classic", 4, pass_cards=1), HELD)
    assert "Choose one card to pass to Bo, to your left." in shown(game)


def test_how_far_cards_go_in_words() -> None:
    for players, offset, words in (
        *((4, 2, "across"), (6, 3, "across"), (10, 5, "across"), (10, 4, "four to your left")),
        *((10, -4, "four to your right"), (9, -3, "three to your right"), (3, 1, "to your left")),
    ):
        assert direction(offset, players, ENGLISH, TO_YOUR) == words


def test_totals_stand_before_what_the_last_deal_added() -> None:
    game = replace(dealt(CLASSIC, HELD, 2), history=((0, 26, 7, 0),))
    assert "After deal 1: You 0 · Bo 26 · Cy 7 · Di 0" in shown(game)
    game = replace(dealt(CLASSIC, HELD, 3), history=((0, 26, 7, 0), (5, 30, 7, 1)))
    assert "After deal 2: You 5 · Bo 30 (+4) · Cy 7 (0) · Di 1" in shown(game)


def test_who_may_expose_a_card_is_told_what_that_does() -> None:
    rules_of_it = "You may lay a card face up before the first trick: then its suit counts double"
    game = dealt(CHINESE, HELD)
    assert rules_of_it in shown(game)
    assert rules_of_it not in shown(game.advance(Declined(0)))


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (playing(CLASSIC, "QS 5S 9D 2H"), "you lead.\n"),
        (unbroken(playing(CLASSIC, "QS 5S 9D")), "you lead.\n"),
        (
            unbroken(playing(CLASSIC, "QS 5S 9D 2H")),
            "you lead. Hearts are not broken yet: lead another suit.\n",
        ),
        (playing(SIX, "QS 5S 9D JK"), "you lead. You may lead a joker only if you hold nothing else.\n"),
        (playing(CLASSIC, "QS 5S 9D 2H", "3S KS"), "follow ♠.\n3♠ Cy · K♠ Di\n"),
        (playing(CLASSIC, "QS 5S", "3S KS"), "follow ♠.\n"),
        (playing(SIX, "QS 9D JK", "3S KS"), "follow ♠ or play a joker.\n"),
        (playing(SIX, "QS 9D", "JK"), "only jokers so far, so play any suit.\n"),
        (playing(CLASSIC, "QS 5S 9D 2H", "3C KC"), "you have no ♣, so play any card.\n"),
        (
            playing(CLASSIC, "QS 5S 9D 2H", "3C KC", opened=False),
            "you have no ♣. No hearts and no queen of spades in the first trick.\n",
        ),
        (
            playing(rules("cancellation", 5), "QS 5S 9D 2H", "3S KS KS", on_hold="5H"),
            "follow ♠.\n3♠ Cy · ~~K♠~~ Di · ~~K♠~~ Ed\nOn hold for the next winner: 5♥ (1 point).\n",
        ),
    ],
)
def test_whoever_is_to_play_is_told_what_they_may_play_and_what_lies_there(game: Game, told: str) -> None:
    assert f"Your turn: {told}" in f"{shown(game)}\n"


def test_what_came_with_a_trick_is_told() -> None:
    kitty = rules("wikibooks", 3, pass_cards=0, remainder="kitty")
    deal = play_cards(first_trick(kitty, "4C 5C", "3C 7C", "2C 6C", kitty="QS"), "2C 4C 3C")
    assert "From the kitty you took Q♠." in shown(Game(kitty, deals=(deal,)))
    deal = first_trick(CHINESE, "AC KC", "TC 3C", "4C 6C", "5C 7C")
    deal = play_cards(after(deal, *[Declined(seat) for seat in deal.waiting_for]), "AC TC 4C 5C")
    told = shown(Game(CHINESE, deals=(deal,)))
    assert "Trick 1 went to you: no points, with 10♣ (× 2, alone +50)." in told


@pytest.mark.parametrize(
    ("totals", "alone", "told"),
    [
        ((5, 30, 41, 50), False, "🏆 You win with 5! Well played."),
        ((5, 5, 41, 50), False, "🏆 You win with 5, together with Bo! Well shared."),
        ((30, 5, 41, 50), False, "🏆 Bo wins; you came 2nd with 30. A fine result."),
        ((9, 5, 41, 50), False, "🏆 Bo wins; you came 2nd with 9. That was close!"),
        ((9, 5, 9, 9), False, "🏆 Bo wins; you came 2nd with 9. That was close!"),
        ((30, 5, 20, 50), False, "🏆 Bo wins; you came 3rd with 30. Better luck next time."),
        ((30, 5, 30, 5), False, "🏆 Bo and Di win; you came 3rd with 30. Better luck next time."),
        ((5, 30, 41, 50), True, "🏆 You win with 5! The computers would like a rematch."),
    ],
)
def test_at_the_end_who_has_won_and_how_oneself_did(totals: tuple[int, ...], alone: bool, told: str) -> None:
    table = played("classic", 4)
    view = replace(table.view, totals=totals, history=(totals,), winners=CLASSIC.winner.leaders(totals))
    others = [replace(seat, person=None) if alone else seat for seat in table.seats[1:]]
    ended = replace(table, seats=Seats([table.seats[0], *others]), view=view)
    assert told in words(over(ended, 1, 1).parts)


# Hands of up to 21 cards with two copies

#: What Discord lets a message hold, and what we keep free of it.
MOST, ROOM = 40, 3
EMOJIS = Emojis()
EMOJIS.know(dict.fromkeys(emojis(), 10**18))


def message(table: Table, *, hint: bool = False) -> dict[str, Any]:
    """The message that shows this hand, perhaps with a hint, and with the link that a DM has besides."""
    view = seat_view(table.game, 0)
    shown = hand(table.public, view, advice=estimate(view) if hint else None)
    shown = with_link(shown, Link("Go to the table", "https://discord.com/channels/1/2"))
    return {
        "components": layout(shown, EMOJIS).to_components(),
        "flags": 1 << 15,
        "allowed_mentions": {"parse": []},
    }


def check(body: dict[str, Any], description: Description | None) -> None:
    """Discord takes it, and takes some more components too."""
    assert faults([Request("POST", "/channels/1/messages", body)], description) == []
    assert len(list(walk(body["components"]))) <= MOST - ROOM


@pytest.mark.parametrize("pass_cards", [0, 5])
@pytest.mark.parametrize(
    "lengths", [(6, 6, 6, 3), (11, 6, 1, 3), (16, 1, 1, 3), (21, 0, 0, 0), (1, 1, 1, 18)]
)
def test_the_worst_hands_fit_at_every_stage(
    lengths: tuple[int, ...], pass_cards: int, description: Description | None
) -> None:
    cancellation = rules("cancellation", 5, pass_cards=pass_cards)
    by_suit = [[card for card in cancellation.pack.cards if card.suit is suit] for suit in Suit]
    held = [card for cards, length in zip(by_suit, lengths, strict=True) for card in cards[:length]]
    game = dealt(cancellation, " ".join(card.code for card in held), 2)
    table = table_of(game, ["*" * 32] * 5)
    timer = Timer(10.0**9, 60.0)
    table = replace(table, id=10**6, channel=10**18, hints=Hints.EVERYBODY, timer=timer)
    if pass_cards:
        check(message(table), description)
        check(message(table, hint=True), description)
        for seat, own in enumerate(game.deals[0].hands):
            game = game.advance(Passed(seat, own[:pass_cards]))
    body = message(replace(table, game=game))
    check(body, description)
    buttons = [one for one in walk(body["components"]) if ":play:" in one.get("custom_id", "")]
    assert len(buttons) == len({one["custom_id"] for one in buttons}) == 21


def test_no_hand_is_bigger() -> None:
    packs = [pack for preset in PRESETS.values() for some in preset.packs.values() for pack in some.values()]
    assert max(pack.hand_size for pack in packs) == 21


# Above a hand in play, without a call for each card


def check_last(server: Server, number: int) -> None:
    """The board and all hands show this trick as the last one, if any."""
    [board] = [post for post in server.posts() if post.pictures]
    assert [scene.title for scene in server.scenes(board)] == [f"Deal 1 · Trick {number}"]
    for player in server.people:
        for shown in [one for one in (*player.dms(), *player.sees()) if one.says("went to")]:
            assert shown.says(f"Trick {number} went to")


async def test_a_hand_tells_what_was_passed_the_last_trick_and_how_all_stand(open_server: OpenServer) -> None:
    """It is edited by its own clicks, and when its turn comes; others' cards cost it nothing.

    No trick is named that is not the last, not even in a new hand, which is asked for in another's turn.
    """
    server: Server = await open_server(stacked(EVEN), sketches=Sketches())
    ann, bo, cy, di = server.people
    await server.deal_and_pass(passes=PASSES, pace="none")
    assert ann.hand.says("You passed 3♥ 4♥ 5♥ and received 3♠ 4♠ A♥ from Di.")
    assert "\nYou passed" in ann.hand.text  # as long as it is news
    await play(server, "2C 5C 8C")
    seen, asked = cy.hand.components, len(server.requests)
    await play(server, "JC")
    check_last(server, 1)
    assert di.hand.says("Trick 1 went to you: no points.")
    for player in (ann, bo):
        assert "\n-# You passed" in player.hand.text
    await play(server, "AD 5D")  # another trick begins
    assert cy.hand.components == seen
    edited = f"/channels/{cy.member.user.dm_channel.id}/messages/"
    assert not any(one.path.startswith(edited) for one in server.requests[asked:])
    await play(server, "8D")
    assert cy.hand.says("Trick 1 went to Di: no points.")
    await play(server, "JD")
    check_last(server, 2)
    assert cy.hand.says("Trick 2 went to Di: no points.")  # which his own card completes
    assert cy.hand.says("Not your turn yet.")
    await play(server, "AS 5S 8S QS")
    for player in server.people:
        await player.open_hand()
    check_last(server, 3)
    assert di.hand.says("Trick 3 went to you: 🔴 13 points. You +13 · Ann 0 · Bo 0 · Cy 0 ")
    await play(server, "2D")
    assert ann.hand.says("Trick 3 went to Di: 🔴 13 points. You 0 · Bo 0 · Cy 0 · Di +13")
    assert not bo.hand.says("went to")  # since his last card trick 3 has gone to Di
    await play(server, "6D")
    assert ann.hand.says("Before trick 4: You 0 · Bo 0 · Cy 0 · Di +13")
