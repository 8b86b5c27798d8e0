"""Hands of up to 21 cards with two copies fit into a message, with room for more."""

from dataclasses import replace
from typing import Any

import moments
import pytest
from estimates import estimate
from openapi import Description, Request, faults, walk
from seating import dealt

from bot.delivery.components import layout
from bot.delivery.emojis import Emojis
from bot.pictures import emojis
from bot.table.hand import hand
from bot.table.hands import with_link
from bot.vocabulary.messages import Link
from engine.cards import Card, Suit
from engine.play.moves import Passed
from engine.play.views import seat_view
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.tables import Hints, Table
from engine.tables.plan import Timer

#: What Discord lets a message hold, and what we keep free of it.
MOST, ROOM = 40, 3
LONGEST_NAME = "*" * 32
EMOJIS = Emojis()
EMOJIS.know(dict.fromkeys(emojis(), 10**18))


def table_of(rules: Ruleset, held: list[Card]) -> Table:
    """A table in its second deal, where cards are passed, and seat 0 is dealt these."""
    game = dealt(rules, " ".join(card.code for card in held), 2)
    table = moments.table_of(game, [LONGEST_NAME] * rules.players)
    timer = Timer(10.0**9, 60.0)
    return replace(table, id=10**6, channel=10**18, hints=Hints.EVERYBODY, timer=timer)


def message(table: Table, *, hint: bool = False) -> dict[str, Any]:
    """The message that shows this hand, perhaps with a hint, and with the link that a DM has besides."""
    assert table.game is not None
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
    rules = Ruleset.of("cancellation", 5, {"pass_cards": pass_cards})
    by_suit = [[card for card in rules.pack.cards if card.suit is suit] for suit in Suit]
    held = [card for cards, length in zip(by_suit, lengths, strict=True) for card in cards[:length]]
    table = table_of(rules, held)
    game = table.game
    assert game is not None
    if pass_cards:
        check(message(table), description)
        check(message(table, hint=True), description)
        for seat, cards in enumerate(game.deals[0].hands):
            game = game.advance(Passed(seat, cards[:pass_cards]))
    body = message(replace(table, game=game))
    check(body, description)
    buttons = [one for one in walk(body["components"]) if ":play:" in one.get("custom_id", "")]
    assert len(buttons) == len({one["custom_id"] for one in buttons}) == 21


def test_no_hand_is_bigger() -> None:
    packs = [pack for preset in PRESETS.values() for some in preset.packs.values() for pack in some.values()]
    assert max(pack.hand_size for pack in packs) == 21
