"""What a bug leaves for the operator: where it happened, but no values, which may be secret."""

import traceback
from errno import errorcode


def trace_of(bug: BaseException) -> str:
    """Return the places that `bug` passed through, one a line, and its type last.

    The name that the system gives its error holds no values.
    """
    frames = traceback.extract_tb(bug.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    system = errorcode.get(bug.errno or 0) if isinstance(bug, OSError) else None
    return "\n".join([*lines, type(bug).__name__ + (f": {system}" if system else "")])
