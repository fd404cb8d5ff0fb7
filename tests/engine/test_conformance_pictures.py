"""The suite that game authors run catches broken boards and missing pages."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pbm.engine import (
    AnyGame,
    Diagram,
    Line,
    Mark,
    MarkKind,
    Piece,
    Plate,
    Point,
    Tally,
    TallyRow,
    Viewer,
)
from pbm.engine.conformance import (
    ConformanceError,
    check,
    check_help,
    check_info,
    check_playthroughs,
)
from tests.engine.noughts import Noughts, State, game
from tests.tables import each

ONE, TWO = TallyRow("Cross", ("1",)), TallyRow("Nought", ("1", "2"))
PLATE = Plate(("*",), {"a1": (0, 0)})
STONES = (Piece("b2", "x", 0), Piece("b2", "o", 1))


@each(
    ("changes", "law"),
    [
        ({"points": (Point("a1", 0, 0), Point("a1", 1, 0))}, "a diagram names each point once"),
        ({"points": (Point("a1", 0, 0), Point("b1", 0, 0))}, "each point has a cell of its own"),
        ({"points": (Point("a1", 3, 0),)}, "each point has a cell of its own"),
        ({"pieces": STONES}, "a point holds one piece"),
        ({"pieces": (Piece("z9", "x", 0),)}, "['z9'] are points of the diagram"),
        ({"marks": (Mark("z9", MarkKind.LAST),)}, "['z9'] are points of the diagram"),
        ({"lines": (Line(("a1", "z9")),)}, "['z9'] are points of the diagram"),
        ({"pieces": (Piece("b2", "xx", 0),)}, "a piece is one character"),
        ({"pieces": (Piece("b2", "x", 0, 0),)}, "a piece is one stone high or higher"),
        ({"lines": (Line(("a1",)),)}, "a line has two points or more"),
        ({"tally": Tally((), (ONE, TWO))}, "the rows of a tally are equally long"),
        ({"tally": Tally(("in hand",), (TWO,))}, "a tally has a heading for each figure, or none"),
        ({"plate": PLATE}, "the plate has a place for each point"),
        ({"pieces": (Piece("b2", "x", 2),)}, "a piece belongs to a seat or to nobody"),
        ({"pieces": (Piece("b2", "\u265b", 0),)}, "are printable ASCII: ["),
        ({"below": ("two\nlines",)}, "are printable ASCII: ['two"),
        ({"above": ("-" * 73,)}, "default is at most 72 columns wide"),
    ],
)
def test_a_broken_board_is_told_the_law_that_it_breaks(changes: dict[str, Any], law: str) -> None:
    class Drawn(Noughts):
        __module__ = "tests.engine.noughts"

        def diagram(self, state: State, viewer: Viewer) -> Diagram:
            diagram = super().diagram(state, viewer)
            return replace(diagram, **{"marks": (), "pieces": (), **changes})

    with pytest.raises(ConformanceError) as found:
        check(Drawn())
    assert law in str(found.value)


def test_a_game_with_secrets_is_told_that_none_can_be_kept() -> None:
    class Secretive(Noughts):
        __module__ = "tests.engine.noughts"

        def diagram(self, state: State, viewer: Viewer) -> Diagram:
            diagram = super().diagram(state, viewer)
            return diagram if viewer.seat == 0 else replace(diagram, pieces=diagram.pieces[:1])

    with pytest.raises(ConformanceError, match="no game has secrets, as each turn is told to all"):
        check(Secretive())


def test_every_style_is_drawn_for_every_viewer() -> None:
    seen = set()

    class Watched(Noughts):
        __module__ = "tests.engine.noughts"
        info = replace(game.info, styles=("default", "large"))

        def diagram(self, state: State, viewer: Viewer) -> Diagram:
            seen.add((viewer.style, viewer.seat))
            return super().diagram(state, viewer)

    check(Watched(), matches=1)
    assert seen == {(style, seat) for style in ("default", "large") for seat in (None, 0, 1)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of a package with the rules of the small game and nothing else yet."""
    package = tmp_path / "stray"
    package.mkdir()
    source = "from tests.engine.noughts import Noughts\nclass Stray(Noughts):\n    pass\n"
    (package / "__init__.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    sys.modules.pop("stray", None)


def stray() -> AnyGame:
    """Return the game of that package, as an entry point would."""
    made: AnyGame = importlib.import_module("stray").Stray()
    return made


def add_playthrough(folder: Path, name: str, text: str) -> None:
    (folder / "playthroughs").mkdir(exist_ok=True)
    (folder / "playthroughs" / name).write_text(dedent(text), "utf-8")


ROW = "game noughts\n1 Cross b2\n2 Nought a1\n3 Cross c2\n4 Nought c1\n5 Cross a2\n"


def test_a_help_page_is_missed(folder: Path) -> None:
    with pytest.raises(ConformanceError, match=r"a help page, help\.md, stands beside the rules"):
        check_info(stray())
    (folder / "help.md").write_text("# Stray\n", "utf-8")
    check_info(stray())


def test_playthroughs_are_missed(folder: Path) -> None:
    with pytest.raises(ConformanceError, match="a game has a playthrough"):
        check_playthroughs(stray())


def test_a_reason_that_no_playthrough_reaches_is_missed(folder: Path) -> None:
    add_playthrough(folder, "row.txt", f"{ROW}result Cross row\n")
    add_playthrough(folder, "open.txt", "game noughts\n1 Cross b2\nresult open\n")
    with pytest.raises(ConformanceError, match="none by full"):
        check_playthroughs(stray())


def test_a_playthrough_that_goes_wrong_is_named_with_its_line(folder: Path) -> None:
    add_playthrough(folder, "wrong.txt", f"{ROW}result Nought row\n")
    with pytest.raises(ConformanceError, match=r"noughts: wrong\.txt, line 7: the result is"):
        check_playthroughs(stray())


def test_a_playthrough_that_cannot_be_read_is_named(folder: Path) -> None:
    add_playthrough(folder, "odd.txt", "Once upon a time.\n")
    with pytest.raises(ConformanceError, match=r"noughts: odd\.txt, a playthrough has a line"):
        check_playthroughs(stray())


def test_a_help_page_that_cannot_be_mailed_or_played_is_told_where(folder: Path) -> None:
    ascii_only = r"help\.md is ASCII, 72 columns, no tabs; line"
    for text, wrong in (
        ("# Stray\n\n\u265b wins.\n", f"{ascii_only} 3 is"),
        ("x" * 73, f"{ascii_only} 1 is"),
        ("\t-size=3", f"{ascii_only} 1 is"),
        (f"# Stray\n\n```transcript\n{ROW}result open\n```\n", "below line 3, line 7: the result"),
        ("```transcript\nb2\n```\n", "below line 1, a playthrough has a line"),
    ):
        (folder / "help.md").write_text(text, "utf-8")
        with pytest.raises(ConformanceError, match=wrong):
            check_help(stray())


def test_a_stranger_with_all_its_pages_passes(folder: Path) -> None:
    home = Path(__file__).parent / "noughts"
    (folder / "help.md").write_text((home / "help.md").read_text("utf-8"), "utf-8")
    for path in (home / "playthroughs").iterdir():
        add_playthrough(folder, path.name, path.read_text("utf-8"))
    check(stray())
