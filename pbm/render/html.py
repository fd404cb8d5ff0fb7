"""A marked text as HTML, for mail programs that show it: the same words, with links that send.

Styles are inline, because some programs drop all others; a small block in the head is for dark
screens. Nothing is loaded from elsewhere and nothing is counted.

The lines of a text are too long for a phone, so those of one sentence are joined: prose, headings,
and items of a list.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import Final
from urllib.parse import quote

from pbm.render import marks

_COLUMNS = re.compile("(?<! ) {2,}+")
_RULE = "===="


@dataclass(slots=True)
class Item:
    """Lines that belong together. `indent` is -1 for prose."""

    indent: int
    lines: list[str]
    heading: bool = False

    @property
    def text(self) -> str:
        """The item as one line."""
        return " ".join(map(str.strip, self.lines))

    def goes_on(self, line: str) -> bool:
        """Return whether `line` continues the item: it is deeper, or was folded."""
        indent = _indent(line)
        if marks.BULLET.match(line):
            return False
        if self.indent < 0 or indent == 0:
            return self.indent < 0 and indent < 2 and not self._is_said(line)
        return indent > self.indent or (indent == self.indent and self._was_folded(line))

    def _is_said(self, line: str) -> bool:
        """Return whether the last line ends in a link, and `line` begins a sentence."""
        return self.lines[-1].endswith(marks.LINK_END) and line[:1].isupper()

    def _was_folded(self, line: str) -> bool:
        """Return whether the first word of `line` would not have fitted behind the last one."""
        last, word = self.lines[-1], line.strip().partition(" ")[0]
        return len(last) + 1 + len(word) > marks.LINE


def items(lines: Sequence[str]) -> Iterator[Item]:
    """Yield the items of a block, in which no line is blank. An underlined line is a heading."""
    item: Item | None = None
    for line in lines:
        if item and line.startswith(_RULE):
            item.heading = True
        elif item and not item.heading and item.goes_on(line):
            item.lines.append(line)
        else:
            if item:
                yield item
            indent = _indent(line)
            item = Item(indent if indent > 1 or marks.BULLET.match(line) else -1, [line])
    if item:
        yield item


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


STYLE = (
    "@media (min-width:640px){.pbs{font-size:13px!important}}\n"
    ".pbm{background:#ffffff;color:#24211e}\n"
    ".pbm a{color:#1f588f}\n"
    ".pbm .pbn{background:#1f588f;color:#ffffff}\n"
    ".pbw{border-left:3px solid #c8a878}\n"
    ".pbf{color:#6b6257}\n"
    ".pbx{background:#292524}\n.pbo{background:#fffdf8}\n"
    ".pbf,.pbr{border-color:#d8cfc0}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".pbm{background:#1b1917!important;color:#ece6dc!important}\n"
    ".pbm a{color:#93c4ee!important}\n"
    ".pbm .pbn{background:#93c4ee!important;color:#1b1917!important}\n"
    ".pbf{color:#b0a699!important}\n"
    ".pbf,.pbr{border-color:#4d463e!important}\n"
    ".pbm img{opacity:.93!important}}\n"
    "[data-ogsb] .pbm{background:#1b1917!important}\n"
    "[data-ogsc] .pbm{color:#ece6dc!important}\n"
    "[data-ogsc] .pbm a{color:#93c4ee!important}\n"
    "[data-ogsb] .pbm .pbn{background:#93c4ee!important}\n"
    "[data-ogsc] .pbm .pbn{color:#1b1917!important}\n"
    "[data-ogsc] .pbf{color:#b0a699!important}\n"
    "[data-ogsc] .pbf,[data-ogsc] .pbr{border-color:#4d463e!important}\n"
)
"""The rules for dark screens; Outlook.com sets `data-ogsc` and `data-ogsb` when it is dark."""

_BODY = "font:16px/1.5 Helvetica,Arial,sans-serif;max-width:640px;margin:0 auto;padding:4px 10px"
_SHAPE = "font-family:Menlo,Consolas,monospace;line-height:1.35;margin:12px 0;overflow-x:auto"
_WORDS = "margin:12px 0;padding:2px 12px;white-space:pre-line"
_HEADING = "font-size:18px;line-height:1.3;margin:16px 0 8px"
_LINE = "margin:8px 0 8px 16px"
_BUTTON = (
    "display:inline-block;margin:4px 8px 4px 0;padding:8px 18px;border:1px solid;"
    "border-radius:20px;text-decoration:none"
)
_SMALL_BUTTON = (
    "display:inline-block;margin:4px 8px 4px 0;padding:3px 12px;border:1px solid;"
    "border-radius:16px;text-decoration:none;font-size:14px"
)
_BUTTON_TAG = f'style="{_BUTTON}"'
"""The first button of a mail is the main one and has a colour of its own."""

_DISC = (
    "display:inline-block;width:12px;height:12px;border-radius:7px;border:1px solid #927d5c;"
    "vertical-align:-1px"
)
_DISCS = {marks.DARK_DISC: "pbx", marks.LIGHT_DISC: "pbo"}
"""The classes of small stones, which are dark and light by day and by night."""

_FOOTER = "font-size:13px;margin:20px 0 0;padding-top:4px;border-top:1px solid #d8cfc0"
_PREHEADER = "display:none;max-height:0;overflow:hidden;mso-hide:all"


def page(marked: str, sender: str, boards: Sequence[str], preheader: str, style: str) -> str:
    """Return the HTML of a mail, in ASCII and in lines that fit a mail.

    `sender` is what comes before a command in the address of its link. `boards` are the HTML forms
    of the boards in their order, "" for one that stays text. `preheader` is the line that lists of
    mails show, and `style` is added to the style block.
    """
    body = _body(marked, escape(sender), iter(boards))
    hidden = f'<div style="{_PREHEADER}">{escape(preheader)}</div>' if preheader else ""
    # One join, because copying the tens of kilobytes of a board takes time.
    whole = "".join((_head(style), hidden, _BEGIN, *body, "</div></body></html>\n"))
    whole = whole.replace(_BUTTON_TAG, f'class="pbn" {_BUTTON_TAG}', 1)
    for disc, colour in _DISCS.items():
        whole = whole.replace(disc, f'<span class="{colour}" style="{_DISC}"></span>&nbsp;')
    if not whole.isascii():
        whole = whole.encode("ascii", "xmlcharrefreplace").decode("ascii")
    if fits(whole, _LONGEST):
        return whole
    lines = whole.split("\n")
    return "\n".join([line if len(line) <= _LONGEST else _shortened(line) for line in lines])


@lru_cache
def _head(style: str) -> str:
    """Return the part of a page before its words.

    Most lines of a style begin with a dot. Each would need a second one whenever a mail is sent
    (RFC 5321 section 4.5.2), so a space comes before it.
    """
    rules = f"{STYLE}{style}".replace("\n.", "\n .")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="supported-color-schemes" content="light dark">'
        f"<title>pbm</title>\n<style>{rules}</style></head>\n"
        '<body style="margin:0" class="pbm">'
    )


_BEGIN: Final = f'<div class="pbm" style="{_BODY}">\n'

_LONGEST = 900
"""Octets of a line; RFC 5321 section 4.5.3.1.6 allows 998, and hosts break longer ones anywhere."""

_TAG_OR_SPACE = re.compile(r"(<[^>]*+>)| ")


def _shortened(line: str) -> str:
    """Return a long line with line ends for the spaces between its words, which mean the same.

    Lines of a <pre>, where they would not, are no longer than those of a text mail.
    """
    return _TAG_OR_SPACE.sub(lambda found: found[1] or "\n", line)


def _body(marked: str, sender: str, boards: Iterator[str]) -> list[str]:
    """Return all blocks; the footer is what follows the sign of a signature.

    `sender` is escaped, and `quote` leaves nothing of a command that could end an attribute.
    """
    text, sign, footer = marked.partition("\n-- \n")
    body = _blocks(text, sender, boards)
    if not sign:
        return body
    below = _blocks(footer, sender, boards)
    return [*body, f'<div class="pbf" style="{_FOOTER}">', *below, "</div>\n"]


def _blocks(marked: str, sender: str, boards: Iterator[str]) -> list[str]:
    """Return the blocks of a text: lines of a kind, and the prose between them."""
    html: list[str] = []
    for kind, text in marks.blocks(marked):
        lines = text.removesuffix("\n")
        if kind == marks.PROSE:
            html.append(_prose(text, sender))
        elif kind == marks.BOARD:
            html.append(next(boards, "") or _shape(lines))
        else:
            html.append(_KINDS[kind](lines).replace(_SENDER, sender))
    return html


def _prose(text: str, sender: str) -> str:
    """Return the paragraphs between blank lines, with the address of this mail in their links."""
    blocks = [_paragraphs(block.strip("\n")) for block in text.split("\n\n")]
    return "".join(blocks).replace(_SENDER, sender)


_SENDER = "\0"
"""A placeholder for what comes before each command; no text contains it."""

_CACHED = 1_000
"""Blocks of text whose HTML is cached: most are the same in one mail as in the next."""


@lru_cache(_CACHED)
def _paragraphs(block: str) -> str:
    """Return paragraphs and headings, their folded lines joined; each item is a paragraph.

    An item that is only a link is a button, and neighbouring buttons are in one row.
    """
    parts = groupby(items(block.split("\n") if block else ()), _is_button)
    return "".join(_row(group) if row else "".join(map(_paragraph, group)) for row, group in parts)


def _terms(lines: Sequence[str]) -> Iterator[str]:
    """Yield a paragraph for each term, which ends at two spaces or with its line."""
    entries: list[list[str]] = []
    for line in lines:
        if entries and _indent(line) > _indent(lines[0]):
            entries[-1].append(line)
        elif line:
            entries.append([line])
    for first, *others in entries:
        term, *said = _COLUMNS.split(first.strip(), maxsplit=1)
        meaning = " ".join((*said, *map(str.strip, others)))
        yield f'<p style="{_LINE}"><b>{_inline(term)}</b> {_inline(meaning)}</p>\n'


def _is_button(item: Item) -> bool:
    return item.indent >= 0 and len(item.lines) == 1 and _is_link(item.lines[0].strip())


def _row(buttons: Iterable[Item]) -> str:
    links = "\n".join(_inline(button.lines[0].strip(), _BUTTON) for button in buttons)
    return f'<p style="{_LINE}">{links}</p>\n'


@lru_cache(_CACHED)
def _actions(text: str) -> str:
    """Return the links of a text as small buttons, behind the words before the first one."""
    lead, *links = " ".join(text.split()).split(marks.LINK)
    buttons = (_link(each.partition(marks.LINK_END)[0], _SMALL_BUTTON) for each in links)
    return f'<p style="margin:12px 0">{escape(lead)}<br>\n{chr(10).join(buttons)}</p>\n'


def _paragraph(item: Item) -> str:
    if item.heading:
        return _heading(_inline(item.text))
    margin = "margin:12px 0" if item.indent < 0 else _LINE
    return f'<p style="{margin}">{_inline(item.text)}</p>\n'


def _inline(text: str, style: str = "") -> str:
    if marks.LINK not in text:
        return escape(" ".join(text.split()))
    folded = " ".join(_NEIGHBOURS.sub(_BETWEEN, text).split())
    first, *others = folded.replace(_BETWEEN, _DOT).split(marks.LINK)
    return escape(first) + "".join([_link(other, style) for other in others])


def _link(text: str, style: str) -> str:
    whole, _, rest = text.partition(marks.LINK_END)
    shown, _, label = whole.partition(marks.LABEL)
    words, sign, command = shown.partition(marks.SENDS)
    if sign and not command:
        return f'<a href="{escape(words)}">{escape(words)}</a>{escape(rest)}'
    look = f' style="{style}"' if style else ""
    href = f"{_SENDER}{in_link(command or words)}"
    return f'<a href="{href}"{look}>{escape(label or words)}</a>{escape(rest)}'


def in_link(command: str) -> str:
    """Return a command quoted for the address of a link; a point or a word stays as it is."""
    return command if command.isascii() and command.isalnum() else quote(command)


def _is_link(line: str) -> bool:
    """Return whether a line is one link and nothing else, which looks like a button."""
    return line.startswith(marks.LINK) and line.find(marks.LINK_END) == len(line) - 1


_NEIGHBOURS = re.compile(f"{marks.LINK_END}  ++{marks.LINK}")
_BETWEEN = f"{marks.LINK_END}\u00b7{marks.LINK}"
_DOT = f"{marks.LINK_END}\u00a0\u00b7 {marks.LINK}"
"""Between neighbouring links."""


@lru_cache(32)
def _shape(text: str) -> str:
    """Return lines that keep their columns, in letters so small that a phone has room for most.

    A letter is 0.6 times as wide as it is high. Mails with the same lines share their HTML.
    """
    lines = text.split("\n")
    longest = max(map(len, lines))
    size = max(_SMALLEST, min(_USUAL, int(_PHONE / 0.6 / max(1, longest))))
    # A line without anything in it is lost when the lines are made short for a mail.
    kept = _escaped("\n".join([line or " " for line in lines]))
    # Text that can be scrolled must be within reach of a keyboard.
    reach = ' tabindex="0"' if longest * 0.6 * size > _PHONE else ""
    return f'<pre class="pbs"{reach} style="font-size:{size}px;{_SHAPE}">{kept}</pre>\n'


def _heading(html: str) -> str:
    return f'<h2 style="{_HEADING}">{html}</h2>\n'


def _words(text: str) -> str:
    """Return the words of a player without their indentation."""
    said = _escaped("\n".join([line.strip() for line in text.split("\n")]))
    return f'<div class="pbw" style="{_WORDS}">{said}</div>\n'


_KINDS: Mapping[str, Callable[[str], str]] = {
    marks.TABLE: lambda lines: "".join(_table(lines)),
    marks.TERMS: lambda lines: "".join(_terms(lines.split("\n"))),
    marks.HEADING: lambda lines: _heading(_escaped(lines).removesuffix(":")),
    marks.SHAPE: _shape,
    marks.ACTIONS: _actions,
    marks.WORDS: _words,
}

_SMALLEST, _USUAL = 10, 13
"""The sizes of letters that keep their columns, in pixels."""

_PHONE = 336
"""The room in a line on a phone, in pixels."""


def _escaped(text: str) -> str:
    return escape(marks.plain(text))


def _table(text: str) -> Iterator[str]:
    """Yield the HTML of a table as `marks.table` has marked it, without its first and last line.

    A row takes two lines: the main columns, and below them, small, the minor ones with their names.
    """
    names, *rows = (_CELLS.findall(row) for row in text.split(marks.ROW)[1:])
    main = [n for n, (mark, _) in enumerate(names) if mark == marks.CELL]
    heads = "".join(
        f'<th scope="col" class="pbf" style="{_HEAD}">{_inline(names[n][1])}</th>' for n in main
    )
    yield f'<table cellpadding="0" cellspacing="0" style="{_TABLE_STYLE}">\n<tr>{heads}</tr>\n'
    for row in rows:
        cells = [_inline(cell) for _, cell in row] + [""] * (len(names) - len(row))
        first, *others = main
        upper = "".join(f'<td class="pbr" style="{_UPPER}">{cells[n]}</td>\n' for n in others)
        name = f'<th scope="row" class="pbr" style="{_UPPER}">{cells[first]}</th>\n'
        yield f"<tr>{name}{upper}</tr>\n"
        named = ((_inline(name), cell) for (_, name), cell in zip(names, cells, strict=True))
        small = [f"{name} {cell}" for n, (name, cell) in enumerate(named) if cell and n not in main]
        if small:
            lower = f'<td colspan="{len(others)}" class="pbf" style="{_LOWER}">'
            yield f"<tr><td></td>{lower}{' &middot; '.join(small)}</td></tr>\n"
    yield "</table>\n"


_CELLS = re.compile(f"([{marks.CELL}{marks.MINOR}])([^{marks.CELL}{marks.MINOR}]*+)")

_TABLE_STYLE = "width:100%;margin:12px 0;border-collapse:collapse;font-size:15px;text-align:left"
_HEAD = "padding:0 12px 4px 0;font-size:13px;font-weight:normal"
_UPPER = "padding:6px 12px 4px 0;vertical-align:top;border-top:1px solid #d8cfc0"
_LOWER = "padding:0 0 6px;font-size:13px"


def fits(text: str, most: int) -> bool:
    """Return whether no line of `text` is longer than `most`.

    It searches backwards for the last line end before a line could be too long, so it skips most of
    the hundreds of lines of a page.
    """
    start, last = 0, len(text) - most
    while start < last:
        end = text.rfind("\n", start, start + most + 1)
        if end < 0:
            return False
        start = end + 1
    return True
