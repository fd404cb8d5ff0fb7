"""The commands of deploy/README.md, as they stand there."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "deploy" / "README.md"

_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_KEPT = re.compile(r"[A-Z]+=|cd ")


def commands(page: str) -> list[str]:
    """Return the lines of all blocks marked sh, in order."""
    return [line for block in _BLOCK.findall(page) for line in block.splitlines() if line.strip()]


def is_kept(command: str) -> bool:
    """Return whether a command changes the shell that it is typed into: a variable, its folder."""
    return _KEPT.match(command) is not None
