"""What a hand says and shows: what is passed, whose turn it is, what lies there, and what came of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from games import NAMES
from moments import played
from seating import dealt, my_view, playing, rules

from bot.table.hand import hand, over
from bot.vocabulary.messages import Part, Picture
from bot.vocabulary.scenes import FanScene
from engine.cards import cards
from engine.play.game import Game
from engine.play.moves import Declined, Passed
from engine.tables import PublicTable, Seat, Seats, State, Table

CLASSIC, CHINESE, SIX = rules("classic", 4), rules("chinese", 4), rules("wikibooks", 6)


def table_of(game: Game) -> PublicTable:
    """Where it is played."""
    seats = Seats(Seat(number + 1, NAMES[number]) for number in range(game.rules.players))
    return Table(
        id=1, guild=2, channel=3, host=1, rules=game.rules, state=State.PLAYING, seats=seats, game=game
    ).public


def words(parts: tuple[Part, ...]) -> str:
    """What a message says, in plain letters."""
    return re.sub(r"[*`\ufe0e]", "", "\n".join(part for part in parts if isinstance(part, str)))


def shown(game: Game) -> str:
    """What the hand of the first seat says, whose turn it is."""
    return words(hand(table_of(game), my_view(game)).parts)


def unbroken(game: Game) -> Game:
    """The game in which no heart has been played yet."""
    return replace(game, deals=(replace(game.deal, hearts_broken=False),))


def raised(game: Game, picked: tuple[int, ...] = ()) -> set[str]:
    """The cards of the first seat's hand that stand out in its picture."""
    parts = hand(table_of(game), my_view(game), picked).parts
    [scene] = [part.scene for part in parts if isinstance(part, Picture)]
    assert isinstance(scene, FanScene)
    return {scene.cards[place].code for place in scene.chosen}


def test_cards_stand_out_once_they_are_passed() -> None:
    game = dealt(CLASSIC, "QS AS KS 2S 3C 4C 5C 6D 7D 8D 9H TH JH")
    assert raised(game) == set()
    assert raised(game, (0, 1, 2)) == set()  # what is only picked would have it sent anew each time
    assert raised(game.advance(Passed(0, cards("QS AS 7D")))) == {"QS", "AS", "7D"}


def test_who_may_expose_a_card_is_told_what_that_does() -> None:
    rules_of_it = "You may lay a card face up before the first trick: then its suit counts double"
    game = dealt(CHINESE, "QS AS KS 2S 3C 4C 5C 6D 7D 8D 9H TH JH")
    assert rules_of_it in shown(game)
    assert rules_of_it not in shown(game.advance(Declined(0)))


def test_who_leads_is_told_so() -> None:
    assert "Your turn: you lead." in shown(playing(CLASSIC, "QS 5S 9D 2H"))


def test_a_leader_is_told_that_hearts_must_wait() -> None:
    told = "Your turn: you lead. Hearts are not broken yet: lead another suit."
    assert told in shown(unbroken(playing(CLASSIC, "QS 5S 9D 2H")))
    assert "broken yet" not in shown(unbroken(playing(CLASSIC, "QS 5S 9D")))


def test_a_leader_is_told_that_a_joker_must_wait() -> None:
    hand = playing(SIX, "QS 5S 9D JK")
    assert "Your turn: you lead. You may lead a joker only if you hold nothing else." in shown(hand)


def test_the_suit_to_follow_is_named() -> None:
    assert "Your turn: follow ♠.\n" in shown(playing(CLASSIC, "QS 5S 9D 2H", "3S KS"))
    assert "Your turn: follow ♠.\n" in shown(playing(CLASSIC, "QS 5S", "3S KS"))
    assert "Your turn: follow ♠ or play a joker.\n" in shown(playing(SIX, "QS 9D JK", "3S KS"))
    assert "only jokers so far, so play any suit.\n" in shown(playing(SIX, "QS 9D", "JK"))


def test_a_player_without_the_suit_is_told_so_and_what_is_still_forbidden() -> None:
    void = playing(CLASSIC, "QS 5S 9D 2H", "3C KC")
    assert "Your turn: you have no ♣, so play any card.\n" in shown(void)
    first = playing(CLASSIC, "QS 5S 9D 2H", "3C KC", opened=False)
    assert "you have no ♣. No hearts and no queen of spades in the first trick.\n" in shown(first)


def test_who_follows_sees_what_lies_there_and_what_is_cancelled() -> None:
    told = shown(playing(CLASSIC, "QS 5S 9D 2H", "3S KS"))
    assert "Your turn: follow ♠.\n3♠ Cy · K♠ Di" in told
    twins = playing(rules("cancellation", 5), "QS 5S 9D 2H", "3S KS KS")
    assert "Your turn: follow ♠.\n3♠ Cy · ~~K♠~~ Di · ~~K♠~~ Ed" in shown(twins)


@pytest.mark.parametrize(
    ("totals", "told"),
    [
        ((5, 30, 41, 50), "🏆 You win with 5! Well played."),
        ((5, 5, 41, 50), "🏆 You win with 5, together with Bo! Well shared."),
        ((5, 5, 5, 50), "🏆 You win with 5, together with Bo and Cy! Well shared."),
        ((30, 5, 41, 50), "🏆 Bo wins; you came 2nd with 30. A fine result."),
        ((9, 5, 41, 50), "🏆 Bo wins; you came 2nd with 9. That was close!"),
        ((9, 5, 9, 9), "🏆 Bo wins; you came 2nd with 9. That was close!"),
        ((30, 5, 20, 50), "🏆 Bo wins; you came 3rd with 30. Better luck next time."),
        ((50, 5, 20, 30), "🏆 Bo wins; you came 4th with 50. Better luck next time."),
        ((30, 5, 30, 5), "🏆 Bo and Di win; you came 3rd with 30. Better luck next time."),
    ],
)
def test_at_the_end_who_has_won_and_how_oneself_did(totals: tuple[int, ...], told: str) -> None:
    table = played("classic", 4)
    assert table.view is not None
    winners = CLASSIC.winner.leaders(totals)
    view = replace(table.view, totals=totals, history=(totals,), winners=winners)
    assert told in words(over(replace(table, view=view), 1, 1).parts)


@pytest.mark.parametrize(
    ("totals", "told"),
    [
        ((5, 30, 41, 50), "🏆 You win with 5! The computers would like a rematch."),
        ((30, 5, 41, 50), "🏆 Bo wins; you came 2nd with 30. A fine result."),
    ],
)
def test_at_the_end_of_a_game_alone_with_computers(totals: tuple[int, ...], told: str) -> None:
    table = played("classic", 4)
    assert table.view is not None
    alone = Seats([table.seats[0], *[replace(seat, person=None) for seat in table.seats[1:]]])
    view = replace(table.view, totals=totals, history=(totals,), winners=CLASSIC.winner.leaders(totals))
    assert told in words(over(replace(table, seats=alone, view=view), 1, 1).parts)
