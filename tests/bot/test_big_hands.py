"""Hands of up to 21 cards with two copies fit into a message, with room for more; and the pass by name."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from at_once import deals_played
from estimates import estimate
from games import NAMES, arranged, change_rules
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi import Request, faults, walk
from server import Server

from bot.delivery.components import layout
from bot.delivery.emojis import Emojis
from bot.pictures import emojis
from bot.table.hand import hand
from bot.table.hands import with_link
from bot.vocabulary.messages import Link, Whisper
from engine.cards import Card, without
from engine.languages import ENGLISH
from engine.play.deal import start_deal
from engine.play.game import Game
from engine.play.moves import Dealt, Passed
from engine.play.views import seat_view
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.rules.wording import TO_YOUR, direction
from engine.tables import Hints, Pace, Seat, Seats, State, Table
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
    return Table(
        id=10**6,
        guild=10**18,
        channel=10**18,
        host=10**18,
        rules=rules,
        state=State.PLAYING,
        seats=Seats(Seat(10**18 + number, LONGEST_NAME) for number in range(rules.players)),
        pace=Pace.LIVE,
        hints=Hints.EVERYBODY,
        timer=Timer(10.0**9, 60.0),
        game=Game(rules, deals=(deal,)),
    )


def message(table: Table, seat: int = 0) -> dict[str, Any]:
    """The message that shows this seat's hand, with the link that a DM has besides."""
    assert table.game is not None
    return body_of(hand(table.public, seat_view(table.game, seat)))


def with_hint(table: Table) -> dict[str, Any]:
    """The same once a hint is given."""
    assert table.game is not None
    view = seat_view(table.game, 0)
    return body_of(hand(table.public, view, advice=estimate(view)))


def body_of(shown: Whisper) -> dict[str, Any]:
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
        check(with_hint(table), None)
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


# Passing by name


@pytest.mark.parametrize("count", [0, 1, 5])
async def test_passing_any_number_of_cards(open_server, count: int) -> None:
    rules = Ruleset.of("classic", 4)
    server: Server = await open_server(arranged(rules, ("AS KS QS JS TS",)), names=NAMES[:2])
    ann, bo = server.people
    await server.seat(ann, bo)
    await change_rules(ann, pass_cards=str(count))
    await ann.click("Start")
    if not count:
        assert server.shows("Trick 1")
        assert not ann.hand.offered
        return
    words = "one card" if count == 1 else f"{count} cards"
    assert server.post("Everyone").says(f"Everyone passes {words} to the left")
    assert ann.hand.says(f"Choose {words} to pass to Bo, to your left.")
    await ann.pass_cards(" ".join(["AS", "KS", "QS", "JS", "TS"][:count]))
    await bo.pass_cards()
    given = " ".join(f"{rank}♠" for rank in reversed(["A", "K", "Q", "J", "10"][:count]))
    assert bo.hand.says(f"received {given} from Ann.")
    assert server.shows("Trick 1")


@pytest.mark.slow
async def test_whom_one_passes_to_is_said_by_name_in_every_deal(open_server) -> None:
    """Five players: left, right, two left, two right, and a deal without."""
    server: Server = await open_server(names=NAMES[:1])
    [ann] = server.people
    await server.seat(ann, game="wikibooks", players=5, ends_at=100_000)
    await ann.click("Start")
    for deal, (receiver, giver, words) in enumerate(
        [
            ("Lola", "Kofi", "to your left"),
            ("Kofi", "Lola", "to your right"),
            ("Hugo", "Nina", "two to your left"),
            ("Nina", "Hugo", "two to your right"),
        ],
        1,
    ):
        assert ann.hand.says(f"Choose 3 cards to pass to {receiver}, {words}.")
        await ann.pass_cards()
        assert f"from {giver}." in ann.hand.text.replace("**", "")
        await deals_played([ann], lambda deal=deal: server.shows(f"After deal {deal}"))
    assert server.shows("Deal 5 · Trick 1")
    assert not ann.hand.offered


@pytest.mark.parametrize(
    ("players", "offset", "words"),
    [
        (4, 2, "across"),
        (6, 3, "across"),
        (10, 5, "across"),
        (10, 4, "four to your left"),
        (10, -4, "four to your right"),
        (9, -3, "three to your right"),
        (3, 1, "to your left"),
    ],
)
def test_how_far_cards_go_in_words(players: int, offset: int, words: str) -> None:
    assert direction(offset, players, ENGLISH, TO_YOUR) == words


def test_every_preset_has_its_biggest_hand_among_those_tried() -> None:
    packs = [pack for preset in PRESETS.values() for some in preset.packs.values() for pack in some.values()]
    assert max(pack.hand_size for pack in packs) == max(rules.pack.hand_size for rules in RULES) == 21
