"""Which notations a mail would take for something else than a move."""

from pbm.engine.laws import is_reserved
from tests.tables import each


@each(
    "notation",
    [
        *("resign", "Show", "SUBM", "yes", "move a1", "draw 2"),
        *("noughts", "Noughts b2", "xo"),
        *("7", "7 a1", "#7", "104#3", "12, 13", "\uff17"),
        *("b2#7", "b2 # 12"),
    ],
)
def test_what_is_a_command_a_game_or_a_number_is_no_move(notation: str) -> None:
    assert is_reserved(notation, "noughts", "xo")


@each(
    "notation",
    ["b2", "d1-d2xg7", "7-12", "1a", "first", "count", "shows", "Qh7#", "xo1", "b2 show"],
)
def test_a_notation_that_only_looks_a_little_like_one_is_free(notation: str) -> None:
    assert not is_reserved(notation, "noughts", "xo")
