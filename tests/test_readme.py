"""Lines to type on pages are typed: the match in README, what to add in CONTRIBUTING."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from pbm.cli import group
from tests.e2e.server import Server
from tests.processes import until

ROOT = Path(__file__).resolve().parent.parent

_DATE = re.compile(r"\b\d{1,2} [A-Z][a-z]{2} \d{4}\b")


def chapter(page: str, heading: str) -> str:
    """Return what is below a heading of a page."""
    _, found, rest = (ROOT / page).read_text("utf-8").partition(f"## {heading}\n")
    assert found, f"{page} has no {heading}"
    return rest.partition("\n## ")[0]


def block(language: str) -> str:
    """Return the one fenced block of that language about the match."""
    match = chapter("README.md", "A match at your terminal")
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", match, re.DOTALL | re.MULTILINE)
    return str(found)


def mails_caused(words: list[str]) -> int:
    """Return how many mails a line causes: one for a new account, two for both players."""
    if words[0] == "send":
        return 1 if words[-1].startswith("signup") else 2
    if words[:2] == ["mail", "reply"]:
        return 1 if words[-1] == "yes" else 2
    return 0


def wait_for_mails(folder: Path, count: int) -> None:
    until(lambda: len(list(folder.glob("*"))) >= count, f"mail {count}")


def test_the_lines_of_readme_play_the_match_that_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    filed, due, shown = tmp_path / "var" / "mail" / "new", 0, ""
    with Server(tmp_path):
        for line in block("sh").splitlines():
            if words := shlex.split(line, comments=True):
                program, *words = words
                assert program == "pbm"
                typed = CliRunner().invoke(group, words)
                assert typed.exit_code == 0, typed.output
                shown = typed.stdout
                due += mails_caused(words)
                wait_for_mails(filed, due)
        assert len(list(filed.iterdir())) == due
    told = [line for line in shown.splitlines() if not line.startswith(("Date:", "Reply-To:"))]
    # The match in README has the date of some other day; this one is played today.
    told = [_DATE.sub("20 Nov 2026", line) for line in told]
    printed = block("text").splitlines()
    assert told[: len(printed)] == printed


FILE = re.compile(r"^   (\S+):\n\n   ```\w*\n(.*?)^   ```", re.MULTILINE | re.DOTALL)
"""The name of a file and what is in it, as the page shows both."""


@pytest.mark.slow
def test_a_command_and_an_event_are_added_as_the_page_says_and_played_by_mail(
    tmp_path: Path,
) -> None:
    added = (chapter("CONTRIBUTING.md", f"Add {what}") for what in ("a command", "an event"))
    files = dict(FILE.findall("".join(added)))
    assert len(files) == 5
    for name in ("pbm", "games", "templates", "migrations", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(dedent(text))
    tests = ("tests/conversations", "tests/render/test_templates.py", "-k", "tip or cheer or every")
    play = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    played = subprocess.run(play, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stdout
