"""Achievements: what each takes, and what is nearly one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.cards import without
from engine.play.achievements import (
    OF_A_CAREER,
    OF_A_GAME,
    Career,
    Part,
    count_queens_given,
    count_queens_taken,
    in_career,
    in_game,
)
from engine.play.deal import Deal, Phase
from engine.play.game import Game
from engine.play.moves import Dealt, Declined, MoonChosen, Played, SeatMove
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset

ADD, SUBTRACT = MoonChoice.ADD, MoonChoice.SUBTRACT
SUITS = [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "CDSH"]
CLUBS, DIAMONDS, SPADES, HEARTS = SUITS
#: Seat 0 takes one heart with the ace of clubs, then the lead is lost, and seat 1 takes all the others.
BROKEN = (
    "AC " + " ".join(rank + "D" for rank in "23456789TJQK"),
    "AD " + " ".join(rank + "C" for rank in "23456789TJQK"),
    SPADES,
    HEARTS,
)
#: Who holds the clubs shoots the moon.
MOON = {shooter: tuple(SUITS[(seat - shooter) % 4] for seat in range(4)) for shooter in range(4)}


def played(preset: str, *deals: tuple[Sequence[str], MoonChoice], **options: Any) -> Game:
    """A game for four of these hands and moons' choices; each plays the first card that may be played."""
    game = Game(Ruleset.of(preset, 4, options))
    for hands, choice in deals:
        game = game.advance(dealt(game, hands))
        while game.deal is not None:
            game = game.advance(move(game.deal, choice))
    return game


def dealt(game: Game, hands: Sequence[str]) -> Dealt:
    """These hands, each filled with what is left."""
    faces = game.rules.pack.faces
    held = [[faces[code] for code in codes.split()] for codes in hands]
    left = list(without(game.rules.pack.cards, [card for hand in held for card in hand]))
    for hand in held:
        missing = game.rules.pack.hand_size - len(hand)
        hand += left[:missing]
        del left[:missing]
    return Dealt(0, tuple(map(tuple, held)))


def move(deal: Deal, choice: MoonChoice) -> SeatMove:
    seat = deal.waiting_for[0]
    if deal.phase is Phase.CHOOSING_MOON:
        return MoonChosen(seat, choice)
    if deal.phase is Phase.EXPOSING:
        return Declined(seat)
    return Played(seat, deal.legal(seat)[0])


def classic(*deals: tuple[Sequence[str], MoonChoice], **options: Any) -> Game:
    return played("classic", *deals, **{"pass_cards": 0, "ends_at": 10_000, **options})


def test_each_has_a_name_of_its_own() -> None:
    everything = (*OF_A_GAME, *OF_A_CAREER)
    for names in ([one.id for one in everything], [one.title for one in everything]):
        assert len(set(names)) == len(names)


SUN = played("chinese", (MOON[0], ADD))
TWO_MOONS = classic((MOON[0], ADD), (MOON[1], ADD))
CLEAN_FOR_ALL = classic(*[(MOON[0], SUBTRACT)] * 3)
ONE_HEART_ELSEWHERE = classic((BROKEN, ADD))
#: All but seat 0 take 26 off, so that it is last with 0; then it shoots three times.
FAR_BACK = [(MOON[seat], SUBTRACT) for seat in (1, 2, 3)]
FROM_LAST_TO_FIRST = classic(*FAR_BACK, *[(MOON[0], ADD)] * 3, ends_at=52)
LAST_WITH_ANOTHER = classic(*FAR_BACK[:2], *[(MOON[0], ADD)] * 2, ends_at=52)
LAST_AND_NO_WINNER = classic(*FAR_BACK, *[(MOON[1], ADD)] * 3, ends_at=78)


@pytest.mark.parametrize(
    ("id", "game", "since", "seats"),
    [
        ("moon", TWO_MOONS, 1, {0, 1}),
        ("moon", TWO_MOONS, 2, {1}),  # who sat down since then did not shoot the first
        ("moons", TWO_MOONS, 1, set()),
        ("moons", classic((MOON[0], ADD), (MOON[0], SUBTRACT)), 1, {0}),
        # It harms its shooter.
        ("moon", classic((MOON[0], ADD), winner="highest"), 1, set()),
        ("moon", played("chinese", (MOON[0], ADD), winner="lowest"), 1, set()),
        ("sun", SUN, 1, {0}),
        ("moon", SUN, 1, set()),
        ("sun", TWO_MOONS, 1, set()),
        # Clean is a whole game, of three deals at least, without a bad point.
        ("clean", classic(*[(MOON[0], ADD)] * 3), 1, {0}),
        ("clean", classic(*[(MOON[0], ADD)] * 2), 1, set()),
        ("clean", classic(*[(MOON[0], ADD)] * 4), 2, set()),
        ("clean", CLEAN_FOR_ALL, 1, {0, 1, 2, 3}),
        ("clean", classic(*[(BROKEN, ADD)] * 3), 1, {2, 3}),
        ("clean", classic(*[(MOON[0], SUBTRACT)] * 3, winner="highest"), 1, set()),  # no card is bad
        ("comeback", FROM_LAST_TO_FIRST, 1, {0}),
        ("comeback", FROM_LAST_TO_FIRST, 2, set()),
        ("comeback", LAST_WITH_ANOTHER, 1, set()),
        ("comeback", LAST_AND_NO_WINNER, 1, set()),
        ("moonbreaker", ONE_HEART_ELSEWHERE, 1, {0}),
        ("moon", ONE_HEART_ELSEWHERE, 1, set()),
        ("moonbreaker", classic((BROKEN, ADD), winner="highest"), 1, set()),
        # Five queens given away, and none taken.
        ("queens", classic(*[(MOON[0], SUBTRACT)] * 4), 1, set()),
        ("queens", classic(*[(MOON[0], SUBTRACT)] * 5), 1, {2}),
        ("queens", classic(*[(MOON[0], SUBTRACT)] * 5, (MOON[2], SUBTRACT)), 1, set()),
    ],
)
def test_who_has_proved_it(id: str, game: Game, since: int, seats: set[int]) -> None:
    assert {seat for seat in range(4) if id in in_game(Part(game, seat, since))} == seats


def test_queens_are_given_by_who_plays_them() -> None:
    game = classic((BROKEN, ADD), (MOON[2], ADD))
    [first, second] = game.deals
    assert [count_queens_given(first.tricks, seat) for seat in range(4)] == [0, 0, 1, 0]
    assert [count_queens_taken(pile) for pile in first.piles] == [0, 1, 0, 0]
    # Spades are dealt to seat 0, which seat 2 takes.
    assert [count_queens_given(second.tricks, seat) for seat in range(4)] == [1, 0, 0, 0]


def test_nobody_gives_a_queen_to_themselves() -> None:
    spades_lead = (SPADES, DIAMONDS, CLUBS, HEARTS)
    game = played("chinese", (spades_lead, ADD))
    assert [count_queens_taken(pile) for pile in game.deals[0].piles] == [1, 0, 0, 0]
    assert [count_queens_given(game.deals[0].tricks, seat) for seat in range(4)] == [0] * 4


def test_a_queen_on_hold_goes_to_who_wins_next() -> None:
    game = Game(Ruleset.of("cancellation", 5, {}))
    hearts = " ".join(f"{rank}H {rank}H" for rank in "23456789T")
    hands = (f"JK 2D 2D {hearts}", "AC QS 3D", "2C QS AD", "3C KS 4D", "4C KS 5D")
    game = game.advance(dealt(game, hands))
    for play in ("0JK 1AC 22C 33C 44C", "1QS 2QS 3KS 4KS 02D", "13D 2AD 34D 45D 02D"):
        for one in play.split():
            game = game.advance(Played(int(one[0]), game.rules.pack.faces[one[1:]]))
    tricks = game.deals[0].tricks
    assert [done.winner for done in tricks] == [1, None, 2]
    assert [count_queens_given(tricks, seat) for seat in range(5)] == [0, 1, 0, 0, 0]  # seat 2 took both


def test_careers() -> None:
    assert in_career(Career(won_in_a_row=4, queens_given=99)) == []
    assert in_career(Career(won_in_a_row=5, queens_given=99)) == ["streak"]
    assert in_career(Career(won_in_a_row=0, queens_given=100)) == ["courier"]
    assert in_career(Career(won_in_a_row=6, queens_given=103)) == ["streak", "courier"]
