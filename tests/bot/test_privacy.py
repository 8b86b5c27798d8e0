"""Nothing that everybody sees depends on cards that are hidden: other hidden cards, the same posts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from manners import message_of
from server import Server, Stacked

from bot.messages import Post
from bot.render import scores, tricks
from bot.render.board import board
from engine.cards import DECK, Card, Hand, cards, sort_hand, without
from engine.play.deal import Deal, Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.rules.options import MoonChoice
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.tables import PublicTable, Seat, State, Table

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
    for command in ("hearts scores", "hearts last"):
        await server.people[0].run(command)


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
    return re.sub(r"🔒 [0-9a-f]{30}", "a seal", str(message))


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
        in_words = set(CARD.findall(board.text))
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


def tables(preset: str, players: int, seed: int) -> Iterator[Table]:
    """A table at each moment of two deals in which everybody does what chance says."""
    rng = Random(seed)
    rules = Ruleset.of(preset, players)
    seats = tuple(Seat(number, f"Player {number}") for number in range(players))
    game = Game(rules)
    while len(game.deals) < 3:
        game = game.advance(shuffle(game, rng))
        while game.deal is not None:
            seat = rng.choice(game.deal.waiting_for)
            game = game.advance(chosen(game.deal, seat, rng))
            state = State.OVER if game.over else State.PLAYING
            yield Table(id=1, guild=2, channel=3, host=0, rules=rules, state=state, seats=seats, game=game)
        if game.over:
            return


def chosen(deal: Deal, seat: int, rng: Random) -> SeatMove:
    """Some move that this seat may make."""
    match deal.phase:
        case Phase.PASSING:
            return Passed(seat, tuple(rng.sample(deal.hands[seat], deal.rules.pass_cards)))
        case Phase.EXPOSING:
            move: SeatMove = Exposed(seat, rng.choice(deal.exposable(seat)))
            return rng.choice([move, Declined(seat)])
        case Phase.PLAYING:
            return Played(seat, rng.choice(deal.legal(seat)))
        case _:
            return MoonChosen(seat, rng.choice(list(MoonChoice)))


def reshuffled(table: Table, rng: Random) -> Table:
    """The same table, if what nobody has shown were other cards."""
    assert table.game is not None
    deals = tuple(_other_cards(deal, rng) for deal in table.game.deals)
    return replace(table, game=replace(table.game, deals=deals))


def _other_cards(deal: Deal, rng: Random) -> Deal:
    secret = [*deal.hands, deal.kitty, deal.kitty_on_hold]
    if deal.phase is not Phase.DONE:  # then everybody is shown what the kitty held
        secret += deal.kitty_taken
    *hands, kitty, on_hold = _redealt(secret, rng)[: len(deal.hands) + 2]
    changes: dict[str, Any] = {"hands": tuple(hands), "kitty": kitty, "kitty_on_hold": on_hold}
    if deal.phase is not Phase.DONE:
        changes["kitty_taken"] = _redealt(secret, rng)[len(deal.hands) + 2 :]
    pack = list(deal.rules.pack.cards)
    rng.shuffle(pack)
    changes["passes"] = tuple(gone and tuple(rng.sample(pack, len(gone))) for gone in deal.passes)
    changes["received"] = tuple(tuple(rng.sample(pack, len(got))) for got in deal.received)
    dealt = _redealt([*deal.dealt.hands, deal.dealt.kitty], rng)
    changes["dealt"] = replace(deal.dealt, hands=tuple(dealt[:-1]), kitty=dealt[-1])
    return replace(deal, **changes)


def _redealt(heaps: list[Hand], rng: Random) -> list[Hand]:
    """All these cards again in heaps of the same sizes."""
    pack: list[Card] = [card for heap in heaps for card in heap]
    rng.shuffle(pack)
    again = []
    for heap in heaps:
        again.append(sort_hand(pack[: len(heap)]))
        del pack[: len(heap)]
    return again


GAMES = [(name, players) for name, preset in PRESETS.items() for players in preset.players]


def rendered(table: PublicTable) -> list[tuple[str, Post, bool]]:
    """All that the channel shows of a table."""
    return [(part.key, part.render(), part.create) for part in board(table)]


def check_posts(moments: Iterable[Table], rng: Random) -> None:
    """At each of these many moments, other hidden cards give everybody the same to see."""
    count = 0
    for table in moments:
        other = reshuffled(table, rng)
        assert rendered(other.public) == rendered(table.public)
        assert scores.sheet(other.public) == scores.sheet(table.public)
        assert tricks.last(other.public) == tricks.last(table.public)
        count += 1
    assert count > 100


@pytest.mark.parametrize(("preset", "players"), GAMES)
def test_at_every_moment_of_every_game(preset: str, players: int) -> None:
    check_posts(tables(preset, players, seed=11), Random(7))
