"""Cards are emojis once Discord has them all, and texts wherever it has not."""

import re
from typing import Any

import pytest
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

PATH = re.compile(r"/applications/\d+/emojis(/\d+)?")
DANGER, SECONDARY, SUCCESS = 4, 2, 3


def asked(server: Server, since: int = 0) -> list[str]:
    """The methods of the requests about emojis since then."""
    return [one.method for one in server.requests[since:] if PATH.fullmatch(one.path)]


def faces(seen: Seen) -> list[str]:
    """The names of the emojis on its buttons."""
    return [one["emoji"]["name"] for one in seen.buttons.values() if one.get("emoji")]


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


@pytest.mark.slow
async def test_the_first_start_uploads_them_the_second_what_is_missing_and_others_only_look(
    fresh: Server,
) -> None:
    """A start waits for no upload: a game begins with texts and goes on with emojis."""
    assert asked(fresh) == ["GET"]
    [ann, *_] = fresh.people
    await fresh.deal_and_pass(ann, pace="none")
    player = fresh.to_play
    assert faces(player.hand) == []
    styles = {label: one["style"] for label, one in player.hand.buttons.items() if "play" in str(one)}
    assert {style for label, style in styles.items() if label[-2] in "♦♥"} == {DANGER}  # as letters
    assert {style for label, style in styles.items() if label[-2] in "♣♠"} == {SECONDARY}
    await fresh.env.advance_time(provisioning.PAUSE * 10)
    there = uploaded(fresh)
    assert 0 < len(there) < 104
    path = f"/applications/{fresh.env.backend.application_id}/emojis"
    fresh.env.inject_error("POST", path, status=503, code=0, times=2)
    await fresh.stop_and_start()
    await upload_all(fresh)
    assert uploaded(fresh).keys() == emojis().keys()
    assert uploaded(fresh).items() >= there.items()  # it went on where it was
    assert asked(fresh).count("POST") == 104 + 2
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
async def test_lost_and_old_emojis_are_replaced(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of others stay, and a note that is damaged is no obstacle."""
    backend, before = server.env.backend, uploaded(server)
    for lost in ("queen_of_spades", "ten_of_hearts"):
        backend.delete_application_emoji(before[lost])
    backend.create_application_emoji("ten_of_hearts")  # by another program with this token
    theirs = backend.create_application_emoji("theirs").id
    await upload_after_restart(server)
    assert uploaded(server).keys() == {*before, "theirs"}
    assert asked(server).count("POST") == 2
    monkeypatch.setattr(provisioning, "EMOJI_VERSION", 1_000)
    await upload_after_restart(server)
    assert uploaded(server).keys() == {*before, "theirs"}
    assert set(uploaded(server).items()) & {*before.items(), ("theirs", theirs)} == {("theirs", theirs)}
    since = len(server.requests)
    await upload_after_restart(server)
    assert asked(server, since) == ["GET"]
    await server.put_setting(provisioning.UPLOADED, '{"of": 7}')
    await upload_after_restart(server)
    assert uploaded(server).keys() == {*before, "theirs"}
    await server.deal_and_pass()
    assert faces(server.to_play.hand)


async def upload_after_restart(server: Server) -> None:
    """Restart, and let what is old be deleted and what is new be uploaded."""
    await server.restart()
    for _ in range(2):
        await upload_all(server)


async def test_a_click_is_sent_again_until_an_emoji_seems_to_be_gone(server: Server, ann: Player) -> None:
    """Then cards are letters until it does."""

    def refuse(times: int) -> None:
        path = "/interactions/*/callback"
        why = "In components.0.components.1.components.0.emoji: Invalid emoji"
        server.env.inject_error("POST", path, status=400, code=50035, message=why, times=times)

    await server.deal(ann, pace="none")
    codes = [code for code, _ in ann.hand.offered[:3]]
    for number, times in enumerate((MOST_REFUSALS, 1), 1):
        refuse(times)
        await ann.pick_cards(" ".join(codes[:number]))
        assert faces(ann.hand)
        assert (codes[number - 1], True) in ann.hand.offered
    refuse(MOST_REFUSALS + 1)
    since = len(server.requests)
    await ann.pick_cards(" ".join(codes))
    assert faces(ann.hand) == []
    assert (codes[2], True) in ann.hand.offered
    await server.env.advance_time(provisioning.FIRST_WAIT)
    assert asked(server, since) == ["GET"]
    await ann.pick_cards(codes[0])
    assert faces(ann.hand)


# What is shown


async def test_every_card_of_a_hand_is_its_emoji_alone(server: Server, ann: Player) -> None:
    await server.deal(ann)
    await ann.pick_cards()
    assert len(faces(ann.hand)) == 13
    labels = [str(one.get("label")) for one in ann.hand.buttons.values()]
    assert not any(symbol in label for symbol in "♣♦♠♥" for label in labels)
    await ann.pass_cards()
    await play_on([ann], lambda: bool(ann.playable))
    assert {one["style"] for one in ann.hand.buttons.values() if one.get("emoji")} == {SECONDARY}


def shown(*parts: Any) -> list[dict[str, Any]]:
    """The components of a message of these parts."""
    signs = Emojis()
    signs.know(dict.fromkeys(emojis(), 10**18))
    return list(walk(layout(Post(parts, Colour.TABLE), signs).to_components()))


def said(*parts: Any) -> str:
    return "\n".join(one["content"] for one in shown(*parts) if one["type"] == TEXT)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("`10♥` 10♥", f"<:ten_of_hearts:{10**18}> 10♥\ufe0e"),
        ("~~`K♦`~~ **`Joker`**", f"~~`K♦\ufe0e`~~ **<:joker:{10**18}>**"),  # struck out: a cancelled card
        ("```\n`Q♠`\n```", "```\n`Q♠\ufe0e`\n```"),
        ("\\`Q♠\\` `x`", "\\`Q♠\ufe0e\\` `x`"),  # somebody's name
    ],
)
def test_plain_and_cancelled_cards_and_code_stay_letters(text: str, told: str) -> None:
    assert said(text) == told


def test_a_message_in_which_they_do_not_fit_has_none() -> None:
    chips = " ".join(["`Q♠`"] * 90)
    assert said(chips).count("<:") == 90
    both = said(chips, chips)
    assert "<:" not in both
    assert both.count("`Q♠\ufe0e`") == 180


@pytest.mark.parametrize(
    ("of", "label", "rest", "emoji"),
    [
        (card("QS"), "Q♠", None, "queen_of_spades"),
        (card("QS"), "Expose Q♠", "Expose", "queen_of_spades"),
        (card("QS"), "Q♠ (exposed)", "(exposed)", "queen_of_spades"),
        (CLUB_JOKER, "Joker", None, "joker"),
        (WILD_JOKER, "Joker", None, "joker"),
    ],
)
def test_a_button_shows_an_emoji_and_the_rest_of_its_label(
    of: Card, label: str, rest: str | None, emoji: str
) -> None:
    row = (Button(label, "hearts:x:1", Style.GOOD, card=of),)
    [button] = [one for one in shown(row) if one["type"] == BUTTON]
    assert (button.get("label"), button["emoji"]["name"], button["style"]) == (rest, emoji, SUCCESS)
