"""Worlds in which cards lie elsewhere that a player cannot know: everything that they are told is the same.

First as posts and hands are rendered, at any moment and in pictures too; then through Discord, where what is
played is the same, and legal, in both worlds, and pictures are words.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from by_chance import moves
from games import open_table
from moments import reshuffled, tables
from people import Player, label_of
from server import OpenServer, Server

from bot.table import hand, notices, scores
from bot.table.board import board
from engine.cards import Card, Hand
from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.moves import Dealt, Declined, Exposed, Move, Passed, Played
from engine.play.views import seat_view
from engine.rules.ruleset import Ruleset
from engine.tables import NoticeKind, PublicTable, Table
from engine.tables.flow import Flow
from engine.tables.plan import Timer

pytestmark = pytest.mark.slow

KITTIES: list[tuple[str, int, dict[str, Any]]] = [
    ("wikibooks", 3, {"remainder": "kitty", "kitty": "one-per-trick"}),
    ("double-deck", 6, {"duplicates": "cancel", "kitty": "one-per-trick", "spot_hearts": True}),
]
#: Half a deal of 52 cards.
CARDS_PLAYED = 26
#: Who may not know the difference: Ann, who plays, and the last, who looks on.
VIEWER = 0
SEAL_OR_ID = re.compile(r"🔒 Seal \|\|[0-9a-f]{30}\|\||\b\d{17,20}\b")
COMMANDS = ("hand", "scores", "rules", "replay", "record")
CONTROLS = (
    *("hand:1", "luck:1", "watch:1", "look:1:1", "check:1:1", "review:1:1", "step:1:0:1:5"),
    "hint:1:1:{trick}",
)


def rendered(table: PublicTable) -> Any:
    """All posts of a table in its channel, and its score sheet."""
    return [(part.key, part.post, part.create) for part in board(table)], scores.sheet(table)


@pytest.mark.parametrize(("preset", "players", "options"), [("classic", 4, {}), *KITTIES])
def test_other_hidden_cards_the_same_posts(preset: str, players: int, options: dict[str, Any]) -> None:
    """To a deal's last card."""
    rng, count = Random(5), 0
    for table in tables(Ruleset.of(preset, players, options), seed=3, deals=2):
        other = reshuffled(table, rng).public
        assert other == table.public
        assert rendered(other) == rendered(table.public)
        count += 1
    assert count > 100


def test_who_still_thinks_about_exposing_is_told_to_nobody() -> None:
    """Whoever has declined: the same posts, reminders and hands of the others."""
    moments = 0
    for table in tables(Ruleset.of("chinese", 4), seed=8, deals=4):
        game = table.game
        if game.deal is None or game.deal.phase is not Phase.EXPOSING or len(game.deal.waiting_for) < 2:
            continue
        seat = game.deal.waiting_for[0]
        other = replace(table, game=game.advance(Declined(seat)))
        assert rendered(other.public) == rendered(table.public)
        for viewer in {0, 1, 2, 3} - {seat}:
            shown = [hand.hand(one.public, seat_view(one.game, viewer)) for one in (table, other)]
            assert shown[0] == shown[1]
        assert reminder(other) == reminder(table)
        moments += 1
    assert moments


def reminder(table: Table) -> Any:
    """What the table is told half-way."""
    flow = Flow(Random(1), Random(1), lambda view, rng: Declined(view.seat), lambda: 31.0)
    reminded = flow.ring(replace(table, timer=Timer(60.0, 60.0)))
    assert reminded.notice.kind is NoticeKind.EXPOSING_REMINDER
    return notices.notice_post(reminded.public, reminded.notice)


# Through Discord


def invented(rules: Ruleset, rng: Random) -> list[Move]:
    """The first tricks of a deal, by chance."""
    game, made = Game(rules), []
    while sum(isinstance(move, Played) for move in made) < CARDS_PLAYED:
        made.append(rng.choice(list(moves(game, rng))))
        game = game.advance(made[-1])
    return made


def after(rules: Ruleset, made: Sequence[Move]) -> Game:
    """The game after these moves; Refusal where they are not legal."""
    game = Game(rules)
    for move in made:
        game = game.advance(move)
    return game


def in_another_world(rules: Ruleset, made: list[Move], rng: Random) -> list[Move]:
    """The same moves where many cards that the viewer cannot know have changed places."""
    deal = after(rules, made).deals[-1]
    shown = [card for done in deal.tricks for card in done.trick.cards] + [*deal.trick.cards]
    own = [*deal.dealt.hands[VIEWER], *deal.hands[VIEWER], *deal.kitty_taken[VIEWER]]
    hidden = sorted({*rules.pack.cards} - {*shown, *own, *rules.preset.exposable}, key=lambda card: card.code)
    for _ in range(60):
        two = rng.sample(hidden, 2)
        other = [_exchanged(move, *two) for move in made]
        try:
            if after(rules, other).deals[-1].trick == deal.trick:
                made = other
        except Refusal:
            continue  # somebody would have had to follow suit, or another would have led
    return made


def _exchanged(move: Move, one: Card, other: Card) -> Move:
    def swap(cards: Hand) -> Hand:
        return tuple([other if card is one else one if card is other else card for card in cards])

    match move:
        case Dealt():
            return replace(move, hands=tuple(map(swap, move.hands)), kitty=swap(move.kitty))
        case Passed():
            return replace(move, cards=swap(move.cards))
    return move


async def act(player: Player, move: Move) -> None:
    """Make this move with the hand that this person sees."""
    match move:
        case Passed(_, cards):
            await player.pass_cards(" ".join(card.code for card in cards))
        case Exposed(_, card):
            await player.click(f"Expose {label_of(card.code)}", player.hand)
            await player.click("Yes, expose", player.hand)
        case Declined():
            await player.click(player.hand.decline, player.hand)
        case Played(_, card):
            await player.play(card.code)


async def seen_by(server: Server, players: Sequence[Player], trick: int) -> list[str]:
    """What these people are told, whatever they ask, be it by a client of their own making."""
    told: list[Any] = []
    for player in players:
        told += [(await player.run(f"hearts {command}")).told for command in COMMANDS]
        told.append((await player.export_data()).file)
        private = next(one for one in reversed(player.sees()) if one.is_private)
        for message in (server.post("Deal 1"), private):
            for control in CONTROLS:
                told.append(await player.try_control(f"hearts:{control.format(trick=trick)}", message))
    return [SEAL_OR_ID.sub("", str(one)) for one in told]


async def play(server: Server, rules: Ruleset, made: Sequence[Move]) -> list[str]:
    """All that the viewer and who looks on have seen, after each move, and what they are told at the end."""
    viewers = (server.people[VIEWER], server.add("Zoe"))
    seen = []
    for move in made[1:]:
        assert not isinstance(move, Dealt)
        await act(server.people[move.seat], move)
        now = [[one.components for one in (*player.sees(), *player.dms())] for player in viewers]
        seen.append(SEAL_OR_ID.sub("", str(now)))
    return seen + await seen_by(server, viewers, len(after(rules, made).deals[-1].tricks))


@pytest.mark.parametrize(("preset", "players", "options"), [*KITTIES, ("chinese", 4, {})])
async def test_what_one_player_sees_is_the_same_whatever_they_cannot_know(
    open_server: OpenServer, preset: str, players: int, options: dict[str, Any]
) -> None:
    rules, rng = Ruleset.of(preset, players, options), Random(7)
    made = invented(rules, rng)
    other = in_another_world(rules, made, rng)
    assert after(rules, other).deals[-1].hands != after(rules, made).deals[-1].hands
    seen = []
    for world in (made, other):
        [dealt, *_] = world
        heaps = [" ".join(card.code for card in heap) for heap in (*dealt.hands, dealt.kitty)]
        server = await open_table(open_server, preset, players, heaps, house=options, pace="none")
        seen.append(await play(server, rules, world))
        await server.env.shutdown()
    for mine, others in zip(*seen, strict=True):
        assert mine == others
