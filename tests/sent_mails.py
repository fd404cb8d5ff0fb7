"""The mails that a house under test has sent, parsed as far as a test looks at them."""

import email
import email.policy
import re
from collections.abc import Callable
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from functools import lru_cache, partial
from typing import Any, Self, cast

from pbm.domain.mail import unflowed


class ReadOnce(email.policy.EmailPolicy):
    """The standard library's policy, which otherwise parses a header again on every access."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return _header(name, value)


READ_ONCE = ReadOnce()


class PlainHeader(str):
    """A header whose text is known without its grammar; what only this tells is parsed for."""

    __slots__ = ("_parse",)
    _parse: Callable[[], Any]

    def __new__(cls, said: str, parse: Callable[[], Any]) -> Self:
        plain = super().__new__(cls, said)
        plain._parse = parse
        return plain

    def __getattr__(self, name: str) -> Any:
        return getattr(self._parse(), name)


_PLAIN = {
    "Content-Type": (
        re.compile(r'(multipart/[a-z]+; boundary="[0-9a-z-]+"(?:; type="[a-z]+/[a-z]+")?)'),
        r"\1",
    ),
    "From": (re.compile(r'"([A-Za-z0-9 -]*\w)" (<[a-z0-9]+@[a-z.]+>)'), r"\1 \2"),
    "Reply-To": (re.compile(r"<([a-z]+\+[a-z0-9]+@[a-z.]+)>"), r"\1"),
}
"""Headers of ours that are another one in each mail, and what the standard library makes of them.

Its grammar takes longer for them than all else that a test reads in most mails.
"""


@lru_cache(10_000)
def _header(name: str, value: str) -> Any:
    parse = partial(email.policy.default.header_fetch_parse, name, value)
    pattern, template = _PLAIN.get(name, (None, ""))
    found = pattern and pattern.fullmatch(value)
    return PlainHeader(found.expand(template), parse) if found else parse()


_OF_HEADER = ("_headers", "policy")
"""The facts about a mail of the standard library that are known without its body."""


class SentMail(EmailMessage):
    """A mail that is parsed as far as a test looks at it: its header first, then all of it.

    At most mails no test looks, or at the address alone. And under the default policy the parser
    reads the type of each part by the grammar of RFC 2045, which takes longer than all the rest.
    """

    def __init__(self, content: bytes) -> None:  # the other one would make an empty mail
        self.content = content

    def __getattr__(self, name: str) -> Any:
        """Parse, because somebody asks for what only parsing tells."""
        if name.startswith("__"):
            raise AttributeError(name)
        head, _, _ = self.content.partition(b"\r\n\r\n")
        header_alone = name in _OF_HEADER
        parser = BytesParser(EmailMessage, policy=email.policy.compat32)
        parsed = parser.parsebytes(head if header_alone else self.content, header_alone)
        for part in parsed.walk():
            part.policy = READ_ONCE
        names = _OF_HEADER if header_alone else vars(parsed)
        vars(self).update({key: vars(parsed)[key] for key in names if key not in vars(self)})
        if name not in vars(self):
            raise AttributeError(name)
        return vars(self)[name]

    def text(self) -> MIMEPart | None:
        """Return the part with the text, parsed alone: pictures take far longer."""
        part, mail = self.content, cast("EmailMessage", self)
        while mail.get_content_maintype() == "multipart":
            limit = f"\r\n--{mail.get_boundary()}".encode()
            part = part.partition(limit + b"\r\n")[2].partition(limit + b"\r\n")[0]
            part = part.partition(limit + b"--")[0]
            mail = SentMail(part)
        return mail if mail.get_content_type() == "text/plain" else self.get_body(("plain",))


@lru_cache(1000)
def text_of(mail: EmailMessage) -> str:
    """Return the text of a mail; cached, because tests look at it again and again."""
    part = mail.text() if isinstance(mail, SentMail) else mail.get_body(("plain",))
    assert part is not None
    return unflowed(str(part.get_content()).replace("\r\n", "\n"))
