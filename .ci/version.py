"""The version of a build, which hatchling asks for: between releases it names the commit."""

import re
import subprocess
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def version() -> str:
    """Return the version of pbm/__init__.py, as 0.3.0.dev0+g1a2b3c4d if it is not of a release.

    A source archive says it in PKG-INFO, and has no commit.
    """
    info = ROOT / "PKG-INFO"
    if info.exists():
        return str(HeaderParser().parsestr(info.read_text("utf-8"))["Version"])
    (written,) = re.findall(
        '__version__ = "(.+)"', (ROOT / "pbm" / "__init__.py").read_text("utf-8")
    )
    if ".dev" not in written or not (ROOT / ".git").exists():
        return str(written)
    git = ["git", "-C", str(ROOT), "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=True)  # noqa: S603
    return f"{written}+g{commit.stdout.strip()}"
