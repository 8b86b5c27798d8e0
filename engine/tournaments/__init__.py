"""Tournament nights: several rounds at ordinary tables, scored against par."""

from engine.storage.tournaments import SeasonLine
from engine.tournaments.changes import check_is_live, check_may_decide
from engine.tournaments.seating import sizes
from engine.tournaments.service import Provide, Tournaments
from engine.tournaments.standings import DealScore, Standing, standings
from engine.tournaments.store import season_of
from engine.tournaments.tournament import (
    DEALS,
    MINUTES,
    MOST_PEOPLE,
    PACES,
    ROUNDS,
    Entrant,
    PlayedDeal,
    Reason,
    Round,
    RoundTable,
    TableState,
    Terms,
    Tournament,
    TournamentState,
    usual_minutes,
)

__all__ = [
    "DEALS",
    "MINUTES",
    "MOST_PEOPLE",
    "PACES",
    "ROUNDS",
    "DealScore",
    "Entrant",
    "PlayedDeal",
    "Provide",
    "Reason",
    "Round",
    "RoundTable",
    "SeasonLine",
    "Standing",
    "TableState",
    "Terms",
    "Tournament",
    "TournamentState",
    "Tournaments",
    "check_is_live",
    "check_may_decide",
    "season_of",
    "sizes",
    "standings",
    "usual_minutes",
]
