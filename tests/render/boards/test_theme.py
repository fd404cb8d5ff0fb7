"""The colours can be told apart by everybody, by day and by night."""

import pytest

from pbm.render.boards.theme import DARK, LIGHT, Palette, Role
from tests.tables import each

both = each("palette", [LIGHT, DARK], ids=["day", "night"])


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` (WCAG 2.2, "relative luminance")."""
    shares = (octet / 255 for octet in bytes.fromhex(colour[1:]))
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(palette: Palette, one: Role, other: Role) -> float:
    """Return the contrast ratio of two roles (WCAG 2.2, "contrast ratio")."""
    dark, light = sorted((luminance(palette[one]), luminance(palette[other])))
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_has_the_contrast_that_the_standard_says() -> None:
    palette = {Role.BOARD: "#ffffff", Role.LABEL: "#000000"}
    assert contrast(palette, Role.BOARD, Role.LABEL) == pytest.approx(21)


@both
@each(
    ("text", "ground"),
    [
        (Role.LABEL, Role.BOARD),
        (Role.LABEL, Role.LAST_GROUND),
        (Role.LINK, Role.BOARD),
        (Role.LINK, Role.LAST_GROUND),
        (Role.LIGHT, Role.DARK),
        (Role.DARK, Role.LIGHT),
        (Role.LETTER, Role.NEUTRAL),
    ],
)
def test_text_has_a_contrast_of_four_and_a_half(palette: Palette, text: Role, ground: Role) -> None:
    assert contrast(palette, text, ground) >= 4.5


@both
@each(
    ("shape", "ground"),
    [
        (Role.LINE, Role.BOARD),
        (Role.RIM, Role.BOARD),
        (Role.NEUTRAL, Role.BOARD),
        (Role.MARK, Role.BOARD),
        (Role.MARK, Role.LIGHT),  # the dot of the last move lies on a light disc
        (Role.WIN, Role.BOARD),
        (Role.DARK, Role.LIGHT),
        (Role.RIM, Role.WIN_GROUND),
        (Role.NEUTRAL, Role.WIN_GROUND),
    ],
)
def test_what_must_be_seen_has_a_contrast_of_three(
    palette: Palette, shape: Role, ground: Role
) -> None:
    assert contrast(palette, shape, ground) >= 3


def test_each_role_has_a_colour_of_its_own_by_day_and_by_night() -> None:
    assert set(LIGHT) == set(DARK) == set(Role)
