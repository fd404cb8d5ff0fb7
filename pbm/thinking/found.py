"""What a worker process answers."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Found:
    """What a task found, in so many `seconds` of a core."""

    value: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a task came to nothing, after so many `seconds` of a core."""

    trace: str
    seconds: float
