"""Hands of up to 21 cards with two copies fit into a message, with room for more."""

from dataclasses import replace
from random import Random
from typing import Any

import moments
import pytest
from estimates import estimate
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi import Request, faults, walk

from bot.delivery.components import layout
from bot.delivery.emojis import Emojis
from bot.pictures import emojis
from bot.table.hand import hand
from bot.table.hands import with_link
from bot.vocabulary.messages import Link
from engine.cards import Card, without
from engine.play.deal import start_deal
from engine.play.game import Game
from engine.play.moves import Dealt, Passed
from engine.play.views import seat_view
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.tables import Hints, Table
from engine.tables.plan import Timer
from engine.tables.table import has_choice

#: What Discord lets a message hold, and what we keep free of it.
MOST, ROOM = 40, 3
LONGEST_NAME = "*" * 32
EMOJIS = Emojis()
EMOJIS.know(dict.fromkeys(emojis(), 10**18))


def biggest(rules: Ruleset, weights: dict[Any, float], seed: int) -> tuple[Card, ...]:
    """A hand of this pack in which the suits with a greater weight are longer."""
    rng = Random(seed)
    order = sorted(rules.pack.cards, key=lambda card: rng.random() * weights[card.suit], reverse=True)
    return tuple(order[: rules.pack.hand_size])


def table_of(rules: Ruleset, held: tuple[Card, ...]) -> Table:
    """A table in its second deal, where cards are passed, and seat 0 is dealt these."""
    rest, size = without(rules.pack.cards, held), rules.pack.hand_size
    others = [rest[first : first + size] for first in range(0, size * (rules.players - 1), size)]
    kitty = rest[size * (rules.players - 1) :]
    deal = start_deal(rules, 2, Dealt(0, (held, *others), kitty))
    table = moments.table_of(Game(rules, deals=(deal,)), [LONGEST_NAME] * rules.players)
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


def check(body: dict[str, Any], description: Any) -> None:
    """Discord takes it, and takes some more components too."""
    assert faults([Request("POST", "/channels/1/messages", body)], description) == []
    assert len(list(walk(body["components"]))) <= MOST - ROOM


RULES = [
    Ruleset.of("cancellation", 5, {"pass_cards": 5}),
    Ruleset.of("cancellation", 5),
    Ruleset.of("wikibooks", 3, {"remainder": "jokers"}),
    Ruleset.of("wikibooks", 3, {"remainder": "kitty", "pass_cards": 0}),
    Ruleset.of("double-deck", 6),
    Ruleset.of("double-deck", 6, {"pass_cards": 0}),
    Ruleset.of("chinese", 3),
]
SUITS = sorted({card.suit for rules in RULES for card in rules.pack.cards}, key=str)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(
    rules=st.sampled_from(RULES),
    weights=st.tuples(*[st.sampled_from([0.01, 0.3, 1.0, 3.0, 100.0])] * len(SUITS)),
    seed=st.integers(0, 1000),
)
def test_every_hand_fits_at_every_stage(rules: Ruleset, weights: tuple[float, ...], seed: int) -> None:
    table = table_of(rules, biggest(rules, dict(zip(SUITS, weights, strict=True)), seed))
    check(message(table), None)
    if has_choice(seat_view(table.game, 0)):
        check(message(table, hint=True), None)
    game = table.game
    assert game is not None
    if game.deals[0].offset:
        for seat, cards in enumerate(game.deals[0].hands):
            game = game.advance(Passed(seat, cards[: rules.pass_cards]))
        check(message(replace(table, game=game)), None)


@pytest.mark.parametrize(
    "lengths", [(6, 6, 6, 3), (11, 6, 1, 3), (16, 1, 1, 3), (21, 0, 0, 0), (1, 1, 1, 18)]
)
def test_the_worst_hands_of_21_cards_fit(lengths: tuple[int, ...], description) -> None:
    rules = Ruleset.of("cancellation", 5)
    by_suit = {suit: [card for card in rules.pack.cards if card.suit is suit] for suit in SUITS}
    suits = [suit for suit in SUITS if by_suit[suit]]
    held = [card for suit, length in zip(suits, lengths, strict=True) for card in by_suit[suit][:length]]
    body = message(table_of(rules, tuple(held)))
    check(body, description)
    buttons = [one for one in walk(body["components"]) if ":play:" in one.get("custom_id", "")]
    assert len(buttons) == len({one["custom_id"] for one in buttons}) == 21


def test_every_preset_has_its_biggest_hand_among_those_tried() -> None:
    packs = [pack for preset in PRESETS.values() for some in preset.packs.values() for pack in some.values()]
    assert max(pack.hand_size for pack in packs) == max(rules.pack.hand_size for rules in RULES) == 21
