"""`pbm serve` as a supervisor sees it: its first lines, signals and exit status."""

import signal
from pathlib import Path

import pytest

from tests.cli.terminal import pbm
from tests.e2e.conftest import PASSWORD
from tests.e2e.people import hand_in, letter
from tests.e2e.server import Server
from tests.processes import PBM, clean_environment, run_pbm, start


def test_sigterm_ends_it_with_status_0_and_what_was_taken_is_kept(tmp_path: Path) -> None:
    with Server(tmp_path, "--roles", "intake", command=PBM) as server:
        hand_in(
            server,
            "alice@example.com",
            letter("alice@example.com", "signup alice green-apple-tree"),
        )
        assert server.stop() == 0
        assert "stopping" in server.log
        assert "Traceback" not in server.log
    # What is tested is the start and end of the server; these two need not be started anew.
    assert run_pbm("work", home=tmp_path).returncode == 0
    assert "Open your account" in run_pbm("mail", "list", home=tmp_path).stdout


def test_sigint_ends_it_with_status_0(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert server.stop(signal.SIGINT) == 0


def test_each_listener_is_told_in_a_line_of_its_own(tmp_path: Path) -> None:
    listeners = ("--smtp", "127.0.0.1:0,127.0.0.1:0", "--lmtp", str(tmp_path / "lmtp"))
    with start(*PBM, "serve", *listeners, home=tmp_path, environment=clean_environment()) as serves:
        lines = [serves.stdout.readline() for _ in range(3)]
        assert serves.end() == 0
        assert serves.stdout.read() == ""
    ports = {line.removeprefix("listening smtp 127.0.0.1:") for line in lines[:2]}
    assert len(ports) == 2
    assert all(int(port) > 0 for port in ports)
    assert lines[2] == f"listening lmtp {tmp_path / 'lmtp'}\n"


def test_a_taken_port_is_told_in_one_line_with_status_1(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        second = run_pbm("serve", "--smtp", server.address, home=tmp_path)
    assert (second.returncode, second.stdout) == (1, "")
    (line,) = second.stderr.splitlines()
    assert line.startswith("pbm: ")
    assert "is taken by process " in line


def test_a_terminal_alone_is_enough_to_open_an_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Server(tmp_path, "--roles", "intake") as server:
        to = ("--server", server.address)
        for arguments in (
            ("send", "--from", "alice@example.com", *to, f"signup alice {PASSWORD}", "please"),
            ("work",),
            ("mail", "reply", *to, "1", "yes"),
            ("work",),
        ):
            assert pbm(*arguments).status == 0, arguments
    assert "alice@example.com" in pbm("mail", "show", "2").out
    found = [row["userid"] for row in pbm("user", "list", "--json").json]
    assert [userid for userid in found if not userid.startswith("robot-")] == ["alice"]
