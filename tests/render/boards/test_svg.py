"""A board as SVG: well-formed, complete, and dark on a dark screen unless it is fixed."""

from dataclasses import replace
from xml.etree import ElementTree as ET

from pbm.engine import Mark, Piece
from pbm.render.boards.svg import svg
from pbm.render.boards.theme import DARK, LIGHT, Role
from tests.render.boards.samples import LAST, WINNING, cells, lines, plot

SPACE = "{http://www.w3.org/2000/svg}"


def test_a_drawing_is_a_document_of_its_own_with_a_title() -> None:
    root = ET.fromstring(svg(plot(cells(2, (Piece("a1", "x", 0),), Mark("a1", LAST)))))
    assert root.tag == f"{SPACE}svg"
    assert root.get("role") == "img"
    assert root.findtext(f"{SPACE}title") == "Board with 1 x; last move a1."


def test_stones_lie_where_their_points_are() -> None:
    pieces = (Piece("b1", "x", 0), Piece("a2", "K", 1))
    root = ET.fromstring(svg(plot(cells(2, pieces))))
    dark = [
        (circle.get("cx"), circle.get("cy"))
        for circle in root.iter(f"{SPACE}circle")
        if "dark" in (circle.get("class") or "").split()
    ]
    assert dark == [("1", "1")]
    letters = {text.text: (text.get("x"), text.get("class")) for text in root.iter(f"{SPACE}text")}
    assert letters["K"] == ("0", "f dark")


def test_a_winning_chain_is_tinted_where_squares_meet() -> None:
    marks = (Mark("a1", WINNING), Mark("b1", WINNING))
    pieces = (Piece("a1", "x", 0), Piece("b1", "x", 0))
    for board in (cells(2, pieces, *marks), lines(2, pieces, *marks)):
        assert svg(plot(board)).count('class="f win_ground"') == 2


def test_a_drawing_is_dark_on_a_dark_screen_unless_it_is_fixed() -> None:
    drawing = plot(cells(2))
    for fixed in (False, True):
        text = svg(drawing, fixed=fixed)
        assert LIGHT[Role.BOARD] in text
        assert (DARK[Role.BOARD] in text) is not fixed


def test_labels_are_escaped() -> None:
    drawing = plot(replace(cells(2), columns=("<", "&")))
    texts = [text.text for text in ET.fromstring(svg(drawing)).iter(f"{SPACE}text")]
    assert texts.count("<") == texts.count("&") == 2
