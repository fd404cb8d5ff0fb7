"""A match of each game by real mail, from the challenge to an end by its rules."""

from pathlib import Path

import pytest

from pbm.engine import parse_transcript
from pbm.plugins import installed_games
from tests.e2e.by_mail import play_by_mail
from tests.e2e.conftest import Table

GAMES = Path(__file__).resolve().parents[2] / "games"

PLAYTHROUGHS = (
    "gonnect/capture_makes_the_connection",
    "morris/any_stone",
    "notwos/both_pairs",
    "olix/same_row",
    "pow2/shut_in_the_corner",
)
"""For each game one of its playthroughs, short and ending by rule; the one of OLIX is a draw."""


def test_every_game_of_the_tree_is_played_here() -> None:
    folders = {path.parent.name for path in GAMES.glob("*/rules.py")}
    assert folders == {name.partition("/")[0] for name in PLAYTHROUGHS}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_match_is_played_by_mail_to_its_end_by_rule(table: Table, name: str) -> None:
    key, _, story = name.partition("/")
    game = installed_games().get(key)
    text = (GAMES / key / "playthroughs" / f"{story}.txt").read_text("utf-8")
    match = play_by_mail(table, game, parse_transcript(text))
    result = game.result(match.position.state)
    assert result is not None
    for reader in match.seated:
        last = match.mails[reader.name]
        assert match.outcome(result, reader) in last.prose
        assert "your move" not in f"{last.headline} {last.prose}".casefold()
    assert table.server.pbm("verify").endswith(" 0 with faults\n")
