"""Random games under random rules: what holds in every one of them, and when their deals are decided."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from operator import attrgetter
from random import Random
from typing import Any

import pytest
from by_chance import CHINESE, SEEDS, TABLES, one_deal, play_on, rulesets, values
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from rules.cardtable import refused

from engine.cards import Card, Hand, Suit
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
                refused(deal, Played(seat, card))
        elsewhere = rng.choice([card for card in rules.pack.cards if card not in held])
        assert refused(deal, Played(seat, elsewhere)).id == "not_held"


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


def is_of_moon(card: Card) -> bool:
    """Whether a shooter of the moon needs this card (K7, W13, W23, P9)."""
    return card.suit is Suit.HEARTS or card.code == "QS"


@settings(max_examples=100, deadline=None)
@given(rulesets(("classic", "wikibooks", "double-deck", "cancellation")), SEEDS)
def test_without_a_moon_the_points_are_those_of_the_cards(rules, seed):
    *_, deal = one_deal(rules, Random(seed))
    assume(sum(any(map(is_of_moon, pile)) for pile in deal.piles) > 1)
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
        piles[shooter if is_of_moon(card) else rng.randrange(rules.players)].append(card)
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


# When a deal is decided: whatever is played from there on, everybody's points stay the same


def outcome(deal: Deal, piles: tuple[Hand, ...]) -> object:
    """What comes of these piles: points, whatever a shooter may choose, the shooter, and who leads next."""
    rules = deal.rules
    led = [rules.preset.leads_next in pile for pile in piles]
    points = [rules.counting.points(piles, deal.exposed, choice) for choice in (None, *MoonChoice)]
    return points, rules.counting.shooter(piles), led


def played_out(deal: Deal, rng: Random) -> Deal:
    """The deal when all its cards are taken, each player having played any of their legal cards."""
    low = rng.random() < 0.5  # the ends of a hand take other tricks than its middle does
    while deal.phase is Phase.PLAYING:
        [seat] = deal.waiting_for
        legal = sorted(deal.legal(seat), key=lambda card: card.rank, reverse=rng.random() < 0.3)
        card = legal[0 if low else -1] if rng.random() < 0.5 else rng.choice(legal)
        deal = advance_deal(deal, Played(seat, card))
    return deal


def positions(rules: Ruleset, rng: Random) -> Iterator[Deal]:
    """Each position of a random deal in which cards are played, after the first trick."""
    return (deal for deal in one_deal(rules, rng) if deal.phase is Phase.PLAYING and deal.tricks)


def leads(rules: Ruleset, rng: Random) -> Iterator[Deal]:
    """Those in which a player leads."""
    return (deal for deal in positions(rules, rng) if not deal.trick.cards)


def wins_all(deal: Deal, way: Deal) -> bool:
    """Whether the player to lead took every trick from there on."""
    return {done.winner for done in way.tricks[len(deal.tricks) :]} == {deal.trick.leader}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rulesets(), SEEDS)
def test_once_no_points_are_left_or_a_player_has_the_rest_any_way_to_play_it_brings_the_same(
    rules: Ruleset, seed: int
) -> None:
    """From where it is seen first: what comes later is on one of these ways."""
    rng = Random(seed)
    for _ in range(4):
        seen = list(positions(rules, rng))
        settled = next((deal for deal in seen if deal.settled_after is not None), None)
        led = (deal for deal in seen if not deal.trick.cards)
        claimed = next((deal for deal in led if deal.claimed_after is not None), None)
        for deal in filter(None, (settled, claimed)):
            ways = [played_out(deal, rng) for _ in range(8)]
            assert len({str(outcome(deal, way.piles)) for way in ways}) == 1
            if deal is claimed:
                assert deal.claimed_after == len(deal.tricks)
                assert all(wins_all(deal, way) for way in ways)


def ends(deal: Deal) -> list[tuple[Hand, ...]]:
    """The piles if one player takes all that is left, or a card goes to one and the others to another."""
    # With the cards of which not everybody knows who has taken them (W3).
    held = chain(*deal.hands, *deal.face_up, *deal.kitty_taken)
    left = (*held, *deal.kitty, *deal.on_hold, *deal.kitty_on_hold, *deal.trick.cards)
    alone = [{taker: left} for taker in range(deal.rules.players)]
    # Two cards may make up for each other, as the jack of diamonds does for ten hearts.
    apart = [{0: (card,), 1: tuple(one for one in left if one is not card)} for card in left]
    piles = list(enumerate(deal.taken))
    return [tuple(pile + more.get(seat, ()) for seat, pile in piles) for more in (*alone, *apart)]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rulesets(), SEEDS)
def test_until_then_something_hangs_on_who_takes_the_rest(rules: Ruleset, seed: int) -> None:
    """Up to the last lead before that: on whatever a later lead decides, an earlier one does too."""
    *_, deal = [deal for deal in leads(rules, Random(seed)) if deal.settled_after is None]
    first, *others = ends(deal)
    one = str(outcome(deal, first))
    assert any(str(outcome(deal, piles)) != one for piles in others)


@pytest.mark.parametrize("kitty", ["first-trick", "one-per-trick", "first-and-last"])
def test_whether_it_has_come_to_that_tells_nothing_of_a_kitty_that_somebody_took(kitty: str) -> None:
    """W3: who sees the game go on would know that it holds no points, and who sees it end, that it does."""
    rules, rng = Ruleset.of("wikibooks", 5, {"remainder": "kitty", "kitty": kitty}), Random(1)
    settled = [deal for _ in range(60) for deal in positions(rules, rng) if deal.settled_after is not None]
    assert settled
    for deal in settled:
        assert not rules.counting.scoring & set(chain(*deal.kitty_taken))


# A player who takes all the rest


def all_ways(deal: Deal) -> Iterator[Deal]:
    """The deal after each legal way to play the rest of it."""
    if deal.phase is not Phase.PLAYING:
        yield deal
        return
    [seat] = deal.waiting_for
    for card in dict.fromkeys(deal.legal(seat)):
        yield from all_ways(advance_deal(deal, Played(seat, card)))


@pytest.mark.parametrize(
    ("preset", "players", "options"),
    [("classic", 4, {}), ("wikibooks", 3, {"remainder": "jokers"}), ("double-deck", 8, {})],
)
def test_it_is_seen_as_soon_as_the_leader_takes_all_in_every_way(
    preset: str, players: int, options: dict[str, str]
) -> None:
    """With two tricks to go, which are few enough to try everything."""
    rules, rng = Ruleset.of(preset, players, options), Random(players)
    found = 0
    for _ in range(150):
        for deal in leads(rules, rng):
            if len(deal.tricks) == rules.pack.hand_size - 2 and deal.settled_after is None:
                is_sure = all(wins_all(deal, way) for way in all_ways(deal))
                assert (deal.claimed_after is not None) == is_sure
                found += is_sure
    assert found


def test_it_tells_nothing_of_the_kitty() -> None:
    """W3: the leader can't know whether the card that beats theirs is in a hand or in the kitty."""
    rules, rng = Ruleset.of("wikibooks", 5, {"remainder": "kitty", "kitty": "first-and-last"}), Random(1)
    claimed = [deal for _ in range(150) for deal in leads(rules, rng) if deal.claimed_after is not None]
    assert claimed
    for deal in claimed:
        own = deal.hands[deal.trick.leader]
        assert all(mine.rank > card.rank for mine in own for card in deal.kitty if card.suit is mine.suit)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_in_every_game_it_comes_to_that(preset: str, players: int) -> None:
    rng = Random(players)
    rules = Ruleset.of(preset, players)
    for how in (attrgetter("settled_after"), attrgetter("claimed_after")):
        found = (how(deal) for _ in range(60) for deal in positions(rules, rng))
        after = next((tricks for tricks in found if tricks is not None), None)
        assert 0 < after < rules.pack.hand_size
