"""Which seeks are the same, and which of them fit each other."""

from dataclasses import replace

from pbm.domain.invitations import Seek, Terms
from pbm.engine import Setup
from tests.domain.matches import ALICE, BOB, NOW
from tests.tables import each

MINE = Seek(104, ALICE, "hex", Setup({"size": "9"}, 1), Terms(), 1, NOW)
THEIRS = Seek(105, BOB, "hex", Setup({"size": "9"}, 2), Terms(), 3, NOW)


@each(
    ("mine", "theirs", "fits"),
    [(None, None, True), (0, None, True), (None, 1, True), (0, 1, True), (1, 1, False)],
)
def test_seeks_fit_unless_both_want_the_same_seat(
    mine: int | None, theirs: int | None, *, fits: bool
) -> None:
    one, other = replace(MINE, seat=mine), replace(THEIRS, seat=theirs)
    assert one.fits(other) is other.fits(one) is fits
    assert one.is_like(other) is (mine == theirs)


def test_seeks_of_another_match_do_not_fit() -> None:
    for other in (
        replace(THEIRS, game="go"),
        replace(THEIRS, setup=Setup({"size": "11"}, 2)),
        replace(THEIRS, terms=Terms(rated=False)),
    ):
        assert not MINE.fits(other)
        assert not MINE.is_like(other)
