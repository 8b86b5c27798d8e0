"""How to play: pages for somebody who never has, by the rules of their table."""

import pytest
from by_chance import rulesets
from games import change_rules, sentence
from hypothesis import given
from people import Player, refusal
from seen import Seen, plain
from server import OpenServer, Server, Sketches

from bot.vocabulary.scenes import FanScene, TableScene
from bot.words.how_to_play import RulesPage, pages
from engine.cards import Suit
from engine.languages import ENGLISH
from engine.rules.ruleset import Ruleset
from engine.rules.wording import goal, valued


def titles(rules: Ruleset) -> list[str]:
    return [page.title for page in pages(rules, ENGLISH)]


@given(rulesets())
def test_the_first_page_says_what_wins_and_what_each_card_counts(rules: Ruleset) -> None:
    """With the sign of what it does to a player: red where it hurts, by the goal."""
    goal_page = pages(rules, ENGLISH)[0]
    assert goal(rules, ENGLISH) in goal_page.text
    for words, value in valued(rules.counting.values, ENGLISH):
        helps = (value > 0) is (rules.winner.value == "highest")
        assert f"{'🟢' if helps else '🔴'} {words}." in plain(goal_page.text)
    assert isinstance(goal_page.picture.scene, FanScene)
    others = {card for card in rules.counting.scoring if card.suit is not Suit.HEARTS}
    assert others <= set(goal_page.picture.scene.cards) <= rules.counting.scoring


@given(rulesets())
def test_pictures_show_cards_of_this_pack_and_tricks_that_end_so(rules: Ruleset) -> None:
    pack = list(rules.pack.cards)
    for page in pages(rules, ENGLISH):
        match page.picture.scene if page.picture else None:
            case FanScene(cards, chosen):
                assert all(cards.count(card) <= pack.count(card) for card in cards), page.title
                assert len(chosen) == (rules.pass_cards if page.title == "Passing" else 0)
            case TableScene(places=places):
                cards = [place.laid.card for place in places if place.laid]
                assert len(cards) == len(places) <= rules.players
                assert all(cards.count(card) <= pack.count(card) for card in cards)
                [taker] = [place for place in places if place.laid and place.laid.is_highest]
                assert taker.score.text in page.text or page.title != "Following suit"


def test_each_game_tells_its_own_specials() -> None:
    four = ["The goal", "Passing", "Following suit", "The moon"]
    without_passing = [title for title in four if title != "Passing"]
    kitty = Ruleset.of("wikibooks", 3, {"remainder": "kitty"})
    assert specials(Ruleset.of("classic", 4)) == four
    assert specials(Ruleset.of("classic", 4, {"pass_cards": 0})) == [*without_passing, "House rules"]
    assert specials(kitty) == [*four, "The pack", "House rules"]
    assert specials(Ruleset.of("double-deck", 8)) == [*four, "Two of a kind"]
    assert specials(Ruleset.of("cancellation", 5)) == [*without_passing, "Two of a kind", "The pack"]
    assert specials(Ruleset.of("chinese", 4)) == [*without_passing, "Exposing", "The ten of clubs"]


def specials(rules: Ruleset) -> list[str]:
    """All but the last page, which every game has."""
    *found, last = titles(rules)
    assert last == "Computers"
    return found


def page(rules: Ruleset, title: str) -> RulesPage:
    return next(page for page in pages(rules, ENGLISH) if page.title == title)


@pytest.mark.parametrize(
    ("winner", "passed", "why"),
    [
        ("lowest", "A♣, K♦, Q♠", "High cards take tricks, and points with them, so most players pass those."),
        ("highest", "2♣, 4♠, 3♥", "Low cards take no points, so most players pass those."),
    ],
)
def test_it_tells_to_pass_what_does_harm_by_this_goal(winner: str, passed: str, why: str) -> None:
    told = page(Ruleset.of("classic", 4, {"winner": winner}), "Passing")
    assert why in told.text
    assert told.picture.description == f"A hand with cards chosen to pass: {passed}."


def test_the_ten_of_clubs_says_what_it_is_worth() -> None:
    text = sentence(page(Ruleset.of("chinese", 4), "The ten of clubs").text)
    assert "🔴 Q♠ 10♣: −200, or −400 if 10♣ was exposed." in text
    assert "🟢 J♦ 10♣: +200, or +400 if 10♣ was exposed." in text
    assert "🟢 10♣: +50, or +100 if 10♣ was exposed." in text


def test_twins_cancel_or_the_first_of_them_takes_the_trick() -> None:
    rules = Ruleset.of("double-deck", 8)
    assert page(rules, "Two of a kind").picture.words.startswith("`K♦` takes it\n")
    rules = Ruleset.of("cancellation", 5)
    told = page(rules, "Two of a kind")
    assert told.picture.words.startswith("`K♦` leads\n`9♦` takes it\n`K♦` cancels it")
    assert "Both `K♦` are out, so `9♦` is the highest diamond left." in told.text


# In Discord


async def read_all(player: Player, first: Seen) -> list[str]:
    """Press Next to the end; the pages' headings, all in one message."""
    shown, headings = first, []
    while True:
        headings.append(shown.text.partition("\n")[0].removeprefix("### "))
        if "Next" not in shown.enabled:
            return headings
        assert (await player.click("Next", shown)).told == ""
        shown = shown.current


async def test_every_page_of_a_table_with_its_picture_can_be_turned_to_in_private(
    open_server: OpenServer,
) -> None:
    server = await open_server(sketches=Sketches())
    ann, bo, *_ = server.people
    rules = Ruleset.of("cancellation", 5)
    await server.seat(ann, game="cancellation")
    [first] = (await bo.click("How to play")).private  # who has no seat yet asks most
    assert await read_all(bo, first) == titles(rules)
    for number, page in enumerate(pages(rules, ENGLISH)):
        assert await bo.try_control(f"hearts:page:1:{number}", first) == ""
        shown = first.current
        assert server.scenes(shown) == ([page.picture.scene] if page.picture else [])
        assert not page.picture or shown.pictures[0]["description"] == page.picture.description
    assert shown.enabled == ["Back"]
    assert await bo.try_control("hearts:page:1:99", first) == ""
    assert first.current.says("### Computers")  # still the last one
    await bo.click("Back", shown)
    assert first.current.enabled == ["Back", "Next"]
    for number in ("x", "", "-1"):
        assert await bo.try_control(f"hearts:page:1:{number}", first) == refusal("stale")
    [by_dm] = (await ann.click("How to play", ann.dm)).private
    assert await read_all(ann, by_dm) == titles(rules)
    [lobby] = server.posts()
    assert await ann.try_control("hearts:page:1:1", lobby) == refusal("stale")
    assert server.post("Seats").text == lobby.text


async def test_the_pages_follow_the_rules_of_the_table_and_are_read_during_the_game_and_after_it(
    server: Server, ann: Player
) -> None:
    await server.seat(ann)
    [first] = (await ann.click("How to play")).private
    await change_rules(ann, winner="highest", hooligan=True)
    await ann.click("Next", first)
    await ann.click("Back", first.current)
    assert first.current.says("🟢 7♣ 7.")
    assert first.current.says("Highest total wins")
    await ann.click("Start")
    await ann.click("End", (await ann.run("hearts end")).private[0])
    assert (await ann.click("Next", first.current)).told == ""
    assert first.current.says("### Passing")
    assert "How to play" not in server.post("Seats").enabled


async def test_help_opens_those_of_the_usual_game(ann: Player) -> None:
    for reader in (ann, ann.in_dm):
        [help] = (await reader.run("hearts help")).private
        [first] = (await reader.click("How to play", help)).private
        assert await read_all(reader, first) == titles(Ruleset.of("classic", 4))
