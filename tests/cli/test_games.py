"""Games of others: `pbm new-game` writes one that can be played, tested and packed at once.

And those of other packages are found by their entry points, and refused where names clash.
"""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import games
from pbm.engine import AnyGame, parse_transcript, play_transcript
from pbm.engine.conformance import check, check_info
from pbm.plugins import GameLoadError, installed_games
from tests.cli.terminal import done, refused
from tests.installing import install

REPOSITORY = Path(__file__).resolve().parents[2]


def game_of(package: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Import a package from `folder` and return its game."""
    monkeypatch.syspath_prepend(folder)
    game: AnyGame = importlib.import_module(package).game
    return game


def test_the_skeleton_is_a_game_that_keeps_every_law_and_each_of_its_files_is_named(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, _, advice = done("new-game", "lines").partition("\n\n")
    written = {str(p.relative_to(bare)) for p in bare.rglob("*") if p.is_file()}
    assert set(named.split("\n")) == written
    assert "pytest pbm-lines" in advice
    project = (bare / "pbm-lines/pyproject.toml").read_text("utf-8")
    assert '[project.entry-points."pbm.games"]\nlines = "pbm_lines:game"\n' in project
    game = game_of("pbm_lines", bare / "pbm-lines", monkeypatch)
    assert (game.info.key, game.info.title) == ("lines", "Lines")
    check(game, matches=4)
    # A folder that exists is left as it is.
    assert refused("new-game", "lines") == "pbm-lines already exists; nothing was written."
    assert {str(p.relative_to(bare)) for p in bare.rglob("*.md")} <= written


def test_the_example_on_the_skeletons_help_page_plays_as_it_says(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("new-game", "nine_stones")
    page = (bare / "pbm-nine_stones/pbm_nine_stones/help.md").read_text("utf-8")
    game = game_of("pbm_nine_stones", bare / "pbm-nine_stones", monkeypatch)
    play_transcript(game, parse_transcript(page.split("```")[1].removeprefix("transcript\n")))
    assert page.startswith("# Nine Stones\n")


def test_in_the_tree_it_is_one_folder_of_games_and_elsewhere_nothing(bare: Path) -> None:
    assert "is not pbm's source tree" in refused("new-game", "--in-tree", "lines")
    assert not list(bare.iterdir())
    for package in ("games", "pbm/engine"):
        (bare / package).mkdir(parents=True)
        (bare / package / "__init__.py").touch()
    assert "games/lines/rules.py" in done("new-game", "--in-tree", "lines")
    written = {p.name for p in (bare / "games/lines").iterdir()}
    assert written == {"__init__.py", "rules.py", "help.md", "playthroughs"}
    imported = (bare / "games/lines/__init__.py").read_text("utf-8")
    assert "from .rules import game" in imported


def test_a_name_that_could_not_be_typed_or_imported_or_is_taken_is_refused(bare: Path) -> None:
    for key in (
        *("Lines", "x", "9stones", "nine-stones", "../lines", "", "class", "a" * 21),
        *("a\n", "move"),
    ):
        assert refused("new-game", key).startswith("A game cannot be called"), key
    for key in ("nmm", "gonnect"):
        assert refused("new-game", key) == f"There is already a game called {key}."
    assert not list(bare.iterdir())


def test_the_longest_and_the_shortest_name_are_names_for_the_conformance_suite_too(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("ab", "a" * 20, "a1_"):
        done("new-game", key)
        check_info(game_of(f"pbm_{key}", bare / f"pbm-{key}", monkeypatch))


@pytest.mark.slow
def test_the_skeleton_is_clean_for_ruff_and_mypy(bare: Path) -> None:
    """This holds with the rules of the repository, however long the name is."""
    for tool in ("ruff", "mypy"):
        if shutil.which(tool, path=str(Path(sys.executable).parent)) is None:
            pytest.skip(f"{tool} is not installed; pip install 'pbm-server[dev]' brings it")
    rules = ["--config", str(REPOSITORY / "pyproject.toml"), "--config", 'src = ["."]']
    commands = (["ruff", "check", *rules], ["ruff", "format", "--check", *rules], ["mypy"])
    for key in ("ab", "a_name_of_20_letters"):
        done("new-game", key)
        for command in commands:
            ended = subprocess.run(
                [sys.executable, "-m", *command],
                cwd=bare / f"pbm-{key}", capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert ended.returncode == 0, ended.stdout + ended.stderr


# ---- games of other packages

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


def test_each_game_of_a_package_with_several_has_the_help_page_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
from dataclasses import replace
from tests.engine.noughts import Noughts, game as known

class One(Noughts):
    info = replace(known.info, key="one", aliases=())
    folder = "one"

class Two(Noughts):
    info = replace(known.info, key="two", aliases=())
    folder = "two"

one, two = One(), Two()
"""
    entries = "[pbm.games]\none = several:one\ntwo = several:two\n"
    install(tmp_path, monkeypatch, "several", source, entries)
    for name in ("one", "two"):
        (tmp_path / "several" / name).mkdir()
        (tmp_path / "several" / name / "help.md").write_text(f"# {name}\n", "utf-8")
    pages = {name: installed_games().help_page(name) for name in ("one", "two")}
    assert pages == {"one": "# one\n", "two": "# two\n"}
