"""What clicks and commands are handed."""

from __future__ import annotations

from dataclasses import dataclass

from bot.announcer import Announcer
from bot.delivery import Delivery
from bot.limits import Limits
from bot.mornings import Mornings
from engine.loading import Load
from engine.storage.database import Database
from engine.tables import DailyDeals, Forgetting, Replays, Tables, Teacher


@dataclass(frozen=True, slots=True)
class Services:
    """The tables, and the ways to show and keep what becomes of them."""

    tables: Tables
    teacher: Teacher
    replays: Replays
    daily: DailyDeals
    mornings: Mornings
    forgetting: Forgetting
    announcer: Announcer
    delivery: Delivery
    database: Database
    load: Load
    limits: Limits
