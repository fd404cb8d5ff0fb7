"""A short cut gives the result of the longer way."""

from hypothesis import given
from hypothesis import strategies as st

from pbm.mail.reading import mime
from pbm.mail.reading.decoding import decode_charset, one_line
from pbm.mail.reading.mime import value_of


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
