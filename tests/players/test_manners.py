"""Computers' names, and their manners: tied to names, and seen in what computers play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from statistics import fmean

import pytest
from seating import dealt, passes, playing, plays, rules

from engine.cards import Hand, Suit
from engine.names import COMPUTERS, computer_name
from engine.play.deal import Deal
from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players import Player, Strength, computer, medium_move
from engine.players.manners import Manner, manner_of
from engine.rules.presets import PRESETS

CLASSIC = rules("classic", 4)


def medium(manner: Manner | None) -> Player:
    return computer(Strength.MEDIUM, manner)


def test_each_name_has_a_manner_and_no_other_has() -> None:
    counted = Counter(manner_of(name) for name in COMPUTERS)
    assert counted == dict.fromkeys(Manner, len(COMPUTERS) // len(Manner))
    assert manner_of("Ann") is None
    assert all(name.isascii() and name.isalpha() and len(name) <= 5 for name in COMPUTERS)
    assert all(len(manner.value) <= 15 for manner in Manner)


@pytest.mark.parametrize("seats", sorted({most for preset in PRESETS.values() for most in preset.players}))
def test_computers_at_one_table_have_as_many_manners_as_there_are(seats: int) -> None:
    for table in range(1, 100):
        taken: list[str] = []
        for _ in range(seats):
            taken.append(computer_name(taken, table))
        assert len({manner_of(name) for name in taken}) == min(seats, len(Manner))


def test_the_largest_table_of_namesakes_leaves_names_for_computers() -> None:
    most = max(max(preset.players) for preset in PRESETS.values())
    assert len({name.casefold() for name in COMPUTERS}) == len(COMPUTERS) >= 2 * most
    for table in range(1, 200):
        taken: list[str] = [name.upper() for name in COMPUTERS[table % 40 : table % 40 + most]]
        for _ in range(most):
            taken.append(computer_name(taken, table))
        assert len({name.casefold() for name in taken}) == len(taken)


@pytest.mark.parametrize("manner", Manner)
def test_no_manner_takes_the_queen_that_can_be_ducked_and_only_a_shooter_keeps_her(manner: Manner) -> None:
    assert plays(playing(CLASSIC, "AS KS 2S 3D 4D 4C", "QS 5S 6S"), medium(manner)) == "2S"
    if manner is not Manner.SHOOTS_MOONS:
        assert plays(playing(CLASSIC, "QS AH KH 2S 9S AD", "5C 7C"), medium(manner)) == "QS"


@pytest.mark.parametrize(
    ("manner", "held", "trick", "usual", "own"),
    [
        (Manner.SAVES_HEARTS, "8H 9H AD KD 2S", "5C 7C", "8H", "KD"),
        (Manner.EMPTIES_SUITS, "9S TS 9D TD QD KD", "5C 7C", "9S", "QD"),
        (Manner.EMPTIES_SUITS, "3D 4D 4C 5S 7S 8H", "", "8H", "4C"),
    ],
)
def test_a_manner_changes_what_is_played(manner: Manner, held: str, trick: str, usual: str, own: str) -> None:
    game = playing(CLASSIC, held, trick)
    assert (plays(game, medium(None)), plays(game, medium(manner))) == (usual, own)


def test_who_saves_hearts_does_not_pass_them() -> None:
    fresh = dealt(CLASSIC, "2S 6S TS 9C 8C 4C KC 3C JH TH 9H 7D 8D")
    assert passes(fresh, medium(None)) == {"JH", "TH", "9H"}
    assert passes(fresh, medium(Manner.SAVES_HEARTS)) == {"JH", "8D", "7D"}


@pytest.mark.slow
def test_who_hoards_diamonds_plays_them_later_and_who_hates_spades_earlier() -> None:
    def trick(suit: Suit, manner: Manner | None) -> float:
        return fmean(
            fmean(number for number, card in enumerate(cards) if card.suit is suit)
            for cards in played(manner)
        )

    assert trick(Suit.DIAMONDS, Manner.HOARDS_DIAMONDS) > trick(Suit.DIAMONDS, None) + 0.3
    assert trick(Suit.SPADES, Manner.HATES_SPADES) < trick(Suit.SPADES, None) - 0.3


@pytest.mark.slow
def test_who_shoots_moons_takes_more_of_its_cards_before_anyone_else() -> None:
    def alone(deal: Deal) -> int:
        moon, taken = deal.rules.counting.moon, 0
        for done in deal.tricks:
            held = sum(card in moon for card in done.trick.cards)
            if held and done.winner != 0:
                break
            taken += held
        return taken

    usual, daring = (fmean(map(alone, deals(manner, 100))) for manner in (None, Manner.SHOOTS_MOONS))
    assert daring > usual + 0.2


@pytest.mark.slow
def test_who_hunts_queens_leads_more_spades() -> None:
    def spades(deal: Deal) -> int:
        leads = [done.trick.cards[0] for done in deal.tricks if done.trick.leader == 0]
        return sum(card.suit is Suit.SPADES for card in leads)

    usual, hunted = (fmean(map(spades, deals(manner, 60))) for manner in (None, Manner.HUNTS_QUEENS))
    assert hunted > usual + 0.1


def played(manner: Manner | None) -> Iterator[Hand]:
    """The cards of seat 0 in the order in which it plays them, deal by deal."""
    for deal in deals(manner, 40):
        tricks = [done.trick for done in deal.tricks]
        cards = tuple(trick.cards[-trick.leader % 4] for trick in tricks)
        if {Suit.SPADES, Suit.DIAMONDS} <= {card.suit for card in cards}:
            yield cards


def deals(manner: Manner | None, number: int) -> Iterator[Deal]:
    """Deals in which seat 0 has this manner, and the others have none."""
    return (whole_deal(manner, seed) for seed in range(number))


@cache  # every test compares with the deals without a manner
def whole_deal(manner: Manner | None, seed: int) -> Deal:
    game = Game(CLASSIC).advance(shuffle(Game(CLASSIC), Random(seed)))
    while game.deal:
        seat = game.deal.waiting_for[0]
        game = game.advance((medium_move if seat else medium(manner))(seat_view(game, seat), Random(seed)))
    return game.deals[0]
