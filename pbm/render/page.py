"""A marked text as HTML, for mail programs that show it: the same words, with links that send.

Styles are inline, because some programs drop all others; a small block in the head adds what
dark screens need. Nothing is loaded from elsewhere and nothing is counted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from pbm.render import marks

STYLE = (
    ".pbm{background:#ffffff;color:#24211e}\n"
    ".pbm a{color:#1f588f}\n"
    ".pbw{border-left:3px solid #c8a878}\n"
    ".pbf{color:#6b6257}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".pbm{background:#1b1917!important;color:#ece6dc!important}\n"
    ".pbm a{color:#93c4ee!important}\n"
    ".pbf{color:#b0a699!important}}\n"
    "[data-ogsb] .pbm{background:#1b1917!important}\n"
    "[data-ogsc] .pbm{color:#ece6dc!important}\n"
    "[data-ogsc] .pbm a{color:#93c4ee!important}\n"
    "[data-ogsc] .pbf{color:#b0a699!important}\n"
)
"""What dark screens see; `data-ogsc` and `data-ogsb` are what Outlook.com sets when it is dark."""

_BODY = "font:16px/1.5 Helvetica,Arial,sans-serif;max-width:640px;margin:0 auto;padding:12px"
_SHAPE = "font:13px/1.35 Menlo,Consolas,monospace;margin:12px 0;overflow-x:auto"
_WORDS = "margin:12px 0;padding:2px 12px;white-space:pre-line"
_LINE = "margin:8px 0 8px 16px"
_BUTTON = (
    "display:inline-block;padding:8px 18px;border:1px solid;border-radius:20px;text-decoration:none"
)
_FOOTER = "font-size:13px;margin:20px 0 0;padding-top:8px;border-top:1px solid #d8cfc0"
_PREHEADER = "display:none;max-height:0;overflow:hidden;mso-hide:all"


def page(marked: str, sender: str, boards: Sequence[str], preheader: str, style: str) -> str:
    """Return the HTML of a mail, in ASCII and in lines that fit a mail.

    `sender` is what comes before a command in the address of its link. `boards` are the HTML forms
    of the boards in their order, "" for one that stays text. `preheader` is the line that lists of
    mails show, and `style` is added to the style block.
    """
    body = "".join(_Blocks(escape(sender), iter(boards)).of(marked))
    hidden = f'<div style="{_PREHEADER}">{escape(preheader)}</div>' if preheader else ""
    whole = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="supported-color-schemes" content="light dark">'
        f"<title>pbm</title>\n<style>{STYLE}{style}</style></head>\n"
        f'<body style="margin:0" class="pbm">{hidden}<div class="pbm" style="{_BODY}">\n{body}'
        "</div></body></html>\n"
    )
    return whole.encode("ascii", "xmlcharrefreplace").decode("ascii")


@dataclass
class _Blocks:
    """Turns the lines of a marked text into blocks, one after the other.

    `sender` is escaped, and `quote` leaves nothing of a command that could end an attribute.
    """

    sender: str
    boards: Iterator[str]
    lines: list[str] = field(default_factory=list)

    def of(self, marked: str) -> Iterator[str]:
        """Yield the blocks; what follows the sign of a signature is the footer."""
        text, sign, footer = marked.partition("\n-- \n")
        yield from self._blocks(text)
        if sign:
            yield f'<div class="pbf" style="{_FOOTER}">'
            yield from self._blocks(footer)
            yield "</div>\n"

    def _blocks(self, text: str) -> Iterator[str]:
        kind = ""
        for line in (*text.split("\n"), ""):
            if line in _KINDS:
                yield from self._flush("")
                kind = line
            elif line in _ENDS:
                yield from self._flush(kind)
                kind = ""
            elif kind or line:
                self.lines.append(line)
            else:
                yield from self._flush("")

    def _flush(self, kind: str) -> Iterator[str]:
        lines, self.lines = self.lines, []
        if kind == marks.BOARD.strip():
            board = next(self.boards, "")
            yield board or f'<pre style="{_SHAPE}">{_escaped(lines)}</pre>\n'
        elif kind == marks.SHAPE.strip():
            yield f'<pre style="{_SHAPE}">{_escaped(lines)}</pre>\n'
        elif kind == marks.WORDS.strip():
            said = _escaped([line.strip() for line in lines])
            yield f'<div class="pbw" style="{_WORDS}">{said}</div>\n'
        else:
            yield from self._paragraphs(lines)

    def _paragraphs(self, lines: Sequence[str]) -> Iterator[str]:
        """Yield paragraphs: lines in a row are one, and an indented line is one by itself."""
        prose: list[str] = []
        for line in lines:
            if line.startswith("  "):
                yield from self._paragraph(prose)
                prose = []
                style = f' style="{_BUTTON}"' if _is_link(line.strip()) else ""
                yield f'<p style="{_LINE}">{self._inline(line, style)}</p>\n'
            else:
                prose.append(line)
        yield from self._paragraph(prose)

    def _paragraph(self, lines: Sequence[str]) -> Iterator[str]:
        if lines:
            yield f'<p style="margin:12px 0">{self._inline(" ".join(lines))}</p>\n'

    def _inline(self, text: str, style: str = "") -> str:
        first, *others = " ".join(text.split()).split(marks.LINK)
        return escape(first) + "".join(self._link(other, style) for other in others)

    def _link(self, text: str, style: str) -> str:
        shown, _, rest = text.partition(marks.LINK_END)
        words, _, command = shown.partition(marks.SENDS)
        target = f"{self.sender}{quote(command or words)}"
        return f'<a href="{target}"{style}>{escape(words)}</a>{escape(rest)}'


def _is_link(line: str) -> bool:
    """Return whether a line is one link and nothing else, which looks like a button."""
    return line.startswith(marks.LINK) and line.find(marks.LINK_END) == len(line) - 1


_KINDS = frozenset(mark.strip() for mark in (marks.BOARD, marks.SHAPE, marks.WORDS))
_ENDS = frozenset(mark.strip() for mark in (marks.BOARD_END, marks.SHAPE_END, marks.WORDS_END))


def _escaped(lines: Sequence[str]) -> str:
    return escape(marks.plain("\n".join(lines)))
