"""What the operator does beside a running server, and what the people concerned can still do."""

import json
import re
from collections.abc import Iterator

import pytest

from tests.e2e.people import hand_in, letter
from tests.e2e.town import ALICE, CAROL, Town, open_town, password_of, recipients

OPERATOR = "operator@staff.example"
XENIA = "xenia@example.com"
HARM = "\x1b]0;pwned\x07 \x9b31m \u202egnp.exe\u202c \u2066x\u2069 \u2028"


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    home = tmp_path_factory.mktemp("operator")
    people = ("alice", "bob", "carol", "xenia")
    with open_town(home, *people, options=("--operator", OPERATOR)) as town:
        yield town


@pytest.mark.parametrize(
    ("pattern", "kept_out", "let_in"),
    [
        (
            "mallory@bad.example",
            ["Mallory@Bad.example", "mallory+2@bad.example"],
            "mal.lory@bad.example",
        ),
        ("spam.example", ["x@spam.example", "x@mx1.spam.example"], "x@notspam.example"),
        ("Mal.lory@gmail.com", ["mallory@gmail.com", "m.allory+x@googlemail.com"], "m@gmail.com"),
    ],
)
def test_nothing_from_a_banned_address_is_done_or_answered(
    town: Town, pattern: str, kept_out: list[str], let_in: str
) -> None:
    assert "is banned" in town.typed("ban", "add", pattern, "--why", "a test")
    for address in kept_out:
        for text in ("help", "signup newcomer long-enough-1", f"set alice {password_of('alice')}"):
            assert town.attacked(address, text) == []
    assert recipients(town.attacked(let_in, "help")) == [let_in]


def test_a_disabled_player_does_nothing_and_opens_no_other_account(town: Town) -> None:
    asked, _ = town.match("carol", "bob")
    before = len(town.sink.mails)
    town.typed("user", "disable", "carol", "--why", "insults")
    (told,) = town.sent_since(before)
    assert told.recipient == CAROL
    assert "insults" not in told.prose
    for text in ("B2", "resign", "message bob\n\nhi"):
        assert town.attacked(CAROL, text, to=asked.reply_to) == []
    for text in (
        "signup carol2 long-enough-1",
        f"set carol {password_of('carol')}",
        "forgot carol",
    ):
        for address in (CAROL, "carol+2@example.com", "CAROL+x+y@example.com"):
            assert town.attacked(address, text) == []


def test_what_a_player_writes_cannot_harm_the_terminal(town: Town) -> None:
    town.attacked(ALICE, f"message alice {password_of('alice')} xenia\n\n{HARM}")
    content = letter(ALICE, "", "x").replace(b"Subject: ", f"Subject: {HARM}".encode())
    content = content.replace(f"From: {ALICE}".encode(), f"From: {HARM} <{ALICE}>".encode())
    town.provoked(content)
    board = town.match("alice", "bob")[0].board
    town.attacked(ALICE, f"chat {board} alice {password_of('alice')}\n\nLook {HARM}")
    shown = [
        town.typed(*command.split())
        for command in (f"game show {board}", "user list", "user show alice", "audit", "shunt list")
    ]
    harmful = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028]")
    assert not harmful.search("".join((*shown, town.server.log)))


def test_a_player_gets_what_is_stored_of_them_and_is_erased_without_a_trace(town: Town) -> None:
    secret = password_of("xenia")
    board = town.match("alice", "xenia")[0].board
    for text in (
        f"chat {board} xenia {secret}\n\nXenia of Athens, {XENIA}",
        f"block xenia {secret} bob",
        f"report xenia {secret} alice\n\nShe calls me XENIA!",
        f"add xenia {secret} xenia.two@elsewhere.example",
        "forgot xenia",
        "set xenia wrong-guess-1 digest yes",
    ):
        town.attacked(XENIA, text)
    town.attacked("xenia+games@example.com", "signup another long-enough-1")
    town.attacked(
        ALICE, f"chat {board} alice {password_of('alice')}\n\nHello Xenia, are you there?"
    )
    stored = json.loads(town.typed("user", "export", "xenia"))
    assert "Xenia of Athens" in str(stored["matches"])
    assert "argon2" not in str(stored)
    town.typed("user", "disable", "xenia", "--why", "xenia asked")
    town.sent_since(0)
    assert "erased" in town.typed("user", "erase", "xenia", "--yes", "--why", "the law")
    town.sent_since(0)
    assert "xenia" not in town.typed("audit").lower()


def test_every_act_is_in_the_audit_with_who_and_why(town: Town) -> None:
    rows = json.loads(town.typed("audit", "--json"))
    acts = {(row["act"], row["subject"]): row for row in rows}
    row = acts["user disable", "carol"]
    assert (row["before"]["state"], row["after"]["state"]) == ("active", "disabled")
    assert row["why"] == "insults"
    assert row["operator"]
    assert acts["ban add", "spam.example"]["why"] == "a test"
    assert {subject[:5] for act, subject in acts if act == "user erase"} == {"gone-"}


def test_no_file_of_the_database_names_who_was_erased(town: Town) -> None:
    """Last in this module, because the server stops."""
    hand_in(town.server, "", b"Subject: x\r\n\r\nx\r\n")
    town.sent_since(0)
    assert town.server.stop() == 0
    files = [file for file in (town.server.home / "var").glob("pbm.db*") if file.is_file()]
    assert files
    for file in files:
        assert not re.search(rb"(?i)xenia", file.read_bytes()), file
