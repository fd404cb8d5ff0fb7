"""The suite that game authors run catches a broken game and says which law it breaks.

Each mutant is the small game of these tests with one thing wrong.
"""

import importlib
import sys
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
    Option,
    Piece,
    Plate,
    Point,
    Tally,
    TallyRow,
    Turn,
    Viewer,
    replay,
)
from pbm.engine.conformance import (
    ConformanceError,
    check,
    check_help,
    check_info,
    check_playthroughs,
)
from pbm.engine.readings import check_reading, ends_within
from tests.engine import mutants
from tests.engine.noughts import Noughts, State, game, unordered

ONE, TWO = TallyRow("Cross", ("1",)), TallyRow("Nought", ("1", "2"))
PLATE = Plate(("*",), {"a1": (0, 0)})
STONES = (Piece("b2", "x", 0), Piece("b2", "o", 1))


def broken(mutant: AnyGame) -> str:
    """Return the law that the suite reports as broken."""
    with pytest.raises(ConformanceError) as found:
        check(mutant, matches=6)
    return str(found.value)


def test_a_sound_game_passes() -> None:
    check(game)


@pytest.mark.parametrize(
    ("part", "changes", "law"),
    [
        ("info", {"key": "Noughts"}, "'Noughts' can be typed as a game's name"),
        ("info", {"aliases": ("tic-tac",)}, "'tic-tac' can be typed as a game's name"),
        ("info", {"seats": ("Cross",)}, "a match has two seats or more"),
        ("info", {"signs": ("x",)}, "each seat has a sign"),
        ("info", {"signs": ("x", "oo")}, "a sign is one character"),
        ("info", {"seats": ("Cross", "The Nought")}, "a side's name is one word"),
        ("info", {"styles": ()}, "there is a style and a reason to end"),
        ("info", {"reasons": {}}, "there is a style and a reason to end"),
        (
            "info",
            {"options": (Option("misere", "never", ("no",), "?"),)},
            "the default of misere is a",
        ),
        ("info", {"options": (Option("misere", "no", ("no",), ""),)}, "misere is explained"),
        ("info", {"example": "B2"}, "the example 'B2' is a canonical first move"),
        ("info", {"example": "z9"}, "the example 'z9' is a canonical first move"),
        ("info", {"key": "draw"}, "no command is called 'draw'"),
        ("info", {"aliases": ("xo", "help")}, "no command is called 'help'"),
        ("info", {"signs": ("x", "x")}, "the sides' signs differ"),
        ("info", {"seats": ("Cross", "cross")}, "the sides' names differ in any case"),
        ("info", {"seats": ("Cross", "Draw")}, "no side is called draw"),
        (
            "info",
            {"options": (Option("dealt", "1", ("1",), "?"),)},
            "'dealt' can be typed as an option",
        ),
        (
            "info",
            {"options": (Option("a b", "1", ("1",), "?"),)},
            "'a b' can be typed as an option",
        ),
        (
            "info",
            {"options": (Option("ko", "a", ("a", "A"), "?"),)},
            "choices of ko differ in any case",
        ),
        ("info", {"options": (Option("ko", "a b", ("a b",), "?"),)}, "a choice of ko is one word"),
        (
            "info",
            {"options": (Option("ko", "a", ("a",), "?"),) * 2},
            "each option has a name of its own",
        ),
        ("info", {"options": (Option("ko", 4, (4, 5), "?"),)}, "the choices of ko are texts"),  # type: ignore[arg-type]
        ("info", {"title": "Noughts\nand Crosses"}, "is a line of ASCII"),
        ("info", {"reasons": {"row": "", "full": "the board is full"}}, "'' is a line of ASCII"),
        ("info", {"rules_version": "2"}, "the rules_version is a number"),
        ("info", {"reasons": {"row": "three in a row"}}, "the reason 'full' is explained"),
        ("result", {"winners": (2,)}, "winners are seats"),
        ("result", {"winners": (0, 0)}, "each winner is named once"),
        ("result", {"scores": (1,)}, "each seat has a score, or none has"),
        ("result", {"places": (1,)}, "each seat has a place, or none has"),
        ("result", {"places": (1, 3)}, "a place is 1 more than the seats before it"),
        ("result", {"winners": (), "places": (1, 2)}, "at 1 are the winners"),
        ("info", {"options": (Option("players", "a", ("a",), "?"),)}, "of players are numbers"),
        ("result", {"reason": "luck"}, "the reason 'luck' is explained"),
        (
            "board",
            {"points": (Point("a1", 0, 0), Point("a1", 1, 0))},
            "a diagram names each point once",
        ),
        (
            "board",
            {"points": (Point("a1", 0, 0), Point("b1", 0, 0))},
            "each point has a cell of its own",
        ),
        ("board", {"points": (Point("a1", 3, 0),)}, "each point has a cell of its own"),
        ("board", {"pieces": STONES}, "a point holds one piece"),
        ("board", {"pieces": (Piece("z9", "x", 0),)}, "['z9'] are points of the diagram"),
        ("board", {"marks": (Mark("z9", MarkKind.LAST),)}, "['z9'] are points of the diagram"),
        ("board", {"lines": (Line(("a1", "z9")),)}, "['z9'] are points of the diagram"),
        ("board", {"pieces": (Piece("b2", "xx", 0),)}, "a piece is one character"),
        ("board", {"pieces": (Piece("b2", "x", 0, 0),)}, "a piece is one stone high or higher"),
        ("board", {"lines": (Line(("a1",)),)}, "a line has two points or more"),
        ("board", {"tally": Tally((), (ONE, TWO))}, "the rows of a tally are equally long"),
        (
            "board",
            {"tally": Tally(("in hand",), (TWO,))},
            "a tally has a heading for each figure, or none",
        ),
        (
            "board",
            {"columns": (), "rows": (), "points": (), "pieces": (), "marks": ()},
            "a diagram has a point or more",
        ),
        ("board", {"plate": PLATE}, "the plate has a place for each point"),
        ("board", {"pieces": (Piece("b2", "x", 2),)}, "a piece belongs to a seat or to nobody"),
        ("board", {"pieces": (Piece("b2", "\u265b", 0),)}, "are printable ASCII: ["),
        ("board", {"below": ("two\nlines",)}, "are printable ASCII: ['two"),
        ("board", {"above": ("-" * 73,)}, "default is at most 72 columns wide"),
    ],
)
def test_what_a_game_says_of_itself_of_its_results_and_boards_is_checked(
    part: str, changes: dict[str, Any], law: str
) -> None:
    assert law in broken(mutants.Changed(part, changes))


@pytest.mark.parametrize(("mutant", "law"), mutants.LAWS.items())
def test_a_broken_game_is_told_the_law_that_it_breaks(mutant: type[Noughts], law: str) -> None:
    assert law in broken(mutant())


def test_a_game_without_a_state_and_a_class_in_place_of_a_game_are_told_so() -> None:
    assert "a stored state comes back, not AttributeError" in broken(mutants.Stateless())
    assert "the game is an object, `game = Rules()`, and no class" in broken(Noughts)  # type: ignore[arg-type]


@pytest.mark.parametrize("mutant", [mutants.Endless, mutants.Tripping])
def test_the_match_in_which_a_game_breaks_is_told(mutant: type[Noughts]) -> None:
    with pytest.raises((ConformanceError, ValueError)) as found:
        check(mutant())
    [note] = found.value.__notes__
    told, _, moves = note.partition(", with the moves ")
    assert told == "In a match of noughts misere=no"
    *_, last = replay(game, game.info.setup(), played_by(moves.split()))
    assert (game.result(last.state) is not None) == (mutant is mutants.Endless)
    assert ("a1" in moves.split()) or mutant is mutants.Endless


def played_by(moves: list[str]) -> list[Turn]:
    return [Turn(n % 2, move) for n, move in enumerate(moves)]


def test_what_differs_between_two_processes_is_told() -> None:
    order = "legal moves come in the same order in every process"
    assert order in broken(unordered.Unordered())
    assert " leads to the same position in every process" in broken(unordered.Hashing())


@pytest.mark.parametrize("call", ["legal_moves", "play", "result", "diagram", "parse"])
def test_a_call_that_does_not_end_is_told_with_the_moves_before_it(call: str) -> None:
    with pytest.raises(ConformanceError) as found:
        check(mutants.Unending(call), seconds=0.1)
    told = str(found.value)
    assert told.startswith("broken law: each call of a game ends soon: ")
    assert told.endswith(" of mutants.py, in _loop) has not ended after 0.1 seconds of a core")
    called = told.split(": ")[2].partition(" ")[0]
    assert called == ("to_move" if call == "result" else call)
    *_, moves = found.value.__notes__[0].split()
    assert moves == "b2"


def test_a_text_that_is_read_for_ever_is_told_before_others_are_tried() -> None:
    with pytest.raises(ConformanceError) as found:
        check_reading(mutants.Unending("parse"), ends_within(0.1))
    assert ": parse (line " in str(found.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"pieces": ()},
        {"above": ("In hand: 7",)},
        {"below": ("In hand: 7",)},
        {"told": ("You hold the queen of hearts.",)},
        {"tally": Tally(("in hand",), (ONE,))},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_game_with_secrets_has_to_say_so(changes: dict[str, Any]) -> None:
    class Secretive(mutants.Mutant):
        def diagram(self, state: State, viewer: Viewer) -> Diagram:
            diagram = super().diagram(state, viewer)
            return replace(diagram, **changes) if viewer.seat == 0 else diagram

    with pytest.raises(ConformanceError, match="all read the same, unless the info says"):
        check(Secretive())


def test_every_style_is_drawn_for_every_viewer() -> None:
    seen = set()

    class Watched(mutants.Mutant):
        info = replace(game.info, styles=("default", "large"))

        def diagram(self, state: State, viewer: Viewer) -> Diagram:
            seen.add((viewer.style, viewer.seat))
            return super().diagram(state, viewer)

    check(Watched(), matches=1)
    assert seen == {(style, seat) for style in ("default", "large") for seat in (None, 0, 1)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a package with the rules of the small game and nothing else yet."""
    package = tmp_path / "stray"
    package.mkdir()
    source = "from tests.engine.noughts import Noughts\nclass Stray(Noughts):\n    pass\n"
    (package / "__init__.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "stray", raising=False)  # the module of the test before
    return package


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
