"""Output of commands is harmless, fits the terminal, and masks the secrets of mails."""

import json
import os
import pty
import re
import struct
import termios
import unicodedata
from fcntl import ioctl
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbm.cli import group
from pbm.cli.printing import mask, printable, table_lines
from tests.cli.terminal import PASSWORD, done, hand_in, pbm, sql
from tests.installing import install
from tests.processes import Streams, clean_environment, fork
from tests.readings import answers

HARMFUL = r"""
# A harmful character is shown by its number.
a\x1b[2J\x1b]0;title\x07    -> a\\x1b[2J\\x1b]0;title\\x07
\x9b31m                     -> \\x9b31m
\x7f\x08\r.                 -> \\x7f\\x08\\r.
\u202eevil\u202c            -> \\u202eevil\\u202c
\u2066x\u2069\u200f         -> \\u2066x\\u2069\\u200f
\u200b\u2060\ufeff\u00ad    -> \\u200b\\u2060\\ufeff\\xad
a\u2028\u2029\x85b          -> a\\u2028\\u2029\\x85b
\ud800                      -> \\ud800
\U000e0041                  -> \\U000e0041
# What people write stays as it is.
plain                       -> plain
two\nlines\tand a tab       -> two\nlines\tand a tab
Zo\xeb, \u65e5\u672c\u8a9e  -> Zo\xeb, \u65e5\u672c\u8a9e
\U0001f44d, e\u0301, a\xa0b -> \U0001f44d, e\u0301, a\xa0b
"""


def test_a_harmful_character_is_shown_by_its_number_and_no_other() -> None:
    assert answers(HARMFUL, printable) == HARMFUL
    kinds = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    harmful = [x for x in map(chr, range(0x110000)) if unicodedata.category(x) in kinds]
    assert len(harmful) > 2000
    assert not {*printable("".join(harmful), kept="")} & {*harmful}


ATTACK = "\x1b]0;x\x07\x9b2J\u202e\x7f\nroot: all is well"
INBOX = "id, state, sender, recipients, received_at, error, shunted_at"
LETTER = (
    b"Return-Path: <a@b>\r\nFrom: =?utf-8?q?=1B]0;x=07=C2=9B2J=E2=80=AE?= <a@b.c>\r\n"
    b"To: alice@example.com\r\nSubject: =?utf-8?q?=1B]0;x=07=C2=9B2J?=\r\n\r\n\x1b]0;x\x07\r\n"
)


@pytest.fixture
def attacked(table: Path) -> Path:
    """Return a working directory where every text that can be stored is an attack."""
    at = "'2026-01-01T00:00:00.000000Z'"
    for statement in (
        "UPDATE addresses SET address = ?1",
        "UPDATE outbox SET error = ?1",
        "UPDATE audit SET why = ?1, operator = ?1",
        f"INSERT INTO bans VALUES (?1, {at}, ?1)",
        f"INSERT INTO log VALUES (101, 0, 'chat', 0, '', ?1, {at})",
        "UPDATE matches SET log_length = 1 WHERE ?1 != ''",
        f"INSERT INTO inbox ({INBOX}) VALUES (1, 'shunted', ?1, '[]', {at}, 'Trace\n' || ?1, {at})",
    ):
        sql(statement, ATTACK)
    text = f"From: {ATTACK}\r\n\r\n{ATTACK}".encode()
    sql("INSERT INTO inbox_texts VALUES (1, ?)", text)
    letter = Path(f"var/mail/new/000001.{32 * 'a'}.pbm")
    letter.parent.mkdir(parents=True)
    Path("var/mail/cur").mkdir()
    letter.write_bytes(LETTER)
    return table


COMMANDS = (
    "user list", "user show alice", "user export alice", "game list", "game show 101",
    "game record 101", "game record 101 --text", "outbox list", "shunt list", "shunt show 1",
    "ban list", "audit", "mail list", "mail show 1", "user list --json", "outbox list --json",
    "shunt list --json", "ban list --json", "audit --json", "mail list --json", "stats", "verify",
)  # fmt: skip


@pytest.mark.usefixtures("attacked")
def test_no_command_prints_what_a_mail_brought_as_it_is() -> None:
    for command in COMMANDS:
        typed = pbm(*command.split())
        assert typed.status == 0, typed
        harmful = {c for c in typed.out + typed.err if not c.isprintable()} - {"\n", "\t"}
        assert harmful == set(), command
        if "json" in command or "export" in command:
            json.loads(typed.out)
    for command in ("user list", "outbox list", "ban list", "audit"):
        shown = done(*command.split())
        assert "all is well" in shown
        assert not any(line.startswith("root:") for line in shown.splitlines()), command
    assert {row["why"] for row in pbm("audit", "--json").json} == {ATTACK}


ATTACKING = f"""
from dataclasses import replace
from games.gonnect import game as gonnect


class Attacking(type(gonnect)):
    info = replace(gonnect.info, key="attacking", title="Attacking", aliases=())

    def start(self, setup):
        raise ZeroDivisionError({ATTACK!r})


game = Attacking()
"""


def test_a_bug_is_told_by_its_traceback_without_what_could_harm(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(table / "site", monkeypatch, "attacking", ATTACKING)
    typed = pbm("rules", "trace", "attacking", stdin="A1\n")
    assert typed.status == 1
    assert typed.err.startswith("Traceback")
    assert r"ZeroDivisionError: \x1b]0;x\x07" in typed.err
    assert {letter for letter in typed.err if not letter.isprintable()} <= {"\n"}


# ---- the width of a terminal

LONG = "a-very-long-name-of-somebody@a-very-long-name-of-a-host.example.com"
ROWS = (("userid", "state", "addresses"), ("alice", "active", LONG), ("bob", "active", "b@x.y"))


def test_a_table_is_cut_on_a_terminal_only_in_its_widest_columns_and_says_so() -> None:
    assert table_lines(ROWS, None)[1] == f"alice   active  {LONG}"
    for width in (30, 40, 60):
        lines = table_lines(ROWS, width)
        assert max(map(len, lines)) == width
        assert lines[1].startswith("alice   active  a-very")
        assert lines[1].endswith("\N{HORIZONTAL ELLIPSIS}")
        assert lines[2] == "bob     active  b@x.y"
    alike = table_lines((("x" * 50, "y" * 40, "z"),), 40)
    assert [len(cell) for cell in alike[0].split()] == [17, 18, 1]
    # A column says something even in a tiny window.
    assert table_lines(ROWS, 5)[1] == "alice   active  a-very-\N{HORIZONTAL ELLIPSIS}"


def on_terminal(columns: int, *arguments: str, typed: bytes = b"") -> tuple[int, str]:
    """Run a command on a terminal of so many columns; return its status and what is shown."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.write(ours, typed)
    terminal = Path(os.ttyname(theirs))
    streams = Streams(terminal, terminal, terminal)
    environment = {k: v for k, v in clean_environment().items() if k not in ("COLUMNS", "LINES")}
    with fork(*arguments, home=Path.cwd(), environment=environment, streams=streams) as process:
        status = process.wait()
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as shown:
        return status, shown.read(65_536).decode().replace("\r\n", "\n")


@pytest.mark.slow
@pytest.mark.usefixtures("table")
def test_a_list_fits_the_terminal_and_is_whole_elsewhere() -> None:
    done("user", "address", "alice", LONG)
    _, shown = on_terminal(40, "user", "list")
    assert "alice" in shown
    assert max(map(len, shown.splitlines())) <= 40
    assert LONG not in shown
    assert LONG in done("user", "list")


@pytest.mark.usefixtures("table")
def test_on_a_terminal_a_long_command_shows_how_far_it_is_and_a_mail_to_all_is_asked_about() -> (
    None
):
    assert "replaying" in on_terminal(80, "verify")[1]
    assert pbm("verify").err == ""
    Path("letter.txt").write_text("Hello.")
    status, shown = on_terminal(80, "announce", "Tonight", "letter.txt", typed=b"n\n")
    assert status == 1
    assert "Send it to 2 players?" in shown
    assert pbm("audit", "--act", "announce", "--json").json == []


@pytest.mark.usefixtures("table")
def test_a_password_is_asked_for_in_place_of_a_dash_and_not_shown() -> None:
    line = ["user", "password", "alice", "-"]
    asked = CliRunner().invoke(group, line, "new-one-9\nnew-one-9\n")
    assert (asked.exit_code, "changed" in asked.output) == (0, True)
    assert "new-one-9" not in asked.output
    for password, ply in ((PASSWORD, 0), ("new-one-9", 1)):
        hand_in(f"move 101 alice {password} C3")
        done("work")
        assert pbm("game", "show", "101", "--json").json["ply"] == ply


# ---- the secrets of mails

MAILS = (Path(__file__).parent / "masked.txt").read_text("utf-8")


def test_what_an_operator_needs_of_a_mail_is_shown_and_nothing_else() -> None:
    raw, masked, odd = re.split(r"== .* ==\n", MAILS)
    assert mask(raw) == masked
    for secret in ("s3cret", "k3v9qd7xw2", "private", "c2VjcmV0"):
        assert secret not in mask(raw.replace("\n", "\r\n"))
    for text in odd.splitlines():
        assert "s3cret" not in mask(text.encode().decode("unicode-escape")), text
    # The length of a word is not told.
    assert mask("Subject: a\n\nb") == mask("Subject: aaaaaaaa\n\nbbbbb")
