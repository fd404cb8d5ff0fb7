"""`pbm new-game` writes a game that can be played, tested and packed at once."""

import importlib
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from pbm.cli import main
from pbm.engine import AnyGame, parse_transcript, play_transcript
from pbm.engine.conformance import check, check_info

REPOSITORY = Path(__file__).resolve().parents[2]


def new_game(home: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run `pbm new-game` in `home`; return the exit status."""
    monkeypatch.chdir(home)
    with pytest.raises(SystemExit) as ended:
        main(["new-game", *arguments])
    return int(ended.value.code or 0)


def game_of(package: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Import a package from `folder` and return its game."""
    monkeypatch.syspath_prepend(folder)
    game: AnyGame = importlib.import_module(package).game
    return game


def test_the_skeleton_is_a_game_that_keeps_every_law(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert new_game(tmp_path, monkeypatch, "lines") == 0
    game = game_of("pbm_lines", tmp_path / "pbm-lines", monkeypatch)
    assert (game.info.key, game.info.title) == ("lines", "Lines")
    check(game, matches=4)


def test_the_example_on_the_skeletons_help_page_plays_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game(tmp_path, monkeypatch, "nine_stones")
    page = (tmp_path / "pbm-nine_stones/pbm_nine_stones/help.md").read_text("utf-8")
    game = game_of("pbm_nine_stones", tmp_path / "pbm-nine_stones", monkeypatch)
    play_transcript(game, parse_transcript(page.split("```")[1].removeprefix("transcript\n")))
    assert page.startswith("# Nine Stones\n")


def test_the_package_says_by_an_entry_point_where_its_game_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game(tmp_path, monkeypatch, "ninestones")
    project = (tmp_path / "pbm-ninestones/pyproject.toml").read_text("utf-8")
    entry = '[project.entry-points."pbm.games"]\nninestones = "pbm_ninestones:game"\n'
    assert entry in project
    assert metadata.EntryPoint("ninestones", "pbm_ninestones:game", "pbm.games").attr == "game"


def test_every_file_that_was_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    new_game(tmp_path, monkeypatch, "lines")
    named, _, advice = capsys.readouterr().out.partition("\n\n")
    written = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert set(named.split("\n")) == written
    assert "pytest pbm-lines" in advice


def test_in_the_tree_it_is_one_folder_of_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("games", "pbm/engine"):
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
    assert new_game(tmp_path, monkeypatch, "--in-tree", "lines") == 0
    assert "games/lines/rules.py" in capsys.readouterr().out
    written = {p.name for p in (tmp_path / "games/lines").iterdir()}
    assert written == {"__init__.py", "rules.py", "help.md", "playthroughs"}
    assert "from games.lines.rules import game" in (tmp_path / "games/lines/__init__.py").read_text(
        "utf-8"
    )


def test_a_folder_that_is_not_the_tree_gets_nothing_in_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new_game(tmp_path, monkeypatch, "--in-tree", "lines") == 1
    assert "is not pbm's source tree" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_exists_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pbm-lines").mkdir()
    assert new_game(tmp_path, monkeypatch, "lines") == 1
    assert capsys.readouterr().err == "pbm: pbm-lines already exists; nothing was written.\n"
    assert not list((tmp_path / "pbm-lines").iterdir())


@pytest.mark.parametrize(
    "key",
    ["Lines", "x", "9stones", "nine-stones", "../lines", "", "class", "a" * 21, "a\n", "move"],
)
def test_a_name_that_could_not_be_typed_or_imported_is_refused_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    key: str,
) -> None:
    assert new_game(tmp_path, monkeypatch, key) == 1
    assert capsys.readouterr().err.startswith("pbm: A game cannot be called")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("key", ["nmm", "gonnect"])
def test_a_name_that_another_game_answers_to_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    key: str,
) -> None:
    assert new_game(tmp_path, monkeypatch, key) == 1
    assert capsys.readouterr().err == f"pbm: There is already a game called {key}.\n"


@pytest.mark.parametrize("key", ["ab", "a" * 20, "a1_"])
def test_the_longest_and_the_shortest_name_are_names_for_the_conformance_suite_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    new_game(tmp_path, monkeypatch, key)
    check_info(game_of(f"pbm_{key}", tmp_path / f"pbm-{key}", monkeypatch))


@pytest.mark.slow
def test_the_skeleton_is_clean_for_ruff_and_mypy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds with the rules of the repository, however long the name is."""
    for tool in ("ruff", "mypy"):
        if shutil.which(tool, path=str(Path(sys.executable).parent)) is None:
            pytest.skip(f"{tool} is not installed; pip install 'pbm-server[dev]' brings it")
    rules = ["--config", str(REPOSITORY / "pyproject.toml"), "--config", 'src = ["."]']
    commands = (["ruff", "check", *rules], ["ruff", "format", "--check", *rules], ["mypy"])
    for key in ("ab", "a_name_of_20_letters"):
        new_game(tmp_path, monkeypatch, key)
        for command in commands:
            ended = subprocess.run(
                [sys.executable, "-m", *command],
                cwd=tmp_path / f"pbm-{key}", capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert ended.returncode == 0, ended.stdout + ended.stderr
