"""A host to break: this one's files under an overlay, with processes and a network of its own.

What is written there goes to memory and is gone at the end, with every process in it. Its network
is a loopback of its own, so port 25 is free and nothing reaches the world; only commands that fetch
packages are run in the network of this host. It needs root, unshare and nsenter (util-linux).
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from subprocess import CompletedProcess
from types import TracebackType
from typing import Self

from tests.processes import Streams, in_network, run, start

_BEGIN = """
set -e
mount -t tmpfs -o mode=755 tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount --rbind /sys sys
mount -t proc proc proc
for each in run tmp var/lib/postgresql etc/postgresql var/log/postgresql; do
  [ -d "$each" ] && mount -t tmpfs -o mode=755 tmpfs "$each"
done
chmod 1777 tmp
mkdir -p run/lock
ip link set lo up
ip address add 192.0.2.1/32 dev lo
ip address add 192.0.2.99/32 dev lo
printf '#!/bin/sh\\nexit 101\\n' >usr/sbin/policy-rc.d
chmod 755 usr/sbin/policy-rc.d
exec chroot . sh -c 'echo ready; exec sleep infinity'
"""
"""Makes the host: mounts, addresses, and no service that starts by itself (policy-rc.d)."""

STRANGER = "192.0.2.99"
"""An address that is not in `mynetworks`."""


class Scratch:
    """The host; as a context manager it exists from entry to exit."""

    def __enter__(self) -> Self:
        self._place = Path(tempfile.mkdtemp(prefix="pbm-host-"))
        errors = self._place / "errors"
        self._first = start(
            *("unshare", "--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child"),
            *("sh", "-c", _BEGIN, "sh", str(self._place)), streams=Streams(errors=errors),
        )  # fmt: skip
        if self._first.stdout.readline() != "ready\n":
            raise AssertionError(f"no host could be made: {errors.read_text()}")
        mother = self._first.pid
        self._pid = int(Path(f"/proc/{mother}/task/{mother}/children").read_text())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._first.__exit__(kind, error, trace)
        shutil.rmtree(self._place)

    @property
    def root(self) -> Path:
        """Where the files of the host are, seen from outside."""
        return Path(f"/proc/{self._pid}/root")

    def command(self, *words: str, fetches: bool = False) -> list[str]:
        """Return what runs `words` there; one that `fetches` has this host's network."""
        spaces = ["--mount", "--pid", "--ipc", "--uts", "--root", "--wd"]
        net = [] if fetches else ["--net"]
        return ["nsenter", f"--target={self._pid}", *spaces, *net, "--", *words]

    def run(
        self, script: str, *, fetches: bool = False, check: bool = True
    ) -> CompletedProcess[str]:
        """Run a line of shell as root there; its output is one text."""
        words = self.command("bash", "-euc", f"exec 2>&1\ncd /root\n{script}", fetches=fetches)
        done = run(*words, environment=environment(), seconds=120)
        if check and done.returncode:
            raise AssertionError(f"{script}\nended with status {done.returncode}:\n{done.stdout}")
        return done

    def network(self) -> AbstractContextManager[None]:
        """Be in its network: sockets that this thread makes meanwhile belong there."""
        return in_network(Path(f"/proc/{self._pid}/ns/net"))


def environment() -> Mapping[str, str]:
    """Return what root's shell on a bare host has, and how packages are fetched here."""
    fetching = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    proxies = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return {**fetching, **proxies, "PATH": path, "HOME": "/root", "LANG": "C"}
