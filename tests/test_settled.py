"""When a deal is decided: whatever is played from there on, everybody's points stay the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import attrgetter
from random import Random

import pytest
from by_chance import SEEDS, TABLES, one_deal, rulesets
from hypothesis import HealthCheck, given, settings

from engine.cards import Hand
from engine.play.deal import Deal, Phase, advance_deal
from engine.play.moves import Played
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

DEALS, WAYS = 4, 8
CHOICES = (None, *MoonChoice)


def outcome(deal: Deal, piles: tuple[Hand, ...]) -> object:
    """What comes of these piles: points, whatever a shooter may choose, the shooter, and who leads next."""
    rules = deal.rules
    led = [rules.preset.leads_next in pile for pile in piles]
    points = [rules.counting.points(piles, deal.exposed, choice) for choice in CHOICES]
    return points, rules.counting.shooter(piles), led


def shared(piles: Sequence[Hand], taken: dict[int, Hand]) -> tuple[Hand, ...]:
    """The piles once these seats have taken these cards."""
    return tuple(pile + taken.get(seat, ()) for seat, pile in enumerate(piles))


def played_out(deal: Deal, rng: Random) -> Deal:
    """The deal when all its cards are taken, each player having played any of their legal cards."""
    low = rng.random() < 0.5  # the ends of a hand take other tricks than its middle does
    while deal.phase is Phase.PLAYING:
        [seat] = deal.waiting_for
        legal = sorted(deal.legal(seat), key=lambda card: card.rank, reverse=rng.random() < 0.3)
        card = legal[0 if low else -1] if rng.random() < 0.5 else rng.choice(legal)
        deal = advance_deal(deal, Played(seat, card))
    return deal


def left_of(deal: Deal) -> Hand:
    """The cards of which not everybody knows who has taken them (W3)."""
    held = chain(*deal.hands, *deal.face_up, *deal.kitty_taken)
    return tuple(chain(held, deal.kitty, deal.on_hold, deal.kitty_on_hold, deal.trick.cards))


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
    for _ in range(DEALS):
        seen = list(positions(rules, rng))
        settled = next((deal for deal in seen if deal.settled_after is not None), None)
        led = (deal for deal in seen if not deal.trick.cards)
        claimed = next((deal for deal in led if deal.claimed_after is not None), None)
        for deal in filter(None, (settled, claimed)):
            ways = [played_out(deal, rng) for _ in range(WAYS)]
            assert len({str(outcome(deal, way.piles)) for way in ways}) == 1
            if deal is claimed:
                assert deal.claimed_after == len(deal.tricks)
                assert all(wins_all(deal, way) for way in ways)


def ends(deal: Deal) -> list[tuple[Hand, ...]]:
    """The piles if one player takes all that is left, or a card goes to one and the others to another."""
    left = left_of(deal)
    alone = [{taker: left} for taker in range(deal.rules.players)]
    # Two cards may make up for each other, as the jack of diamonds does for ten hearts.
    apart = [{0: (card,), 1: tuple(one for one in left if one is not card)} for card in left]
    return [shared(deal.taken, taken) for taken in (*alone, *apart)]


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


# A player who has the rest


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
        assert after is not None
        assert 0 < after < rules.pack.hand_size
