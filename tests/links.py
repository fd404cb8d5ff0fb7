"""The links of a mail's HTML form, and the mails that a mail program makes of them."""

from dataclasses import dataclass
from email.message import EmailMessage
from functools import lru_cache
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urlsplit

from tests.house import HouseUnderTest


@dataclass(frozen=True)
class Link:
    """The request of a mailto link (RFC 6068), and whether the link is on the board."""

    to: str
    subject: str
    text: str
    on_board: bool


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables = 0
        self.links: list[Link] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tables += tag == "table"
        if tag == "a":
            href = dict(attrs)["href"] or ""
            if not href.startswith("https:"):  # a web page
                self.links.append(_link(href, on_board=self.tables > 0))

    def handle_endtag(self, tag: str) -> None:
        self.tables -= tag == "table"


def _link(target: str, *, on_board: bool) -> Link:
    parts = urlsplit(target)
    assert parts.scheme == "mailto", target
    # A plus is a plus in a mailto link, and no space as in a form.
    said = parse_qs(parts.query.replace("+", "%2B"), strict_parsing=True)
    assert set(said) == {"subject", "body"}, target
    return Link(unquote(parts.path), said["subject"][0], said["body"][0], on_board)


@lru_cache(100)
def links_of(mail: EmailMessage) -> tuple[Link, ...]:
    """Return the links of a mail in their order; none if it has no HTML form.

    Cached, because who plays by links looks at a mail three times.
    """
    part = mail.get_body(("html",))
    if part is None:
        return ()
    reader = _Reader()
    reader.feed(str(part.get_content()))
    return tuple(reader.links)


def tap(house: HouseUnderTest, link: Link, reader: str) -> list[EmailMessage]:
    """Send the mail that a phone makes of a link, and return what comes back."""
    return house.mail(reader, link.subject, f"{link.text}\n\nSent from my phone", link.to)


def button(mail: EmailMessage) -> tuple[str, str]:
    """Return address and subject of the mail that the unsubscribe button writes (RFC 6068)."""
    uri = str(mail["List-Unsubscribe"])
    assert uri.startswith("<mailto:pbm+")
    to, _, subject = uri.strip("<>").removeprefix("mailto:").partition("?subject=")
    return to, unquote(subject)
