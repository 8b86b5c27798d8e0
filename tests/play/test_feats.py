"""What was special about a deal, who may be shooting the moon, and what each achievement takes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.cards import cards, without
from engine.play.achievements import (
    Career,
    Part,
    count_queens_given,
    count_queens_taken,
    in_career,
    in_game,
)
from engine.play.deal import Deal, Phase
from engine.play.feats import Feat, FeatKind, feat, moon_threat
from engine.play.game import Game
from engine.play.moves import Dealt, Declined, MoonChosen, Played, SeatMove
from engine.play.public import PublicDeal, public_deal
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset

#: Hands, in the order in which their cards are played if they may be, and what a shooter of the moon chooses.
Script = tuple[Sequence[str], MoonChoice]


def classic(**options: Any) -> Ruleset:
    return Ruleset.of("classic", 4, {"pass_cards": 0, "ends_at": 10_000, **options})


CLASSIC, HIGHEST = classic(), classic(winner="highest")
CHINESE = Ruleset.of("chinese", 4)
ADD, SUBTRACT = MoonChoice.ADD, MoonChoice.SUBTRACT
CLUBS, DIAMONDS, HEARTS = (" ".join(rank + suit for rank in "23456789TJQKA") for suit in "CDH")
SPADES = "2S 3S 4S 5S 6S 7S 8S 9S TS JS KS AS QS"
SUITS = [CLUBS, DIAMONDS, SPADES, HEARTS]
#: Who holds the clubs shoots the moon.
MOON = [(tuple(SUITS[(seat - shooter) % 4] for seat in range(4)), ADD) for shooter in range(4)]
#: The same, where the shooter takes 26 off.
MINUS = [(hands, SUBTRACT) for hands, _ in MOON]
#: Seat 0 takes one heart with the ace of clubs, then the lead is lost, and seat 1 takes all the others.
STOPPED = ((f"AC {DIAMONDS[:-3]}", f"AD {CLUBS[:-3]}", SPADES, HEARTS), ADD)


def moments(rules: Ruleset, *scripts: Script) -> Iterator[Game]:
    """A game of these deals after each move."""
    game = Game(rules)
    for hands, choice in scripts:
        game = game.advance(dealt(game, hands))
        yield game
        while game.deal is not None:
            game = game.advance(move(game.deal, choice))
            yield game


def played(rules: Ruleset, *scripts: Script) -> Game:
    *_, game = moments(rules, *scripts)
    return game


def seen(rules: Ruleset, script: Script) -> list[PublicDeal]:
    """What everyone sees of this deal after each move."""
    return [public_deal(game.deals[-1]) for game in moments(rules, script)]


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
    return Played(seat, next(card for card in deal.dealt.hands[seat] if card in deal.playable))


def test_a_moon_is_told_only_once_it_is_done_and_so_is_one_that_was_stopped() -> None:
    deals = seen(CLASSIC, MOON[0])
    assert [feat(CLASSIC, deal) for deal in deals] == [None] * 53 + [Feat(FeatKind.MOON, 0)]
    assert feat(CHINESE, seen(CHINESE, MOON[0])[-1]) == Feat(FeatKind.SUN, 0)
    stopped = seen(CLASSIC, STOPPED)[-1]
    assert stopped.points == (1, 25, 0, 0)
    assert feat(CLASSIC, stopped) == Feat(FeatKind.STOPPED, 1, (0,), 25, 26)
    assert feat(HIGHEST, stopped) is None


@pytest.mark.parametrize(("given", "is_one"), [(20, True), (19, False)])
def test_it_takes_20_of_26_points(given: int, is_one: bool) -> None:
    deal, hearts = seen(CLASSIC, MOON[0])[-1], cards(HEARTS)
    taken = ((*hearts[: given - 13], *cards("QS")), hearts[given - 13 : -1], hearts[-1:], ())
    queen = Feat(FeatKind.QUEEN, 2, (0,))  # the last card that seat 2 plays
    found = feat(CLASSIC, replace(deal, taken=taken, kitty_taken=((),) * 4, shooter=None))
    assert found == (Feat(FeatKind.STOPPED, 0, (1, 2), 20, 26) if is_one else queen)


def test_the_queen_given_with_the_last_trick() -> None:
    deal = seen(CLASSIC, STOPPED)[-1]  # seat 2 keeps her to the end, but a moon was stopped besides
    hearts = cards("8H 9H TH JH QH KH AH")
    ordinary = replace(deal, taken=(deal.taken[0], without(deal.taken[1], hearts), (), hearts))
    assert feat(CLASSIC, ordinary) == Feat(FeatKind.QUEEN, 2, (1,))
    assert feat(CLASSIC, replace(ordinary, tricks=deal.tricks[:-1])) is None
    assert feat(CLASSIC, replace(ordinary, tricks=(replace(deal.tricks[-1], winner=2),))) is None
    assert feat(HIGHEST, ordinary) is None  # there she is welcome


def test_a_threat_from_eight_points_on_until_someone_else_has_one_and_the_deal_is_over() -> None:
    deals = seen(CLASSIC, MOON[0])
    going_on = [deal for deal in deals if deal.phase is Phase.PLAYING]
    for deal in going_on:
        assert moon_threat(CLASSIC, deal) == (0 if deal.so_far[0] >= 8 else None)
    assert {deal.so_far[0] >= 8 for deal in going_on} == {True, False}
    hers = going_on[-1].taken[0]
    shared = replace(going_on[-1], taken=(without(hers, cards("3H")), cards("3H"), (), ()))
    assert moon_threat(CLASSIC, shared) is moon_threat(CLASSIC, deals[-1]) is None
    # Nor is there one after a heart went elsewhere, nor where a moon harms its shooter.
    assert {moon_threat(CLASSIC, deal) for deal in seen(CLASSIC, STOPPED)} == {None}
    assert {moon_threat(HIGHEST, deal) for deal in seen(HIGHEST, MOON[0])} == {None}


SUN = played(CHINESE, MOON[0])
TWO_MOONS = played(CLASSIC, MOON[0], MOON[1])
CLEAN_FOR_ALL = played(CLASSIC, *[MINUS[0]] * 3)
ONE_HEART_ELSEWHERE = played(CLASSIC, STOPPED)
#: All but seat 0 take 26 off, so that it is last with 0; then it shoots three times.
FAR_BACK = [MINUS[seat] for seat in (1, 2, 3)]
FROM_LAST_TO_FIRST = played(classic(ends_at=52), *FAR_BACK, *[MOON[0]] * 3)
LAST_WITH_ANOTHER = played(classic(ends_at=52), *FAR_BACK[:2], *[MOON[0]] * 2)
LAST_AND_NO_WINNER = played(classic(ends_at=78), *FAR_BACK, *[MOON[1]] * 3)


@pytest.mark.parametrize(
    ("id", "game", "since", "seats"),
    [
        ("moon", TWO_MOONS, 1, {0, 1}),
        ("moon", TWO_MOONS, 2, {1}),  # who sat down since then did not shoot the first
        ("moons", TWO_MOONS, 1, set()),
        ("moons", played(CLASSIC, MOON[0], MINUS[0]), 1, {0}),
        # It harms its shooter.
        ("moon", played(HIGHEST, MOON[0]), 1, set()),
        ("moon", played(Ruleset.of("chinese", 4, {"winner": "lowest"}), MOON[0]), 1, set()),
        ("sun", SUN, 1, {0}),
        ("moon", SUN, 1, set()),
        ("sun", TWO_MOONS, 1, set()),
        # Clean is a whole game, of three deals at least, without a bad point.
        ("clean", played(CLASSIC, *[MOON[0]] * 3), 1, {0}),
        ("clean", played(CLASSIC, *[MOON[0]] * 2), 1, set()),
        ("clean", played(CLASSIC, *[MOON[0]] * 4), 2, set()),
        ("clean", CLEAN_FOR_ALL, 1, {0, 1, 2, 3}),
        ("clean", played(CLASSIC, *[STOPPED] * 3), 1, {2, 3}),
        ("clean", played(HIGHEST, *[MINUS[0]] * 3), 1, set()),  # no card is bad
        ("comeback", FROM_LAST_TO_FIRST, 1, {0}),
        ("comeback", FROM_LAST_TO_FIRST, 2, set()),
        ("comeback", LAST_WITH_ANOTHER, 1, set()),
        ("comeback", LAST_AND_NO_WINNER, 1, set()),
        ("moonbreaker", ONE_HEART_ELSEWHERE, 1, {0}),
        ("moon", ONE_HEART_ELSEWHERE, 1, set()),
        ("moonbreaker", played(HIGHEST, STOPPED), 1, set()),
        # Five queens given away, and none taken.
        ("queens", played(CLASSIC, *[MINUS[0]] * 4), 1, set()),
        ("queens", played(CLASSIC, *[MINUS[0]] * 5), 1, {2}),
        ("queens", played(CLASSIC, *[MINUS[0]] * 5, MINUS[2]), 1, set()),
    ],
)
def test_who_has_proved_it(id: str, game: Game, since: int, seats: set[int]) -> None:
    assert {seat for seat in range(4) if id in in_game(Part(game, seat, since))} == seats


def test_queens_are_given_by_who_plays_them() -> None:
    [first, second] = played(CLASSIC, STOPPED, MOON[2]).deals
    assert [count_queens_given(first.tricks, seat) for seat in range(4)] == [0, 0, 1, 0]
    assert [count_queens_taken(pile) for pile in first.piles] == [0, 1, 0, 0]
    # Spades are dealt to seat 0, which seat 2 takes.
    assert [count_queens_given(second.tricks, seat) for seat in range(4)] == [1, 0, 0, 0]


def test_nobody_gives_a_queen_to_themselves() -> None:
    [deal] = played(CHINESE, ((SPADES, DIAMONDS, CLUBS, HEARTS), ADD)).deals
    assert [count_queens_taken(pile) for pile in deal.piles] == [1, 0, 0, 0]
    assert [count_queens_given(deal.tricks, seat) for seat in range(4)] == [0] * 4


def test_a_queen_on_hold_goes_to_who_wins_next() -> None:
    hearts = " ".join(f"{rank}H {rank}H" for rank in "23456789T")
    hands = (f"JK 2D 2D {hearts}", "AC QS 3D", "2C QS AD", "3C KS 4D", "4C KS 5D")
    tricks = played(Ruleset.of("cancellation", 5), (hands, ADD)).deals[0].tricks
    assert [done.winner for done in tricks[:3]] == [1, None, 2]
    assert [count_queens_given(tricks, seat) for seat in range(5)] == [0, 1, 0, 0, 0]  # seat 2 took both


def test_careers() -> None:
    assert in_career(Career(won_in_a_row=4, queens_given=99)) == []
    assert in_career(Career(won_in_a_row=5, queens_given=99)) == ["streak"]
    assert in_career(Career(won_in_a_row=0, queens_given=100)) == ["courier"]
    assert in_career(Career(won_in_a_row=6, queens_given=103)) == ["streak", "courier"]
