"""Cards are emojis once Discord has them all, and texts wherever it has not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from games import NAMES, arranged, change_rules, hands_of, play
from openapi import walk
from people import Player, play_on
from seen import BUTTON, TEXT, Seen
from server import Server

from bot import provisioning
from bot.delivery.building import MOST_REFUSALS
from bot.delivery.components import layout
from bot.delivery.emojis import Emojis
from bot.pictures import USUAL_CARDS, emojis
from bot.vocabulary.messages import Button, Colour, Post, Style
from engine.cards import CLUB_JOKER, WILD_JOKER, Card, card
from engine.rules.ruleset import Ruleset

PATH = re.compile(r"/applications/\d+/emojis(/\d+)?")
DANGER, SECONDARY, SUCCESS = 4, 2, 3


def asked(server: Server, since: int = 0) -> list[str]:
    """The methods of the requests about emojis since then."""
    return [one.method for one in server.requests[since:] if PATH.fullmatch(one.path)]


def faces(seen: Seen) -> list[str]:
    """The names of the emojis on its buttons."""
    found = [one for one in walk(seen.components) if one.get("type") == BUTTON and one.get("emoji")]
    return [one["emoji"]["name"] for one in found]


def uploaded(server: Server) -> dict[str, int]:
    """What Discord has, by name."""
    return {one.name: one.id for one in server.env.backend.application_emojis.values()}


async def upload_all(server: Server) -> None:
    """Let so much time pass as a first start needs."""
    await server.env.advance_time(provisioning.PAUSE * (len(emojis()) + 1))


@pytest.fixture(autouse=True)
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is time to look between two uploads."""
    monkeypatch.setattr(provisioning, "PAUSE", 60.0)


@pytest.fixture
async def fresh(open_server) -> Server:
    """A server at the bot's first start."""
    return await open_server(uploaded=False)


async def test_the_first_start_uploads_them_and_the_second_only_looks(fresh: Server) -> None:
    """A game begins with texts and goes on with emojis."""
    [ann, *_] = fresh.people
    await fresh.deal_and_pass(ann, pace="none")
    player = fresh.to_play
    assert faces(player.hand) == []
    styles = {label: one["style"] for label, one in player.hand.buttons.items() if "play" in str(one)}
    assert {style for label, style in styles.items() if label[-2] in "♦♥"} == {DANGER}  # as letters
    assert {style for label, style in styles.items() if label[-2] in "♣♠"} == {SECONDARY}
    await upload_all(fresh)
    assert asked(fresh) == ["GET"] + ["POST"] * 104
    assert uploaded(fresh).keys() == emojis().keys()
    assert faces(player.hand) == []  # what is shown is not painted anew
    await player.play()
    await play_on([ann], lambda: bool(ann.playable))
    assert len(faces(ann.hand)) == len([one for one in ann.hand.buttons.values() if "play" in str(one)])
    for start in (fresh.restart, fresh.stop_and_start):
        since = len(fresh.requests)
        await start()
        await fresh.env.advance_time(3600)
        assert asked(fresh, since) == ["GET"]


async def test_cards_are_emojis_once_there_is_one_for_each_and_other_faces_follow(fresh: Server) -> None:
    [ann, *_] = fresh.people
    await ann.prefer(letters="VDR")
    await fresh.deal(ann, pace="none")
    await fresh.env.advance_time(provisioning.PAUSE * (len(USUAL_CARDS) + 1))
    assert uploaded(fresh).keys() < emojis().keys()
    await ann.pick_cards()
    assert set(faces(ann.hand)) <= set(USUAL_CARDS)
    await upload_all(fresh)
    await ann.pass_cards()
    await play_on([ann], lambda: bool(ann.playable))
    assert faces(ann.hand)


async def test_a_start_waits_for_no_upload_and_a_stop_ends_them(fresh: Server) -> None:
    assert asked(fresh) == ["GET"]
    await fresh.env.advance_time(provisioning.PAUSE * 10)
    there = uploaded(fresh)
    assert 0 < len(there) < 104
    await fresh.stop_and_start()
    await upload_all(fresh)
    assert uploaded(fresh).items() >= there.items()  # it went on where it was
    assert asked(fresh).count("POST") == 104


@pytest.mark.slow
@pytest.mark.parametrize(("method", "status", "code"), [("GET", 403, 50013), ("POST", 400, 30008)])
async def test_what_discord_refuses_leaves_texts(
    fresh: Server, caplog: pytest.LogCaptureFixture, method: str, status: int, code: int
) -> None:
    path = f"/applications/{fresh.env.backend.application_id}/emojis"
    fresh.env.inject_error(method, path, status=status, code=code, times=None)
    await fresh.restart()
    since = len(fresh.requests)
    await fresh.env.advance_time(3600)
    assert len(asked(fresh, since)) <= 1
    assert "Discord refuses the emojis of the cards" in caplog.text
    await fresh.deal_and_pass()
    assert faces(fresh.to_play.hand) == []
    await fresh.to_play.play()


@pytest.mark.slow
async def test_when_discord_is_out_of_reach_they_are_uploaded_later(fresh: Server) -> None:
    path = f"/applications/{fresh.env.backend.application_id}/emojis"
    fresh.env.inject_error("POST", path, status=503, code=0, times=2)
    await upload_all(fresh)
    assert 0 < len(uploaded(fresh)) < 104
    await upload_all(fresh)
    assert len(uploaded(fresh)) == 104
    await fresh.deal_and_pass()
    assert faces(fresh.to_play.hand)


async def test_new_art_takes_the_place_of_the_old(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    before = uploaded(server)
    monkeypatch.setattr(provisioning, "EMOJI_VERSION", 1_000)
    await server.restart()
    await upload_all(server)
    await upload_all(server)
    assert uploaded(server).keys() == before.keys()
    assert not set(uploaded(server).values()) & set(before.values())
    since = len(server.requests)
    await server.restart()
    await server.env.advance_time(60)
    assert asked(server, since) == ["GET"]


async def test_one_that_somebody_deleted_is_uploaded_again(server: Server) -> None:
    gone = uploaded(server)["queen_of_spades"]
    server.env.backend.delete_application_emoji(gone)
    await server.restart()
    await upload_all(server)
    await upload_all(server)
    assert uploaded(server).keys() == emojis().keys()
    assert asked(server).count("POST") == 1


async def test_emojis_of_others_stay(fresh: Server) -> None:
    theirs = fresh.env.backend.create_application_emoji("theirs")
    fresh.env.backend.create_application_emoji("queen_of_spades")  # by another program with this token
    await fresh.restart()
    await upload_all(fresh)
    assert uploaded(fresh)["theirs"] == theirs.id
    assert uploaded(fresh).keys() == {*emojis(), "theirs"}


async def test_a_note_that_is_damaged_is_no_obstacle(server: Server) -> None:
    await server.put_setting(provisioning.UPLOADED, '{"of": 7}')
    await server.restart()
    await upload_all(server)
    await upload_all(server)
    assert uploaded(server).keys() == emojis().keys()
    await server.deal_and_pass()
    assert faces(server.to_play.hand)


REFUSED = "In components.0.components.1.components.0.emoji: Invalid emoji"


async def test_what_is_refused_now_and_then_is_sent_again(server: Server, ann: Player) -> None:
    await server.deal(ann, pace="none")
    server.env.inject_error(
        "POST", "/interactions/*/callback", status=400, code=50035, message=REFUSED, times=MOST_REFUSALS
    )
    (code, _), (other, _) = ann.hand.offered[:2]
    await ann.pick_cards(code)
    assert faces(ann.hand)
    assert (code, True) in ann.hand.offered
    server.env.inject_error("POST", "/interactions/*/callback", status=400, code=50035, message=REFUSED)
    await ann.pick_cards(f"{code} {other}")
    assert faces(ann.hand)
    assert (other, True) in ann.hand.offered


async def test_when_discord_does_not_know_one_any_more_cards_are_letters_until_it_does(
    server: Server, ann: Player
) -> None:
    await server.deal(ann, pace="none")
    server.env.inject_error(
        "POST", "/interactions/*/callback", status=400, code=50035, message=REFUSED, times=MOST_REFUSALS + 1
    )
    since = len(server.requests)
    code, _ = ann.hand.offered[0]
    await ann.pick_cards(code)
    assert faces(ann.hand) == []
    assert (code, True) in ann.hand.offered
    await server.env.advance_time(provisioning.FIRST_WAIT)
    assert asked(server, since) == ["GET"]
    await ann.pick_cards()
    assert faces(ann.hand)


# What is shown


async def test_every_card_of_a_hand_is_its_emoji_alone(server: Server, ann: Player) -> None:
    await server.deal(ann)
    await ann.pick_cards()
    assert len(faces(ann.hand)) == 13
    assert not any(symbol in str(button.get("label")) for symbol in "♣♦♠♥" for button in controls(ann.hand))
    await ann.pass_cards()
    await play_on([ann], lambda: bool(ann.playable))
    styles = [one["style"] for one in controls(ann.hand) if one.get("emoji")]
    assert set(styles) == {SECONDARY}


def controls(seen: Seen) -> list[dict[str, Any]]:
    """Its buttons."""
    return [one for one in walk(seen.components) if one.get("type") == BUTTON]


async def test_a_cancelled_card_is_letters_struck_out(open_server) -> None:
    rules = Ruleset.of("cancellation", 5, {"pass_cards": 0})
    tricks = ("JK 2C 3C 4C KC", "KD 3D KD 9D 2D", "5S 5S 6S 6S AH")
    hands = hands_of(rules, 0, tricks)
    server: Server = await open_server(arranged(rules, hands), names=NAMES[:5])
    host = await server.seat(*server.people, game="cancellation")
    await change_rules(host, pass_cards="0")
    await host.click("Start")
    await play(server, tricks[0], "KD 3D KD")
    board = server.posts()[-1].raw
    assert board.count("~~`K♦\ufe0e`~~") == 2
    assert re.search(r"<:three_of_diamonds:\d+>", board)


def shown(*parts: Any, known: bool = True) -> list[dict[str, Any]]:
    """The components of a message of these parts."""
    signs = Emojis()
    if known:
        signs.know(dict.fromkeys(emojis(), 10**18))
    return list(walk(layout(Post(parts, Colour.TABLE), signs).to_components()))


def said(*parts: Any) -> str:
    return "\n".join(one["content"] for one in shown(*parts) if one["type"] == TEXT)


def test_plain_cards_and_code_stay_letters() -> None:
    assert said("`10♥` 10♥") == f"<:ten_of_hearts:{10**18}> 10♥\ufe0e"
    assert said("```\n`Q♠`\n```") == "```\n`Q♠\ufe0e`\n```"
    assert said("\\`Q♠\\` `x`") == "\\`Q♠\ufe0e\\` `x`"  # somebody's name
    assert said("**`Joker`**") == f"**<:joker:{10**18}>**"


@pytest.mark.parametrize("joker", [CLUB_JOKER, WILD_JOKER])
def test_a_button_shows_a_joker_of_either_kind_as_its_emoji(joker: Card) -> None:
    [button] = [one for one in shown((Button("Joker", "play", card=joker),)) if one["type"] == BUTTON]
    assert button["emoji"]["name"] == "joker"
    assert not button.get("label")


def test_a_message_in_which_they_do_not_fit_has_none() -> None:
    chips = " ".join(["`Q♠`"] * 90)
    assert said(chips).count("<:") == 90
    both = said(chips, chips)
    assert "<:" not in both
    assert both.count("`Q♠\ufe0e`") == 180


def test_what_a_label_says_besides_its_card_stays() -> None:
    queen = card("QS")
    labels = ("Q♠", "Expose Q♠", "Q♠ (exposed)")
    row = tuple(Button(label, f"hearts:x:{label}", Style.GOOD, card=queen) for label in labels)
    buttons = [one for one in shown(row) if one["type"] == BUTTON]
    assert [one.get("label") for one in buttons] == [None, "Expose", "(exposed)"]
    assert {one["emoji"]["name"] for one in buttons} == {"queen_of_spades"}
    assert {one["style"] for one in buttons} == {SUCCESS}
