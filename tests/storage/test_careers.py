"""One player's results: added up, apart from those alone with computers, and beside a rival's."""

import pytest
from storage.results import CHINESE, CLASSIC, finish

from engine.play.achievements import Career
from engine.storage.database import Database
from engine.storage.results import GameKind, achievements_of, career_of, note_achievements
from engine.storage.standings import Rivalry, Tally, kinds_played, rating_curve, rivalries, tally_of

GUILD, ANN, BO, CY = 1, 11, 12, 13


async def career(database: Database) -> Career:
    return await database.write(lambda connection: career_of(connection, GUILD, ANN))


async def test_a_career_counts_games_between_people_in_one_server(database: Database) -> None:
    assert await career(database) == Career(0, 0)
    for _ in range(3):
        await finish(database, (ANN, 1), (BO, 2), queens_given=2)
    await finish(database, (ANN, 1), queens_given=50)  # alone
    await finish(database, (ANN, 1), (BO, 2), guild=8, queens_given=50)
    await finish(database, (BO, 1), (CY, 2), queens_given=50)
    assert await career(database) == Career(3, 6)
    await finish(database, (BO, 1), (ANN, 2), kind=CHINESE)
    assert await career(database) == Career(0, 6)
    await finish(database, (ANN, 1), (BO, 2))
    assert await career(database) == Career(1, 6)


async def test_each_is_awarded_once_for_each_person_and_server(database: Database) -> None:
    await finish(database, (ANN, 1), (BO, 2))

    async def award(guild: int, person: int, *ids: str) -> list[str]:
        return await database.write(lambda connection: note_achievements(connection, 1, guild, person, ids))

    assert await award(GUILD, ANN, "moon", "sun") == ["moon", "sun"]
    assert await award(GUILD, ANN, "moon", "clean") == ["clean"]
    assert await award(GUILD, BO, "moon") == ["moon"]
    assert await award(8, ANN, "moon") == ["moon"]
    assert set(await achievements_of(database, GUILD, ANN)) == {"moon", "sun", "clean"}


async def tally(database: Database, kind: GameKind = CLASSIC, *, ranked: bool = True) -> Tally:
    """What Ann's games between people have come to, or those alone."""
    return await tally_of(database, GUILD, ANN, kind, ranked=ranked)


async def test_records_add_up_and_keep_games_alone_apart(database: Database) -> None:
    await finish(database, (ANN, 1), (BO, 2), moons=1, queens=2, queens_given=3, best=-26, worst=10)
    await finish(database, (ANN, 2), (BO, 1), queens_given=4, best=0, worst=26)
    await finish(database, (ANN, 1), moons=2, deals=8)
    await finish(database, (ANN, 1), (BO, 2), guild=8)
    await finish(database, (ANN, 1), (BO, 2), kind=CHINESE, best=180, worst=-40)
    await finish(database, (ANN, 1), (BO, 2), kind=CHINESE, best=50, worst=-300)
    figures = {"moons": 1, "queens": 2, "queens_given": 7}
    ranked = await tally(database)
    assert ranked == Tally(
        games=2, wins=1, streak=0, longest=1, points=30, deals=8, best=-26, worst=26, **figures
    )
    assert ranked.average == 3.75
    assert await tally(database, ranked=False) == Tally(1, 1, 1, 1, 10, 8, None, None, 2, 0, 0)
    assert await tally_of(database, GUILD, BO, CLASSIC, ranked=False) is None
    chinese = await tally(database, CHINESE)  # where the best deal is the highest
    assert (chinese.best, chinese.worst) == (180, -300)


@pytest.mark.parametrize(
    ("places", "streak", "longest"),
    [("1", 1, 1), ("2", 0, 0), ("111211", 2, 3), ("1112", 0, 3), ("2111", 3, 3), ("1x", 0, 1)],
)
async def test_a_streak_is_won_games_in_a_row_and_leaving_ends_it(
    database: Database, places: str, streak: int, longest: int
) -> None:
    for place in places:
        own = 1 if place == "1" else 2
        await finish(database, (ANN, own), (BO, 3 - own), gone=[ANN] if place == "x" else [])
        await finish(database, (ANN, 2))  # alone it is no part of it
        await finish(database, (ANN, 2), (BO, 1), kind=CHINESE)
    found = await tally(database)
    assert (found.streak, found.longest) == (streak, longest)


async def test_the_curve_is_that_of_the_ratings_and_a_long_one_keeps_its_ends(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def curve(person: int, games: int) -> dict[int, float]:
        return dict(await rating_curve(database, GUILD, person, CLASSIC, games))

    for _ in range(3):
        await finish(database, (ANN, 1), (BO, 2))
        await finish(database, (ANN, 1))
    ratings = await curve(ANN, 3)
    assert list(ratings) == [1, 2, 3]
    assert 1000 < ratings[1] < ratings[2] < ratings[3]
    assert (await curve(BO, 3))[3] < ratings[3]
    monkeypatch.setattr("engine.storage.standings.CURVE", 3)
    for _ in range(8):
        await finish(database, (ANN, 1), (BO, 2))
    assert list(await curve(ANN, 11)) == [1, 3, 6, 9, 11]


async def test_two_people_in_the_games_that_both_have_played(database: Database) -> None:
    await finish(database, (ANN, 1), (BO, 2), points=[10, 30])
    await finish(database, (BO, 1), (ANN, 2), (CY, 3), points=[5, 20, 50], deals=6)
    await finish(database, (ANN, 1), (BO, 1), points=[0, 0])
    await finish(database, (ANN, 1), (CY, 2))
    await finish(database, (ANN, 1), (BO, 2), guild=8)
    for one, other, points, others in ((ANN, BO, 30, 35), (BO, ANN, 35, 30)):
        found = await rivalries(database, GUILD, one, other)
        averages = {"average": points / 14, "rivals_average": others / 14}
        assert found == {CLASSIC: Rivalry(3, ahead=1, behind=1, **averages)}
        assert found[CLASSIC].level == 1


async def test_kinds_come_in_order_of_games_played_and_played_together(database: Database) -> None:
    await finish(database, (ANN, 1), (BO, 2))
    for _ in range(2):
        await finish(database, (ANN, 1), (CY, 2), kind=CHINESE)
    assert await kinds_played(database, GUILD, ANN) == [CHINESE, CLASSIC]
    assert list(await rivalries(database, GUILD, ANN, BO)) == [CLASSIC]
    for _ in range(2):
        await finish(database, (ANN, 1), (BO, 2), kind=CHINESE)
    assert list(await rivalries(database, GUILD, BO, ANN)) == [CHINESE, CLASSIC]
    assert await rivalries(database, GUILD, BO, CY) == {}
