"""How the stages of several processes wake each other, so that none has to look often."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Protocol


class Wakes(StrEnum):
    """A stage that others make work for; the value is the name of its role."""

    PLAY = "play"
    DELIVER = "deliver"
    THINK = "think"


class Bell(Protocol):
    """Hears when another process has committed work for a stage.

    Every transaction that makes work rings by itself once it is committed. A call may be lost, if
    a process dies or a connection breaks: so each stage looks by itself as well, seldom while the
    bell `hears`, and often while it does not.
    """

    @property
    def hears(self) -> bool:
        """True while the calls of other processes arrive."""

    def listening(
        self, wakes: Mapping[Wakes, Callable[[], None]]
    ) -> AbstractContextManager[object]:
        """While the block runs, call what stands beside a stage soon after work is made for it.

        It is called in another thread, once for many calls that came together, and not for what
        this process has committed itself.
        """
