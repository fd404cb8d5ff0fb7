"""`pbm shunt` and `pbm outbox`: mails that need the operator's attention."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.bootstrap import House
from pbm.config import Settings
from tests.cli.conftest import PASSWORD
from tests.cli.terminal import done, pbm, refused
from tests.processes import another
from tests.store.others import holds_lifeline

FRAGILE = """
from dataclasses import replace
from pathlib import Path

from games.gonnect import game as gonnect


class Fragile(type(gonnect)):
    info = replace(gonnect.info, key="fragile", title="Fragile", aliases=())

    def play(self, state, seat, move):
        if not Path(__file__).with_name("mended").exists():
            raise ZeroDivisionError(str(move))
        return super().play(state, seat, move)


game = Fragile()
"""


@pytest.fixture
def fragile(table: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an installed game that fails at every move until it is mended."""
    site = table / "site"
    (site / "fragile").mkdir(parents=True)
    (site / "fragile" / "__init__.py").write_text(FRAGILE)
    about = site / "fragile-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: fragile\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[pbm.games]\nfragile = fragile:game\n")
    monkeypatch.syspath_prepend(str(site))
    sys.modules.pop("fragile", None)  # the module of the test before
    return site / "fragile"


@pytest.fixture
def shunted(fragile: Path) -> Path:
    """Return the same folder after a move on board 102 has met the bug."""
    done("game", "create", "fragile", "alice", "bob", "--option", "size=5")
    hand_in(f"move 102 alice {PASSWORD} C3")
    assert done("work").startswith("1 mail played")
    return fragile


def hand_in(subject: str) -> None:
    Path("mail.eml").write_text(
        f"From: alice@example.com\nTo: pbm+{'a' * 32}@localhost\nSubject: {subject}\n\nHello.\n"
    )
    done("inject", "mail.eml")


def ply(board: str) -> int:
    return int(pbm("game", "show", board, "--json").json["ply"])


def test_a_mail_that_meets_a_bug_is_listed_and_does_nothing(shunted: Path) -> None:
    (row,) = pbm("shunt", "list", "--json").json
    assert list(row) == ["id", "shunted_at", "error"]
    assert row["error"] == "ZeroDivisionError"
    assert "ZeroDivisionError" in done("shunt", "list")
    assert ply("102") == 0


def test_a_shunted_mail_is_shown_with_its_secrets_masked(shunted: Path) -> None:
    shown = done("shunt", "show", "1")
    assert "fragile/__init__.py" in shown
    assert "From: alice@example.com" in shown
    assert PASSWORD not in shown
    assert "a" * 32 not in shown
    assert "C3" not in shown


def test_a_shunted_mail_is_shown_as_it_came_only_where_the_key_can_be_read_and_that_is_filed(
    shunted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = done("shunt", "show", "1", "--unmask", "--why", "to mend it")
    assert f"Subject: move 102 alice {PASSWORD} C3" in shown
    (act,) = pbm("audit", "--act", "shunt unmask", "--json").json
    assert (act["subject"], act["why"]) == ("1", "to mend it")
    monkeypatch.setattr("os.access", lambda _file, _mode: False)
    told = refused("shunt", "show", "1", "--unmask")
    assert told == "var/secret.key cannot be read, so this is not for you to see."
    assert len(pbm("audit", "--act", "shunt unmask", "--json").json) == 1


def test_a_shunted_mail_holds_no_other(shunted: Path) -> None:
    hand_in(f"move 101 alice {PASSWORD} C3")
    done("work")
    assert ply("101") == 1


def test_after_the_bug_is_mended_the_mail_is_played_as_if_it_came_now(shunted: Path) -> None:
    (shunted / "mended").touch()
    assert done("shunt", "retry", "1").startswith("1 back in the inbox")
    done("work")
    assert pbm("shunt", "list", "--json").json == []
    assert ply("102") == 1
    heads = [mail["author"] for mail in pbm("mail", "list", "--json").json]
    assert "bob to move - Fragile 102" in heads


def test_a_mail_that_meets_the_bug_again_is_shunted_again(shunted: Path) -> None:
    done("shunt", "retry", "1")
    done("work")
    assert len(pbm("shunt", "list", "--json").json) == 1


def test_a_shunted_mail_is_dropped_for_good(shunted: Path) -> None:
    assert done("shunt", "drop", "1") == "1 deleted\n"
    assert pbm("shunt", "list", "--json").json == []
    for verb in ("show", "retry", "drop"):
        assert refused("shunt", verb, "1") == "There is no mail 1 in the shunt."


@pytest.mark.usefixtures("table")
def test_the_outbox_lists_what_waits() -> None:
    rows = pbm("outbox", "list", "--json").json
    assert [row["recipient"] for row in rows] == ["alice@example.com", "bob@example.com"]
    assert {row["state"] for row in rows} == {"waiting"}
    assert "alice@example.com" in done("outbox", "list")
    done("work")
    assert pbm("outbox", "list", "--json").json == []


@pytest.mark.usefixtures("table")
def test_a_mail_in_the_outbox_can_be_dropped() -> None:
    first, _ = (row["id"] for row in pbm("outbox", "list", "--json").json)
    done("outbox", "drop", str(first))
    assert refused("outbox", "drop", str(first)).endswith("waiting in the outbox.")
    done("work")
    (mail,) = pbm("mail", "list", "--json").json
    assert mail["recipient"] == "bob@example.com"


@pytest.mark.usefixtures("table")
def test_a_mail_that_was_put_off_is_tried_again_at_once_when_asked() -> None:
    closed = ("--relay", "smtp://127.0.0.1:1")  # nobody listens on port 1
    done("work", *closed)
    rows = pbm("outbox", "list", "--json").json
    assert all(row["tries"] == 1 and row["error"] for row in rows)
    assert done("work") == "0 mails played, 0 handed to the relay\n"
    done("outbox", "retry", *(str(row["id"]) for row in rows))
    assert done("work") == "0 mails played, 2 handed to the relay\n"
    assert refused("outbox", "retry", "1").endswith("waiting in the outbox.")


LONG = timedelta(minutes=30)


def lease(owner: str) -> House:
    """Lease all mails of the outbox to `owner`, as a process does that delivers them."""
    house = House(
        Settings("pbm@localhost", "sqlite:///var/pbm.db", "null:", Path("var/secret.key"))
    )
    with house.open_unit() as work:
        now = house.clock()
        work.outbox.claim(10, owner, now, now + LONG)
        work.commit()
    return house


@pytest.mark.usefixtures("table")
def test_a_mail_in_the_hands_of_a_living_process_is_left_to_it_and_that_is_told() -> None:
    with alive("elsewhere:7:x"):
        lease("elsewhere:7:x").close()
        told = pbm("outbox", "retry", "1")
        assert told.err == "mail 1 is being delivered right now by elsewhere:7\n"
        assert told.out == "0 due now\n"
        assert done("work").endswith("0 handed to the relay\n")


@pytest.mark.usefixtures("table")
def test_a_mail_that_a_dead_process_held_is_due_at_once_when_asked() -> None:
    lease("elsewhere:7:x").close()
    assert done("work").endswith("0 handed to the relay\n")  # it may be back in a moment
    assert done("outbox", "retry", "1", "1").startswith("1 due now; a running server")
    assert done("work").endswith("1 handed to the relay\n")
    assert done("outbox", "retry", "--all").startswith("1 due now")
    assert done("work").endswith("1 handed to the relay\n")


@pytest.mark.usefixtures("table")
def test_a_mail_that_was_given_up_gets_days_again_and_not_one_try() -> None:
    with closing(sqlite3.connect("var/pbm.db")) as database, database:
        database.execute(
            "UPDATE outbox SET state = 'dead', tries = 30, created_at = ?",
            ("2020-01-01T00:00:00.000000Z",),
        )
    done("outbox", "retry", "1")
    done("work", "--relay", "smtp://127.0.0.1:1")
    rows = {row["id"]: row for row in pbm("outbox", "list", "--json").json}
    assert (rows[1]["state"], rows[1]["tries"]) == ("waiting", 1)
    assert rows[2]["state"] == "dead"


def test_retry_asks_which_mails() -> None:
    assert "--all" in pbm("outbox", "retry").err


@contextmanager
def alive(owner: str) -> Iterator[None]:
    """Let another process hold the lifeline of `owner`."""
    with another(holds_lifeline, f"sqlite:///{Path.cwd()}/var/pbm.db", owner) as process:
        assert process.told.recv() == "held"
        yield
