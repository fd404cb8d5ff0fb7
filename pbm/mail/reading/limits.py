"""How much of a mail is read.

A stranger decides how long, how deep and how broken a mail is. Each reader therefore stops at
one of these limits before it does the work, not after.
"""

MAIL = 1 << 20
"""Bytes of a whole mail; the text of a larger one is not read."""

HEADERS = 64 << 10
"""Bytes of the headers of a mail or of one of its parts."""

PARTS = 50
"""Parts of a multipart mail, including those that hold others."""

DEPTH = 10
"""Multiparts nested inside one another."""

SUBJECT = 2000
"""Characters of the subject, before its encoded words are read."""

TEXT = 64 << 10
"""Characters of the text. Ten commands and a comment need fewer, quotes included."""

HTML = 512 << 10
"""Characters of an HTML text: some clients write 100 KB of styles before the first word."""


class BeyondLimits(Exception):  # noqa: N818 - it is a finding about a mail, not a fault of ours
    """The mail is larger, deeper or in more parts than the server reads."""
