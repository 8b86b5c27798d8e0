"""Tables: their seats and games, and the service through which everything about them changes."""

from engine.tables.daily import DailyDeals
from engine.tables.forgetting import Forgetting, Forgotten
from engine.tables.live import LONGEST_ROUND
from engine.tables.plan import Plan
from engine.tables.preferences import NO_PREFERENCE, Calls, Forced, Preference, Preferences
from engine.tables.replays import Replays
from engine.tables.seats import FormerOccupant, Invitation, Seat, SeatClaim, Seats, Way
from engine.tables.service import Tables
from engine.tables.store import Damaged
from engine.tables.table import (
    Achieved,
    DailyGame,
    Hint,
    Hints,
    Moment,
    Notice,
    NoticeKind,
    Pace,
    Person,
    PublicTable,
    State,
    Table,
    TableInfo,
    TournamentGame,
    Vote,
    VoteOutcome,
)
from engine.tables.teaching import Advisor, Review, Teacher

__all__ = [
    "LONGEST_ROUND",
    "NO_PREFERENCE",
    "Achieved",
    "Advisor",
    "Calls",
    "DailyDeals",
    "DailyGame",
    "Damaged",
    "Forced",
    "Forgetting",
    "Forgotten",
    "FormerOccupant",
    "Hint",
    "Hints",
    "Invitation",
    "Moment",
    "Notice",
    "NoticeKind",
    "Pace",
    "Person",
    "Plan",
    "Preference",
    "Preferences",
    "PublicTable",
    "Replays",
    "Review",
    "Seat",
    "SeatClaim",
    "Seats",
    "State",
    "Table",
    "TableInfo",
    "Tables",
    "Teacher",
    "TournamentGame",
    "Vote",
    "VoteOutcome",
    "Way",
]
