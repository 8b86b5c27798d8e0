"""What a replay shows and says at each step of a deal, and where its buttons lead; and what Watch shows."""

import re

import pytest
from at_once import to_next_deal
from by_chance import played
from games import NAMES
from moments import table_of
from people import Player
from seen import Seen, plain
from server import EVEN, PASSES, OpenServer, Server, Sketches, stacked

from bot.replays.replay import ReplayPosition, ShowStep, replay
from bot.replays.watching import watching
from bot.vocabulary.messages import Picture, Select, Whisper
from bot.vocabulary.scenes import HandsScene
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


# Watch: whoever looks on sees all hands of the deals that are done, and nothing of the one going on


async def watch(player: Player, on: Seen | None = None) -> Seen:
    [page] = (await player.click("Watch", on)).private
    return page


@pytest.mark.parametrize(("preset", "players"), [("wikibooks", 3), ("double-deck", 10), ("chinese", 6)])
def test_a_page_has_all_hands_and_passes_of_a_deal(preset: str, players: int) -> None:
    """Of two cards that are alike one is passed and the other received."""
    game = played(preset, players, deals=8)
    both = 0
    for deal in game.deals:
        page = watching(table_of(game), deal.number)
        [scene] = page.scenes
        for seat, hand in enumerate(scene.hands):
            gone, lit = (sorted(str(hand.cards[index]) for index in some) for some in (hand.gone, hand.lit))
            kept = [str(card) for index, card in enumerate(hand.cards) if index not in hand.lit]
            assert sorted(kept) == sorted(map(str, deal.dealt.hands[seat]))
            assert gone == sorted(map(str, deal.passes[seat] or ()))
            assert lit == sorted(map(str, deal.received[seat]))
            assert not hand.gone & hand.lit
            both += bool({*gone} & {*lit})
        text = "\n".join(part for part in page.parts if isinstance(part, str))
        assert text.count(" → ") == (players if deal.offset else 0)
        assert all(f"**{name}**" in text for name in NAMES[:players])
    assert both or preset != "double-deck"


@pytest.mark.slow
async def test_who_looks_on_sees_the_last_deal_in_a_picture_and_in_words(open_server: OpenServer) -> None:
    server = await open_server(stacked(EVEN), sketches=Sketches())
    eve = server.add("Eve")
    await server.deal_and_pass(passes=PASSES)
    assert not any("Watch" in post.buttons for post in server.posts())
    await to_next_deal(server, *server.people)
    page = await watch(eve, server.opening(2))
    assert page.says("Deal 1, all hands")
    assert page.says("Ann 3♥ 4♥ 5♥ → Bo")
    assert page.says("Di 3♠ 4♠ A♥ → Ann")
    taken = re.findall(r"[🔴🟢⚪] (\w+) \+?(\d+): ", plain(page.text))
    assert sum(int(points) for _, points in taken) == 26
    assert [type(scene) for scene in server.scenes(page)] == [HandsScene]


@pytest.mark.slow
async def test_one_turns_to_deals_that_are_done(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann, bo, ends_at=40)
    told = await bo.try_control("hearts:watch:1", server.post("Deal 1"))  # which has no such button yet
    assert "Nothing to watch yet" in told
    await to_next_deal(server, ann, bo)
    opening = server.opening(2)
    late = cy.forge("hearts:tricks:1:1", opening)  # from a slow screen, where deal 1 is not over
    await server.settle()
    assert [trick.number for trick in late.private[0].tricks] == list(range(1, 14))
    page = await watch(cy)
    assert "1 of 1" in page.buttons
    await server.restart()
    await cy.click("Next", page)
    assert page.current.says("Deal 1, all hands")  # the second is being played
    await to_next_deal(server, ann, bo)
    await cy.click("Next", page.current)
    assert page.current.says("Deal 2, all hands")
    await cy.click("Back", page.current)
    assert page.current.says("Deal 1, all hands")
    for number, shown in (("3", 2), ("99", 2), ("0", 1)):
        await cy.try_control(f"hearts:look:1:{number}", page.current)
        assert page.current.says(f"Deal {shown}, all hands")
    await server.stop_the_game()
    page = await watch(ann, opening)  # players watch too
    assert page.says("Deal 2, all hands")
    assert "Next" not in page.enabled
    await ann.try_control("hearts:look:1:3", page)  # the one that was going on
    assert page.current.says("Deal 2, all hands")
