"""A game that is broken, a stranger's code after all, holds up no other."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.endless import Bound, EndlessError
from pbm.engine import AnyGame, Diagram, Seat, Viewer
from pbm.service.scheduling import list_what_is_due
from tests.engine.noughts import Noughts, State, game
from tests.house import HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"


class Looping(Noughts):
    """Thinks about the corner for ever."""

    info = replace(game.info, key="looping")

    def play(self, state: State, seat: Seat, move: str) -> State:
        while move == "a1":
            pass
        return super().play(state, seat, move)


class Invisible(Noughts):
    """Cannot be drawn."""

    info = replace(game.info, key="invisible")

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        raise IndexError(str(viewer))


class Unreadable(Noughts):
    """Has changed how its states are stored, under the same rules_version."""

    info = replace(game.info, key="unreadable")

    def load(self, data: Mapping[str, object]) -> State:
        raise TypeError(str(data))


def house_with(folder: Path, *games: AnyGame) -> HouseUnderTest:
    """Return a house of alice and bob that has these games."""
    house = HouseUnderTest(folder, "op@example.org")
    house.add("alice", "bob")
    catalogue = Catalogue([InstalledGame(each, "") for each in games])
    house.house = replace(house.house, find_games=lambda: catalogue)
    return house


def test_a_game_that_loops_is_ended_and_the_mail_set_aside_for_the_operator(tmp_path: Path) -> None:
    house = house_with(tmp_path, Looping(), game)
    for key in ("looping", "noughts"):
        house.mail(ALICE, f"{key} challenge alice alice-pw bob")
        house.reply(house.last_to(BOB), "accept")
    vars(house.house)["play_stage"] = replace(house.house.play_stage, bound=Bound(0.2, look=0.01))
    [told] = house.mail(ALICE, "move 101 alice alice-pw a1")
    assert (told["To"], told["Subject"]) == ("op@example.org", "A mail met a bug")
    with house.house.open_reading() as work:
        assert [str(m.error).rpartition("\n")[2] for m in work.shunt.listing()] == ["EndlessError"]
    assert "Your move" in house.mail(ALICE, "move 102 alice alice-pw a1")[1]["From"]
    assert "Your move" in house.mail(ALICE, "move 101 alice alice-pw b2")[1]["From"]


def test_what_loops_is_ended_though_it_catches_what_ends_it() -> None:
    with pytest.raises(EndlessError), Bound(0.01, look=0.01).bounded():
        _loop_on()


def _loop_on() -> None:
    """Loop; take no notice of the first error, and loop again."""
    try:
        while True:
            pass
    except EndlessError:
        while True:
            pass


def test_a_game_that_cannot_be_drawn_does_not_end_a_server_that_makes_itself_ready(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house = house_with(tmp_path, Invisible(), game)
    house.house.prepare()
    assert "invisible cannot be drawn at its beginning:" in caplog.text
    assert caplog.text.strip().endswith("IndexError")


def test_who_writes_to_a_board_whose_game_is_gone_reads_that_it_waits(tmp_path: Path) -> None:
    house = house_with(tmp_path, game, Looping())
    house.mail(ALICE, "looping challenge alice alice-pw bob")
    house.reply(house.last_to(BOB), "accept")
    house.house = replace(house.house, find_games=lambda: Catalogue([InstalledGame(game, "")]))
    for line in ("move 101 alice alice-pw a1", "show 101", "resign 101 alice alice-pw"):
        [told] = house.mail(ALICE, line)
        text = " ".join(text_of(told).split())
        assert "Board 101 is a match of looping, a game that this server does not have" in text
        assert "The match waits, and nothing of it is lost. A line that works: list" in text


def test_what_is_due_is_listed_though_the_state_of_one_board_cannot_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house = house_with(tmp_path, Unreadable(), game)
    for key in ("unreadable", "noughts"):
        house.mail(ALICE, f"{key} challenge alice alice-pw bob")
        house.reply(house.last_to(BOB), "accept")
    house.clock.now += timedelta(days=8)
    with house.house.open_unit() as work:
        work.matches.skip_look(101, house.clock())
        work.matches.skip_look(102, house.clock())
        work.commit()
    due = list_what_is_due(house.house.open_reading, house.house.services, house.clock())
    assert [(each.what, each.board) for each in due] == [("nag", 102)]
    assert "board 101 cannot be looked at: it met a bug:" in caplog.text
