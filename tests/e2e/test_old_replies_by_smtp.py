"""Replies to mails of another moment, from other people, or with odd From fields, by SMTP."""

from collections.abc import Iterator

import pytest

from tests.e2e.people import begin_match, letter, take_turn
from tests.e2e.town import ALICE, BOB, EVE, Town, open_town, password_of, recipients
from tests.sink import Arrived

PASS = "Authentication-Results: mx.example; dmarc=pass header.from=example.com\n"
FAIL = "Authentication-Results: mx.example; dmarc=fail header.from=example.com\n"
NONE = "Authentication-Results: mx.example; dmarc=none header.from=example.com\n"
OTHER = "Authentication-Results: mx.evil.example; dmarc=pass header.from=example.com\n"
BROKEN = 'Authentication-Results: mx.example; spf=none smtp.mailfrom="x; dmarc=none\n'


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    home = tmp_path_factory.mktemp("replies")
    options = ("--authserv-id", "mx.example")
    with open_town(home, "alice", "bob", "carol", "dora", options=options) as town:
        yield town


def reply(author: str, mail: Arrived, text: str, headers: str = "") -> bytes:
    """Return a reply to `mail` from any `author`, below header fields written as they are."""
    content = letter(ALICE, f"Re: {mail.subject}", text, to=mail.reply_to)
    plain = f"From: {ALICE}".encode()
    assert content.count(plain) == 1
    fields = headers.replace("\n", "\r\n").encode()
    return fields + content.replace(plain, f"From: {author}".encode())


def answers(town: Town, author: str, mail: Arrived, text: str, headers: str = "") -> list[Arrived]:
    """Return all that the server sends because of a reply."""
    return town.provoked(reply(author, mail, text, headers), to=mail.reply_to)


def shown(town: Town, board: str) -> str:
    """Return a board with its moves as the operator sees it."""
    return town.typed("game", "show", board)


@pytest.fixture(scope="module")
def outdated(town: Town) -> dict[str, Arrived]:
    """Return mails of before an undo, a log out and a new password, by these names."""
    alice, bob, carol, dora = town.players("alice", "bob", "carol", "dora")
    first, _ = begin_match(alice, bob, password_of("alice"), "gonnect", "-size=5")
    bobs = take_turn(alice, bob, first, "C3")
    alice.write(f"undo {first.board} alice {password_of('alice')}")
    alice.next("Your offer stands")
    bob.answer(bob.next("take back C3"), "accept")
    bob.next("alice to move")
    alice.next("your move")
    assert bobs.board == first.board
    carols, doras = begin_match(carol, dora, password_of("carol"), "gonnect", "-size=5")
    carol.write(f"log out carol {password_of('carol')}")
    carol.next("count no longer")
    dora.write(f"change password dora {password_of('dora')} zq-dora-pw-2")
    dora.next("your password has changed")
    return {"an undo": first, "a log out": carols, "a new password": doras}


@pytest.mark.parametrize(
    "text", ["A1", "resign", "chat\n\nBuy this", "gonnect challenge bob", "log out", "block bob"]
)
@pytest.mark.parametrize("since", ["a log out", "a new password"])
def test_a_mail_of_before_proves_nothing_and_its_reply_gets_the_board_of_now(
    town: Town, outdated: dict[str, Arrived], since: str, text: str
) -> None:
    mail = outdated[since]
    before = shown(town, mail.board)
    (answer,) = answers(town, mail.recipient, mail, text)
    assert answer.recipient == mail.recipient
    assert "from before you logged out, or had another password" in answer.prose
    assert answer.headline == f"Not done - Gonnect {mail.board}"
    assert "A B C D E" in answer.prose
    assert answer.token != mail.token
    assert shown(town, mail.board) == before


def test_a_reply_of_before_an_undo_does_not_move_and_the_answer_to_it_does(
    town: Town, outdated: dict[str, Arrived]
) -> None:
    mail = outdated["an undo"]
    before = shown(town, mail.board)
    (answer,) = answers(town, ALICE, mail, "A1")
    assert "from before moves were taken back there" in answer.prose
    assert shown(town, mail.board) == before
    assert recipients(answers(town, ALICE, answer, "B2")) == [ALICE, BOB]
    assert "B2" in shown(town, mail.board)


def test_a_token_from_another_address_does_nothing_and_its_owner_is_told_once(
    town: Town, outdated: dict[str, Arrived]
) -> None:
    mail = outdated["an undo"]
    before = shown(town, mail.board)
    (told,) = answers(town, EVE, mail, "resign")
    assert told.recipient == ALICE
    assert "from an address that is not yours" in told.prose
    for author in (EVE, BOB, "alice+2@example.com", "alice@example.com.evil.example"):
        assert answers(town, author, mail, "resign") == []
    assert shown(town, mail.board) == before


@pytest.fixture(scope="module")
def asked(town: Town) -> Arrived:
    """Return a mail of alice's that waits for her move on a board of its own."""
    return town.match("alice", "bob")[0]


@pytest.mark.parametrize("headers", [PASS, OTHER + PASS, PASS + FAIL, PASS + NONE])
def test_a_registered_from_that_the_front_mta_vouches_for_needs_no_password(
    town: Town, headers: str
) -> None:
    content = headers.replace("\n", "\r\n").encode() + letter(ALICE, "set zone Europe/Berlin")
    (answer,) = town.provoked(content)
    assert "zone is now Europe/Berlin" in answer.prose


@pytest.mark.parametrize("headers", ["", NONE, OTHER, NONE + PASS, BROKEN + PASS])
def test_without_its_word_a_password_is_needed(town: Town, headers: str) -> None:
    content = headers.replace("\n", "\r\n").encode() + letter(ALICE, "set digest yes")
    (answer,) = town.provoked(content)
    assert answer.headline == "Not done - pbm"


@pytest.mark.parametrize("headers", [FAIL, FAIL + PASS, OTHER + FAIL])
def test_a_mail_that_failed_there_is_neither_executed_nor_answered(
    town: Town, asked: Arrived, headers: str
) -> None:
    assert answers(town, ALICE, asked, "A1", headers) == []
    line = letter(ALICE, f"set alice {password_of('alice')} digest yes")
    assert town.provoked(headers.replace("\n", "\r\n").encode() + line) == []


@pytest.mark.parametrize(
    "author",
    [
        f"{ALICE} <{ALICE}>",
        f"'{ALICE}' <{ALICE}>",
        f"Smith, Alice <{ALICE}>",
        f"Alice: the mill <{ALICE}>",
        f"[PBM] Alice <{ALICE}>",
        f"Alice @ work <{ALICE}>",
        f"{ALICE} (Alice, x@y.example)",
        f"{ALICE}\r\nReply-To: {EVE}\r\nSender: {EVE}\r\nResent-From: {EVE}",
    ],
)
def test_a_reply_with_an_odd_but_harmless_from_is_read_and_only_its_owner_answered(
    town: Town, asked: Arrived, author: str
) -> None:
    assert [(m.recipient, m.headline) for m in answers(town, author, asked, "show")] == [
        (ALICE, f"As asked - Gonnect {asked.board}")
    ]


@pytest.mark.parametrize(
    "author",
    [
        f"{ALICE}\r\nFrom: {EVE}",
        f"{ALICE}\r\nFrom: {ALICE}",
        f"{ALICE}, {EVE}",
        f"Players: {ALICE};",
        f"{BOB} <{ALICE}>",
        f"<{ALICE}> <{EVE}>",
        f"<@relay.example:{ALICE}>",
        "=?utf-8?q?alice=40example=2Ecom?=",
        f"{ALICE}\rX: y",
        f"{ALICE}\r\nResent-From: {ALICE}\r\nFrom: {EVE}",
    ],
)
def test_a_from_that_two_readers_read_in_two_ways_is_nobodys(
    town: Town, asked: Arrived, author: str
) -> None:
    assert answers(town, author, asked, "A1") == []


@pytest.mark.parametrize(
    ("to", "works"),
    [
        ("PBM+{upper}@LOCALHOST", True),
        ("pbm+{mixed}@localhost", True),
        ("pbm+x+{token}@localhost", False),
        ("pbm+{token}+x@localhost", False),
        ("pbm+{changed}@localhost", False),
    ],
)
def test_a_token_counts_in_any_case_and_only_whole(
    town: Town, asked: Arrived, to: str, works: bool
) -> None:
    token = asked.token
    mixed = "".join(c.upper() if n % 2 else c for n, c in enumerate(token))
    changed = token[:-1] + ("b" if token[-1] == "a" else "a")
    there = to.format(token=token, upper=token.upper(), mixed=mixed, changed=changed)
    (answer,) = town.provoked(letter(ALICE, "", "show", to=there), to=there)
    assert (answer.headline == f"As asked - Gonnect {asked.board}") is works


def test_a_token_of_ones_own_counts_beside_that_of_somebody_else(town: Town) -> None:
    mine, theirs = town.match("alice", "bob")
    to = theirs.reply_to
    (answer,) = town.provoked(reply(ALICE, mine, "show"), to=to)
    assert (answer.recipient, answer.headline) == (ALICE, f"As asked - Gonnect {mine.board}")


@pytest.mark.parametrize("text", ["move {later} A1", "{later} A1", "resign 999"])
def test_a_reply_about_another_board_moves_nothing_there_that_the_mail_did_not_show(
    town: Town, asked: Arrived, text: str
) -> None:
    later, _ = town.match("alice", "bob")
    (answer,) = answers(town, ALICE, asked, text.format(later=later.board))
    assert answer.recipient == ALICE
    assert "Not done" in answer.headline
    assert "A1" not in shown(town, later.board)
