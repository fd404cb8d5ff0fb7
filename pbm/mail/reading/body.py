"""The text of a mail, from its parts."""

import re
from itertools import islice

from pbm.mail.reading import limits
from pbm.mail.reading.decoding import clean, decode_charset
from pbm.mail.reading.html_text import to_text
from pbm.mail.reading.mime import Part, parameters

_ROOT_FIRST = frozenset({"multipart/related", "multipart/signed"})
"""Multiparts whose first part is the content; the others only belong to it."""

_MARK = re.compile("[<&]")

_BYTES_A_CHARACTER = 2
"""Bytes that are read for each character of a limit; most text takes fewer."""


def text_of(part: Part) -> str:
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

    def text(self, part: Part) -> str:
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

    def _text_of_multipart(self, part: Part) -> str:
        if part.type in _ROOT_FIRST:
            return self.text(part.parts[0])
        if part.type == "multipart/alternative":
            return self._text_of_alternatives(part.parts)
        texts = map(self.text, _said_once(part.parts))
        return "\n".join([text for text in texts if text.strip()])

    def _text_of_alternatives(self, parts: tuple[Part, ...]) -> str:
        """Return the first text that is not blank, of the plain parts or else of the others."""
        for plain in (True, False):
            for part in parts:
                if (part.type == "text/plain") is plain:
                    text = self.text(part)
                    if text.strip():
                        return text
        return ""

    def _plain(self, part: Part) -> str:
        decoded = _decoded(part, self._text)
        self._text -= len(decoded)
        text = clean(decoded)
        if part.parameters.get("format", "").lower() == "flowed":
            return unflow(text, delsp=part.parameters.get("delsp", "").lower() == "yes")
        return text

    def _source(self, part: Part) -> str:
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


def _said_once(parts: tuple[Part, ...]) -> list[Part]:
    """Return the parts without HTML that follows plain text, because it only repeats it."""
    plain = [i for i, part in enumerate(parts) if part.type == "text/plain"]
    first = plain[0] if plain else len(parts)
    return [p for i, p in enumerate(parts) if p.type != "text/html" or i < first]


def _is_attachment(part: Part, *, named: bool) -> bool:
    """Return whether a part is a file; with `named`, a file name alone does not make it one."""
    disposition = part.headers.first("Content-Disposition")
    if not disposition:
        return False
    kind = disposition.partition(";")[0].strip().lower()
    return kind == "attachment" or (not named and "filename" in parameters(disposition))


def _decoded(part: Part, limit: int) -> str:
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
