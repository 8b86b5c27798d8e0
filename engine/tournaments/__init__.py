"""Tournament nights: several rounds at ordinary tables, scored against par."""

from engine.storage.tournaments import SeasonLine
from engine.tournaments.seating import sizes
from engine.tournaments.service import Provide, Tournaments, season_of
from engine.tournaments.standings import DealScore, Standing, standings
from engine.tournaments.tournament import (
    DEALS,
    MINUTES,
    MOST,
    PACES,
    REMINDS_BEFORE,
    ROUNDS,
    Entrant,
    PlayedDeal,
    Reason,
    Round,
    RoundTable,
    State,
    TableState,
    Terms,
    Tournament,
    usual_minutes,
)

__all__ = [
    "DEALS",
    "MINUTES",
    "MOST",
    "PACES",
    "REMINDS_BEFORE",
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
    "State",
    "TableState",
    "Terms",
    "Tournament",
    "Tournaments",
    "season_of",
    "sizes",
    "standings",
    "usual_minutes",
]
