"""The strong player: at home in every game, and right about what it says of a choice."""

from collections import Counter
from random import Random
from statistics import fmean

import numpy as np
import pytest
from by_chance import SEEDS, TABLES, games, one_deal, play_on, rulesets
from hypothesis import given, settings
from kernel.encoded import faces
from seating import dealt, hand, my_view, playing, rules, with_history

from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Passed
from engine.play.views import SeatView, seat_view
from engine.players import random_move
from engine.players.advice import QUICK, Option
from engine.players.manners import Manner
from engine.players.memory import voids
from engine.players.strong import advise, strong_move
from engine.players.strong.trials import Scratch
from engine.players.strong.utility import merit, stakes_of
from engine.players.strong.worlds import deal_out, encode_view
from engine.rules.ruleset import Ruleset
from engine.thinking.answers import advise as hint
from tests.bench.calibration import claims_of, furthest, tenths

#: Playouts for a decision, where it need not be a good one.
LITTLE = 30

CLASSIC = rules("classic", 4)
CHINESE = rules("chinese", 4)


def check_deal(of: Ruleset, seed: int) -> None:
    """A deal in which strong players, with hardly any thought, and chance make the moves by turns.

    A deal has less that is new in each further move than in other rules.
    """
    rng = Random(seed)
    game = next(games(of, rng))
    while game.deal:
        view = seat_view(game, rng.choice(game.deal.waiting_for))
        if rng.random() < 0.3:
            prefer = rng.choice((None, Manner.SHOOTS_MOONS.prefer))
            game = game.advance(strong_move(view, rng, LITTLE, prefer))
        else:
            game = game.advance(random_move(view, rng))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_game_can_be_played(preset, players):
    check_deal(rules(preset, players), 1)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rulesets(), SEEDS)
def test_any_options_can_be_played(of, seed):
    check_deal(of, seed)


# Worlds


def check_world(view: SeatView, seed: int) -> list[Counter]:
    """The hands of a deal that may be, which agrees with all that the view tells."""
    known = encode_view(view)
    scratch = Scratch.of(known, seed, 1)
    scratch.random_state[0] = scratch.seeds[0]
    world = scratch.positions[0]
    scratch.positions[0] = known.position
    deal_out(known, scratch.random_state, scratch.places, scratch.room_left, world)
    deal, laws, players = view.deal, known.laws, view.rules.players
    hands = [faces(laws, world.hands[seat]) for seat in range(players)]
    face_up = [Counter(cards) for cards in deal.face_up]
    assert hands[view.seat] == Counter(view.hand) + face_up[view.seat]
    for seat in range(players):
        assert hands[seat].total() == deal.hand_sizes[seat] + face_up[seat].total()
        assert hands[seat] >= face_up[seat]
        for card in hands[seat]:
            assert (seat, card.suit) not in voids(view)
    done = len(deal.tricks)
    lying = world.kitty[laws.kitty_before[done] : laws.kitty_before[laws.hand_size]]
    piles = [faces(laws, world.piles[seat]) for seat in range(players)]
    everything = [*hands, *piles, faces(laws, world.on_hold)]
    everything += [Counter(deal.trick.cards), Counter(map(laws.face, lying))]
    assert sum(everything, Counter()) == Counter(view.rules.pack.cards)
    return hands


@settings(max_examples=40, deadline=None)
@given(rulesets(), SEEDS)
def test_worlds_agree_with_all_that_is_known(of, seed):
    rng = Random(seed)
    deals = [deal for deal in one_deal(of, rng) if deal.waiting_for]
    deal = rng.choice([deal for deal in deals if deal.phase is not Phase.CHOOSING_MOON])
    check_world(seat_view(Game(of, deals=(deal,)), rng.choice(deal.waiting_for)), seed)


def test_passed_cards_are_where_they_went():
    game = dealt(CLASSIC, "QS KS AS 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H")
    game = game.advance(Passed(0, hand(CLASSIC, "QS KS AS")))
    rng = Random(2)
    while not game.deal.tricks:
        game = play_on(game, rng)
    played = {card for done in game.deal.tricks for card in done.trick.cards}
    hands = check_world(my_view(game), 1)
    assert hands[1] >= Counter(card for card in hand(CLASSIC, "QS KS AS") if card not in played)


# What it says of a choice


def test_an_ace_before_her_may_catch_the_queen_whom_anybody_may_hold():
    view = my_view(playing(CLASSIC, "AS 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S"))
    queen = hand(CLASSIC, "QS")[0]
    worlds = [check_world(view, seed) for seed in range(60)]
    assert {seat for hands in worlds for seat, cards in enumerate(hands) if cards[queen]} == {1, 2, 3}
    advice = advise(view, 4000, 1)
    high, low = (advice.about(hand(CLASSIC, code)) for code in ("AS", "3S"))
    assert (high.takes, low.takes, low.catches, low.costs) == (1.0, 0.0, (), 0.0)
    assert 0.05 < dict(high.catches)[queen] < 0.75
    assert high.costs > 13 * dict(high.catches)[queen] - 1e-9
    assert high.expected > low.expected
    assert high.merit < low.merit - 2 * high.margin


def test_of_equal_passes_a_hint_advises_the_one_without_a_moon():
    game = Game(CLASSIC)
    view = seat_view(game.advance(shuffle(game, Random(142))), 0)
    bold, safe = advise(view, LITTLE, 1), hint(view, LITTLE, 1, (), None)
    assert bold.best.moon > 0.4
    assert safe.best.moon < 0.2
    assert safe.about(bold.best.cards) is not None
    assert abs(bold.best.merit - safe.best.merit) <= safe.best.margin


def test_what_is_certain_has_no_error():
    advice = advise(my_view(playing(CLASSIC, "AC 2H", out="3H 4H 5H 6H 7H 8H", taken={1: "QS"})), 400, 1)
    assert advice.best.cards == hand(CLASSIC, "2H")
    assert advice.best.error == advice.best.margin == 0.0


def test_what_is_forced_or_all_the_same_is_not_searched():
    forced = advise(my_view(playing(CLASSIC, "7C 2D", "4C 5C 6C")), 100, 1)
    assert (forced.worlds, len(forced.options)) == (0, 1)
    same = advise(my_view(playing(CLASSIC, "7C 8C 9C 2D", "4C KC AC")), 100, 1)
    assert same.worlds == 0
    assert same.best.cards == hand(CLASSIC, "9C")
    assert set(same.best.same) == set(hand(CLASSIC, "7C 8C"))
    assert same.about(hand(CLASSIC, "7C")) == same.best


def test_a_pass_that_is_asked_about_is_weighed():
    view = my_view(dealt(CLASSIC, "2S 5S 8S TS 4C JC AC 5D QD KD 3H 9H QH"))
    odd = hand(CLASSIC, "5S 2S 3H")
    advice = advise(view, 200, 1, also=(odd,))
    assert advice.about(odd).merit < advice.best.merit


def test_a_preference_chooses_among_equals_alone():
    view = my_view(playing(CLASSIC, "QS 5S 9D 4D 8C 3C 6H 4H", "TS AS 3S"))

    def prefers_low(view: SeatView, option: Option) -> float:
        return -option.cards[0].rank

    assert advise(view, 1000, 1, prefers_low).best.cards == hand(CLASSIC, "QS")
    free = my_view(playing(CLASSIC, "7D 3D", "JD KD QD", taken={1: "QS"}))
    assert advise(free, 1000, 1).best.cards == hand(CLASSIC, "7D")
    assert advise(free, 1000, 1, prefers_low).best.cards[0].rank in (3, 7)


# Moons

NEARLY_A_MOON = "QS 5H 6H 7H 8H 9H TH JH QH"
HIGH = "AS KS QS AH KH QH 3H AC KC QC AD KD 4D"


def test_a_moon_is_harder_among_regulars():
    view = my_view(dealt(CLASSIC, HIGH))
    among = [advise(view, 400, 1, skills=[share] * 4).best for share in (0.0, 1.0)]
    assert among[0].moon > among[1].moon + 0.1


def test_the_moon_of_another_is_foretold():
    game = playing(CLASSIC, "3H 4C", out="KH AH 2H 4H AC 2C", taken={2: NEARLY_A_MOON})
    for skills in ([0.0] * 4, [1.0] * 4):
        best = advise(my_view(game), 2000, 1, skills=skills).best
        assert best.rivals[2] > 0.05
        assert best.rivals[:2] == (0.0, 0.0)
        assert best.moon == 0.0
    safe = playing(CLASSIC, "3H 4C", out="KH AH 2H 4H AC 2C", taken={1: "QH", 2: NEARLY_A_MOON[:-2]})
    assert not any(advise(my_view(safe), 2000, 1).best.rivals)


def test_the_sun_is_told_from_the_moon():
    hearts = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    sun = my_view(playing(CHINESE, "AH AC 2D", out="3C 4C 5C 3D 4D 5D", taken={0: f"{hearts} QS JD TC"}))
    moon = my_view(playing(CHINESE, "AH AC 2D", out="3C 4C 5C 3D 4D 5D", taken={0: hearts, 1: "QS JD TC"}))
    assert advise(sun, 2000, 1).best.sun == advise(sun, 2000, 1).best.moon > 0
    assert advise(moon, 2000, 1).best.sun == 0 < advise(moon, 2000, 1).best.moon


# What points are worth


def worth(game: Game, *points: int, shot: bool = False) -> float:
    """The merit of these points for seat 0."""
    return merit(stakes_of(my_view(game)), np.array(points, np.int64), shot)


def game_at(*totals: int) -> Game:
    return with_history(playing(CLASSIC, "QS 2C"), *totals)


def test_early_a_point_is_a_point():
    early = game_at(0, 0, 0, 0)
    assert worth(early, 0, 13, 13, 0) == pytest.approx(26 / 3)
    assert worth(early, 13, 13, 0, 0) == pytest.approx(-13 + 13 / 3)


def test_one_behind_takes_risks_and_one_ahead_does_not():
    """Five points for certain, or none and ten by turns."""
    ahead, behind = game_at(60, 75, 75, 90), game_at(88, 60, 75, 90)
    for game, likes_risk in ((ahead, False), (behind, True)):
        sure = worth(game, 5, 7, 7, 7)
        gamble = (worth(game, 0, 12, 7, 7) + worth(game, 10, 2, 7, 7)) / 2
        assert (gamble > sure) is likes_risk


def test_G6_the_last_of_a_number_of_deals_decides_the_game():
    last, next_to_last = (
        with_history(playing(rules("classic", 4, deals=deals), "QS 2C"), 10, 12, 30, 40) for deals in (2, 3)
    )
    assert stakes_of(my_view(last)).weight > stakes_of(my_view(next_to_last)).weight
    for game, is_decided in ((last, True), (next_to_last, False)):
        lost = (
            worth(game, 10, 0, 0, 0) - worth(game, 3, 0, 0, 0),
            worth(game, 3, 0, 0, 0) - worth(game, 1, 0, 0, 0),
        )
        assert (abs(lost[1]) > abs(lost[0])) is is_decided


def test_another_s_moon_is_dreaded_beyond_its_points_among_those_who_stop_moons():
    early, last = game_at(0, 0, 0, 0), game_at(80, 82, 60, 95)
    assert stakes_of(my_view(early)).dread == 0
    assert stakes_of(my_view(early), others_stop_moons=True).dread == pytest.approx(26 / 3)
    assert stakes_of(my_view(last), others_stop_moons=True).dread < 26 / 9


def test_winning_the_game_is_worth_points():
    last = game_at(80, 82, 60, 95)
    lost = worth(last, 10, 0, 6, 10)  # seat 2 wins
    won = worth(game_at(80, 82, 79, 95), 5, 5, 7, 9)
    assert won > lost + 10


def test_who_shoots_chooses_what_wins():
    """To add would end the game for seat 1; to subtract keeps it going."""
    late, points = game_at(93, 60, 70, 75), (0, 26, 26, 26)
    assert worth(late, *points, shot=True) == pytest.approx(worth(late, -26, 0, 0, 0))
    assert worth(late, *points, shot=True) > worth(late, *points) + 5
    ahead = game_at(10, 60, 70, 75)
    assert worth(ahead, *points, shot=True) == pytest.approx(worth(ahead, *points))


# What it foretells comes true: a shorter form of `python -m tests.bench.calibration`

#: This few deals tell how far off a tenth of the points is only roughly.
DEALS, ROUGHLY = 12, 0.2


@pytest.mark.slow
def test_what_is_foretold_comes_true() -> None:
    """At a mixed table, where strong players meet both strong and medium ones."""
    claims = [claim for number in range(DEALS) for claim in claims_of(CLASSIC, "mixed", QUICK, number)]
    for kind, bins in tenths(claims).items():
        if "points" in kind:
            assert furthest(bins, DEALS - 2) <= ROUGHLY
            continue
        for least, most, rarely, often in ((0.95, 1.0, 0.85, 1.0), (0.0, 0.05, 0.0, 0.15)):
            found = [one.happened for one in claims if one.kind == kind and least <= one.predicted <= most]
            assert len(found) < DEALS or rarely <= fmean(found) <= often
