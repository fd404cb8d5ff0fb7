"""The header fields of a mail, or of a part of one (RFC 5322, 2.2).

The standard library's parser is not used: it reads the body too, line by line for each open
multipart, and recurses. This one costs a tenth of that and stops at a limit.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pbm.mail.reading import limits
from pbm.mail.reading.decoding import decode_charset, decode_words, one_line

# Possessive: a field is read once, from left to right. The blank line that ends the headers is
# not a field. Nor is a line without a name; all other readers see the body begin there too.
_FIELD = re.compile(rb"([!-9;-~]++)[ \t]*+:([^\n]*+(?:\n[ \t][^\n]*+)*+)\n?")

_MBOX_LINE = re.compile(rb">?From [^\n]*+\n")

_BLANK_LINE = re.compile(rb"\r?\n")


@dataclass(frozen=True, slots=True)
class Headers:
    """Fields by their names in lower case, each with all its values in order."""

    fields: Mapping[bytes, Sequence[bytes]]

    def raw(self, name: str) -> Sequence[bytes]:
        """Return the values of all fields of that name, folded as received."""
        return self.fields.get(key(name), ())

    def all(self, name: str) -> tuple[str, ...]:
        """Return the values of all fields of that name, each cleaned and on one line."""
        return tuple(map(value_of, self.fields.get(key(name), ())))

    def first(self, name: str) -> str:
        """Return the value of the first field of that name, "" if there is none."""
        values = self.fields.get(key(name))
        return value_of(values[0]) if values else ""

    def text(self, name: str) -> str:
        """Return the first field of that name as prose: with its encoded words decoded."""
        return one_line(decode_words(self.first(name)[: limits.SUBJECT]))

    def __contains__(self, name: str) -> bool:
        return key(name) in self.fields


@cache
def key(name: str) -> bytes:
    """Return the key of a field; only those that this server looks for are asked."""
    return name.lower().encode("ascii")


def keys(names: Iterable[str]) -> frozenset[bytes]:
    """Return the keys of these fields, so that one look tells whether a mail has any of them."""
    return frozenset(map(key, names))


def value_of(value: bytes) -> str:
    """Return the value of a field, cleaned and on one line."""
    if value.isascii() and (text := value.decode("ascii")).isprintable():
        return " ".join(text.split())
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
