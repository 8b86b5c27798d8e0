"""How the log is written: for people or for machines, and never with a secret in it."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from enum import Enum

#: Stands where a secret stood.
MASK = "***"
#: The secret in the address of an answer to a click: whoever has it can answer for us for 15 minutes.
ANSWER = re.compile(r"(?<=/)((?:webhooks|interactions)/\d+)/[\w-]{20,}")


class Format(Enum):
    """What a line of the log looks like."""

    TEXT = "text"
    JSON = "json"


class JsonFormatter(logging.Formatter):
    """An object a line: time, level, logger, message and, if there is one, the error with its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for this record."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        if record.stack_info:
            line["stack"] = self.formatStack(record.stack_info)
        return json.dumps(line, ensure_ascii=False)


class Masked(logging.Formatter):
    """Masks secrets in whatever another formatter has written, tracebacks included."""

    def __init__(self, formatter: logging.Formatter, token: str | None) -> None:
        super().__init__()
        self._formatter = formatter
        # Within JSON a token may look different, though no real one does.
        self._secrets = {token, json.dumps(token)[1:-1]} if token else set()

    def format(self, record: logging.LogRecord) -> str:
        """The line for this record, without secrets."""
        line = self._formatter.format(record)
        for secret in self._secrets:
            line = line.replace(secret, MASK)
        return ANSWER.sub(rf"\1/{MASK}", line)


def set_up(level: int, format: Format, token: str | None) -> None:
    """Write the log to standard error, from this level on."""
    from discord.utils import setup_logging  # not for who only reads settings: the library takes a while

    handler = logging.StreamHandler()
    if format is Format.JSON:
        setup_logging(handler=handler, formatter=JsonFormatter(), level=level)
    else:
        setup_logging(handler=handler, level=level)
    # At DEBUG these tell names, hidden cards and the tokens of clicks.
    for name in ("aiosqlite", "discord.http", "discord.gateway", "discord.webhook"):
        logging.getLogger(name).setLevel(max(level, logging.INFO))
    assert handler.formatter is not None
    handler.setFormatter(Masked(handler.formatter, token))
