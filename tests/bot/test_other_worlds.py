"""A game in two worlds: cards that a player cannot know lie elsewhere, and they are told the same in both.

What is played is the same, and legal, in both. Pictures are words here; equal scenes make equal pictures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from by_chance import moves
from games import NAMES, arranged, change_rules
from people import Player, label_of
from server import Server

from engine.cards import Card, Hand
from engine.errors import Refusal
from engine.play.game import Game
from engine.play.moves import Dealt, Declined, Exposed, Move, Passed, Played
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("wikibooks", 3, {"remainder": "kitty", "kitty": "one-per-trick"}),
    ("double-deck", 6, {"duplicates": "cancel", "kitty": "one-per-trick", "spot_hearts": True}),
    ("chinese", 4, {}),
]
#: Half a deal of 52 cards.
CARDS_PLAYED = 26
#: Who may not know the difference: Ann, who plays, and the last, who looks on.
VIEWER = 0
SEAL_OR_ID = re.compile(r"🔒 Seal \|\|[0-9a-f]{30}\|\||\b\d{17,20}\b")
COMMANDS = ("hand", "scores", "rules", "replay", "record")
CONTROLS = (
    "hand:1",
    "luck:1",
    "watch:1",
    "look:1:1",
    "check:1:1",
    "review:1:1",
    "step:1:0:1:5",
    "hint:1:1:{trick}",
)


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


async def act(server: Server, player: Player, move: Move) -> None:
    """Make this move with the hand that this person sees."""
    match move:
        case Passed(_, cards):
            await player.pass_cards(" ".join(card.code for card in cards))
        case Exposed(_, card):
            await player.click(f"Expose {label_of(card.code)}", player.hand)
            await player.click("Yes, expose", player.hand)
        case Declined():
            assert player.hand.decline is not None
            await player.click(player.hand.decline, player.hand)
        case Played(_, card):
            await player.play(card.code)


async def seen_by(server: Server, players: Sequence[Player], trick: int) -> list[str]:
    """What these people are told, whatever they ask, be it by a client of their own making."""
    told: list[Any] = []
    for player in players:
        told += [(await player.run(f"hearts {command}")).told for command in COMMANDS]
        told.append((await player.export_data()).file)
        for message in (
            server.post("Deal 1"),
            next(one for one in reversed(player.sees()) if one.is_private),
        ):
            for control in CONTROLS:
                answer = player.forge(f"hearts:{control.format(trick=trick)}", message)
                await server.settle()
                told.append(answer.told)
    return [SEAL_OR_ID.sub("", str(one)) for one in told]


async def play(server: Server, rules: Ruleset, options: dict[str, Any], made: Sequence[Move]) -> list[str]:
    """All that the viewer and who looks on have seen, after each move, and what they are told at the end."""
    *people, onlooker = server.people
    viewers = (people[VIEWER], onlooker)
    host = await server.seat(*people, game=rules.preset.name, players=rules.players, pace="none")
    await change_rules(
        host, **{name: value if value is True else str(value) for name, value in options.items()}
    )
    await host.click("Start")
    seen = []
    for move in made[1:]:
        assert not isinstance(move, Dealt)
        await act(server, people[move.seat], move)
        now = [[one.components for one in (*player.sees(), *player.dms())] for player in viewers]
        seen.append(SEAL_OR_ID.sub("", str(now)))
    return seen + await seen_by(server, viewers, len(after(rules, made).deals[-1].tricks))


@pytest.mark.parametrize(("preset", "players", "options"), GAMES)
async def test_what_one_player_sees_is_the_same_whatever_they_cannot_know(
    open_server: Any, preset: str, players: int, options: dict[str, Any]
) -> None:
    rules, rng = Ruleset.of(preset, players, options), Random(7)
    made = invented(rules, rng)
    other = in_another_world(rules, made, rng)
    assert after(rules, other).deals[-1].hands != after(rules, made).deals[-1].hands
    seen = []
    for world in (made, other):
        [dealt, *_] = world
        assert isinstance(dealt, Dealt)
        heaps = [" ".join(card.code for card in heap) for heap in (*dealt.hands, dealt.kitty)]
        server = await open_server(arranged(rules, heaps), names=(*NAMES[:players], "Zoe"))
        seen.append(await play(server, rules, options, world))
        await server.env.shutdown()
    for mine, others in zip(*seen, strict=True):
        assert mine == others
