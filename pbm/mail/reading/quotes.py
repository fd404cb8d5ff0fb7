"""Recognise quoted lines by their marks, and quotes of our own mails by what is in them.

No sent mail is looked up, and the language of the client does not matter. A quote of our mail is
recognised by the server's address in the shape of an introduction or of a header, by a Message-ID
or a subject of ours, and by the sentences and the board that every board mail has. A player's own
sentence may name pbm, its address or a board; the shape decides.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from pbm.domain.mail import words_at
from pbm.engine import frozen
from pbm.mail.reading.phrases import SUBJECT_LABELS, VERBS

LONGEST = 400
"""Characters of the longest line that is looked at as an introduction or a header."""

COLONS = (":", "\uff1a")

DATE = re.compile(
    r"\d{1,2}[:.h]\d\d|(?<!\d)\d{4}(?!\d)|\d{1,2}[./-] ?\d{1,2}[./-] ?\d|(?<!\d)\d{6}(?!\d)"
)
"""A time of day, a year, or a date in numbers; digits of all scripts."""

# ">" of nearly all clients, its full-width form, bars, and the sender's initials: "GP> ".
_MARK = re.compile(r"\s*+(?:[>\uff1e\u2502]|\|(?:[\s|]|\Z)|[A-Za-z]{1,12}+>+(?:\s|\Z))")

_PLAIN_MARK = re.compile(">(?!>>)")
"""The mark of nearly all clients."""

_BAR = re.compile(r"\s*+[-_=*~\u2013\u2014]{3,}+\s*+")


def is_quoted(line: str) -> bool:
    """Return whether the line is marked as quoted."""
    if line.startswith(">"):
        return not divides(line)
    return bool(_MARK.match(line)) and not _is_row(line)


def quoted_lines(lines: Sequence[str], at: int) -> int:
    """Return the number of lines with the usual mark from the quoted one at `at` on."""
    end = at + 1
    while end < len(lines) and _PLAIN_MARK.match(lines[end]):
        end += 1
    return end - at


def _is_row(line: str) -> bool:
    """Return whether this is a row of a table, such as "| a | b |"."""
    bare = line.strip()
    return len(bare) > 1 and bare.startswith("|") and bare.endswith("|")


def divides(line: str) -> bool:
    """Return whether this is the line that GroupWise puts above a quote: ">>> (name, date) >>>".

    It looks quoted, but the quote below it has no marks.
    """
    return line.startswith(">>>") and len(line) > 8 and line.rstrip().endswith(" >>>")


def is_bar(line: str) -> bool:
    """Return whether the line has only dashes, underscores, equals signs or asterisks."""
    return bool(_BAR.fullmatch(line))


def next_text(lines: Sequence[str], at: int) -> str:
    """Return the first line from `at` on that is not blank; clients leave at most two."""
    for line in lines[at : at + 3]:
        if line.strip():
            return line
    return ""


def folded(line: str) -> str:
    """Return the line in lower case with straight apostrophes; "" if it is too long for a head."""
    return line.strip().lower().replace("\u2019", "'") if len(line) <= LONGEST else ""


# "[Gonnect 104] alice - bob", with at most a label and the prefixes of a subject before it.
_SUBJECT = re.compile(r"[^\[\]]{0,60}\[[^\[\]]{2,40} \d{1,9}\] \S{1,40} - \S{1,40}\W{0,3}")

_NAME = re.compile(
    r" - [A-Z]\S{0,20}(?: \S{1,20}){0,3} \d{1,9}(?![\w.])|\w[\w'.]{0,30} \d{1,9}:(?: \w|\Z)"
)
"""The sender of a board mail: "Your move - Gonnect 104", or formerly "Gonnect 104: your move"."""

# Sentences of board mails. They may go on in the next line.
_SENTENCES = re.compile(
    r"(?:Your move|\S{1,40} to move|You won|You lost|Draw|Closed|\S{1,40} won)"
    r" - [A-Z][^\n]{0,60} \d{1,9}(?: (?:against|with|between) \S|\s*\Z)"
    r"|It's your move \(move \d{1,4}\)\. You play \S"
    r"|It's \S{1,40}'s turn \(move \d"
    r"|Your move, \S{1,40}: you are [^.]{1,60}, move \d"
    r"|It is \S{1,40}'s turn: [^.]{1,60}, move \d"
    r"|Reply with a move, for example  ?\S"
    r"|\S{1,40} invites you, \S{1,40}, to a match of "
)

_ROW = re.compile(r"[ *_]{0,20}(\d{1,2})  ?\S.{2,70}?\s\s?(\d{1,2})\s{0,9}")
"""A row of a board, with its number at both ends."""

_FOOTER = re.compile(r"(?:[^\s>][^>]{0,200} )?Rules: reply {1,2}help \S{1,30}\s{0,3}")

_FOOTER_LINES = 3
"""Lines of the longest footer, below the dashes above it."""

_LABEL = re.compile(r"\W{0,3}[^\W\d][^:\uff1a@<>\d]{0,30}[:\uff1a]")

_BRACKETS = ("<", "mailto:")
"""Characters before an address that clients write, and people hardly ever."""

_ENDINGS = range(4)
"""The lengths of an ending behind the stem of a verb: "napisał"."""


@frozen
class OurMails:
    """Recognises mails of the server at one address."""

    address: re.Pattern[str]
    message_id: re.Pattern[str]

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, address: str) -> "OurMails":
        """Return an object that recognises mails from `address`, or its reply and bounce addresses.

        It is cached; a server has only one address.
        """
        address = address.lower()
        host = rf"@{re.escape(address.rpartition('@')[2])}(?![\w-]|\.\w)"
        plain, worded = re.escape(address), words_at(address, r"[\w-]{1,71}")
        return cls(
            re.compile(
                rf"(?<![\w.+-])(?:(?:{plain}|{worded})(?![\w-]|\.\w)|bounce\+\w{{1,64}}{host})"
            ),
            re.compile(rf"<(?:[0-9a-f]{{24}}|board-\d{{1,9}}){host}>"),
        )

    def names_us(self, line: str) -> bool:
        """Return whether the server's address or the name of one of its boards is in the line."""
        if "@" in line and self.address.search(folded(line)):
            return True
        return bool(_NAME.search(line[:LONGEST]))

    def begins_quote(self, lines: Sequence[str], at: int) -> bool:
        """Return whether the line at `at` can only be in a quote of our mail, or above one."""
        line = lines[at][:LONGEST]
        return (
            _is_subject(line.strip())
            or bool("@" in line and self.message_id.search(line.lower()))
            or _is_sentence(lines, at)
            or _is_board(lines[at : at + 2])
            or self.introduces(lines, at)
        )

    def introduces(self, lines: Sequence[str], at: int) -> bool:
        """Return whether the line at `at` names us in the shape of an introduction or a header."""
        line = lines[at][:LONGEST]
        found = self.address.search(line.lower()) if "@" in line else None
        if not found:
            return bool(_NAME.search(line)) and _is_said(line) and bool(DATE.search(line))
        around = _paragraph(lines, at)
        before = line[: found.start()].rstrip()
        bracketed = before.lower().endswith(_BRACKETS)
        dated = bool(DATE.search(around))
        said = _is_said(line) or _is_said(around)
        return (
            bool(_LABEL.match(line) and (bracketed or _LABEL.fullmatch(before.rstrip("\"' "))))
            or (bracketed and (dated or said))
            or (dated and said)
        )


def _is_said(text: str) -> bool:
    """Return whether the text ends like an introduction: in a colon or in its verb."""
    text = text.rstrip("- ")[-LONGEST:]
    return text.endswith(COLONS) or any(
        text[: len(text) - more].lower().endswith(VERBS) for more in _ENDINGS
    )


def _is_subject(line: str) -> bool:
    """Return whether the line is the subject of a board mail, alone or behind prefixes."""
    found = _SUBJECT.fullmatch(line) if "[" in line else None
    if found is None:
        return False
    before = line.partition("[")[0].strip(" *\t")
    return not before or before.endswith(COLONS) or before.lower() in SUBJECT_LABELS


def _is_sentence(lines: Sequence[str], at: int) -> bool:
    """Return whether a sentence that only we write begins in the line at `at`."""
    line = lines[at][:LONGEST]
    below = f" {lines[at + 1][:LONGEST].lstrip()}" if at + 1 < len(lines) else ""
    found = _SENTENCES.search(line + below)
    return found is not None and found.start() < len(line)


def _is_board(lines: Sequence[str]) -> bool:
    """Return whether these are two rows of a board, one below the other."""
    numbers: list[int] = []
    for line in lines:
        row = _ROW.fullmatch(line) if len(line) < 100 else None
        if row is None or row[1] != row[2]:
            return False
        numbers.append(int(row[1]))
    return len(numbers) == 2 and abs(numbers[0] - numbers[1]) == 1


def _paragraph(lines: Sequence[str], at: int) -> str:
    """Return the line at `at` with up to two lines above and below it, as far as none is blank."""
    begin, end = at, at + 1
    while begin and at - begin < 2 and lines[begin - 1].strip():
        begin -= 1
    while end < len(lines) and end - at < 3 and lines[end].strip():
        end += 1
    return " ".join(line[:LONGEST] for line in lines[begin:end])


def below_our_mail(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines below the last footer of ours that has no quote marks, or () without one.

    An opponent's remark cannot contain such a footer, because remarks are indented in our mails. If
    a client has lost all indentation, that of the board as well, no footer counts.
    """
    for n in range(len(lines) - 1, -1, -1):
        end = _end_of_footer(lines, n) if lines[n].rstrip() == "--" else 0
        if end:
            kept_indentation = any(line.startswith("  ") and line.strip() for line in lines[:n])
            return lines[end:] if kept_indentation else ()
    return ()


def _end_of_footer(lines: Sequence[str], dashes: int) -> int:
    """Return the index behind the footer below these dashes, or 0 if there is none."""
    below = range(dashes + 2, min(dashes + 2 + _FOOTER_LINES, len(lines) + 1))
    return next((n for n in below if _FOOTER.fullmatch(" ".join(lines[dashes + 1 : n]))), 0)
