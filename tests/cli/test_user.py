"""`pbm user`: accounts as the operator opens, changes and closes them."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest
from click.testing import CliRunner

from pbm.cli import group
from pbm.store import database
from pbm.store.database import create_engine, overwrite_freed
from tests.cli.conftest import PASSWORD
from tests.cli.terminal import done, pbm, refused

pytestmark = pytest.mark.usefixtures("table")


def letter(subject: str) -> None:
    Path("mail.eml").write_text(f"From: alice@example.com\nSubject: {subject}\n\n")
    done("inject", "mail.eml")
    done("work")


def test_players_are_listed_with_their_addresses() -> None:
    rows = pbm("user", "list", "--json").json
    assert [row["userid"] for row in rows] == ["alice", "bob"]
    assert rows[0]["state"] == "active"
    assert rows[0]["addresses"] == ["alice@example.com"]
    header, first, _ = done("user", "list").splitlines()
    assert header.split() == ["userid", "state", "since", "addresses"]
    assert first.split()[0::3] == ["alice", "alice@example.com"]


def test_a_player_is_shown_with_their_open_boards() -> None:
    shown = pbm("user", "show", "Alice", "--json").json
    assert (shown["userid"], shown["boards"]) == ("alice", [101])
    told = done("user", "show", "alice")
    assert "boards:      101" in told
    assert "last move:   never" in told
    assert "101    gonnect  alice - bob  0      yes" in told


def test_a_player_who_has_played_is_shown_with_ratings_and_their_last_move() -> None:
    letter(f"move 101 alice {PASSWORD} C3")
    done("work")
    done("game", "adjudicate", "101", "alice")
    shown = pbm("user", "show", "alice", "--json").json
    assert shown["ratings"] == [
        {"game": "gonnect", "rating": 1662, "deviation": 290, "won": 1, "lost": 0, "drawn": 0}
    ]
    assert (shown["boards"], shown["finished"]) == ([], 1)
    assert shown["last_move_at"] >= shown["created_at"]
    assert pbm("user", "show", "bob", "--json").json["last_move_at"] is None
    assert "gonnect  1662    290" in done("user", "show", "alice")


def test_a_disabled_player_reads_why() -> None:
    done("user", "disable", "alice", "--reason", "Insults on board 101.")
    done("work")
    last = pbm("mail", "list", "--for", "alice@example.com", "--json").json[-1]
    assert "They write:\n\n  Insults on board 101." in done("mail", "show", str(last["number"]))
    (act,) = pbm("audit", "--act", "user disable", "--json").json
    assert act["why"] == "Insults on board 101."


def test_a_player_is_added_at_once() -> None:
    assert done("user", "add", "carol", "secret", "carol@example.com") == "added carol\n"
    assert pbm("user", "show", "carol", "--json").json["boards"] == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("add", "alice", "secret", "a@example.com"), "alice"),
        (("add", "a b", "secret", "a@example.com"), "userid"),
        (("add", "carol", "x", "a@example.com"), "password"),
        (("add", "carol", "secret", "nowhere"), "mail addresses like"),
        (("show", "carol"), "There is no player carol."),
        (("disable", "alic"), "Did you mean alice?"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("user", *arguments)


def test_a_password_is_changed_and_asked_for_in_place_of_a_dash() -> None:
    asked = CliRunner().invoke(group, ["user", "password", "alice", "-"], "new-one\nnew-one\n")
    assert asked.exit_code == 0
    assert "new-one" not in asked.output
    letter(f"move 101 alice {PASSWORD} C3")
    assert pbm("game", "show", "101", "--json").json["ply"] == 0
    letter("move 101 alice new-one C3")
    assert pbm("game", "show", "101", "--json").json["ply"] == 1


def test_addresses_are_replaced() -> None:
    done("user", "address", "alice", "new@example.com", "second@example.com")
    shown = pbm("user", "show", "alice", "--json").json
    assert shown["addresses"] == ["new@example.com", "second@example.com"]


def bobs_mails_come_back() -> None:
    """On two days, let the host of bob's address report that it does not know him."""
    done("work")
    to_bob = (path.read_text() for path in sorted(Path("var/mail/new").iterdir()))
    returns = [mail.partition("\n")[0] for mail in to_bob if "\nTo: bob@example.com\n" in mail]
    for line in returns[:2]:
        Path("report.eml").write_text(
            "From: mailer-daemon@example.com\nContent-Type: multipart/report; boundary=b\n\n"
            "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; example.com\n\n"
            "Action: failed\nStatus: 5.1.1\n\n--b--\n"
        )
        returned_to = line.removeprefix("Return-Path: <").removesuffix(">")
        done("inject", "--sender", "<>", "--recipient", returned_to, "report.eml")
        done("work")
        with closing(sqlite3.connect("var/pbm.db")) as database, database:
            database.execute("DELETE FROM tallies")  # as if a day had passed


def test_an_address_that_mails_come_back_from_is_shown_as_off_until_it_is_given_anew() -> None:
    letter(f"move 101 alice {PASSWORD} C3")
    bobs_mails_come_back()
    shown = pbm("user", "show", "bob", "--json").json
    assert (shown["addresses"], shown["off"]) == (["bob@example.com"], ["bob@example.com"])
    assert "bob@example.com (off)" in done("user", "list")
    done("user", "address", "bob", "bob@example.com")
    assert pbm("user", "list", "--json").json[1]["off"] == []
    assert "(off)" not in done("user", "list")


def test_a_disabled_player_plays_again_only_when_enabled() -> None:
    assert done("user", "disable", "alice") == "alice is disabled\n"
    letter(f"move 101 alice {PASSWORD} C3")
    assert pbm("game", "show", "101", "--json").json["ply"] == 0
    assert done("user", "enable", "alice") == "alice is active\n"
    letter(f"move 101 alice {PASSWORD} C3 ")
    assert pbm("game", "show", "101", "--json").json["ply"] == 1


def test_a_removed_player_leaves_a_name_and_no_address() -> None:
    done("user", "remove", "alice")
    assert pbm("user", "show", "alice", "--json").json["addresses"] == []
    assert "alice has left" in refused("user", "enable", "alice")
    assert pbm("game", "record", "101").json["players"] == ["alice", "bob"]
    assert pbm("game", "show", "101", "--json").json["outcome"]


def test_an_erasure_is_asked_about_and_a_no_changes_nothing() -> None:
    before = done("user", "export", "alice")
    asked = CliRunner().invoke(group, ["user", "erase", "alice"], "n\n")
    assert asked.exit_code == 1
    assert "Erase alice?" in asked.output
    assert done("user", "export", "alice") == before


@pytest.mark.parametrize("yes", [True, False])
def test_an_erased_player_is_in_no_file_of_the_database(*, yes: bool) -> None:
    words = ["user", "erase", "Alice", "--why", "alice wrote from alice@example.com"]
    assert traces_of_alice() == ["pbm.db"]
    erased = CliRunner().invoke(group, [*words, "--yes"] if yes else words, "y\n")
    assert erased.exit_code == 0, erased.output
    assert "erased; gone-1 stands in their place" in erased.output
    assert traces_of_alice() == []
    assert pbm("game", "record", "101").json["players"] == ["gone-1", "bob"]
    assert done("verify") == "1 match, 0 with faults\n"


def beginning_to_read() -> sqlite3.Connection:
    """Return a connection that reads, as one of a running server, until it is closed."""
    reader = sqlite3.connect("var/pbm.db", isolation_level=None, check_same_thread=False)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM players").fetchone()
    return reader


def test_to_overwrite_what_was_erased_waits_until_a_short_read_of_the_server_is_over() -> None:
    engine = create_engine("sqlite:///var/pbm.db")
    ending = Timer(0.2, beginning_to_read().close)
    ending.start()
    assert overwrite_freed(engine)
    ending.join()
    engine.dispose()


def test_an_erasure_beside_a_running_server_says_what_is_left_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(database, "_READERS_SECONDS", 0.05)
    reader = beginning_to_read()
    typed = pbm("user", "erase", "alice", "--yes")
    reader.close()
    assert typed.status == 0
    assert "stop the server, and once more pbm user erase gone-1" in typed.err
    done("user", "erase", "gone-1", "--yes")
    assert traces_of_alice() == []


def traces_of_alice() -> list[str]:
    files = Path("var").glob("pbm.db*")
    return [file.name for file in files if b"alice" in file.read_bytes().lower()]


def test_all_that_is_stored_of_a_player_is_printed_as_json() -> None:
    found = pbm("user", "export", "alice").json
    assert [row["address"] for row in found["addresses"]] == ["alice@example.com"]
    assert [part["board"] for part in found["matches"]] == [101]
    assert "argon2" not in repr(found)
    assert "There is no player carol." in refused("user", "export", "carol")
