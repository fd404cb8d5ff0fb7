"""Hosts on one switch, as network namespaces: a cable can be pulled, and what it carried is lost.

The switch is in a namespace of its own, with the database, the relay and the people. Nothing here
reaches any other network. It needs root, `ip` (iproute2) and `unshare` (util-linux).
"""

import os
import secrets
import shutil
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from tests.processes import in_network

HUB = "10.77.0.1"
"""The address of the switch's namespace."""

_TOOLS = ("ip", "unshare", "hostname")


class NoNetworkError(Exception):
    """Namespaces cannot be made here; `str()` is a sentence that says why."""


class Host:
    """A host with a cable to the switch, which `cut` pulls out and `join` puts in again."""

    def __init__(self, network: "Network", name: str, address: str) -> None:
        self.name = name
        self.address = address
        self._network = network

    @property
    def command(self) -> tuple[str, ...]:
        """The command that runs a program there, under its own host name."""
        named = f'hostname {self.name}; exec "$@"'
        return (*self._network.command(self.name), "unshare", "--uts", "sh", "-c", named, "sh")

    def cut(self) -> None:
        """Let no packet through from now on; neither end is told."""
        self._network.ip_in("hub", "link", "set", "dev", self.name, "down")

    def join(self) -> None:
        """Let packets through again."""
        self._network.ip_in("hub", "link", "set", "dev", self.name, "up")


class Network:
    """A switch and hosts with these `names`; as a context manager they exist from entry to exit."""

    def __init__(self, *names: str) -> None:
        self._prefix = f"pbm-{secrets.token_hex(3)}-"
        addresses = {name: f"10.77.0.{number}" for number, name in enumerate(names, 11)}
        self.hosts = {name: Host(self, name, address) for name, address in addresses.items()}

    def __enter__(self) -> Self:
        missing = [tool for tool in _TOOLS if not shutil.which(tool)]
        if missing or os.geteuid():
            raise NoNetworkError("To make hosts, root and these are needed: " + ", ".join(_TOOLS))
        try:
            self._make_switch()
            for host in self.hosts.values():
                self._connect(host)
        except subprocess.CalledProcessError as error:
            self.__exit__()
            raise NoNetworkError(f"No hosts can be made here: {error.stderr.strip()}") from error
        return self

    def __exit__(self, *details: object) -> None:
        for name in ("hub", *self.hosts):
            subprocess.run(
                ["ip", "netns", "del", self._space(name)], capture_output=True, check=False
            )

    def command(self, name: str) -> tuple[str, ...]:
        """Return what runs a program in the network of a host, or of the "hub"."""
        return ("ip", "netns", "exec", self._space(name))

    def there(self, name: str) -> AbstractContextManager[None]:
        """Be in the network of a host, or of the "hub", with this thread and those it begins."""
        return in_network(Path("/run/netns", self._space(name)))

    def ip_in(self, name: str, *words: str) -> str:
        """Run `ip` in the network of a host, or of the "hub"; return what it prints."""
        return _run("ip", "-n", self._space(name), *words)

    def _make_switch(self) -> None:
        self._add("hub")
        # Of its own it would take another hardware address with each cable.
        address = ("address", "02:00:00:00:00:01")
        self.ip_in("hub", "link", "add", "name", "switch", *address, "type", "bridge")
        self.ip_in("hub", "address", "add", f"{HUB}/24", "dev", "switch")
        self.ip_in("hub", "link", "set", "switch", "up")

    def _connect(self, host: Host) -> None:
        self._add(host.name)
        peer = ("peer", "name", "eth0", "netns", self._space(host.name))
        self.ip_in("hub", "link", "add", "name", host.name, "type", "veth", *peer)
        self.ip_in("hub", "link", "set", "dev", host.name, "master", "switch", "up")
        self.ip_in(host.name, "address", "add", f"{host.address}/24", "dev", "eth0")
        self.ip_in(host.name, "link", "set", "eth0", "up")
        # Both know where the other is, or a cut would be told as "no route to host".
        hub, here = self._hardware("hub", "switch"), self._hardware(host.name, "eth0")
        self._know(host.name, HUB, hub, "eth0")
        self._know("hub", host.address, here, "switch")

    def _know(self, name: str, address: str, hardware: str, device: str) -> None:
        where = ("lladdr", hardware, "dev", device, "nud", "permanent")
        self.ip_in(name, "neighbour", "replace", address, *where)

    def _hardware(self, name: str, device: str) -> str:
        told = self.ip_in(name, "-oneline", "link", "show", device).split()
        return told[told.index("link/ether") + 1]

    def _add(self, name: str) -> None:
        _run("ip", "netns", "add", self._space(name))
        self.ip_in(name, "link", "set", "lo", "up")

    def _space(self, name: str) -> str:
        return f"{self._prefix}{name}"


def _run(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=20).stdout
