"""`pbm game`: what operators see and change of matches, and their records."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import PASSWORD
from tests.cli.terminal import done, pbm, refused

pytestmark = pytest.mark.usefixtures("table")


def play(*moves: str) -> None:
    """Play these moves from the first one on, alice and bob in turn."""
    for number, move in enumerate(moves):
        player = ("alice", "bob")[number % 2]
        line = f"move 101 {player} {PASSWORD} {move}"
        Path("mail.eml").write_text(f"From: {player}@example.com\nSubject: {line}\n\n")
        done("inject", "mail.eml")
    done("work")


def play_on(number: int, move: str) -> None:
    """Play one more move, of this number."""
    player = ("alice", "bob")[(number - 1) % 2]
    play_line(f"move 101 {player} {{password}} {move}")


def play_line(line: str) -> None:
    """Hand in a line of the player whose name is in it, and play it."""
    player = next(name for name in ("alice", "bob") if f" {name} " in line)
    subject = line.format(password=PASSWORD)
    Path("mail.eml").write_text(f"From: {player}@example.com\nSubject: {subject}\n\n")
    done("inject", "mail.eml")
    done("work")


def last_mail(player: str) -> str:
    """Return the text of the newest mail to `player`."""
    done("work")
    mails = pbm("mail", "list", "--for", f"{player}@example.com", "--json").json
    return done("mail", "show", str(mails[-1]["number"]))


def letters(player: str) -> list[str]:
    """Return the headlines of the mails to `player`, the newest last."""
    done("work")
    mails = pbm("mail", "list", "--for", f"{player}@example.com", "--json").json
    return [mail["author"] for mail in mails]


def test_a_match_is_created_with_options_and_its_players_are_told() -> None:
    made = done("game", "create", "gonnect", "bob", "alice", "--option", "size=7",
                "--match", "nagtime=3")  # fmt: skip
    assert made == "board 102\n"
    record = pbm("game", "record", "102").json
    assert record["options"]["size"] == "7"
    assert record["players"] == ["bob", "alice"]
    assert letters("bob")[-1] == "Your move - Gonnect 102"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("gonect", "alice", "bob"), 'There is no game "gonect"'),
        (("gonnect", "alice", "bobb"), "Did you mean bob?"),
        (("gonnect", "alice", "alice"), "2 different players"),
        (("gonnect", "alice", "bob", "--option", "size=4"), "The option size"),
        (("gonnect", "alice", "bob", "--match", "nagtme=4"), "nagtime"),
    ],
)
def test_a_match_that_cannot_be_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("game", "create", *arguments)
    assert len(pbm("game", "list", "--json").json) == 1


def test_open_matches_are_listed_and_with_all_the_finished_ones() -> None:
    done("game", "create", "notwos", "alice", "bob")
    done("game", "close", "101")
    assert [row["number"] for row in pbm("game", "list", "--json").json] == [102]
    every = pbm("game", "list", "--all", "--json").json
    assert sorted(row["number"] for row in every) == [101, 102]
    assert [row["number"] for row in pbm("game", "list", "gonnect", "--all", "--json").json] == [
        101
    ]
    assert "alice - bob" in done("game", "list")


def test_a_board_is_shown_as_it_stands_or_stood() -> None:
    play("C3", "B2")
    now, then = (pbm("game", "show", board, "--json").json for board in ("101", "101#1"))
    assert (now["ply"], now["to_move"], then["ply"], then["to_move"]) == (2, [0], 1, [1])
    assert "(o)" in now["picture"]
    assert "(x)" in then["picture"]
    assert "move 3: Eks" in done("game", "show", "101")
    assert "There is no board 999." in refused("game", "show", "999")
    assert pbm("game", "show", "one").status == 2


def test_the_record_is_printed_as_data_and_as_a_playthrough() -> None:
    play("C3", "swap")
    record = pbm("game", "record", "101").json
    assert [entry["text"] for entry in record["log"]] == ["C3", "swap"]
    assert (record["starters"], record["players"]) == (["alice", "bob"], ["bob", "alice"])
    assert "1 Eks C3\n2 Ohs swap\n" in done("game", "record", "101", "--text")


def test_a_long_match_is_shown_and_printed_with_its_beginning() -> None:
    moves = ["C4", "E2", "D2", "E5", "D3", "E1", "A1", "C5", "A5", "D1", "D4", "E3"]
    play(*moves)
    assert [entry["text"] for entry in pbm("game", "show", "101", "--json").json["log"]] == moves
    assert "1  C4" in done("game", "show", "101")
    assert [entry["text"] for entry in pbm("game", "record", "101").json["log"]] == moves
    assert done("game", "record", "101", "--moves").split() == moves
    assert "1 Eks C4\n" in done("game", "record", "101", "--text")


def test_the_last_move_is_taken_back_and_the_players_are_told() -> None:
    play("C3", "B2")
    before = len(letters("alice"))
    told = done("game", "undo", "101")
    assert told == "board 101: move 2 (B2) is taken back; move 2 is due, bob to move\n"
    assert pbm("game", "show", "101", "--json").json["ply"] == 1
    assert len(letters("alice")) == before + 1
    assert done("verify") == "1 match, 0 with faults\n"


@pytest.mark.parametrize(("winner", "winners"), [("1", [1]), ("draw", [])])
def test_a_match_is_decided(winner: str, winners: list[int]) -> None:
    play("C3", "B2")
    told = "bob won" if winners else "a draw"
    assert done("game", "adjudicate", "101", winner) == f"board 101 is over: {told}\n"
    outcome = pbm("game", "record", "101").json["outcome"]
    assert (outcome["ending"], outcome["winners"]) == ("adjudicated", winners)
    assert letters("alice")[-1].startswith("You lost" if winners else "Draw")


def test_a_match_is_decided_for_a_player_by_name_and_both_read_why() -> None:
    play("C3", "B2")
    told = done("game", "adjudicate", "101", "BOB", "--reason", "Alice wrote that she gives up.")
    assert told == "board 101 is over: bob won\n"
    assert pbm("game", "record", "101").json["outcome"]["winners"] == [1]
    for player in ("alice", "bob"):
        text = last_mail(player)
        assert "The operator of the server has decided the match." in text
        assert "The operator writes:\n  Alice wrote that she gives up." in text
    (act,) = pbm("audit", "--act", "game adjudicate", "--json").json
    assert act["why"] == "Alice wrote that she gives up."


def test_only_a_player_of_the_board_can_win() -> None:
    assert "seats 0 to 1" in refused("game", "adjudicate", "101", "2")
    assert refused("game", "adjudicate", "101", "bobb") == (
        '"bobb" does not play on board 101; bob do.'
    )


def test_a_decision_is_taken_back_with_its_ratings_and_no_move_is_lost() -> None:
    play("C3", "B2")
    done("game", "adjudicate", "101", "alice", "--why", "a mistake of mine")
    (rating,) = pbm("user", "show", "alice", "--json").json["ratings"]
    assert (rating["game"], rating["rating"], rating["won"]) == ("gonnect", 1662, 1)
    told = done("game", "undo", "101", "--reason", "I took the wrong board.")
    assert told == "board 101: the decision is taken back; move 3 is due, alice to move\n"
    shown = pbm("game", "show", "101", "--json").json
    assert (shown["ply"], shown["outcome"], shown["to_move"]) == (2, None, [0])
    assert pbm("user", "show", "alice", "--json").json["ratings"] == []
    text = " ".join(last_mail("bob").split())
    assert "has taken back their decision, and the match goes on." in text
    assert "What it did to the ratings is taken back as well." in text
    assert "I took the wrong board." in text
    assert letters("alice")[-1] == "Your move - Gonnect 101"
    play_on(3, "A1")
    assert pbm("game", "show", "101", "--json").json["ply"] == 3
    assert done("verify") == "1 match, 0 with faults\n"


def test_a_resignation_is_taken_back_as_such() -> None:
    play("C3", "B2")
    play_line("resign 101 bob {password}")
    told = done("game", "undo", "101")
    assert told.startswith("board 101: the resignation is taken back; move 3 is due")
    assert "has taken back the resignation" in last_mail("bob")


def test_a_match_is_closed_without_a_result_once() -> None:
    assert done("game", "close", "101") == "board 101 is closed\n"
    assert pbm("game", "record", "101").json["outcome"]["ending"] == "closed"
    assert "101" in refused("game", "close", "101")


def test_a_wrong_snapshot_is_found_and_made_anew() -> None:
    import sqlite3  # noqa: PLC0415 - the one test that spoils a database

    play("C3")
    with closing(sqlite3.connect("var/pbm.db")) as database, database:
        database.execute("UPDATE snapshots SET ply = 0")
    found = pbm("verify", "--json")
    assert found.status == 1
    assert '"101"' in found.out
    assert pbm("verify", "--repair").status == 0
    assert done("verify") == "1 match, 0 with faults\n"


def test_the_moves_piped_into_the_trace_end_in_the_position_of_the_match() -> None:
    play("C3", "swap", "B2", "D4")
    done("game", "undo", "101")
    play_on = done("game", "record", "101", "--moves")
    assert play_on.split() == ["C3", "swap", "B2"]
    traced = done("rules", "trace", "gonnect", "--option", "size=5", stdin=play_on)
    last = json.loads(traced.splitlines()[-1])
    shown = pbm("game", "show", "101", "--json").json
    assert (last["ply"], last["to_move"]) == (shown["ply"], shown["to_move"]) == (3, [0])
    assert last["board"] == shown["picture"]


def test_the_text_form_of_a_record_replays_in_the_trace_with_its_options() -> None:
    play("C3", "swap", "B2")
    text = done("game", "record", "101", "--text")
    traced = done("rules", "trace", "gonnect", "--playthrough", stdin=text)
    last = json.loads(traced.splitlines()[-1])
    assert last["ply"] == 3
    assert last["board"] == pbm("game", "show", "101", "--json").json["picture"]
    assert "playthrough" in refused("rules", "trace", "gonnect", "--playthrough", stdin="C3")


def test_a_record_is_taken_over_as_a_new_board() -> None:
    play("C3", "swap", "B2")
    Path("record.json").write_text(done("game", "record", "101"))
    assert done("game", "import", "record.json") == "board 102\n"
    again = pbm("game", "record", "102").json
    assert again == {**pbm("game", "record", "101").json, "board": 102}
    assert done("verify") == "2 matches, 0 with faults\n"


def test_a_file_that_is_no_record_is_refused() -> None:
    Path("record.json").write_text('{"format": 1, "game": "gonnect"}')
    assert refused("game", "import", "record.json") == "The record does not say who has played."
    for text in ("no JSON", "[" * 100_000, "\u00e9"):
        Path("record.json").write_text(text, encoding="latin-1")
        assert "FILE is not JSON" in pbm("game", "import", "record.json").err


def test_one_form_at_a_time() -> None:
    assert "exclude each other" in pbm("game", "record", "101", "--moves", "--text").err
