"""The text of an HTML mail, without what it quotes.

The standard library's reader is not used, because it takes 10 s for 30 KB of "<a " (measured
on Python 3.11). This one goes from left to right and never goes back.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLANKS = re.compile(r"\s+")

_NAME = re.compile(r"/?[a-zA-Z][a-zA-Z0-9:-]{0,30}+")

# The inside of a tag up to its ">"; a ">" in a quoted value does not end it.
_TAG_REST = re.compile(r"""[^>"']*+(?:(?:"[^"]*+"|'[^']*+')[^>"']*+)*+>""")

_MARK = re.compile(
    r"""\b(?:class|id|name)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++))""", re.IGNORECASE
)

# int() raises an error for more than 4,300 digits; no character's number has nine.
_HUGE_REFERENCE = re.compile(r"&#[xX]?[0-9a-fA-F]{9,}+;?")

_UNSEEN = frozenset({"style", "script", "title", "template", "select", "textarea"})

_VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "area", "base", "col", "wbr"})

_QUOTES = frozenset(
    [
        "gmail_quote",
        "gmail_extra",
        "gmail_signature",
        "yahoo_quoted",
        "moz-cite-prefix",
        "moz-signature",
        "protonmail_quote",
        "protonmail_signature_block",
        "tutanota_quote",
        "zmail_extra",
        "quote",
    ]
)
"""Classes, ids and names of elements in which the usual clients put a quote or a signature."""

_QUOTE_BELOW = frozenset({"appendonsend", "divrplyfwdmsg"})
"""Classes and ids of Outlook's elements, from which on nothing is the sender's own."""

# How a tag shows in the text: a line end, a block that has lines of its own, a paragraph that
# is set apart. Control characters stand for them, because the text itself has none left.
_LINE, _BLOCK, _PARAGRAPH = "\n", "\v", "\f"

_SHOWN_AS = {
    "br": _LINE,
    "td": " ",
    "th": " ",
    **dict.fromkeys(
        ["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "ul", "ol", "table"], _PARAGRAPH
    ),
    **dict.fromkeys(
        [
            "div",
            "li",
            "dl",
            "dt",
            "dd",
            "tr",
            "hr",
            "body",
            "center",
            "header",
            "footer",
            "section",
        ],
        _BLOCK,
    ),
    "blockquote": _BLOCK,
}

_BREAKS = re.compile("[\n\v\f][ \n\v\f]*+")


@dataclass(frozen=True, slots=True)
class _Tag:
    """`name` is in lower case; `rest` is what is between the name and the end."""

    name: str
    opens: bool
    rest: str

    def marks(self) -> set[str]:
        """Return the classes, the id and the name of the element."""
        found = _MARK.finditer(self.rest)
        return {word.lower() for m in found for word in "".join(m.groups("")).split()}

    def begins_what_is_left_out(self) -> bool:
        if not self.opens or self.name in _VOID or self.rest.endswith("/>"):
            return False
        hidden = self.name in _UNSEEN or self.name == "blockquote"
        return hidden or not _QUOTES.isdisjoint(self.marks())


def to_text(source: str) -> str:
    """Return what a reader of the HTML sees, one line for each line on the screen.

    It leaves out what is not shown, what is quoted (`blockquote`, and the elements in which the
    usual clients put quotes and signatures), and everything below Outlook's mark for a quote.
    `source` has no control characters except line ends.
    """
    shown: list[str] = []
    left_out, depth, preformatted = "", 0, False
    for piece in _pieces(source):
        if left_out:
            if isinstance(piece, _Tag) and piece.name == left_out:
                depth += 1 if piece.opens else -1
                left_out = left_out if depth else ""
        elif isinstance(piece, str):
            shown.append(_unescape(piece if preformatted else _BLANKS.sub(" ", piece)))
        elif not _QUOTE_BELOW.isdisjoint(piece.marks()):
            break
        else:
            shown.append(_SHOWN_AS.get(piece.name, ""))
            if piece.begins_what_is_left_out():
                left_out, depth = piece.name, 1
            elif piece.name == "pre":
                preformatted = piece.opens
    return _BREAKS.sub(_lines, "".join(shown))


def _lines(breaks: re.Match[str]) -> str:
    """Return the line ends that a reader sees where these breaks follow a text."""
    marks = breaks[0].replace(" ", "")
    count = marks.count(_LINE) + (marks[0] != _LINE)
    return "\n" if count == 1 and _PARAGRAPH not in marks else "\n\n"


def _unescape(text: str) -> str:
    return html.unescape(_HUGE_REFERENCE.sub("\ufffd", text)) if "&" in text else text


def _pieces(source: str) -> Iterator[str | _Tag]:
    """Yield texts and tags in order; comments and declarations are skipped.

    Each search either ends after what it has looked at or is the last of its kind, so no search
    runs twice over the same text.
    """
    at, quotes_close = 0, True
    while at < len(source):
        if source[at] != "<":
            end = source.find("<", at)
            end = end if end >= 0 else len(source)
            yield source[at:end]
        elif name := _NAME.match(source, at + 1):
            rest = _TAG_REST.match(source, name.end()) if quotes_close else None
            # If a quotation mark is never closed, the search has read the whole document in
            # vain. From here on quotation marks are plain characters.
            quotes_close = rest is not None
            end = rest.end() if rest else _behind(source, ">", name.end())
            yield _Tag(name[0].strip("/").lower(), name[0][0] != "/", source[name.end() : end])
        elif source.startswith(("<!", "<?", "</"), at):
            closing = "-->" if source.startswith("<!--", at) else ">"
            end = _behind(source, closing, at)
        else:
            end = at + 1
            yield "<"
        at = end


def _behind(source: str, closing: str, at: int) -> int:
    """Return the offset after the next `closing`, or the end if there is none."""
    found = source.find(closing, at)
    return found + len(closing) if found >= 0 else len(source)
