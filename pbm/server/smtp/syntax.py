"""The syntax of a client: the paths after MAIL FROM: and RCPT TO:, and the octets of DATA.

aiosmtpd reads addresses with the header parser of stdlib email, which costs more than all the
rest of the command, and answers 555 to parameters that real servers send.

The end of DATA is CR LF "." CR LF and nothing else. A server that also takes a bare LF for a line
end can be made to see two mails where the one before it saw one (SMTP smuggling). So bare CR and LF
are first read as content, and only then, and only in the text, made into line ends.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pbm.engine import frozen

_TEXT = r"""[^\s<>"@\x00-\x1f\x7f]"""
_ADDRESS = rf'(?:"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*"|{_TEXT}+)(?:@{_TEXT}+)?'
_SOURCE_ROUTE = r"(?:@[^<>\s:]*:)?"
_PATH = re.compile(
    rf"\s*(?:<{_SOURCE_ROUTE}(?P<angled>{_ADDRESS})?>|(?P<bare>{_ADDRESS}))(?:\s+(?P<rest>.*))?"
)
_PARAMETER = re.compile(r"(?P<keyword>[A-Za-z0-9][A-Za-z0-9-]*)(?:=(?P<value>[^\s=\x00-\x1f].*))?")

_ANYTHING = re.compile(r".*")
# AUTH (RFC 4954), RET, ENVID, NOTIFY, ORCPT (RFC 3461) are for servers that pass a mail on or
# report on it. We do neither, so there is nothing in them to obey.
MAIL_PARAMETERS: Mapping[str, re.Pattern[str]] = {
    "SIZE": re.compile(r"[0-9]{1,20}"),
    "BODY": re.compile(r"7BIT|8BITMIME", re.IGNORECASE),
    "SMTPUTF8": re.compile(r""),
    "AUTH": _ANYTHING,
    "RET": _ANYTHING,
    "ENVID": _ANYTHING,
}
RCPT_PARAMETERS: Mapping[str, re.Pattern[str]] = {"NOTIFY": _ANYTHING, "ORCPT": _ANYTHING}


class BadPath(Exception):  # noqa: N818 - an ordinary refusal; `str()` is the reply
    """An argument that cannot be taken; the message is the SMTP reply."""


@frozen
class Path:
    """An address ("" for the null path `<>`) and its parameters, keywords in capitals."""

    address: str
    parameters: Mapping[str, str]


def read_path(argument: str | None, keyword: str, known: Mapping[str, re.Pattern[str]]) -> Path:
    """Return the path in `argument`, which must begin with `keyword` ("FROM:", "TO:").

    The angle brackets may be missing, as some clients forget them. Raises BadPath: 501 for
    bad syntax, 553 for an address that is none, 555 for a parameter not in `known`.
    """
    if argument is None or argument[: len(keyword)].upper() != keyword:
        raise BadPath(f"501 5.5.4 Syntax: {keyword} <address>")
    match = _PATH.fullmatch(argument, len(keyword))
    if match is None:
        raise BadPath("553 5.1.3 That is not an address")
    address = match["angled"] or match["bare"] or ""
    if not _encodable(address):
        raise BadPath("553 5.1.3 That is not an address")
    return Path(address, _read_parameters(match["rest"] or "", known))


def _encodable(address: str) -> bool:
    """False for octets that were no UTF-8: they are lone surrogates here, and no store has them."""
    try:
        address.encode()
    except UnicodeEncodeError:
        return False
    return True


def _read_parameters(text: str, known: Mapping[str, re.Pattern[str]]) -> dict[str, str]:
    parameters = {}
    for word in text.split():
        match = _PARAMETER.fullmatch(word)
        if match is None:
            raise BadPath("501 5.5.4 Syntax error in parameters")
        keyword, value = match["keyword"].upper(), match["value"] or ""
        if keyword not in known:
            raise BadPath("555 5.5.4 Parameter not implemented")
        if not known[keyword].fullmatch(value):
            raise BadPath("501 5.5.4 Syntax error in parameters")
        parameters[keyword] = value
    return parameters


_END = b"\r\n.\r\n"
_CRLF = b"\r\n"
_BLANK_LINE = b"\r\n\r\n"


class DataCollector:
    """Collects the chunks of one DATA, in memory bounded by `message_bytes`.

    `received` counts the octets so far. `too_big` says that they cannot make a mail within
    `message_bytes`, `gave_way` that others needed the room; from then on only the end is looked
    for, and nothing is kept. `whole` says that the end was found.
    """

    def __init__(self, message_bytes: int) -> None:
        # The CR LF that ended the command: a "." on the first line is the end, too.
        self._kept = bytearray(_CRLF)
        self._message_bytes = message_bytes
        # Dot-stuffing makes the line "." CR LF of three octets four, and no line grows more.
        self._keep_bytes = message_bytes + message_bytes // 3 + len(_END)
        self.received = 0
        self.too_big = self.gave_way = self.whole = False

    def __len__(self) -> int:
        """Return how many octets are kept."""
        return len(self._kept)

    def give_way(self) -> None:
        """Keep nothing more: the mail must come again later."""
        self.gave_way = True
        self._forget()

    def feed(self, chunk: bytes) -> bytes | None:
        """Take a chunk; return what follows the end of data, or None if there is more to come."""
        searched = max(0, len(self._kept) - len(_END) + 1)
        self._kept += chunk
        self.received += len(chunk)
        end = self._kept.find(_END, searched)
        if end < 0:
            self._forget_if_too_big()
            return None
        self.whole = True
        rest = bytes(self._kept[end + len(_END) :])
        del self._kept[end + len(_CRLF) :]
        self._forget_if_too_big()
        return rest

    def _forget_if_too_big(self) -> None:
        self.too_big = self.too_big or len(self._kept) > self._keep_bytes
        if self.too_big or self.gave_way:
            self._forget()

    def _forget(self) -> None:
        del self._kept[: 1 - len(_END)]

    def content(self) -> bytes | None:
        """Return the mail, dots unstuffed, CR LF throughout its text; None if it is too big.

        To be called after the end. RFC 5321 section 4.5.2 takes away the first dot of a line.
        """
        if self.too_big or self.gave_way:
            return None
        unstuffed = bytes(self._kept.replace(b"\r\n.", _CRLF)[len(_CRLF) :])
        mail = with_crlf(unstuffed)
        return mail if len(mail) <= self._message_bytes else None


class DataRoom:
    """The mails that are on their way in, of all sessions, and the octets that they may keep.

    If they are more, the longest gives way: so a short mail is taken whatever floods there are.
    """

    def __init__(self, octets: int) -> None:
        self._octets = octets
        self._there: set[DataCollector] = set()

    @contextmanager
    def holds(self, data: DataCollector) -> Iterator[None]:
        """Count `data` while the block runs."""
        self._there.add(data)
        try:
            yield
        finally:
            self._there.remove(data)

    def make(self) -> None:
        """Let mails give way, of those that are not whole yet, until the others have room."""
        beyond = sum(map(len, self._there)) - self._octets
        coming = sorted((d for d in self._there if not d.whole), key=len) if beyond > 0 else []
        while beyond > 0 and coming:
            longest = coming.pop()
            beyond -= len(longest)
            longest.give_way()


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
