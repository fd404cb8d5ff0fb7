"""Starts a program under limits, waits, and ends it with everything that it has started.

    python -I -S keeper.py LINE FOLDER NAME=VALUE... -- PROGRAM ARGUMENT...

It is run as a file of its own, because limits must be set between fork and exec, which a process
with threads cannot do safely. LINE is the number of a socket to the server; as soon as that is
closed at the other end, or the program has ended, all is ended. So nothing is left where the
server was killed. On the line it says "failed" with the reason if the program cannot be started,
"exit" with its status (a signal is negative), or "running" if it had to be ended.

FOLDER is the working directory, which is removed here if the server has died. Little is imported:
this is started for each move, and contextlib, socket, pathlib and shutil take 25 ms.
"""

import ctypes
import os
import resource
import select
import signal
import sys
from collections.abc import Callable

_NICE = 10
_SET_CHILD_SUBREAPER = 36
"""Of prctl(2): orphans become children of this process, even those with a session of their own."""


def main(words: list[str]) -> None:
    """Do all of it; `words` are those of the command line."""
    split = words.index("--")
    line, folder, limits, command = int(words[0]), words[1], words[2:split], words[split + 1 :]
    os.set_inheritable(line, False)  # noqa: FBT003 - its one argument
    _adopt_orphans()
    ended = _pipe_of_ends()
    program = os.fork()
    if not program:
        _become(command, limits, line)
    _lead_a_group(program)
    _let_go_of_streams()
    told = _wait(line, ended, program)
    _end_all(program)
    try:
        os.write(line, told.encode())
    except OSError:  # the server has died, so nobody else tidies up
        os.execv("/bin/rm", ["rm", "-rf", "--", folder])  # noqa: S606 - no shell


def _become(command: list[str], limits: list[str], line: int) -> None:
    """Turn this process into the program, in a process group of its own. Never returns."""
    try:
        _lead_a_group(0)
        _tried(os.nice, _NICE)  # a unit of systemd may forbid it
        for limit in limits:
            _limit(*limit.split("="))
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execv(command[0], command)  # noqa: S606 - no shell, that is the point
    except OSError as error:
        os.write(line, f"failed {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _lead_a_group(process: int) -> None:
    """Give it a group of its own. Both sides do so, as neither knows who comes first."""
    _tried(os.setpgid, process, process)


def _limit(name: str, value: str) -> None:
    """Set a limit, if the system knows it and has no stricter one; Linux must, others may refuse.

    The hard limit is one more, as the kernel tells a program by a signal before it kills it.
    """
    kind = getattr(resource, f"RLIMIT_{name}", None)
    if kind is None:
        return
    _, hard = resource.getrlimit(kind)
    most = int(value) + 1 if hard == resource.RLIM_INFINITY else min(int(value) + 1, hard)
    try:
        resource.setrlimit(kind, (min(int(value), most), most))
    except ValueError as error:
        if sys.platform == "linux":
            raise OSError(0, f"The limit {name} cannot be set") from error


def _adopt_orphans() -> None:
    """Become the parent of what the program leaves behind, where the system can (Linux)."""
    if os.path.exists(_children_file()):  # noqa: PTH110
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children_file() -> str:
    return f"/proc/self/task/{os.getpid()}/children"


def _pipe_of_ends() -> int:
    """Return a file that becomes readable when a child has ended."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def _let_go_of_streams() -> None:
    """Leave stdin, stdout and stderr to the program, so that the server sees it close them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


def _wait(line: int, ended: int, program: int) -> str:
    """Return how the program ended, or "running" if the server wants no more of it."""
    both = select.poll()  # as select() knows no file above 1023, which a server may have
    both.register(line, select.POLLIN)
    both.register(ended, select.POLLIN)
    while True:
        readable = dict(both.poll())
        if ended in readable:
            os.read(ended, 512)
        found, status = os.waitpid(program, os.WNOHANG)
        if found:
            return f"exit {os.waitstatus_to_exitcode(status)}\n"
        if line in readable:
            return "running\n"


def _end_all(program: int) -> None:
    """Kill the program's process group, then what is left of its descendants, until none is."""
    _tried(os.killpg, program, signal.SIGKILL)
    while True:
        for child in _children():
            _tried(os.kill, child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    try:
        with open(_children_file(), encoding="ascii") as file:  # noqa: PTH123
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _tried(call: Callable[..., object], *arguments: object) -> None:
    """Call it; where the system refuses, go on without."""
    try:
        call(*arguments)
    except OSError:
        return


if __name__ == "__main__":
    main(sys.argv[1:])
