"""Tables: who sits where, what is played, and the service through which all of it changes."""

from engine.storage.seats import Departed
from engine.tables.daily import DailyDeals
from engine.tables.forgetting import Forgetting, Forgotten
from engine.tables.hints import Hint, Hints
from engine.tables.info import Achieved, DailyGame, Person, PublicTable, State, TableInfo
from engine.tables.notices import Notice, NoticeKind
from engine.tables.pace import Pace
from engine.tables.preferences import Calls, Forced, Preference, Preferences
from engine.tables.replays import Replays
from engine.tables.seats import Seat, Seats
from engine.tables.service import Tables
from engine.tables.store import Damaged
from engine.tables.table import Moment, Table
from engine.tables.teaching import Advisor, Review, Teacher
from engine.tables.thoughts import LONGEST_ROUND
from engine.tables.votes import Motion, Outcome, Vote

__all__ = [
    "LONGEST_ROUND",
    "Achieved",
    "Advisor",
    "Calls",
    "DailyDeals",
    "DailyGame",
    "Damaged",
    "Departed",
    "Forced",
    "Forgetting",
    "Forgotten",
    "Hint",
    "Hints",
    "Moment",
    "Motion",
    "Notice",
    "NoticeKind",
    "Outcome",
    "Pace",
    "Person",
    "Preference",
    "Preferences",
    "PublicTable",
    "Replays",
    "Review",
    "Seat",
    "Seats",
    "State",
    "Table",
    "TableInfo",
    "Tables",
    "Teacher",
    "Vote",
]
