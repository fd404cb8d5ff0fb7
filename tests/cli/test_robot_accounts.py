"""`pbm robot add`, `list`, `disable`, `enable`: the robots of a server, from the shell."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.terminal import done, pbm, refused
from tests.tables import each

pytestmark = pytest.mark.usefixtures("table")


def test_the_standard_robots_are_made_once_and_play_every_game() -> None:
    assert "pbm robot add --standard" in pbm("robot", "list").err
    assert done("robot", "add", "--standard").startswith("added robot-1, robot-2, ")
    assert done("robot", "add", "--standard") == "all of them are there\n"
    found = pbm("robot", "list", "--json").json
    assert [(each["userid"], each["level"], each["game"], each["boards"]) for each in found] == [
        (f"robot-{level}", level, None, 0) for level in range(1, 6)
    ]
    assert pbm("audit", "--act", "robot add", "--json").json[0]["subject"] == "robot-1"


def test_a_program_is_stored_as_words_that_no_shell_sees() -> None:
    line = """python3 --book 'my book' "$HOME; rm -rf /" """
    done("robot", "add", "gnu", "--game", "Gonnect", "--command", line)
    (robot,) = pbm("robot", "list", "--json").json
    assert robot["command"] == ["python3", "--book", "my book", "$HOME; rm -rf /"]
    assert (robot["game"], robot["level"], robot["installed"]) == ("gonnect", 3, True)
    assert "gonnect  python3 --book 'my book' '$HOME; rm -rf /'" in done("robot", "list")


def test_a_robot_whose_game_is_gone_is_marked() -> None:
    done("robot", "add", "hexer", "--game", "gonnect", "--level", "2")
    with closing(sqlite3.connect(Path("var/pbm.db"))) as database:
        database.execute("UPDATE robots SET game = 'hex'")
        database.commit()
    assert "hex (not installed)" in done("robot", "list")
    assert pbm("robot", "list", "--json").json[0]["installed"] is False


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("add", "alice", "--level", "2"), "The userid alice is taken"),
        (("add", "a1ice", "--level", "2"), "looks like alice"),
        (("add", "admin", "--level", "2"), "kept for those who run the server"),
        (("add", "hexer", "--game", "hex", "--level", "2"), 'There is no game "hex"'),
        (("disable", "alice"), "alice is a person"),
        (("enable", "robot-1"), "There is no player robot-1."),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[str, ...], why: str) -> None:
    assert why in refused("robot", *arguments)


@each(
    ("arguments", "why"),
    [
        (("add",), "Name a robot, or say --standard."),
        (("add", "x1", "--standard"), "Name a robot, or say --standard."),
        (("add", "x1"), "How well it plays, says --level"),
        (("add", "x1", "--level", "6"), "6 is not in the range"),
        (("add", "x1", "--command", "run"), "which one, says --game"),
        (("add", "x1", "--game", "gonnect", "--command", "'"), "cannot be read"),
        (("add", "x1", "--game", "gonnect", "--command", "./engine"), "no program"),
        (("add", "x1", "--game", "gonnect", "--program", "nobody"), "No installed package"),
        (("add", "x1", "--game", "gonnect", "--command", "a", "--program", "b"), "Either"),
    ],
)
def test_what_is_not_said_whole_is_asked_for(arguments: tuple[str, ...], why: str) -> None:
    typed = pbm("robot", *arguments)
    assert typed.status == 2
    assert why in typed.err


def test_a_robot_has_no_password_and_no_address_and_nobody_gets_its_name() -> None:
    done("robot", "add", "--standard")
    bare = "robot-1 is a robot: it has no password and no address."
    assert refused("user", "password", "robot-1", "green-apple-tree") == bare
    assert refused("user", "address", "robot-1", "robot@example.com") == bare
    kept = "Names that begin with robot are kept for robots."
    assert kept in refused("user", "add", "Robot9", "green-apple-tree", "r@example.com")
    assert "robot-1 (robot)  active" in done("user", "list")
    assert pbm("user", "show", "robot-1", "--json").json["kind"] == "robot"


def test_a_disabled_robot_begins_nothing_and_a_removed_one_does_not_come_back() -> None:
    done("robot", "add", "--standard")
    assert done("robot", "disable", "robot-1") == "robot-1 is disabled\n"
    assert "robot-1 cannot play: not active." in refused(
        "game", "create", "gonnect", "alice", "robot-1"
    )
    assert done("robot", "enable", "robot-1") == "robot-1 is active\n"
    done("user", "remove", "robot-2")
    assert done("robot", "add", "--standard") == "all of them are there\n"
    assert "robot-2" not in done("robot", "list")


def test_the_operator_lets_robots_play_each_other_and_unrated_unless_they_say_so() -> None:
    done("robot", "add", "--standard")
    done("game", "create", "gonnect", "robot-1", "robot-2")
    assert "unrated, board 102" in done("game", "show", "102")
    done("game", "create", "gonnect", "alice", "robot-2", "--match", "rated=yes")
    assert "rated, board 103" in done("game", "show", "103")
    done("robot", "add", "oliver", "--game", "olix", "--level", "1")
    assert "oliver does not play Gonnect. robot-1, robot-2," in refused(
        "game", "create", "gonnect", "alice", "oliver"
    )


def test_what_is_stored_of_a_robot_is_exported_and_erased_like_a_person() -> None:
    done("robot", "add", "--standard")
    done("game", "create", "gonnect", "alice", "robot-1")
    assert [each["board"] for each in pbm("user", "export", "robot-1").json["matches"]] == [102]
    assert "erased; gone-" in done("user", "erase", "robot-1", "--yes")
    assert done("verify").strip() != ""


def test_levels_that_play_among_themselves_are_rated() -> None:
    line = ("robot", "calibrate", "gonnect", "--option", "size=5", "--levels", "2", "--games", "2")
    assert pbm(*line).json["gonnect"]["1"] == [1200, 80]


def test_a_server_without_a_daemon_has_the_standard_robots_where_it_lets_them_think() -> None:
    done("work", "--think-minutes", "0")
    assert pbm("robot", "list", "--json").json == []
    done("work")
    found = pbm("robot", "list", "--json").json
    assert [each["userid"] for each in found] == [f"robot-{level}" for level in range(1, 6)]
