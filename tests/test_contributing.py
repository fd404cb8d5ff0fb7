"""CONTRIBUTING.md, "Add a command": what it says is done in a copy of the tree, and played."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parent.parent

FILE = re.compile(r"^   (\S+):\n\n   ```\w*\n(.*?)^   ```", re.MULTILINE | re.DOTALL)
"""The name of a file and what is in it, as the page shows both."""


def test_a_command_is_added_as_the_page_says_and_played_by_mail(tmp_path: Path) -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    chapter = page.split("## Add a command\n")[1].split("\n## ")[0]
    files = dict(FILE.findall(chapter))
    assert len(files) == 3
    for name in ("pbm", "games", "templates", "migrations", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(dedent(text))
    tests = ("tests/conversations", "tests/render/test_templates.py", "-k", "tip or every")
    play = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    played = subprocess.run(play, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stdout
