"""Fetching with a mailbox that has every fault; test_dovecot.py has a real one."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from pbm.core import heartbeat
from pbm.core.heartbeat import FETCH, SERVING
from pbm.domain.mail import ReceivedMail, is_of_server
from pbm.server.assembly import App
from pbm.server.mailbox.account import Account, read_account
from pbm.server.mailbox.connection import Mailbox, MailboxError, MailboxRefused, Waiting
from pbm.server.mailbox.fetching import Fetcher
from pbm.server.mailbox.reading import received
from pbm.system import Secret
from tests.doors import IntakeUnavailable
from tests.house import ADDRESS, START, HouseUnderTest
from tests.readings import answers, sections

ACCOUNT = Account("me", "imap.provider.example", 993, Secret("true"), START - timedelta(days=1))


def mail(text: str = "games", to: str = ADDRESS, message_id: str = "", more: str = "") -> bytes:
    named = f"Message-ID: <{message_id}@example.org>\r\n" if message_id else ""
    head = f"Return-Path: <alice@example.org>\r\nFrom: alice@example.org\r\nTo: {to}\r\n"
    return f"{head}{named}{more}Subject: \r\n\r\n{text}\r\n".encode()


@dataclass
class FakeMailbox(Mailbox):
    """A mailbox in memory; `faults` are raised by the methods of their names, one by one."""

    folders: dict[str, dict[int, bytes]] = field(default_factory=lambda: {"INBOX": {}, "Junk": {}})
    arrived_at: dict[int, datetime] = field(default_factory=dict)
    faults: dict[str, list[MailboxError | None]] = field(default_factory=dict)
    unreadable: frozenset[int] = frozenset()
    fetched: list[int] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    done: dict[int, bytes] = field(default_factory=dict)
    validity: int = 7
    idles: bool = True
    name: str = "INBOX"

    def add(self, *contents: bytes, folder: str = "INBOX", at: datetime = START) -> None:
        for content in contents:
            uid = len(self.arrived_at) + 1
            self.folders[folder][uid] = content
            self.arrived_at[uid] = at

    def _meet(self, method: str) -> None:
        if (faults := self.faults.get(method)) and (fault := faults.pop(0)):
            raise fault

    def open(self, folder: str) -> int:
        self._meet("open")
        self.name = folder
        return self.validity

    def list(self, since: date) -> Mapping[int, Waiting]:
        return {
            uid: Waiting(len(content), self.arrived_at[uid])
            for uid, content in self.folders[self.name].items()
            if self.arrived_at[uid].date() >= since
        }

    def fetch(self, uids: Collection[int], *, head: bool = False) -> Mapping[int, bytes]:
        if not head:
            self._meet("fetch")
            self.fetched += uids
            self.batches.append(len(uids))
            if not self.unreadable.isdisjoint(uids):
                raise MailboxRefused("NO internal error")
        found = {uid: self.folders[self.name][uid] for uid in uids}
        return {uid: c.partition(b"\r\n\r\n")[0] if head else c for uid, c in found.items()}

    def move(self, uids: Collection[int]) -> None:
        self._meet("move")
        for uid in uids:
            self.done[uid] = self.folders[self.name].pop(uid)

    def delete_done(self, before: date) -> None:
        self.done = {u: c for u, c in self.done.items() if self.arrived_at[u].date() >= before}

    def junk(self) -> str | None:
        return "Junk"

    def wait(self, seconds: float, goes_on: Callable[[], bool]) -> None:
        self._meet("done")

    def close(self) -> None:
        self._meet("close")


@dataclass
class Fetching:
    """A house that fetches from a mailbox."""

    house: HouseUnderTest
    box: FakeMailbox = field(default_factory=FakeMailbox)
    signs: int = 0
    connections: int = 0

    def __post_init__(self) -> None:
        self.fetcher = self.new()

    def new(self) -> Fetcher:
        house: App = self.house.house
        return Fetcher(
            ACCOUNT, ADDRESS, self._connect, house.inbox.put, self._proven, house.clock, self._sign
        )

    def _connect(self, account: Account) -> FakeMailbox:
        self.connections += 1
        self.box._meet("connect")
        return self.box

    def _proven(self, mail: ReceivedMail) -> bool:
        return any("+" in each for each in mail.recipients)

    def _sign(self) -> None:
        self.signs += 1
        with self.house.house.open_unit() as work:
            heartbeat.beat(work, (FETCH,), self.house.clock(), SERVING)
            work.commit()

    def look(self) -> int:
        return self.fetcher.look()

    @property
    def answers(self) -> int:
        """The number of answers that the house has sent after playing all that waits."""
        self.house.play()
        return len(self.house.sent)


@pytest.fixture
def fetching(tmp_path: Path) -> Iterator[Fetching]:
    house = HouseUnderTest(tmp_path)
    house.add("alice")
    yield Fetching(house)
    house.house.close()


def test_a_mail_is_taken_once_and_moved(fetching: Fetching) -> None:
    fetching.box.add(mail())
    assert [fetching.look(), fetching.look()] == [1, 0]
    assert fetching.answers == 1
    assert list(fetching.box.done) == [1]


@pytest.mark.parametrize("message_id", ["", "one"])
def test_a_kill_between_the_inbox_and_the_move_plays_nothing_twice(
    fetching: Fetching, message_id: str
) -> None:
    fetching.box.add(mail(message_id=message_id))
    fetching.box.faults["move"] = [MailboxError("gone")]
    with pytest.raises(MailboxError):
        fetching.look()
    fetching.new().look()
    assert fetching.answers == 1


def test_mail_from_before_is_left_alone(fetching: Fetching) -> None:
    fetching.box.add(mail(), at=ACCOUNT.since - timedelta(minutes=1))
    fetching.box.add(mail(), at=ACCOUNT.since)
    assert fetching.look() == 1
    assert list(fetching.box.folders["INBOX"]) == [1]
    assert fetching.box.fetched == [2]


def test_a_reply_is_found_in_junk_and_nothing_else_is_opened_there(fetching: Fetching) -> None:
    fetching.box.add(mail(), mail(to=ADDRESS.replace("@", "+token@")), folder="Junk")
    assert fetching.look() == 1
    assert fetching.box.fetched == [2]
    fetching.box.add(mail(to=ADDRESS.replace("@", "+other@")), folder="Junk")
    assert fetching.look() == 0
    fetching.house.clock.now += timedelta(minutes=10)
    assert fetching.look() == 1


def test_a_mail_that_cannot_be_fetched_holds_up_no_other(
    fetching: Fetching, caplog: pytest.LogCaptureFixture
) -> None:
    fetching.box.add(mail("games"), mail("help"), mail("list"))
    fetching.box.unreadable = frozenset({2})
    assert [fetching.look() for _ in range(4)] == [0, 2, 0, 0]
    assert fetching.answers == 2
    assert "UID 2 cannot be fetched and is left there: NO internal error" in caplog.text
    fetching.look()
    assert fetching.box.fetched.count(2) == 3
    fetching.box.unreadable = frozenset()
    fetching.house.clock.now += timedelta(hours=1)
    assert fetching.look() == 1


def test_a_mail_that_is_too_large_or_in_a_loop_is_moved_unread(
    fetching: Fetching, caplog: pytest.LogCaptureFixture
) -> None:
    fetching.box.add(mail("x" * 1024 * 1024), mail(more="Received: by x\r\n" * 51), mail())
    assert fetching.look() == 1
    assert fetching.box.fetched == [2, 3]
    assert sorted(fetching.box.done) == [1, 2, 3]
    assert "UID 1" in caplog.text
    assert "UID 2" in caplog.text


def test_mails_are_fetched_by_octets(fetching: Fetching) -> None:
    fetching.box.add(*[mail("x" * 900_000, message_id=str(n)) for n in range(12)])
    fetching.look()
    assert fetching.box.batches == [9, 3]


def test_mails_stay_there_while_the_inbox_takes_none(fetching: Fetching) -> None:
    fetching.box.add(mail())

    def full(mails: object) -> frozenset[int]:
        raise IntakeUnavailable("The disk is full.")

    put, fetching.fetcher.put = fetching.fetcher.put, full
    assert (fetching.look(), fetching.signs) == (0, 0)
    assert fetching.fetcher.wait(lambda: True) is False
    fetching.fetcher.put = put
    assert (fetching.look(), fetching.signs) == (1, 1)


def test_no_sign_of_life_is_given_while_the_mailbox_cannot_be_read(fetching: Fetching) -> None:
    fetching.box.faults["connect"] = [MailboxError("wrong password")] * 10
    pauses = []
    for _ in range(10):
        with pytest.raises(MailboxError):
            fetching.look()
        pauses.append(fetching.fetcher.pause)
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]
    assert fetching.signs == 0
    fetching.look()
    assert (fetching.signs, fetching.connections) == (1, 11)


def test_mails_without_room_hold_up_no_other(fetching: Fetching) -> None:
    fetching.box.add(mail("games"), mail("help"))
    put = fetching.fetcher.put
    fetching.fetcher.put = lambda mails: put(mails[1:]) | {0}
    assert (fetching.look(), fetching.signs) == (1, 1)
    fetching.fetcher.put = put
    fetching.box.add(mail("list"))
    assert (fetching.look(), fetching.box.fetched) == (1, [1, 2, 3])
    fetching.house.clock.now += timedelta(minutes=1)
    assert (fetching.look(), fetching.answers) == (1, 3)


def test_a_reply_in_junk_without_room_is_taken_later(fetching: Fetching) -> None:
    fetching.box.add(mail(to=ADDRESS.replace("@", "+token@")), folder="Junk")
    put = fetching.fetcher.put
    fetching.fetcher.put = lambda mails: frozenset(range(len(mails)))
    assert fetching.look() == 0
    fetching.fetcher.put = put
    fetching.house.clock.now += timedelta(minutes=10)
    assert fetching.look() == 1


def test_clocks_are_stopped_while_the_mailbox_cannot_be_read(fetching: Fetching) -> None:
    house = fetching.house
    fetching.look()
    fetching.box.faults["open"] = [MailboxError("timed out")]
    house.clock.now += timedelta(hours=2)
    with pytest.raises(MailboxError):
        fetching.look()
    assert house.house.silent_since() == START
    fetching.look()
    with house.house.open_reading() as work:
        pause = next(iter(work.pauses.of(None)))
    assert (pause.began_at, pause.until) == (START, house.clock.now)


def test_clocks_are_stopped_if_the_mailbox_could_never_be_read(fetching: Fetching) -> None:
    house = fetching.house
    with_mailbox = replace(house.house.settings, mailbox=ACCOUNT)
    house.house = replace(house.house, settings=with_mailbox)
    for _ in range(3):
        house.house.beat(("play",), SERVING)
        house.clock.now += timedelta(minutes=2)
    assert house.house.silent_since() == START


def test_a_mailbox_that_is_no_longer_used_stops_no_clock(fetching: Fetching) -> None:
    house = fetching.house
    fetching.look()
    house.house.beat(("play",), SERVING)
    house.clock.now += timedelta(minutes=2)
    house.house.beat(("play",), SERVING)
    house.clock.now += timedelta(minutes=2)
    assert house.house.silent_since() is None


def test_a_connection_that_is_lost_while_it_waits_is_made_again(fetching: Fetching) -> None:
    fetching.look()
    assert fetching.fetcher.wait(lambda: True)
    fetching.box.faults["done"] = [MailboxError("timed out")]
    with pytest.raises(MailboxError):
        fetching.fetcher.wait(lambda: True)
    assert fetching.fetcher.pause == 1
    fetching.look()
    assert fetching.connections == 2


def test_mails_that_are_done_are_deleted_after_a_week(fetching: Fetching) -> None:
    fetching.box.add(mail())
    fetching.look()
    fetching.house.clock.now += timedelta(days=7)
    fetching.look()
    assert list(fetching.box.done) == [1]
    fetching.house.clock.now += timedelta(days=1)
    fetching.look()
    assert not fetching.box.done


READINGS = sections(Path(__file__).with_name("readings.txt"))


def envelope(head: str) -> str:
    read = received(f"{head}\r\n\r\n".encode(), "7.1", "me@provider.example", START, "imap x")
    named = read.content.partition(b"\r\n")[0].decode() if b".invalid" in read.content else ""
    return f"{read.sender or '<>'} to {', '.join(read.recipients)} {named}".rstrip()


def account(url: str, command: str, since: str) -> str:
    read = read_account(url, password_command=command, auth="plain", since=since or None)
    where = f"{read.user} at {read.host}:{read.port}, {read.folder}"
    return f"{where}, since {read.since:%Y-%m-%d %H:%M %Z}"


def is_ours(address: str) -> bool:
    return is_of_server(address, "me+pbm@provider.example", at_provider=True)


def test_readings() -> None:
    assert answers(READINGS["ours"], is_ours) == READINGS["ours"]
    assert answers(READINGS["envelope"], envelope) == READINGS["envelope"]
    assert answers(READINGS["account"], account, ValueError) == READINGS["account"]
