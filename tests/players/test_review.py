"""What a deal cost, judged on what its player saw: the choices are found again, and the dear ones told."""

from dataclasses import replace
from random import Random

import pytest
from by_chance import games, played
from estimates import estimate
from seating import rules

from engine.cards import cards, sort_hand
from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView, seat_view
from engine.players import random_move
from engine.players.advice import MOST_REPORTED, REVIEW, Advice, Decision, Option, costliest, decisions, judge
from engine.rules.ruleset import Ruleset

CLASSIC = rules("classic", 4)
CHINESE = rules("chinese", 4)
FAMILY = (CLASSIC, rules("wikibooks", 3), rules("double-deck", 8), rules("cancellation", 5), CHINESE)


def chosen(move: SeatMove) -> tuple[object, ...]:
    match move:
        case Passed(_, cards):
            return sort_hand(cards)
        case Exposed(_, card) | Played(_, card):
            return (card,)
        case _:
            return ()


@pytest.mark.parametrize("of", FAMILY, ids=lambda of: of.preset.name)
def test_each_choice_is_found_again_with_what_its_player_saw(of: Ruleset) -> None:
    seen: list[tuple[SeatView, SeatMove]] = []
    game, rng = Game(of), Random(5)
    for _ in range(3):
        game = game.advance(shuffle(game, rng))
        while game.deal:
            seat = game.deal.waiting_for[0]
            view = seat_view(game, seat)
            move = random_move(view, rng)
            if seat == 1 and not isinstance(move, MoonChosen):
                seen.append((view, move))
            game = game.advance(move)
    for number in (1, 2, 3):
        done = game.deals[number - 1]
        decided = [one for one in (done.settled_after, done.claimed_after) if one is not None]
        settled = min(decided, default=of.pack.hand_size)
        expected = [
            (view, chosen(move))
            for view, move in seen
            if view.deal.number == number
            and len(view.deal.tricks) < settled
            and (view.deal.phase is not Phase.PLAYING or len(set(view.legal)) > 1)
            and not isinstance(move, Declined | Exposed)
        ]
        found = [one for one in decisions(game, number, 1) if one.view.deal.phase is not Phase.EXPOSING]
        assert [one.cards for one in found] == [cards for _, cards in expected]
        assert [without_chance(one.view) for one in found] == [without_chance(view) for view, _ in expected]


def without_chance(view: SeatView) -> SeatView:
    """The view without what nobody remembers: who of the others had passed, or had nothing to expose."""
    deal = replace(view.deal, has_chosen=())
    return replace(view, public=replace(view.public, deal=deal), declined=False)


def test_what_was_exposed_is_a_choice_and_so_is_what_was_not() -> None:
    rng = Random(2)
    game = next(games(CHINESE, rng))
    holder = next(seat for seat, hand in enumerate(game.deal.hands) if game.deal.exposable(seat))
    first = game.deal.exposable(holder)[0]
    game = game.advance(Exposed(holder, first))
    others = set(game.deal.waiting_for)
    while game.deal:
        seat = game.deal.waiting_for[0]
        game = game.advance(
            Declined(seat) if game.deal.phase is Phase.EXPOSING else random_move(seat_view(game, seat), rng)
        )
    mine = [one.cards for one in decisions(game, 1, holder) if one.view.deal.phase is Phase.EXPOSING]
    assert mine == [(first,), *([()] if holder in others else [])]
    for seat in others - {holder}:
        [declined] = [one for one in decisions(game, 1, seat) if one.view.deal.phase is Phase.EXPOSING]
        assert declined.cards == ()
        assert declined.view.deal.exposed == (first,)


def test_who_plays_by_chance_pays_for_it_and_two_choices_are_told_each_lesson_once() -> None:
    made = decisions(played("classic", 4, deals=6), 6, 1)  # more than one of them was dear
    judged = [judge(decision, estimate(decision.view, decision.cards)) for decision in made]
    dear = [one for one in judged if one]
    told = costliest(judged)
    assert len(told) == MOST_REPORTED
    assert told[0].cost >= told[1].cost >= 1
    assert told[0].cost == max(one.cost for one in dear)
    for one in told:
        assert one.cost == pytest.approx(one.chosen.expected - one.advice.best.expected)
    best = [one.advice.best.cards for one in told]
    assert len(best) == len(set(best)) < len(dear)


def judged(of: Ruleset, best: float, own: float, margin: float) -> float | None:
    """What a lead costs that brings so many points where the best brings those."""
    made = decisions(played(of.preset.name, 4, seed=5, deals=1), 1, 1)
    decision = next(one for one in made if one.view.deal.phase is Phase.PLAYING)
    sign = -1 if of is CLASSIC else 1
    options = [
        Option(cards, points, 0.1, sign * points, margin)
        for cards, points in (((decision.view.legal[-1],), best), (decision.cards, own))
    ]
    found = judge(Decision(decision.view, decision.cards), Advice(Phase.PLAYING, tuple(options), 100))
    return found and found.cost


def test_only_what_is_certain_and_dear_is_told() -> None:
    assert judged(CLASSIC, 4.0, 7.0, margin=0.9) == pytest.approx(3.0)
    assert judged(CLASSIC, 4.0, 7.0, margin=1.1) is None  # it may be chance
    assert judged(CLASSIC, 4.0, 4.9, margin=0.1) is None  # it is not worth a word
    # Where the highest total wins, fewer points are the cost.
    assert judged(CHINESE, 50.0, -40.0, margin=1.0) == pytest.approx(90.0)


def test_what_was_not_looked_at_is_not_judged() -> None:
    decision = next(decisions(played("classic", 4), 1, 1))
    advice = estimate(decision.view)
    assert judge(Decision(decision.view, cards("2C 3C 4C")), advice) is None


@pytest.mark.slow
def test_whoever_plays_as_the_strong_player_does_is_told_of_nothing() -> None:
    from engine.players.strong import advise, strong_move

    rng = Random(7)
    for seed in range(2):
        game = Game(CLASSIC).advance(shuffle(Game(CLASSIC), rng))
        while game.deal:
            seat = game.deal.waiting_for[0]
            move = strong_move if seat == 0 else random_move
            game = game.advance(move(seat_view(game, seat), rng))
        for decision in decisions(game, 1, 0):
            assert judge(decision, advise(decision.view, REVIEW, seed, also=[decision.cards])) is None
