"""The picture of a deal as data: who laid what, what became of it, and whose turn it is."""

import re
from dataclasses import replace

import pytest
from by_chance import TABLES
from moments import table_of, tables
from rules.cardtable import after, first_trick, play
from seating import playing

from bot.table.board import board, board_key
from bot.table.deals import every_trick
from bot.vocabulary.messages import Picture, Post
from bot.vocabulary.scenes import LaidCard, LastTrick, Score, SeatScene, TableScene, TableWords, Tone
from bot.words.text import length
from engine.cards import CLUB_JOKER, DECK, WILD_JOKER, card, cards
from engine.play.deal import Deal, Phase
from engine.play.game import Game
from engine.play.moves import Declined, Exposed, MoonChosen, Played
from engine.play.public import public_deal
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset
from engine.tables import Seats, State

CHINESE = Ruleset.of("chinese", 4)
#: What Discord lets a message say, and a picture's description.
MOST, LONGEST_DESCRIPTION = 4000, 256
#: Any card's sign in a line, a joker's too.
CARDS = re.compile("|".join({re.escape(one.symbol) for one in (*DECK, CLUB_JOKER, WILD_JOKER)}))


def post_of(deal: Deal, state: State = State.PLAYING) -> Post:
    """The deal's post at a table where a computer plays for Di."""
    table = table_of(Game(deal.rules, deals=(deal,)))
    seats = Seats(replace(seat, away=seat.name == "Di") for seat in table.seats)
    public = replace(table, seats=seats, state=state).public
    [found] = [part for part in board(public) if part.key == board_key(deal.number)]
    return found.post


def picture_of(deal: Deal, state: State = State.PLAYING) -> Picture:
    [picture] = [part for part in post_of(deal, state).parts if isinstance(part, Picture)]
    return picture


def scene_of(deal: Deal, state: State = State.PLAYING) -> TableScene:
    return picture_of(deal, state).scene


def test_cards_lie_before_who_laid_them_until_the_next_trick_is_led() -> None:
    """Ann leads the two of clubs; Bo has no club, Cy the ace."""
    rules = Ruleset.of("classic", 4, {"pass_cards": 0})
    deal = play(first_trick(rules, "2C KH 3D 4D", "QS 2H 3H 5D", "AC 3S 4S 6D", "4C 5S 6S 7D"), "2C 5D")
    assert scene_of(deal) == TableScene(
        title="Deal 1 · Trick 1",
        note="",
        places=(
            SeatScene("Ann", "Seat 1", LaidCard(card("2C"), 1, is_highest=True)),
            SeatScene("Bo", "Seat 2", LaidCard(card("5D"), 2)),
            SeatScene("Cy", "Seat 3", is_turn=True),
            SeatScene("Di", "Seat 4", is_computer=True),
        ),
        words=TableWords("Last trick", "On hold", "suit × 2"),
    )
    assert not any(place.is_turn for place in scene_of(deal, State.STOPPED).places)
    deal = play(deal, "AC")
    told = "Deal 1 · Trick 1. Di is to play. Ann 2♣, Bo 5♦, Cy A♣ (highest)"
    assert picture_of(deal).description == told
    deal = play(deal, "4C")
    told = "Deal 1 · Trick 1. Cy takes it. Cy leads. Ann 2♣, Bo 5♦, Cy A♣ (highest), Di 4♣"
    assert picture_of(deal).description == told
    scene = scene_of(deal)
    assert scene.title == "Deal 1 · Trick 1"
    assert [place.laid and place.laid.card for place in scene.places] == list(cards("2C 5D AC 4C"))
    assert [place.is_turn for place in scene.places] == [False, False, True, False]
    laid = tuple(
        LaidCard(one, number, is_highest=number == 3) for number, one in enumerate(cards("2C 5D AC 4C"), 1)
    )
    assert scene.last == LastTrick(laid, 2, Score("0"))
    deal = play(deal, "3S")
    led = scene_of(deal)
    assert led.title == "Deal 1 · Trick 2"
    assert led.last == scene.last
    assert [place.laid and place.laid.card for place in led.places] == [None, None, card("3S"), None]
    scene = scene_of(play(deal, "5S KH QS"))
    assert scene.note == "Hearts broken"
    assert [place.score for place in scene.places] == [None, Score("14", Tone.BAD), None, None]
    assert (scene.last.taker, scene.last.score) == (1, Score("14", Tone.BAD))


def words_of(deal: Deal) -> str:
    """What the post says in place of its picture, in plain letters."""
    texts = [part.words if isinstance(part, Picture) else part for part in post_of(deal).parts]
    plain = re.sub(r"[*`\ufe0e]", "", "\n".join(text for text in texts if isinstance(text, str)))
    return " ".join(plain.split())


def test_cancelled_cards_are_struck_through_and_tricks_on_hold_add_up() -> None:
    hands = ("JK 3D 6S 7S KS", "2C KD AH QH 2H", "3C 9D 5S 7S 9S", "4C 2D 5S 8S TS", "KC KD 6S 8S JS")
    deal = play(first_trick(Ruleset.of("cancellation", 5), *hands), "JK 2C 3C 4C KC")
    for codes, told in (
        ("KD 3D", "K♦ Ed · led, highest 3♦ Ann"),
        ("KD", "~~K♦~~ Ed · led 3♦ Ann · highest ~~K♦~~ Bo"),
        ("9D 2D", "~~K♦~~ Ed · led 3♦ Ann ~~K♦~~ Bo 9♦ Cy · wins 2♦ Di 🤖 Cy takes it: no points."),
        ("5S 5S", "~~5♠~~ Cy · led ~~5♠~~ Di 🤖 -# All of the suit led is cancelled so far."),
        ("6S", "6♠ Ed · highest"),
        (
            "6S AH",
            "A♥ Bo Every card of the suit led is cancelled: the trick is on hold, and the same player leads. "
            "On hold for the next winner: 5♠ 5♠ 6♠ 6♠ A♥ (1 point). Cy leads.",
        ),
        ("", "Ann ~~6♠~~ · Bo A♥ → on hold -# 2 · Ed ~~K♦~~ · Ann 3♦ · Bo ~~K♦~~ · Cy 9♦ · Di 2♦ → Cy"),
    ):
        deal = play(deal, codes)
        assert told in words_of(deal)
    scene = scene_of(deal)
    cancelled = [place.laid and place.laid.is_cancelled for place in scene.places]
    assert cancelled == [True, False, True, True, True]
    assert not any(place.laid and place.laid.is_highest for place in scene.places)
    assert scene.on_hold == ()  # it still lies on the table
    assert scene.last.taker is None
    assert scene_of(play(deal, "7S")).on_hold == cards("5S 5S 6S 6S AH")
    deal = play(deal, "7S 8S 8S 7S QH")
    assert "On hold for the next winner: 5♠ 5♠ 6♠ 6♠ A♥ 7♠ 8♠ 8♠ 7♠ Q♥ (2 points)." in words_of(deal)
    told = words_of(play(deal, "9S TS JS KS 2H"))
    assert "Ann takes it and everything on hold: 🟢 3 points (A♥ Q♥ 2♥)." in told
    assert "-# Points in this deal so far: Ann 🟢 3" in told


def test_how_many_cards_of_the_kitty_lie_in_a_trick_is_told_and_not_which() -> None:
    rules = Ruleset.of("double-deck", 6, {"duplicates": "cancel", "pass_cards": 0})
    hands = ("2C 5C", "2C 6C", "3C 7C", "3C 8C", "4C 9C", "4C TC")
    deal = play(first_trick(rules, *hands, dealer=5, kitty="AH QS"), "2C 2C 3C 3C 4C 4C")
    assert "2♣ 2♣ 3♣ 3♣ 4♣ 4♣ (0 points), with a card of the kitty." in words_of(deal)
    deal = play(deal, "5C 6C 7C 8C 9C TC")
    assert "Flo takes it and everything on hold, with a card of the kitty: no points." in words_of(deal)
    assert "10♣ → Flo, with a card of the kitty -# 1 · Ann ~~2♣~~" in words_of(deal)


def test_the_last_trick_goes_to_the_second_copy_and_that_is_explained() -> None:
    deal = playing(Ruleset.of("cancellation", 5), "AS", "KC AD KC", out="AH").deal
    assert (
        "~~K♣~~ Ed · highest -# Every card of the suit led is cancelled so far. "
        "If that stays so, the second copy of the highest one wins this last trick."
    ) in words_of(deal)
    told = words_of(play(deal, "AS AH"))
    assert "~~K♣~~ Ed · wins" in told
    assert (
        "Every card of the suit led is cancelled, but the last trick goes to the second copy of the highest "
        "card. Ed takes it: 🟢 1 point (A♥)."
    ) in told
    without_cancelling = Ruleset.of("cancellation", 5, {"duplicates": "first-wins"})
    told = words_of(playing(without_cancelling, "AS", "KC AD KC", out="AH").deal)
    assert "K♣ Cy · led, highest" in told
    assert "~~" not in told


def test_what_was_exposed_lies_before_its_owner_and_counts_double_until_the_end() -> None:
    deal = first_trick(CHINESE, "QS 2D AS", "4D 5D KS", "JD 6D 3S", "7D 8D 4S")
    deal = after(deal, Exposed(0, card("QS")))
    assert scene_of(deal).title == "Deal 1 · Exposing"
    assert picture_of(deal).description == "Deal 1 · Exposing. Exposed: Ann Q♠"
    deal = after(deal, Exposed(2, card("JD")))
    scene = scene_of(deal)
    assert scene.title == "Deal 1 · Trick 1"
    assert [place.exposed for place in scene.places] == [cards("QS"), (), cards("JD"), ()]
    deal = play(deal, "2D")
    told = "Deal 1 · Trick 1. Bo is to play. Ann 2♦ (highest). Exposed: Ann Q♠, Cy J♦"
    assert picture_of(deal).description == told
    scene = scene_of(play(deal, "4D 6D 7D"))
    assert [place.exposed for place in scene.places] == [cards("QS"), (), (), ()]  # C6
    assert scene.doubled == cards("QS JD")


def test_once_three_are_exposed_the_fourth_lies_open_too() -> None:
    deal = first_trick(CHINESE, "QS 2D", "JD 2S", "TC 3C", "AH 2H")
    deal = after(deal, Exposed(0, card("QS")), Exposed(2, card("TC")), Exposed(1, card("JD")))
    told = words_of(deal)
    assert (
        "Ann exposed Q♠: it counts −200. Cy exposed 10♣: × 4, alone +100. Bo exposed J♦: it counts +200. "
        "Di exposed A♥: hearts count double. Once three are exposed the fourth must be: Di A♥."
    ) in told
    assert "Ann leads" in told
    assert "Still face up" not in told  # all of them are


def test_who_takes_the_ten_of_clubs_is_told() -> None:
    deal = first_trick(CHINESE, "AC 2H", "TC 3C", "4C 6C", "5C 7C")
    deal = after(deal, *[Declined(seat) for seat in deal.waiting_for])
    assert "Exposed: nothing." in words_of(deal)
    told = words_of(play(deal, "AC TC 4C 5C"))
    assert "Ann takes it, with 10♣ (× 2, alone +50): no points." in told
    assert "1 · Ann A♣ · Bo 10♣ · Cy 4♣ · Di 5♣ → Ann × 2" in told
    assert "broken" not in words_of(play(deal, "AC TC 4C 5C 2H"))  # which no rule of this game cares about


def test_a_moon_is_chosen_and_then_counts() -> None:
    rules = Ruleset.of("classic", 4, {"pass_cards": 0})
    deal = first_trick(rules, *(" ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDSH"))
    while deal.turn is not None:
        deal = after(deal, Played(deal.turn, deal.legal(deal.turn)[0]))
    told = "🌕 **Ann** shoots the moon!\n**Ann** chooses: −26 for the shooter, or +26 for everyone else."
    assert told in str(post_of(deal).parts[1])
    assert [place.is_turn for place in scene_of(deal).places] == [True, False, False, False]
    done = after(deal, MoonChosen(0, MoonChoice.ADD))
    assert [place.score for place in scene_of(done).places] == [None, *[Score("26", Tone.BAD)] * 3]
    assert not any(place.is_turn for place in scene_of(done).places)


@pytest.mark.parametrize(
    ("preset", "players", "name"),
    [
        *[(*table, "*" * 32) for table in TABLES],  # each star is escaped: no name is longer
        *[("double-deck", 10, name) for name in ("W" * 32, "👩🏽‍🚀" * 8, "ش" * 32)],
    ],
)
def test_a_deal_with_all_its_tricks_fits_into_its_post_whatever_the_names(
    preset: str, players: int, name: str
) -> None:
    longest = 0
    for table in tables(Ruleset.of(preset, players), seed=2, deals=1):
        seats = Seats(replace(seat, name=name, away=True) for seat in table.seats)
        public = replace(table, seats=seats).public
        posts = {part.key: part.post for part in board(public)}
        for post in posts.values():
            pictures = [part for part in post.parts if isinstance(part, Picture)]
            assert all(len(picture.description) <= LONGEST_DESCRIPTION for picture in pictures)
            texts = [part.words if isinstance(part, Picture) else part for part in post.parts]
            longest = max(longest, sum(length(text) for text in texts if isinstance(text, str)))
        if table.game and (deal := table.game.deals[0]).tricks:
            done = deal.phase is Phase.DONE
            listed = posts[board_key(1)] if done else every_trick(public, public_deal(deal))
            text = "\n".join(part for part in listed.parts if isinstance(part, str))
            lines = [line.split() for line in text.removeprefix("-# ").split("\n")]
            for number, trick in enumerate(deal.tricks, 1):
                [line] = [line for line in lines if str(number) in line[:2]]
                assert CARDS.findall(" ".join(line)) == [card.symbol for card in trick.trick.cards]
    assert 1000 < longest <= MOST
