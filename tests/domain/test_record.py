"""The record of a match: JSON that says everything, a playthrough that replays."""

import json
from dataclasses import replace

import pytest

from pbm.domain.play import LiveMatch, resign, undo
from pbm.domain.record import record, record_text
from pbm.engine import parse_transcript, play_transcript
from tests.domain.matches import NOW, PEOPLE, WON, after, turn
from tests.engine.noughts import game
from tests.tables import each


def test_the_json_form_tells_the_whole_match() -> None:
    board = resign(after("b2", "swap", "a1"), 0, comment="Well played.", now=NOW)
    told = json.loads(json.dumps(record(board.match, game, PEOPLE)))
    log = told.pop("log")
    assert told == {
        "format": 1,
        "board": 104,
        "game": "noughts",
        "rules_version": 1,
        "options": {"misere": "no"},
        "seed": 0,
        "seats": ["Cross", "Nought"],
        "starters": ["alice", "bob"],
        "players": ["bob", "alice"],
        "robots": [],
        "rated": True,
        "terms": {"nagtime": 7, "forfeittime": 21, "totaltime": None},
        "started_at": "2026-11-20T12:00:00+00:00",
        "outcome": {
            "ending": "resigned", "winners": [1], "reason": "", "scores": None, "ratings": [],
        },
        "ended_at": "2026-11-20T12:00:00+00:00",
    }  # fmt: skip
    assert [(entry["kind"], entry["seat"], entry["text"]) for entry in log] == [
        ("move", 0, "b2"),
        ("swap", 1, "swap"),
        ("move", 1, "a1"),
        ("resign", 0, ""),
    ]
    assert log[0]["at"] == "2026-11-20T13:00:00+00:00"
    assert log[-1]["comment"] == "Well played."


def test_a_match_that_goes_on_has_no_outcome_and_no_end() -> None:
    told = record(after("b2").match, game, {})
    assert (told["outcome"], told["ended_at"], told["players"]) == (None, None, ["nobody"] * 2)


@each(
    "board",
    [
        pytest.param(after(), id="begun"),
        pytest.param(after("b2", "swap", "a1"), id="swapped"),
        pytest.param(after(*WON), id="won"),
        pytest.param(turn(undo(after("b2", "a1"), now=NOW), "c3"), id="taken back"),
        pytest.param(resign(after("b2", "a1"), 1, comment="", now=NOW), id="resigned"),
    ],
)
def test_the_text_form_replays_to_the_same_position(board: LiveMatch) -> None:
    text = record_text(board.match, game, PEOPLE)
    assert text.startswith("Board 104: alice - bob, begun on 20 Nov 2026.\n")
    assert play_transcript(game, parse_transcript(text)) == board.position


def test_the_text_form_keeps_the_options() -> None:
    board = after("b2")
    misere = replace(board.match, setup=game.info.setup({"misere": "yes"}))
    transcript = parse_transcript(record_text(misere, game, PEOPLE))
    assert transcript.options == {"misere": "yes"}
