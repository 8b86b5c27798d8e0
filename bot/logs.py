"""How the log is written: for people or for machines, never with a secret in it or with who somebody is."""

from __future__ import annotations

import json
import logging
import re
import secrets
from datetime import UTC, datetime
from enum import Enum
from hashlib import blake2b

#: Stands where a secret stood.
MASK = "***"
#: The secret in the address of an answer to a click: whoever has it can answer for us for 15 minutes.
ANSWER = re.compile(r"(?<=/)((?:webhooks|interactions)/\d+)/[\w-]{20,}")
#: An id of Discord's, which may be a person's or that of their DM: only a server's places are named in full.
AN_ID = re.compile(r"(?<![0-9])(?<![0-9]\.)(?<!channel )(?<!server )[0-9]{17,20}(?![0-9])")
#: Of this process alone, so that nobody can find out who a pseudonym stood for once it has ended.
_KEY = secrets.token_bytes(16)


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
    """Masks secrets and ids in whatever another formatter has written, tracebacks included.

    An id becomes a pseudonym such as `~5f3a9c01`, the same wherever it stands until the process ends.
    """

    def __init__(self, formatter: logging.Formatter, token: str | None) -> None:
        super().__init__()
        self._formatter = formatter
        # Within JSON a token may look different, though no real one does.
        self._secrets = {token, json.dumps(token)[1:-1]} if token else set()

    def format(self, record: logging.LogRecord) -> str:
        """The line for this record, without secrets and ids."""
        line = self._formatter.format(record)
        for secret in self._secrets:
            line = line.replace(secret, MASK)
        return AN_ID.sub(_pseudonym, ANSWER.sub(rf"\1/{MASK}", line))


def _pseudonym(id: re.Match[str]) -> str:
    return f"~{blake2b(id[0].encode(), key=_KEY, digest_size=4).hexdigest()}"


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
