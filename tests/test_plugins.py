"""The games of other packages: found by their entry points, and refused where names clash."""

import sys
from pathlib import Path

import pytest

import games
from pbm.plugins import GameLoadError, installed_games

RULES = """
from dataclasses import replace
from tests.engine.noughts import Noughts, game as known

class Stray(Noughts):
    info = replace(known.info, key="stray", aliases=({alias!r},))

game = Stray()
"""


def install(folder: Path, alias: str) -> None:
    """Make a package in `folder` whose game is called stray, and `alias`."""
    (folder / "stray").mkdir()
    (folder / "stray" / "__init__.py").write_text(RULES.format(alias=alias), "utf-8")
    known = folder / "stray-1.dist-info"
    known.mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: stray\nVersion: 1\n", "utf-8")
    (known / "entry_points.txt").write_text("[pbm.games]\nstray = stray:game\n", "utf-8")


def test_no_game_takes_the_name_of_another_by_an_alias(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, alias="gonnect")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(GameLoadError) as refused:
        installed_games()
    assert str(refused.value) == (
        "Two games are called gonnect: games.gonnect and stray:game. "
        "Uninstall one, or give it another key or alias."
    )


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("\n1 / 0", "ZeroDivisionError, division by zero (broken/__init__.py, line 2). Mend "),
        ("def (:", "SyntaxError, invalid syntax (__init__.py, line 1). Mend "),
        ("", "AttributeError, module 'games.broken' has no attribute 'game'. Mend "),
        ("game = 5", "AttributeError, 'int' object has no attribute 'info'. Mend "),
    ],
)
def test_a_broken_game_is_named_with_what_is_wrong_and_the_others_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, told: str
) -> None:
    sound = installed_games()
    break_a_game(tmp_path, monkeypatch, code)
    catalogue = installed_games()
    assert catalogue.names == sound.names
    (broken,) = catalogue.broken
    assert broken.name == "broken"
    said = broken.why.replace(f"{tmp_path}/", "")
    assert said.startswith(f"The game games.broken cannot be loaded: {told}")


def test_a_server_of_broken_games_only_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "__path__", [])
    break_a_game(tmp_path, monkeypatch, "1 / 0")
    with pytest.raises(GameLoadError, match=r"The game games\.broken cannot be loaded"):
        installed_games()


def break_a_game(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let there be one more game in the tree, called broken, of this code."""
    (folder / "broken").mkdir()
    (folder / "broken" / "__init__.py").write_text(code, "utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(folder)])
    monkeypatch.delitem(sys.modules, "games.broken", raising=False)
