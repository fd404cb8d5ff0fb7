"""The side of systemd in the protocol of sd_notify(3)."""

import socket
import time
from pathlib import Path

from tests.processes import PATIENCE, until


class Systemd:
    """The socket that a service tells its state."""

    def __init__(self, path: Path, watchdog_seconds: float) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(PATIENCE)
        self.variables = {
            "NOTIFY_SOCKET": str(path),
            "WATCHDOG_USEC": str(int(watchdog_seconds * 1e6)),
        }

    def hear(self) -> list[str]:
        """Return the lines of the next message."""
        return self._socket.recv(4096).decode().split("\n")

    def hear_of(self, part: str) -> str:
        """Return the next line that holds `part`, and forget those before it."""

        def look() -> str:
            return next((line for line in self.hear() if part in line), "")

        return until(look, part)

    def says_to_itself(self, line: str) -> bool:
        """Put a message into its own queue; return False once that is full."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as crier:
            crier.settimeout(0)
            try:
                crier.sendto(line.encode(), self.variables["NOTIFY_SOCKET"])
            except BlockingIOError:
                return False
        return True

    def forget(self) -> None:
        """Forget what was said until now."""
        while self.heard_within(0.01):
            pass

    def heard_within(self, seconds: float) -> list[str]:
        """Return the lines that come in so many seconds."""
        lines, until_then = [], time.monotonic() + seconds
        try:
            while (left := until_then - time.monotonic()) > 0:
                self._socket.settimeout(left)
                lines += self.hear()
        except TimeoutError:
            pass
        finally:
            self._socket.settimeout(PATIENCE)
        return lines

    def close(self) -> None:
        self._socket.close()
