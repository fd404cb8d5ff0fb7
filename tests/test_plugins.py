"""The games of other packages: found by their entry points, and refused where names clash."""

import sys
from pathlib import Path

import pytest

import games
from pbm.plugins import GameLoadError, installed_games
from tests.installing import install

STRAY = """
from dataclasses import replace
from tests.engine.noughts import Noughts, game as known

class Stray(Noughts):
    info = replace(known.info, key="stray", aliases=("gonnect",))

game = Stray()
"""


def test_no_game_takes_the_name_of_another_by_an_alias(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "stray", STRAY)
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
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "__init__.py").write_text(code, "utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "games.broken", raising=False)
    catalogue = installed_games()
    assert catalogue.names == sound.names
    (broken,) = catalogue.broken
    assert broken.name == "broken"
    said = broken.why.replace(f"{tmp_path}/", "")
    assert said.startswith(f"The game games.broken cannot be loaded: {told}")
    # A server of broken games only is refused.
    monkeypatch.setattr(games, "__path__", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "games.broken", raising=False)
    with pytest.raises(GameLoadError, match=r"The game games\.broken cannot be loaded"):
        installed_games()
