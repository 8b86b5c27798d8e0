"""When no points are left in a deal: whatever is played from there on, everybody's points stay the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
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


def positions(rules: Ruleset, rng: Random) -> Iterator[tuple[Deal, int | None]]:
    """Each position of a random deal in which cards are played, and after how many tricks it was settled."""
    for deal in one_deal(rules, rng):
        if deal.phase is Phase.PLAYING and deal.tricks:
            yield deal, deal.settled_after


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rulesets(), SEEDS)
def test_once_no_points_are_left_any_way_to_play_the_rest_brings_the_same(rules: Ruleset, seed: int) -> None:
    rng = Random(seed)
    for _ in range(DEALS):
        settled = [deal for deal, after in positions(rules, rng) if after is not None]
        for deal in settled[:: rules.players]:  # the first of each trick
            ways = [played_out(deal, rng) for _ in range(WAYS)]
            assert len({str(outcome(deal, way.piles)) for way in ways}) == 1


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
    for deal, after in positions(rules, Random(seed)):
        if after is None and not deal.trick.cards:
            first, *others = ends(deal)
            one = str(outcome(deal, first))
            assert any(str(outcome(deal, piles)) != one for piles in others)


@pytest.mark.parametrize("kitty", ["first-trick", "one-per-trick", "first-and-last"])
def test_whether_it_has_come_to_that_tells_nothing_of_a_kitty_that_somebody_took(kitty: str) -> None:
    """W3: who sees the game go on would know that it holds no points, and who sees it end, that it does."""
    rules, rng = Ruleset.of("wikibooks", 5, {"remainder": "kitty", "kitty": kitty}), Random(1)
    settled = [deal for _ in range(60) for deal, after in positions(rules, rng) if after is not None]
    assert settled
    for deal in settled:
        assert not rules.counting.scoring & set(chain(*deal.kitty_taken))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_in_every_game_it_comes_to_that(preset: str, players: int) -> None:
    rng = Random(players)
    rules = Ruleset.of(preset, players)
    found = {after for _ in range(60) for _, after in positions(rules, rng)} - {None}
    assert found
    assert all(0 < after < rules.pack.hand_size for after in found if after)
