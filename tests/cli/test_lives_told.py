"""What the log says of mails that were handed to the relay."""

import logging
from datetime import UTC, datetime

import pytest

from pbm.service.ports.witness import Handed, Handover
from pbm.watch.lives import LogWitness

SOON = datetime(2026, 11, 22, 3, 29, tzinfo=UTC)
REFUSED = "The relay cannot be used: Connection refused."


def handed(number: int, fate: Handover, words: str) -> Handed:
    due = SOON if fate in {Handover.DEFERRED, Handover.RELAY_DOWN} else None
    to, message_id = "bob+pbm@example.org", f"<{number}@games.example.org>"
    return Handed(number, 12, to, message_id, fate, words, 1, 0.5, due)


def test_an_outage_of_the_relay_is_one_warning_and_one_line_a_batch_until_it_works(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    seconds = iter((100.0, 1000.0))
    witness = LogWitness(lambda: next(seconds))
    for batch in range(0, 300, 100):
        down = [handed(batch + n, Handover.RELAY_DOWN, REFUSED) for n in range(100)]
        witness.handed(down)
    witness.handed([handed(1, Handover.SENT, "250 Ok")])
    assert caplog.messages == [
        f"the relay is down: {REFUSED}",
        *(
            f"out:{n}, out:{n + 1}, out:{n + 2}, out:{n + 3}, out:{n + 4} and 95 more: "
            "waiting for the relay, again at 2026-11-22 03:29 UTC"
            for n in (0, 100, 200)
        ),
        "the relay works again; it was down for 15 min",
        "out:1 sent to bob+***@example.org, for in:12: 250 Ok, <1@games.example.org>",
    ]


def test_a_mail_that_is_put_off_or_given_up_has_a_line_with_the_words_of_the_relay(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    LogWitness(float).handed(
        [
            handed(1, Handover.DEFERRED, "The relay answered 451 4.7.1 Greylisted"),
            handed(2, Handover.GIVEN_UP, "The relay answered 550 5.1.1 No such user"),
        ]
    )
    first, second = caplog.record_tuples
    assert first == (
        "pbm.deliver",
        logging.INFO,
        (
            "out:1 deferred to bob+***@example.org, for in:12: The relay answered 451 4.7.1 "
            "Greylisted, again at 2026-11-22 03:29 UTC, <1@games.example.org>"
        ),
    )
    assert second == (
        "pbm.deliver",
        logging.WARNING,
        (
            "out:2 given-up to bob+***@example.org, for in:12: The relay answered 550 5.1.1 "
            "No such user, <2@games.example.org>"
        ),
    )
