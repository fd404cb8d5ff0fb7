"""A short cut gives the result of the longer way."""

from hypothesis import assume, given
from hypothesis import strategies as st

from pbm.mail.reading import mime
from pbm.mail.reading.decoding import decode_charset, one_line
from pbm.mail.reading.introductions import head
from pbm.mail.reading.mime import value_of
from pbm.mail.reading.quotes import OurMails
from tests.mail.reading.received import ADDRESS


@given(
    st.binary(max_size=30)
    | st.text(" \t\na\u00e9\u200b\u200c\u2003\x85", max_size=12).map(str.encode)
)
def test_a_plain_field_is_read_as_any_other(value: bytes) -> None:
    assert value_of(value) == one_line(decode_charset(value))


@given(st.text("ab;=\"* '%1", max_size=24))
def test_parameters_in_one_piece_are_read_as_those_beside_pieces(field: str) -> None:
    beside_pieces = dict(mime.parameters(f"; x*=y {field}"))
    assert beside_pieces.pop("x").startswith("y")
    assert mime.parameters(field) == beside_pieces


OURS = [
    *("Reply 9", "with a move, for example G7", "9 Reply with a move, for example", " G7", "9"),
    *("alice 9", "9 invites you, bob, to a match of ", "is alice's turn: you wait, move 3", "It"),
    *("9 It", "Your move, bob: you are white, move 3", "12 a b c 12", "11 a b c 11", " 9 a b 9"),
    *("[Gonnect 104] alice - bob", "Re: [Gonnect 104] alice - bob", "4 - Gonnect 104 wrote 12:30:"),
    *("<board-104@games.example.org>", "From 9: <pbm@games.example.org>", "G7", "see you at 12:30"),
]


@given(st.lists(st.sampled_from(OURS), min_size=1, max_size=3))
def test_a_line_without_marks_is_still_known_to_begin_a_mail_of_ours(lines: list[str]) -> None:
    assume(any(map(str.isdecimal, lines[0])))
    ours = OurMails.of(ADDRESS)
    assert head(lines, 0, ours) or not ours.begins_quote(lines, 0)
