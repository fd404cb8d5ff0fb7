"""The files of a release, as `make dist` makes them, install anywhere what serves and plays.

Making and installing them asks the index of packages, which `make test` does without.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from pbm import __version__
from tests.e2e.people import PASSWORD, Person, open_table
from tests.e2e.server import Server
from tests.e2e.test_match import GAMES, play_whole_match, with_nothing_to_read
from tests.processes import run_pbm
from tests.sink import Sink
from tests.store.test_upgrades import restore
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
def version(wheel: Path) -> str:
    """Return the version of the release."""
    return wheel.name.split("-")[1]


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


def test_the_release_is_named_as_nothing_else_is_and_its_checksums_hold(
    release: Path, version: str
) -> None:
    between_releases = r"\+g[0-9a-f]{8}" if "dev" in __version__ else ""
    assert re.fullmatch(re.escape(__version__) + between_releases, version)
    sums = {line[66:]: line[:64] for line in _lines(release / "SHA256SUMS")}
    assert sorted(sums) == [
        f"pbm_server-{version}-py3-none-any.whl",
        f"pbm_server-{version}.tar.gz",
        f"requirements-{version}.txt",
    ]
    for name, told in sums.items():
        assert hashlib.sha256((release / name).read_bytes()).hexdigest() == told


def test_a_release_pins_every_package_by_hash(release: Path, version: str) -> None:
    text = (release / f"requirements-{version}.txt").read_text()
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


def test_the_long_description_has_no_link_or_picture_that_only_the_tree_has(wheel: Path) -> None:
    (name,) = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("/METADATA"))
    text = zipfile.ZipFile(wheel).read(name).decode()
    assert "play-by-email" in text
    assert re.findall(r"\]\((?!https?:)|<img|picture\)", text) == []


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


def test_templates_help_playthroughs_migrations_and_units_travel_in_the_wheel(
    wheel: Path, version: str
) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("games", "templates", "migrations", "deploy"):
        assert _files(TREE / folder, f"pbm/{folder}") <= names
    assert _files(TREE / "pbm", "pbm") <= names
    assert {name.partition("/")[0] for name in names} == {
        "pbm", f"pbm_server-{version}.dist-info",
    }  # fmt: skip


def _files(folder: Path, inside: str) -> set[str]:
    return {
        f"{inside}/{file.relative_to(folder).as_posix()}"
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
    }


def test_an_installed_wheel_serves_and_plays_games_from_any_directory(
    installed: tuple[str, ...], version: str, tmp_path: Path
) -> None:
    where = run_pbm("games", home=tmp_path, command=installed)
    assert where.returncode == 0, where.stderr
    looked = run_pbm("doctor", "package", home=tmp_path, command=installed)
    assert looked.stdout.startswith(f"ok   package: pbm-server {version}; "), looked.stdout
    units = Path(looked.stdout.strip().rpartition(" in ")[2])
    assert (units / "pbm.service").is_file()
    with open_table(tmp_path, command=installed) as table:
        for person in (table.alice, table.bob):
            person.opens_account(PASSWORD)
        # Half of the games take a minute. Chess, an extra that is lacking here, is not among them.
        for game in GAMES[1::2]:
            play_whole_match(with_nothing_to_read(table), game)
        table.alice.write("help gonnect")
        assert "Joao Pedro Neto" in table.alice.next().text
        table.server.pbm("db", "check")
        assert table.server.stop() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["serve.log", "var"]


ADDRESS = "pbm@games.example.org"
PYTHONS = ("3.11", "3.12", "3.13")
RELEASED = TREE / "tests" / "store" / "released" / "0017.json"
"""The data of 0.1.0: a match at move 3, a mail to bob, and two of alice with the move D4."""


class Veteran(Person):
    """A player since 0.1.0."""

    @property
    def address(self) -> str:
        return f"{self.name}@example.org"


@pytest.mark.parametrize("python", PYTHONS)
def test_a_server_of_0_1_0_goes_on_with_the_wheel_and_has_robots_leagues_and_pages(
    release: Path, python: str, tmp_path: Path
) -> None:
    rows = json.loads(RELEASED.read_text())
    restore(f"sqlite:///{tmp_path / 'var' / 'pbm.db'}", RELEASED.stem, rows)
    (tmp_path / "var" / "secret.key").write_text(rows["key"])
    command = (str(_installed_on(python, release, tmp_path / "python")),)
    settings = ("--address", ADDRESS, "--relay")
    with Sink() as sink, Server(tmp_path, *settings, sink.relay, command=command) as server:
        alice, bob = (Veteran(name, server, sink, server=ADDRESS) for name in ("alice", "bob"))
        bob.next("Good luck to both of us.")
        alice.next("Your message was sent.")
        alice.next("bob to move")
        alice.next("It is not your turn")
        bob.answer(bob.next("your move"), "E5")
        alice.next("your move")
        bob.next("alice to move")
        alice.write("gonnect challenge alice green-apple-tree robot -size=5")
        alice.answer(alice.next("It's your move"), "C3")
        alice.next("robot-1 played")
        server.pbm(
            "league", "new", "small-league", "--game", "gonnect", "--least", "2", "--notice", "0"
        )
        for person in (alice, bob):
            person.write(f"join small-league {person.name} green-apple-tree")
            person.next("you have entered")
        # As a drill: right after the start nothing is done by the real time.
        assert "season begun: 1" in server.pbm("remind", "--now", "+1m")
        sink.wait(
            lambda mails: any(mail.says("Small-league 1 has begun") for mail in mails),
            "the first season",
        )
        server.pbm("site", "build", "site")
        assert "alice" in (tmp_path / "site" / "b" / "101.html").read_text()
        server.pbm("verify")
        assert server.stop() == 0
        assert "Traceback" not in server.log


def _installed_on(python: str, release: Path, home: Path) -> Path:
    """Return the `pbm` of a new environment with what the release pins, on this Python."""
    uv = (sys.executable, "-m", "uv")
    pyenvs = sorted(Path.home().glob(f".pyenv/versions/{python}.*/bin/python"))
    made = any(
        subprocess.run(
            [*uv, "venv", "--quiet", "--clear", "--no-python-downloads", "--python", each, home],
            check=False, stderr=subprocess.DEVNULL,
        ).returncode == 0
        for each in (*map(str, pyenvs), python)
    )  # fmt: skip
    if not made:
        pytest.skip(f"there is no Python {python} on this machine")
    pins = next(release.glob("requirements-*.txt"))
    subprocess.run(
        [*uv, "pip", "install", "--quiet", "--python", home, "--require-hashes", "-r", pins],
        cwd=release, check=True, timeout=300,
    )  # fmt: skip
    return home / "bin" / "pbm"
