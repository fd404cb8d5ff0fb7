"""A mail as header fields and a tree of parts (RFC 5322, RFC 2046).

The standard library's parser is not used: it reads the body line by line for each open multipart,
and recurses. This one costs a tenth of that and stops at a limit. Splitting searches for the
boundary, once for each multipart that encloses a place, so its time is bounded by `limits.DEPTH`
times the length.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count, islice, takewhile
from urllib.parse import unquote_to_bytes

from pbm.engine import frozen
from pbm.mail.reading import limits
from pbm.mail.reading.decoding import (
    clean,
    decode_charset,
    decode_transfer,
    decode_words,
    one_line,
    signed_content,
)
from pbm.mail.reading.html_text import to_text
from pbm.mail.reading.quotes import is_quoted

# Possessive: a field is read once, from left to right. The blank line that ends the headers is
# not a field. Neither is a line without a name; for all other readers the body begins there too.
_FIELD = re.compile(rb"([!-9;-~]++)[ \t]*+:([^\n]*+(?:\n[ \t][^\n]*+)*+)\n?")

_MBOX_LINE = re.compile(rb">?From [^\n]*+\n")

_BLANK_LINE = re.compile(rb"\r?\n")


@frozen
class Headers:
    """Fields by their names in lower case, each with all its values in order."""

    fields: Mapping[bytes, Sequence[bytes]]

    def raw(self, name: str) -> Sequence[bytes]:
        """Return the values of all fields of that name, folded as received."""
        return self.fields.get(_key(name), ())

    def all(self, name: str) -> tuple[str, ...]:
        """Return the values of all fields of that name, each cleaned and on one line."""
        values = self.fields.get(_key(name))
        return tuple(map(value_of, values)) if values else ()

    def first(self, name: str) -> str:
        """Return the value of the first field of that name, "" if there is none."""
        values = self.fields.get(_key(name))
        return value_of(values[0]) if values else ""

    def text(self, name: str) -> str:
        """Return the first field of that name as prose: with its encoded words decoded."""
        return one_line(decode_words(self.first(name)[: limits.SUBJECT]))

    def __contains__(self, name: str) -> bool:
        return _key(name) in self.fields


@cache
def _key(name: str) -> bytes:
    """Return the key of a field. It is cached, because the server asks for a few names only."""
    return name.lower().encode("ascii")


def value_of(value: bytes) -> str:
    """Return the value of a field, cleaned and on one line."""
    if value.isascii() and (text := value.decode("ascii")).isprintable():
        return " ".join(text.split())  # as most are, at a third of the cost
    return one_line(decode_charset(value))


def read_headers(content: bytes, longest: int = limits.HEADERS) -> tuple[Headers, int]:
    """Return the header fields of `content` and the offset at which its body begins.

    Raises BeyondLimits if they have more than `longest` bytes.
    """
    fields: dict[bytes, list[bytes]] = {}
    mbox_line = _MBOX_LINE.match(content)
    at = mbox_line.end() if mbox_line else 0
    while field := _FIELD.match(content, at):
        at = field.end()
        if at > longest:
            raise limits.BeyondLimits
        fields.setdefault(field[1].lower(), []).append(field[2].strip())
    blank_line = _BLANK_LINE.match(content, at)
    return Headers(fields), blank_line.end() if blank_line else at


_TYPE = re.compile(r"([a-z0-9!#$&^_.+-]{1,100})/([a-z0-9!#$&^_.+-]{1,100})\s*+(?:;|\Z)")

# `name="value"` or `name=value`. RFC 2231 adds to the name `*1` for the second piece of a long
# value, and `*` for a value that is escaped as in a URL.
_PARAMETER = re.compile(
    r';\s*+([a-z-]{1,20})(?:\*(\d{1,2}))?(\*)?\s*+=\s*+(?:"([^"]*+)"|([^\s;"]++))', re.IGNORECASE
)

_ESCAPED = re.compile(r"(?:([^']*+)'[^']*+')?(.*+)", re.DOTALL)
"""The charset, the language and the beginning of an escaped value; some leave out the first two."""

_OPAQUE = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
"""The types of a part with its signature around it (RFC 8551), or encrypted."""

_DELIMITER_END = re.compile(rb"(--)?[ \t]*+(?:\r?\n|\Z)")


@frozen
class MimePart:
    """A mail or a part of one, its content still encoded.

    `type` is the media type in lower case, such as "text/plain"; `parameters` are those of
    Content-Type by name, such as {"charset": "utf-8"}; `parts` are those of a multipart, and
    `kinds` the types of this part and of all within it.
    """

    headers: Headers
    type: str
    parameters: Mapping[str, str]
    content: bytes
    parts: tuple["MimePart", ...]
    kinds: frozenset[str]

    def decoded(self, longest: int | None = None) -> bytes:
        """Return the content, or its first `longest` encoded bytes, decoded."""
        encoding = self.headers.first("Content-Transfer-Encoding")
        return decode_transfer(self.content[:longest], encoding)

    def leaves(self, types: frozenset[str]) -> Iterator["MimePart"]:
        """Yield the parts of these types without parts of their own; this part may be one."""
        if types.isdisjoint(self.kinds):
            return
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves(types)


def media_type(headers: Headers) -> str:
    """Return the media type, or "text/plain" if none can be read (RFC 2045, 5.2)."""
    return _type_in(headers.first("Content-Type"))


def _type_in(field: str) -> str:
    found = _TYPE.match(field.lower())
    return f"{found[1]}/{found[2]}" if found else "text/plain"


def parameters(value: str) -> Mapping[str, str]:
    """Return the parameters in a field such as Content-Type; the first of each name counts.

    Values in pieces are joined, and escaped ones decoded (RFC 2231), up to a missing piece.
    """
    all_found = list(islice(_PARAMETER.finditer(value), limits.PARAMETERS))
    if "*" not in value:  # as in most mails
        return {found[1].lower(): found[4] or found[5] or "" for found in reversed(all_found)}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for found in all_found:
        name, number, escaped, quoted, plain = found.groups("")
        of_name = pieces.setdefault(name.lower(), {})
        of_name.setdefault(int(number or 0), (quoted or plain, bool(escaped)))
    return {name: _joined(of_name) for name, of_name in pieces.items()}


def _joined(pieces: Mapping[int, tuple[str, bool]]) -> str:
    """Return the value made of these numbered pieces, each with whether it is escaped."""
    row = [pieces[number] for number in takewhile(pieces.__contains__, count())]
    if not any(escaped for _, escaped in row):
        return "".join(text for text, _ in row)
    charset = ""
    if row[0][1]:
        begins = _ESCAPED.fullmatch(row[0][0])
        charset, first = begins.groups("") if begins else ("", row[0][0])
        row[0] = first, True
    data = (unquote_to_bytes(text) if escaped else text.encode() for text, escaped in row)
    return decode_charset(b"".join(data), charset)


def parse(headers: Headers, content: bytes) -> MimePart:
    """Return the mail with these headers and this body as a tree.

    Raises BeyondLimits if it has more than `limits.PARTS` parts, more than `limits.DEPTH`
    multiparts inside one another, headers of parts that are too long, or too many delimiters.
    """
    return _Parser().part(headers, content, 0)


class _Parser:
    """Reads the parts of one mail and counts how much more may be read."""

    def __init__(self) -> None:
        self._parts = limits.PARTS
        self._headers = limits.HEADERS
        self._delimiters = limits.DELIMITERS

    def part(self, headers: Headers, content: bytes, depth: int) -> MimePart:
        """Return the part with these headers and this body, inside so many multiparts."""
        self._parts -= 1
        if self._parts < 0 or depth > limits.DEPTH:
            raise limits.BeyondLimits
        field = headers.first("Content-Type")
        kind, given = _type_in(field), parameters(field)
        boundary = given.get("boundary", "").rstrip() if kind.startswith("multipart/") else ""
        inner: list[MimePart] = []
        kinds = frozenset((kind,))
        pieces: list[bytes] = []
        if boundary:
            pieces = self._split(content, b"--" + boundary.encode("utf-8", "replace"))
        elif kind in _OPAQUE:
            data = decode_transfer(content, headers.first("Content-Transfer-Encoding"))
            pieces = [signed_content(data)]
        for piece in pieces:
            part_headers, body_at = read_headers(piece, self._headers)
            self._headers -= body_at
            part = self.part(part_headers, piece[body_at:], depth + 1)
            inner.append(part)
            kinds |= part.kinds
        return MimePart(headers, kind, given, content, tuple(inner), kinds)

    def _split(self, content: bytes, delimiter: bytes) -> list[bytes]:
        """Return the pieces between the delimiters; the last delimiter is often missing."""
        pieces: list[bytes] = []
        begun = -1
        # With a line end before it, so that a delimiter in the first line is found as any other.
        text = b"\n" + content
        # A plain search: compiling an expression for each boundary would cost more than the rest.
        mark = b"\n" + delimiter
        at = text.find(mark)
        while at >= 0:
            self._delimiters -= 1
            if self._delimiters < 0:
                raise limits.BeyondLimits
            if end := _DELIMITER_END.match(text, at + len(mark)):
                if begun >= 0:
                    pieces.append(text[begun:at].removesuffix(b"\r"))
                if end[1]:
                    return pieces
                begun = end.end()
            at = text.find(mark, at + 1)
        if begun >= 0:
            pieces.append(text[begun:])
        return pieces


_ROOT_FIRST = frozenset({"multipart/related", "multipart/signed"})
"""Multiparts whose first part is the content; the others only belong to it."""

_MARK = re.compile("[<&]")

_BYTES_A_CHARACTER = 2
"""Bytes that are read for each character of a limit; most text takes fewer."""


def text_of(part: MimePart) -> str:
    r"""Return the text of a mail, cleaned, with "\n" between lines; "" if it has none.

    Of alternatives the plain one is taken. HTML is read only where there is no other text.
    Attachments are never read, and other parts with a file name only if there is nothing else. A
    multipart that has no parts, because its boundary is missing, is read as plain text. At most
    `limits.TEXT` characters in `limits.LINES` lines are returned.
    """
    reader = _Reader()
    text = reader.text(part)
    if not text.strip():
        reader.named = True
        text = reader.text(part)
    return "\n".join(text.split("\n", limits.LINES)[: limits.LINES])[: limits.TEXT]


class _Reader:
    """Reads the texts of parts up to the limits for all of them together.

    `named` is whether texts that have a file name are read.
    """

    def __init__(self) -> None:
        self.named = False
        self._text = limits.TEXT
        self._html = limits.HTML
        self._marks = limits.MARKS

    def text(self, part: MimePart) -> str:
        """Return the text of `part`, cleaned."""
        if part.parts:
            return self._text_of_multipart(part)
        if _is_attachment(part, named=self.named):
            return ""
        if part.type == "text/html":
            return clean(to_text(self._source(part)))
        if part.type == "text/plain" or part.type.startswith("multipart/"):
            return self._plain(part)
        return ""

    def _text_of_multipart(self, part: MimePart) -> str:
        if part.type in _ROOT_FIRST:
            return self.text(part.parts[0])
        if part.type == "multipart/alternative":
            return self._text_of_alternatives(part.parts)
        texts = map(self.text, _said_once(part.parts))
        return "\n".join([text for text in texts if text.strip()])

    def _text_of_alternatives(self, parts: tuple[MimePart, ...]) -> str:
        """Return the first text that is not all quoted, of the plain parts or else of the others.

        Some programs write plain text in which their user's words are marked as a quote. If all
        texts are quoted, the first that is not blank is returned.
        """
        quoted = ""
        for plain in (True, False):
            for part in parts:
                if (part.type == "text/plain") is plain:
                    text = self.text(part)
                    if not all(map(is_quoted, filter(str.strip, text.split("\n")))):
                        return text
                    quoted = quoted or (text if text.strip() else "")
        return quoted

    def _plain(self, part: MimePart) -> str:
        decoded = _decoded(part, self._text)
        self._text -= len(decoded)
        text = clean(decoded)
        if part.parameters.get("format", "").lower() == "flowed":
            return unflow(text, delsp=part.parameters.get("delsp", "").lower() == "yes")
        return text

    def _source(self, part: MimePart) -> str:
        """Return the HTML of a part, without control characters."""
        decoded = _decoded(part, self._html)
        self._html -= len(decoded)
        source = clean(decoded)
        marks = source.count("<") + source.count("&")
        if marks > self._marks:
            too_many = next(islice(_MARK.finditer(source), self._marks, None))
            source = source[: too_many.start()]
        self._marks = max(self._marks - marks, 0)
        return source


def _said_once(parts: tuple[MimePart, ...]) -> list[MimePart]:
    """Return the parts without HTML that follows plain text, because it only repeats it."""
    plain = [i for i, part in enumerate(parts) if part.type == "text/plain"]
    first = plain[0] if plain else len(parts)
    return [p for i, p in enumerate(parts) if p.type != "text/html" or i < first]


def _is_attachment(part: MimePart, *, named: bool) -> bool:
    """Return whether a part is a file; with `named`, a file name alone does not make it one."""
    disposition = part.headers.first("Content-Disposition")
    if not disposition:
        return False
    kind = disposition.partition(";")[0].strip().lower()
    return kind == "attachment" or (not named and "filename" in parameters(disposition))


def _decoded(part: MimePart, limit: int) -> str:
    data = part.decoded()[: limit * _BYTES_A_CHARACTER]
    return decode_charset(data, part.parameters.get("charset", ""))[:limit]


def unflow(text: str, *, delsp: bool = False) -> str:
    """Return `text` with each paragraph on one line.

    A line that ends in a space continues on the next one if that has the same quote depth.
    `delsp` is whether the sender's program added this space to the text.
    """
    done: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth, content = _unquote(line)
        if open_depth == depth and content != "-- ":
            done[-1] += content
        else:
            done.append(f"{'>' * depth} {content}" if depth else content)
        flows = content.endswith(" ") and content != "-- "
        open_depth = depth if flows else None
        if flows and delsp:
            done[-1] = done[-1][:-1]
    return "\n".join(done)


def _unquote(line: str) -> tuple[int, str]:
    """Return the quote depth of the line, and its text without the stuffed space."""
    content = line.lstrip(">")
    return len(line) - len(content), content.removeprefix(" ")
