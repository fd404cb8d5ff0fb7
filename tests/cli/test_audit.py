"""What an operator changes is written down in the same transaction; what is only read is not."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest

from pbm.cli import group
from pbm.cli.options import this_operator
from tests.cli.conftest import PASSWORD, move_in
from tests.cli.terminal import done, pbm, refused
from tests.tables import each

pytestmark = pytest.mark.usefixtures("table")

SHUNTED = (
    "INSERT INTO inbox (id, state, sender, recipients, received_at, error, shunted_at) "
    "VALUES ({0}, 'shunted', '', '[]', '2026-01-01T00:00:00.000000Z', '', "
    "'2026-01-01T00:00:00.000000Z'); "
    "INSERT INTO inbox_texts VALUES ({0}, X'78');"
)

ACTS = (
    ("user add carol new-secret carol@example.com", "user add", "carol", "state", None, "active"),
    ("user password alice new-secret", "user password", "alice", "", None, None),
    ("user address alice x@example.com", "user address", "alice", "addresses",
     ["alice@example.com"], ["x@example.com"]),
    ("user disable alice", "user disable", "alice", "state", "active", "disabled"),
    ("user enable bob", "user enable", "bob", "state", "active", "active"),
    ("user remove alice", "user remove", "alice", "state", "active", "gone"),
    ("user erase alice --yes", "user erase", "gone-1", "state", "active", "gone"),
    ("game create gonnect alice bob", "game create", "102", "players", None, ["alice", "bob"]),
    ("game undo 101", "game undo", "101", "plies", 1, 0),
    ("game adjudicate 101 0", "game adjudicate", "101", "winners", None, [0]),
    ("game close 101", "game close", "101", "ending", None, "closed"),
    ("game extend 101 3", "game extend", "101", "last", "move C3", "extend 3"),
    ("game pause 101", "game pause", "101", "last", "move C3", "pause"),
    ("pause", "pause", "clocks", "clocks", "run", "stand"),
    ("shunt retry 7", "shunt retry", "7", "state", "shunted", "waiting"),
    ("shunt drop 7", "shunt drop", "7", "state", "shunted", None),
    ("outbox retry 2", "outbox retry", "2", "state", "dead", "waiting"),
    ("outbox drop 2", "outbox drop", "2", "state", "dead", None),
    ("ban add Spam.Example", "ban add", "spam.example", "banned", False, True),
)  # fmt: skip
"""A command, the act and the subject that it is filed under, and what it changed there."""


@pytest.fixture(scope="module")
def moved(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a move on board 101, a dead mail, and one in the shunt."""
    home = tmp_path_factory.mktemp("moved")
    shutil.copytree(furnished / "var", home / "var")
    with pytest.MonkeyPatch.context() as patch:
        move_in(home, patch)
        _play_and_fail(home)
    return home


def _play_and_fail(home: Path) -> None:
    (home / "mail.eml").write_text(
        f"From: alice@example.com\nSubject: move 101 alice {PASSWORD} C3\n\n"
    )
    done("inject", "mail.eml")
    done("work")
    with closing(sqlite3.connect("var/pbm.db")) as database, database:
        database.execute("DELETE FROM audit")
        database.execute("DELETE FROM outbox_texts")
        database.execute("DELETE FROM outbox")
        database.execute(
            "INSERT INTO outbox (id, state, sender, recipient, tries, created_at, "
            "next_try_at, error) VALUES (2, 'dead', 'x', 'bob@example.com', 3, "
            "'2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000000Z', '')"
        )
        database.execute("INSERT INTO outbox_texts VALUES (2, 'x', X'78')")
        database.executescript(SHUNTED.format(7))


@pytest.fixture
def played(table: Path, moved: Path) -> None:
    """Work in a copy of that directory."""
    shutil.copytree(moved / "var", table / "var", dirs_exist_ok=True)


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(
    ("command", "act", "subject", "fact", "before", "after"), ACTS, ids=[a[0] for a in ACTS]
)
def test_an_act_is_filed_with_who_what_and_why(
    command: str, act: str, subject: str, fact: str, before: object, after: object
) -> None:
    done(*command.split(), "--why", "ticket 42")
    (row,) = pbm("audit", "--json").json
    assert (row["act"], row["subject"], row["why"]) == (act, subject, "ticket 42")
    assert row["operator"] == this_operator()
    assert (row["before"].get(fact), row["after"].get(fact)) == (before, after)


@pytest.mark.parametrize(
    ("first", "then", "act"),
    [
        ("pause", "resume", "resume"),
        ("game pause 101", "game resume 101", "game resume"),
        ("ban add x.example", "ban remove x.example", "ban remove"),
        ("user disable alice", "user enable alice", "user enable"),
        ("db backup copy.db", "db restore copy.db", "db restore"),
    ],
)
def test_what_is_undone_is_filed_as_well(first: str, then: str, act: str) -> None:
    done(*first.split())
    done(*then.split(), "--why", "enough")
    row = pbm("audit", "--json").json[-1]
    assert (row["act"], row["why"]) == (act, "enough")


def test_an_imported_match_is_filed_under_its_new_number() -> None:
    Path("record.json").write_text(done("game", "record", "101"))
    done("game", "import", "record.json")
    row = pbm("audit", "--json").json[-1]
    assert (row["act"], row["subject"]) == ("game import", "102")


def test_making_the_tables_is_filed_once(bare: Path) -> None:
    (bare / "new").mkdir()
    for _ in range(2):
        done("db", "upgrade", "--database", "sqlite:///new/pbm.db")
    (row,) = pbm("audit", "--json", "--database", "sqlite:///new/pbm.db").json
    assert (row["act"], row["before"]) == ("db upgrade", {"version": None})


@each(
    "command",
    [
        "user disable nobody", "user add alice other-pw a@example.com", "game undo 101",
        "game close 999", "resume", "shunt drop 9", "outbox drop 999", "outbox retry 999",
        "ban add not/a/domain", "ban remove x.example",
    ],
)  # fmt: skip
def test_what_is_refused_is_not_filed(command: str) -> None:
    before = pbm("audit", "--json").json
    assert refused(*command.split())
    assert pbm("audit", "--json").json == before


def test_one_bad_number_among_several_undoes_the_act_and_its_row() -> None:
    with closing(sqlite3.connect("var/pbm.db")) as database, database:
        database.executescript(SHUNTED.format(7))
    before = pbm("audit", "--json").json
    assert "no mail 8" in refused("shunt", "drop", "7", "8")
    assert pbm("audit", "--json").json == before
    assert [row["id"] for row in pbm("shunt", "list", "--json").json] == [7]


def test_no_password_stands_in_the_audit() -> None:
    done("user", "add", "carol", "open-sesame", "carol@example.com")
    done("user", "password", "alice", "swordfish-9")
    shown = done("audit") + done("audit", "--json")
    assert "open-sesame" not in shown
    assert "swordfish-9" not in shown
    assert "argon2" not in shown


def test_the_table_is_read_by_subject_by_act_and_to_its_newest_rows() -> None:
    done("user", "disable", "alice", "--why", "a drill")
    done("user", "enable", "alice")
    assert [row["act"] for row in pbm("audit", "--json").json[-2:]] == [
        "user disable",
        "user enable",
    ]
    of_alice = pbm("audit", "--subject", "Alice", "--json").json
    assert [row["act"] for row in of_alice] == ["user add", "user disable", "user enable"]
    (disabled,) = pbm("audit", "--act", "user disable", "--json").json
    assert disabled["why"] == "a drill"
    assert [row["act"] for row in pbm("audit", "--last", "1", "--json").json] == ["user enable"]
    line = done("audit", "--act", "user disable").splitlines()[1]
    assert 'state: "active" -> "disabled"' in line
    assert line.endswith("a drill")


READ_ONLY = frozenset(
    {
        *("pbm serve", "pbm work", "pbm remind", "pbm send", "pbm inject", "pbm mail list"),
        *("pbm mail show", "pbm mail reply", "pbm db check", "pbm db backup", "pbm user list"),
        *("pbm user show", "pbm user export", "pbm game list", "pbm game show", "pbm game record"),
        *("pbm games", "pbm rules trace", "pbm rules perft", "pbm commands", "pbm new-game"),
        *("pbm stats", "pbm trace", "pbm doctor", "pbm verify", "pbm shunt list", "pbm help"),
        *("pbm outbox list", "pbm ban list", "pbm audit", "pbm key list", "pbm dkim show"),
        *("pbm dkim new", "pbm robot calibrate", "pbm robot duel", "pbm robot list"),
    }
)
"""Commands that change nothing by an operator's will: they read, or do what a server does."""


def test_every_command_that_changes_something_takes_a_reason() -> None:
    silent = leaves(group, "pbm", reason=False)
    assert set(silent) <= READ_ONLY
    assert not set(leaves(group, "pbm", reason=True)) & READ_ONLY


def leaves(command: click.Command, path: str, *, reason: bool) -> list[str]:
    """Return the commands below `command` that have the option --why, or have not."""
    if not isinstance(command, click.Group):
        has = any("--why" in parameter.opts for parameter in command.params)
        return [path] if has is reason else []
    context = click.Context(command)
    found = []
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        assert below is not None
        found += leaves(below, f"{path} {name}", reason=reason)
    return found
