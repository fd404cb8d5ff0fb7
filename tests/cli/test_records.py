"""`pbm game record` and `import`, and the pipe into `pbm rules trace`."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import done, pbm, refused
from tests.cli.test_game import play

pytestmark = pytest.mark.usefixtures("table")


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
