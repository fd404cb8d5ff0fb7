"""The folder of the site: files written in one step, a list of ours, and nothing else removed."""

from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pbm.domain.errors import NotAllowed
from pbm.system import sync

LOCK = ".pbm-site.lock"

_FILES = ".pbm-site.files"
"""The list of our files. A file is in it before it is written."""

_PART = ".part"
"""The end of the name of a file that is being written."""

_AT_ONCE = 64
"""Files that are written together, so that their waits for the disk overlap."""

_THREADS = 8


class Writer:
    """Writes files below `root`, some at a time; a reader sees each as it was or as it is.

    Each is on the list before it is written, and its content is on the disk before it has its name.
    So neither a kill nor a power cut leaves half a file, or one that is not known as ours.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._waiting: dict[str, bytes] = {}
        self._folders = {root}

    def write(self, files: Mapping[str, str | bytes]) -> int:
        """Write, by and by, the files that have another content; return how many these are.

        So what is unchanged keeps its time.
        """
        octets = {path: _octets(content) for path, content in files.items()}
        changed = {path for path in files if not _holds(self._root / path, octets[path])}
        self._waiting.update((path, octets[path]) for path in changed)
        if len(self._waiting) >= _AT_ONCE:
            self._write_waiting()
        return len(changed)

    def finish(self) -> None:
        """Return once all files are on the disk, with their names."""
        self._write_waiting()
        for folder in self._folders:
            sync(folder)

    def _write_waiting(self) -> None:
        _announce(self._root, self._waiting)
        with ThreadPoolExecutor(_THREADS) as threads:
            self._folders |= {*threads.map(self._put, self._waiting, self._waiting.values())}
        self._waiting.clear()

    def _put(self, path: str, octets: bytes) -> Path:
        """Write a file in one step, and return its folder."""
        file = self._root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, octets)
        return file.parent


def write_state(path: Path, octets: bytes) -> None:
    """Write a file in one step."""
    if not _holds(path, octets):
        _replace(path, octets)


def _octets(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _holds(path: Path, octets: bytes) -> bool:
    try:
        return path.read_bytes() == octets
    except OSError:
        return False


def _replace(path: Path, octets: bytes) -> None:
    part = _part_of(path)
    part.write_bytes(octets)
    sync(part)
    part.replace(path)


def _part_of(path: Path) -> Path:
    return path.with_name(f".{path.name}{_PART}")


def _announce(root: Path, paths: Iterable[str]) -> None:
    """Note on the disk that these files are ours."""
    if new := [path for path in paths if not (root / path).exists()]:
        with (root / _FILES).open("a", encoding="utf-8") as file:
            file.writelines(f"{path}\n" for path in new)
        sync(root / _FILES)
        sync(root)


def remove(root: Path, paths: Collection[str]) -> int:
    """Remove files, and what a killed build has left of them; return how many were there.

    They are gone from the disk, too.
    """
    removed = sum(_remove(root / path) for path in paths)
    for folder in {(root / path).parent for path in paths}:
        if folder.exists():
            sync(folder)
    return removed


def _remove(path: Path) -> bool:
    _part_of(path).unlink(missing_ok=True)
    there = path.exists()
    path.unlink(missing_ok=True)
    return there


def check_ours(root: Path) -> None:
    """Raise NotAllowed if the folder has files, and none of them is ours."""
    if (root / _FILES).exists():
        return
    if others := sorted(each.name for each in root.iterdir() if each.name != LOCK):
        raise NotAllowed(
            f"{root} holds {others[0]}, and pbm has never built pages there. Name an empty folder."
        )


def listed(root: Path) -> set[str]:
    """Return the paths of our files below `root`."""
    return set((root / _FILES).read_text("utf-8").splitlines())


def write_list(root: Path, paths: Iterable[str]) -> None:
    """Write the list of our files."""
    write_state(root / _FILES, "".join(f"{path}\n" for path in sorted(paths)).encode())
