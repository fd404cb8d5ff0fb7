"""Robots of others: programs that are started for a move, under limits, and asked by a protocol.

`ask` is the whole conversation. `keeper` is the process that keeps a program to its limits and ends
all of it. `python_robot` is the process in which a robot of a Python package plays.
"""

import math
import os
import selectors
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from signal import Signals
from time import monotonic
from typing import IO, cast

from pbm.engine import AnyGame, listing, quote
from pbm.robots.asking import Question, checked
from pbm.robots.protocol import Answer, Hello, ProtocolError, Quit, read_answer, read_ready, written

MIB = 1024 * 1024

PROCESSES = 32
"""Processes and threads that a program may have at once."""

PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where a program is looked for whose whole path was not given, and what it gets as its PATH."""

GROUP = "pbm.robots"
"""The entry point group; a value names what chooses, like `minimax = "pbm_minimax:choose"`."""

_ADDRESSES = 8
"""So many times its memory may be reserved: the runtimes of Java and Node.js do so."""

_FIXED = {"FSIZE": 16 * MIB, "NOFILE": 64, "CORE": 0}
"""The octets of a file that it writes, its open files, and no dump of its memory."""

_KEEPER = (sys.executable, "-I", "-S", str(Path(__file__).with_name("keeper.py")))
"""By the quickest start of Python, which reads nothing of a folder or an environment."""

_PYTHON_ROBOT = (
    "import sys; name, *sys.path[:] = sys.argv[1:];"
    "from pbm.programs.python_robot import main; main(name)"
)
"""Starts a robot with the module path of this process, as its environment will be empty."""

_TO_END = 10.0
"""Seconds that the keeper may take to end everything; a busy host needs a few hundredths."""

_CHUNK = 64 * 1024

_SHOWN = 200
"""Characters of a path, or of what it wrote to stderr, that the operator is shown."""


class CommandError(Exception):
    """A command that would not start a program; `str()` says why and what would work."""


class ProgramFailed(Exception):  # noqa: N818 - what happened, as the operator reads it
    """It gave no move; `str()` says how, in sentences for the operator that call it the program."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a program for one move, besides the seconds that it is given to think.

    `start_seconds` is until it is ready, `slack_seconds` how late an answer may come on a busy
    host, `quit_seconds` how long it may go on after its answer or the end of its stdout. `memory`
    are octets that each of its processes may hold. `output` are octets that it may write in all, to
    stdout and to stderr each.
    """

    start_seconds: float = 10.0
    slack_seconds: float = 1.0
    quit_seconds: float = 1.0
    memory: int = 1024 * MIB
    output: int = 64 * 1024

    def resources(self, think_seconds: float) -> dict[str, int]:
        """Return the limits of setrlimit(2), by their names without RLIMIT_.

        The seconds of CPU are those of one core for all the time that it has. Memory is
        RLIMIT_DATA, what a process alone can write to, as RLIMIT_AS counts what is only reserved.
        Processes are counted by user (RLIMIT_NPROC), so those that there are already come on top.
        That limit does not bind root.
        """
        seconds = self.start_seconds + think_seconds + self.slack_seconds + self.quit_seconds
        found = {"CPU": math.ceil(seconds), "DATA": self.memory, "AS": _ADDRESSES * self.memory}
        running = _running()
        return found | _FIXED | ({"NPROC": running + PROCESSES} if running else {})


def _running() -> int:
    """Return how many processes and threads the user has; 0 if the system has no /proc."""
    threads = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            if process.stat().st_uid == os.geteuid():
                threads += (process / "task").stat().st_nlink - 2
    return threads


def ask(command: Sequence[str], game: AnyGame, question: Question, limits: Limits) -> Answer:
    """Return the program's answer, its move legal and as a log writes it.

    `command` is the program and its arguments; no shell reads it. Raises ProgramFailed, whatever
    the program does instead of answering. When this returns, none of its processes is left. It
    takes at most the seconds of the limits, those of the question, and a few more.
    """
    asked = question.position
    with _started(command, limits, asked.seconds) as program:
        try:
            program.say(written(Hello()))
            read_ready(program.next_line(limits.start_seconds))
            program.say(written(question.match) + written(asked))
            line = program.next_line(asked.seconds + limits.slack_seconds)
            answer = checked(game, question, read_answer(line))
        except ProtocolError as error:
            raise program.failed(f"The program gave no move. {error}") from error
        program.dismiss(written(Quit()))
        return answer


def command_from(typed: str) -> tuple[str, ...]:
    """Return the words of an operator's command as a shell would divide them.

    Raises CommandError if it starts no program. The program is started in an empty folder, so a
    file of the current folder must be given by its whole path.
    """
    try:
        words = shlex.split(typed)
    except ValueError as error:
        raise CommandError(f"The command {quote(typed)} cannot be read: {error}.") from error
    if not words:
        raise CommandError("The command is empty; one looks like: python3 /opt/robots/minimax.py")
    for word in words:
        if not Path(word).is_absolute() and Path(word).is_file():
            raise CommandError(
                f"The program is started in an empty folder, where there is no {quote(word)}: "
                f"write {Path(word).resolve()}."
            )
    if shutil.which(words[0], path=PATH) is None:
        raise CommandError(
            f"There is no program {quote(words[0])} that can be run; write its whole path, or one "
            f"that is in {PATH.replace(':', ', ')}."
        )
    return tuple(words)


def robot_names() -> list[str]:
    """Return the names of the robots in installed Python packages.

    None of them is imported: a broken one fails when it is asked, in a process of its own.
    """
    return sorted({point.name for point in metadata.entry_points(group=GROUP)})


def command_of(name: str) -> tuple[str, ...]:
    """Return the command that starts that robot; raise CommandError if there is none."""
    if name not in robot_names():
        known = listing(robot_names()) or "none"
        raise CommandError(
            f"No installed package has a robot called {quote(name)}; there is {known}."
        )
    return (sys.executable, "-I", "-c", _PYTHON_ROBOT, name, *filter(None, sys.path))


@contextmanager
def _started(command: Sequence[str], limits: Limits, seconds: float) -> Iterator["_Program"]:
    """Start a program, and end it and all that it has started on leaving.

    It has an empty folder of its own and an environment with nothing of the server's. Raises
    ProgramFailed if there is no such program.
    """
    program = shutil.which(command[0], path=PATH)
    if program is None:
        name = quote(command[0], _SHOWN)
        raise ProgramFailed(f"The program could not be started: {name} cannot be run.")
    words = [f"{name}={value}" for name, value in limits.resources(seconds).items()]
    line, theirs = socket.socketpair()
    with line, tempfile.TemporaryDirectory(prefix="pbm-robot-", ignore_cleanup_errors=True) as home:
        with theirs:
            kept = (str(theirs.fileno()), home, *words, "--", program, *command[1:])
            process = _keeper(kept, theirs.fileno(), home)
        try:
            with closing(_Program(process, line, limits)) as started:
                yield started
        finally:
            with suppress(OSError):  # it has gone already
                line.shutdown(socket.SHUT_WR)  # the keeper ends everything
            try:
                process.wait(_TO_END)
            except subprocess.TimeoutExpired:  # it waits for a process that nobody can kill
                process.kill()
                process.wait()


def _keeper(words: Sequence[str], line: int, home: str) -> "subprocess.Popen[bytes]":
    surroundings = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": home, "TMPDIR": home}
    try:
        return subprocess.Popen(  # noqa: S603 - no shell, and the operator has named it
            [*_KEEPER, *words], cwd=home, env=surroundings, pass_fds=(line,), bufsize=0,
            start_new_session=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
    except OSError as error:  # the host has no room for one more process
        raise ProgramFailed(f"The program could not be started: {error.strerror}.") from error


class _Program:
    """A program whose stdin, stdout and stderr are the pipes of `process`: lines are exchanged.

    The keeper says on the `line` what became of it.
    """

    def __init__(
        self, process: "subprocess.Popen[bytes]", line: socket.socket, limits: Limits
    ) -> None:
        pipes = (process.stdin, process.stdout, process.stderr)
        self._stdin, self._stdout, self._stderr = cast("tuple[IO[bytes], ...]", pipes)
        self._line = line
        self._limits = limits
        self._to_say = b""
        self._heard = bytearray()
        self._octets = 0
        self._errors = bytearray()
        self._selector = selectors.DefaultSelector()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._stdout, selectors.EVENT_READ, self._read_line)
        self._selector.register(self._stderr, selectors.EVENT_READ, self._read_errors)

    def say(self, content: bytes) -> None:
        """Write lines to its stdin, at the latest while its next line is waited for."""
        if not self._to_say and self._stdin not in self._selector.get_map():
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)
        self._to_say += content

    def next_line(self, seconds: float) -> bytes:
        """Return its next line, without its end; raise ProgramFailed if none comes in time."""
        deadline = monotonic() + seconds
        while b"\n" not in self._heard:
            left = deadline - monotonic()
            events = self._selector.select(left) if left > 0 else []
            if not events:
                half = " It began a line and did not end it." if self._heard else ""
                raise self.failed(f"The program did not answer within {seconds:g} seconds.{half}")
            for key, _ in events:
                key.data()
        found, _, rest = bytes(self._heard).partition(b"\n")
        self._heard = bytearray(rest)
        return found

    def dismiss(self, last_message: bytes) -> None:
        """Let it end by itself, for which it has a moment."""
        with suppress(OSError):  # it has ended already, or does not read
            self._stdin.write(last_message)
        self._stdin.close()
        self._told()

    def close(self) -> None:
        """Read and write no more."""
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()

    def failed(self, sentence: str) -> ProgramFailed:
        """Return what to raise, with the last line that the program wrote to stderr, if any."""
        with suppress(OSError):  # nothing more is there
            while (room := self._limits.output - len(self._errors)) > 0:
                chunk = os.read(self._stderr.fileno(), room)
                if not chunk:
                    break
                self._errors += chunk
        lines = self._errors.decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        shown = f" It last wrote to stderr: {quote(last, _SHOWN)}." if last else ""
        return ProgramFailed(sentence + shown)

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._to_say[:_CHUNK])
        except BrokenPipeError:  # it does not listen; what it says, or its end, will tell
            written = len(self._to_say)
        self._to_say = self._to_say[written:]
        if not self._to_say:
            self._selector.unregister(self._stdin)

    def _read_line(self) -> None:
        chunk = os.read(self._stdout.fileno(), _CHUNK)
        self._octets += len(chunk)
        self._check_amount(self._octets, "stdout")
        self._heard += chunk
        if not chunk:
            raise self.failed(_end(self._told()))

    def _read_errors(self) -> None:
        chunk = os.read(self._stderr.fileno(), _CHUNK)
        self._errors += chunk
        self._check_amount(len(self._errors), "stderr")
        if not chunk:
            self._selector.unregister(self._stderr)

    def _check_amount(self, octets: int, stream: str) -> None:
        most = self._limits.output
        if octets > most:
            raise ProgramFailed(f"The program wrote more than {most} octets to {stream}.")

    def _told(self) -> str:
        """Return the keeper's word on the end, "" if it has not come a moment later."""
        self._line.settimeout(self._limits.quit_seconds)
        try:
            return self._line.recv(_CHUNK).decode("utf-8", "replace")
        except OSError:
            return ""


def _end(told: str) -> str:
    """Return a sentence about what the keeper said of the end."""
    word, _, detail = told.strip().partition(" ")
    if word == "failed":
        return f"The program could not be started: {detail.partition(chr(10))[0]}."
    if word != "exit":
        return "The program closed its stdout without an answer."
    status = int(detail)
    if status == -Signals.SIGXCPU:
        return "The program used up its processor time."
    if status < 0:
        names = {each.value: each.name for each in Signals}
        return f"The program was ended by signal {names.get(-status, -status)} without an answer."
    return f"The program ended with status {status} and without an answer."
