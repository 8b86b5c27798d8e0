"""Manners: tied to names, and chosen only among what is about equally good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from statistics import fmean

import pytest
from seating import dealt, my_view, playing, rules

from engine.cards import Hand, Suit
from engine.names import COMPUTERS, computer_name
from engine.play.game import Game, shuffle
from engine.play.moves import Passed, Played
from engine.play.views import seat_view
from engine.players import Strength, computer, medium_move
from engine.players.manners import Manner, manner_of
from engine.rules.presets import PRESETS

CLASSIC = rules("classic", 4)


def plays(game, manner):
    move = computer(Strength.MEDIUM, manner)(my_view(game), Random(1))
    assert isinstance(move, Played)
    return move.card.code


def passes(game, manner=None):
    move = computer(Strength.MEDIUM, manner)(my_view(game), Random(1))
    assert isinstance(move, Passed)
    return {card.code for card in move.cards}


def test_each_name_has_a_manner_and_no_other_has() -> None:
    counted = Counter(manner_of(name) for name in COMPUTERS)
    assert counted == dict.fromkeys(Manner, len(COMPUTERS) // len(Manner))
    assert manner_of("Ann") is None


@pytest.mark.parametrize("seats", sorted({most for preset in PRESETS.values() for most in preset.players}))
def test_computers_at_one_table_have_as_many_manners_as_there_are(seats: int) -> None:
    for table in range(1, 100):
        taken: list[str] = []
        for _ in range(seats):
            taken.append(computer_name(taken, table))
        assert len({manner_of(name) for name in taken}) == min(seats, len(Manner))


def test_a_manner_is_told_in_a_few_words() -> None:
    assert all(len(manner.value) <= 15 for manner in Manner)


@pytest.mark.parametrize("manner", Manner)
def test_no_manner_takes_the_queen_that_can_be_ducked(manner: Manner) -> None:
    assert plays(playing(CLASSIC, "AS KS 2S 3D 4D 4C", "QS 5S 6S"), manner) == "2S"


@pytest.mark.parametrize("manner", Manner)
def test_no_manner_keeps_the_queen_that_can_be_discarded(manner: Manner) -> None:
    assert plays(playing(CLASSIC, "QS AH KH 2S 9S AD", "5C 7C"), manner) == "QS"


VOID_IN_CLUBS = playing(CLASSIC, "9S TS 9D TD QD KD 3H", "5C 7C")
FRESH = dealt(CLASSIC, "2S 6S TS 9C 8C 4C KD 7D JH TH 9H 5H 3H")
NEARLY_A_MOON = playing(CLASSIC, "AH KH QH TH AC KC AS 9D")


def test_without_a_manner_a_heart_is_discarded_and_hearts_are_passed() -> None:
    assert plays(VOID_IN_CLUBS, None) == "3H"
    assert passes(FRESH) == {"KD", "JH", "TH"}


def test_who_hates_spades_discards_one() -> None:
    assert plays(VOID_IN_CLUBS, Manner.HATES_SPADES) == "TS"


def test_who_saves_hearts_keeps_them() -> None:
    assert plays(VOID_IN_CLUBS, Manner.SAVES_HEARTS) == "KD"
    assert passes(FRESH, Manner.SAVES_HEARTS) == {"KD", "7D", "8C"}


def test_who_empties_suits_passes_both_diamonds() -> None:
    assert passes(FRESH, Manner.EMPTIES_SUITS) >= {"KD", "7D"}


def test_who_shoots_moons_leads_hearts_with_a_hand_that_is_nearly_one() -> None:
    assert plays(NEARLY_A_MOON, Manner.SHOOTS_MOONS) == "KH"
    assert plays(NEARLY_A_MOON, None) == "AC"


@pytest.mark.slow
def test_who_hoards_diamonds_plays_them_later() -> None:
    def trick(cards: Hand) -> float:
        return fmean(number for number, card in enumerate(cards) if card.suit is Suit.DIAMONDS)

    usual, liked = (fmean(map(trick, played(manner))) for manner in (None, Manner.HOARDS_DIAMONDS))
    assert liked > usual + 0.3


@pytest.mark.slow
def test_who_hates_spades_plays_them_earlier() -> None:
    def trick(cards: Hand) -> float:
        return fmean(number for number, card in enumerate(cards) if card.suit is Suit.SPADES)

    usual, liked = (fmean(map(trick, played(manner))) for manner in (None, Manner.HATES_SPADES))
    assert liked < usual - 0.3


def played(manner: Manner | None) -> Iterator[Hand]:
    """The cards of seat 0 in the order in which it plays them, deal by deal."""
    player = computer(Strength.MEDIUM, manner)
    for number in range(40):
        game = Game(CLASSIC).advance(shuffle(Game(CLASSIC), Random(number)))
        while game.deal:
            seat = game.deal.waiting_for[0]
            game = game.advance((medium_move if seat else player)(seat_view(game, seat), Random(number)))
        tricks = [done.trick for done in game.deals[0].tricks]
        cards = tuple(trick.cards[-trick.leader % 4] for trick in tricks)
        if {Suit.SPADES, Suit.DIAMONDS} <= {card.suit for card in cards}:
            yield cards
