"""How much of a mail is looked at.

A stranger decides how long, how deep and how broken a mail is, so that each reader here stops
at a number of this page, before it does the work and not after (mail.md, "Reading").
"""

MAIL = 1 << 20
"""Bytes of a whole mail; the text of a larger one is not read."""

HEADERS = 64 << 10
"""Bytes of the headers of a mail or of one of its parts."""

PARTS = 50
"""Parts of a multipart mail, those that hold others among them."""

DEPTH = 10
"""Multiparts that stand inside one another."""

SUBJECT = 2000
"""Characters of the subject, before its encoded words are read."""

TEXT = 64 << 10
"""Characters of the text. Ten commands and a comment need fewer, quotes and all."""

HTML = 512 << 10
"""Characters of an HTML text: some clients write 100 KB of styles before the first word."""


class BeyondLimits(Exception):  # noqa: N818 - it is a finding about a mail, not a fault of ours
    """The mail is larger, deeper or in more parts than anything that is read."""
