"""The parameters of Content-Type: in pieces, escaped, and broken (RFC 2045 and 2231)."""

from pbm.mail.reading import limits
from pbm.mail.reading.mime import parameters
from tests.mail.reading.received import letter, reading
from tests.tables import each


@each(
    ("field", "found"),
    [
        ("text/plain; charset=utf-8", {"charset": "utf-8"}),
        ('text/plain; Charset="utf-8"; format=flowed', {"charset": "utf-8", "format": "flowed"}),
        ("text/plain; charset*=us-ascii'en'utf-8", {"charset": "utf-8"}),
        ("text/plain; charset*=utf-8", {"charset": "utf-8"}),
        ("x/y; boundary*0=abc; boundary*1=def", {"boundary": "abcdef"}),
        ('x/y; boundary*1="d f"; boundary*0="abc"', {"boundary": "abcd f"}),
        (
            "x/y; boundary*0*=us-ascii''a%3Db; boundary*1*=%20c; boundary*2=%20",
            {"boundary": "a=b c%20"},
        ),
        ("x/y; boundary*0=a; boundary*2=c", {"boundary": "a"}),
        ("x/y; boundary*1=a", {"boundary": ""}),
        ("x/y; filename*=utf-8''Gr%C3%BC%C3%9Fe.txt", {"filename": "Gr\u00fc\u00dfe.txt"}),
        ("x/y; filename*=iso-8859-1'de'Gr%FC%DFe.txt", {"filename": "Gr\u00fc\u00dfe.txt"}),
        ("x/y; filename*=''it's", {"filename": "it's"}),
        ("x/y; filename*=a%zz%4", {"filename": "a%zz%4"}),
        ("x/y; boundary=b; boundary=c", {"boundary": "b"}),
        ("x/y; boundary*=b; boundary=c", {"boundary": "b"}),
        ('x/y; name="a; boundary=no"; boundary=b', {"name": "a; boundary=no", "boundary": "b"}),
        ('x/y; boundary="b', {}),
        ("x/y;;; =a; b", {}),
    ],
)
def test_parameters_are_read(field: str, found: dict[str, str]) -> None:
    assert parameters(field) == found


def test_no_more_parameters_are_read_than_a_mail_can_need() -> None:
    names = [f"{a}{b}" for a in "abcdefghijklmnop" for b in "abcdefghijklmnop"]
    assert len(parameters("x/y" + "".join(f"; {name}=1" for name in names))) == limits.PARAMETERS


def test_a_multipart_whose_boundary_is_in_pieces_is_split() -> None:
    header = 'Content-Type: multipart/mixed; boundary*0="=_a"; boundary*1="b"'
    body = "--=_ab\n\nD4\n--=_ab--\n"
    assert reading(letter(header, body=body)).lines == ("D4",)


def test_a_boundary_that_begins_another_one_is_told_from_it() -> None:
    inner = "Content-Type: multipart/alternative; boundary=b1\n\n--b1\n\nD4\n--b1--\n"
    header = "Content-Type: multipart/mixed; boundary=b"
    assert reading(letter(header, body=f"--b\n{inner}\n--b\n\nhello\n--b--")).lines == (
        "D4",
        "hello",
    )


def test_a_mail_of_too_many_lines_that_resemble_a_delimiter_has_no_text() -> None:
    header = "Content-Type: multipart/mixed; boundary=b"
    for count, lines in ((limits.DELIMITERS - 10, ("D4",)), (limits.DELIMITERS, ())):
        body = "--bx\n" * count + "--b\n\nD4\n--b--\n"
        assert reading(letter(header, body=body)).lines == lines


def test_headers_of_all_parts_together_have_a_limit() -> None:
    header = "Content-Type: multipart/mixed; boundary=b"
    for size, lines in ((1000, ("D4",) * 40), (2000, ())):
        body = f"--b\nX: {'x' * size}\n\nD4\n" * 40
        assert reading(letter(header, body=body)).lines == lines
