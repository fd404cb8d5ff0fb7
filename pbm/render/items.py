"""The lines of a block put together again: prose, headings, and items of a list.

A plain text is folded by hand or by `fill`. On a phone its lines are too long, so what was one
sentence must be found again before it can be folded anew.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbm.render import marks
from pbm.render.templates import LINE

_BULLET = re.compile(r" *+(?:\d{1,2}\.|-) ")
"""How an item of a list begins. A number of three digits is a board's, at the end of a sentence."""

_COLUMNS = re.compile("(?<! ) {2,}+")
_RULE = "===="


@dataclass(slots=True)
class Item:
    """Lines that belong together. `indent` is -1 for prose; a heading stands over all below."""

    indent: int
    lines: list[str] = field(default_factory=list)
    bullet: bool = False
    heading: bool = False

    @property
    def parts(self) -> tuple[str, str]:
        """Return a term and what is said of it; the term is "" if it is one text."""
        first, *others = map(str.strip, self.lines)
        if self.indent >= 0 and not self.bullet:
            term, *said = _COLUMNS.split(first, maxsplit=1)
            if said:
                return term, " ".join((*said, *others))
            if len(self.lines) > 1 and _indent(self.lines[1]) > self.indent:
                return first, " ".join(others)
        return "", " ".join((first, *others))

    def goes_on(self, line: str) -> bool:
        """Return whether `line` continues the item: it is deeper, or was folded."""
        indent = _indent(line)
        if _BULLET.match(line):
            return False
        if self.indent < 0 or indent == 0:
            return self.indent < 0 and indent < 2 and not self._is_said(line)
        return indent > self.indent or (indent == self.indent and self._was_folded(line))

    def _is_said(self, line: str) -> bool:
        """Return whether a sentence ends with a link, without a full stop, and `line` is new."""
        return self.lines[-1].endswith(marks.LINK_END) and line[:1].isupper()

    def _was_folded(self, line: str) -> bool:
        """Return whether the first word of `line` would not have fitted behind the last one."""
        last, word = self.lines[-1], line.split(maxsplit=1)[0]
        if _COLUMNS.search(line.strip()) or self.parts[0]:
            return False
        return len(last) + 1 + len(word) > LINE


def items(lines: Sequence[str]) -> Iterator[Item]:
    """Yield the items of a block, in which no line is blank. What is underlined is a heading."""
    item: Item | None = None
    for line in lines:
        if item and line.startswith(_RULE):
            item.heading = True
        elif item and not item.heading and item.goes_on(line):
            item.lines.append(line)
        else:
            if item:
                yield item
            bullet = bool(_BULLET.match(line))
            indent = _indent(line)
            item = Item(indent if bullet or indent > 1 else -1, [line], bullet)
    if item:
        yield item


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
