"""Fork the servers of the benchmarks: importing pbm would take longer than what is measured.

They are processes of their own with the same arguments. The only difference is that they are
killed at the end. The yardstick is started as usual.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bench import servers
from tests.processes import Process, Streams, fork


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


def _forked(arguments: Sequence[str], folder: Path) -> Process:
    _, _, *words = arguments
    streams = Streams(errors=folder / "serve.log")
    # Asked to end, it would say QUIT to the bench, whose loop waits here and cannot answer.
    return fork(*words, home=folder, environment=servers.environment(), streams=streams)
