"""Settings from the environment and `.env`, read once."""

import ipaddress
import logging
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values

from bot.logs import Format


class ConfigError(Exception):
    """A setting is missing or wrong; the message is a sentence that names it."""


#: The most calls in any second. Discord allows 50, and bans addresses that exceed this too often.
CALLS_PER_SECOND = 45
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FORMATS = tuple(format.value for format in Format)
#: An IP address of this machine, and a port.
Address = tuple[str, int]
LOOPBACK = "127.0.0.1"
ENV_IS_OPEN = "Others on this machine can read .env and the token in it. Make it yours alone: chmod 600 .env"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; the repr leaves out the token, so that no log shows it."""

    token: str | None
    database: Path
    log_level: int
    log_format: Format
    local_port: int
    calls_per_second: int
    metrics: Address | None

    def __repr__(self) -> str:
        return f"Settings(database={str(self.database)!r})"

    @staticmethod
    def read(environment: Mapping[str, str] | None = None) -> "Settings":
        """Read the settings from this environment; by default `.env`, overridden by the process's own.

        ConfigError if a setting is invalid.
        """
        if environment is None:
            environment = {**_file(), **os.environ}
        level = environment.get("HEARTS_LOG_LEVEL", "").upper() or "INFO"
        if level not in LEVELS:
            raise ConfigError(f"HEARTS_LOG_LEVEL is {_cut(level)}: it must be one of {', '.join(LEVELS)}.")
        format = environment.get("HEARTS_LOG_FORMAT", "").lower() or Format.TEXT.value
        if format not in FORMATS:
            raise ConfigError(f"HEARTS_LOG_FORMAT is {_cut(format)}: it must be one of {', '.join(FORMATS)}.")
        return Settings(
            token=_token(environment.get("DISCORD_TOKEN", "").strip()),
            database=Path(environment.get("HEARTS_DATABASE", "") or "hearts.sqlite3"),
            log_level=logging.getLevelNamesMapping()[level],
            log_format=Format(format),
            local_port=_number(environment, "HEARTS_LOCAL_PORT", 8765, 0, 65535),
            calls_per_second=_number(environment, "HEARTS_CALLS_PER_SECOND", CALLS_PER_SECOND, 1, 10_000),
            metrics=_address(environment.get("HEARTS_METRICS", "").strip()),
        )


def _file() -> dict[str, str]:
    """The variables in `.env`."""
    try:
        # Editors on Windows may put a byte order mark first.
        variables = dotenv_values(".env", encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(".env is not UTF-8: save it as such.") from None
    except OSError as problem:
        raise ConfigError(f".env cannot be read: {problem.strerror}.") from None
    return {name: value or "" for name, value in variables.items()}


def is_file_open() -> bool:
    """Whether others on this machine can read `.env`, and so the token in it."""
    if sys.platform == "win32":  # where file modes mean nothing
        return False
    try:
        return bool(os.stat(".env").st_mode & 0o077)
    except OSError:
        return False


def _token(text: str) -> str | None:
    if not re.fullmatch("[!-~]*", text):
        # The text may contain the real token, so the message doesn't quote it.
        raise ConfigError("DISCORD_TOKEN isn't a token: it has a line break, a space or a foreign letter.")
    return text or None


def _number(environment: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environment.get(name, "") or str(default)
    if not re.fullmatch("[0-9]{1,5}", text) or not least <= int(text) <= most:
        raise ConfigError(f"{name} is {_cut(text)}: it must be a number from {least} to {most}.")
    return int(text)


def _address(text: str) -> Address | None:
    """Parse `9464` (this machine only), `0.0.0.0:9464` or `[::1]:9464`; None for empty text."""
    if not text:
        return None
    host, colon, port = text.rpartition(":")
    if not colon or host == "localhost":
        host = LOOPBACK
    v6 = re.fullmatch(r"\[(.*)\]", host)
    try:
        if not re.fullmatch("[0-9]{1,5}", port) or not 1 <= int(port) <= 65535:
            raise ValueError
        address = ipaddress.IPv6Address(v6[1]) if v6 else ipaddress.IPv4Address(host)
    except ValueError:
        raise ConfigError(
            f"HEARTS_METRICS is {_cut(text)}: it must be a port, such as 9464, "
            "or an IP address and a port, such as 0.0.0.0:9464 or [::1]:9464."
        ) from None
    return str(address), int(port)


def _cut(text: str) -> str:
    """A setting's quoted text for a sentence, cut to 60 characters."""
    return repr(text if len(text) <= 60 else f"{text[:60]}...")
