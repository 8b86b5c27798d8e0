"""Random games under random rules: what holds in every one of them."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from by_chance import CHINESE, SEEDS, one_deal, play_on, rulesets, values
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.cards import Card, Suit
from engine.errors import Refusal
from engine.play.deal import Deal, Phase, advance_deal
from engine.play.game import Game
from engine.play.moves import Played
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow


def count(cards: Any) -> Counter[Card]:
    return Counter(card for hand in cards for card in hand)


@settings(max_examples=60, deadline=None)
@given(rulesets(), SEEDS)
def test_every_card_is_dealt_and_taken_once(rules, seed):
    pack = Counter(rules.pack.cards)
    for deal in one_deal(rules, Random(seed)):
        held = count((*deal.hands, *deal.face_up, deal.kitty, deal.trick.cards))
        taken = count((*deal.taken, *deal.kitty_taken, deal.on_hold, deal.kitty_on_hold))
        assert held + taken == pack
    assert count(deal.piles) == pack


@settings(max_examples=60, deadline=None)
@given(rulesets(), SEEDS)
def test_what_is_legal_and_what_is_refused_agree(rules, seed):
    rng = Random(seed)
    for deal in one_deal(rules, rng):
        if deal.phase is not Phase.PLAYING:
            continue
        seat = deal.turn
        legal, held = deal.legal(seat), (*deal.hands[seat], *deal.face_up[seat])
        assert legal
        assert set(legal) <= set(held)
        for card in set(held):
            if card in legal:
                assert advance_deal(deal, Played(seat, card)) != deal
            else:
                with pytest.raises(Refusal):
                    advance_deal(deal, Played(seat, card))
        elsewhere = rng.choice([card for card in rules.pack.cards if card not in held])
        with pytest.raises(Refusal) as caught:
            advance_deal(deal, Played(seat, elsewhere))
        assert caught.value.id == "not_held"


@settings(max_examples=60, deadline=None)
@given(rulesets(), SEEDS)
def test_as_many_tricks_as_cards_in_a_hand_and_each_has_a_card_from_everyone(rules, seed):
    *_, deal = one_deal(rules, Random(seed))
    assert len(deal.dealt.kitty) < rules.players
    assert len(deal.tricks) == len(deal.dealt.hands[0])
    assert {len(done.trick.cards) for done in deal.tricks} == {rules.players}
    assert deal.tricks[-1].winner is not None
    leaders = [done.trick.leader for done in deal.tricks[1:]]
    expected = [done.trick.leader if done.winner is None else done.winner for done in deal.tricks[:-1]]
    assert leaders == expected


def has_moon(deal: Deal) -> bool:
    """Whether one player took every heart and every queen of spades (K7, W13, W23, P9)."""
    takers = {
        seat
        for seat, pile in enumerate(deal.piles)
        for card in pile
        if card.suit is Suit.HEARTS or card.code == "QS"
    }
    return len(takers) == 1


@settings(max_examples=100, deadline=None)
@given(rulesets(("classic", "wikibooks", "double-deck", "cancellation")), SEEDS)
def test_without_a_moon_the_points_are_those_of_the_cards(rules, seed):
    *_, deal = one_deal(rules, Random(seed))
    assume(not has_moon(deal))
    assert deal.shooter is deal.choice is None
    worth = values(rules)
    assert list(deal.points) == [sum(worth.get(card.code, 0) for card in pile) for pile in deal.piles]


@settings(max_examples=100, deadline=None)
@given(rulesets(("classic", "wikibooks", "double-deck", "cancellation")), SEEDS, st.sampled_from(MoonChoice))
def test_a_moon_is_worth_26_or_117_for_each_deck(rules, seed, choice):
    rng = Random(seed)
    shooter = rng.randrange(rules.players)
    piles: list[list[Card]] = [[] for _ in range(rules.players)]
    for card in rules.pack.cards:
        needed = card.suit is Suit.HEARTS or card.code == "QS"
        piles[shooter if needed else rng.randrange(rules.players)].append(card)
    decks = 2 if rules.preset.name in ("double-deck", "cancellation") else 1
    worth = (117 if rules.spot_hearts else 26) * decks
    own, others = {
        "others": (0, worth),
        "self": (-worth, 0),
        "choice": (0, worth) if choice is MoonChoice.ADD else (-worth, 0),
        "half": (-(worth // 2), worth // 2),
    }[rules.moon.value]
    side = {"JD": -10 if rules.jack_of_diamonds else 0, "7C": 7 if rules.hooligan else 0}
    expected = [
        (own if seat == shooter else others) + sum(side.get(card.code, 0) for card in pile)
        for seat, pile in enumerate(piles)
    ]
    asked = choice if rules.moon.value == "choice" else None
    assert list(rules.counting.points([tuple(pile) for pile in piles], (), asked)) == expected


def chinese(pile: list[str], exposed: set[str]) -> int:
    """C8 and C9, read aloud."""
    hearts = [code for code in pile if code[1] == "H"]
    moon = len(hearts) == 13
    if moon and {"TC", "QS", "JD"} <= set(pile):
        return 10000
    total = 0
    for code in pile:
        value = CHINESE.get(code, 0)
        if code[1] in {other[1] for other in exposed}:
            value *= 2
        if moon and code[1] == "H":
            value = -value
        total += value
    if "TC" not in pile:
        return total
    if hearts or "QS" in pile or "JD" in pile:
        return total * (4 if "TC" in exposed else 2)
    return 100 if "TC" in exposed else 50


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(0, 3), min_size=52, max_size=52),
    st.sets(st.sampled_from(["QS", "JD", "AH", "TC"])),
    st.booleans(),
)
def test_C9_however_the_cards_are_taken(takers, exposed, all_hearts):
    rules = Ruleset.of("chinese", 4)
    piles: list[list[Card]] = [[] for _ in range(4)]
    for card, taker in zip(rules.pack.cards, takers, strict=True):
        piles[takers[0] if all_hearts and card.suit is Suit.HEARTS else taker].append(card)
    shown = tuple(rules.pack.faces[code] for code in sorted(exposed))
    scores = rules.counting.points([tuple(pile) for pile in piles], shown)
    assert list(scores) == [chinese([card.code for card in pile], exposed) for pile in piles]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rulesets(), SEEDS)
def test_totals_follow_from_points_and_the_end_from_totals(rules, seed):
    rng = Random(seed)
    game = Game(rules)
    best = min if rules.winner.value == "lowest" else max
    totals = [0] * rules.players
    for number in range(1, 5):
        while len(game.history) < number:
            game = play_on(game, rng)
        totals = [total + more for total, more in zip(totals, game.deals[-1].points, strict=True)]
        if rules.even_scores:
            totals = [total - 50 if total in (50, 100, 150) else total for total in totals]
        assert list(game.totals) == totals
        reached = [abs(total) if rules.preset.name == "chinese" else total for total in totals]
        assert game.over is (number >= rules.deals if rules.deals else max(reached) >= rules.ends_at)  # G6
        if game.over:
            assert [totals[seat] for seat in game.winners] == [best(totals)] * totals.count(best(totals))
            break
        assert game.winners is None
