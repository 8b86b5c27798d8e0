"""Settings from the environment and `.env`, read once."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values

from bot.logs import Format


class ConfigError(Exception):
    """A setting is missing or wrong: one sentence that names it."""


LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FORMATS = tuple(format.value for format in Format)


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set; the token is kept out of the repr, so that no log shows it."""

    token: str | None
    database: Path
    log_level: int
    log_format: Format
    local_port: int

    def __repr__(self) -> str:
        return f"Settings(database={str(self.database)!r})"

    @staticmethod
    def read(environment: Mapping[str, str] | None = None) -> Settings:
        """Settings from this environment, by default the process's own over `.env`.

        ConfigError if one is bad.
        """
        if environment is None:
            environment = {**{k: v or "" for k, v in dotenv_values(".env").items()}, **os.environ}
        level = environment.get("HEARTS_LOG_LEVEL", "").upper() or "INFO"
        if level not in LEVELS:
            raise ConfigError(f"HEARTS_LOG_LEVEL is {level!r}: it must be one of {', '.join(LEVELS)}.")
        format = environment.get("HEARTS_LOG_FORMAT", "").lower() or Format.TEXT.value
        if format not in FORMATS:
            raise ConfigError(f"HEARTS_LOG_FORMAT is {format!r}: it must be one of {', '.join(FORMATS)}.")
        return Settings(
            token=environment.get("DISCORD_TOKEN", "").strip() or None,
            database=Path(environment.get("HEARTS_DATABASE", "") or "hearts.sqlite3"),
            log_level=logging.getLevelNamesMapping()[level],
            log_format=Format(format),
            local_port=_port(environment.get("HEARTS_LOCAL_PORT", "") or "8765"),
        )


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise ConfigError(f"HEARTS_LOCAL_PORT is {text!r}: it must be a port number from 0 to 65535.")
    return int(text)
