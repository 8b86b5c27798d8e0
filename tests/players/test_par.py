"""Par: what strong computers know while they play a deal again, and what their play comes to."""

from collections import Counter
from dataclasses import replace
from random import Random
from statistics import fmean

import pytest
from by_chance import SEEDS, TABLES, rulesets
from hypothesis import given, settings
from kernel.encoded import faces, ready_to_play

from engine.kernel.rules import derive_fields, legal, turn
from engine.numbers.rows import NONE
from engine.play.deal import Phase, advance_deal
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Played
from engine.play.par import DealStart, par_of
from engine.play.views import seat_view
from engine.players import par
from engine.players.strong import playing
from engine.players.strong.replaying import DEAL, VIEW, list_options, note_and_lay, prepare
from engine.players.strong.worlds import Knowledge, encode_view
from engine.rules.options import Remainder
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow


def begun(rules: Ruleset, rng: Random) -> DealStart:
    """A deal of these rules, in a game that has just begun."""
    leader = rng.randrange(rules.players)
    return DealStart(rules, rng.randint(1, 4), shuffle(Game(rules), rng), leader, (0,) * rules.players)


def told(known: Knowledge) -> object:
    """What a seat knows, whichever copies it is about."""
    laws, position, unseen = known
    players = laws.players
    rows = [position.on_hold, *position.hands[:players], *position.face_up[:players]]
    rows += list(position.piles[:players])
    places = Counter(
        (laws.face(int(code)), int(may)) for code, may in zip(unseen.codes, unseen.may, strict=True)
    )
    trick = [laws.face(int(position.trick[index])) for index in range(position.laid)]
    fields = position.leader, position.tricks_done, bool(position.hearts_broken)
    return [faces(laws, row) for row in rows], places, list(map(int, unseen.room)), trick, fields


def check_knowledge(rules: Ruleset, seed: int) -> None:
    """Through a random deal each seat knows in compiled code what its view says, and has the same options."""
    rng = Random(seed)
    deal = ready_to_play(rules, rng)
    start = DealStart(rules, deal.number, deal.dealt, deal.trick.leader, (0,) * rules.players)
    seating, record, position = par.encode(start, deal)
    laws, memory = seating.laws, par.memory()
    memory.positions[DEAL] = position
    truth = memory.positions[DEAL]
    derive_fields(laws, truth)
    while deal.phase is Phase.PLAYING:
        seat = turn(laws, truth)
        assert seat == deal.turn
        legal(laws, truth, memory.legal)
        view = seat_view(Game(rules, deals=(deal,)), seat)
        known = encode_view(view)
        options = list_options(seating, record, memory)
        found = [(laws.face(int(memory.cards[one])), int(memory.aims[one])) for one in range(options)]
        groups = playing.candidates(view, known)
        aims = (NONE, seat) if playing.may_aim(view, known) and len(groups) > 1 else (NONE,)
        assert found == [(group[0], aim) for aim in aims for group in groups]
        unseen = prepare(seating, record, memory)
        hidden = known.unseen._replace(
            codes=memory.codes[:unseen], may=memory.may[:unseen], room=memory.room[: 2 * laws.players + 2]
        )
        assert told(Knowledge(laws, memory.positions[VIEW], hidden)) == told(known)
        chosen = rng.randrange(options)
        code = memory.cards[chosen]
        note_and_lay(laws, seating.offset, record, truth, code)
        deal = advance_deal(deal, Played(seat, laws.face(int(code))))


# What their play comes to


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_game_has_pars_and_seats_know_what_their_views_say(
    preset: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Ruleset.of(preset, players)
    check_knowledge(rules, 1)
    start = begun(rules, Random(1))
    monkeypatch.setattr(par, "PASSING", 60)  # playouts: it need not be a good pass
    passes = par.choose_passes(start, 1, 0, float("inf"))
    points = par.replay(start, passes, 0, 2, float("inf"))
    assert [len(one) for one in points] == [players] * 2


@settings(max_examples=30, deadline=None)
@given(rulesets(), SEEDS)
def test_seats_know_it_whatever_the_options(rules: Ruleset, seed: int) -> None:
    check_knowledge(rules, seed)


def test_seats_take_three_jokers_for_copies_of_one_card() -> None:
    rules = Ruleset.of("wikibooks", 5, {"remainder": Remainder.JOKERS})
    for seed in range(10):
        check_knowledge(rules, seed)


def test_the_same_deal_is_replayed_alike_in_pieces() -> None:
    start = begun(Ruleset.of("classic", 4), Random(5))
    start = DealStart(start.rules, 1, start.dealt, 0, (40, 3, 90, 12))
    passes = par.choose_passes(start, 2, 0, float("inf"))
    assert len(passes) == par.passes_needed(start, 2) == 8
    assert [par.choose_passes(start, 2, number, 0.0) for number in range(8)] == [[one] for one in passes]
    points = par.replay(start, passes, 0, 3, float("inf"))
    assert [par.replay(start, passes, number, 3, 0.0) for number in range(3)] == [[one] for one in points]
    assert len(set(points)) > 1, "each has its own luck"
    with_other_totals = DealStart(start.rules, 1, start.dealt, 0, (0, 0, 0, 0))
    assert par.replay(with_other_totals, passes, 0, 3, float("inf")) != points


def test_replays_take_turns_with_the_passes() -> None:
    start = replace(begun(Ruleset.of("classic", 4), Random(6)), number=1)
    passes = [hand[at : at + 3] for at in (0, 5, 10) for hand in start.dealt.hands]
    points = par.replay(start, passes, 0, 6, float("inf"))
    assert points != par.replay(start, passes[:4], 0, 6, float("inf"))
    for number, found in enumerate(points):
        own = 4 * (number % 3)
        assert par.replay(start, passes[own : own + 4], number, number + 1, float("inf")) == [found]


def test_what_begins_alike_counts_once_in_the_error() -> None:
    points = [(0, 26, 0, 0), (13, 5, 4, 4), (1, 2, 3, 20)]
    once, often = par_of(points), par_of(points * 5, pass_sets=3)
    assert often.points == pytest.approx(once.points)
    assert often.errors == pytest.approx(once.errors)
    assert (often.replays, once.replays) == (15, 3)
    alone = par_of(points * 5).errors
    assert all(error < shared for error, shared in zip(alone, often.errors, strict=True))
    assert par_of(points, pass_sets=1).errors == (0, 0, 0, 0), "nothing is known of it"


def test_where_anyone_may_lead_the_replays_take_turns() -> None:
    """As in a daily deal, where that follows from the deal before, which each plays differently (C3)."""
    rules = Ruleset.of("chinese", 4)
    dealt = shuffle(Game(rules), Random(3))
    led = [DealStart(rules, 2, dealt, leader, (0, 0, 0, 0)) for leader in (None, *range(4))]
    either, *each = [par.replay(start, (), 0, 5, float("inf")) for start in led]
    assert either == [each[number % 4][number] for number in range(5)]
    assert either not in each


def test_a_shooter_chooses_as_the_totals_demand() -> None:
    """Seat 0 holds every high card: it adds to the others, unless that ends the game badly."""
    rules = Ruleset.of("classic", 4, {"moon": "choice", "ends_at": 100})
    pack = sorted(rules.pack.cards, key=lambda card: (-card.rank, card.order))
    hands = (tuple(pack[:13]), *(tuple(pack[13 + seat :: 3]) for seat in range(3)))
    outcomes = {}
    for totals in ((0, 0, 0, 0), (90, 20, 20, 20)):
        start = DealStart(rules, 4, Dealt(3, hands), 0, totals)
        outcomes[totals] = Counter(par.replay(start, (), 0, 12, float("inf")))
    assert outcomes[0, 0, 0, 0][0, 26, 26, 26] > 6
    assert outcomes[90, 20, 20, 20][-26, 0, 0, 0] > 6


def test_who_holds_better_cards_has_a_better_par() -> None:
    rules = Ruleset.of("classic", 4)
    pack = sorted(rules.pack.cards, key=lambda card: (card.rank, card.order))
    rest = pack[13:]
    Random(2).shuffle(rest)
    hands = (tuple(pack[:13]), *(tuple(rest[13 * seat : 13 * seat + 13]) for seat in range(3)))
    start = DealStart(rules, 4, Dealt(3, hands), 0, (0, 0, 0, 0))
    par_ = par_of(par.replay(start, (), 0, 24, float("inf")))
    assert par_.points[0] < 2 < fmean(par_.points[1:])
    assert all(0 < error < 4 for error in par_.errors[1:])
