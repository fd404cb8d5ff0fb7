"""What a bug leaves for the operator: where it happened, but no values, which may be secret."""

import traceback


def trace_of(bug: BaseException) -> str:
    """Return the places that `bug` passed through, one a line, and its type last."""
    frames = traceback.extract_tb(bug.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return "\n".join([*lines, type(bug).__name__])
