"""A mail as a tree of parts (RFC 2046).

Splitting searches for the boundary, once for each multipart that encloses a place, so its
time is bounded by `limits.DEPTH` times the length.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pbm.mail.reading import limits
from pbm.mail.reading.headers import Headers, read_headers

_TYPE = re.compile(r"([a-z0-9!#$&^_.+-]{1,100})/([a-z0-9!#$&^_.+-]{1,100})\s*+(?:;|\Z)")

# `name="value"` or `name=value`, with the marks of RFC 2231 on the name.
_PARAMETER = re.compile(
    r';\s*+([a-z-]{1,20})(?:\*0?\*?)?\s*+=\s*+(?:"([^"]*+)"|([^\s;"]++))', re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Part:
    """A mail or a part of one, its content still encoded.

    `type` is the media type in lower case, such as "text/plain"; `parameters` are those of
    Content-Type by name, such as {"charset": "utf-8"}; `parts` are what a multipart holds.
    """

    headers: Headers
    type: str
    parameters: Mapping[str, str]
    content: bytes
    parts: tuple["Part", ...]


def media_type(headers: Headers) -> str:
    """Return the media type; "text/plain" if there is none that can be read (RFC 2045, 5.2)."""
    found = _TYPE.match(headers.first("Content-Type").lower())
    return f"{found[1]}/{found[2]}" if found else "text/plain"


def parameters(value: str) -> Mapping[str, str]:
    """Return the parameters in a field like Content-Type; the first of a name counts."""
    found = list(_PARAMETER.finditer(value))
    return {
        name.lower(): quoted or plain for name, quoted, plain in (f.groups("") for f in found[::-1])
    }


def parse(headers: Headers, content: bytes) -> Part:
    """Return the mail with these headers and this body as a tree.

    Raises BeyondLimits if it has more than `limits.PARTS` parts, more than `limits.DEPTH`
    multiparts inside one another, or headers of a part that are too long.
    """
    return _parse(headers, content, 0, iter(range(limits.PARTS)))


def _parse(headers: Headers, content: bytes, depth: int, room: Iterator[int]) -> Part:
    if next(room, None) is None or depth > limits.DEPTH:
        raise limits.BeyondLimits
    kind = media_type(headers)
    given = parameters(headers.first("Content-Type"))
    boundary = given.get("boundary", "") if kind.startswith("multipart/") else ""
    inner = [
        _parse(part_headers, piece[body_at:], depth + 1, room)
        for piece in _split(content, boundary)
        for part_headers, body_at in (read_headers(piece),)
    ]
    return Part(headers, kind, given, content, tuple(inner))


def _split(content: bytes, boundary: str) -> Iterator[bytes]:
    """Yield what is between the delimiters; the last delimiter is often missing."""
    if not boundary.strip():
        return
    mark = re.escape(b"--" + boundary.rstrip().encode("utf-8", "replace"))
    # The literal comes first, to make the search fast; the lookbehind then checks what precedes.
    delimiter = re.compile(mark + rb"(?<![^\n]" + mark + rb")(--)?[ \t]*+(?:\r?\n|\Z)")
    begun = -1
    for found in delimiter.finditer(content):
        if begun >= 0:
            yield content[begun : found.start()].removesuffix(b"\n").removesuffix(b"\r")
        begun = found.end()
        if found[1]:
            return
    if begun >= 0:
        yield content[begun:]
