"""Which cores servers keep to: real processes, as the kernel sees them (sched_setaffinity(2))."""

import os
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from pbm.cores import one_of, usable
from pbm.dispatch.reading import Reading
from pbm.passwords import HashWorks
from pbm.service.passwords import Wanted
from pbm.service.tokens import TokenMint
from tests.e2e.server import Server
from tests.house import QUICK_PASSWORDS
from tests.processes import Process, Streams, fork, until
from tests.service.houses import GRAMMAR, mail

ALL = usable()
READING = Reading(mail(), GRAMMAR, TokenMint(b"k" * 32))

pytestmark = pytest.mark.skipif(len(ALL) < 2, reason="this machine has one core")


def cores_of(server: Server | Process) -> set[int]:
    """Return the cores that the threads of a server may run on."""
    tasks = Path(f"/proc/{server.pid}/task").iterdir()
    return set().union(*(os.sched_getaffinity(int(task.name)) for task in tasks))


def test_a_server_that_does_all_keeps_to_one_core(tmp_path: Path) -> None:
    with Server(tmp_path, "--relay", "null:") as server:
        assert len(cores_of(server)) == 1


def test_a_server_that_does_all_but_play_keeps_to_one_core(tmp_path: Path) -> None:
    with Server(tmp_path, "--roles", "intake,deliver", "--relay", "null:") as server:
        assert len(cores_of(server)) == 1


def test_a_process_that_only_plays_keeps_to_one_core(tmp_path: Path) -> None:
    log = tmp_path / "play.log"
    arguments = ("serve", "--smtp", "", "--roles", "play", "--relay", "null:")
    streams = Streams(log, log)
    with fork(*arguments, home=tmp_path, streams=streams) as process:
        until(lambda: log.exists() and "begins: play" in log.read_text(), "the process to begin")
        assert len(cores_of(process)) == 1


def test_a_server_with_one_busy_role_may_run_on_all_cores(tmp_path: Path) -> None:
    with Server(tmp_path, "--roles", "intake", "--relay", "null:") as server:
        assert cores_of(server) == ALL


def test_the_processes_of_a_house_spread_over_all_cores_whatever_others_have_claimed() -> None:
    with ExitStack() as stack:
        for _ in range(2):
            taken: list[int] = []
            stack.enter_context(one_of(ALL, "another"))
            with ExitStack() as ours:
                for _ in ALL:
                    ours.enter_context(one_of(ALL, "ours"))
                    taken += usable()
            assert sorted(taken) == sorted(ALL)
    assert usable() == ALL


def test_houses_of_one_process_each_spread_over_all_cores() -> None:
    taken: set[int] = set()
    with ExitStack() as stack:
        # Servers of other tests may have claimed some.
        for house in range(32):
            stack.enter_context(one_of(ALL, str(house)))
            taken |= usable()
    assert taken == ALL


@pytest.mark.parametrize("name", [b"pbm-core/evil/1", b"pbm-core/", b"caf\xe9", b"pbm-core/9" * 9])
def test_sockets_of_others_hinder_nobody_whatever_their_names(name: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(b"\0" + name)
        with one_of(ALL, "ours"):
            assert len(usable()) == 1


class Roaming:
    """The usual passwords, with the cores on which they were compared."""

    def __init__(self) -> None:
        self.cores: frozenset[int] = frozenset()

    def hash(self, password: str) -> str:
        return QUICK_PASSWORDS.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        self.cores = usable()
        return QUICK_PASSWORDS.verify(password_hash, password)

    def well_known(self, password: str) -> bool:
        return QUICK_PASSWORDS.well_known(password)


def test_passwords_are_compared_on_all_cores_though_the_server_keeps_to_one() -> None:
    passwords = Roaming()
    works = HashWorks(passwords, ALL)
    with one_of(ALL, "here"):
        works.begin(1, READING, [Wanted("secret", QUICK_PASSWORDS.hash("secret"))])
        works.wait([1])
    works.close()
    assert passwords.cores == ALL
