"""Plays cards and deals without a click for each move, for tests of what comes after."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import TYPE_CHECKING

from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.moves import Declined, MoonChosen, Passed, Played, SeatMove
from engine.rules.options import MoonChoice
from engine.tables import Moment, State, Table, Tables, changes

if TYPE_CHECKING:
    from people import Player
    from server import Server

#: What a seat does in a game.
SeatMoves = Callable[[Game, int], SeatMove]


def first_move(game: Game, seat: int) -> SeatMove:
    """Pass the first cards, expose none, play the first that is legal, and let others pay for a moon."""
    deal = game.deals[-1]
    match deal.phase:
        case Phase.PASSING:
            return Passed(seat, deal.hands[seat][: deal.rules.pass_cards])
        case Phase.EXPOSING:
            return Declined(seat)
        case Phase.PLAYING:
            return Played(seat, deal.legal(seat)[0])
        case _:
            return MoonChosen(seat, MoonChoice.ADD)


async def deals_played(players: Sequence[Player], until: Callable[[], bool]) -> None:
    """Have these people play their games deal after deal, until this is true.

    They make the same moves as with `people.play_on`, which clicks each. What they see follows after a deal.
    """
    server, people = players[0].server, {player.id for player in players}
    tables = server.env.bot.tables
    while not until():
        playing = [table for table in tables.live if table.state is State.PLAYING]
        ids = [table.id for table in playing if people & {seat.person for seat in table.seats}]
        assert ids, "no game goes on"
        with server.env._bot_scope():
            for id in ids:
                await _play_a_deal(tables, id, people)
        await server.settle()


async def to_next_deal(server: Server, *players: Player) -> None:
    """Have these people play on until the deal after this one is dealt."""
    number = sum(post.says("After deal") for post in server.posts())
    await deals_played(players, lambda: sum(post.says("After deal") for post in server.posts()) > number)


async def _play_a_deal(tables: Tables, id: int, people: Set[int]) -> None:
    table = tables.get(id)
    done = len(table.game.points)
    while table.state is State.PLAYING and table.game and len(table.game.points) == done:
        table = await move_once(tables, table, people=people)


async def moves_made(server: Server, count: int, move: SeatMoves = first_move) -> None:
    """Have the people at the only table make this many moves, by default as with `deals_played`."""
    [table] = server.env.bot.tables.live
    with server.env._bot_scope():
        for _ in range(count):
            table = await move_once(server.env.bot.tables, table, move)
    await server.settle()


async def all_pass(server: Server) -> None:
    """Have everyone at the only table pass their first cards."""
    await moves_made(server, sum(seat.person is not None for seat in server.env.bot.tables.live[0].seats))


async def cards_played(server: Server, *tricks: str) -> None:
    """Play these cards at the only table, each by the player whose turn it is."""
    codes = iter(" ".join(tricks).split())

    def next_card(game: Game, seat: int) -> Played:
        return Played(seat, game.rules.pack.faces[next(codes)])

    await moves_made(server, len(" ".join(tricks).split()), next_card)


async def move_once(
    tables: Tables, table: Table, choose: SeatMoves = first_move, people: Set[int] | None = None
) -> Table:
    """Make a move for the first of these people, by default of all, for whom the table waits."""
    awaited = (one for one in table.awaited if people is None or table.seats[one].person in people)
    seat = next(awaited, None)
    assert seat is not None, "it is someone else's turn"
    person, move = table.seats[seat].person, choose(table.game, seat)
    return await tables.change(table.id, changes.act, person, lambda _: move, Moment.of(table.game))
