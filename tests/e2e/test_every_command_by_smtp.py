"""Commands written by real mail to `pbm serve`, and the answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.people import Person, begin_match
from tests.e2e.server import Server
from tests.sink import Sink

PASSWORD = "correct-horse"


class Row(NamedTuple):
    """Who writes which line, with which text below it, and the words that come back.

    `{0}` and so on are the numbers of boards that have begun; `{me}` is the writer's userid
    and password.
    """

    writer: str
    line: str
    answer: str
    text: str = ""


ROWS = (
    Row("alice", "help", "This is a play-by-email game server"),
    Row("alice", "list", "gonnect"),
    Row("bob", "GONNECT standings", "Nobody has finished a rated match of Gonnect yet."),
    Row("carol", "standings", "carol"),
    Row("alice", "history bob", "There are no finished matches."),
    Row("dora", "signup dora good-password", "Open your account with a reply"),
    Row("bob", "gonnect games alice", "alice* - bob"),
    Row("carol", "show {0}#0", "Board {0} after 0 moves."),
    Row("carol", "preview {0} C3", "Only a look: nothing has been played."),
    Row("carol", "subscribe {0} {me}", "You now follow board {0}."),
    Row("carol", "notify {0} {me}", "You get all mails of board {0} already"),
    Row("carol", "unsubscribe {0} {me}", "You no longer follow board {0}."),
    Row("alice", "move {0} {me} C3", "You played C3."),
    Row("bob", "swap {0} {me}", "You used the pie rule"),
    Row("alice", "move {0} {me} B2", "You played B2."),
    Row("alice", "undo {0} {me}", "Your offer stands: to take back B2."),
    Row("bob", "reject {0} {me}", "You said no to the undo."),
    Row("alice", "queue {0} {me} D4 if B3", "Queued for your turns: D4 if B3."),
    Row("bob", "submit {0} {me} B3", "to be confirmed"),
    Row("bob", "confirm {0} {me}", "alice played D4."),
    Row("alice", "hint {0} {me}", "I give hints in matches against robots only."),
    Row("alice", "chat {0} {me}", "You wrote to the board.", "Well played!"),
    Row("alice", "draw {0} {me}", "Your offer stands: a draw."),
    Row("bob", "accept {0} {me}", "The match is a draw."),
    Row("alice", "resign {1} {me}", "declined the match before the first move"),
    Row("carol", "analyse {1} {me}", "No move was made on board {1}"),
    Row("alice", "gonnect challenge {me} carol -size=9 --unrated", "Still to answer: carol."),
    Row("carol", "decline {next} {me}", "declined", "No time."),
    Row("bob", "gonnect ask {me}", "You are asked before you play a match of Gonnect."),
    Row("bob", "gonnect limit 5 {me}", "You play at most 5 boards of Gonnect at a time."),
    Row("bob", "olix seek 1 {me}", "You seek 1 match of OLIX."),
    Row("bob", "withdraw {seek} {me}", "of OLIX, is withdrawn."),
    Row("alice", "rematch {1} {me}", "Still to answer: bob."),
    Row("alice", "robot gonnect 2 {me} -size=5", "robot-2 is Ohs (o)"),
    Row("alice", "message {me} bob", "Your message for bob is taken.", "Hello, Bob!"),
    Row("alice", "broadcast {me}", "nothing was sent", "Hello, world!"),
    Row("carol", "block {me} bob", "You block bob: nothing that they write reaches you."),
    Row("carol", "blocks {me}", "carol, you block bob: nothing that they write reaches you."),
    Row("carol", "unblock {me} bob", "bob can write to you again."),
    Row("carol", "report {me} bob", "The operator has been told of bob.", "He is rude."),
    Row("carol", "set {me} zone Europe/Berlin", "Europe/Berlin"),
    Row("carol", "vacation {me} 10 days", "you are on vacation until"),
    Row("carol", "add {me} carol@work.example.com", "carol@work.example.com"),
    Row("bob", "change password {me} another-password", "Your password has changed"),
    Row("carol", "forgot carol", "Choose a new password"),
    Row("carol", "logout {me}", "count no longer"),
    Row("carol", "signoff {me}", "Close your account?"),
)


class House(NamedTuple):
    """The server, the people who write to it, and the boards that alice and bob have begun."""

    server: Server
    people: dict[str, Person]
    boards: tuple[str, ...]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    home = tmp_path_factory.mktemp("house")
    operator = ("--operator", "operator@example.org")
    accounts = tuple((name, PASSWORD) for name in ("alice", "bob", "carol"))
    with Sink() as sink, Server(
        home, "--relay", sink.relay, *operator, accounts=accounts
    ) as server:  # fmt: skip
        people = {name: Person(name, server, sink) for name in ("alice", "bob", "carol", "dora")}
        alice, bob = people["alice"], people["bob"]
        boards = [begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")[0] for _ in range(2)]
        yield House(server, people, tuple(mail.board for mail in boards))


def test_commands_by_real_mail_are_answered(house: House) -> None:
    following = max(map(int, house.boards)) + 1
    for row in ROWS:
        writer = house.people[row.writer]
        me = f"{row.writer} {PASSWORD}"
        writer.read = len(writer.mails())
        numbers = {"next": following, "seek": following + 1}
        writer.write(row.line.format(*house.boards, me=me, **numbers), row.text)
        wait_for(writer, row.answer.format(*house.boards))
    assert house.server.pbm("verify").endswith(" 0 with faults\n")


def wait_for(reader: Person, phrase: str) -> None:
    """Return once a mail with `phrase` has come; mails about other players may come before it."""

    def has_come(_: object) -> bool:
        new = reader.mails()[reader.read :]
        said = (f"{mail.headline}: {mail.subject}\n{mail.prose}".casefold() for mail in new)
        return any(phrase.casefold() in mail for mail in said)

    reader.sink.wait(has_come, f"a mail for {reader.name}: {phrase}")


def test_a_record_comes_as_two_files(house: House) -> None:
    carol = house.people["carol"]
    carol.read = len(carol.mails())
    carol.write(f"record {house.boards[0]}")
    carol.sink.wait(lambda _: len(carol.mails()) > carol.read, "the record")
    files = [part.get_filename() or "" for part in carol.mails()[-1].message.iter_attachments()]
    assert [Path(file).suffix for file in files] == [".json", ".txt"]
