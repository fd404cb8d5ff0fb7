"""A log of which only the end is at hand says the same as the whole one."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from pbm.domain.logs import LAST_PLIES, Earlier, EntryKind, Log, LogEntry, valid_plies
from pbm.domain.offers import open_offer
from tests.domain.matches import match

START = datetime(2026, 2, 1, tzinfo=UTC)


def entry(kind: EntryKind, seat: int | None = 0, text: str = "", at: int = 0) -> LogEntry:
    return LogEntry(kind, seat, text, START + timedelta(minutes=at))


def plies(count: int) -> list[LogEntry]:
    return [entry(EntryKind.MOVE, n % 2, f"m{n}", n) for n in range(count)]


LOGS = 400
"""Hypothesis takes ten times as long to draw a log."""

KINDS = [EntryKind.MOVE] * 6 + sorted(EntryKind)


def log_in(chance: Random) -> list[LogEntry]:
    """Return the entries of a match, in which no undo takes back more than there is."""
    entries: list[LogEntry] = []
    for n in range(chance.choice((0, chance.randrange(12), chance.randrange(61)))):
        kind, text = chance.choice(KINDS), f"m{n}"
        if kind is EntryKind.UNDO:
            text = str(chance.randint(0, min(len(valid_plies(entries)), 12)))
        entries.append(entry(kind, chance.randint(0, 1), text, n))
    return entries


def never() -> tuple[LogEntry, ...]:
    raise AssertionError("the beginning was read")


def facts(log: Log) -> list[object]:
    return [
        len(log),
        log.ply,
        log.undos,
        log.plies,
        [log.last_plies(n) for n in (0, 1, 6, 99)],
        list(log),
        list(reversed(log)),
        [log.since(start) for start in range(len(log) + 1)],
        [log[place] for place in range(-len(log), len(log))],
        log[2:-1],
    ]


def test_a_log_that_grew_says_what_one_made_at_once_says() -> None:
    chance = Random(1)
    for _ in range(LOGS // 4):
        grown, entries = Log(), log_in(chance)
        for more in entries:
            # Both are kept once they were asked for, and handed on to the longer log.
            assert grown.undos + grown.ply >= 0
            grown = grown.plus(more)
        assert facts(grown) == facts(Log(entries))


def test_a_shortened_log_says_the_same_as_the_whole_one() -> None:
    chance = Random(2)
    for _ in range(LOGS // 3):
        entries = log_in(chance)
        whole = Log(entries)
        short = whole.shortened()
        assert facts(short) == facts(whole)
        assert short == whole
        for n in range(chance.randrange(21)):
            added = entry(chance.choice([EntryKind.MOVE, EntryKind.CHAT]), n % 2, f"x{n}", 99)
            whole, short = whole.plus(added), short.plus(added).shortened()
        assert facts(short) == facts(whole)
        assert (short.continues(Log(entries)), whole.continues(short)) == (True, True)


def test_a_ply_that_was_taken_back_after_an_extension_does_not_count_again() -> None:
    begun = [entry(EntryKind.MOVE, 0, "m0", 0), entry(EntryKind.CHAT, 1, at=1)]
    back = [entry(EntryKind.EXTEND, None, "3", 2), entry(EntryKind.UNDO, 1, "1", 3)]
    log = Log([*begun, *back, *plies(LAST_PLIES + 2)])
    assert log.shortened().ply == LAST_PLIES + 2
    # Only what the undo needs is kept beside the last plies.
    later = [*plies(20), *back, *plies(LAST_PLIES)]
    assert Log(later).shortened().earlier.entries == 19
    assert Log(later).shortened().ply == 19 + LAST_PLIES


def test_a_log_whose_undo_takes_back_more_than_there_is_stays_at_hand() -> None:
    begun = [
        entry(EntryKind.MOVE),
        entry(EntryKind.EXTEND, None, "3"),
        entry(EntryKind.UNDO, 1, "5"),
    ]
    log = Log([*begun, *plies(LAST_PLIES + 2)])
    assert log.shortened().recent == log.recent


def test_what_the_operator_did_to_the_clock_stays_at_hand() -> None:
    kinds = (EntryKind.PAUSE, EntryKind.RESUME, EntryKind.EXTEND)
    chance = Random(3)
    for _ in range(LOGS):
        entries = log_in(chance)
        recent = Log(entries).shortened().recent
        assert [e for e in recent if e.kind in kinds] == [e for e in entries if e.kind in kinds]


NEEDED_FOR_A_MOVE: dict[str, Callable[[Log], object]] = {
    "how many plies stand": lambda log: log.ply,
    "how many undos there were": lambda log: log.undos,
    "the last plies": lambda log: log.last_plies(6),
    "one more": lambda log: log.plus(entry(EntryKind.MOVE)).shortened().ply,
    "what is new": lambda log: log.plus(entry(EntryKind.MOVE)).since(len(log)),
    "whether it goes on": lambda log: log.plus(entry(EntryKind.MOVE)).continues(log),
    "the last entry": lambda log: log[-1],
    "an undo": lambda log: log.plus(entry(EntryKind.UNDO, text="2")).ply,
}


@pytest.mark.parametrize("asked", NEEDED_FOR_A_MOVE.values(), ids=list(NEEDED_FOR_A_MOVE))
def test_a_move_needs_no_more_than_the_end(asked: Callable[[Log], object]) -> None:
    whole = Log(plies(300))
    end = Log(whole.recent[-LAST_PLIES:], Earlier(292, 292, 0, never))
    assert asked(end) == asked(whole)


def test_a_log_stays_short_move_by_move() -> None:
    log = Log()
    for ply in plies(2000):
        log = log.plus(ply).shortened()
        log = Log(log.recent, Earlier(log.earlier.entries, log.earlier.plies, 0, never))
        assert len(log.recent) <= LAST_PLIES
    assert (len(log), log.ply) == (2000, 2000)


def test_an_undo_that_reaches_back_further_than_what_is_at_hand_is_counted_rightly() -> None:
    log = Log(plies(50)).shortened().plus(entry(EntryKind.UNDO, text="20"))
    assert log.ply == 30
    assert log.last_plies(1)[0].text == "m29"
    assert log.shortened().ply == 30
    assert log.plus(plies(1)[0]).ply == 31


def test_an_offer_that_stands_stays_at_hand() -> None:
    own = [entry(EntryKind.MOVE, 0, f"m{n}", n) for n in range(20)]
    offer = entry(EntryKind.OFFER, 0, "draw")
    assert offer in Log([*own, offer, *own]).shortened().recent
    assert offer not in Log([*own, offer, *plies(20)]).shortened().recent


def test_an_offer_after_an_undo_that_reaches_far_back_is_of_the_ply_that_is_due_then() -> None:
    log = Log(plies(50)).shortened().plus(entry(EntryKind.UNDO, text="20"))
    found = open_offer(replace(match(), log=log.plus(entry(EntryKind.OFFER, 0, "draw"))))
    assert found is not None
    assert found.due == 31
