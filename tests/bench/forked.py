"""Fork the servers of the benchmarks: importing pbm would take longer than what is measured.

They are processes of their own with the same arguments. The only difference is that they are
killed at the end. The yardstick is started as usual.
"""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import pytest

from bench import servers
from tests.e2e.nursery import Born, Streams


@dataclass(frozen=True, slots=True)
class Forked:
    """The attributes of a process that the benchmarks use."""

    pid: int
    stdout: TextIO


@contextmanager
def forked_servers() -> Iterator[None]:
    """Fork the servers that are started meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        start = servers._process

        @contextmanager
        def process(arguments: Sequence[str], folder: Path) -> Iterator[Any]:
            run = _forked if "pbm" in arguments else start
            with run(arguments, folder) as running:
                yield running

        patch.setattr(servers, "_process", process)
        yield


@contextmanager
def _forked(arguments: Sequence[str], folder: Path) -> Iterator[Forked]:
    _, _, *words = arguments
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with ours, os.fdopen(os.dup(ours.fileno())) as told:
        with theirs:
            streams = Streams(Path(os.devnull), theirs, folder / "serve.log")
            born = Born(tuple(words), folder, servers.environment(), streams)
        try:
            yield Forked(born.pid, told)
        finally:
            # Asked to end, it would say QUIT to the bench, whose loop waits here and cannot answer.
            born.kill()
            born.wait(servers.STOP_SECONDS)
