"""The match in README, typed exactly as it is printed there."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbm.cli import group
from tests.e2e.server import Server
from tests.processes import until

_DATE = re.compile(r"\b\d{1,2} [A-Z][a-z]{2} \d{4}\b")

README = Path(__file__).parent.parent / "README.md"
HEADING = "## A match at your terminal"


def section() -> str:
    """Return the section of README about the match."""
    _, heading, rest = README.read_text().partition(f"{HEADING}\n")
    assert heading, f"README has no {HEADING}"
    return rest.partition("\n## ")[0]


def block(language: str) -> str:
    """Return the one fenced block of that language in the section."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", section(), re.DOTALL | re.MULTILINE)
    return str(found)


def shell_lines() -> list[list[str]]:
    """Return the words after `pbm` of every line, as a shell would read them."""
    lines = [shlex.split(line, comments=True) for line in block("sh").splitlines()]
    assert all(words[0] == "pbm" for words in lines if words)
    return [words[1:] for words in lines if words]


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
    filed = tmp_path / "var" / "mail" / "new"
    due = 0
    shown = ""
    with Server(tmp_path) as server:
        for words in shell_lines():
            typed = CliRunner().invoke(group, words, env={"PBM_SERVER": server.address})
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
