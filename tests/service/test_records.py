"""Records are sent as files by mail, read back, and taken over by another server."""

import copy
import io
import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbm.domain.errors import Refusal
from pbm.engine import parse_transcript, play_transcript
from pbm.operator.administration import import_match
from pbm.operator.upkeep import verify_all
from tests.conversations.conversation import prepare
from tests.house import HouseUnderTest, text_of
from tests.readings import answers, sections
from tests.site.building import builder

TABLES = sections(Path(__file__).with_name("records.txt"))
WRONG = TABLES["wrong"]


def new_house(folder: Path) -> HouseUnderTest:
    folder.mkdir()
    house = HouseUnderTest(folder)
    house.add("alice", "bob", "carol")
    return house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where the match on board 101 is under way and board 102 is won."""
    house = new_house(tmp_path_factory.mktemp("records") / "one")
    prepare(house, TABLES["open"])
    prepare(house, TABLES["won"])
    return house


@pytest.fixture
def elsewhere(tmp_path: Path) -> HouseUnderTest:
    return new_house(tmp_path / "two")


def record_mail(house: HouseUnderTest, number: int = 101) -> EmailMessage:
    (mail,) = house.mail("carol@example.org", f"record {number}")
    return mail


def record_of(house: HouseUnderTest, number: int = 101) -> dict[str, Any]:
    (part, _) = record_mail(house, number).iter_attachments()
    told: dict[str, Any] = json.loads(part.get_content())
    return told


def take_over(house: HouseUnderTest, data: Any) -> int:
    with house.administration() as operator:
        return import_match(operator, data)


def test_the_record_comes_as_two_files_that_say_everything(house: HouseUnderTest) -> None:
    mail = record_mail(house)
    assert "5 moves" in text_of(mail)
    parts = list(mail.iter_attachments())
    assert [part.get_content_type() for part in parts] == ["application/json", "text/plain"]
    told = json.loads(parts[0].get_content())
    kinds = " ".join(entry["kind"] for entry in told["log"])
    assert kinds == "move swap offer reject move move move offer accept undo move"
    assert told["log"][4]["comment"] == "Sch\u00f6n!\nReally."
    assert (told["starters"], told["players"]) == (["alice", "bob"], ["bob", "alice"])
    assert told["terms"] == {"nagtime": 3, "forfeittime": 9, "totaltime": None}
    assert record_of(house, 102)["terms"] == {"time": "10d+1d/20d"}
    game = house.house.catalogue.get("gonnect")
    assert play_transcript(game, parse_transcript(parts[1].get_content())).ply == 5


def test_a_game_with_a_file_format_of_its_own_comes_in_that_as_well(tmp_path: Path) -> None:
    chess_pgn = pytest.importorskip("chess.pgn", reason="needs python-chess, of the extra chess")
    house = new_house(tmp_path / "chess")
    prepare(house, TABLES["mate"])
    mail = record_mail(house)
    assert "board-101.pgn    the moves for other programs" in text_of(mail)
    *_, part = mail.iter_attachments()
    assert (part.get_filename(), part.get_content_type()) == (
        "board-101.pgn",
        "application/vnd.chess-pgn",
    )
    read = chess_pgn.read_game(io.StringIO(part.get_content().decode()))
    told = {name: read.headers[name] for name in ("White", "Black", "Result")}
    assert told == {"White": "alice", "Black": "bob", "Result": "0-1"}
    assert str(read.mainline()) == "1. f3 e5 2. g4 Qh4#"
    builder(house, tmp_path / "site").build()
    page = (tmp_path / "site/b/101.html").read_text("utf-8")
    assert '<a download="board-101.pgn" href="data:application/vnd.chess-pgn,' in page


def test_nothing_but_ascii_in_lines_that_every_server_passes_on(house: HouseUnderTest) -> None:
    house.mail("alice@example.org", "chat 102 alice alice-pw", "\u00e9" * 3000)
    raw = record_mail(house, 102).as_bytes()
    assert raw.isascii()
    assert max(map(len, raw.splitlines())) <= 998
    assert "\u00e9" * 3000 in [entry["comment"] for entry in record_of(house, 102)["log"]]


@pytest.mark.parametrize("number", [101, 102], ids=["open", "won"])
def test_a_record_makes_the_same_match_on_another_server(
    house: HouseUnderTest, elsewhere: HouseUnderTest, number: int
) -> None:
    told = record_of(house, number)
    new = take_over(elsewhere, told)
    mails = elsewhere.play()
    again = record_of(elsewhere, new)
    if told["outcome"]:
        assert told["outcome"].pop("ratings")
        assert again["outcome"].pop("ratings") == []
        assert mails == [], "a finished match is not told again"
        (answer,) = elsewhere.mail("alice@example.org", "gonnect standings")
        assert "Nobody has finished a rated match" in text_of(answer)
    assert again == {**told, "board": new}
    with elsewhere.house.open_reading() as work:
        assert dict(verify_all(work, elsewhere.house.catalogue)) == {new: ()}


def test_a_match_taken_over_goes_on_and_its_players_are_told(
    house: HouseUnderTest, elsewhere: HouseUnderTest
) -> None:
    elsewhere.clock.now = house.clock().replace(year=2027)
    take_over(elsewhere, record_of(house))
    mails = elsewhere.play()
    assert sorted(mail["To"] for mail in mails) == ["alice@example.org", "bob@example.org"]
    assert all("29 Nov 2027" in text_of(mail) for mail in mails)
    (mover,) = (mail for mail in mails if "your move" in text_of(mail))
    assert len(elsewhere.reply(mover, "E5")) == 2


def test_a_record_that_does_not_hold_is_refused(house: HouseUnderTest) -> None:
    told = record_of(house)

    def refusal(changes: str) -> str:
        """Return the words of the refusal that the table names, or the whole of another."""
        data = copy.deepcopy(told)
        for change in changes.split("; "):
            path, _, value = change.partition(" = ")
            *way, last = (int(name) if name.isdigit() else name for name in path.split())
            place: Any = data
            for name in way:
                place = place[name]
            place[last] = json.loads(value)
        with pytest.raises(Refusal) as refused:
            take_over(house, data)
        expected = next(line for line in WRONG.splitlines() if line.startswith(changes))
        words = expected.partition("-> ")[2]
        return words if words in str(refused.value) else str(refused.value)

    assert answers(WRONG, refusal) == WRONG
    nothings: tuple[Any, ...] = (None, [], "record", {})
    for nothing in nothings:
        with pytest.raises(Refusal, match="not a record"):
            take_over(house, nothing)


def test_an_open_match_needs_players_who_can_play(
    house: HouseUnderTest, elsewhere: HouseUnderTest
) -> None:
    prepare(elsewhere, "$ pbm user disable bob")
    with pytest.raises(Refusal, match="bob cannot play on"):
        take_over(elsewhere, record_of(house))
