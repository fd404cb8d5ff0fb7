"""A flood delays its own mails: nobody else's, and nobody's order, on both databases."""

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from sqlalchemy import Engine, text

from pbm.domain.fair_queue import LANES, ROUND_OCTETS, Arrival, Shares, plan, round_of
from pbm.domain.mail import ReceivedMail
from tests.doors import IntakeUnavailable, Letterbox, UnitOfWork
from tests.readings import answers
from tests.store.conftest import Begin, emptied
from tests.store.samples import NOW

pytestmark = pytest.mark.slow

SECOND = timedelta(seconds=1)


def mail(sender: str, content: bytes = b"any", after: timedelta = 0 * SECOND) -> ReceivedMail:
    return ReceivedMail(sender, ("pbm@example.net",), content, NOW + after)


def letterbox(engine: Engine, *, octets: int = 10**9, shares: Shares | None = None) -> Letterbox:
    return Letterbox(engine, lambda _: None, 10_000, most_octets=octets, shares=shares or Shares())


def play(begin: Begin, limit: int) -> list[str]:
    """Play a batch; return who wrote what."""
    with begin() as unit:
        claimed = unit.inbox.claim(limit)
        for waiting in claimed:
            unit.inbox.done(waiting.id)
        unit.commit()
    return [f"{waiting.mail.sender} {waiting.mail.content.decode()}" for waiting in claimed]


ONE = [mail("flood@flood.example", b"%d" % n) for n in range(1000)]


MANY_MAILBOXES = [mail(f"a{n}@flood.example") for n in range(1000)]


PLUS_WORDS = [mail(f"a+{n}@flood.example") for n in range(1000)]


REPORTS = [mail("") for _ in range(1000)]


LONG = [mail("flood@flood.example", bytes(100_000)) for _ in range(200)]


@pytest.mark.parametrize(
    "flood",
    [ONE, MANY_MAILBOXES, PLUS_WORDS, REPORTS, LONG],
    ids=["of one", "of mailboxes of one domain", "of plus-addresses", "of reports", "of long ones"],
)
def test_a_single_mail_is_in_the_next_batch(
    begin: Begin, engine: Engine, flood: list[ReceivedMail]
) -> None:
    intake = letterbox(engine)
    intake.put(flood)
    assert len(play(begin, 64)) == 64
    intake.put([mail("alice@example.org", b"G7")])
    assert "alice@example.org G7" in play(begin, 9)


def test_what_one_sends_is_played_in_order_whatever_others_send(
    begin: Begin, engine: Engine
) -> None:
    intake = letterbox(engine)
    intake.put([*ONE[:300], mail("alice@example.org", b"first")])
    intake.put([*ONE[300:600], mail("alice@example.org", b"second")])
    played = play(begin, 1000)
    assert [line for line in played if line.startswith("flood")] == [
        f"flood@flood.example {n}" for n in range(600)
    ]
    assert [played.index(f"alice@example.org {word}") for word in ("first", "second")] == [1, 3]


def test_who_sent_much_before_the_inbox_was_empty_is_like_anybody_else(
    begin: Begin, engine: Engine
) -> None:
    intake = letterbox(engine)
    intake.put(ONE[:500])
    play(begin, 500)
    intake.put([mail("flood@flood.example", b"late"), mail("alice@example.org")])
    assert play(begin, 1) == ["flood@flood.example late"]


def test_beyond_its_share_a_source_waits_and_the_others_do_not(
    begin: Begin, engine: Engine
) -> None:
    intake = letterbox(engine, shares=Shares(of_sender=3, of_group=6))
    assert intake.put([*ONE[:5], mail("alice@example.org")]) == {3, 4}
    assert intake.put(MANY_MAILBOXES[:4]) == {3}
    assert intake.put([mail("bob@example.org"), ONE[3]]) == {1}
    assert len(play(begin, 3)) == 3
    assert intake.put([ONE[3], mail("carol@example.org")]) == frozenset({0})
    play(begin, 100)
    assert intake.put(ONE[3:6]) == frozenset()


def test_octets_are_bounded_in_all_until_play_has_caught_up(begin: Begin, engine: Engine) -> None:
    intake = letterbox(engine, octets=1000)
    intake.put([mail(f"{n}@{n}.example", bytes(300)) for n in range(3)])
    with begin() as unit:
        assert unit.inbox.waiting_octets() == 900
    with pytest.raises(IntakeUnavailable, match="900 octets wait"):
        intake.put([mail("alice@example.org", bytes(101))])
    assert letterbox(engine, octets=1000).put([mail("alice@example.org", bytes(100))]) == set()
    play(begin, 4)
    again = mail("alice@example.org", bytes(101), after=60 * SECOND)
    assert intake.put([again]) == frozenset()


def test_octets_are_seldom_added_up(begin: Begin, engine: Engine) -> None:
    """While the inbox is full they are not counted for each mail that is turned away."""
    intake = letterbox(engine, octets=1000)
    intake.put([mail("alice@example.org", bytes(1000))])
    with pytest.raises(IntakeUnavailable):
        intake.put([mail("bob@example.org")])
    play(begin, 1)
    with pytest.raises(IntakeUnavailable):
        intake.put([mail("bob@example.org", after=9 * SECOND)])
    assert intake.put([mail("bob@example.org", after=10 * SECOND)]) == frozenset()


def test_the_oldest_mail_is_the_one_that_came_first_though_it_is_played_last(
    begin: Begin, engine: Engine
) -> None:
    intake = letterbox(engine)
    intake.put([mail("flood@flood.example", after=n * SECOND) for n in range(5)])
    intake.put([mail(f"{n}@{n}.example", after=9 * SECOND) for n in range(3)])
    with begin() as unit:
        assert unit.inbox.oldest() == NOW
    assert len(play(begin, 4)) == 4
    with begin() as unit:
        assert unit.inbox.oldest() == NOW + SECOND
        assert unit.inbox.waiting() == 4


def test_a_mail_that_is_retried_is_the_next(begin: Begin, engine: Engine) -> None:
    intake = letterbox(engine)
    intake.put(ONE[:100])
    with begin() as unit:
        bad = unit.inbox.claim(1)[0].id
        unit.inbox.shunt(bad, "a bug", NOW)
        unit.commit()
    play(begin, 50)
    with begin() as unit:
        unit.shunt.retry(bad)
        unit.commit()
    intake.put([mail("alice@example.org", b"G7")])
    assert play(begin, 3)[:2] == ["flood@flood.example 0", "flood@flood.example 51"]
    assert intake.put(ONE[100:200]) == frozenset()


def test_mails_from_before_the_rounds_are_played_first(begin: Begin, engine: Engine) -> None:
    intake = letterbox(engine)
    intake.put([mail("old@example.org", b"one"), mail("old@example.org", b"two")])
    with engine.begin() as connection:
        connection.execute(text("UPDATE inbox SET state = 'waiting', source = '', octets = 0"))
    intake.put([mail("alice@example.org", b"three")])
    assert play(begin, 9) == [
        "old@example.org one", "old@example.org two", "alice@example.org three"
    ]  # fmt: skip


def test_no_address_stays_in_the_counts(engine: Engine) -> None:
    letterbox(engine).put([mail("alice@example.org")])
    with engine.connect() as connection:
        keys = connection.execute(text("SELECT key FROM tallies")).scalars().all()
    # Of the sender, of the group, and how many wait.
    assert len(keys) == 3
    assert not [key for key in keys if "alice" in key or "example" in key]


SENDERS = ("a@x.org", "b@x.org", "c@y.org", "d@z.org")


STEPS = some.lists(
    some.lists(some.sampled_from(SENDERS), max_size=40) | some.integers(1, 30), max_size=12
)


class Traffic:
    """Sends numbered mails and plays them, and remembers both."""

    def __init__(self, engine: Engine) -> None:
        self._intake = letterbox(engine)
        self._engine = engine
        self.sent: list[str] = []
        self.played: list[str] = []

    def send(self, senders: list[str]) -> None:
        mails = [mail(by, b"%d" % n) for n, by in enumerate(senders, len(self.sent))]
        self._intake.put(mails)
        self.sent += [f"{each.sender} {each.content.decode()}" for each in mails]

    def play(self, limit: int) -> None:
        self.played += play(lambda: UnitOfWork(self._engine), limit)

    def do(self, step: list[str] | int) -> None:
        if isinstance(step, int):
            self.play(step)
        else:
            self.send(step)


def of(sender: str, lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith(sender)]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, STEPS)
def test_whoever_sends_whatever_all_is_played_in_order_and_a_newcomer_soon(
    engine: Engine, before: list[list[str] | int], after: list[list[str] | int]
) -> None:
    """At most one mail of each of the three other domains comes before the newcomer's."""
    traffic = Traffic(emptied(engine))
    for step in before:
        traffic.do(step)
    traffic.send(["new@new.org"])
    traffic.play(4)
    assert of("new", traffic.played)
    for step in after:
        traffic.do(step)
    traffic.play(10_000)
    assert sorted(traffic.played) == sorted(traffic.sent)
    for sender in (*SENDERS, "new"):
        assert of(sender, traffic.played) == of(sender, traffic.sent)


ROUNDS = Path(__file__).with_name("rounds.txt").read_text()


def one(sender: str, group: str = "g", octets: int = 100) -> Arrival:
    return Arrival(f"sender {sender}", f"group {group}", octets)


def test_each_mail_has_the_round_that_it_should() -> None:
    def rounds(words: str) -> str:
        few = words.startswith("few ")
        arrivals = []
        for word in words.removeprefix("few ").split():
            name, _, long = word.partition(":")
            sender, _, group = name.partition("/")
            arrivals.append(one(sender, group or "g", int(long or 0) * ROUND_OCTETS))
        shares = Shares(of_sender=5, of_group=20) if few else Shares()
        slots = plan(arrivals, 0, {}, shares).slots
        return " ".join(str(None if slot is None else round_of(slot)) for slot in slots)

    assert answers(ROUNDS, rounds) == ROUNDS


def test_first_lanes_come_before_second_ones() -> None:
    crowd = [one(f"{n} {group}", f"crowd {group}") for n in range(LANES) for group in range(50)]
    *others, single = plan([*crowd, one("b", "alone")], 0, {}, Shares()).slots
    assert sum(slot <= single for slot in others if slot is not None and single is not None) == 50


ARRIVALS = some.lists(
    some.builds(one, some.sampled_from("abcdefgh"), some.sampled_from("xyz")), max_size=200
)


@given(ARRIVALS, some.integers(0, 200))
def test_a_sender_has_one_mail_a_round_in_order_and_a_group_has_its_share(
    arrivals: list[Arrival], split: int
) -> None:
    first = plan(arrivals[:split], 0, {}, Shares())
    second = plan(arrivals[split:], 0, first.free, Shares())
    slots = [slot for slot in (*first.slots, *second.slots) if slot is not None]
    assert len(slots) == len(arrivals)
    for sender in {arrival.sender for arrival in arrivals}:
        own = [slot for slot, by in zip(slots, arrivals, strict=True) if by.sender == sender]
        assert [round_of(slot) for slot in own] == sorted({round_of(slot) for slot in own})
    for group in {arrival.group for arrival in arrivals}:
        so_far = Counter(
            round_of(slot) for slot, by in zip(slots, arrivals, strict=True) if by.group == group
        )
        for last in so_far:
            early = sum(mails for number, mails in so_far.items() if number <= last)
            assert early <= LANES * (last + 1)
