"""A bounded store of what is costly to make: the least recently used goes first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """At most `most` values by key. Threads may share it; two may make the same value at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, tuple[V]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value kept for `key`; if there is none, make it and keep it."""
        with self._lock:
            if found := self._values.get(key):
                self._values.move_to_end(key)
                return found[0]
        value = make()
        with self._lock:
            self._values[key] = (value,)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value

    def __len__(self) -> int:
        return len(self._values)
