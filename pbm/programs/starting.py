"""Starts a program by its keeper, and ends it with all that it has started."""

import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from pbm.engine import quote
from pbm.programs.limits import Limits
from pbm.programs.program import Program, ProgramFailed

PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where a program is looked for whose whole path was not given, and what it gets as its PATH."""

_KEEPER = (sys.executable, "-I", "-S", str(Path(__file__).with_name("keeper.py")))
"""By the quickest start of Python, which reads nothing of a folder or an environment."""

_TO_END = 10.0
"""Seconds that the keeper may take to end everything; a busy host needs a few hundredths."""

_LONGEST_NAME = 200
"""Characters of a path that the operator is shown."""


@contextmanager
def running(
    command: Sequence[str], limits: Limits, resources: Mapping[str, int]
) -> Iterator[Program]:
    """Start a program, and end it and all that it has started on leaving.

    It has an empty folder of its own and an environment with nothing of the server's. Raises
    ProgramFailed if there is no such program.
    """
    program = shutil.which(command[0], path=PATH)
    if program is None:
        name = quote(command[0], _LONGEST_NAME)
        raise ProgramFailed(f"The program could not be started: {name} cannot be run.")
    words = [f"{name}={value}" for name, value in resources.items()]
    line, theirs = socket.socketpair()
    with line, tempfile.TemporaryDirectory(prefix="pbm-robot-", ignore_cleanup_errors=True) as home:
        with theirs:
            kept = [str(theirs.fileno()), home, *words, "--", program, *command[1:]]
            process = _started([*_KEEPER, *kept], theirs.fileno(), home)
        try:
            with closing(Program(process, line, limits)) as started:
                yield started
        finally:
            _end(process, line)


def _started(command: list[str], line: int, home: str) -> "subprocess.Popen[bytes]":
    surroundings = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": home, "TMPDIR": home}
    try:
        return subprocess.Popen(  # noqa: S603 - no shell, and the operator has named it
            command, cwd=home, env=surroundings, pass_fds=(line,), start_new_session=True,
            bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
    except OSError as error:  # the host has no room for one more process
        raise ProgramFailed(f"The program could not be started: {error.strerror}.") from error


def _end(process: "subprocess.Popen[bytes]", line: socket.socket) -> None:
    """Have the keeper end everything, or else end the keeper."""
    with suppress(OSError):  # it has gone already
        line.shutdown(socket.SHUT_WR)
    try:
        process.wait(_TO_END)
    except subprocess.TimeoutExpired:  # it waits for a process that nobody can kill
        process.kill()
        process.wait()
