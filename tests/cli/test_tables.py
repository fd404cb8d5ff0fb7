"""Tables fit the terminal; what a pipe or a script gets is whole."""

import os
import pty
import struct
import termios
from fcntl import ioctl
from pathlib import Path

import pytest

from pbm.cli.printing import table_lines
from tests.cli.terminal import done, pbm
from tests.e2e.nursery import Born, Streams
from tests.e2e.server import PATIENCE, clean_environment

LONG = "a-very-long-name-of-somebody@a-very-long-name-of-a-host.example.com"
ROWS = (("userid", "state", "addresses"), ("alice", "active", LONG), ("bob", "active", "b@x.y"))


def test_without_a_terminal_nothing_is_cut() -> None:
    assert table_lines(ROWS, None)[1] == f"alice   active  {LONG}"


@pytest.mark.parametrize("width", [30, 40, 60])
def test_on_a_terminal_the_widest_column_is_cut_and_says_so(width: int) -> None:
    lines = table_lines(ROWS, width)
    assert max(map(len, lines)) == width
    assert lines[1].startswith("alice   active  a-very")
    assert lines[1].endswith("\N{HORIZONTAL ELLIPSIS}")
    assert lines[2] == "bob     active  b@x.y"


def test_several_long_columns_are_cut_alike() -> None:
    lines = table_lines((("x" * 50, "y" * 40, "z"),), 40)
    assert [len(cell) for cell in lines[0].split()] == [17, 18, 1]


def test_a_column_stays_wide_enough_to_say_something_even_in_a_tiny_window() -> None:
    assert table_lines(ROWS, 5)[1] == "alice   active  a-very-\N{HORIZONTAL ELLIPSIS}"


def on_terminal(columns: int, *arguments: str, typed: bytes = b"") -> tuple[int, str]:
    """Run a command on a terminal of so many columns; return its status and what is shown."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.write(ours, typed)
    terminal = Path(os.ttyname(theirs))
    streams = Streams(terminal, terminal, terminal)
    environment = {k: v for k, v in clean_environment().items() if k not in ("COLUMNS", "LINES")}
    status = Born(arguments, Path.cwd(), environment, streams).wait(PATIENCE)
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as shown:
        return status, shown.read(65_536).decode().replace("\r\n", "\n")


@pytest.mark.usefixtures("table")
def test_a_list_fits_the_terminal_and_is_whole_in_json() -> None:
    done("user", "address", "alice", LONG)
    _, shown = on_terminal(40, "user", "list")
    assert "alice" in shown
    assert max(map(len, shown.splitlines())) <= 40
    assert LONG not in shown
    assert LONG in done("user", "list")
    assert pbm("user", "list", "--json").json[0]["addresses"] == [LONG]


@pytest.mark.usefixtures("table")
def test_a_long_command_shows_how_far_it_is_on_a_terminal_only() -> None:
    assert "replaying" in on_terminal(80, "verify")[1]
    assert pbm("verify").err == ""


@pytest.mark.usefixtures("table")
def test_a_mail_to_all_is_asked_about_at_a_terminal() -> None:
    Path("letter.txt").write_text("Hello.")
    status, shown = on_terminal(80, "announce", "Tonight", "letter.txt", typed=b"n\n")
    assert status == 1
    assert "Send it to 2 players?" in shown
    assert pbm("audit", "--act", "announce", "--json").json == []
