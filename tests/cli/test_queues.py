"""Mails in the hands of the operator that need a bug, another process or a kill.

The rest is in tests/conversations/operator_mails.txt.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest

from pbm.config import Settings
from pbm.core.audit import UNSIGNED
from pbm.core.context import context_without_mail
from pbm.features.announcements import ANNOUNCEMENTS, BATCH, announce
from pbm.server.assembly import App
from tests.cli.terminal import PASSWORD, done, hand_in, pbm, refused, sql
from tests.installing import install
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
def shunted(table: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a game after a move on board 102 has met a bug in it."""
    install(table / "site", monkeypatch, "fragile", FRAGILE)
    done("game", "create", "fragile", "alice", "bob", "--option", "size=5")
    hand_in(f"move 102 alice {PASSWORD} C3", headers=f"Cc: pbm+{'a' * 32}@localhost\n")
    assert done("work").startswith("1 mail played")
    return table / "site" / "fragile"


def ply(board: str) -> int:
    return int(pbm("game", "show", board, "--json").json["ply"])


def last_act() -> tuple[str, str, str]:
    """Return act, subject and reason of the newest row of the audit."""
    row = pbm("audit", "--json").json[-1]
    return row["act"], row["subject"], row["why"]


def test_a_mail_that_meets_a_bug_is_listed_does_nothing_and_holds_no_other(shunted: Path) -> None:
    (row,) = pbm("shunt", "list", "--json").json
    assert list(row) == ["id", "shunted_at", "error"]
    assert row["error"] == "ZeroDivisionError"
    assert "ZeroDivisionError" in done("shunt", "list")
    assert ply("102") == 0
    hand_in("move 101 alice {password} C3")
    done("work")
    assert ply("101") == 1


def test_a_shunted_mail_is_shown_with_its_secrets_masked(shunted: Path) -> None:
    shown = done("shunt", "show", "1")
    assert "fragile/__init__.py" in shown
    assert "From: alice@example.com" in shown
    assert not any(secret in shown for secret in (PASSWORD, "a" * 32, "C3"))


def test_a_shunted_mail_is_shown_as_it_came_only_where_the_key_can_be_read_and_that_is_filed(
    shunted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = done("shunt", "show", "1", "--unmask", "--why", "to mend it")
    assert f"Subject: move 102 alice {PASSWORD} C3" in shown
    assert last_act() == ("shunt unmask", "1", "to mend it")
    monkeypatch.setattr("os.access", lambda _file, _mode: False)
    told = refused("shunt", "show", "1", "--unmask")
    assert told == "var/secret.key cannot be read, so you may not see this message."
    assert len(pbm("audit", "--act", "shunt unmask", "--json").json) == 1


def test_a_shunted_mail_is_played_again_as_if_it_came_now_once_the_bug_is_mended(
    shunted: Path,
) -> None:
    done("shunt", "retry", "1")
    done("work")
    assert len(pbm("shunt", "list", "--json").json) == 1
    (shunted / "mended").touch()
    assert done("shunt", "retry", "1", "--why", "mended").startswith("1 back in the inbox")
    assert last_act() == ("shunt retry", "1", "mended")
    done("work")
    assert pbm("shunt", "list", "--json").json == []
    assert ply("102") == 1
    heads = [mail["author"] for mail in pbm("mail", "list", "--json").json]
    assert "bob to move - Fragile 102" in heads


def test_a_shunted_mail_is_dropped_for_good(shunted: Path) -> None:
    assert "no mail 8" in refused("shunt", "drop", "1", "8")
    assert last_act()[0] == "game create"
    assert done("shunt", "drop", "1", "--why", "spam") == "1 deleted\n"
    assert last_act() == ("shunt drop", "1", "spam")
    assert pbm("shunt", "list", "--json").json == []
    for verb in ("show", "retry", "drop"):
        assert refused("shunt", verb, "1") == "There is no mail 1 in the shunt."


def open_house() -> App:
    key = Path("var/secret.key")
    return App(Settings("pbm@localhost", "sqlite:///var/pbm.db", "null:", key))


def lease(owner: str) -> None:
    """Lease all mails of the outbox to `owner`, as a process does that delivers them."""
    house = open_house()
    with house.open_unit() as work:
        now = house.clock()
        work.outbox.claim(10, owner, now, now + timedelta(minutes=30))
        work.commit()
    house.close()


@contextmanager
def alive(owner: str) -> Iterator[None]:
    """Let another process hold the lifeline of `owner`."""
    with another(holds_lifeline, f"sqlite:///{Path.cwd()}/var/pbm.db", owner) as process:
        assert process.told.recv() == "held"
        yield


@pytest.mark.usefixtures("table")
def test_a_mail_in_the_hands_of_a_living_process_is_left_to_it_and_that_is_told() -> None:
    with alive("elsewhere:7:x"):
        lease("elsewhere:7:x")
        told = pbm("outbox", "retry", "1")
        assert told.err == "mail 1 is being delivered right now by elsewhere:7\n"
        assert told.out == "0 due now\n"
        told = pbm("outbox", "retry", "--all")
        assert told.err == "others are being delivered right now by elsewhere:7\n"
        assert told.out == "0 due now\n"
        assert done("work").endswith("0 handed to the relay\n")


@pytest.mark.usefixtures("table")
def test_a_mail_that_a_dead_process_held_is_due_at_once_when_asked() -> None:
    lease("elsewhere:7:x")
    assert done("work").endswith("0 handed to the relay\n")  # it may be back in a moment
    assert done("outbox", "retry", "1", "1").startswith("1 due now; a running server")
    assert done("work").endswith("1 handed to the relay\n")
    assert done("outbox", "retry", "--all").startswith("1 due now")
    assert done("work").endswith("1 handed to the relay\n")


@pytest.mark.usefixtures("table")
def test_a_mail_that_was_given_up_gets_days_again_and_not_one_try() -> None:
    sql("UPDATE outbox SET state = 'dead', tries = 30, created_at = '2020-01-01T00:00:00.000000Z'")
    done("outbox", "retry", "1", "--why", "ticket 42")
    assert last_act() == ("outbox retry", "1", "ticket 42")
    done("outbox", "retry", "--all")
    assert last_act() == ("outbox retry", "all", "")
    sql("UPDATE outbox SET state = 'dead' WHERE id = 2")
    done("work", "--relay", "smtp://127.0.0.1:1")
    rows = {row["id"]: row for row in pbm("outbox", "list", "--json").json}
    assert (rows[1]["state"], rows[1]["tries"]) == ("waiting", 1)
    assert rows[2]["state"] == "dead"


@pytest.mark.usefixtures("home")
def test_an_announcement_that_is_killed_in_the_middle_is_finished_by_remind() -> None:
    house = open_house()
    with house.open_unit() as work:
        for n in range(BATCH + 20):
            work.players.add(f"carol{n}", "", [f"carol{n}@example.com"], house.clock())
        announce(work, house.clock(), UNSIGNED, "Tonight", "The server moves at ten.")
        work.commit()
    with house.open_unit() as work:
        context = context_without_mail(house.services, work, house.clock())
        assert ANNOUNCEMENTS.carry_out(context).total() == BATCH
        work.commit()
    house.close()  # and nothing more, as after a kill between two batches
    done("remind")
    done("work")
    mails = [message_from_bytes(file.read_bytes()) for file in Path("var/mail/new").iterdir()]
    told = Counter(mail["To"] for mail in mails if mail["Precedence"] == "bulk")
    assert set(told.values()) == {1}
    assert len(told) == BATCH + 20 + 2
    assert "20000 are the most" in refused("announce", "Tonight", stdin="x" * 20_001)
    assert "A subject is one line" in refused("announce", "one\ntwo", stdin="Hello.")
