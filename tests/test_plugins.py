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
    ],
)
def test_a_broken_game_is_named_with_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, told: str
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "__init__.py").write_text(code, "utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "games.broken", raising=False)
    with pytest.raises(GameLoadError) as refused:
        installed_games()
    said = str(refused.value).replace(f"{tmp_path}/", "")
    assert said.startswith(f"The game games.broken cannot be loaded: {told}")
