"""The curve of a match: lines of text that a phone has room for, and a picture; that of ratings."""

from datetime import date
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image

from pbm.render.boards.png import rgb
from pbm.render.boards.theme import LIGHT, Role
from pbm.render.curves import (
    MOST_ROWS,
    WIDTH,
    Curve,
    CurveStep,
    bar_of,
    chart,
    per_cent,
    text_of,
    words_of,
)
from pbm.render.rating_curve import rating_curve

SHARES = (0.5, 0.52, 0.7, 0.02, 1.0)
STEPS = tuple(
    CurveStep(ply, "xo"[ply % 2], f"c{ply}-d4xe5xf6xg7", share, "1" if ply == 4 else "")
    for ply, share in enumerate(SHARES, 1)
)
CURVE = Curve("alice", "bob", 0.5, STEPS)


def long_curve(moves: int) -> Curve:
    steps = tuple(
        CurveStep(ply, "x", "a1", 0.5 + (ply % 7) / 14, "2" if ply == 100 else "")
        for ply in range(1, moves + 1)
    )
    return Curve("a" * 40, "b" * 40, 0.5, steps)


def test_a_line_is_a_move_and_its_bar_goes_to_the_side_that_stands_better() -> None:
    assert text_of(CURVE).split("\n") == [
        "                           bob|alice",
        "  1 o c1-d4xe5xf6x            |            50",
        "  2 x c2-d4xe5xf6x            |            52",
        "  3 o c3-d4xe5xf6x            |####        70",
        "  4 x c4-d4xe5xf6x  ##########|             2 1",
        "  5 o c5-d4xe5xf6x            |########## 100",
    ]


def test_a_long_match_takes_no_more_lines_and_loses_no_mark() -> None:
    for moves in (60, 61, 400, 4_000):
        lines = text_of(long_curve(moves)).split("\n")
        assert len(lines) <= MOST_ROWS + 1
        assert max(map(len, lines)) <= 48
        assert lines[-1].split()[0] == str(moves) or f"- {moves}" in lines[-1]
        assert sum(line.endswith(" 2") for line in lines[1:]) == (moves >= 100)


def test_only_what_is_certain_is_nothing_or_all() -> None:
    assert [per_cent(share) for share in (0, 0.001, 0.5, 0.999, 1)] == [0, 1, 50, 99, 100]
    assert bar_of(0.0) == f"{'#' * 10}|{'':10}"
    assert bar_of(0.75) == f"{'':10}|{'#####':10}"


def test_who_cannot_see_the_picture_is_told_its_course() -> None:
    assert words_of(CURVE) == (
        "alice's winning chances (%): 50 before move 1, at most 100 "
        "after move 5, at least 2 after move 4, 100 at the end."
    )


def test_the_picture_has_the_share_of_the_side_below_in_the_colour_of_its_stones() -> None:
    for dark, below, above in ((True, Role.DARK, Role.LIGHT), (False, Role.LIGHT, Role.DARK)):
        half = Curve("alice", "bob", 0.25, (CurveStep(1, "x", "a1", 0.25),), dark=dark)
        picture = chart(half)
        image = Image.open(BytesIO(picture.data)).convert("RGB")
        assert image.size == (2 * WIDTH, 2 * picture.height)
        assert [image.getpixel((400, y)) for y in (100, 300)] == [
            rgb(LIGHT[above]),
            rgb(LIGHT[below]),
        ]


def test_a_mark_stands_at_its_move_and_the_picture_is_small_and_always_the_same() -> None:
    plain = Curve("alice", "bob", 0.5, (STEPS[0], STEPS[1], STEPS[2]))
    marked = Curve("alice", "bob", 0.5, (STEPS[0], CurveStep(2, "x", "c4", 0.52, "1"), STEPS[2]))
    orange = rgb(LIGHT[Role.MARK])

    def columns(curve: Curve) -> set[int]:
        image = Image.open(BytesIO(chart(curve).data)).convert("RGB")
        octets = image.tobytes()  # `getpixel` takes ten times as long
        pixels = zip(octets[0::3], octets[1::3], octets[2::3], strict=True)
        return {place % image.width for place, pixel in enumerate(pixels) if pixel == orange}

    assert not columns(plain)
    assert min(columns(marked)) < 2 * (10 + 340 * 2 / 3) < max(columns(marked))
    assert chart(long_curve(400)).data == chart(long_curve(400)).data
    assert len(chart(long_curve(400)).data) < 12_000


def test_a_rating_curve_has_its_scale_and_ends_at_the_last_rating() -> None:
    day, later = date(2026, 1, 3), date(2026, 6, 1)
    points = [(day, 1500.0, 300.0), (day, 1520.4, 290.0), (later, 1600.0, 100.0)]
    root = ElementTree.fromstring(rating_curve(points))
    heights = {text.text: float(text.attrib["y"]) for text in root.iterfind("text")}
    assert list(heights) == [*map(str, range(1400, 1751, 50)), "2026-01-03", "2026-06-01"]
    assert root.attrib["aria-label"] == "Rating 1500 on 2026-01-03, 1600 on 2026-06-01"
    last = root.find("circle")
    assert last is not None
    assert float(last.attrib["cy"]) == round(heights["1600"] - 4.5, 1)
    band, _, line = (path.attrib["d"] for path in root.iterfind("svg/path"))
    assert line == "M0 -1520L300 -1600"
    assert band == "M0 -1810L300 -1700L300 -1500L0 -1230z"
    assert "M300 -1500" in rating_curve(points[:1])
