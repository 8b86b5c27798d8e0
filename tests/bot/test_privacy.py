"""Nothing that everybody sees depends on cards that are hidden: other hidden cards, the same posts."""

import re
from random import Random
from typing import Any

import pytest
from by_chance import TABLES
from manners import message_of
from moments import check_posts, tables
from server import Server, Stacked

from engine.cards import DECK, Hand, cards, without
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

#: Three tricks that everybody can play whatever else they hold: Ann leads, then Di twice.
TRICKS = ("2C 5C 9C AC", "2D 3D 4D KD", "2S 3S 4S KS")
CARD = re.compile("(?:10|[2-9JQKA])[♣♦♠♥]\ufe0e")
PLAYS = ("2C 5C 9C AC", "KD 2D 3D 4D", "KS 2S 3S 4S")


def hidden_cards(seed: int) -> tuple[list[Hand], list[Hand]]:
    """Hands as dealt, and what each passes, so that everybody can play TRICKS; the rest is chance."""
    shown = [cards(codes) for codes in zip_codes(TRICKS)]
    rest = list(without(DECK, [one for hand in shown for one in hand]))
    Random(seed).shuffle(rest)
    after = [[*hand, *rest[seat * 10 : seat * 10 + 10]] for seat, hand in enumerate(shown)]
    # Passing goes to the left: what a seat receives lies with its neighbour before.
    received = [tuple(hand[-3:]) for hand in after]
    passes = [received[(seat + 1) % 4] for seat in range(4)]
    dealt = [(*hand[:-3], *passes[seat]) for seat, hand in enumerate(after)]
    return dealt, passes


def zip_codes(rows: tuple[str, ...]) -> list[str]:
    """The columns of several rows of cards."""
    return [" ".join(column) for column in zip(*(row.split() for row in rows), strict=True)]


async def play(server: Server, passes: list[Hand]) -> None:
    """Pass, and play the three tricks; each looks at their hand in the channel besides."""
    await server.deal()
    for player, gone in zip(server.people, passes, strict=True):
        await player.pass_cards(" ".join(card.code for card in gone))
    for player in server.people:
        await player.open_hand()
    for codes in PLAYS:
        for code in codes.split():
            await server.to_play.play(code)
    await server.people[0].run("hearts scores")
    await server.people[0].click("Tricks")


def shown_to_all(server: Server) -> list[str]:
    """Every state of every message that everybody saw in the channel, in order."""
    return [
        f"{name} {unsealed(message)}"
        for kind, name, message in server.env.backend.transcript
        if kind == "GATEWAY"
        and name in ("MESSAGE_CREATE", "MESSAGE_UPDATE")
        and int(message["channel_id"]) == server.channel.id
        and not message["flags"] & 1 << 6
    ]


def unsealed(message: Any) -> str:
    """A message as text, without the seal, which is made of the hidden cards and a secret."""
    return re.sub(r"🔒 Seal \|\|[0-9a-f]{30}\|\|", "a seal", str(message))


async def test_other_hidden_cards_the_same_posts(open_server) -> None:
    outcomes = []
    for seed in (1, 2, 3):
        dealt, passes = hidden_cards(seed)
        rng = Stacked(0)
        rng.hands = [[" ".join(card.code for card in hand) for hand in dealt]]
        server: Server = await open_server(rng)
        await play(server, passes)
        hands = [player.hand.everything for player in server.people]
        outcomes.append((shown_to_all(server), [unsealed(post.components) for post in server.posts()], hands))
        await server.env.shutdown()
    (states, posts, hands), *others = outcomes
    assert len(states) > 12
    assert sum("· Trick 3" in post for post in posts) == 1
    for other_states, other_posts, other_hands in others:
        assert other_states == states
        assert other_posts == posts
        assert not set(other_hands) & set(hands)  # what was hidden was not the same


async def test_no_post_names_a_card_that_was_not_played(server: Server) -> None:
    await server.deal_and_pass()
    for _ in range(22):
        await server.to_play.play()
        played = [row for row in server.stored()["moves"] if "played" in row["move"]]
        board = server.posts()[-1]
        listed = (await server.people[0].click("Tricks", board)).private if "Tricks" in board.enabled else []
        in_words = {card for shown in (board, *listed) for card in CARD.findall(shown.text)}
        assert len(in_words) == len(played)
        in_hands = [label for player in server.people for label in player.hand.buttons if label[-2] in "♣♦♠♥"]
        assert len(in_hands) == 52 - len(played)
        assert not in_words & set(in_hands)


async def test_a_hand_goes_to_its_player_alone(server: Server) -> None:
    await server.deal_and_pass()
    for player in server.people:
        await player.open_hand()
    await server.to_play.play()
    to_all = {f"/channels/{server.channel.id}/messages"}
    for request in server.requests:
        message = message_of(request)
        if message and "### Your hand" in str(message):
            assert request.path not in to_all
            if request.path.endswith("/callback") and request.body["type"] == 4:
                assert message["flags"] & 64
    for player in server.people:
        for other in server.people:
            if other is not player:
                assert player.my_hand.id not in [one.id for one in other.sees()]


# The same of every game and at every moment, without Discord


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_at_every_moment_of_every_game(preset: str, players: int) -> None:
    check_posts(tables(Ruleset.of(preset, players), seed=11), Random(7))
