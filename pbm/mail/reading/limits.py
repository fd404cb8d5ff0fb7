"""The limits up to which a mail is read.

A stranger decides how long, how deep and how broken a mail is. Each reader therefore stops at
one of these limits before it does the work, not after.
"""

MAIL = 1 << 20
"""Bytes of a whole mail; the text of a larger one is not read."""

HEADERS = 64 << 10
"""Bytes of the headers of a mail; those of all its parts together have as many again."""

PARTS = 50
"""Parts of a multipart mail, including those that contain others."""

DEPTH = 10
"""Multiparts nested inside one another."""

DELIMITERS = 1000
"""Lines of a mail that begin like a delimiter of one of its multiparts.

They are more than the parts, because one boundary may be the beginning of another.
"""

PARAMETERS = 100
"""Parameters of one header field, each piece of a long one counted."""

SUBJECT = 2000
"""Characters of the subject, before its encoded words are read."""

TEXT = 64 << 10
"""Characters of the text in all parts. Ten commands, a comment and quotes need fewer."""

LINES = 1500
"""Lines of the text."""

HTML = 192 << 10
"""Characters of all HTML texts. Some clients write 100 KB of styles before the first word."""

MARKS = 6000
"""Tags and character references in HTML texts; they cost more than characters."""


class BeyondLimits(Exception):  # noqa: N818 - it is a finding about a mail, not a fault of ours
    """The mail is larger, deeper or in more parts than the server reads."""
