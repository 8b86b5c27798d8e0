"""What a replay says at each step of a deal, without Discord."""

from __future__ import annotations

import pytest
from by_chance import played
from games import NAMES

from bot.replays.replay import ReplayPosition, replay
from engine.play import steps
from engine.play.deal import Deal
from engine.play.game import Game
from engine.tables import Seat, Seats, State, Table

SETTLED = "From here on no points are left in this deal."
CLAIMED = "takes every trick, whatever is played."


def told(game: Game, deal: Deal, step: int) -> str:
    """All that is said at this step."""
    seats = Seats(Seat(number + 1, NAMES[number]) for number in range(game.rules.players))
    table = Table(
        id=1, guild=1, channel=2, host=1, rules=game.rules, state=State.OVER, seats=seats, game=game
    )
    shown = replay(table, ReplayPosition(1, deal=deal.number, step=step))
    return "\n".join(part for part in shown.parts if isinstance(part, str))


@pytest.mark.parametrize(("preset", "players"), [("classic", 4), ("wikibooks", 3), ("chinese", 4)])
def test_it_says_once_when_no_points_are_left(preset: str, players: int) -> None:
    game = played(preset, players, deals=4)
    assert any(deal.settled_after for deal in game.deals)
    for deal in game.deals:
        said = [step for step in range(steps.count(deal)) if SETTLED in told(game, deal, step)]
        before_play = steps.count(deal) - 2 - players * deal.rules.pack.hand_size
        after = deal.settled_after
        assert said == ([] if after is None else [before_play + players * after])


def test_it_says_once_who_has_the_rest() -> None:
    game = played("classic", 4, deals=40)
    deal = next(deal for deal in game.deals if deal.claimed_after is not None)
    assert deal.claimed_after is not None
    [step] = [step for step in range(steps.count(deal)) if CLAIMED in told(game, deal, step)]
    leader = deal.tricks[deal.claimed_after].trick.leader
    assert f"From here on **{NAMES[leader]}** {CLAIMED}" in told(game, deal, step)
    assert told(game, deal, step + 1).startswith(f"**{NAMES[leader]}** leads")


def test_it_says_who_leads_who_plays_and_who_takes_the_trick() -> None:
    game = played("classic", 4)
    deal = game.deals[0]
    first = deal.tricks[0]
    lines = [told(game, deal, 2 + card).split("\n")[0] for card in range(4)]
    laid = [(NAMES[seat], card.symbol) for seat, card in first.trick.laid(4)]
    assert lines[:3] == [
        f"**{name}** {'plays' if card else 'leads'} `{symbol}`."
        for card, (name, symbol) in enumerate(laid[:3])
    ]
    assert first.winner is not None
    assert lines[3].startswith(f"**{NAMES[first.winner]}** takes it: ")
