"""The files of a release, as `make dist` makes them, install anywhere what serves and plays.

Making and installing them asks the index of packages, which `make test` does without.
"""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from pbm import __version__
from tests.e2e.people import PASSWORD, open_table
from tests.e2e.test_match import GAMES, play_whole_match, with_nothing_to_read
from tests.processes import run_pbm
from tests.test_deploy import steps

TREE = Path(__file__).parent.parent

pytestmark = pytest.mark.wheel


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a release made from the tree."""
    folder = tmp_path_factory.mktemp("release")
    subprocess.run([str(TREE / ".ci" / "dist"), sys.executable, folder], check=True, timeout=300)
    return folder


@pytest.fixture(scope="module")
def wheel(release: Path) -> Path:
    """Return the wheel of the release."""
    (built,) = release.glob("pbm_server-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(release: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Return the `pbm` of an environment that the step of the Containerfile has made.

    It has only what the release pins, by hash.
    """
    home = tmp_path_factory.mktemp("opt") / "pbm"
    (step,) = steps(TREE / "deploy" / "containers" / "Containerfile", stage=0)
    # Python compiles what it imports; pip would compile all of it, and fetch what it has.
    step = step.replace("/opt/pbm", str(home)).replace("--no-cache-dir ", "")
    environment = {**os.environ, "PIP_COMPILE": "0", "PIP_QUIET": "1"}
    environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    subprocess.run(
        ["/bin/sh", "-ec", step],
        cwd=release, env=environment, check=True, timeout=300, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return (str(home / "bin" / "pbm"),)


def test_the_release_is_named_as_nothing_else_is_and_its_checksums_hold(release: Path) -> None:
    sums = {line[66:]: line[:64] for line in _lines(release / "SHA256SUMS")}
    assert sorted(sums) == [
        f"pbm_server-{__version__}-py3-none-any.whl",
        f"pbm_server-{__version__}.tar.gz",
        f"requirements-{__version__}.txt",
    ]
    for name, told in sums.items():
        assert hashlib.sha256((release / name).read_bytes()).hexdigest() == told


def test_a_release_pins_every_package_by_hash(release: Path) -> None:
    text = (release / f"requirements-{__version__}.txt").read_text()
    with_hash = r"^[a-z./][^ ]+.*(?:\\\n)? +--hash=sha256:[0-9a-f]{64}"
    pinned = re.findall(with_hash, text, re.MULTILINE)
    named = [line for line in text.splitlines() if re.match(r"[a-z./]", line)]
    assert len(pinned) == len(named)
    assert all("==" in line or line.startswith("./pbm_server-") for line in named), named
    assert {"sqlalchemy", "psycopg"} <= {line.partition("==")[0] for line in named}


def test_the_source_archive_has_the_tree_that_the_tests_need(release: Path) -> None:
    (source,) = release.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pbm/cli/__init__.py", "tests/conftest.py", "deploy/pbm.service", "Makefile"} <= inside


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


def test_templates_help_playthroughs_migrations_and_units_travel_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("games", "templates", "migrations", "deploy"):
        assert _files(TREE / folder, f"pbm/{folder}") <= names
    assert _files(TREE / "pbm", "pbm") <= names
    assert {name.partition("/")[0] for name in names} == {
        "pbm", f"pbm_server-{__version__}.dist-info",
    }  # fmt: skip


def _files(folder: Path, inside: str) -> set[str]:
    return {
        f"{inside}/{file.relative_to(folder).as_posix()}"
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
    }


def test_an_installed_wheel_serves_and_plays_all_games_from_any_directory(
    installed: tuple[str, ...], tmp_path: Path
) -> None:
    where = run_pbm("games", home=tmp_path, command=installed)
    assert where.returncode == 0, where.stderr
    looked = run_pbm("doctor", "package", home=tmp_path, command=installed)
    assert looked.stdout.startswith(f"ok   package: pbm-server {__version__}; "), looked.stdout
    units = Path(looked.stdout.strip().rpartition(" in ")[2])
    assert (units / "pbm.service").is_file()
    with open_table(tmp_path, command=installed) as table:
        for person in (table.alice, table.bob):
            person.opens_account(PASSWORD)
        for folder in GAMES:
            play_whole_match(with_nothing_to_read(table), folder)
        table.alice.write("help gonnect")
        assert "Joao Pedro Neto" in table.alice.next().text
        table.server.pbm("db", "check")
        assert table.server.stop() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["serve.log", "var"]
