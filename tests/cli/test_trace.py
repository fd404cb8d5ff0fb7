"""`pbm rules trace`: a game's rules as lines of JSON, for scripts in any language."""

import json
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner

from pbm.cli import group

ROW = ("C3", "C4", "B3", "B4", "D3", "D4", "A3", "E4", "E3")
"""Turns after which a chain of the first seat joins west and east on a board of size 5."""


def trace(*turns: str, options: tuple[str, ...] = ("--option", "size=5")) -> list[dict[str, Any]]:
    text = "".join(f"{turn}\n" for turn in turns)
    ended = CliRunner().invoke(group, ["rules", "trace", "gonnect", *options], input=text)
    assert ended.exit_code == 0, ended.output
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_the_first_line_is_the_start() -> None:
    (start,) = trace(options=("--option", "size=9"))
    assert list(start) == ["ply", "to_move", "legal", "result", "board"]
    assert (start["ply"], start["to_move"], start["result"]) == (0, [0], None)
    assert len(start["legal"]) == len(set(start["legal"])) == 81
    assert "A B C D E F G H J" in start["board"]


def test_a_line_follows_each_turn() -> None:
    lines = trace("c4", " B2 ")
    assert [(line["ply"], line["to_move"]) for line in lines] == [(0, [0]), (1, [1]), (2, [0])]
    assert "(x)" in lines[1]["board"]
    assert set(lines[0]["legal"]) - set(lines[2]["legal"]) == {"C4", "B2"}


def test_blank_lines_are_no_turns() -> None:
    assert len(trace("", "C4", "   ", "B2")) == 3


def test_a_swap_exchanges_the_players_and_not_the_stones() -> None:
    lines = trace("C3", "swap", "B2")
    assert [line["ply"] for line in lines] == [0, 1, 2, 3]
    assert lines[2]["to_move"] == lines[1]["to_move"] == [1]
    assert lines[2]["board"] == lines[1]["board"]


def test_a_swap_is_among_the_legal_turns_where_it_is_one_and_nowhere_else() -> None:
    lines = trace("C3", "swap", "B2")
    assert ["swap" in line["legal"] for line in lines] == [False, True, False, False]
    assert lines[1]["legal"][-1] == "swap"
    ended = CliRunner().invoke(group, ["rules", "trace", "morris"], input="d2\n")
    assert "swap" not in ended.stdout


def test_the_rules_start_without_database_templates_and_mail() -> None:
    # They are tried turn by turn in scripts, and the whole house takes a second to import.
    command = [sys.executable, "-X", "importtime", "-m", "pbm", "rules", "trace", "olix"]
    ran = subprocess.run(command, input="f6\n", capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert "games.olix.rules" in imported
    assert not {"sqlalchemy", "alembic", "jinja2", "aiosmtpd", "argon2", "smtplib"} & imported


@pytest.mark.parametrize(
    ("turn", "kind", "message"),
    [
        ("C3", "illegal", "C3 is already occupied by a stone of Eks (x)."),
        ("F9", "illegal", "on this board"),
        ("hello", "syntax", "is not the name of a point"),
    ],
)
def test_a_refused_turn_says_why_and_the_position_stays(turn: str, kind: str, message: str) -> None:
    _, before, refusal, after = trace("C3", turn, "B2")
    assert list(refusal) == ["ply", "error", "message", "candidates"]
    assert (refusal["ply"], refusal["error"], refusal["candidates"]) == (1, kind, [])
    assert message in refusal["message"]
    assert (before["ply"], after["ply"]) == (1, 2)


def test_an_unfinished_turn_lists_what_completes_it() -> None:
    turns = "A1\nB2\nA4\nB4\nA7\n"  # White's third stone closes a mill and must take one of two
    ended = CliRunner().invoke(group, ["rules", "trace", "morris"], input=turns)
    last = json.loads(ended.stdout.splitlines()[-1])
    assert (last["ply"], last["error"]) == (4, "incomplete")
    assert last["candidates"] == ["a7xb2", "a7xb4"]


def test_the_list_of_turns_can_be_left_out() -> None:
    for line in trace("C3", options=("--option", "size=5", "--no-legal")):
        assert list(line) == ["ply", "to_move", "result", "board"]


def test_the_end_names_the_winners_and_the_reason() -> None:
    *_, last = trace(*ROW)
    assert last["result"] == {"winners": [0], "reason": "connection", "scores": None}
    assert (last["to_move"], last["legal"]) == ([], [])
    assert "[x x x x x]" in last["board"]


@pytest.mark.parametrize("turn", ["A1", "swap"])
def test_nothing_can_be_played_after_the_end(turn: str) -> None:
    *_, end, refusal = trace(*ROW, turn)
    assert end["result"] is not None
    assert (refusal["ply"], refusal["error"]) == (len(ROW), "illegal")
    assert refusal["message"] == "The game is over."
