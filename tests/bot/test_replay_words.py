"""What a replay shows and says at each step of a deal, and where its buttons lead, without Discord."""

from __future__ import annotations

import pytest
from by_chance import played
from games import NAMES
from moments import table_of

from bot.replays.replay import ReplayPosition, ShowStep, replay
from bot.vocabulary.messages import Picture, Select, Whisper
from engine.play import steps
from engine.play.game import Game
from engine.play.steps import Stage

SETTLED = "From here on no points are left in this deal."
CLAIMED = "takes every trick, whatever is played."
GAMES = pytest.mark.parametrize(("preset", "players"), [("classic", 4), ("wikibooks", 3), ("chinese", 4)])


def shown(game: Game, deal: int, step: int, page: int | None = None) -> Whisper:
    """The replay at this step."""
    return replay(table_of(game), ReplayPosition(1, deal=deal, step=step), page)


def told(game: Game, deal: int, step: int) -> str:
    """All that is said at this step."""
    return "\n".join(part for part in shown(game, deal, step).parts if isinstance(part, str))


def ways(game: Game, at: tuple[int, int]) -> dict[str, tuple[int, int]]:
    """The deal and step to which each button leads from there, by its label without a deal's number."""
    found = {}
    for row in shown(game, *at).parts:
        for button in row if isinstance(row, tuple) else ():
            if button.enabled:
                assert isinstance(button.action, ShowStep)
                found[button.label.rstrip("0123456789 ")] = (button.action.deal, button.action.step)
    return found


@GAMES
def test_buttons_lead_through_every_card_and_every_trick(preset: str, players: int) -> None:
    game = played(preset, players)
    for deal in game.deals:
        stops, last = steps.stops(deal), steps.count(deal) - 1
        for step in range(last + 1):
            before, after = ([one for one in stops if one < step], [one for one in stops if one > step])
            expected = {}
            if step:
                expected |= {"« Start": 0, "‹ Card": step - 1, "‹ Trick": before[-1]}
            if step < last:
                expected |= {"End »": last, "Card ›": step + 1, "Trick ›": after[0]}
            found = ways(game, (deal.number, step))
            assert {label: to for label, (number, to) in found.items() if number == deal.number} == expected
            elsewhere = {label: to for label, to in found.items() if to[0] != deal.number}
            if (deal.number, step) == (2, 0):
                assert elsewhere == {"‹ Deal": (1, steps.count(game.deals[0]) - 1)}
            elif (deal.number, step) == (1, last):
                assert elsewhere == {"Deal 2 ›": (2, 0)}
            else:
                assert elsewhere == {}


@GAMES
def test_the_picture_and_its_words_have_the_table_and_all_hands(preset: str, players: int) -> None:
    game = played(preset, players)
    deal = game.deals[0]
    for number in range(steps.count(deal)):
        step = steps.at(deal, number)
        [picture] = [part for part in shown(game, 1, number).parts if isinstance(part, Picture)]
        scene = picture.scene
        if step.stage is Stage.PLAYED:
            last = step.deal.trick.cards or step.deal.tricks[-1].trick.cards
            assert {place.laid.card for place in scene.table.places if place.laid} == set(last)
        if step.stage is not Stage.COUNTED:
            for hand, *held in zip(scene.hands, step.deal.hands, step.deal.face_up, strict=True):
                cards = [card for some in held for card in some]
                left = [card for index, card in enumerate(hand.cards) if index not in hand.gone]
                assert sorted(map(str, left)) == sorted(map(str, cards))
                for card in cards:
                    assert card.symbol in picture.words
                    assert card.symbol in picture.description


def test_it_says_who_leads_who_plays_and_who_takes_the_trick() -> None:
    game = played("classic", 4)
    first = game.deals[0].tricks[0]
    lines = [told(game, 1, 2 + card).split("\n")[0] for card in range(4)]
    laid = [(NAMES[seat], card.symbol) for seat, card in first.trick.laid(4)]
    assert lines[:3] == [
        f"**{name}** {'plays' if card else 'leads'} `{symbol}`."
        for card, (name, symbol) in enumerate(laid[:3])
    ]
    assert lines[3].startswith(f"**{NAMES[first.winner]}** takes it: ")


@GAMES
def test_it_says_once_when_no_points_are_left(preset: str, players: int) -> None:
    game = played(preset, players, deals=4)
    assert any(deal.settled_after for deal in game.deals)
    for deal in game.deals:
        said = [step for step in range(steps.count(deal)) if SETTLED in told(game, deal.number, step)]
        before_play = steps.count(deal) - 2 - players * deal.rules.pack.hand_size
        after = deal.settled_after
        assert said == ([] if after is None else [before_play + players * after])


def test_it_says_once_who_has_the_rest() -> None:
    game = played("classic", 4, deals=40)
    deal = next(deal for deal in game.deals if deal.claimed_after is not None)
    [step] = [step for step in range(steps.count(deal)) if CLAIMED in told(game, deal.number, step)]
    leader = NAMES[deal.tricks[deal.claimed_after].trick.leader]
    assert f"From here on **{leader}** {CLAIMED}" in told(game, deal.number, step)
    assert told(game, deal.number, step + 1).startswith(f"**{leader}** leads")


def test_a_long_game_has_pages_of_its_list_of_deals() -> None:
    game = played("classic", 4, deals=47)

    def listed(deal: int, page: int | None = None) -> tuple[str, list[str], list[str]]:
        lists = [part for part in shown(game, deal, 0, page).parts if isinstance(part, Select)]
        choices = lists[0].choices
        return lists[0].prompt, [one.label for one in choices], [one.label for one in choices if one.chosen]

    first = [*[f"Deal {number}" for number in range(1, 24)], "Deals 24 to 46 …"]
    second = ["Deals 1 to 23 …", *[f"Deal {number}" for number in range(24, 47)], "Deals 47 to 47 …"]
    assert listed(1) == ("Deal 1 of 47", first, ["Deal 1"])
    assert listed(1, 1) == ("Deal 1 of 47", second, [])
    assert listed(46) == ("Deal 46 of 47", second, ["Deal 46"])
    assert listed(1, 10**9) == ("Deal 1 of 47", ["Deals 24 to 46 …", "Deal 47"], [])
