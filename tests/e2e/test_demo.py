"""`make demo`: the match that a newcomer sees first."""

import sys
from pathlib import Path

import pytest

from tests.demo import SCRIPT, Step, main
from tests.processes import clean_environment, run

pytestmark = pytest.mark.slow


def test_the_demo_prints_every_mail_of_a_match_and_ends_with_status_0(tmp_path: Path) -> None:
    demo = (sys.executable, "-m", "tests.demo")
    ended = run(*demo, home=tmp_path, environment=clean_environment())
    assert ended.returncode == 0, ended.stderr
    mails = ended.stdout.count("  | From: ")
    assert mails == sum(len(step.told) for step in SCRIPT)
    said = " ".join(ended.stdout.replace("  | ", "").split())
    for phrase in (
        "alice writes: Have fun!",
        "the players have exchanged sides",
        "C3 is already occupied by a stone of",
        "You lost; bob won: a chain joins two opposite sides.",
    ):
        assert phrase in said
    assert list(tmp_path.iterdir()) == []


def test_the_demo_ends_with_status_1_where_the_server_says_something_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    opened = Step(
        "alice", "signup alice green-apple-tree", (("alice", "alice won"),), answers=False
    )
    assert main([opened]) == 1
    assert "alice@example.com should read 'alice won'" in capsys.readouterr().err
