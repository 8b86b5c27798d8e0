"""What everyone may see of a deal, which tells nothing of the kitty's cards, and of each step of it later."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from by_chance import SEEDS, TABLES, games, one_deal, played, rulesets, values
from hypothesis import assume, given, settings

from engine.cards import Card, Hand
from engine.play import steps
from engine.play.deal import Deal, Phase
from engine.play.public import PublicDeal, public_deal
from engine.play.steps import Stage
from engine.play.views import public_view, seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset


def worth(deal: PublicDeal, rules: Ruleset, cards: Hand) -> int:
    """What these cards count by themselves, as K6, W9 to W12, C7 and C8 say."""
    counted = values(rules)
    doubled = {card.suit for _, card in deal.exposures}
    return sum(counted.get(card.code, 0) * (2 if card.suit in doubled else 1) for card in cards)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(rulesets(), SEEDS)
def test_points_so_far_costs_and_accounts_are_those_of_the_cards_taken(rules, seed):
    for deal in one_deal(rules, Random(seed)):
        seen = public_deal(deal)
        assert list(seen.so_far) == [worth(seen, rules, pile) for pile in seen.taken]
        assert seen.on_hold_points == worth(seen, rules, seen.on_hold)
    for seat, pile in enumerate(seen.taken):
        assert pile == sum((done.won for done in seen.tricks if done.winner == seat), ())
    for done in seen.tricks:
        assert done.cost == worth(seen, rules, done.won)
        assert (done.winner is None) == (done.won == ()) == (done.winning is None)
        if done.winning is not None:
            assert done.winner == done.trick.seat(done.winning, rules.players)
    for account, points, pile in zip(seen.accounts, seen.points, deal.piles, strict=True):
        assert sum(entry.points for entry in account) == points
        told = sorted(card.code for entry in account for card in entry.cards)
        assert told == sorted(card.code for card in pile if card in rules.counting.scoring)


def highest(cards: Hand) -> set[int]:
    """Where the highest cards of the suit led lie that have no twin in the trick (P6)."""
    led = next((card.suit for card in cards if card.suit), None)
    ranks = [card.rank if card.suit is led and cards.count(card) == 1 else 0 for card in cards]
    return {index for index, rank in enumerate(ranks) if rank and rank == max(ranks)}


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(rulesets(("double-deck", "cancellation")), SEEDS)
def test_which_card_wins_so_far_and_which_are_cancelled(rules, seed):
    assume(rules.duplicates and rules.duplicates.value == "cancel")
    for deal in one_deal(rules, Random(seed)):
        seen = public_deal(deal)
        cards = seen.trick.cards
        assert seen.cancelled == {card for card in cards if cards.count(card) == 2}
        if highest(cards):
            assert {seen.winning} == highest(cards)
        elif not cards or not seen.is_last_trick:
            assert seen.winning is None
        else:  # P8
            assert cards[seen.winning] in seen.cancelled


@pytest.mark.parametrize("kitty", ["first-trick", "one-per-trick", "first-and-last"])
def test_W3_nothing_that_others_see_hangs_on_the_cards_of_the_kitty(kitty):
    rules, rng = Ruleset.of("wikibooks", 5, {"remainder": "kitty", "kitty": kitty}), Random(8)
    game = next(games(rules, rng))
    taken = 0
    while game.deal and game.deal.phase is not Phase.CHOOSING_MOON:
        other = replace(game, deals=(with_other_kitty(game.deal),))
        taken += other != game
        assert public_view(other) == public_view(game)
        for seat in range(5):
            if not game.deal.kitty_taken[seat]:
                assert seat_view(other, seat) == seat_view(game, seat)
        game = game.advance(random_move(seat_view(game, game.deal.waiting_for[0]), rng))
    assert taken > 5


def with_other_kitty(deal: Deal) -> Deal:
    """The same deal as if the kitty had held other cards, whose points are others."""

    def other(cards: Hand) -> Hand:
        queen: Card = deal.rules.pack.faces["QS"]
        return tuple(queen if card is not queen else deal.rules.pack.faces["2D"] for card in cards)

    return replace(
        deal,
        kitty=other(deal.kitty),
        kitty_taken=tuple(map(other, deal.kitty_taken)),
        kitty_on_hold=other(deal.kitty_on_hold),
    )


def test_the_deal_before_is_seen_as_it_ended():
    for game in games(Ruleset.of("classic", 4, {"deals": 2}), Random(2)):
        view = public_view(game)
        assert view.previous == (public_deal(game.deals[-2]) if len(game.deals) > 1 else None)
        assert view.deal == public_deal(game.deals[-1])


# A done deal gone through again


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_from_the_cards_as_dealt_to_the_points(name: str, players: int) -> None:
    [done] = played(name, players, deals=1).deals
    every = [steps.at(done, number) for number in range(steps.count(done))]
    assert [step.stage for step in every] == [
        Stage.DEALT,
        *([Stage.PASSED] if done.offset else []),
        *([Stage.EXPOSED] if name == "chinese" else []),
        *[Stage.PLAYED] * (players * done.rules.pack.hand_size),
        Stage.COUNTED,
    ]
    assert list(map(Counter, every[0].deal.hands)) == list(map(Counter, done.dealt.hands))
    assert every[-1].deal is done
    plays = [step.deal for step in every if step.stage is Stage.PLAYED]
    assert plays[-1] == done or plays[-1].phase is Phase.CHOOSING_MOON
    laid = [sum(len(one.trick.cards) for one in deal.tricks) + len(deal.trick.cards) for deal in plays]
    assert laid == list(range(1, len(plays) + 1))
    # A stop is where no trick is half played.
    assert steps.stops(done) == [
        number
        for number, step in enumerate(every)
        if not step.deal.trick.cards or step.stage is not Stage.PLAYED
    ]
    # What a player saw then leads to its step.
    for number, step in enumerate(every):
        if number == 0 or step.deal.phase is Phase.PLAYING:
            assert steps.number_of(done, public_deal(step.deal)) == number
    for number in (-1, len(every), len(every) + 1):
        with pytest.raises(IndexError):
            steps.at(done, number)
