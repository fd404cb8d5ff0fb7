"""What a terminal and a log may show: no text from a mail moves the cursor or hides another."""

import json
import logging
import sqlite3
import subprocess
import sys
import unicodedata
from contextlib import closing
from pathlib import Path

import pytest

from pbm.cli.printing import PrintableFormatter, printable
from tests.cli.terminal import done, pbm
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
