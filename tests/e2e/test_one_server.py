"""One server at a time for one socket, whatever becomes of it; real processes, and kill -9."""

import fcntl
import os
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.processes import run_pbm

NOBODY = ("--smtp", "", "--relay", "null:")


def greeting(path: Path) -> bytes:
    """Return the first word of whoever listens at a Unix socket."""
    with smtplib.LMTP(str(path)) as client:
        return client.ehlo()[1].partition(b"\n")[0]


def refusal(home: Path, *options: str) -> str:
    """Return the one line with which another server does not start."""
    ended = run_pbm("serve", *options, home=home)
    assert ended.returncode == 1
    assert ended.stdout == ""
    line, *further = [line for line in ended.stderr.splitlines() if line.startswith("pbm: ")]
    assert not further
    assert "Traceback" not in ended.stderr
    return line


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    return tmp_path


def test_a_second_server_is_told_who_has_the_socket_and_leaves_it_alone(home: Path) -> None:
    path = home / "lmtp"
    with Server(home / "a", "--lmtp", str(path), "--relay", "null:") as first:
        line = refusal(home / "b", *NOBODY, "--lmtp", str(path))
        assert line.startswith(f"pbm: {path} is taken by process {first.pid} on {os.uname()[1]}, ")
        assert line.endswith(" UTC.")
        assert greeting(path)
        assert first.stop() == 0
    assert not path.exists()


def test_the_socket_of_a_killed_server_is_taken_over(home: Path) -> None:
    path = home / "lmtp"
    with Server(home / "a", "--lmtp", str(path), "--relay", "null:") as killed:
        killed.kill()
    assert path.is_socket()
    with Server(home / "b", "--lmtp", str(path), "--relay", "null:") as second:
        assert greeting(path)
        assert second.stop() == 0


def test_a_socket_of_another_program_and_a_file_are_left_alone(home: Path) -> None:
    path = home / "lmtp"
    with Server(home / "a", "--lmtp", str(path), "--relay", "null:") as first:
        Path(f"{path}.lock").unlink()  # as an older pbm, which makes none
        line = refusal(home / "b", *NOBODY, "--lmtp", str(path))
        assert line.startswith(f"pbm: {path} is taken by process {first.pid} (")
        assert greeting(path)
    (home / "file").write_text("mine")
    line = refusal(home / "b", *NOBODY, "--lmtp", str(home / "file"))
    assert line == f"pbm: {home / 'file'} is there, and is no socket."
    assert (home / "file").read_text() == "mine"


def test_a_second_server_at_a_tcp_port_is_told_who_has_it(home: Path) -> None:
    with Server(home / "a", "--relay", "null:") as first:
        line = refusal(home / "b", "--smtp", first.address, "--relay", "null:")
        assert line.startswith(f"pbm: {first.address} is taken by process {first.pid} (")


def test_processes_of_one_host_share_a_sqlite_file_whatever_their_roles(home: Path) -> None:
    database = ("--database", f"sqlite:///{home / 'pbm.db'}", "--relay", "null:")
    secret = ("--secret", str(home / "key"))
    with (
        Server(home / "a", *database, *secret) as one,
        Server(home / "b", *database, *secret) as two,
    ):
        assert (two.stop(), one.stop()) == (0, 0)


@contextmanager
def on_another_host(file: Path) -> Iterator[None]:
    """Hold a database as a pbm does on a host that has it by a network file system."""
    beside = file.with_name(f"{file.name}-host")
    beside.write_text("77 2026-11-22T03:00:00+00:00 0d5a1e6c-another-boot elsewhere\n")
    with beside.open() as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        yield


def test_two_hosts_do_not_share_a_sqlite_file(home: Path) -> None:
    file = home / "pbm.db"
    options = ("--smtp", "127.0.0.1:0", "--relay", "null:", "--database", f"sqlite:///{file}")
    with on_another_host(file):
        line = refusal(home / "b", *options)
    holder = "process 77 on elsewhere, since 2026-11-22 03:00:00 UTC"
    assert line == (
        f"pbm: {file} is in use by {holder}, and SQLite cannot be shared between hosts. "
        "Use PostgreSQL, or stop pbm there first."
    )
    assert not file.exists()
    with Server(home / "b", *options[2:]) as alone:  # the other host has let go
        assert alone.stop() == 0
