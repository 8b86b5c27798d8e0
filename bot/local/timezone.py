"""This machine's time zone by its name, which Python does not tell."""

from __future__ import annotations

import os
from pathlib import Path
from zoneinfo import ZoneInfo


def timezone() -> str:
    """As `TZ` or the system's own link names it, else UTC."""
    link = str(Path("/etc/localtime").resolve()).partition("zoneinfo/")[2]
    for name in (os.environ.get("TZ", ""), link):
        try:
            return ZoneInfo(name).key
        except (ValueError, OSError, LookupError):
            continue
    return "UTC"
