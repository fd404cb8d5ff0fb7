"""The log of `pbm serve` on standard error: lines of text or JSON, for people and for journald.

A record is one line, whatever a stranger has sent; only a traceback is more. In text, controls are
shown as numbers; JSON is ASCII. If standard error is the journal, each line begins with its
priority (sd-daemon(3)), and has no time and level.
"""

import io
import json
import logging
import os
import sys
from datetime import UTC, datetime
from typing import Any

from pbm.cli.printing import PrintableFormatter
from pbm.config import ConfigError

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FORMATS = ("text", "json")

_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_IN_JOURNAL = "%(name)s: %(message)s"

_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3}
"""Syslog's (RFC 5424, 6.2.1); a CRITICAL is 2."""


def log_to_stderr(level: str, form: str) -> None:
    """Write the log to standard error; raise ConfigError for an unknown level or format."""
    if level.upper() not in LEVELS:
        raise ConfigError("The log level is DEBUG, INFO, WARNING or ERROR.")
    if form not in FORMATS:
        raise ConfigError("The log format is text or json.")
    # No facts are collected that no line shows, which took a third of the time (Logging HOWTO,
    # "Optimization", which names _srcfile).
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # It repeats, once for each connection, that the database is away.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    logging.basicConfig(level=level.upper(), handlers=[_handler(form)])


def _handler(form: str) -> logging.Handler:
    journal = is_journal(sys.stderr, os.environ.get("JOURNAL_STREAM", ""))
    lines: logging.Formatter = JsonFormatter() if form == "json" else PrintableFormatter(_LINE)
    if journal and form == "text":
        lines = PrintableFormatter(_IN_JOURNAL)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PriorityFormatter(lines) if journal else lines)
    return handler


def is_journal(stream: Any, journal: str) -> bool:
    """Return whether `stream` is the `journal` that JOURNAL_STREAM names.

    A process of a service inherits the variable, but not always the stream (systemd.exec(5)).
    """
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError, io.UnsupportedOperation):
        return False
    return journal == f"{there.st_dev}:{there.st_ino}"


class PriorityFormatter(logging.Formatter):
    """Puts the priority in front of each line that another formatter makes."""

    def __init__(self, lines: logging.Formatter) -> None:
        super().__init__()
        self._lines = lines

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines."""
        mark = f"<{_PRIORITIES.get(record.levelno, 2)}>"
        return "\n".join(f"{mark}{line}" for line in self._lines.format(record).split("\n"))


_ENCODER = json.JSONEncoder(default=str)
"""One for all records, because json.dumps with a default makes one for each call."""


class JsonFormatter(logging.Formatter):
    """Formats a record as an object of JSON: time, level, logger, message, and its facts."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object on one line."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        # To JSON, DEL is a letter like any other.
        return _ENCODER.encode(fields).replace("\x7f", "\\u007f")
