"""Reading Containerfiles: their steps, so that tests can do them without a container."""

import re
from pathlib import Path


def instructions(file: Path) -> list[tuple[str, str]]:
    """Return each instruction and its words, with lines that go on joined."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    parted = (line.partition(" ") for line in joined.splitlines() if line.strip())
    return [(name, words.strip()) for name, _, words in parted]


def steps(file: Path, stage: int) -> list[str]:
    """Return what the RUN instructions of a stage, counted from 0, give to the shell."""
    found: list[list[str]] = []
    for name, words in instructions(file):
        if name == "FROM":
            found.append([])
        elif name == "RUN":
            found[-1].append(words)
    return found[stage]
