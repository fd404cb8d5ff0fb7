"""Whether the calls of a game come to an end, for the conformance suite."""

import contextlib
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from pbm import time_limit
from pbm.engine.laws import ConformanceError
from pbm.time_limit import EndlessError, TimeLimit

Ends = Callable[[], AbstractContextManager[None]]
"""Returns what raises ConformanceError if the calls inside come to no end."""

_NOT_THE_GAME = (Path(__file__).parent, Path(time_limit.__file__), Path(contextlib.__file__))


def ends_within(seconds: float) -> Ends:
    """Return what raises ConformanceError once the calls inside have taken so long, of a core."""
    limit = TimeLimit(seconds, look=min(1.0, seconds / 10))

    @contextmanager
    def ends() -> Iterator[None]:
        try:
            with limit.bounded():
                yield
        except EndlessError as error:
            told = f"{_call_of(error)} has not ended after {seconds:g} seconds of a core"
            raise ConformanceError(f"broken law: each call of a game ends soon: {told}") from error

    return ends


def _call_of(error: EndlessError) -> str:
    """Return which function of the game was called, and where it was."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_ours(Path(frame.filename))]
    if not own:
        return "a call"
    called, last = own[0], own[-1]
    return f"{called.name} (line {last.lineno} of {Path(last.filename).name}, in {last.name})"


def _is_ours(file: Path) -> bool:
    return any(file == ours or ours in file.parents for ours in _NOT_THE_GAME)
