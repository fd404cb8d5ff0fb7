"""Numbers as people type them."""

from pbm.domain.invitations import whole_number
from tests.tables import each


@each(
    ("text", "number"),
    [
        *(("0", 0), ("7", 7), ("0007", 7), ("3650", 3650), ("3651", None), ("", None)),
        *(("0" * 5000 + "7", 7), ("0" * 6 + "1" * 25, None), ("9" * 5000, None)),
        *(("-1", None), ("+1", None), ("1_0", None), ("\u0667", None), ("\u00b2", None)),
    ],
)
def test_a_number_within_its_bound_is_read_and_nothing_else(text: str, number: int | None) -> None:
    assert whole_number(text, 3650) == number
