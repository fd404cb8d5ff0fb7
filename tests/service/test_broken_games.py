"""A game that is broken, a stranger's code after all, holds up no other."""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from errno import EMFILE
from pathlib import Path
from time import thread_time

import pytest

from pbm.core.bugs import trace_of
from pbm.core.events import Happening
from pbm.core.plies import MOVED
from pbm.dispatch.jobs import list_what_is_due
from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.domain.errors import NotNow
from pbm.domain.invitations import Terms
from pbm.domain.leagues import Season, SeasonState
from pbm.domain.robots import Brain
from pbm.engine import AnyGame, Diagram, Seat, Viewer
from pbm.operator.leagues import add_players, begin_now, open_league
from pbm.operator.upkeep import repair, verify_all
from pbm.system.time_limit import EndlessError, TimeLimit
from tests.conversations.conversation import prepare
from tests.doors import FollowUpKind
from tests.engine.noughts import Noughts, State, game
from tests.house import HouseUnderTest, text_of
from tests.thinking.conftest import add_robot, begin_match

ALICE, BOB = "alice@example.org", "bob@example.org"


class Looping(Noughts):
    """Thinks about the corner for ever."""

    info = replace(game.info, key="looping")

    def play(self, state: State, seat: Seat, move: str) -> State:
        while move == "a1":
            pass
        return super().play(state, seat, move)


class Updated(Noughts):
    """Loops for ever where it draws, or where it plays, since it was last updated."""

    info = replace(game.info, key="updated")
    loops_in = ""

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        while self.loops_in == "diagram":
            pass
        return super().diagram(state, viewer)

    def play(self, state: State, seat: Seat, move: str) -> State:
        while self.loops_in == "play":
            pass
        return super().play(state, seat, move)


class Invisible(Noughts):
    """Cannot be drawn."""

    info = replace(game.info, key="invisible")

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        raise IndexError(str(viewer))


class Stumbling(Noughts):
    """Cannot be drawn the next few times."""

    info = replace(game.info, key="stumbling")
    stumbles = 0

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        if self.stumbles:
            self.stumbles -= 1
            raise IndexError(str(viewer))
        return super().diagram(state, viewer)


class Unreadable(Noughts):
    """Has changed how its states are stored, under the same rules_version."""

    info = replace(game.info, key="unreadable")

    def load(self, data: Mapping[str, object]) -> State:
        raise TypeError(str(data))


def house_with(folder: Path, *games: AnyGame) -> HouseUnderTest:
    """Return a house that has these games, with a board of each, where alice moves against bob."""
    house = HouseUnderTest(folder, "op@example.org")
    house.add("alice", "bob", "carol")
    catalogue = Catalogue([InstalledGame(each, "") for each in games])
    bound = TimeLimit(0.2, look=0.01)
    house.house = replace(house.house, find_games=lambda: catalogue, time_limit=bound)
    for other in games:
        house.create_match("alice", "bob", game=other.info.key, options={})
    house.play()
    return house


def test_a_game_that_loops_is_ended_and_the_mail_set_aside_for_the_operator(tmp_path: Path) -> None:
    house = house_with(tmp_path, Looping(), game)
    [told] = house.mail(ALICE, "move 101 alice alice-pw a1")
    assert (told["To"], told["Subject"]) == ("op@example.org", "A mail ran into a bug")
    assert [error.rpartition("\n")[2] for error in house.shunted()] == ["EndlessError"]
    assert "Your move" in house.mail(ALICE, "move 102 alice alice-pw a1")[1]["From"]
    assert "Your move" in house.mail(ALICE, "move 101 alice alice-pw b2")[1]["From"]


def updated_on_one_of_two_boards(folder: Path) -> tuple[HouseUnderTest, Updated]:
    """Return a house where alice is to move on board 101, whose game may loop, and on board 102."""
    updated = Updated()
    house = house_with(folder, updated, game)
    return house, updated


def test_a_game_that_loops_where_players_are_reminded_holds_up_no_other_board(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house, updated = updated_on_one_of_two_boards(tmp_path)
    house.clock.now += timedelta(days=8)
    updated.loops_in = "diagram"
    assert [(mail["To"], mail["Subject"]) for mail in house.remind()] == [
        (ALICE, "[Noughts and Crosses 102] alice - bob")
    ]
    assert "boards 101 and 102 cannot be told in one mail: it met a bug:" in caplog.text
    assert "board 101 cannot be looked at: it met a bug:" in caplog.text
    assert caplog.text.strip().endswith("EndlessError")
    updated.loops_in = ""
    house.clock.now += timedelta(hours=1)
    assert [mail["Subject"] for mail in house.remind()] == ["[Noughts and Crosses 101] alice - bob"]


def test_a_game_that_loops_in_a_digest_holds_up_no_other_board(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house, updated = updated_on_one_of_two_boards(tmp_path)
    house.mail(BOB, "set bob bob-pw digest yes")
    for board in (101, 102):
        house.mail(ALICE, f"move {board} alice alice-pw b2")
    house.clock.now += timedelta(days=1)
    updated.loops_in = "diagram"
    [digest] = house.remind()
    assert (digest["To"], "102" in text_of(digest)) == (BOB, True)
    assert "the digest of bob, board 101, cannot be told:" in caplog.text


def test_a_game_that_loops_while_a_robot_plays_it_is_ended_and_the_thought_waits(
    tmp_path: Path,
) -> None:
    house, updated = updated_on_one_of_two_boards(tmp_path)
    add_robot(house.house, "r", Brain(level=1))
    boards = [begin_match(house.house, key, "r", "alice") for key in ("updated", "noughts")]
    updated.loops_in = "diagram"
    assert [mail["To"] for mail in house.think()] == [ALICE]
    with house.house.open_reading() as work:
        counts = work.thoughts.counts(house.clock() + timedelta(minutes=1))
    assert (boards, counts.waiting) == ([103, 104], 1)


def test_a_game_that_loops_before_a_crowd_holds_up_nothing_else_that_mails_have_begun(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house, updated = updated_on_one_of_two_boards(tmp_path)
    with house.house.open_unit() as work:
        for number in (101, 102):
            carol = work.players.by_userid("carol")
            assert carol
            work.followers.follow(carol.id, number)
            moved = Happening(MOVED, text="b2").stored()
            facts = {"happenings": [moved], "told": []}
            work.follow_ups.add(FollowUpKind.BOARD, None, house.clock(), number=number, facts=facts)
        work.commit()
    updated.loops_in = "diagram"
    assert [mail["Subject"] for mail in house.play()] == ["[Noughts and Crosses 102] alice - bob"]
    assert "follow-up job 1 (board) met a bug:" in caplog.text


def test_verify_names_a_board_whose_game_loops_and_looks_at_the_others(tmp_path: Path) -> None:
    house, updated = updated_on_one_of_two_boards(tmp_path)
    for board in (101, 102):
        house.mail(ALICE, f"move {board} alice alice-pw b2")
    updated.loops_in = "play"
    with house.house.open_reading() as work:
        time_limited = house.house.time_limit
        faults = dict(verify_all(work, house.house.catalogue, time_limited))
        assert not repair(work, house.house.catalogue, 101, time_limited)
    assert faults[102] == ()
    assert faults[101][0].startswith("its game met a bug when the log was replayed: EndlessError")


@pytest.mark.parametrize(
    ("bug", "named"),
    [
        (OSError(EMFILE, "Too many open files", "secret-word"), "OSError: EMFILE"),
        (OSError(554, "secret-word"), "OSError"),
        (ValueError("secret-word"), "ValueError"),
    ],
)
def test_a_bug_is_named_by_its_kind_and_an_error_of_the_system_by_its_name(
    bug: Exception, named: str
) -> None:
    assert trace_of(bug) == named


def test_work_inside_other_work_does_not_take_from_what_that_has_left() -> None:
    bound = TimeLimit(0.1, look=0.01)
    with bound():
        for _ in range(3):
            with bound():
                _work(0.05)
        with pytest.raises(EndlessError), bound():
            _work(1)
    with bound():
        with bound():
            _work(0.05)
        with pytest.raises(EndlessError):
            _work(1)


def _work(seconds: float) -> None:
    """Use so many seconds of a core."""
    until = thread_time() + seconds
    while thread_time() < until:
        pass


def test_what_loops_is_ended_though_it_catches_what_ends_it() -> None:
    with pytest.raises(EndlessError), TimeLimit(0.01, look=0.01)():
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
    house = HouseUnderTest(tmp_path)
    catalogue = Catalogue([InstalledGame(each, "") for each in (Invisible(), game)])
    house.house = replace(house.house, find_games=lambda: catalogue)
    house.house.prepare()
    assert "invisible cannot be drawn at its beginning:" in caplog.text
    assert caplog.text.strip().endswith("IndexError")


def test_who_writes_to_a_board_whose_game_is_gone_reads_that_it_waits(tmp_path: Path) -> None:
    house = house_with(tmp_path, Looping(), game)
    house.house = replace(house.house, find_games=lambda: Catalogue([InstalledGame(game, "")]))
    for line in ("move 101 alice alice-pw a1", "show 101", "resign 101 alice alice-pw"):
        [told] = house.mail(ALICE, line)
        text = " ".join(text_of(told).split())
        assert "Board 101 is a match of looping, a game that this server does not have" in text
        assert "The match waits, and nothing of it is lost. Try: list" in text


def test_what_is_due_is_listed_though_the_state_of_one_board_cannot_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house = house_with(tmp_path, Unreadable(), game)
    house.clock.now += timedelta(days=8)
    with house.house.open_unit() as work:
        work.matches.skip_look(101, house.clock())
        work.matches.skip_look(102, house.clock())
        work.commit()
    due = list_what_is_due(house.house.open_reading, house.house.services, house.clock())
    assert [(each.what, each.board) for each in due] == [("nag", 102)]
    assert "board 101 cannot be looked at: it met a bug:" in caplog.text


# ---- what an earlier pbm has stored


def begun_long_ago(folder: Path) -> HouseUnderTest:
    """Return a house with a match of which an earlier pbm counts a move that was taken back."""
    house = HouseUnderTest(folder)
    house.add("alice", "bob")
    house.begin_match()
    points = ["A1", "A3", "A5", "C1", "C3", "C5", "E1", "E3", "E5", "B2", "B4", "D2"]
    replies = (f"{('alice', 'bob')[n % 2]} replies> {point}" for n, point in enumerate(points))
    prepare(
        house,
        "alice replies> D4\n$ pbm game extend 101 3\nwork\nalice> undo 101 alice alice-pw\n"
        "bob replies> accept\n" + "\n".join(replies),
    )
    with closing(sqlite3.connect(folder / "pbm.db")) as database, database:
        database.execute("UPDATE matches SET read_from = 1, plies_before = 1")
    assert faults(house) == {101: ("it counts 13 plies, its log has 12",)}
    return house


def faults(house: HouseUnderTest) -> dict[int, tuple[str, ...]]:
    with house.house.open_reading() as work:
        return dict(verify_all(work, house.house.catalogue))


def test_what_was_counted_again_is_mended_by_the_next_move(tmp_path: Path) -> None:
    house = begun_long_ago(tmp_path)
    house.reply(house.last_to(ALICE), "B5")
    assert "Board 101 after 13 moves." in text_of(house.mail(ALICE, "show 101")[0])
    assert faults(house) == {101: ()}


def test_what_was_counted_again_is_mended_by_a_repair(tmp_path: Path) -> None:
    house = begun_long_ago(tmp_path)
    with house.house.open_unit() as work:
        repair(work, house.house.catalogue, 101)
        work.commit()
    assert "Board 101 after 12 moves." in text_of(house.mail(ALICE, "show 101")[0])
    assert faults(house) == {101: ()}


def test_a_board_of_a_league_that_cannot_begin_holds_up_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stumbling = Stumbling()
    house = house_with(tmp_path, stumbling)
    with house.administration() as admin:
        open_league(admin, Season(
            0, "small-league", 1, "stumbling", {}, Terms(), size=4, least=2, notice=7, once=False,
            state=SeasonState.ENTRY, starts_at=None,
        ))  # fmt: skip
        add_players(admin, "small-league", ["alice", "bob", "carol"])
        begin_now(admin, "small-league")
    stumbling.stumbles = 1
    began = "The match has begun, in Small-league 1"
    assert sum(began in text_of(mail) for mail in house.play()) == 2
    (number,) = re.findall("the beginning of board ([0-9]+) of Small-league 1 cannot", caplog.text)
    assert caplog.text.strip().endswith("IndexError")
    with house.administration() as admin:
        begin_now(admin, "small-league")
    (mail,) = (mail for mail in house.play() if began in text_of(mail))
    assert f" {number} " in mail["From"]
    with house.administration() as admin, pytest.raises(NotNow, match="is not over yet"):
        begin_now(admin, "small-league")
