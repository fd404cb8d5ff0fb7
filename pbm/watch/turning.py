"""Whether a process turns: its threads are alive, and its event loop comes round."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Protocol

TURN_SECONDS = 2.0
"""How long the event loop may take to come to the next piece of work."""


class Watching(Protocol):
    """Whoever shows whether the server works: pbm.watch.state."""

    def watch(self, failed: Callable[[], str], cannot_write: Callable[[], bool]) -> None:
        """Ask `failed` from now on what does not work; it answers "" if all does.

        Ask `cannot_write` whether a stage waits for the database.
        """

    def listens(self) -> None:
        """Note that all listeners are open."""


def what_stands_still(
    loop: asyncio.AbstractEventLoop, stages: Mapping[str, threading.Thread]
) -> str:
    """Return what of the process stands still, in a sentence; "" if all turns."""
    ended = [name for name, stage in stages.items() if not stage.is_alive()]
    if ended:
        return f"the stages {', '.join(ended)} have ended"
    turned = threading.Event()
    loop.call_soon_threadsafe(turned.set)
    return "" if turned.wait(TURN_SECONDS) else "the event loop does not turn"
