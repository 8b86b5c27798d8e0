"""One player's statistics, from the database to the message."""

from __future__ import annotations

from bot.messages import Whisper
from bot.render import careers as shown
from bot.render.careers import Subject
from engine.ratings import SHOWN_FROM
from engine.storage.database import Database
from engine.storage.results import Kind, achievements_of
from engine.storage.standings import kinds_played, rating_curve, rivalries, tally_of
from engine.tables import Person


async def stats(
    database: Database, guild: int, of: Person, kind: Kind | None = None, *, asker: int
) -> Whisper:
    """What this person did in this server, in the game that they played most unless one is named."""
    kinds = await kinds_played(database, guild, of.id)
    if not kinds:
        return shown.nothing_yet(of.name, is_own=of.id == asker)
    subject = Subject(of.id, of.name, kinds, kind if kind in kinds else kinds[0])
    ranked = await tally_of(database, guild, of.id, subject.kind, ranked=True)
    alone = await tally_of(database, guild, of.id, subject.kind, ranked=False)
    curve: list[tuple[int, int]] = []
    if ranked and ranked.games >= SHOWN_FROM:
        curve = await rating_curve(database, guild, of.id, subject.kind, ranked.games)
    achieved = await achievements_of(database, guild, of.id)
    return shown.stats(subject, ranked, alone, curve, achieved)


async def rivals(
    database: Database, guild: int, of: Person, rival: Person, kind: Kind | None = None
) -> Whisper:
    """How these two did in the games that both have played, of the kind that they played most."""
    found = await rivalries(database, guild, of.id, rival.id)
    if not found:
        return shown.never_met(of.name, rival.name)
    subject = Subject(of.id, of.name, list(found), kind if kind in found else next(iter(found)))
    return shown.rivals(subject, rival.id, rival.name, found[subject.kind])
