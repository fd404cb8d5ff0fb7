"""The log: its lines are harmless, and what lasts is told once."""

import json
import logging
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from pbm.cli.log import JsonFormatter, PriorityFormatter
from pbm.cli.printing import PrintableFormatter
from pbm.server.watch.incidents import MOST_REASONS, SETTLED, Incident, lasted
from pbm.server.watch.traces import LogObserver
from tests.doors import Handed, Handover
from tests.readings import answers

ATTACK = "\x1b]0;x\x07\x9b2J\u202e\x7f\nroot: all is well"


def record(message: str) -> logging.LogRecord:
    return logging.LogRecord("pbm.intake", logging.INFO, "", 0, message, (), None)


def failed(message: str) -> logging.LogRecord:
    """Return the record of a bug."""
    with pytest.raises(ZeroDivisionError) as raised:
        _ = 1 / 0
    bug = (ValueError, ValueError(ATTACK), raised.tb)
    return logging.LogRecord("pbm", logging.ERROR, "", 0, message, (), bug)


# ---- what a line may hold


def test_a_record_is_one_line_whatever_it_says_and_a_traceback_keeps_its_lines_alone() -> None:
    formatter = PrintableFormatter("%(levelname)s %(name)s: %(message)s")
    shown = r"\x1b]0;x\x07\x9b2J\u202e\x7f\nroot: all is well"
    assert formatter.format(record(ATTACK)) == f"INFO pbm.intake: {shown}"
    lines = formatter.format(failed("x")).split("\n")
    assert any(line.startswith(r"ValueError: \x1b]0;x\x07") for line in lines)
    assert all(line.isprintable() for line in lines)


def test_each_line_of_a_traceback_has_the_priority_in_the_journal() -> None:
    formatter = PriorityFormatter(PrintableFormatter("%(message)s"))
    lines = formatter.format(failed("it failed\nERROR forged")).split("\n")
    assert lines[0] == r"<3>it failed\nERROR forged"
    assert all(line.startswith("<3>") for line in lines)
    assert any(line.startswith("<3>ValueError: ") for line in lines)


@pytest.mark.parametrize("text", ["\x1b[2J", "a\r\nb", "\x7f\u202e\u2028"])
def test_a_record_is_one_line_of_ascii_in_json(text: str) -> None:
    line = failed(text)
    line.__dict__["facts"] = {"event": "taken", "message_id": text}
    told = JsonFormatter().format(line)
    assert told.isascii()
    assert told.isprintable()
    assert json.loads(told)["message_id"] == text
    assert "ValueError" in json.loads(told)["exception"]


def test_the_log_can_say_that_no_file_can_be_opened() -> None:
    words = """
import resource
from pbm.cli.printing import printable
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
print(printable("accept: out of files\\n", kept=""))
"""
    told = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert told.stdout == "accept: out of files\\n\n"


# ---- what lasts


class Seconds:
    """A clock that is turned by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
def incident(clock: Seconds) -> Incident:
    ends = "back after %(lasted)s, %(times)d times"
    return Incident(logging.getLogger("pbm"), "away: %s", ends, clock)


def test_an_outage_of_several_stages_is_told_once_and_is_over_when_all_work(
    incident: Incident, clock: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    incident.end("play")
    incident.begin("play", "its disk is full")
    for _ in range(1000):
        incident.begin("deliver", "its disk is full")
    clock.now += 3 * 3600 + 25 * 60 + 7
    incident.end("play")
    incident.end("play")
    assert caplog.messages == ["away: its disk is full"]
    incident.end("deliver")
    assert caplog.messages[1:] == ["back after 3 h 25 min, 1001 times"]
    incident.begin("play", "it is locked")
    assert caplog.messages[2:] == ["away: it is locked"]


def test_a_state_that_comes_and_goes_is_one_until_it_has_settled(
    clock: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    incident = Incident(logging.getLogger("pbm"), "away: %s", "back, %(times)d times", clock, 60.0)
    for _ in range(3):
        incident.begin("intake", "its disk is full")
        clock.now += 59
        incident.end("intake")
    assert caplog.messages == ["away: its disk is full"]
    clock.now += 1
    incident.end("intake")
    assert caplog.messages[1:] == ["back, 3 times"]


def test_another_reason_is_told_while_it_lasts_but_not_one_that_differs_by_a_number(
    incident: Incident, clock: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    for reason in ("refused", "451 again in 20 s", "refused", "451 again in 9 s", "expired"):
        incident.begin("relay", reason)
        clock.now += SETTLED
    assert caplog.messages == ["away: refused", "away: 451 again in 20 s", "away: expired"]
    for number in range(100):
        incident.begin("relay", "x" * number)
        clock.now += SETTLED
    assert len(caplog.messages) == MOST_REASONS
    incident.end("relay")
    incident.begin("relay", "refused")
    assert caplog.messages[-1:] == ["away: refused"]


def test_a_reason_that_comes_soon_after_another_is_told_if_it_stays(
    incident: Incident, clock: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    incident.begin("play", "terminated by an administrator")
    incident.begin("intake", "connection refused")
    assert caplog.messages == ["away: terminated by an administrator"]
    clock.now += SETTLED
    incident.begin("intake", "connection refused")
    assert caplog.messages[1:] == ["away: connection refused"]


LASTED = """
0.2   -> less than a second
59    -> 59 s
61    -> 1 min 1 s
3600  -> 1 h
90061 -> 1 d 1 h
"""


def test_how_long_it_lasted_is_told_in_two_units() -> None:
    assert answers(LASTED, lambda seconds: lasted(float(seconds))) == LASTED


TRIED, SOON = (datetime(2026, 11, 22, 3, minute, tzinfo=UTC) for minute in (14, 29))
REFUSED = "The relay cannot be used: Connection refused."


def handed(number: int, fate: Handover, words: str) -> Handed:
    due = SOON if fate in {Handover.DEFERRED, Handover.RELAY_DOWN} else None
    to, message_id = "bob+pbm@example.org", f"<{number}@games.example.org>"
    return Handed(number, 12, to, message_id, fate, words, 1, 0.5, TRIED, 31.4, due)


def test_an_outage_of_the_relay_is_one_warning_and_one_line_a_batch_until_it_works(
    clock: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    observer = LogObserver(clock)
    for batch in (0, 100):
        observer.handed([handed(batch + n, Handover.RELAY_DOWN, REFUSED) for n in range(100)])
    clock.now += 15 * 60
    observer.handed([handed(1, Handover.SENT, "250 Ok")])
    waiting = "waiting for the relay, again at 2026-11-22 03:29 UTC"
    assert caplog.messages == [
        f"the relay is down: {REFUSED}",
        f"out:0, out:1, out:2, out:3, out:4 and 95 more: {waiting}",
        f"out:100, out:101, out:102, out:103, out:104 and 95 more: {waiting}",
        "the relay works again; it was down for 15 min",
        "out:1 sent to bob+***@example.org, for in:12: 250 Ok, <1@games.example.org>",
    ]


def test_a_mail_that_is_put_off_or_given_up_has_a_line_with_the_words_of_the_relay(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    grey, gone = ("The relay answered 451 4.7.1 Greylisted", "The relay answered 550 5.1.1 Unknown")
    mails = [handed(1, Handover.DEFERRED, grey), handed(2, Handover.GIVEN_UP, gone)]
    LogObserver(float).handed(mails)
    to = "to bob+***@example.org, for in:12"
    tried, again = "tried at 2026-11-22 03:14 UTC for 31 s", "again at 2026-11-22 03:29 UTC"
    deferred = f"out:1 deferred {to}: {grey}, {tried}, {again}, <1@games.example.org>"
    given_up = f"out:2 given-up {to}: {gone}, {tried}, <2@games.example.org>"
    assert caplog.record_tuples == [
        ("pbm.deliver", logging.INFO, deferred),
        ("pbm.deliver", logging.WARNING, given_up),
    ]
