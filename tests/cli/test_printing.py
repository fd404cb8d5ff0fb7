"""What commands print is harmless, fits the terminal, and masks the secrets of mails."""

import json
import logging
import os
import pty
import sqlite3
import struct
import subprocess
import sys
import termios
import unicodedata
from contextlib import closing
from fcntl import ioctl
from pathlib import Path

import pytest

from pbm.cli.printing import PrintableFormatter, mask, printable, table_lines
from tests.cli.terminal import done, pbm
from tests.processes import Streams, clean_environment, fork
from tests.tables import each

HARMFUL = (
    ("\x1b[2J\x1b]0;title\x07", r"\x1b[2J\x1b]0;title\x07"),
    ("\x9b31m", r"\x9b31m"),
    ("\x7f\x08\r", r"\x7f\x08\r"),
    ("\u202eevil\u202c", r"\u202eevil\u202c"),
    ("\u2066x\u2069\u200f", r"\u2066x\u2069\u200f"),
    ("\u200b\u2060\ufeff\u00ad", r"\u200b\u2060\ufeff\xad"),
    ("\u2028\u2029\x85", r"\u2028\u2029\x85"),
    ("\ud800", r"\ud800"),
    ("\U000e0041", r"\U000e0041"),
)


@each(("text", "shown"), HARMFUL, ids=[shown for _, shown in HARMFUL])
def test_a_harmful_character_is_shown_by_its_number(text: str, shown: str) -> None:
    assert printable(f"a{text}b") == f"a{shown}b"


@pytest.mark.parametrize(
    "text", ["plain", "two\nlines\tand a tab", "Zoë, 日本語, 👍, é", "a\u00a0b"]
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_no_harmful_character_of_unicode_is_forgotten() -> None:
    kinds = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    harmful = [x for x in map(chr, range(0x110000)) if unicodedata.category(x) in kinds]
    assert len(harmful) > 2000
    assert not {*printable("".join(harmful), kept="")} & {*harmful}


ATTACK = "\x1b]0;x\x07\x9b2J\u202e\x7f\nroot: all is well"


@pytest.fixture
def attacked(table: Path) -> Path:
    """Return a working directory where every text that can be stored is an attack."""
    with closing(sqlite3.connect("var/pbm.db")) as database, database:
        database.execute("UPDATE addresses SET address = ?", [ATTACK])
        database.execute("UPDATE outbox SET error = ?", [ATTACK])
        database.execute("UPDATE audit SET why = ?, operator = ?", [ATTACK, ATTACK])
        database.execute("INSERT INTO bans VALUES (?, '2026-01-01T00:00:00.000000Z', ?)",
                         [ATTACK, ATTACK])  # fmt: skip
        database.execute(
            "INSERT INTO log VALUES (101, 0, 'chat', 0, '', ?, '2026-01-01T00:00:00.000000Z')",
            [ATTACK],
        )
        database.execute("UPDATE matches SET log_length = 1")
        database.execute(
            "INSERT INTO inbox (id, state, sender, recipients, received_at, error, shunted_at)"
            " VALUES (1, 'shunted', ?, '[]', '2026-01-01T00:00:00.000000Z', ?, "
            "'2026-01-01T00:00:00.000000Z')",
            [ATTACK, f"Traceback\n{ATTACK}"],
        )
        text = f"From: {ATTACK}\r\n\r\n{ATTACK}".encode()
        database.execute("INSERT INTO inbox_texts VALUES (1, ?)", [text])
    letter = Path(f"var/mail/new/000001.{32 * 'a'}.pbm")
    letter.parent.mkdir(parents=True)
    Path("var/mail/cur").mkdir()
    letter.write_bytes(
        b"Return-Path: <a@b>\r\nFrom: =?utf-8?q?=1B]0;x=07=C2=9B2J=E2=80=AE?= <a@b.c>\r\n"
        b"To: alice@example.com\r\nSubject: =?utf-8?q?=1B]0;x=07=C2=9B2J?=\r\n\r\n\x1b]0;x\x07\r\n"
    )
    return table


COMMANDS = (
    "user list", "user show alice", "user export alice", "game list", "game show 101",
    "game record 101", "game record 101 --text", "outbox list", "shunt list", "shunt show 1",
    "ban list", "audit", "mail list", "mail show 1", "user list --json", "outbox list --json",
    "shunt list --json", "ban list --json", "audit --json", "mail list --json", "stats", "verify",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("attacked")
def test_no_command_prints_what_a_mail_brought_as_it_is(command: str) -> None:
    typed = pbm(*command.split())
    assert typed.status == 0, typed
    harmful = {c for c in typed.out + typed.err if not c.isprintable()} - {"\n", "\t"}
    assert harmful == set()
    assert not any(line.startswith("root:") for line in typed.out.splitlines()[1:2])
    if "json" in command or "export" in command:
        json.loads(typed.out)


@pytest.mark.usefixtures("attacked")
@pytest.mark.parametrize("command", ["user list", "outbox list", "ban list", "audit"])
def test_no_text_begins_a_row_of_a_table(command: str) -> None:
    assert "all is well" in done(*command.split())
    assert not any(line.startswith("root:") for line in done(*command.split()).splitlines())


@pytest.mark.usefixtures("attacked")
def test_json_holds_the_text_exactly() -> None:
    assert {row["why"] for row in pbm("audit", "--json").json} == {ATTACK}


def formatted(message: str, *, bug: bool = False) -> str:
    formatter = PrintableFormatter("%(levelname)s %(name)s: %(message)s")
    error = ValueError(ATTACK)
    info = (ValueError, error, None) if bug else None
    record = logging.LogRecord("pbm", logging.INFO, "x", 1, "said %s", (message,), info)
    return formatter.format(record)


def test_a_record_of_the_log_is_one_line_whatever_it_says() -> None:
    assert formatted(ATTACK) == (r"INFO pbm: said \x1b]0;x\x07\x9b2J\u202e\x7f\nroot: all is well")


def test_a_traceback_keeps_its_lines_and_nothing_else() -> None:
    lines = formatted("x", bug=True).split("\n")
    assert lines[1].startswith(r"ValueError: \x1b]0;x\x07")
    assert all(line.isprintable() for line in lines)


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
    package = table / "site" / "attacking"
    about = table / "site" / "attacking-1.0.dist-info"
    for folder in (package, about):
        folder.mkdir(parents=True)
    (package / "__init__.py").write_text(ATTACKING)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: attacking\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[pbm.games]\nattacking = attacking:game\n")
    monkeypatch.syspath_prepend(str(table / "site"))
    typed = pbm("rules", "trace", "attacking", stdin="A1\n")
    assert typed.status == 1
    assert typed.err.startswith("Traceback")
    assert r"ZeroDivisionError: \x1b]0;x\x07" in typed.err
    assert {letter for letter in typed.err if not letter.isprintable()} <= {"\n"}


def test_the_log_can_say_that_no_file_can_be_opened() -> None:
    words = """
import resource
from pbm.cli.printing import printable
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
print(printable("accept: out of files\\n", kept=""))
"""
    told = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert told.stdout == "accept: out of files\\n\n"


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
    with fork(*arguments, home=Path.cwd(), environment=environment, streams=streams) as process:
        status = process.wait()
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


RAW = """\
Received: from mx.example.net by games.example.org
\tfor <pbm+k3v9qd7xw2@games.example.org>; Tue, 24 Nov 2026 18:20:01 +0100
From: Bob <bob+private@example.net>
To: "pbm+k3v9qd7xw2@games.example.org" <PBM+k3v9qd7xw2@games.example.org>
Subject: gonnect move 104 bob s3cret
 continued-s3cret c3
Thread-Topic: gonnect move 104 bob s3cret
X-Original-Subject: s3cret
Date: Tue, 24 Nov 2026 18:20:00 +0100
Message-ID: <1.abc@example.net>
In-Reply-To: <pbm+k3v9qd7xw2@games.example.org>
no header s3cret

move 104 bob s3cret c3

From: s3cret
c2VjcmV0Cg==
"""


def test_what_an_operator_needs_is_shown_and_nothing_else() -> None:
    assert (
        mask(RAW)
        == """\
Received: from mx.example.net by games.example.org
\tfor <pbm+***@games.example.org>; Tue, 24 Nov 2026 18:20:01 +0100
From: Bob <bob+***@example.net>
To: "pbm+***@games.example.org" <PBM+***@games.example.org>
Subject: *** *** *** *** ***
 *** ***
Thread-Topic: *** *** *** *** ***
X-Original-Subject: ***
Date: Tue, 24 Nov 2026 18:20:00 +0100
Message-ID: <1.abc@example.net>
In-Reply-To: <pbm+***@games.example.org>
*** *** ***

*** *** *** *** ***

*** ***
***
"""
    )


@each("secret", ["s3cret", "k3v9qd7xw2", "private", "c2VjcmV0"])
@each("end", ["\n", "\r\n"])
def test_no_secret_is_left(secret: str, end: str) -> None:
    assert secret not in mask(RAW.replace("\n", end))


@each(
    "text",
    [
        "s3cret",
        "\ns3cret",
        "\n\ns3cret",
        "\r\n\r\ns3cret",
        "From: a@b\n\nFrom: s3cret",
        "From: a@b\n\n\nDate: s3cret",
        " s3cret\nFrom: a@b",
        "Subject:s3cret",
        "Subject: a\n\ts3cret",
        "subject : s3cret",
        "From: a@b\rSubject: s3cret",
        "Subject: a\rFrom: s3cret\n",
        "To: pbm+s3cret",
        "To: x+y+s3cret@b",
    ],
)
def test_no_odd_form_of_a_mail_shows_a_secret(text: str) -> None:
    assert "s3cret" not in mask(text)


def test_the_length_of_a_word_is_not_told() -> None:
    assert mask("Subject: a\n\nb") == mask("Subject: aaaaaaaa\n\nbbbbb")


def test_no_word_of_a_letter_is_left_in_its_text() -> None:
    for path in (Path(__file__).parent / "letters").glob("*.eml"):
        _, _, body = mask(path.read_bytes().decode("latin-1")).partition("\n\n")
        assert set(body.split()) == {"***"}
