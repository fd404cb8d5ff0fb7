"""A disk that loses its power (disk.py): the part that stays, and the files as they are now."""

import json
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

ROOT = 1
"""The number of the root of a file system."""


@dataclass
class Node:
    """A file or, if it has `names`, a folder."""

    number: int
    mode: int
    data: bytearray = field(default_factory=bytearray)
    names: dict[str, int] | None = None
    links: int = 1
    unsynced: list[tuple[int, int]] = field(default_factory=list)
    """The places in `data` that have not reached the disk, from and to."""
    cut_to: int | None = None
    """A length to which it was cut, if that has not reached the disk."""


class Platter:
    """All that stays: `N` is the content of file N, and `N.names` the names of folder N."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[int, int] = {}

    def load(self) -> dict[int, Node]:
        """Return all that can be reached from the root."""
        nodes: dict[int, Node] = {}
        self._load(ROOT, stat.S_IFDIR | 0o755, nodes)
        return nodes

    def _load(self, number: int, mode: int, nodes: dict[int, Node]) -> None:
        if number in nodes:
            nodes[number].links += 1
            return
        node = nodes[number] = Node(number, mode)
        if stat.S_ISDIR(mode):
            names = self._folder / f"{number}.names"
            found = json.loads(names.read_text()) if names.exists() else {}
            node.names = {name: each for name, (each, _) in found.items()}
            for each, its_mode in found.values():
                self._load(each, its_mode, nodes)
        else:
            content = self._folder / str(number)
            node.data = bytearray(content.read_bytes() if content.exists() else b"")

    def files(self) -> dict[str, bytes]:
        """Return what a new start finds: the content of each file, by its path."""
        nodes, found = self.load(), dict[str, bytes]()

        def walk(number: int, path: str) -> None:
            node = nodes[number]
            if node.names is None:
                found[path] = bytes(node.data)
                return
            for name, each in node.names.items():
                walk(each, f"{path}/{name}" if path else name)

        walk(ROOT, "")
        return found

    def highest(self) -> int:
        """Return the highest number of what has ever reached the disk, by content or by name."""
        named = [
            number
            for folder in self._folder.glob("*.names")
            for number, _ in json.loads(folder.read_text()).values()
        ]
        numbers = [int(path.name.partition(".")[0]) for path in self._folder.iterdir()]
        return max(named + numbers, default=ROOT)

    def keep_names(self, node: Node, nodes: dict[int, Node]) -> None:
        """Let the names of a folder reach the disk, all at once."""
        assert node.names is not None
        names = {name: (each, nodes[each].mode) for name, each in node.names.items()}
        part = self._folder / "0.part"
        part.write_text(json.dumps(names))
        part.replace(self._folder / f"{node.number}.names")

    def keep(self, node: Node, start: int, end: int) -> None:
        """Let a part of a file reach the disk."""
        handle = self._handle(node)
        if node.cut_to is not None and node.cut_to < os.fstat(handle).st_size:
            os.ftruncate(handle, node.cut_to)
        node.cut_to = None
        os.pwrite(handle, node.data[start:end], start)

    def keep_all(self, node: Node) -> None:
        """Let all of a file reach the disk."""
        for start, end in [*node.unsynced, (0, 0)]:
            self.keep(node, start, min(end, len(node.data)))
        os.ftruncate(self._handle(node), len(node.data))
        node.unsynced.clear()

    def _handle(self, node: Node) -> int:
        if node.number not in self._open:
            path = self._folder / str(node.number)
            self._open[node.number] = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        return self._open[node.number]
