"""A long plain text, such as the rules of a game, marked so that a phone can fold its prose."""

from collections.abc import Iterator

from pbm.render import marks

_KEPT = "    "
"""What lines begin with that keep their columns, such as those of a board."""

_WIDEST = 56
"""The most columns of a board; lines that are longer are sentences, or a list with them."""


def article(text: str) -> str:
    """Return `text` with marks: its headings, and the lines that keep their columns.

    A heading is a line by itself with two blank lines above, or the first line of the text.
    """
    return "\n\n".join(_marked(text.strip("\n").split("\n\n")))


def _marked(blocks: list[str]) -> Iterator[str]:
    for number, block in enumerate(blocks):
        lines = block.strip("\n").split("\n")
        apart = block.startswith("\n")
        above = "\n" if apart else ""
        if (apart or number == 0) and len(lines) == 1 and lines[0][:1].strip():
            yield above + marks.heading(lines[0])
        elif all(line.startswith(_KEPT) and len(line) <= _WIDEST for line in lines):
            yield above + marks.shape("\n".join(lines))
        else:
            yield block
