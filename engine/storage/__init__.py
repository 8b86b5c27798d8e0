"""SQLite: the only place with SQL."""

from engine.storage.database import Database
from engine.storage.standings import Kind, Line, Record
from engine.storage.tables import StoredTable

__all__ = ["Database", "Kind", "Line", "Record", "StoredTable"]
