"""Whole matches by SMTP with `pbm serve`, and the form of each of their mails."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from pbm.cli import main
from pbm.engine import AnyGame, advance, begin, is_swap, parse_transcript
from pbm.engine.laws import folder_of
from pbm.engine.transcript import Transcript, TurnStep
from pbm.plugins import help_text, installed_games
from tests.e2e.people import (
    ALICE,
    PASSWORD,
    Table,
    begin_match,
    hand_in,
    letter,
    open_table,
    take_turn,
)
from tests.processes import PBM, clean_environment, run, run_pbm
from tests.sink import Arrived

TREE = Path(__file__).resolve().parents[2]
GOMOKU = TREE / "tests" / "thirdparty" / "pbm-gomoku"


GAMES = [game for game in installed_games() if not (game.info.chance or game.info.hidden)]
"""The games of whose playthroughs players type all: nothing is thrown or hidden in them."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Yield alice and bob on one server for all tests of the module."""
    options = ("--authserv-id", "mx.example", "--relay-from", "127.0.0.1")
    with open_table(tmp_path_factory.mktemp("house"), *options) as table:
        yield table


@pytest.fixture
def table(house: Table) -> Table:
    """Return the house with nothing left to read from earlier tests."""
    return with_nothing_to_read(house)


def with_nothing_to_read(table: Table) -> Table:
    for person in (table.alice, table.bob):
        person.read = len(person.mails())
    return table


def moves_on_record(table: Table, board: str) -> list[str]:
    record = json.loads(table.server.pbm("game", "record", board))
    return [entry["text"] for entry in record["log"]]


def test_a_match_with_words_the_pie_rule_and_a_refused_move_is_one_thread_of_proper_mails(
    table: Table,
) -> None:
    alice, bob = table.alice, table.bob
    mail, _ = table.begin()
    mail = take_turn(alice, bob, mail, "C3\n\nGrüße, and have fun!")
    assert "Grüße, and have fun!" in mail.text
    bob.answer(mail, "C3")
    mail = bob.next("C3 is already occupied")
    mail = take_turn(bob, alice, mail, "swap")
    players = [alice, bob]
    for number, move in enumerate(("C4", "B3", "B4", "D3", "D4", "A3", "E4")):
        mail = take_turn(players[number % 2], players[1 - number % 2], mail, move)
    bob.answer(mail, "E3")
    bob.next("You won: a chain joins two opposite sides.")
    alice.next("You lost; bob won: a chain joins two opposite sides.")
    mails = [other for other in table.sink.mails if other.board == mail.board]
    assert len(mails) == 2 + 2 + 2 * 10 + 1  # invited, begun, ten turns, one refusal
    assert {mail.subject for mail in mails} == {f"[Gonnect {mail.board}] alice - bob"}
    roots = {(mail.message["References"], mail.message["In-Reply-To"]) for mail in mails}
    ((references, in_reply_to),) = roots
    ids = [mail.message_id for mail in mails]
    assert references == in_reply_to
    assert references not in ids
    assert len(set(ids)) == len(ids)
    for mail in mails:
        check_envelope_and_headers(mail)
        check_octets(mail.content)
    assert table.server.pbm("verify").endswith(" 0 with faults\n")


def check_envelope_and_headers(mail: Arrived) -> None:
    message = mail.message
    assert re.fullmatch(r"bounce\+[a-z0-9]+@localhost", mail.sender)
    assert message["Auto-Submitted"] in ("auto-replied", "auto-generated")
    assert message["X-Auto-Response-Suppress"] == "All"
    # Without a key nothing is signed.
    assert not {"Precedence", "DKIM-Signature"} & {*message}
    assert "List-Unsubscribe" not in message or message["Auto-Submitted"] == "auto-generated"
    assert parsedate_to_datetime(message["Date"]).tzinfo is not None
    assert re.fullmatch(r"<[!-;=?-~]+@localhost>", message["Message-ID"])
    assert message["To"] == mail.recipient
    assert [a.addr_spec for a in message["From"].addresses] == ["pbm@localhost"]
    local = mail.reply_to.rpartition("@")[0]
    assert len(local) <= 64
    assert local == local.lower()
    for name in ("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"):
        assert len(message.get_all(name, [])) == 1, name


def check_octets(content: bytes) -> None:
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert b"\r" not in content.replace(b"\r\n", b"")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    assert content.partition(b"\r\n\r\n")[0].isascii()


def test_a_mail_that_its_sender_repeats_plays_once_and_an_old_one_not_at_all(table: Table) -> None:
    alice, bob = table.alice, table.bob
    mail, _ = table.begin()
    sent = alice.answer(mail, "C3")
    alice.hand_in(sent, mail.reply_to)
    alice.hand_in(b"Received: from elsewhere\r\n" + sent, mail.reply_to)
    alice.next("bob to move")
    theirs = bob.next("your move")
    take_turn(bob, alice, theirs, "B2")
    alice.answer(mail, "D4")
    alice.next("move 3")
    # A token in any case, and behind the odd From of some mail program.
    there = mail.reply_to.upper()
    content = letter(ALICE, "", "show", to=there)
    alice.hand_in(
        content.replace(b"From: ", b"From: Smith, Alice <").replace(b"\r\nTo", b">\r\nTo", 1), there
    )
    alice.next(f"Board {mail.board}")
    # From another address it proves nothing, and only its owner hears of it.
    hand_in(table.server, "eve@example.com", letter("eve@example.com", "", "C3", to=there), there)
    assert alice.next("from an address that is not yours").token != mail.token
    for person in (alice, bob):
        person.write("help commands")
        assert person.next("help").headline == "pbm"
    assert moves_on_record(table, mail.board) == ["C3", "B2"]


PASS = b"Authentication-Results: mx.example; dmarc=pass header.from=example.com\r\n"
FAIL = PASS.replace(b"pass", b"fail")


def test_the_word_of_the_front_mta_proves_who_wrote_and_its_no_silences_all(table: Table) -> None:
    line = letter(ALICE, "set zone Europe/Berlin")
    for headers, phrase in ((PASS, "zone is now Europe/Berlin"), (b"", "your-password")):
        table.alice.hand_in(headers + line)
        table.alice.next(phrase)
        line = letter(ALICE, "set digest yes")
    failed = letter(ALICE, f"set alice {PASSWORD} digest yes")
    table.alice.hand_in(FAIL + failed)
    table.alice.write("help commands")
    assert table.alice.next("help").headline == "pbm"


def play_by_mail(table: Table, game: AnyGame, transcript: Transcript, inviting: int = 0) -> None:
    """Play a playthrough to its end, each turn as a reply, and compare what both are told.

    Alice invites bob if `inviting` is even, and else he her.
    """
    options = " ".join(f"-{name}={value}" for name, value in transcript.options.items())
    seated = [table.bob, table.alice] if inviting % 2 else [table.alice, table.bob]
    begun = begin_match(seated[0], seated[1], PASSWORD, game.info.key, options)
    last = dict(zip((person.name for person in seated), begun, strict=True))
    position = begin(game, game.info.setup(transcript.options))
    for step in (step for step in transcript.steps if isinstance(step, TurnStep)):
        seat = game.info.seats.index(step.side)
        mover = seated[seat]
        mover.answer(last[mover.name], step.text)
        if step.refusal:
            # The ways to go on with a turn are a list in the mail.
            first, *others = re.split(", | or ", step.refusal[1])
            last[mover.name] = mail = mover.next(
                first if step.refusal[0] == "incomplete" else step.refusal[1]
            )
            assert all(other in mail.prose for other in others)
            continue
        position, turn = advance(game, position, seat, step.text)
        if is_swap(turn.text):
            seated.reverse()
        to_move = [seated[seat].name for seat in game.to_move(position.state)]
        for reader in seated:
            told = (
                "your move"
                if reader.name in to_move
                else f"{to_move[0]} to move"
                if to_move
                else ""
            )
            last[reader.name] = reader.next(told)
    result = game.result(position.state)
    assert result is not None
    winners = [seated[seat].name for seat in result.winners]
    for reader in seated:
        lost = f"You lost; {' and '.join(winners)} won" if winners else "The match is a draw"
        who = "You won" if reader.name in winners else lost
        assert last[reader.name].says(f"{who}: {game.info.reasons[result.reason]}.")
        assert not last[reader.name].says("your move")
    assert table.server.pbm("verify").endswith(" 0 with faults\n")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.key)
def test_a_match_of_each_game_is_played_by_mail_to_its_end_by_rule(
    table: Table, game: AnyGame
) -> None:
    play_whole_match(table, game)


def play_whole_match(table: Table, game: AnyGame) -> None:
    """Play the shortest playthrough of a game that has a result.

    Alice and bob invite in turn: ten invitations to one player are the bound of an hour.
    """
    files = (folder_of(game) / "playthroughs").iterdir()
    stories = [parse_transcript(file.read_text("utf-8")) for file in files]
    shortest = min((story for story in stories if story.reason), key=lambda each: len(each.steps))
    play_by_mail(table, game, shortest, GAMES.index(game))


# ---- a third party's game, installed beside pbm as a package


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which pip has installed pbm-gomoku.

    It is built from a copy and without the network: the build tool is among the test extras.
    """
    home = tmp_path_factory.mktemp("stranger")
    source = shutil.copytree(
        GOMOKU, home / "pbm-gomoku", ignore=shutil.ignore_patterns(".*", "__*__")
    )
    installing = (
        *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *("--no-index", "--no-deps", "--no-build-isolation", "--target", home / "site", source),
    )
    installed = run(*installing, seconds=120)
    assert installed.returncode == 0, installed.stderr
    return clean_environment(PYTHONPATH=str(home / "site"))


def with_path(arguments: list[str]) -> None:
    """Be a `pbm` that is forked, and has the path that another is started with."""
    sys.path.insert(0, os.environ["PYTHONPATH"])
    main(arguments)


@pytest.mark.slow
def test_a_strangers_game_is_listed_helped_with_and_played_by_mail(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = run_pbm("games", home=tmp_path, environment=environment, command=PBM).stdout
    assert "gomoku     Gomoku\n" in listed
    assert "size=15  lines on a side of the board" in listed
    assert "gomoku" not in run_pbm("games", home=tmp_path).stdout
    monkeypatch.syspath_prepend(environment["PYTHONPATH"])
    game = installed_games().get("gomoku")
    with open_table(tmp_path, environment=environment, program=with_path) as table:
        traced = table.server.pbm(
            "rules", "trace", "gomoku", "--option", "size=5", stdin="b2\nb2\n"
        )
        _, after, refused = traced.splitlines()
        assert '"to_move": [1]' in after
        assert '"message": "b2 is already occupied: Black has a stone there."' in refused
        story = (GOMOKU / "pbm_gomoku/playthroughs/a_column.txt").read_text("utf-8")
        play_by_mail(table, game, parse_transcript(story))
        table.server.pbm("robot", "add", "first", "--game", "gomoku", "--program", "gomoku-first")
        table.alice.write(f"gomoku challenge alice {PASSWORD} first -size=5")
        table.alice.answer(table.alice.next("your move"), "b2")
        table.alice.next("You played b2. first played a5.")
        table.alice.write("help gomoku")
        text = table.alice.next("Two sides, Black (x) and White (o)").text
    paragraphs = help_text(game).split("```")[0].split("\n\n")
    prose = [p for p in paragraphs if p.strip() and "#" not in p and "`" not in p]
    text = text.replace("\r\n", "\n")
    assert [p for p in prose if p.strip() not in text] == []
    assert "\n    2. White e5 is refused: " in text
    assert "`" not in text


@pytest.mark.slow
def test_its_own_tests_pass_where_it_is_installed(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    shutil.copy(GOMOKU / "tests" / "test_gomoku.py", tmp_path)
    # Where nothing is kept, hypothesis reads all of pbm for the constants in it, for a second.
    kept = {
        "HYPOTHESIS_STORAGE_DIRECTORY": str(TREE / ".hypothesis"),
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
    }
    testing = (sys.executable, "-m", "pytest", "-q", tmp_path)
    ended = run(*testing, home=tmp_path, environment={**environment, **kept}, seconds=120)
    assert ended.returncode == 0, ended.stdout
