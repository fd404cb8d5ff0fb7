"""A raw mail, masked for the operator: where it came from and what it looks like.

What players write may hold their passwords, anywhere in any line, because a mail that is shown
is usually one that could not be read. So no word of it is shown, not even the words that a
command has beside the password: they could be somebody else's password.
"""

import re

HIDDEN = "***"
"""Stands for a word; its own length is fixed, so that it does not reveal the word's length."""

_SHOWN = frozenset(
    [
        "arc-seal",
        "auto-submitted",
        "authentication-results",
        "cc",
        "content-transfer-encoding",
        "content-type",
        "date",
        "delivered-to",
        "from",
        "in-reply-to",
        "list-id",
        "message-id",
        "mime-version",
        "precedence",
        "received",
        "references",
        "reply-to",
        "return-path",
        "to",
        "user-agent",
        "x-mailer",
        "x-original-to",
        "x-pbm-loop",
    ]
)
"""Headers whose values are shown. No others: Outlook repeats the subject in Thread-Topic."""

_FIELD = re.compile(r"([!-9;-~]++)[ \t]*+:")

_WORD = re.compile(r"\S++")

_ADDRESS_WORD = re.compile(r"[^\s<>\"',;:@]++")


def mask(text: str) -> str:
    """Return a raw mail with its secrets made unreadable, line by line.

    The names of all headers stay, and so do the values of those that say where the mail came
    from, except what follows "+" in an address: that is a token. Every word of the other
    headers, including the subject, and of the text is replaced by `HIDDEN`.
    """
    head, blank, body = _halves(text.replace("\r\n", "\n"))
    shown, lines = False, []
    for line in head.split("\n"):
        field = _FIELD.match(line)
        name_end = field.end() if field else 0
        if not line.startswith((" ", "\t")):
            shown = field is not None and field[1].lower() in _SHOWN
        # Some programs end lines with a lone CR, so this line may hold another header.
        masked = _without_tokens if shown and "\r" not in line else _hidden
        lines.append(line[:name_end] + masked(line[name_end:]))
    return "\n".join(lines) + blank + _hidden(body)


def _halves(text: str) -> tuple[str, str, str]:
    """Return the headers, the blank line, and the rest; a mail may be all body."""
    return ("", "\n", text[1:]) if text.startswith("\n") else text.partition("\n\n")


def _hidden(text: str) -> str:
    return _WORD.sub(HIDDEN, text)


def _without_tokens(value: str) -> str:
    return _ADDRESS_WORD.sub(_without_token, value)


def _without_token(word: re.Match[str]) -> str:
    """Return the word, hidden after its "+"; one that begins with "+" is a time zone (+0200)."""
    name, plus, _ = word[0].partition("+")
    return f"{name}+{HIDDEN}" if name and plus else word[0]
