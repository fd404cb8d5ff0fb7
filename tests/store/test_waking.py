"""A commit of one process wakes the stages of the others, on both databases."""

import socket
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from tests.doors import Bell, Letterbox, UnitOfWork, Wakes, create_engine, open_bell
from tests.store.samples import NOW, a_mail, an_answer

PATIENCE = 10.0


class Process:
    """One process, with its own connections, bell and stages."""

    def __init__(self, url: str) -> None:
        self.engine = create_engine(url)
        weakref.finalize(self, self.engine.dispose)
        self.bell: Bell = open_bell(self.engine)
        self.called = {stage: threading.Event() for stage in Wakes}

    @contextmanager
    def hearing(self) -> Iterator["Process"]:
        with self.bell.listening({stage: event.set for stage, event in self.called.items()}):
            self.wait_to_hear()
            yield self

    def wait_to_hear(self) -> None:
        """Return once calls arrive, with all forgotten that came before."""
        if self.engine.dialect.name == "postgresql":
            for event in self.called.values():
                assert event.wait(PATIENCE)
                event.clear()
        assert self.bell.hears

    def compose(self, *, commit: bool = True) -> None:
        with UnitOfWork(self.engine) as unit:
            unit.outbox.add([an_answer()], NOW)
            if commit:
                unit.commit()

    def take_in(self, content: bytes = b"any") -> None:
        Letterbox(self.engine, lambda _: None, most_waiting=100).put([a_mail(content)])


@pytest.fixture
def processes(url: str) -> Iterator[tuple[Process, Process]]:
    pair = Process(url), Process(url)
    yield pair
    for process in pair:
        process.engine.dispose()


def compose_and_retry(process: Process) -> None:
    process.compose()
    with UnitOfWork(process.engine) as unit:
        (row,) = unit.outbox.listing()
        assert unit.outbox.retry(row.id, NOW)
        unit.commit()


@pytest.mark.parametrize(
    ("make", "stage"),
    [
        (Process.take_in, Wakes.PLAY),
        (Process.compose, Wakes.DELIVER),
        (compose_and_retry, Wakes.DELIVER),
    ],
    ids=["a mail taken in", "a mail composed", "a retry"],
)
def test_work_that_is_committed_wakes_its_stage_in_other_processes_and_no_other_stage(
    processes: tuple[Process, Process], make: Callable[[Process], None], stage: Wakes
) -> None:
    maker, other = processes
    with other.hearing():
        make(maker)
        assert other.called[stage].wait(PATIENCE)
        assert not any(other.called[idle].is_set() for idle in set(Wakes) - {stage})


def test_what_is_rolled_back_wakes_nobody_and_a_process_does_not_wake_itself(
    processes: tuple[Process, Process],
) -> None:
    maker, other = processes
    with maker.hearing(), other.hearing():
        maker.compose(commit=False)
        # What comes later is heard later, so nothing was sent before.
        maker.take_in()
        assert other.called[Wakes.PLAY].wait(PATIENCE)
        assert not other.called[Wakes.DELIVER].is_set()
        other.take_in()
        assert maker.called[Wakes.PLAY].wait(PATIENCE)
        assert not maker.called[Wakes.DELIVER].is_set()


def test_a_flood_of_calls_to_a_process_that_is_busy_holds_nobody_up(
    processes: tuple[Process, Process],
) -> None:
    maker, other = processes
    busy, calls = threading.Event(), []

    def wake() -> None:
        calls.append(1)
        assert busy.wait(PATIENCE)

    with other.bell.listening({Wakes.DELIVER: wake}):
        for _ in range(100):
            maker.compose()
        busy.set()
    assert len(calls) < 100


def test_who_no_longer_listens_is_called_no_more(processes: tuple[Process, Process]) -> None:
    maker, other = processes
    with other.hearing():
        pass
    assert not other.bell.hears
    maker.compose()
    with other.hearing():
        assert not other.called[Wakes.DELIVER].is_set()


def sockets_of(url: str) -> Path:
    return Path(f"{url.removeprefix('sqlite:///')}-wake")


def test_the_socket_that_a_killed_process_has_left_is_removed_by_the_next_call(
    sqlite_url: str,
) -> None:
    maker, other = Process(sqlite_url), Process(sqlite_url)
    with other.hearing():
        left = sockets_of(sqlite_url) / "deliver.gone"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as dead:
            dead.bind(str(left))
        assert left.exists()
        maker.compose()
        assert other.called[Wakes.DELIVER].wait(PATIENCE)
        assert not left.exists()
    assert list(sockets_of(sqlite_url).iterdir()) == []


def test_only_the_owner_of_the_database_can_reach_the_sockets(sqlite_url: str) -> None:
    with Process(sqlite_url).hearing():
        assert sockets_of(sqlite_url).stat().st_mode & 0o777 == 0o700


def test_a_path_that_is_too_long_for_a_socket_is_no_hindrance(
    tmp_path: Path, sqlite_url: str
) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    file = Path(sqlite_url.removeprefix("sqlite:///")).rename(folder / "pbm.db")
    maker, other = Process(f"sqlite:///{file}"), Process(f"sqlite:///{file}")
    with other.hearing():
        maker.compose()
        assert other.called[Wakes.DELIVER].wait(PATIENCE)


def test_where_no_socket_can_be_made_nothing_is_heard_and_all_else_works(sqlite_url: str) -> None:
    sockets_of(sqlite_url).write_text("a file is in the way")
    maker, other = Process(sqlite_url), Process(sqlite_url)
    with other.bell.listening({Wakes.DELIVER: other.called[Wakes.DELIVER].set}):
        assert not other.bell.hears
        maker.compose()
    with UnitOfWork(other.engine) as unit:
        assert len(unit.outbox.listing()) == 1


@pytest.mark.postgres
def test_a_connection_that_is_lost_is_made_again_and_nothing_is_missed(
    postgres_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbm.store.driver.waking._AGAIN_SECONDS", 0.05)
    url = postgres_engine.url.render_as_string(hide_password=False)
    maker, other = Process(url), Process(url)
    with other.hearing():
        with maker.engine.begin() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
                )
            )
        # Calls of the time in between cannot be heard, so every stage looks once it can hear.
        other.wait_to_hear()
        maker.compose()
        assert other.called[Wakes.DELIVER].wait(PATIENCE)
    for process in (maker, other):
        process.engine.dispose()


@pytest.mark.postgres
def test_while_the_database_is_down_nothing_is_heard_and_the_end_comes_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deaf = Process("postgresql://nobody@127.0.0.1:1/none")
    with deaf.bell.listening({Wakes.PLAY: deaf.called[Wakes.PLAY].set}):
        assert not deaf.bell.hears
    assert not deaf.called[Wakes.PLAY].is_set()
    deaf.engine.dispose()
