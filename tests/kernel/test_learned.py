"""Learned players see and choose the same in compiled code as without it, and their tables fit the rules."""

from random import Random

import numpy as np
import pytest
from encoded import ready_to_play

from engine.kernel.chance import random_state
from engine.kernel.habits import find_moon
from engine.kernel.learned import Learned, pick, pick_gift, see
from engine.kernel.records import Laws, Position, rows_of
from engine.kernel.rules import derive_fields
from engine.learning.self_play import DECISIONS, DealBuffers, LearnedGame, Lessons, study
from engine.learning.training import fingerprint_of, games_of, judge, learn, with_house_rules
from engine.numbers.appeal import PARTS, WEIGHTS, look
from engine.numbers.rows import CODES, NONE, suit_index
from engine.numbers.weights import TABLES, fingerprint_in, packed, table_of, unpacked, weights_of
from engine.numbers.worths import codes_in, rows_with, values_of
from engine.play.deal import Phase, advance_deal, start_deal
from engine.play.game import Game as Table
from engine.play.game import shuffle
from engine.play.moves import Played
from engine.play.views import SeatView, seat_view
from engine.players import medium_move
from engine.players.memory import not_seen
from engine.players.sight import Copies, appeals, sight_of
from engine.players.strong.worlds import encode_view
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

USUAL = [rules for table in TABLES for rules in games_of(table)]
HOUSE = [with_house_rules(Random(number).choice(USUAL), Random(number)) for number in range(10)]


def name(rules: Ruleset) -> str:
    return f"{rules.preset.name} {rules.players} {rules.winner.value}"


def views_of(rules: Ruleset, rng: Random) -> list[SeatView]:
    """What the players see at their turns of a deal in which chance plays."""
    deal, views = ready_to_play(rules, rng), []
    while deal.phase is Phase.PLAYING:
        [seat] = deal.waiting_for
        view = seat_view(Table(rules, deals=(deal,)), seat)
        if len(set(view.legal)) > 1:
            views.append(view)
        deal = advance_deal(deal, Played(seat, rng.choice(view.legal)))
    return views


def as_seen(view: SeatView) -> tuple[Laws, Position]:
    """A position with what this view says, and all else among the cards in play."""
    laws, position, _ = encode_view(view)
    derive_fields(laws, position)
    copies = Copies()
    mine = copies.take((*view.deal.face_up[view.seat], *view.hand))
    gone = copies.take(
        (*(card for pile in view.deal.taken for card in pile), *view.kitty, *view.deal.on_hold)
    )
    trick = copies.take(view.deal.trick.cards)
    whole = np.asarray(rows_of([*mine, *trick, *copies.take(not_seen(view))]))
    assert not (whole & np.asarray(rows_of(gone))).any()
    for suit in range(5):
        position.in_play[suit] = whole[suit]
    return laws, position


@pytest.mark.parametrize("rules", [*USUAL, *HOUSE], ids=name)
def test_compiled_code_sees_and_chooses_the_same(rules: Ruleset) -> None:
    rng = Random(1)
    learned = Learned.of(weights_of(rules))
    for view in views_of(rules, rng):
        laws, position = as_seen(view)
        moon = find_moon(laws, position, NONE, CODES)
        see(laws, position, view.seat, moon.holder, moon.taken, learned)
        mine = sight_of(view).mine
        legal = rows_with(
            code for card in set(view.legal) for code in codes_in(mine[suit_index(card.suit)], card)
        )
        found = look(laws, learned, np.array(legal, np.int64), learned.codes, learned.seen)
        codes, seen = [0] * CODES, [0] * (CODES * PARTS)
        assert look(values_of(rules, view.deal.exposed), sight_of(view), legal, codes, seen) == found
        assert [int(code) for code in learned.codes][:found] == codes[:found]
        assert [int(place) for place in learned.seen][: PARTS * found] == seen[: PARTS * found]
        assert all(0 <= place < WEIGHTS for place in seen)
        card = laws.face(pick(laws, learned, np.array(legal, np.int64)))
        liked = appeals(view)
        assert liked[card] == max(liked.values())
        assert medium_move(view, rng).card is card


@pytest.mark.parametrize("rules", [rules for rules in (*USUAL, *HOUSE) if rules.pass_cards], ids=name)
def test_compiled_code_passes_the_same(rules: Ruleset) -> None:
    learned, laws = Learned.of(weights_of(rules)), Laws.of(rules)
    deal = start_deal(rules, 1, shuffle(Table(rules), Random(2)), 0)
    for seat in deal.waiting_for if deal.phase is Phase.PASSING else ():
        view, gift = seat_view(Table(rules, deals=(deal,)), seat), np.zeros(5, np.int64)
        hand = rows_of(Copies().take(view.hand))
        pick_gift(laws, learned, hand, rules.pass_cards, deal.offset % rules.players, gift)
        assert list(gift) == list(rows_of(Copies().take(medium_move(view, Random(1)).cards)))


@pytest.mark.parametrize("table", TABLES)
def test_tables_were_learned_with_the_rules_and_features_of_today(table: str) -> None:
    """If this fails: python -m engine.learning, and look at how the duels come out."""
    assert fingerprint_in(table) == fingerprint_of(table)
    weights = weights_of(games_of(table)[0])
    assert len(weights) == WEIGHTS
    assert weights[0] == 0
    assert unpacked(packed(weights, "x")) == weights


def test_each_game_has_a_table_whatever_its_options() -> None:
    assert {table_of(rules) for rules in (*USUAL, *HOUSE)} == set(TABLES)


@pytest.mark.parametrize("rules", HOUSE, ids=name)
def test_all_that_is_learned_from_has_room(rules: Ruleset) -> None:
    lessons = Lessons.none()
    made = study(LearnedGame.of(rules), lessons, DealBuffers.new(), 50, random_state(1))
    assert 50 < made <= 50 * DECISIONS
    assert np.isfinite(lessons.gradient).all()


def test_self_play_learns_to_beat_players_of_habit_and_a_seed_repeats_it() -> None:
    [line] = judge("classic-lowest", learn("classic-lowest", 150_000, seed=1))
    assert float(line.split()[2]) > 0.5
    assert learn("chinese-highest", 8_000, seed=1) == learn("chinese-highest", 8_000, seed=1)
