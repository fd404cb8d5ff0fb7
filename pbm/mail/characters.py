"""Characters that are not seen, or that mail clients put in for others."""

import re

# They show nothing, or turn the direction of what follows.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
# They join letters and emoji outside of ASCII; beside an ASCII character they are in the way.
_JOINER = re.compile("[\u200c\u200d](?:(?<![^\x00-\x7f].)|(?![^\x00-\x7f]))")
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_LINE_ENDS = ("\r\n", "\r", "\u2028", "\u2029")
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    r"""Return `text` as a reader sees it, with lines that end in "\n".

    Invisible characters are gone; every kind of space, and every control character but the
    end of a line, is a space. Letters, dashes and quotation marks stay as they were written.
    """
    if not text.isascii():
        text = _SPACE.sub(" ", _JOINER.sub("", _INVISIBLE.sub("", text)))
    for end in _LINE_ENDS:
        text = text.replace(end, "\n")
    return _CONTROL.sub(" ", text)


def one_line(text: str) -> str:
    """Return `text` cleaned and on one line, with single spaces."""
    text = text if text.isascii() and text.isprintable() else clean(text)
    return " ".join(text.split())
