"""What lasts a while is said when it begins and when it is over."""

import logging

import pytest

from pbm.watch.incidents import MOST_REASONS, SETTLED, Incident, lasted


class Seconds:
    """A clock that is turned by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_outage_of_several_stages_is_told_once_and_is_over_when_all_work(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Seconds()
    incident = Incident(
        logging.getLogger("pbm"), "away: %s", "back after %(lasted)s, %(times)d times", clock
    )
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


def test_another_reason_is_told_while_it_lasts_but_not_one_that_differs_by_a_number(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Seconds()
    incident = Incident(logging.getLogger("pbm"), "down: %s", "up", clock)
    for reason in (
        "refused",
        "451 try again in 20 s",
        "refused",
        "451 try again in 9 s",
        "expired",
    ):
        incident.begin("relay", reason)
        clock.now += SETTLED
    assert caplog.messages == ["down: refused", "down: 451 try again in 20 s", "down: expired"]
    for number in range(100):
        incident.begin("relay", "x" * number)
        clock.now += SETTLED
    assert len(caplog.messages) == MOST_REASONS
    incident.end("relay")
    incident.begin("relay", "refused")
    assert caplog.messages[-2:] == ["up", "down: refused"]


def test_a_reason_that_comes_soon_after_another_is_told_if_it_stays(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Seconds()
    incident = Incident(logging.getLogger("pbm"), "away: %s", "back", clock)
    incident.begin("play", "terminated by an administrator")
    incident.begin("intake", "connection refused")
    assert caplog.messages == ["away: terminated by an administrator"]
    clock.now += SETTLED
    incident.begin("intake", "connection refused")
    assert caplog.messages[1:] == ["away: connection refused"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "less than a second"), (59, "59 s"), (61, "1 min 1 s"), (3600, "1 h"),
        (90_061, "1 d 1 h"),
    ],
)  # fmt: skip
def test_how_long_it_lasted_is_told_in_two_units(seconds: float, words: str) -> None:
    assert lasted(seconds) == words
