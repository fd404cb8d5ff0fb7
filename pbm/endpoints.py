"""Where a server listens, as the operator writes it: known to the listener and to who calls it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TcpEndpoint:
    """A host and a port; port 0 takes a free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class UnixEndpoint:
    """A socket in the file system."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


Endpoint = TcpEndpoint | UnixEndpoint


def read_endpoint(text: str) -> Endpoint:
    """Return the endpoint that HOST:PORT, [IPV6]:PORT or PATH means; a path has a "/" in it.

    Raises ValueError with a sentence for the operator.
    """
    if "/" in text:
        return UnixEndpoint(Path(text))
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise ValueError(f"{text!r} is neither HOST:PORT nor the path of a socket.")
    return TcpEndpoint(host, int(port))
