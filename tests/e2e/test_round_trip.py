"""deploy/round-trip.py: a mail to a real server, and its answer in a Maildir."""

import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.server import Server
from tests.processes import PATIENCE
from tests.sink import Sink

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "round-trip.py"


def tried(server: Server, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the script to its end."""
    asked = ("--from", "you@example.org", "--to", "pbm@localhost", "--smtp", server.address)
    maildir = ("--maildir", str(server.home / "mail"))
    return subprocess.run(
        [sys.executable, str(SCRIPT), *asked, *maildir, *options],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


def test_the_seconds_until_the_answer_are_printed(tmp_path: Path) -> None:
    with Server(tmp_path, "--relay", f"maildir:{tmp_path / 'mail'}") as server:
        ended = tried(server)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert re.fullmatch(r"answered after \d+\.\d s\n", ended.stdout)


def test_without_an_answer_or_a_server_the_status_is_1(tmp_path: Path) -> None:
    with Sink() as sink, Server(tmp_path, "--relay", sink.relay) as server:
        ended = tried(server, "--wait", "0.2")
        assert (ended.returncode, ended.stderr) == (1, "no answer within 0.2 s\n")
    ended = tried(server)
    assert ended.returncode == 1
    assert f"{server.address} does not take the mail" in ended.stderr
