"""`pbm robot duel`: two robots at the shell, without a server."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from pbm.cli import group, main


def duel(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["robot", "duel", *arguments])


SMALL = ("gonnect", "3", "random", "--option", "size=5", "--playouts", "20", "--games", "2")


def test_a_duel_tells_score_seats_lengths_and_ends_in_words() -> None:
    told = duel(*SMALL)
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert lines[0] == "Gonnect, 2 games: level3 (20 playouts) against random"
    assert lines[1].startswith("  level3 won ")
    assert lines[1].endswith("of 2)")
    assert lines[2].startswith("  first seat won ")
    assert "plies          median" in told.stdout
    assert "connection: a chain joins two opposite sides" in told.stdout


def test_a_duel_as_json_says_what_was_played_and_the_same_seed_says_the_same_anywhere() -> None:
    told = duel(*SMALL, "--seed", "7", "--json")
    figures = json.loads(told.stdout)
    assert (figures["game"], figures["options"]["size"], figures["seed"]) == ("gonnect", "5", 7)
    assert [level["playouts"] for level in figures["levels"]] == [20, 0]
    robot = figures["robot"]
    assert robot["games"] == 2
    assert robot["low"] <= robot["share"] == robot["won"] / 2 <= robot["high"]
    assert sum(figures["reasons"].values()) == 2
    assert duel(*SMALL, "--seed", "7", "--json").stdout == told.stdout
    elsewhere = subprocess.run(
        [sys.executable, "-m", "pbm", "robot", "duel", *SMALL, "--seed", "7", "--json"],
        env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert elsewhere.stdout == told.stdout, "another process hashes texts otherwise"


def test_a_level_or_an_option_that_is_not_there_is_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for wrong, sentence in (
        (("gonnect", "9", "random"), "pbm: There is no level '9'; there are level1 to level5"),
        (("gonnect", "1", "2", "--option", "size=4"), "pbm: The option size of Gonnect cannot be"),
        (("chess", "1", "2"), "pbm: "),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["robot", "duel", *wrong])
        assert ended.value.code == 1
        told = capsys.readouterr().err
        assert told.startswith(sentence)
        assert len(told.splitlines()) == 1
