"""The operating system: time, chance, secrets, files of the package and those that are synced."""

import fcntl
import gc
import os
import pwd
import random
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal


def utc_now() -> datetime:
    """Return the current time, aware and in UTC."""
    return datetime.now(UTC)


def user_name(uid: int) -> str:
    """Return the name of a user; the number, if the user has none, as in a container."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


class SystemChance:
    """Unguessable ids, shuffled seats, and numbers by which games draw."""

    def __init__(self) -> None:
        self._random: random.Random = random.SystemRandom()

    def new_id(self) -> str:
        """Return 24 hexadecimal digits: 96 bits."""
        return os.urandom(12).hex()

    def shuffled(self, players: Sequence[int]) -> tuple[int, ...]:
        """Return the same players in an order drawn at random."""
        return tuple(self._random.sample(list(players), len(players)))

    def random(self) -> float:
        """Return a number from 0 up to, but not, 1."""
        return self._random.random()


GARBAGE_AFTER = 50_000
"""New objects, less those freed, before Python looks for garbage. Hardly any is left that counting
does not free, and to look after each 700, as is usual, takes a thirtieth of the CPU of play and a
third of that of a build of web pages."""


def collect_seldom() -> None:
    """Look for garbage seldom, and not in what was made at the start."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER)


def package() -> Path:
    """Return the folder of the package that runs."""
    return Path(__file__).resolve().parent.parent


def folder(name: Literal["templates", "migrations", "deploy"]) -> Path:
    """Return the folder of that name: inside the package in a wheel, beside it in the tree."""
    inside = package() / name
    return inside if inside.is_dir() else package().parent / name


def write_durably(path: Path, content: bytes, *, new: bool) -> None:
    """Write a file for its owner alone, and return once its content is on the disk.

    Its name is there once its folder is synced. Raises OSError, of which FileExistsError if it
    must be `new` and there is one; otherwise that is overwritten.
    """
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder and what is missing above it; return once their names are on the disk."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode, exist_ok=True)
        sync(path.parent)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Yield the descriptor of a file or a folder; close it then."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Let nobody else in who asks for this folder; the kernel lets go if the process dies."""
    with _opened(folder) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def sync(path: Path) -> None:
    """Return once a file, or the names in a folder, are on the disk."""
    with _opened(path) as descriptor:
        os.fsync(descriptor)


_COMMAND_SECONDS = 30.0


class SecretError(OSError):
    """A secret that cannot be read now; `str()` is a sentence without it."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A password that a `command` prints, at each login.

    `is_token`: it is a token of OAuth 2 for XOAUTH2, which expires.
    """

    command: str
    is_token: bool = False

    def read(self) -> str:
        """Return the first line; raise SecretError if there is none."""
        try:
            done = subprocess.run(  # noqa: S603 - the operator's own command
                ["/bin/sh", "-c", self.command], capture_output=True, check=False,
                timeout=_COMMAND_SECONDS, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise SecretError("The password command does not end.") from None
        if done.returncode:
            raise SecretError(f"The password command fails with status {done.returncode}.")
        line = done.stdout.decode("utf-8", "replace").partition("\n")[0].strip("\r")
        if not line:
            raise SecretError("The password command gives no password.")
        return line
