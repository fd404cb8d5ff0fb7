"""What is said to a program that runs, and heard of it: lines, each within its time."""

import os
import selectors
import socket
import subprocess
from contextlib import suppress
from signal import Signals
from time import monotonic
from typing import IO, cast

from pbm.engine import quote
from pbm.programs.limits import Limits

_CHUNK = 64 * 1024

_LAST_WORDS = 200
"""Characters of what it wrote to stderr that the operator is shown."""


class ProgramFailed(Exception):  # noqa: N818 - what happened, as the operator is told
    """It gave no move; `str()` says how, in sentences for the operator that call it the program."""


class Program:
    """A program whose stdin, stdout and stderr are the pipes of `process`.

    On the `line` comes what became of it, as pbm/programs/keeper.py tells.
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
                raise ProgramFailed(self._with_last_words(self._silence(seconds)))
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

    def fault(self, sentence: str) -> ProgramFailed:
        """Return what to raise for a line that is no answer."""
        return ProgramFailed(self._with_last_words(f"The program gave no move. {sentence}"))

    def _silence(self, seconds: float) -> str:
        half = " It began a line and did not end it." if self._heard else ""
        return f"The program did not answer within {seconds:g} seconds.{half}"

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
            raise ProgramFailed(self._with_last_words(_end(self._told())))

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
        """Return what the keeper says of the end, "" if it has not come a moment later."""
        self._line.settimeout(self._limits.quit_seconds)
        try:
            return self._line.recv(_CHUNK).decode("utf-8", "replace")
        except OSError:
            return ""

    def _with_last_words(self, sentence: str) -> str:
        """Return the sentence with the last line that the program wrote to stderr, if any."""
        with suppress(OSError):  # nothing more is there
            while (room := self._limits.output - len(self._errors)) > 0:
                chunk = os.read(self._stderr.fileno(), room)
                if not chunk:
                    break
                self._errors += chunk
        lines = self._errors.decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        if not last:
            return sentence
        return f"{sentence} It last wrote to stderr: {quote(last, _LAST_WORDS)}."


def _end(told: str) -> str:
    """Return a sentence about what the keeper told of the end."""
    word, _, detail = told.strip().partition(" ")
    if word == "failed":
        return f"The program could not be started: {detail.partition(chr(10))[0]}."
    if word != "exit":
        return "The program closed its stdout without an answer."
    status = int(detail)
    if status == -Signals.SIGXCPU:
        return "The program used up its processor time."
    if status < 0:
        return f"The program was ended by signal {_signal(-status)} without an answer."
    return f"The program ended with status {status} and without an answer."


def _signal(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return str(number)
