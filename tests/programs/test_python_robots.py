"""Robots of Python packages, found by entry point and asked in a process of their own."""

from pathlib import Path

import pytest

from pbm.programs import CommandError, ProgramFailed, ask, command_of, robot_names
from tests.programs.samples import PATIENT
from tests.programs.test_robots_page import blocks
from tests.robots.brute import GAMES
from tests.robots.questions import question

MORRIS = GAMES["morris"]

MISCHIEF = '''
"""Robots that go wrong."""
print("I was imported")

def prints(game, question):
    print('{"move": "a1"}')
    return "d1"

def raises(game, question):
    raise KeyError(game.info.key)

def returns_nothing(game, question):
    return None
'''


@pytest.fixture(autouse=True)
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with the robot of docs/robots.md, some bad ones, and one that is broken."""
    (tmp_path / "pbm_first.py").write_text(blocks("python")[1])
    (tmp_path / "mischief.py").write_text(MISCHIEF)
    facts = tmp_path / "pbm_first-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: pbm-first\nVersion: 1.0\n")
    names = ("prints", "raises", "returns_nothing")
    entries = "".join(f"{name} = mischief:{name}\n" for name in names)
    (of_the_page,) = (block for block in blocks("toml") if "pbm.robots" in block)
    entries = "[pbm.robots]\n" + entries + "broken = no_such_module:choose\n"
    entries += of_the_page.partition("\n")[2].replace('"', "")
    (facts / "entry_points.txt").write_text(entries)
    monkeypatch.syspath_prepend(str(tmp_path))


def move_of(name: str) -> str:
    return ask(command_of(name), MORRIS, question(MORRIS), PATIENT).move


def test_a_broken_package_stops_no_other_as_none_is_imported_by_the_server() -> None:
    assert robot_names() == ["broken", "first", "prints", "raises", "returns_nothing"]
    assert move_of("first") == "a1"


def test_what_a_robot_prints_is_not_taken_for_its_answer() -> None:
    assert move_of("prints") == "d1"


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("broken", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raises", "KeyError: 'morris'"),
        ("returns_nothing", 'ProtocolError: "move" is missing; it must be a text.'),
    ],
)
def test_what_a_robot_raises_is_told_to_the_operator(name: str, reported: str) -> None:
    with pytest.raises(ProgramFailed) as failure:
        move_of(name)
    assert f'It reports an error: "{reported}".' in str(failure.value)


def test_a_robot_that_nobody_has_installed_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(CommandError) as error:
        command_of("second")
    assert str(error.value) == (
        'No installed package has a robot called "second"; there is broken, first, prints, raises '
        "or returns_nothing."
    )
