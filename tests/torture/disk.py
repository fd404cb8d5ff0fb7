"""A disk that loses its power: a small FUSE file system, which keeps only what was synced.

    python -m tests.torture.disk FOLDER MOUNTPOINT [--names 0.5] [--data 0.5] [--seed 1]

It has its files in memory, and in FOLDER what has reached the disk: the content of a file by fsync
of the file, the names in a folder by fsync of the folder, each for itself. To kill it is the power
cut; mounted again, it has what FOLDER has. A real disk may write earlier than it is asked to, and
in any order. So a share of the writes (`data`) and of the changes of names (`names`) reaches it at
once. After so many `turns`, which change something or sync it, it ends by itself.
"""

import argparse
import errno
import os
import random
import stat
from pathlib import Path
from typing import Any

import pyfuse3
import trio

from tests.torture.platter import Node, Platter

Context = Any
"""A pyfuse3.RequestContext; mypy may not have it."""

_NEVER_CHANGED_BY_OTHERS = 300.0
"""Seconds for which the kernel may remember what it was told."""


class Disk(pyfuse3.Operations):  # type: ignore[misc,unused-ignore] # where pyfuse3 is missing
    """The file system. Each handle is the number of its node."""

    def __init__(
        self, platter: Platter, names: float, data: float, chance: random.Random, turns: int
    ) -> None:
        super().__init__()
        self._platter = platter
        self._shares = names, data
        self._chance = chance
        self._turns = turns
        self._nodes = platter.load()
        self._last = platter.highest()

    def _turn(self) -> None:
        """Count a turn; after the last one there is no power."""
        self._turns -= 1
        if self._turns == 0:
            os._exit(0)

    def _happens(self, share: float) -> bool:
        return share > 0 and self._chance.random() < share

    def _folder(self, number: int) -> dict[str, int]:
        names = self._nodes[number].names
        if names is None:
            raise pyfuse3.FUSEError(errno.ENOTDIR)
        return names

    def _child(self, parent: int, name: bytes) -> Node:
        number = self._folder(parent).get(os.fsdecode(name))
        if number is None:
            raise pyfuse3.FUSEError(errno.ENOENT)
        return self._nodes[number]

    def _named(self, parent: int, name: bytes, node: Node | None) -> None:
        """Change what a name in a folder means, which may reach the disk at once."""
        names = self._folder(parent)
        if node is None:
            del names[os.fsdecode(name)]
        else:
            names[os.fsdecode(name)] = node.number
        if self._happens(self._shares[0]):
            self._platter.keep_names(self._nodes[parent], self._nodes)

    def _new(self, parent: int, name: bytes, mode: int) -> Node:
        if os.fsdecode(name) in self._folder(parent):
            raise pyfuse3.FUSEError(errno.EEXIST)
        self._last += 1
        node = self._nodes[self._last] = Node(self._last, mode)
        if stat.S_ISDIR(mode):
            node.names = {}
        self._named(parent, name, node)
        return node

    def _attributes(self, node: Node) -> pyfuse3.EntryAttributes:
        found = pyfuse3.EntryAttributes()
        found.st_ino = pyfuse3.InodeT(node.number)
        found.st_mode = pyfuse3.ModeT(node.mode)
        found.st_nlink, found.st_size = node.links, len(node.data)
        found.st_uid, found.st_gid = os.getuid(), os.getgid()
        found.st_blksize, found.st_blocks = 4096, -(-len(node.data) // 512)
        found.entry_timeout = found.attr_timeout = _NEVER_CHANGED_BY_OTHERS
        return found

    # ---- pyfuse3 calls these

    async def lookup(self, parent_inode: int, name: bytes, ctx: Context) -> pyfuse3.EntryAttributes:
        if name in (b".", b".."):  # nobody exports this disk by NFS
            raise pyfuse3.FUSEError(errno.ENOENT)
        return self._attributes(self._child(parent_inode, name))

    async def getattr(self, inode: int, ctx: Context | None = None) -> pyfuse3.EntryAttributes:
        return self._attributes(self._nodes[inode])

    async def setattr(
        self, inode: int, attr: pyfuse3.EntryAttributes, fields: pyfuse3.SetattrFields,
        fh: int | None, ctx: Context,
    ) -> pyfuse3.EntryAttributes:  # fmt: skip
        node = self._nodes[inode]
        if fields.update_mode:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(attr.st_mode)
        if fields.update_size:
            self._resize(node, attr.st_size)
        return self._attributes(node)

    def _resize(self, node: Node, new: int) -> None:
        self._turn()
        old = len(node.data)
        del node.data[new:]
        node.data.extend(bytes(new - len(node.data)))
        if new < old:
            node.cut_to = new if node.cut_to is None else min(node.cut_to, new)
        node.unsynced.append((min(old, new), new))

    async def mkdir(
        self, parent_inode: int, name: bytes, mode: int, ctx: Context
    ) -> pyfuse3.EntryAttributes:
        self._turn()
        return self._attributes(self._new(parent_inode, name, mode | stat.S_IFDIR))

    async def mknod(
        self, parent_inode: int, name: bytes, mode: int, rdev: int, ctx: Context
    ) -> pyfuse3.EntryAttributes:
        self._turn()
        return self._attributes(self._new(parent_inode, name, mode))  # a socket

    async def create(
        self, parent_inode: int, name: bytes, mode: int, flags: int, ctx: Context
    ) -> tuple[pyfuse3.FileInfo, pyfuse3.EntryAttributes]:
        self._turn()
        node = self._new(parent_inode, name, mode | stat.S_IFREG)
        return self._opened(node.number), self._attributes(node)

    async def link(
        self, inode: int, new_parent_inode: int, new_name: bytes, ctx: Context
    ) -> pyfuse3.EntryAttributes:
        self._turn()
        if os.fsdecode(new_name) in self._folder(new_parent_inode):
            raise pyfuse3.FUSEError(errno.EEXIST)
        node = self._nodes[inode]
        node.links += 1
        self._named(new_parent_inode, new_name, node)
        return self._attributes(node)

    async def unlink(self, parent_inode: int, name: bytes, ctx: Context) -> None:
        self._turn()
        self._child(parent_inode, name).links -= 1
        self._named(parent_inode, name, None)

    async def rmdir(self, parent_inode: int, name: bytes, ctx: Context) -> None:
        self._turn()
        if self._child(parent_inode, name).names:
            raise pyfuse3.FUSEError(errno.ENOTEMPTY)
        self._named(parent_inode, name, None)

    async def rename(
        self, parent_inode_old: int, name_old: bytes, parent_inode_new: int, name_new: bytes,
        flags: int, ctx: Context,
    ) -> None:  # fmt: skip
        self._turn()
        if flags:
            raise pyfuse3.FUSEError(errno.EINVAL)
        node = self._child(parent_inode_old, name_old)
        if replaced := self._folder(parent_inode_new).get(os.fsdecode(name_new)):
            self._nodes[replaced].links -= 1
        # Within a folder, both names change at once.
        del self._folder(parent_inode_old)[os.fsdecode(name_old)]
        self._named(parent_inode_new, name_new, node)

    async def open(self, inode: int, flags: int, ctx: Context) -> pyfuse3.FileInfo:
        if flags & os.O_TRUNC:
            self._resize(self._nodes[inode], 0)
        return self._opened(inode)

    def _opened(self, number: int) -> pyfuse3.FileInfo:
        return pyfuse3.FileInfo(fh=pyfuse3.FileHandleT(number), keep_cache=True)

    async def read(self, fh: int, off: int, size: int) -> bytes:
        return bytes(self._nodes[fh].data[off : off + size])

    async def write(self, fh: int, off: int, buf: bytes) -> int:
        self._turn()
        node, end = self._nodes[fh], off + len(buf)
        node.data.extend(bytes(max(0, off - len(node.data))))
        node.data[off:end] = buf
        if self._happens(self._shares[1]):
            self._platter.keep(node, off, end)
        else:
            node.unsynced.append((off, end))
        return len(buf)

    async def fsync(self, fh: int, datasync: bool) -> None:
        self._turn()
        self._platter.keep_all(self._nodes[fh])

    async def opendir(self, inode: int, ctx: Context) -> pyfuse3.FileHandleT:
        return pyfuse3.FileHandleT(inode)

    async def readdir(self, fh: int, start_id: int, token: pyfuse3.ReaddirToken) -> None:
        for place, (name, number) in enumerate([*self._folder(fh).items()][start_id:], start_id):
            found = self._attributes(self._nodes[number])
            if not pyfuse3.readdir_reply(
                token, pyfuse3.FileNameT(os.fsencode(name)), found, place + 1
            ):
                return

    async def fsyncdir(self, fh: int, datasync: bool) -> None:
        self._turn()
        self._platter.keep_names(self._nodes[fh], self._nodes)

    async def statfs(self, ctx: Context) -> pyfuse3.StatvfsData:
        found = pyfuse3.StatvfsData()
        found.f_bsize = found.f_frsize = 4096
        found.f_blocks = found.f_bfree = found.f_bavail = 1 << 20
        found.f_files = found.f_ffree = found.f_favail = 1 << 20
        found.f_namemax = 255
        return found


def main() -> None:
    """Be the disk until it is killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.disk")
    parser.add_argument("folder", type=Path)
    parser.add_argument("mountpoint")
    parser.add_argument("--names", type=float, default=0.0)
    parser.add_argument("--data", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=0)
    given = parser.parse_args()
    disk = Disk(
        Platter(given.folder), given.names, given.data, random.Random(given.seed), given.turns
    )
    pyfuse3.init(disk, given.mountpoint, {"fsname=pbm-power"})
    trio.run(pyfuse3.main)


if __name__ == "__main__":
    main()
