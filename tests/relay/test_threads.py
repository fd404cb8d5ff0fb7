"""The threads of a server that deliver: what holds one up, and what the others do then."""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedRWPair as Wire
from pathlib import Path

import pytest

from pbm.config import Settings
from pbm.server.assembly import App
from pbm.server.process import stages_of
from pbm.system import utc_now
from tests.doors import migrations
from tests.processes import PATIENCE, until
from tests.relay.relays import Scripted, listening, mail


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads look often, and count as held up at once."""
    monkeypatch.setattr("pbm.server.process.SLOW_SECONDS", 0.0)
    monkeypatch.setattr("pbm.server.process.DEAF_SECONDS", 0.01)
    monkeypatch.setattr("pbm.server.process.POLL_SECONDS", 0.01)


class Post:
    """A server that only delivers, to a scripted relay."""

    def __init__(self, folder: Path, url: str) -> None:
        database = f"sqlite:///{folder}/pbm.db"
        migrations.upgrade(database)
        self.house = App(Settings("pbm@localhost", database, url, folder / "key"))
        self.stages = stages_of(self.house, frozenset({"deliver"}), lambda: None)

    def post(self, *names: str) -> None:
        """Compose mails to these people, each with its number."""
        with self.house.open_unit() as unit:
            mails = [
                mail(f"{name}@example.net", b"Subject: %d\r\n\r\nhi\r\n" % number)
                for number, name in enumerate(names)
            ]
            unit.outbox.add(mails, utc_now())
            unit.commit()
        self.stages["deliver"].wake()

    def until_empty(self) -> None:
        def is_empty() -> bool:
            with self.house.open_reading() as unit:
                return not unit.outbox.listing()

        until(is_empty, "an empty outbox")


@contextmanager
def serving(folder: Path, relay: Scripted) -> Iterator[Post]:
    with listening(relay) as url:
        post = Post(folder, url)
        for stage in post.stages.values():
            stage.start()
        try:
            yield post
        finally:
            for stage in post.stages.values():
                stage.stop()
            for stage in post.stages.values():
                stage.join(PATIENCE)
            post.house.close()


def waiting_for(event: threading.Event) -> Callable[[Wire], bool]:
    """Return what a relay does until `event`: it takes the mail all the same."""

    def scan(_: Wire) -> bool:
        assert event.wait(PATIENCE)
        return False

    return scan


def test_a_mail_that_is_composed_while_the_relay_is_slow_with_another_leaves_at_once(
    tmp_path: Path,
) -> None:
    relay, over = Scripted(), threading.Event()
    relay.at_end["slow"] = waiting_for(over)
    with serving(tmp_path, relay) as server:
        server.post("slow")
        until(lambda: "slow" in relay.whole, "the slow mail")
        server.post("next")
        until(lambda: relay.taken == ["next"], "the next mail")
        over.set()
        server.until_empty()
    assert relay.taken == ["next", "slow"]


def test_mails_behind_one_that_the_relay_scans_go_another_way_but_to_its_recipient(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    relay, over = Scripted(), threading.Event()
    relay.at_end["slow"] = waiting_for(over)
    others = [f"p{number}" for number in range(20)]
    with serving(tmp_path, relay) as server:
        server.post("slow", "slow", *others)
        until(lambda: len(relay.taken) == 20, "the others")
        assert sorted(relay.taken) == sorted(others)
        over.set()
        server.until_empty()
    assert relay.taken[20:] == ["slow", "slow"]
    (warning,) = [told for told in caplog.messages if "busy with out:1 for" in told]
    assert warning.endswith("; 21 mails behind it are free for others")


def test_a_large_batch_takes_a_few_connections_and_each_mail_goes_out_once_and_in_order(
    tmp_path: Path,
) -> None:
    relay, helped = Scripted(), threading.Event()
    names = [f"p{number % 60}" for number in range(180)]
    relay.at_end["p1"] = waiting_for(helped)

    def help_has_come(_: Wire) -> bool:
        helped.set()
        return False

    relay.at_end.update(dict.fromkeys(names[30:50], help_has_come))
    with serving(tmp_path, relay) as server:
        server.post(*names)
        server.until_empty()
    assert Counter(relay.taken) == Counter(names)
    numbers = [int(line.split()[1]) for line in relay.heard if line.startswith(b"Subject")]
    for person in range(60):
        assert [n for n in numbers if n % 60 == person] == [person, person + 60, person + 120]
    assert 2 <= relay.most <= 4


def test_a_relay_that_allows_one_connection_gets_all_by_it_and_is_not_asked_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbm.server.process.CONNECTIONS", 2)
    monkeypatch.setattr("pbm.server.process.SLOW_SECONDS", 600.0)
    caplog.set_level(logging.INFO, "pbm")
    refused = threading.Event()

    def greetings() -> Iterator[bytes]:
        yield b"220 x"
        refused.set()
        while True:
            yield b"421 4.7.0 too many connections"

    relay = Scripted()
    relay.greetings = greetings()
    names = [f"p{number}" for number in range(100)]
    relay.at_end["p9"] = waiting_for(refused)
    with serving(tmp_path, relay) as server:
        server.post("first")
        server.until_empty()
        monkeypatch.setattr("pbm.server.process.SLOW_SECONDS", 0.0)
        for _ in range(2):
            server.post(*names)
            server.until_empty()
    assert Counter(relay.taken) == Counter(["first", *names * 2])
    assert relay.connections == 2
    assert [told for told in caplog.messages if "busy with" not in told] == []
