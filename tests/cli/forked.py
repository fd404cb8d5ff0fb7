"""The servers of `pbm bench` as forked processes: to import pbm takes longer than what is measured.

They are processes of their own with the same arguments, so nothing else changes but that they are
killed when all is measured. A server with a preloaded library, and whatever is no server of pbm,
is started and ended as ever.
"""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import pytest

from pbm.bench import servers
from tests.e2e.nursery import Born, Streams


@dataclass(frozen=True, slots=True)
class Forked:
    """What the bench looks at of the process of a server."""

    pid: int
    stdout: TextIO


@contextmanager
def forked_servers() -> Iterator[None]:
    """Fork the servers that are started meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        start = servers._process

        @contextmanager
        def process(
            arguments: Sequence[str], folder: Path, preload: Path | None = None
        ) -> Iterator[Any]:
            run = start if preload or "pbm" not in arguments else _forked
            with run(arguments, folder, preload) as running:
                yield running

        patch.setattr(servers, "_process", process)
        yield


@contextmanager
def _forked(arguments: Sequence[str], folder: Path, _preload: Path | None) -> Iterator[Forked]:
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
