"""Every installed game keeps the laws of the contract; so do the examples on its help page."""

import re
from importlib import resources

import pytest

from pbm.engine import AnyGame, parse_transcript, play_transcript
from pbm.engine.conformance import check
from pbm.plugins import help_text, installed_games

GAMES = list(installed_games())
_EXAMPLE = re.compile(r"^```transcript\n(.*?)^```", re.MULTILINE | re.DOTALL)

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.key)


def page_of(game: AnyGame) -> str:
    package = type(game).__module__.rpartition(".")[0]
    return resources.files(package).joinpath("help.md").read_text("utf-8")


@every_game
def test_a_game_keeps_every_law(game: AnyGame) -> None:
    check(game)


@every_game
def test_the_examples_on_a_help_page_play_as_they_say(game: AnyGame) -> None:
    examples = _EXAMPLE.findall(page_of(game))
    assert examples, "a help page has a worked example"
    for example in examples:
        play_transcript(game, parse_transcript(example))


@every_game
def test_a_help_page_shows_every_option_as_it_is_typed_and_no_other_way(game: AnyGame) -> None:
    page = help_text(game).lower()
    for option in game.info.options:
        assert f"-{option.name}=" in page
        assert not re.search(rf"(?<!-){option.name}=", _EXAMPLE.sub("", page))
    assert "on this server" in page
