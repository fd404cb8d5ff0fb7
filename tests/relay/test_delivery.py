"""The outbox is emptied in time, in order and once, whatever relays and processes do."""

import sqlite3
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pbm.core.delivery import BATCH_TIME, LEASE, Lease, deliver_waiting
from pbm.domain.mail import OutgoingMail
from pbm.domain.observer import Handed
from pbm.store.driver.database import create_engine
from pbm.store.unit import UnitOfWork
from tests.databases import new_database
from tests.doors import (
    Deferred,
    Failed,
    Judged,
    OutboxRow,
    Relay,
    Sent,
    StoreUnavailable,
    Verdict,
    always,
)
from tests.readings import answers
from tests.relay.relays import mail, relay_to
from tests.sink import Sink

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
OWNER = "host:17:k3v9"


@dataclass
class House:
    """A database and a clock, and what these tests do with them."""

    open_unit: Callable[[], UnitOfWork]
    now: datetime = NOW

    def clock(self) -> datetime:
        return self.now

    def post(self, *names: str) -> None:
        with self.open_unit() as unit:
            unit.outbox.add([mail(f"{name}@example.net") for name in names], self.now)
            unit.commit()

    def deliver(self, relay: Relay, owner: str = OWNER, **more: Any) -> int:
        return deliver_waiting(self.open_unit, relay, self.clock, owner, 100, **more)

    def claim(self, owner: str) -> None:
        """Lease what waits to a worker that never delivers it."""
        with self.open_unit() as unit:
            unit.outbox.claim(10, owner, NOW, NOW + LEASE)
            unit.commit()

    def relay_beats(self) -> None:
        """Let the relay be known to have worked."""
        with self.open_unit() as unit:
            unit.pulses.beat("relay", NOW, timedelta(minutes=3))
            unit.commit()

    def relay_is_failing(self) -> bool:
        with self.open_unit() as unit:
            return any(pulse.failing for pulse in unit.pulses.all())

    def listing(self) -> dict[str, OutboxRow]:
        """Return the mails that are not sent, by the name before the @."""
        with self.open_unit() as unit:
            return {row.recipient.partition("@")[0]: row for row in unit.outbox.listing()}


@dataclass
class Script:
    """A relay that answers by the name of the recipient, and takes a mail without an answer.

    An answer may be a verdict, an exception to raise, or a function to call, which may return one.
    """

    answers: dict[str, Verdict | BaseException | Callable[[], object]] = field(default_factory=dict)
    taken: list[OutgoingMail] = field(default_factory=list)

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        for place, one in enumerate(mails):
            if not go_on():
                return
            answer = self.answers.get(one.recipient.partition("@")[0], Sent())
            if isinstance(answer, BaseException):
                raise answer
            said = answer if isinstance(answer, Sent | Deferred | Failed) else answer()
            if isinstance(said, Deferred | Failed):
                yield place, said
                continue
            self.taken.append(one)
            yield place, Sent()

    def close(self) -> None:
        pass

    @property
    def names(self) -> list[str]:
        return [one.recipient.partition("@")[0] for one in self.taken]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with new_database("sqlite", tmp_path) as url:
        engine = create_engine(url, patience=0.01)
        yield House(lambda: UnitOfWork(engine))
        engine.dispose()


@contextmanager
def writer_elsewhere(folder: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that can take the database away, by BEGIN IMMEDIATE."""
    with closing(sqlite3.connect(folder / "pbm.db", isolation_level=None)) as writer:
        yield writer


def test_an_empty_outbox_asks_nothing_of_the_relay(house: House) -> None:
    assert house.deliver(Script({"a": RuntimeError()})) == 0


def test_a_dead_recipient_is_given_up_a_full_mailbox_waits_and_the_others_have_their_mail(
    house: House,
) -> None:
    house.post("dead", "full", "a")
    sink = Sink({"dead@example.net": "550 no such user", "full@example.net": "452 full"})
    with sink, relay_to(f"smtp://localhost:{sink.port}") as relay:
        assert house.deliver(relay) == 3
        left = house.listing()
        assert {name: (row.state, row.error) for name, row in left.items()} == {
            "dead": ("dead", "The relay answered 550 no such user"),
            "full": ("waiting", "The relay answered 452 full"),
        }
        sink.answers = {}
        house.now = left["full"].next_try_at
        assert house.deliver(relay) == 1
    assert [taken.recipient for taken in sink.mails] == ["a@example.net", "full@example.net"]
    # The retry is the same mail: a mail program that gets both shows one.
    assert mail("full@example.net").message_id.encode() in sink.mails[1].content


def test_what_was_sent_while_the_database_was_away_is_recorded_when_it_is_back(
    house: House, tmp_path: Path
) -> None:
    house.post("a", "full", "b")
    waits = 0
    with writer_elsewhere(tmp_path) as writer:

        def outlast(_: StoreUnavailable) -> bool:
            nonlocal waits
            waits += 1
            if waits == 3:
                writer.execute("ROLLBACK")
            return True

        relay = Script({"b": lambda: writer.execute("BEGIN IMMEDIATE"), "full": Deferred("full")})
        assert house.deliver(relay, outlast=outlast) == 3
    assert (waits, relay.names) == (3, ["a", "b"])
    assert {name: row.error for name, row in house.listing().items()} == {"full": "full"}


def test_a_worker_that_has_to_stop_does_not_outlast_an_outage(house: House, tmp_path: Path) -> None:
    house.post("a")
    with writer_elsewhere(tmp_path) as writer:
        relay = Script({"a": lambda: writer.execute("BEGIN IMMEDIATE")})
        with pytest.raises(StoreUnavailable):
            house.deliver(relay, outlast=lambda _: False)
    # The lease ends, and the mail goes out again.
    assert house.deliver(Script()) == 0
    house.now += LEASE
    assert house.deliver(Script()) == 1


def test_pauses_grow_to_four_hours_and_end_after_five_days(house: House) -> None:
    house.post("a")
    relay = Script({"a": Deferred("down")})
    pauses = []
    while house.deliver(relay):
        row = house.listing()["a"]
        if row.state == "dead":
            break
        pauses.append((row.next_try_at - house.now) // timedelta(minutes=1))
        house.now = row.next_try_at - timedelta(seconds=1)
        assert house.deliver(relay) == 0
        house.now = row.next_try_at
    assert pauses[:8] == [1, 5, 15, 30, 60, 120, 240, 240]
    assert set(pauses[8:]) == {240}
    assert timedelta(days=5) <= house.now - NOW < timedelta(days=5, hours=4)
    assert house.listing()["a"].state == "dead"


def test_a_relay_that_cannot_be_reached_is_tried_every_quarter_of_an_hour(house: House) -> None:
    house.post("a")
    relay = Script({"a": Deferred("refused", relay_down=True, offered=False)})
    pauses = []
    for _ in range(6):
        house.deliver(relay)
        row = house.listing()["a"]
        pauses.append((row.next_try_at - house.now) // timedelta(minutes=1))
        house.now = row.next_try_at
    assert pauses == [1, 5, 15, 15, 15, 15]


def told(lost: Iterable[Handed]) -> list[str]:
    return [f"{each.recipient}: {each.words}" for each in lost]


def test_mails_that_are_given_up_are_reported_except_for_trouble_of_ours(house: House) -> None:
    house.post("dead", "busy", "down", "us", "a")
    relay = Script(
        {
            "dead": Failed("550 5.1.1 no such user"),
            "busy": Deferred("452 full"),
            "down": Deferred("no route", relay_down=True),
            "us": Failed("550 not from you", about_us=True),
        }
    )
    lost: list[Handed] = []
    house.deliver(relay, given_up=lost.extend)
    assert told(lost) == ["dead@example.net: 550 5.1.1 no such user"]
    house.now += timedelta(days=5)
    house.deliver(relay, given_up=lost.extend)
    assert told(lost[1:]) == ["busy@example.net: 452 full"]


def test_a_slow_relay_keeps_no_transaction_open(house: House) -> None:
    house.post("a", "b")
    # SQLite has one writer, so with an open transaction this would wait for itself.
    relay = Script({"a": lambda: house.post("z")})
    assert house.deliver(relay) == 2
    assert list(house.listing()) == ["z"]


def test_two_workers_never_have_the_same_mail(house: House) -> None:
    house.post("a", "b")
    other = Script()

    def meanwhile() -> None:
        assert house.deliver(other, owner="host:18:x2x2") == 0

    relay = Script({"a": meanwhile})
    house.deliver(relay)
    assert relay.names == ["a", "b"]
    assert other.names == []


def test_a_mail_that_a_killed_worker_held_goes_out_when_its_lease_ends(house: House) -> None:
    house.post("a")
    house.claim(OWNER)
    relay = Script()
    house.now = NOW + LEASE - timedelta(seconds=1)
    assert house.deliver(relay, owner="host:18:x2x2") == 0
    house.now = NOW + LEASE
    assert house.deliver(relay, owner="host:18:x2x2") == 1


def test_asked_to_stop_the_worker_keeps_what_it_knows_and_frees_the_rest(house: House) -> None:
    house.post("a", "b", "c")
    relay = Script()
    assert house.deliver(relay, stopping=lambda: len(relay.taken) == 2) == 2
    after = Script()
    assert house.deliver(after, owner="host:18:x2x2") == 1
    assert (relay.names, after.names) == (["a", "b"], ["c"])


def test_interrupted_the_worker_keeps_what_it_knows_and_frees_the_rest(house: House) -> None:
    house.post("a", "b", "c")
    with pytest.raises(KeyboardInterrupt):
        house.deliver(Script({"b": KeyboardInterrupt()}))
    relay = Script()
    house.deliver(relay, owner="host:18:x2x2")
    assert relay.names == ["b", "c"]


def test_a_mail_at_which_the_relay_has_a_bug_is_put_off_and_holds_no_other(house: House) -> None:
    house.post("a", "b", "c")
    relay = Script({"b": ZeroDivisionError()})
    with pytest.raises(ZeroDivisionError):
        house.deliver(relay)
    assert house.deliver(relay) == 1
    assert relay.names == ["a", "c"]
    assert house.listing()["b"].error == "A fault in this server, see its log."


def test_a_batch_ends_long_before_its_lease_and_frees_the_rest(house: House) -> None:
    house.post("a", "b", "c")

    def wait() -> None:
        house.now += BATCH_TIME / 2

    relay = Script({"a": wait, "b": wait})
    assert house.deliver(relay) == 2
    after = Script()
    assert house.deliver(after, owner="host:18:x2x2") == 1
    assert after.names == ["c"]


ERRORS = f"""
550 <pbm+k3v9qd7xw2@x.example> unknown -> 550 <pbm+***@x.example> unknown
550 bounce+k3v9 of a+b@x               -> 550 bounce+*** of a+***@x
550 one\\r\\ntwo\\x1b[31m\\tthree\\xfc    -> 550 one two [31m three
{"x" * 500} -> {"x" * 200}
"""


def test_an_error_is_kept_in_one_short_line_without_tokens(house: House) -> None:
    def kept(said: str) -> str:
        house.post("a", "b")
        house.deliver(Script({"a": Deferred(said), "b": Failed(said)}))
        with house.open_unit() as unit:
            deferred, failed = [row.error for row in unit.outbox.listing()][-2:]
        assert deferred == failed
        return deferred

    assert answers(ERRORS, kept) == ERRORS


@pytest.mark.parametrize(
    ("verdicts", "failing"),
    [
        ([Deferred("452 full")], False),
        ([Failed("550 no such user")], False),
        ([Deferred("refused", relay_down=True)], True),
        ([Deferred("452 full"), Deferred("421 busy", relay_down=True), Failed("550 no")], True),
        ([Deferred("421 busy", relay_down=True), Sent()], False),
    ],
)
def test_only_trouble_of_the_relay_itself_with_nothing_taken_counts_as_its_failure(
    house: House, verdicts: Sequence[Verdict], failing: bool
) -> None:
    house.relay_beats()
    house.post(*"abc"[: len(verdicts)])
    house.deliver(Script(dict(zip("abc", verdicts, strict=False))))
    assert house.relay_is_failing() is failing


def test_a_mail_at_which_the_relay_is_silent_is_not_its_failure_if_it_has_taken_another_since(
    house: House,
) -> None:
    house.relay_beats()
    house.post("slow", "a")

    leases: list[Lease] = []

    def hang() -> Verdict:
        assert leases[0].pass_on() == 1
        house.now += timedelta(seconds=30)
        assert house.deliver(Script(), owner="host:17:another") == 1
        house.now += timedelta(minutes=5)
        return Deferred("timed out", relay_down=True)

    house.deliver(Script({"slow": hang}), began=leases.append)
    assert not house.relay_is_failing()
    assert [*house.listing()] == ["slow"]


def after_one() -> Callable[[], bool]:
    """Return what is False when it is asked first, and True from then on."""
    asked = count()
    return lambda: next(asked) > 0


def test_a_relay_works_again_with_the_first_mail_that_it_takes_and_not_with_a_refusal(
    house: House,
) -> None:
    house.post("a", "b", "c")
    script = Script({"a": Deferred("refused", relay_down=True), "b": Failed("550 no")})
    house.deliver(script, stopping=after_one())
    assert house.relay_is_failing()
    house.deliver(script, stopping=after_one())
    assert script.names == []
    assert house.relay_is_failing()
    house.deliver(script)
    assert script.names == ["c"]
    assert not house.relay_is_failing()


def test_a_relay_that_never_gave_a_sign_of_life_is_not_watched_because_it_takes_mails(
    house: House,
) -> None:
    house.post("a")
    house.deliver(Script())
    with house.open_unit() as unit:
        assert unit.pulses.all() == ()


def test_mails_that_wait_for_a_relay_that_is_back_go_out_at_once(house: House) -> None:
    house.relay_beats()
    house.post("a", "b")
    down = Deferred("refused", relay_down=True)
    for _ in range(6):  # the pause is an hour and more by now
        house.deliver(Script({"a": down, "b": down}))
        house.now = max(row.next_try_at for row in house.listing().values())
    house.now -= timedelta(hours=1)
    house.post("c")
    relay = Script()
    assert house.deliver(relay) == 1
    assert house.deliver(relay) == 2
    assert relay.names == ["c", "a", "b"]


@dataclass
class Notebook:
    """Notes that are kept in memory, or in a database that is `away`."""

    away: bool = False
    in_outbox: bool = False
    times: list[tuple[int, ...]] = field(default_factory=list)

    def note_sent(self, words: Mapping[int, str], now: datetime, *, on_disk: bool) -> None:
        del now, on_disk
        if self.away:
            raise StoreUnavailable("away")
        self.times.append(tuple(words))

    def recorded(self) -> Collection[int]:
        return [number for numbers in self.times for number in numbers] if self.in_outbox else ()


def test_a_database_that_is_away_ends_the_batch_after_a_few_mails(house: House) -> None:
    house.post(*"abcdefghijklmnop")
    relay, away = Script(), Notebook(away=True)
    assert house.deliver(relay, notes=away) == 6
    assert house.deliver(relay) == 10
    assert relay.names == [*"abcdefghijklmnop"]


def test_what_was_taken_is_noted_by_sixes_and_the_rest_at_the_end(house: House) -> None:
    house.post(*"abcdefghijkl")
    notes = Notebook()
    assert house.deliver(Script(), notes=notes) == 12
    assert [len(numbers) for numbers in notes.times] == [6]
    assert house.listing() == {}


def test_what_the_outbox_tells_already_is_not_recorded_again(house: House) -> None:
    house.post(*"abcdefgh")
    notes = Notebook(in_outbox=True)
    assert house.deliver(Script(), notes=notes) == 8
    # The notebook has promised for these.
    assert [*house.listing()] == [*"abcdef"]
