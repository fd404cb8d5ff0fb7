"""Letters in several hundred client styles, each answering a real board mail of ours."""

import html
from collections.abc import Iterator
from dataclasses import dataclass

from tests.mail.reading.styles import hypertext, particular, plain
from tests.mail.reading.styles.languages import LANGUAGES
from tests.mail.reading.styles.paper import ADDRESS, Answer, broken, marked

MOVE = "H13"

COMMENTS = (
    "Good luck to you too - it is my second game.",
    "Hi Alice,\n\nthat was unexpected. On we go!\n\nBob",
    "",
    "I have written to pbm before, in 2025 at 18:00, but never got this far.",
    "Schöne Grüße aus dem Zug: bis morgen um 7:30 Uhr.\nDein Bob",
    "A question: may I swap later?\nTwo things:\n- the corner\n- the side",
)
"""What the players write below their move; some of it resembles an introduction."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail in one client style, the move in it, and the comment."""

    style: str
    kind: str
    body: str
    move: str
    comment: str

    @property
    def content(self) -> bytes:
        head = (
            "From: bob@example.net\nTo: pbm@games.example.org\nMessage-ID: <1@example.net>\n"
            f"Subject: Re: [Gonnect 101] alice - bob\nContent-Type: {self.kind}; charset=utf-8\n\n"
        )
        return (head + self.body).encode()


def letters(name: str, board: str) -> list[Letter]:
    """Return all letters that answer the mail with this sender's name and text.

    The comments go round.
    """
    return [
        Letter(style, kind, _body(form, answer), answer.move, answer.comment)
        for number, (style, kind, form, language) in enumerate(_styles())
        for answer in (
            Answer(MOVE, COMMENTS[number % len(COMMENTS)], name, board, LANGUAGES[language]),
        )
    ]


def _styles() -> Iterator[tuple[str, str, object, str]]:
    for at, code in enumerate(LANGUAGES):
        for kind, module in (("text/plain", plain), ("text/html", hypertext)):
            some = module.IN_SOME_LANGUAGES[at % 3 :: 3]
            for form in (*module.IN_EVERY_LANGUAGE, *some):
                yield f"{form.__name__}, {kind[5:]}, {code}", kind, form, code
    for kind, patterns in (("text/plain", particular.PLAIN), ("text/html", particular.HTML)):
        for style, pattern in patterns.items():
            yield f"{style}, {kind[5:]}", kind, pattern, "en"


def _body(form: object, answer: Answer) -> str:
    if callable(form):
        return str(form(answer))
    return _filled(str(form), answer)


def _filled(pattern: str, answer: Answer) -> str:
    """Return the pattern with its fields filled in; see `particular`."""
    board = answer.board.rstrip("\n")
    head, _, rest = board.partition("\n\n")
    fields = {
        "own": answer.text,
        "own_html": broken(answer.text),
        "own_pre": html.escape(answer.text),
        "move": answer.move,
        "comment": answer.comment,
        "comment_html": broken(answer.comment),
        "quote": marked(board),
        "quote_html": broken(marked(board)),
        "quote_pre": html.escape(marked(board)),
        "board": board,
        "board_html": broken(board),
        "bat": marked(board, "GP> "),
        "supercite": marked(board, "    Gonnect> "),
        "vm": marked(board, " > "),
        "fullwidth": marked(board, "\uff1e"),
        "head_line": head.partition("\n")[0],
        "rest": marked(rest),
        "n": answer.name,
        "a": ADDRESS,
    }
    for name, value in fields.items():
        pattern = pattern.replace(f"{{{name}}}", value)
    return pattern
