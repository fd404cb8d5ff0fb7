"""What senders wrote themselves, without what their mail clients put around it.

Each line is looked at a fixed number of times, by comparisons from its beginning or its end.
The popular packages for this search with nested repeats and hang on 60 KB of "On On On"
(measured).
"""

from collections.abc import Sequence

from pbm.mail.reading.banners import without_banners, without_disclaimer
from pbm.mail.reading.introductions import head, is_rule, lines_above_head, lines_above_quote
from pbm.mail.reading.our_mails import OurMails, below_our_mail
from pbm.mail.reading.quotes import is_quoted, next_text, quoted_lines
from pbm.mail.reading.signatures import DELIMITERS, without_signatures

_CUT = "\f"
"""Stands where a quote was cut out; a cleaned text has no control characters of its own."""


def own_lines(text: str, address: str) -> tuple[str, ...]:
    r"""Return the lines that the sender wrote, without blank ones at the beginning and end.

    Lines that are marked as quoted are dropped wherever they are, with what introduces them; text
    below them is kept. The text ends at a signature ("-- "), or at a quote that is not marked
    line by line, because from there on nobody can tell who wrote a line. If nothing stands above
    such a quote of a mail of ours, what is below its footer is read. `address` is the server's, by
    which a quote of its mails is known. Banners, disclaimers and the signatures of phones are
    dropped too. `text` is clean, with "\n" between its lines.
    """
    lines = without_banners(text.split("\n"))
    ours = OurMails.of(address)
    kept = _without_quotes(lines, ours) or _without_quotes(below_our_mail(lines), ours)
    kept = without_disclaimer(without_signatures(kept, _CUT))
    done: list[str] = []
    for line in kept:
        # One blank line is enough where a quote between two of them was cut out.
        if line != _CUT and (line or (done and done[-1])):
            done.append(line)
    return tuple(done if not done or done[-1] else done[:-1])


def _without_quotes(lines: Sequence[str], ours: OurMails) -> list[str]:
    """Return the lines that are not quoted, with marks where lines were cut out."""
    kept: list[str] = []
    at = settled = 0
    while at < len(lines):
        line = lines[at]
        count = 1
        if not line.strip():
            kept += [""] if kept and kept[-1] else []
        elif is_quoted(line):
            settled = _cut_above_quote(kept, ours, settled)
            count = quoted_lines(lines, at) if len(kept) == settled else 1
        elif line in DELIMITERS:
            break
        elif begun := head(lines, at, ours):
            if not kept and is_rule(line) and begun == 1:
                pass  # Nothing is above this line that it could set apart.
            elif is_quoted(next_text(lines, at + begun)):
                _cut(kept, lines_above_head(kept, line, ours))
                count, settled = begun, 0
            else:
                del kept[len(kept) - lines_above_head(kept, line, ours) :]
                break
        else:
            kept.append(line.rstrip())
        at += count
    return kept


def _cut_above_quote(kept: list[str], ours: OurMails, settled: int) -> int:
    """Drop what introduces a quoted line, and return how long `kept` is if that was nothing.

    As long as it is so long, which is `settled`, further quoted lines change nothing, and most
    quotes have many.
    """
    if len(kept) == settled:
        return settled
    introduction = lines_above_quote(kept, ours)
    _cut(kept, introduction)
    return 0 if introduction else len(kept)


def _cut(kept: list[str], count: int) -> None:
    """Drop the last `count` lines and leave a mark in their place."""
    del kept[len(kept) - count :]
    if kept and kept[-1] != _CUT:
        kept.append(_CUT)
