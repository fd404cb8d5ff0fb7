"""What lasts a while is said when it begins and when it is over."""

import logging

import pytest

from pbm.watch.spells import Spell, lasted


class Seconds:
    """A clock that is turned by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_outage_of_several_stages_is_told_once_and_is_over_when_all_work(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Seconds()
    spell = Spell(
        logging.getLogger("pbm"), "away: %s", "back after %(lasted)s, %(times)d times", clock
    )
    spell.is_over("play")
    spell.holds("play", "its disk is full")
    for _ in range(1000):
        spell.holds("deliver", "its disk is full")
    clock.now += 3 * 3600 + 25 * 60 + 7
    spell.is_over("play")
    spell.is_over("play")
    assert caplog.messages == ["away: its disk is full"]
    spell.is_over("deliver")
    assert caplog.messages[1:] == ["back after 3 h 25 min, 1001 times"]
    spell.holds("play", "it is locked")
    assert caplog.messages[2:] == ["away: it is locked"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "less than a second"), (59, "59 s"), (61, "1 min 1 s"), (3600, "1 h"),
        (90_061, "1 d 1 h"),
    ],
)  # fmt: skip
def test_how_long_it_lasted_is_told_in_two_units(seconds: float, words: str) -> None:
    assert lasted(seconds) == words
