"""Who has achieved something by the end of a game."""

from random import Random

import pytest
from acting import act

from engine.play.achievements import Part, in_game
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Achieved, Person, State, Table, Tables, changes

ANN = Person(1, "Ann")
SHORT = Ruleset.of("classic", 4, {"ends_at": 60})


async def played(database: Database, seed: int) -> Table:
    """A game of Ann's with computers, all of whom play by chance."""
    tables = Tables(database, rng=Random(seed), computer=lambda strength, manner: random_move)
    table = await tables.open(1, 1, ANN, SHORT)
    table, rng = await tables.change(table.id, changes.start, ANN.id), Random(seed)
    while table.is_live:
        table = await act(tables, table, rng)
    await tables.close()
    return table


def proved(table: Table) -> list[list[str]]:
    """What the moves of the game prove of each seat."""
    assert table.game is not None
    return [in_game(Part(table.game, seat)) for seat in range(4)]


async def test_what_somebody_has_achieved_is_told_once(database: Database) -> None:
    for told in ((Achieved(0, "moonbreaker"),), ()):
        table = await played(database, seed=3)
        assert proved(table) == [["moonbreaker"], [], [], []]
        assert table.achieved == told


@pytest.mark.parametrize(("seed", "by_computers"), [(5, "moon"), (19, "moonbreaker")])
async def test_computers_achieve_nothing(database: Database, seed: int, by_computers: str) -> None:
    table = await played(database, seed)
    assert any(by_computers in found for found in proved(table)[1:])
    assert table.state is State.OVER
    assert table.achieved == ()
