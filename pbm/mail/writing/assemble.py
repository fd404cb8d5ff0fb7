"""A mail's bytes, put together by hand.

EmailMessage takes 2 ms per mail and this code 0.05 ms. The input is ours: no header is ever
built from incoming text, and every value is checked to be printable ASCII on one line.
"""

import base64
import quopri
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from pbm.core.letters import Attachment
from pbm.engine import frozen
from pbm.render.html import fits

CRLF = b"\r\n"

LINE_OCTETS = 900
"""The most octets of a body line sent as it is; RFC 5322 section 2.1.1 allows 998."""


@frozen
class Image:
    """A PNG that a page shows by its content id, as `base64_lines` that mails may share."""

    cid: str
    encoded: bytes


@frozen
class MailHtml:
    """The HTML form of a mail, in ASCII, and its images."""

    html: str
    images: tuple[Image, ...] = ()


Part = list[bytes]
"""The lines of a part: its headers, a blank line, and its body."""


def assemble(
    headers: Iterable[tuple[str, str]],
    text: str,
    files: Sequence[Attachment] = (),
    boundary: str = "",
    page: MailHtml | None = None,
) -> bytes:
    """Return a mail: ASCII headers, CRLF, lines of at most 998 octets.

    `text` has the form of RFC 3676. Plain ASCII is sent as it is, anything else as quoted-printable
    UTF-8, which a person can still read in the source. A `page` goes beside the text
    (multipart/alternative, RFC 2046 section 5.1.4), its images with both (multipart/related, RFC
    2387), and `files` after all. `boundary` divides the parts: a word that nobody can guess, so
    that no text contains it. Raises ValueError if a header could be read as two.
    """
    whole = _flowed_part(text) if page is None else _with_page(text, page, boundary)
    if files:
        whole = _multipart("mixed", boundary, [whole, *map(_file_part, files)])
    return CRLF.join([*_header_lines(tuple(headers)), b"MIME-Version: 1.0", *whole])


def _with_page(text: str, page: MailHtml, boundary: str) -> Part:
    both = _multipart("alternative", f"{boundary}-a", [_flowed_part(text), _html_part(page.html)])
    if not page.images:
        return both
    parts = [both, *map(_image_part, page.images)]
    return _multipart("related", f"{boundary}-r", parts, '; type="multipart/alternative"')


def _html_part(html: str) -> Part:
    body, encoding = html.rstrip("\n").encode("ascii"), b"7bit"
    if not fits(html, LINE_OCTETS):
        # A tag cannot be divided; a stranger's game may have made a long one.
        body, encoding = quopri.encodestring(body), b"quoted-printable"
    return [
        b"Content-Type: text/html; charset=us-ascii",
        b"Content-Transfer-Encoding: " + encoding,
        b"",
        body.replace(b"\n", CRLF),
        b"",
    ]


def _multipart(kind: str, boundary: str, parts: Iterable[Part], more: str = "") -> Part:
    mark = b"--" + boundary.encode("ascii")
    lines = [header_line("Content-Type", f'multipart/{kind}; boundary="{boundary}"{more}'), b""]
    for part in parts:
        lines += [mark, *part]
    return [*lines, mark + b"--", b""]


def _flowed_part(text: str) -> Part:
    body, encoding = encode_text(text)
    return [_FLOWED[encoding], b"", body]


_FLOWED: Final[Mapping[bytes, bytes]] = {
    encoding: CRLF.join(
        (
            b"Content-Type: text/plain; format=flowed; charset=" + charset,
            b"Content-Transfer-Encoding: " + encoding,
        )
    )
    for encoding, charset in ((b"7bit", b"us-ascii"), (b"quoted-printable", b"utf-8"))
}
"""The headers of a mail's text, by its transfer encoding."""


def _file_part(file: Attachment) -> Part:
    body, encoding = encode_text(file.text)
    charset = "us-ascii" if encoding == b"7bit" else "utf-8"
    is_text = file.kind.startswith("text/")
    return [
        header_line("Content-Disposition", f'attachment; filename="{file.name}"'),
        header_line("Content-Type", f"{file.kind}; charset={charset}" if is_text else file.kind),
        b"Content-Transfer-Encoding: " + encoding,
        b"",
        body,
    ]


def _image_part(image: Image) -> Part:
    return [
        b"Content-Type: image/png",
        b"Content-Transfer-Encoding: base64",
        header_line("Content-ID", f"<{image.cid}>"),
        b'Content-Disposition: inline; filename="board.png"',
        b"",
        image.encoded,
        b"",
    ]


_ENCODED = 100
"""Pictures that are cached as mails have them, each of up to 30 KB."""


@lru_cache(_ENCODED)
def base64_lines(data: bytes) -> bytes:
    """Return `data` in base64, in lines as mails have them. It is cached for the next mail."""
    return base64.encodebytes(data).rstrip().replace(b"\n", CRLF)


def _header_lines(headers: Sequence[tuple[str, str]]) -> list[bytes]:
    """Return headers as `header_line` makes them; valid ones are checked together."""
    lines = [f"{name}: {value}" for name, value in headers]
    if lines and _fits("".join(lines), max(map(len, lines))):
        return ["\r\n".join(lines).encode("ascii")]
    return [header_line(name, value) for name, value in headers]


def header_line(name: str, value: str) -> bytes:
    """Return one header; raise ValueError unless it is printable ASCII and fits on a line."""
    line = f"{name}: {value}"
    if not _fits(line, len(line)):
        raise ValueError(f"the header {name} cannot be sent as it is")
    return line.encode("ascii")


def _fits(text: str, longest: int) -> bool:
    return text.isascii() and text.isprintable() and longest <= _LONGEST_HEADER


_LONGEST_HEADER = 998
"""Octets of a line (RFC 5322 section 2.1.1)."""


def encode_text(text: str) -> tuple[bytes, bytes]:
    """Return the body with CRLF line endings, and the name of its transfer encoding."""
    if "\r" in text:
        # One server would take a CR on its own for the end of a line, and the next would not.
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = text.rstrip("\n")
    if _is_plain(plain):
        return plain.encode("ascii").replace(b"\n", CRLF) + CRLF, b"7bit"
    encoded = quopri.encodestring(plain.encode("utf-8", "replace"))
    return encoded.replace(b"\n", CRLF) + CRLF, b"quoted-printable"


def _is_plain(text: str) -> bool:
    """Return whether a text can be sent as it is: ASCII, short lines, no control characters."""
    if not (text.isascii() and fits(text, LINE_OCTETS)):
        return False
    return not text.encode("ascii").translate(None, _PLAIN)


_PLAIN: Final = b"\t\n" + bytes(range(ord(" "), ord("~") + 1))
"""The characters of a text that is sent as it is."""


def display(name: str, address: str) -> str:
    """Return `"name" <address>` as RFC 5322 quotes it, characters beyond ASCII as "?"."""
    safe = (name if name.isascii() else in_ascii(name)).replace("\\", "").replace('"', "'")
    return f'"{safe}" <{address}>'


def encoded(subject: str) -> str:
    """Return a subject as a header has it: as it is, or in encoded words (RFC 2047 section 2)."""
    if subject.isascii():
        return subject
    pieces = (subject[at : at + _LETTERS] for at in range(0, len(subject), _LETTERS))
    words = (base64.b64encode(piece.encode()).decode() for piece in pieces)
    return " ".join(f"=?utf-8?b?{word}?=" for word in words)


_LETTERS = 11
"""The letters of an encoded word, so few that it has at most 75 octets."""


def in_ascii(text: str) -> str:
    """Return `text` for a header, with a "?" for each character beyond ASCII."""
    return text.encode("ascii", "replace").decode("ascii")
