"""The commands of docs/operations.md are typed as they stand there, on a scratch server.

Its database is a SQLite file. There is no systemd: what the page asks of it is done to the server
of the test. Names of the page (a file, a mail) are set to those of the test.
"""

import re
import shlex
import smtplib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from string import Template

import psycopg
import pytest

from tests.databases import postgres_database, postgres_server
from tests.e2e.people import PASSWORD, Person, Table, take_turn
from tests.e2e.server import Server, put_begun
from tests.host.debian import is_kept
from tests.processes import clean_environment, lasting_port, run, run_pbm, until
from tests.sink import Sink
from tests.torture.trouble import full_disk

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "operations.md"

_SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)

SECTIONS: Mapping[str, list[str]] = {
    title: [line for block in _BLOCK.findall(text) for line in block.splitlines()]
    for title, text in _SECTION.findall(PAGE.read_text("utf-8"))
}
"""The commands of each section of the page, by its title."""

_PLACES = ("/etc/pbm", "/var/lib/pbm", "/var/backups/pbm", "/tmp/news")

_SETTINGS = """
address = "pbm@localhost"
operator = "op@example.com"
database = "sqlite:///{home}/var/lib/pbm/pbm.db"
secret = "{home}/var/lib/pbm/secret.key"
relay = "{relay}"
backups = "{home}/var/backups/pbm"
"""

_ELSEWHERE = ("journalctl", "df ")
"""Commands that are about the host, which a test leaves alone."""


@dataclass
class Scratch(Table):
    """A server with its players, and where it keeps its things."""

    home: Path

    def type_section(self, title: str, **named: str) -> str:
        """Type the commands of a section, and return what they print; names are as given."""
        names: dict[str, str] = {}
        told = []
        for line in SECTIONS[title]:
            if is_kept(line):
                name, _, value = line.partition("=")
                names[name] = named.get(name, value)
            elif line.startswith("systemctl"):
                self._as_systemd(line)
            elif not line.startswith(_ELSEWHERE):
                told.append(self.run(Template(line).safe_substitute(names)))
        return "".join(told)

    def backup(self) -> str:
        """Return the newest backup, by its name on a host."""
        newest = max((self.home / "var/backups/pbm").glob("*.db"))
        return f"/var/backups/pbm/{newest.name}"

    def settle(self) -> None:
        """Wait until all mails have left."""
        until(lambda: self.run("pbm outbox list --json") == "[]\n", "all mails to leave")

    def _as_systemd(self, line: str) -> None:
        if line == "systemctl stop pbm 'pbm@*'":
            assert self.server.stop() == 0
        elif line == "systemctl start pbm":
            self.server.start()
        else:
            raise AssertionError(line)

    def run(self, line: str) -> str:
        """Type a line as the page has it, and return what it prints."""
        for place in _PLACES:
            line = line.replace(place, f"{self.home}{place}")
        words, may_fail = shlex.split(line.removesuffix(" || true")), line.endswith(" || true")
        # There is no such user.
        script = ("bash", "-euc", line.replace("-o pbm -g pbm ", ""))
        done = (
            run_pbm(*words[1:], home=self.home, environment=self.environment)
            if words[0] == "pbm"
            else run(*script)
        )
        told = done.stdout + done.stderr
        assert may_fail or done.returncode == 0, f"{line}\n{told}"
        assert "Traceback" not in told
        return told

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of `pbm` and of the server."""
        return clean_environment(PBM_CONFIG=f"{self.home}/etc/pbm/pbm.toml")


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Scratch]:
    for place in ("etc/pbm", "var/lib/pbm", "var/backups/pbm", "tmp"):
        (tmp_path / place).mkdir(parents=True)
    put_begun(tmp_path / "var/lib/pbm", (("alice", PASSWORD), ("bob", PASSWORD)))
    with Sink(port=lasting_port()) as sink:
        settings = _SETTINGS.format(home=tmp_path, relay=sink.relay)
        (tmp_path / "etc/pbm/pbm.toml").write_text(settings)
        environment = clean_environment(PBM_CONFIG=f"{tmp_path}/etc/pbm/pbm.toml")
        with Server(tmp_path, port=lasting_port(), environment=environment) as server:
            alice, bob = (Person(name, server, sink) for name in ("alice", "bob"))
            yield Scratch(server, sink, alice, bob, tmp_path)
            assert "Traceback" not in server.log


def test_each_section_with_commands_is_typed_in_this_file() -> None:
    here = Path(__file__).read_text("utf-8")
    with_commands = [title for title, commands in SECTIONS.items() if commands]
    assert len(with_commands) > 8
    assert [t for t in with_commands if f'type_section("{t}"' not in here] == []


def test_on_a_full_disk_nothing_is_taken_and_nothing_lost_until_there_is_room(
    scratch: Scratch,
) -> None:
    mine, _ = scratch.begin()
    scratch.settle()
    with full_disk([scratch.server.pid], scratch.home / "serve.log"):
        with pytest.raises(smtplib.SMTPDataError, match="451"):
            scratch.alice.answer(mine, "C3")
        assert "var/backups" not in scratch.type_section("The disk is full")
    scratch.alice.answer(mine, "C3")
    scratch.alice.next("bob to move")
    # It may not be over: what is small can be written, and the next mail not (tests/cli/test_log).
    assert "mails are taken again" not in scratch.server.log


def test_mails_wait_for_a_relay_that_is_down_and_go_out_when_it_is_back(scratch: Scratch) -> None:
    mine, _ = scratch.begin()
    scratch.sink.rest()
    scratch.alice.answer(mine, "C3")
    until(lambda: "the relay is down" in scratch.server.log, "the relay to be missed")
    scratch.sink.work_again()
    assert "2 due now" in scratch.type_section("The relay is down, for an hour or a day")
    scratch.alice.next("bob to move")
    scratch.bob.next("Your move")
    until(lambda: "the relay works again" in scratch.server.log, "the relay to be noticed")


def test_a_mail_that_met_a_bug_is_played_after_the_repair(scratch: Scratch) -> None:
    mine, _ = scratch.begin()
    scratch.settle()
    scratch.server.stop()
    mail = scratch.home / "mail.eml"
    mail.write_bytes(b"From: alice@example.com\r\nTo: pbm@localhost\r\nSubject: help\r\n\r\n")
    scratch.run("pbm inject mail.eml")
    with closing(sqlite3.connect(scratch.home / "var/lib/pbm/pbm.db")) as connection:
        # As a bug leaves it, in a release that has one.
        row = connection.execute("SELECT id FROM inbox WHERE state >= 'waiting'").fetchone()
        connection.execute(
            "UPDATE inbox SET state = 'shunted', error = 'ZeroDivisionError: a bug',"
            " shunted_at = received_at WHERE id = ?", row,
        )  # fmt: skip
        connection.commit()
    scratch.server.start()
    told = scratch.type_section("A mail met a bug", MAIL=str(row[0]))
    assert "ZeroDivisionError" in told
    scratch.alice.next("help")
    assert mine.board == "101"


def test_one_looks_first_and_bans_who_floods(scratch: Scratch) -> None:
    scratch.begin()
    told = scratch.type_section("Look first")
    assert "1 open, 0 over" in told
    assert [line for line in told.splitlines() if line.startswith("FAIL")] == []
    told = scratch.type_section("Somebody floods the server")
    assert "flood.example" in told
    scratch.begin()


def test_after_a_restore_each_is_told_where_the_boards_are_and_plays_on(scratch: Scratch) -> None:
    alice, bob = scratch.alice, scratch.bob
    mine, theirs = scratch.begin()
    theirs = take_turn(alice, bob, mine, "C3")
    scratch.settle()
    scratch.run("pbm db backup")
    file = scratch.backup()
    mine = take_turn(bob, alice, theirs, "D4")
    later = take_turn(alice, bob, mine, "B2")
    lost, _ = scratch.begin()
    scratch.settle()

    before = len(scratch.sink.mails)
    told = scratch.type_section("Restore a backup", FILE=file)
    assert "2 players" in told
    assert "1 match, 0 with faults" in told
    for person in (alice, bob):
        assert person.next("The server is back").subject
        assert "Please make later moves again" in person.mails()[-1].prose
    # Nothing else went out by itself.
    assert len(scratch.sink.mails) == before + 2

    bob.answer(later, "B3")
    assert (
        "That was meant as move 4 of board 101, but move 2 is due."
        in bob.next("Please check").prose
    )
    bob.answer(theirs, "D4")
    bob.next("alice to move")
    alice.next("Your move")
    alice.answer(lost, "A1")
    alice.next("There is no board 102")
    another, _ = scratch.begin()
    assert another.board == "1102"


def test_another_host_goes_on_and_a_new_key_in_the_place_of_a_lost_one_brings_a_fresh_board(
    scratch: Scratch,
) -> None:
    mine, _ = scratch.begin()
    scratch.type_section("Move to another host")
    for file in (scratch.home / "var/lib/pbm").glob("pbm.db*"):
        file.rename(scratch.home / "tmp" / file.name)
    scratch.run(f"pbm db restore {scratch.backup()}")
    scratch.server.start()
    scratch.alice.answer(mine, "C3")
    scratch.alice.next("bob to move")
    theirs = scratch.bob.next("your move")
    scratch.server.stop()
    (scratch.home / "var/lib/pbm/secret.key").unlink()
    with pytest.raises(AssertionError, match="There is no key file"):
        scratch.server.start()
    scratch.type_section("The key is lost, or somebody else has it")
    scratch.bob.answer(theirs, "D4")
    fresh = scratch.bob.next("is too old")
    scratch.bob.answer(fresh, "D4")
    scratch.bob.next("alice to move")


@pytest.mark.postgres
def test_the_file_is_copied_to_postgresql_and_played_on_there(scratch: Scratch) -> None:
    mine, _ = scratch.begin()
    with postgres_database(postgres_server()) as url:
        told = scratch.type_section("From SQLite to PostgreSQL", URL=url)
        assert "copied " in told
        assert "1 match, 0 with faults" in told
        scratch.alice.answer(mine, "C3")
        scratch.alice.next("bob to move")
        scratch.server.stop()
        plain = url.replace("+psycopg", "")
        with psycopg.connect(plain) as connection:
            (plies,) = connection.execute("SELECT max(ply) FROM matches").fetchone() or (0,)
        assert plies == 1


def test_an_older_release_leaves_a_newer_database_alone(scratch: Scratch) -> None:
    scratch.begin()
    scratch.settle()
    assert "as this pbm needs them" in scratch.type_section("A bad release")
    with closing(sqlite3.connect(scratch.home / "var/lib/pbm/pbm.db")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    assert scratch.server.stop() == 0
    with pytest.raises(AssertionError, match="written by a newer pbm"):
        scratch.server.start()
