"""The text of an HTML mail, without what it quotes and what it does not show.

In place of a quote it has a line ">", so that the introduction above it is recognised as one.

The standard library's reader is not used, because it takes 10 s for 30 KB of "<a " (measured
on Python 3.11). This one goes from left to right and never goes back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from pbm.mail.reading.phrases import ROLES, ElementRole

_NAME = re.compile(r"/?[a-zA-Z][a-zA-Z0-9:-]{0,30}+")

# The inside of a tag up to its ">"; a ">" in a quoted value does not end it.
_TAG_REST = re.compile(r"""[^>"']*+(?:(?:"[^"]*+"|'[^']*+')[^>"']*+)*+>""")

_MARK = re.compile(
    r"""\b(?:class|id|name)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++))""", re.IGNORECASE
)

_LONGEST = 1000
"""Characters of a tag in which its marks and its style are looked for."""


class _Tag(NamedTuple):
    """`name` is in lower case; `rest` is what is between the name and the end."""

    name: str
    opens: bool
    rest: str

    def roles(self) -> set[ElementRole]:
        """Return the roles that the classes, the id and the name of the element show."""
        found = _MARK.findall(self.rest[:_LONGEST]) if "=" in self.rest else ()
        words = " ".join(map("".join, found)).lower().split()
        return {ROLES[word] for word in words if word in ROLES}


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


_UNSEEN = frozenset(
    {"style", "script", "title", "template", "select", "textarea", "del", "s", "strike"}
)
"""Elements that are not shown, or are struck out: what is taken back is not said."""

_VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "area", "base", "col", "wbr"})

_CLOSED_BY_THE_NEXT = frozenset({"p", "li", "td", "th", "tr", "dt", "dd", "option"})
"""Elements whose end is often missing. The next one of the name ends them."""

_HIDDEN = re.compile(
    r"display\s*+:\s*+none|visibility\s*+:\s*+hidden|mso-hide\s*+:\s*+all"
    r"|(?<![\w-])(?:max-height|font-size|opacity)\s*+:\s*+0(?:\.0++)?(?![.\d])"
    r"|text-decoration(?:-line)?\s*+:[^;\"']*line-through"
    r"|\bhidden(?=[\s=/>])(?!\s*+=\s*+[\"']?(?:false|until))",
    re.IGNORECASE,
)

_INDENTED = re.compile(
    r"margin\s*+:\s*+0 0 0 40px\s*+;\s*+border\s*+:\s*+none|\belementToProof\b", re.IGNORECASE
)
"""A blockquote by which Gmail, Apple Mail and Outlook indent what their user writes."""

# A tag in the text is a line end, the edge of a block with lines of its own, or the edge of a
# paragraph that is set apart. These control characters mark it; the text itself has none left.
_LINE, _BLOCK, _PARAGRAPH = "\n", "\v", "\f"

_QUOTE_CUT = f"{_BLOCK}>{_BLOCK}"

_QUOTE_TO_THE_END = f"{_BLOCK}{'_' * 32}"

_SHOWN_AS = {
    "br": _LINE,
    "td": " ",
    "th": " ",
    **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6", "pre", "ul", "ol", "table"], _PARAGRAPH),
    **dict.fromkeys(["div", "li", "dl", "dt", "dd", "tr", "hr", "body", "center"], _BLOCK),
    **dict.fromkeys(["header", "footer", "section", "blockquote"], _BLOCK),
}

_WITHOUT_MARGIN = re.compile(r"\bMsoNormal\b|\bmargin\s*+:\s*+0(?!\.|\d)", re.IGNORECASE)
"""Paragraphs that are not set apart; Word writes each line as one."""

_NO_CHARACTER = re.compile(r"&#[0-9]{9,}+;?")
"""A number too long for a character; `unescape` raises ValueError at thousands of digits."""

_BREAKS = re.compile("[\n\v\f][ \n\v\f]*+")


def to_text(source: str) -> str:
    """Return the text that a reader of the HTML sees, one line for each line on the screen.

    It is without what is hidden, what is quoted (`blockquote`, and the elements in which the usual
    clients put quotes and signatures), and everything below Outlook's mark for a quote. Of an
    element that has its quote in a blockquote, the text below that is kept. `source` has no
    control characters except line ends.
    """
    page = _Page()
    for piece in _pieces(source):
        if isinstance(piece, str):
            page.take_text(piece)
        elif not page.take_tag(piece):
            break
    return _BREAKS.sub(_lines, "".join(page.shown))


def _lines(breaks: re.Match[str]) -> str:
    """Return the line ends that a reader sees for these breaks after a text."""
    marks = breaks[0].replace(" ", "")
    count = marks.count(_LINE) + (marks[0] != _LINE)
    return "\n" if count == 1 and _PARAGRAPH not in marks else "\n\n"


@dataclass(slots=True)
class _Element:
    """An element that is left out: its name, its depth, and the text in its place."""

    name: str
    trace: str
    ends_wait: bool = False
    depth: int = 1

    def ends_at(self, tag: _Tag) -> bool:
        """Count this tag, and return whether the element ends with it or before it."""
        if tag.name != self.name or tag.rest.endswith("/>"):
            return False
        if tag.opens and self.name in _CLOSED_BY_THE_NEXT:
            return True
        self.depth += 1 if tag.opens else -1
        return self.depth == 0


@dataclass(slots=True)
class _Page:
    """The text shown so far, and the elements that are open.

    `left_out` is the element that is being passed over. `awaits` is one whose blockquote has not
    come yet; until then its text is an introduction.
    """

    shown: list[str] = field(default_factory=list)
    left_out: _Element | None = None
    awaits: _Element | None = None
    preformatted: bool = False
    paragraph: str = _PARAGRAPH

    def take_text(self, text: str) -> None:
        if not (self.left_out or self.awaits):
            plain = text if self.preformatted else _flowed(text)
            self.shown.append(unescape(_NO_CHARACTER.sub("\ufffd", plain)))

    def take_tag(self, tag: _Tag) -> bool:
        """Take in a tag; return whether anything below it may be the sender's own."""
        if self._is_left_out(tag):
            return True
        if self.awaits and self.awaits.ends_at(tag):
            self.shown.append(_QUOTE_CUT)
            self.awaits = None
        self.shown.append(self._break(tag))
        if tag.name == "pre":
            self.preformatted = tag.opens
        return not tag.opens or self._enter(tag)

    def _break(self, tag: _Tag) -> str:
        """Return the break in place of the tag; a paragraph ends as it began."""
        if tag.name != "p":
            return _SHOWN_AS.get(tag.name, "")
        if tag.opens:
            self.paragraph = _BLOCK if _WITHOUT_MARGIN.search(tag.rest, 0, _LONGEST) else _PARAGRAPH
        return self.paragraph

    def _is_left_out(self, tag: _Tag) -> bool:
        """Return whether the tag is part of an element that is left out, its end included."""
        element = self.left_out
        if element is None or not element.ends_at(tag):
            return element is not None
        self.left_out = None
        self.shown.append(element.trace)
        if element.ends_wait:
            self.awaits = None
        return not tag.opens

    def _enter(self, tag: _Tag) -> bool:
        roles = tag.roles()
        if ElementRole.QUOTE_BELOW in roles:
            self.shown.append(_QUOTE_TO_THE_END)
            return False
        if tag.name in _VOID or tag.rest.endswith("/>"):
            return True
        trace = _trace(tag, roles)
        if trace is not None:
            self.left_out = _Element(tag.name, trace, tag.name == "blockquote" and bool(roles))
        elif ElementRole.HOLDS_BLOCKQUOTE in roles and not self.awaits:
            self.awaits = _Element(tag.name, "")
        return True


def _trace(tag: _Tag, roles: set[ElementRole]) -> str | None:
    """Return the text in place of an element that is left out, or None if it is read."""
    if tag.name == "blockquote":
        return None if not roles and _INDENTED.search(tag.rest, 0, _LONGEST) else _QUOTE_CUT
    if ElementRole.QUOTE in roles:
        return _QUOTE_CUT
    left_out = (
        tag.name in _UNSEEN
        or ElementRole.SIGNATURE in roles
        or ElementRole.INTRODUCTION in roles
        or (len(tag.rest) > len("hidden") and _HIDDEN.search(tag.rest, 0, _LONGEST))
    )
    return "" if left_out else None


def _flowed(text: str) -> str:
    """Return the text with each run of blanks as one space."""
    words = " ".join(text.split())
    if not words:
        return " " if text else ""
    return f"{' ' * text[0].isspace()}{words}{' ' * text[-1].isspace()}"
