"""People who are a nuisance, and strangers at the front door, by SMTP at a running server."""

from collections.abc import Iterator
from itertools import count

import pytest

from tests.e2e.people import letter
from tests.e2e.town import ALICE, BOB, CAROL, Town, open_town, password_of, recipients
from tests.sink import Arrived

OPERATOR = "operator@staff.example"
WORDS = "You play like a cow"

_numbers = count(1)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    home = tmp_path_factory.mktemp("people")
    with open_town(home, "alice", "bob", "carol", options=("--operator", OPERATOR)) as town:
        yield town


def says(town: Town, name: str, line: str, text: str = WORDS) -> list[Arrived]:
    """Return what is sent because of a command of `name`, with `ME` for who they are."""
    signed = line.replace("ME", f"{name} {password_of(name)}", 1)
    return town.provoked(letter(f"{name}@example.com", signed, text))


_READ = ("text", "application")


def contents(mails: list[Arrived], reader: str) -> str:
    """Return all that `reader` got to read, with every part of it."""
    parts = [part for mail in mails if mail.recipient == reader for part in mail.message.walk()]
    bodies = [p.get_payload(decode=True) for p in parts if p.get_content_maintype() in _READ]
    return " ".join(body.decode() for body in bodies if isinstance(body, bytes))


@pytest.fixture(scope="module")
def blocked(town: Town) -> str:
    """Return the number of a board of alice and bob, whom she blocks; carol follows it."""
    board = town.match("alice", "bob")[0].board
    town.match("alice", "bob")
    says(town, "carol", f"subscribe {board} ME")
    (noted,) = says(town, "alice", "block ME bob")
    assert "You block bob" in noted.prose
    says(town, "alice", f"move {board} ME C3", "")
    return board


@pytest.mark.parametrize(
    "line",
    [
        "chat {board} ME",
        "message ME alice carol",
        "broadcast ME",
        "gonnect challenge ME alice",
        "draw {board} ME",
        "report ME alice",
        "report {board} ME",
        "add ME alice@example.com",
        "vacation ME 3 days",
        "move {board} ME swap",
    ],
)
def test_no_word_of_somebody_blocked_arrives_in_any_command(
    town: Town, blocked: str, line: str
) -> None:
    mails = says(town, "bob", line.format(board=blocked))
    heads = [mail.headline for mail in mails if mail.recipient == BOB]
    assert ("Not done - pbm" in heads) is ("challenge" in line)
    assert WORDS not in contents(mails, ALICE)
    assert not any("block" in mail.prose for mail in mails if mail.recipient == BOB)


def test_moves_and_results_of_somebody_blocked_arrive(town: Town, blocked: str) -> None:
    board = int(blocked) + 1
    mails = says(town, "bob", f"resign {board} ME")
    assert f"Closed - Gonnect {board}" in [m.headline for m in mails if m.recipient == ALICE]
    assert WORDS not in contents(mails, ALICE)


def test_the_record_holds_no_word_of_somebody_blocked_until_they_are_unblocked(
    town: Town, blocked: str
) -> None:
    says(town, "bob", f"chat {blocked} ME")
    assert WORDS not in contents(town.attacked(ALICE, f"record {blocked}"), ALICE)
    assert WORDS in contents(town.attacked(CAROL, f"record {blocked}"), CAROL)
    (shown,) = says(town, "alice", "blocks ME")
    assert "you block bob" in shown.prose
    says(town, "alice", "unblock ME bob")
    assert WORDS in contents(says(town, "bob", "message ME alice"), ALICE)
    says(town, "alice", "block ME bob")


def test_a_report_reaches_the_operator_with_its_context_and_nobody_else(
    town: Town, blocked: str
) -> None:
    says(town, "bob", f"chat {blocked} ME", "Only a cow plays C3")
    mails = says(town, "alice", "report ME bob", "He calls me names.")
    assert recipients(mails) == [ALICE, OPERATOR]
    told = contents(mails, OPERATOR)
    assert "He calls me names." in told
    assert "Only a cow plays C3" in told
    assert f"board {blocked}" in told
    assert "cow" not in contents(mails, ALICE)


def signed_up(town: Town, userid: str, address: str = "") -> Arrived:
    """Return the one mail that a signup is answered with."""
    author = address or f"new@host{next(_numbers)}.example"
    (answer,) = town.attacked(author, f"signup {userid} long-enough-1")
    assert answer.recipient == author
    return answer


@pytest.mark.parametrize(
    "userid",
    ["admin", "Postmaster", "pbm", "adm1n", "supp0rt", "pbm-team", "no-reply", "mailer.daemon",
     "root2", "aIice", "a1ice", "AL1CE", "b0b", "caroI", "bob."],
)  # fmt: skip
def test_userids_of_staff_and_of_look_alikes_are_refused(town: Town, userid: str) -> None:
    answer = signed_up(town, userid)
    assert "No account was opened" in answer.prose
    assert "kept for those" in answer.prose or "looks like" in answer.prose


def test_two_letters_that_look_like_one_are_refused(town: Town) -> None:
    asked = signed_up(town, "mary")
    town.attacked(asked.recipient, "yes", to=asked.reply_to)
    assert "looks like that of another player" in signed_up(town, "rnary").prose


def test_a_corrected_signup_gets_its_confirmation_at_once(town: Town) -> None:
    address = "clumsy@somewhere.example"
    for wrong in ("signup clumsy", "signup clumsy short"):
        (answer,) = town.attacked(address, wrong)
        assert "No account was opened" in answer.prose
    asked = signed_up(town, "clumsy", address)
    (welcome,) = town.attacked(address, "yes", to=asked.reply_to)
    assert "Your account is open" in welcome.prose


@pytest.mark.parametrize("no", ["No", "stop", "Nein, danke", "Remove me please", "unsubscribe"])
def test_after_a_no_a_stranger_hears_nothing_whoever_writes_about_them(town: Town, no: str) -> None:
    host = f"quiet{next(_numbers)}.example"
    asked = signed_up(town, f"quiet{next(_numbers)}", f"ann@{host}")
    assert town.attacked(f"ann@{host}", no, to=asked.reply_to) == []
    assert town.attacked(f"ann@{host}", "yes", to=asked.reply_to) == []
    for author in (f"ann@{host}", f"Ann+x@{host}"):
        assert town.attacked(author, "help") == []
    mails = says(town, "carol", f"add ME ann@{host}")
    assert recipients(mails) == [CAROL]


@pytest.mark.parametrize(
    "text",
    ["Who is this?", "I am away until Monday. Yes!", "talker is on vacation", "yes no maybe"],
)
def test_only_a_yes_or_the_userid_opens_an_account(town: Town, text: str) -> None:
    asked = signed_up(town, f"talker{next(_numbers)}")
    mails = town.attacked(asked.recipient, text, to=asked.reply_to)
    assert set(recipients(mails)) <= {asked.recipient}
    assert "Your account is open" not in contents(mails, asked.recipient)
