"""`pbm serve` tells systemd that it is ready, and that it lives for as long as all of it turns."""

import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.people import Person
from tests.e2e.server import Server
from tests.e2e.systemd import Systemd
from tests.processes import clean_environment
from tests.sink import Sink

WATCHDOG_SECONDS = 0.5


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    listening = Systemd(tmp_path / "notify", WATCHDOG_SECONDS)
    yield listening
    listening.close()


@pytest.fixture
def mute_relay() -> Iterator[str]:
    """A relay that lets everybody in and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as relay:
        yield f"smtp://127.0.0.1:{relay.getsockname()[1]}"


def test_systemd_hears_that_the_server_is_ready_lives_and_ends(
    tmp_path: Path, systemd: Systemd
) -> None:
    with Server(tmp_path, environment=clean_environment(**systemd.variables)) as server:
        assert systemd.hear() == ["READY=1", "STATUS=at work: deliver, intake, play, remind, think"]
        assert systemd.heard_within(2 * WATCHDOG_SECONDS).count("WATCHDOG=1") >= 4
        assert server.stop() == 0
        assert systemd.hear_of("STOPPING") == "STOPPING=1"


def test_a_stage_that_hangs_ends_the_signs_of_life_and_says_so_in_the_log(
    tmp_path: Path, systemd: Systemd, mute_relay: str
) -> None:
    server = Server(
        tmp_path, "--relay", mute_relay, environment=clean_environment(**systemd.variables)
    )
    with server, Sink() as sink:
        Person("alice", server, sink).write("signup alice green-apple-tree")
        assert systemd.hear_of("deliver for ").startswith("STATUS=stuck: ")
        assert "WATCHDOG=1" not in systemd.heard_within(WATCHDOG_SECONDS)
        assert "deliver for " in server.log
        server.stop(signal.SIGABRT)
        assert "most recent call first" in server.log
        assert "green-apple-tree" not in server.log


def test_a_systemd_that_does_not_listen_holds_up_nothing(tmp_path: Path, systemd: Systemd) -> None:
    while systemd.says_to_itself("WATCHDOG=1"):
        pass
    with Server(tmp_path, environment=clean_environment(**systemd.variables)) as server:
        assert server.stop() == 0
    assert "systemd cannot be told STOPPING=1: Resource temporarily unavailable" in server.log


def test_a_server_that_systemd_did_not_start_tells_nobody(tmp_path: Path) -> None:
    lost = tmp_path / "nobody-is-here"
    environment = clean_environment(NOTIFY_SOCKET=str(lost), WATCHDOG_USEC="1000000")
    with Server(tmp_path, environment=environment) as server:
        assert server.stop() == 0
    assert "systemd cannot be told READY=1: No such file or directory" in server.log
