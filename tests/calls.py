"""How often a function is called, where that is what a piece of work costs."""

import sys
from collections.abc import Callable
from types import CodeType, FrameType


def calls_of(function: Callable[..., object], work: Callable[[], object]) -> int:
    """Return how often `work` calls `function`."""
    code: CodeType = function.__code__
    count = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code is code

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
