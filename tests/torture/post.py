"""Carries letters to the server, again and again until it has acknowledged them."""

import smtplib
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

_CARRIERS = 4
_AT_ONCE = 16
"""Letters that go over one connection."""

BURST = 64
"""Letters that are gathered for a burst: as many as a batch of play."""

_GATHERED = 1.5
"""Seconds after which a burst goes off, however small."""

_TRIES_AGAIN = 0.1

_NO_ACKNOWLEDGEMENT = (OSError, smtplib.SMTPException)


@dataclass(frozen=True)
class Letter:
    """A mail to the server."""

    sender: str
    to: str
    content: bytes
    acknowledged: Callable[[], None] = lambda: None
    besides: int = 0
    """A port that it must not go to if there is another one."""


class Post:
    """Threads that hand letters in at `ports`; of those acknowledged, a `share` goes twice.

    A `burst` is so many letters. `hosts` says on which host a port is, if not on this one. A server
    that says nothing for so many seconds of `patience` has not taken a letter.
    """

    def __init__(
        self, ports: tuple[int, ...], chance: Random, share: float = 0.1,
        hosts: Mapping[int, str] | None = None, patience: float = 15.0, burst: int = BURST,
    ) -> None:  # fmt: skip
        self._ports = ports
        self._hosts = hosts or {}
        self._patience = patience
        self._chance = chance
        self._share = share
        self._burst = burst
        self._waiting: deque[Letter] = deque()
        self._under_way = 0
        self._gathering = False
        self._closed = False
        self._changed = threading.Condition()
        self._carriers = [threading.Thread(target=self._carry) for _ in range(_CARRIERS)]
        self.tries_again = 0
        self.repeats = 0
        for carrier in self._carriers:
            carrier.start()

    def send(self, letter: Letter) -> None:
        """Let a letter be carried."""
        with self._changed:
            self._waiting.append(letter)
            self._changed.notify_all()

    def gather(self, *, bursts: bool) -> None:
        """Carry letters in bursts from now on, or each at once."""
        with self._changed:
            self._gathering = bursts
            self._changed.notify_all()

    @property
    def is_empty(self) -> bool:
        """Whether all that was sent has been acknowledged."""
        with self._changed:
            return not self._waiting and not self._under_way

    def close(self) -> None:
        """Carry nothing more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for carrier in self._carriers:
            carrier.join()

    def _carry(self) -> None:
        while letters := self._taken():
            port = self._port(letters[0].besides)
            left = deque(letters)
            try:
                self._hand_in(port, left)
            except _NO_ACKNOWLEDGEMENT:
                with self._changed:
                    self.tries_again += 1
                    self._waiting.extendleft(reversed(left))
                    self._changed.wait_for(lambda: self._closed, _TRIES_AGAIN)
            finally:
                with self._changed:
                    self._under_way -= len(letters)

    def _taken(self) -> list[Letter]:
        """Return letters to carry next; none once closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._gathering:
                self._changed.wait_for(
                    lambda: (
                        len(self._waiting) >= self._burst or not self._gathering or self._closed
                    ),
                    _GATHERED,
                )
            if self._closed:
                return []
            letters = [self._waiting.popleft() for _ in range(min(_AT_ONCE, len(self._waiting)))]
            self._under_way += len(letters)
        return letters or self._taken()

    def _port(self, besides: int) -> int:
        others = [port for port in self._ports if port != besides]
        return self._chance.choice(others or list(self._ports))

    def _hand_in(self, port: int, letters: deque[Letter]) -> None:
        """Hand letters in; those that are acknowledged leave `letters`."""
        host = self._hosts.get(port, "127.0.0.1")
        with smtplib.SMTP(host, port, timeout=self._patience) as connection:
            while letters:
                letter = letters[0]
                connection.sendmail(letter.sender, [letter.to], letter.content)
                letters.popleft()
                letter.acknowledged()
                if not letter.besides and self._chance.random() < self._share:
                    self.repeats += 1
                    again = Letter(letter.sender, letter.to, letter.content, besides=port)
                    self.send(again)
