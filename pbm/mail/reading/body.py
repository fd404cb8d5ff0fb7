"""Which part of a mail is its text, and what it says."""

from pbm.mail.reading import limits
from pbm.mail.reading.decoding import clean, decode_charset, decode_transfer
from pbm.mail.reading.html_text import to_text
from pbm.mail.reading.mime import Part, parameters

_ROOT_FIRST = frozenset({"multipart/related", "multipart/signed"})
"""Multiparts whose first part is the content itself; the others only belong to it."""


def text_of(part: Part) -> str:
    r"""Return the text of a mail, cleaned, with "\n" between lines; "" if it has none.

    Of alternatives the plain one is taken. HTML is read only where there is no other text, and
    attachments never. A multipart that has no parts, because its boundary is missing, is read
    as plain text. At most `limits.TEXT` characters are returned.
    """
    return _text(part)[: limits.TEXT]


def _text(part: Part) -> str:
    if part.parts:
        return _text_of_multipart(part)
    if _is_attachment(part):
        return ""
    if part.type == "text/html":
        return clean(to_text(clean(_decoded(part, limits.HTML))))
    if part.type == "text/plain" or part.type.startswith("multipart/"):
        return _plain(part)
    return ""


def _text_of_multipart(part: Part) -> str:
    if part.type in _ROOT_FIRST:
        return _text(part.parts[0])
    if part.type == "multipart/alternative":
        plain_first = sorted(part.parts, key=lambda each: each.type != "text/plain")
        return next((text for text in map(_text, plain_first) if text.strip()), "")
    return "\n".join(text for text in map(_text, _said_once(part.parts)) if text.strip())


def _said_once(parts: tuple[Part, ...]) -> list[Part]:
    """Return the parts without HTML that follows plain text and only repeats it."""
    plain = [i for i, part in enumerate(parts) if part.type == "text/plain"]
    first = plain[0] if plain else len(parts)
    return [p for i, p in enumerate(parts) if p.type != "text/html" or i < first]


def _is_attachment(part: Part) -> bool:
    disposition = part.headers.first("Content-Disposition")
    kind = disposition.partition(";")[0].strip().lower()
    return kind == "attachment" or "filename" in parameters(disposition)


def _plain(part: Part) -> str:
    text = clean(_decoded(part, limits.TEXT))
    if part.parameters.get("format", "").lower() == "flowed":
        return unflow(text, delsp=part.parameters.get("delsp", "").lower() == "yes")
    return text


def _decoded(part: Part, limit: int) -> str:
    encoding = part.headers.first("Content-Transfer-Encoding")
    data = decode_transfer(part.content, encoding)
    return decode_charset(data, part.parameters.get("charset", ""))[:limit]


def unflow(text: str, *, delsp: bool = False) -> str:
    """Return `text` with each paragraph on one line.

    A line that ends in a space continues on the next one if that has the same quote depth.
    `delsp` says that the sender's program added this space and it is not part of the text.
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
