"""The pieces that a mail client puts together: own text, quote marks, HTML."""

import html
from dataclasses import dataclass

from tests.mail.reading.styles.languages import Language

ADDRESS = "pbm@games.example.org"
CONTACT = "Game Server"
"""What a player has saved the server as in their address book."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's answer: their move, their comment, and the mail of ours that they answer.

    `name` is whom that mail came from, `board` its text.
    """

    move: str
    comment: str
    name: str
    board: str
    words: Language

    @property
    def text(self) -> str:
        return f"{self.move}\n\n{self.comment}" if self.comment else self.move

    def intro(self, pattern: str, name: str = "") -> str:
        return pattern.format(n=name or self.name, a=ADDRESS)

    def header(self, *, name: str = "", bold: bool = False) -> str:
        """Return the four lines that Outlook puts above a quote."""
        values = (
            name or f"{self.name} <{ADDRESS}>",
            self.words.day,
            "bob@example.net",
            "[Gonnect 101] alice - bob",
        )
        mark = "*" if bold else ""
        labels = self.words.labels
        pairs = zip(labels, values, strict=True)
        return "\n".join(f"{mark}{label}:{mark} {value}" for label, value in pairs)


def marked(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.rstrip("\n").split("\n"))


def wrapped(line: str, width: int = 76) -> str:
    """Return an introduction broken where Gmail breaks it: at the last space that fits."""
    if len(line) <= width or " " not in line[:width]:
        return line
    cut = line.rindex(" ", 0, width)
    return f"{line[:cut]}\n{line[cut + 1 :]}"


def divs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))


def paragraphs(text: str, kind: str = "MsoNormal") -> str:
    lines = (html.escape(line) or "<o:p>&nbsp;</o:p>" for line in text.split("\n"))
    return "".join(f'<p class="{kind}">{line}</p>' for line in lines)


def broken(text: str) -> str:
    return html.escape(text).replace("\n", "<br>\r\n")


def pre(text: str) -> str:
    return f'<pre class="moz-quote-pre" wrap="">{html.escape(text)}</pre>'
