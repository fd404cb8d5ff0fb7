"""docs/your-first-game.md is typed, and ends in the package of the tests."""

import re
from pathlib import Path

import pytest

from pbm.engine.conformance import check
from pbm.plugins import installed_games
from tests.cli.terminal import done
from tests.installing import install

ROOT = Path(__file__).resolve().parent.parent

FILE = re.compile(r"^(pbm_gomoku/\S+):\n\n(`{3,4})\w+\n(.*?)^\2$", re.MULTILINE | re.DOTALL)
"""The name of a file and what is in it, as the page shows both."""


@pytest.mark.slow
def test_the_game_that_the_page_builds_keeps_every_law_and_is_the_package_of_the_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done("dev", "new-game", "gomoku")
    page = (ROOT / "docs" / "your-first-game.md").read_text("utf-8")
    files = {name: text for name, _, text in FILE.findall(page)}
    assert files.keys() == {"pbm_gomoku/rules.py", "pbm_gomoku/help.md"}
    for name, text in files.items():
        (tmp_path / "pbm-gomoku" / name).write_text(text, "utf-8")
        assert text == (ROOT / "tests/thirdparty/pbm-gomoku" / name).read_text("utf-8")
    install(tmp_path / "site", monkeypatch, "gomoku", "from pbm_gomoku import game")
    monkeypatch.syspath_prepend(tmp_path / "pbm-gomoku")
    game = installed_games().get("gomoku")
    folder = tmp_path / "pbm-gomoku" / "pbm_gomoku" / "playthroughs"
    for file in folder.iterdir():
        file.unlink()
    done("dev", "playthroughs", "gomoku", str(folder))
    assert {file.name for file in folder.iterdir()} == {"row.txt", "full.txt"}
    check(game, matches=3)
