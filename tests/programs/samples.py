"""Small programs to ask for a move."""

import sys
from pathlib import Path

from pbm.programs import Limits

PATIENT = Limits(start_seconds=30, slack_seconds=30, quit_seconds=30)
"""Time for a host that is busy with other tests."""

READY = """\
import json, os, signal, sys, time
def say(**fields): print(json.dumps(fields), flush=True)
sys.stdin.readline(); say(protocol=1); new = sys.stdin.readline()
asked = json.loads(sys.stdin.readline())
"""
"""What a program begins with that misbehaves only when it is asked for a move."""


def program(folder: Path, source: str) -> tuple[str, ...]:
    """Return the command of a Python program with that source."""
    file = folder / "robot.py"
    file.write_text(source)
    return (sys.executable, "-I", "-S", str(file))
