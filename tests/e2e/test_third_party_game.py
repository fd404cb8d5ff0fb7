"""A third party's game, installed beside pbm as a package, is played by mail like any other."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm.cli import main
from pbm.engine import AnyGame, parse_transcript
from pbm.plugins import help_text, installed_games
from tests.e2e.by_mail import play_by_mail
from tests.e2e.conftest import PASSWORD, Table
from tests.e2e.people import Person
from tests.e2e.server import Server
from tests.processes import PBM, clean_environment, run_pbm
from tests.sink import Sink

TREE = Path(__file__).resolve().parents[2]
SOURCE = TREE / "tests" / "thirdparty" / "pbm-hex"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which pip has installed pbm-hex; Python's path must include it.

    It is built from a copy and without the network: the build tool is among the test extras.
    """
    home = tmp_path_factory.mktemp("stranger")
    source = shutil.copytree(SOURCE, home / "pbm-hex", ignore=shutil.ignore_patterns(".*", "__*__"))
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--no-index", "--no-deps", "--no-build-isolation"),
            *("--target", str(home / "site"), str(source)),
        ],
        check=True,
        timeout=120,
    )
    return home / "site"


@pytest.fixture(scope="module")
def environment(installed: Path) -> dict[str, str]:
    return clean_environment(PYTHONPATH=str(installed))


def with_path(arguments: list[str]) -> None:
    """Be a `pbm` that is forked, and has the path that another is started with."""
    sys.path.insert(0, os.environ["PYTHONPATH"])
    main(arguments)


@pytest.fixture(scope="module")
def hex_game(installed: Path) -> Iterator[AnyGame]:
    """Yield the installed game, as pbm finds it by its entry point."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(installed))
        yield installed_games().get("hex")


@pytest.fixture(scope="module")
def settled(
    tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]
) -> Iterator[Table]:
    """Yield alice and bob on a server that has the third party's game beside its own."""
    home = tmp_path_factory.mktemp("settled")
    with (
        Sink() as sink,
        Server(home, "--relay", sink.relay, environment=environment, program=with_path) as server,
    ):
        alice, bob = Person("alice", server, sink), Person("bob", server, sink)
        for player in (alice, bob):
            player.opens_account(PASSWORD)
        yield Table(server, sink, alice, bob)


@pytest.fixture
def hexagons(settled: Table) -> Table:
    """Return that server with nothing left to read from earlier tests."""
    for person in (settled.alice, settled.bob):
        person.read = len(person.mails())
    return settled


def test_the_game_is_listed_beside_those_of_the_tree(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    listed = run_pbm("games", home=tmp_path, environment=environment, command=PBM).stdout
    assert "hex        Hex\n" in listed
    assert "size=11  cells on an edge" in listed
    assert "hex" not in run_pbm("games", home=tmp_path).stdout


def test_its_rules_can_be_tried_at_the_terminal(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    arguments = ("rules", "trace", "hex", "--option", "size=5")
    traced = run_pbm(
        *arguments, home=tmp_path, stdin="b2\nb2\n", environment=environment, program=with_path
    )
    _, after, refused = traced.stdout.splitlines()
    assert '"to_move": [1]' in after
    assert '"message": "b2 is already occupied."' in refused


def test_a_match_of_it_is_played_by_mail_to_its_end(hexagons: Table, hex_game: AnyGame) -> None:
    text = (SOURCE / "pbm_hex/playthroughs/bridges.txt").read_text("utf-8")
    match = play_by_mail(hexagons, hex_game, parse_transcript(text))
    result = hex_game.result(match.position.state)
    assert result is not None
    assert [player.name for player in match.seated] == ["bob", "alice"]
    for reader in match.seated:
        assert match.mails[reader.name].headline.startswith("You ")
        assert match.outcome(result, reader) in match.mails[reader.name].prose
    assert hexagons.server.pbm("verify").endswith(" 0 with faults\n")


def test_its_help_page_is_mailed_as_plain_text(hexagons: Table, hex_game: AnyGame) -> None:
    hexagons.alice.write("help hex")
    page = hexagons.alice.next("Two sides, Vertical (x) and Horizontal (o)")
    text = page.text.replace("\r\n", "\n")
    paragraphs = help_text(hex_game).split("```")[0].split("\n\n")
    prose = [p for p in paragraphs if p.strip() and "#" not in p and "`" not in p]
    assert [p for p in prose if p.strip() not in text] == []
    assert "\n    2. Horizontal b2 is refused: " in text
    assert "`" not in text


def test_its_own_tests_pass_where_it_is_installed(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    shutil.copy(SOURCE / "tests" / "test_hex.py", tmp_path)
    # Where nothing is kept, hypothesis reads all of pbm for the constants in it, for a second.
    kept = {"HYPOTHESIS_STORAGE_DIRECTORY": str(TREE / ".hypothesis")}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(tmp_path)],
        cwd=tmp_path, env={**environment, **kept, "PYTEST_ADDOPTS": "-p no:cacheprovider"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout
