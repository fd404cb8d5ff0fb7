"""The side of systemd in the protocol of sd_notify(3)."""

import socket
from pathlib import Path

from tests.e2e.server import PATIENCE, until


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

    def hear_of(self, begin: str) -> str:
        """Return the next line that begins so, and forget those before it."""

        def look() -> str:
            return next((line for line in self.hear() if line.startswith(begin)), "")

        return until(look, begin)

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
        while not self.is_silent(0.01):
            pass

    def is_silent(self, seconds: float) -> bool:
        """Return whether nothing is heard for so long."""
        self._socket.settimeout(seconds)
        try:
            self._socket.recv(4096)
        except TimeoutError:
            return True
        finally:
            self._socket.settimeout(PATIENCE)
        return False

    def close(self) -> None:
        self._socket.close()
