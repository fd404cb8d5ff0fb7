"""A working directory with default settings: two players, alice and bob, at board 101."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbm.server.hashing import Argon2Passwords
from tests.cli.terminal import PASSWORD, done
from tests.house import LOWEST


@contextmanager
def quick_passwords() -> Iterator[None]:
    """Let commands hash passwords at the lowest cost, as houses under test do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Argon2Passwords.__init__, "__kwdefaults__", LOWEST)
        yield


@pytest.fixture(scope="module", autouse=True)
def _quickly() -> Iterator[None]:
    with quick_passwords():
        yield


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory that `table` copies."""
    home = tmp_path_factory.mktemp("furnished")
    with pytest.MonkeyPatch.context() as patch, quick_passwords():
        move_in(home, patch)
        done("db", "upgrade")
        for name in ("alice", "bob"):
            done("user", "add", name, PASSWORD, f"{name}@example.com")
        done("game", "create", "gonnect", "alice", "bob", "--option", "size=5")
    return home


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory, with no settings in the environment."""
    move_in(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture
def table(bare: Path, furnished: Path) -> Path:
    """Work in a directory where alice and bob are at board 101, and no mail is delivered yet."""
    shutil.copytree(furnished / "var", bare / "var")
    return bare


@pytest.fixture(scope="session")
def settled(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory that `home` copies."""
    place = tmp_path_factory.mktemp("settled")
    shutil.copytree(furnished / "var", place / "var")
    with pytest.MonkeyPatch.context() as patch:
        move_in(place, patch)
        done("work")
    return place


@pytest.fixture
def home(bare: Path, settled: Path) -> Path:
    """Work in a directory with that board where a server has run and all is well."""
    shutil.copytree(settled / "var", bare / "var")
    return bare


def move_in(home: Path, patch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PBM_") and name != "PBM_AS_ROOT"]:
        patch.delenv(name)
    patch.chdir(home)
