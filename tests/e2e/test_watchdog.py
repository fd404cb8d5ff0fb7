"""`pbm serve` tells systemd that it is ready, and that it lives for as long as all of it turns."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.people import Person
from tests.e2e.server import PATIENCE, Server, clean_environment, until
from tests.e2e.sink import Sink

WATCHDOG_SECONDS = 1.0


class Systemd:
    """The socket that a service tells its state."""

    def __init__(self, path: Path) -> None:
        self.address = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(PATIENCE)
        self.environment = clean_environment(
            NOTIFY_SOCKET=str(path), WATCHDOG_USEC=str(int(WATCHDOG_SECONDS * 1e6))
        )

    def hear(self) -> list[str]:
        """Return the lines of the next message."""
        return self._socket.recv(4096).decode().split("\n")

    def hear_of(self, begin: str) -> str:
        """Return the next line that begins so, and forget those before it."""

        def look() -> str:
            return next((line for line in self.hear() if line.startswith(begin)), "")

        return until(look, begin)

    def is_silent(self, seconds: float) -> bool:
        """Return whether nothing is heard for so long."""
        self._socket.settimeout(seconds)
        try:
            self._socket.recv(4096)
        except TimeoutError:
            return True
        finally:
            self._socket.settimeout(PATIENCE)
        return False

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    listening = Systemd(tmp_path / "notify")
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
    with Server(tmp_path, environment=systemd.environment) as server:
        assert systemd.hear() == ["READY=1", "STATUS=at work: deliver, intake, play, remind"]
        began = time.monotonic()
        for _ in range(4):
            assert systemd.hear() == ["WATCHDOG=1"]
        assert time.monotonic() - began < WATCHDOG_SECONDS
        assert server.stop() == 0
        assert systemd.hear_of("S") == "STOPPING=1"


def test_a_stage_that_hangs_ends_the_signs_of_life_and_says_so_in_the_log(
    tmp_path: Path, systemd: Systemd, mute_relay: str
) -> None:
    server = Server(tmp_path, "--relay", mute_relay, environment=systemd.environment)
    with server, Sink() as sink:
        Person("alice", server, sink).write("signup alice green-apple-tree")
        status = systemd.hear_of("STATUS=stuck")
        assert status.startswith("STATUS=stuck: deliver for ")
        assert systemd.is_silent(2 * WATCHDOG_SECONDS)
        assert "stuck: deliver for " in server.log
        server.abort()
        assert "most recent call first" in server.log
        assert "green-apple-tree" not in server.log


def test_a_server_that_systemd_did_not_start_tells_nobody(tmp_path: Path) -> None:
    lost = tmp_path / "nobody-is-here"
    environment = clean_environment(NOTIFY_SOCKET=str(lost), WATCHDOG_USEC="1000000")
    with Server(tmp_path, environment=environment) as server:
        assert server.stop() == 0
    assert "systemd cannot be told READY=1: No such file or directory" in server.log
