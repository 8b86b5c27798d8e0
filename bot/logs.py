"""The log's format: for people or for machines, without secrets or anything that identifies a person."""

import json
import logging
import re
import secrets
from datetime import UTC, datetime
from enum import Enum
from hashlib import blake2b

#: The text that replaces secrets.
MASK = "***"
#: An interaction's token in a URL, with which anyone could answer in our name for 15 minutes.
ANSWER = re.compile(r"(?<=/)((?:webhooks|interactions)/\d+)/[\w-]{20,}")
#: A Discord id, which may be a person's or their DM channel's; only ids of servers and their channels stay.
AN_ID = re.compile(r"(?<![0-9])(?<![0-9]\.)(?<!channel )(?<!server )[0-9]{17,20}(?![0-9])")
#: Random for each process, so that pseudonyms can't be traced back once it has ended.
_KEY = secrets.token_bytes(16)


class Format(Enum):
    """The format of log lines."""

    TEXT = "text"
    JSON = "json"


class JsonFormatter(logging.Formatter):
    """One object per line: time, level, logger, message and, if there is one, the error's traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Format this record as a line of JSON."""
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
    """Masks secrets and ids in another formatter's output, tracebacks included.

    An id becomes a pseudonym such as `~5f3a9c01`, the same everywhere until the process ends.
    """

    def __init__(self, formatter: logging.Formatter, token: str | None) -> None:
        super().__init__()
        self._formatter = formatter
        # JSON might escape a token, though no real one needs that.
        self._secrets = {token, json.dumps(token)[1:-1]} if token else set()

    def format(self, record: logging.LogRecord) -> str:
        """Format this record, with secrets and ids masked."""
        line = self._formatter.format(record)
        for secret in self._secrets:
            line = line.replace(secret, MASK)
        return AN_ID.sub(_pseudonym, ANSWER.sub(rf"\1/{MASK}", line))


def _pseudonym(id: re.Match[str]) -> str:
    return f"~{blake2b(id[0].encode(), key=_KEY, digest_size=4).hexdigest()}"


def set_up(level: int, format: Format, token: str | None) -> None:
    """Log to standard error at this level and above, with the token masked."""
    from discord.utils import setup_logging  # slow to import, and not needed for other commands

    handler = logging.StreamHandler()
    if format is Format.JSON:
        setup_logging(handler=handler, formatter=JsonFormatter(), level=level)
    else:
        setup_logging(handler=handler, level=level)
    # At DEBUG these log names, hidden cards and clicks' tokens.
    for name in ("aiosqlite", "discord.http", "discord.gateway", "discord.webhook"):
        logging.getLogger(name).setLevel(max(level, logging.INFO))
    assert handler.formatter is not None
    handler.setFormatter(Masked(handler.formatter, token))
