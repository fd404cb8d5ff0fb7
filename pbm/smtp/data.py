"""The octets of a DATA command: where they end, and what the mail is that they carry.

The end is CR LF "." CR LF and nothing else. A server that also takes a bare LF for a line end
can be made to see two mails where the one before it saw one (SMTP smuggling), so bare CR and
LF are first read as content, and only then, and only in the text, made into line ends.
"""

_END = b"\r\n.\r\n"
_CRLF = b"\r\n"
_BLANK_LINE = b"\r\n\r\n"


class DataCollector:
    """Collects the chunks of one DATA, in memory bounded by `message_bytes`.

    `received` counts the octets so far. `too_big` says that they cannot make a mail within
    `message_bytes`; from then on only the end is looked for, and nothing is kept.
    """

    def __init__(self, message_bytes: int) -> None:
        # The CR LF that ended the command: a "." on the first line is the end, too.
        self._kept = bytearray(_CRLF)
        self._message_bytes = message_bytes
        # Dot-stuffing makes the line "." CR LF of three octets four, and no line grows more.
        self._keep_bytes = message_bytes + message_bytes // 3 + len(_END)
        self.received = 0
        self.too_big = False

    def feed(self, chunk: bytes) -> bytes | None:
        """Take a chunk; return what follows the end of data, or None if there is more to come."""
        searched = max(0, len(self._kept) - len(_END) + 1)
        self._kept += chunk
        self.received += len(chunk)
        end = self._kept.find(_END, searched)
        if end < 0:
            self._forget_if_too_big()
            return None
        rest = bytes(self._kept[end + len(_END) :])
        del self._kept[end + len(_CRLF) :]
        self._forget_if_too_big()
        return rest

    def _forget_if_too_big(self) -> None:
        self.too_big = self.too_big or len(self._kept) > self._keep_bytes
        if self.too_big:
            del self._kept[: 1 - len(_END)]

    def content(self) -> bytes | None:
        """Return the mail, dots unstuffed, CR LF throughout its text; None if it is too big.

        To be called after the end. RFC 5321 section 4.5.2 takes away the first dot of a line.
        """
        if self.too_big:
            return None
        unstuffed = bytes(self._kept.replace(b"\r\n.", _CRLF)[len(_CRLF) :])
        mail = with_crlf(unstuffed)
        return mail if len(mail) <= self._message_bytes else None


def with_crlf(content: bytes) -> bytes:
    """Return `content` with every line end (CR LF, bare CR, bare LF) of its text as CR LF.

    In the headers of a mail with CR LF, the bare ones stay as they are: they must not make new
    fields, which the host before this one did not see. pbm.mail.reading finds them.
    """
    pairs = content.count(_CRLF)
    if pairs == content.count(b"\n") == content.count(b"\r"):
        return content
    head, blank, text = content.partition(_BLANK_LINE)
    if not blank and _CRLF in content[: -len(_CRLF)]:
        return content
    return head + blank + _as_crlf(text) if blank else _as_crlf(content)


def _as_crlf(text: bytes) -> bytes:
    return text.replace(_CRLF, b"\n").replace(b"\r", b"\n").replace(b"\n", _CRLF)


def received_headers(content: bytes) -> int:
    """Return how many Received fields the header has: one for each server it went through."""
    header, _, _ = content.partition(_BLANK_LINE)
    return (_CRLF + header.lower()).count(b"\r\nreceived:")
