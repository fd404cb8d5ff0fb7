"""A wheel built from this tree serves and plays, wherever it is installed."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.e2e.people import Person, begin_match, take_turn
from tests.e2e.server import Server, run_pbm
from tests.e2e.sink import Sink

TREE = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel that pip builds from the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(TREE))
    (built,) = folder.glob("pbm-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Return the `pbm` of an environment that has only the wheel and its dependencies."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False)
    # Python compiles what it imports; pip would compile all of it.
    _pip("--python", str(home / "bin" / "python"), "install", "--no-compile", str(wheel))
    return (str(home / "bin" / "pbm"),)


def _pip(*arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments],
        check=True, timeout=300,
    )  # fmt: skip


def test_templates_help_playthroughs_and_migrations_travel_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, inside in (("templates", "pbm/templates"), ("migrations", "pbm/migrations")):
        assert _files(TREE / folder, inside) <= names
    assert _files(TREE / "games", "games") <= names
    assert _files(TREE / "pbm", "pbm") <= names
    assert not [name for name in names if name.startswith("tests/")]


def _files(folder: Path, inside: str) -> set[str]:
    return {
        f"{inside}/{file.relative_to(folder).as_posix()}"
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
    }


def test_an_installed_wheel_serves_and_plays_from_any_directory(
    installed: tuple[str, ...], tmp_path: Path
) -> None:
    where = run_pbm("games", home=tmp_path, command=installed)
    assert where.returncode == 0, where.stderr
    with Sink() as sink, Server(tmp_path, "--relay", sink.relay, command=installed) as server:
        alice, bob = Person("alice", server, sink), Person("bob", server, sink)
        for person in (alice, bob):
            person.opens_account("correct-horse")
        mail, _ = begin_match(alice, bob, "correct-horse", "gonnect", "-size=5")
        assert "alice played C3" in take_turn(alice, bob, mail, "C3").prose
        alice.write("help gonnect")
        assert "Joao Pedro Neto" in alice.next().text
        server.pbm("db", "check")
        assert server.stop() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["serve.log", "var"]
