"""Records are sent as files by mail, read back, and taken over by another server."""

import copy
import json
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbm.domain.errors import Refusal
from pbm.engine import parse_transcript, play_transcript
from pbm.operator.administration import Administration, import_match
from pbm.operator.upkeep import verify_all
from tests.house import HouseUnderTest, text_of
from tests.tables import each

WON = ("C3", "C4", "B3", "B4", "D3", "D4", "A3", "E4", "E3")
Change = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def told(house: HouseUnderTest) -> dict[str, Any]:
    return record_of(house)


def new_house(folder: Path) -> HouseUnderTest:
    folder.mkdir()
    house = HouseUnderTest(folder)
    house.add("alice", "bob", "carol")
    return house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where the match on board 101 is under way and board 102 is won."""
    house = new_house(tmp_path_factory.mktemp("records") / "one")
    play(house, 101, WON[:4])
    play(house, 102, WON)
    return house


@pytest.fixture
def elsewhere(tmp_path: Path) -> HouseUnderTest:
    return new_house(tmp_path / "two")


def play(house: HouseUnderTest, number: int, moves: tuple[str, ...]) -> None:
    """Play on a board: a swap, a comment, an offer that is refused, a move that is taken back."""
    with house.house.open_unit() as work:
        gonnect = house.house.catalogue.get("gonnect")
        terms = {"nagtime": "3", "forfeittime": "9"}
        operator = Administration(house.house.services, work, house.clock())
        operator.create_match(gonnect, ("alice", "bob"), {"size": "5"}, terms)
        work.commit()
    lines = [moves[0], "swap", "draw", "reject", *moves[1:], "undo", "accept", moves[-1]]
    movers = ["alice", "bob", "bob", "alice"]
    movers += [("alice", "bob")[n % 2] for n in range(len(moves) - 1)]
    last, other = movers[-1], {"alice": "bob", "bob": "alice"}[movers[-1]]
    for player, line in zip([*movers, last, other, last], lines, strict=True):
        verb = line if line.islower() else "move"
        rest = "" if line.islower() else line
        text = "Sch\u00f6n!\nReally." if line == moves[1] else ""
        house.mail(f"{player}@example.org", f"{verb} {number} {player} {player}-pw {rest}", text)


def record_mail(house: HouseUnderTest, number: int = 101) -> EmailMessage:
    (mail,) = house.mail("carol@example.org", f"record {number}")
    return mail


def files_of(mail: EmailMessage) -> dict[str, Any]:
    return {str(part.get_filename()): part.get_content() for part in mail.iter_attachments()}


def record_of(house: HouseUnderTest, number: int = 101) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(files_of(record_mail(house, number))[f"board-{number}.json"])
    return told


def take_over(house: HouseUnderTest, data: Any) -> int:
    with house.house.open_unit() as work:
        operator = Administration(house.house.services, work, house.clock())
        number = import_match(operator, data)
        work.commit()
    return number


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
    game = house.house.catalogue.get("gonnect")
    assert play_transcript(game, parse_transcript(parts[1].get_content())).ply == 5


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
    elsewhere.play()
    again = record_of(elsewhere, new)
    if told["outcome"]:
        assert told["outcome"].pop("ratings")
        assert again["outcome"].pop("ratings") == []
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
    (mover,) = (mail for mail in mails if "Your move" in text_of(mail))
    assert len(elsewhere.reply(mover, "E5")) == 2


def test_a_finished_match_taken_over_is_not_told_and_not_rated_again(
    house: HouseUnderTest, elsewhere: HouseUnderTest
) -> None:
    take_over(elsewhere, record_of(house, 102))
    assert elsewhere.play() == []
    (answer,) = elsewhere.mail("alice@example.org", "gonnect standings")
    assert "Nobody has finished a rated match" in text_of(answer)


def set_entry(name: str, value: Any, n: int = 0) -> Change:
    return lambda data: data["log"][n].update({name: value})


WRONG: dict[str, tuple[Change, str]] = {
    "format": (lambda data: data.update(format=2), "not a record of format 1"),
    "game": (lambda data: data.update(game=5), "not a record of a match"),
    "unknown game": (lambda data: data.update(game="gonect"), 'no game "gonect"'),
    "rules": (lambda data: data.update(rules_version=9), "version 9 of the rules"),
    "stranger": (lambda data: data.update(starters=["alice", "nemo"]), "no player nemo"),
    "one player": (lambda data: data.update(starters=["bob", "Bob"]), "one player on two seats"),
    "a third": (lambda data: data.update(starters=["alice", "bob", "carol"]), "is for 2 players"),
    "nobody": (lambda data: data.update(starters="alice"), "does not say who has played"),
    "other seats": (lambda data: data["players"].reverse(), "do not sit where its turns put them"),
    "option": (lambda data: data["options"].update(size="600"), "The option size"),
    "terms": (lambda data: data["terms"].update(nagtime=50), "must be less than the forfeittime"),
    "illegal": (set_entry("text", "Z9", 4), "does not replay at ply 3"),
    "not canonical": (set_entry("text", "c3"), "Ply 1 of the record should be written C3"),
    "seat": (set_entry("seat", 7), "a seat is a number from 0 to 1"),
    "no seat": (set_entry("seat", None), "does not say who played ply 1"),
    "swap": (set_entry("kind", "move", 1), "Ply 2 of the record is not of the kind move"),
    "kind": (set_entry("kind", "magic"), "cannot be read"),
    "undo": (set_entry("text", "-1", 9), "how many plies"),
    "time": (set_entry("at", "2026-11-20T12:00:00"), "has no time zone"),
    "comment": (set_entry("comment", None), "a text is expected"),
    "missing": (lambda data: data.pop("log"), "cannot be read"),
    "result": (
        lambda data: data.update(
            outcome={"ending": "rules", "winners": [0], "reason": "joins", "scores": None},
            ended_at=data["started_at"],
        ),
        "contradicts itself",
    ),
}


@each("kind", WRONG)
def test_a_record_that_does_not_hold_is_refused(
    house: HouseUnderTest, told: dict[str, Any], kind: str
) -> None:
    data = copy.deepcopy(told)
    spoil, sentence = WRONG[kind]
    spoil(data)
    with pytest.raises(Refusal, match=sentence):
        take_over(house, data)


@pytest.mark.parametrize("data", [None, [], "record", {}])
def test_what_is_no_record_is_refused(house: HouseUnderTest, data: Any) -> None:
    with pytest.raises(Refusal, match="not a record"):
        take_over(house, data)


def test_an_open_match_needs_players_who_can_play(
    told: dict[str, Any], elsewhere: HouseUnderTest
) -> None:
    with elsewhere.house.open_unit() as work:
        bob = work.players.by_userid("bob")
        assert bob is not None
        work.players.set_state(bob.id, type(bob.state)("disabled"))
        work.commit()
    with pytest.raises(Refusal, match="bob cannot play on"):
        take_over(elsewhere, told)
