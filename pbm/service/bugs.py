"""What a bug leaves behind for the operator: where it was, and no values, which may be secrets."""

import traceback


def trace_of(bug: Exception) -> str:
    """Return the lines that `bug` passed, one each, and last its kind."""
    frames = traceback.extract_tb(bug.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return "\n".join([*lines, type(bug).__name__])
