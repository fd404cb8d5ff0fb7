"""The log of a flood is no flood, and its lines say what was left out."""

import io
import json
import logging
from collections import Counter

import pytest

from pbm.cli.log import (
    A_SECOND,
    ALIKE,
    BURST,
    SPAN,
    JsonFormatter,
    ModeratedHandler,
    PriorityFormatter,
)
from pbm.cli.printing import PrintableFormatter


def record(message: str, level: int, at: float) -> logging.LogRecord:
    line = logging.LogRecord("pbm.intake", level, "", 0, message, (), None)
    line.created = at
    return line


def written(*records: logging.LogRecord) -> list[str]:
    """Return the lines that a handler writes of these records, to its end."""
    stream = io.StringIO()
    handler = ModeratedHandler(stream)
    handler.setFormatter(PrintableFormatter("%(levelname)s %(message)s"))
    for each in records:
        handler.emit(each)
    handler.close()
    return stream.getvalue().splitlines()


def test_a_flood_of_mails_is_counted_beyond_a_measure_and_warnings_among_them_are_written() -> None:
    flood = [record("taken", logging.INFO, n / 1000) for n in range(30_000)]
    lines = written(
        *flood[:20_000], record("the disk is full", logging.WARNING, 20.0), *flood[20_000:]
    )
    kinds = Counter(lines)
    assert kinds["WARNING the disk is full"] == 1
    assert BURST <= kinds["INFO taken"] <= BURST + 30 * A_SECOND + 1
    left_out = 30_000 - kinds["INFO taken"]
    assert lines[-1] == f"WARNING {left_out} lines of pbm.intake INFO were too many to write"


def test_the_same_warning_is_written_a_few_times_a_minute() -> None:
    lines = written(*(record("a fault", logging.ERROR, n * SPAN / 100) for n in range(200)))
    assert lines[:ALIKE] == ["ERROR a fault"] * ALIKE
    assert lines[ALIKE] == f"WARNING {100 - ALIKE} lines of pbm.intake ERROR were too many to write"
    assert lines.count("ERROR a fault") == 2 * ALIKE


def test_an_ordinary_day_is_written_whole() -> None:
    lines = written(*(record("taken", logging.INFO, n / A_SECOND) for n in range(10_000)))
    assert lines == ["INFO taken"] * 10_000


def failed() -> logging.LogRecord:
    """Return the record of a bug."""
    try:
        int("nothing")
    except ValueError as error:
        bug = (type(error), error, error.__traceback__)
        return logging.LogRecord("pbm", logging.ERROR, "", 0, "it failed\nERROR forged", (), bug)
    raise AssertionError


def test_each_line_of_a_traceback_has_the_priority_in_the_journal() -> None:
    lines = PriorityFormatter(PrintableFormatter("%(message)s")).format(failed()).split("\n")
    assert lines[0] == r"<3>it failed\nERROR forged"
    assert all(line.startswith("<3>") for line in lines)
    assert lines[-1] == "<3>ValueError: invalid literal for int() with base 10: 'nothing'"


@pytest.mark.parametrize("text", ["\x1b[2J", "a\r\nb", "\x7f\u202e\u2028"])
def test_a_record_is_one_line_of_ascii_in_json(text: str) -> None:
    line = failed()
    line.msg = text
    line.__dict__["facts"] = {"event": "taken", "message_id": text}
    told = JsonFormatter().format(line)
    assert told.isascii()
    assert told.isprintable()
    assert json.loads(told)["message_id"] == text
    assert "ValueError" in json.loads(told)["exception"]
