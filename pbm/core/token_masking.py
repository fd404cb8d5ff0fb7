"""Masking of reply tokens: hidden in texts, and veiled in stored mails until they are sent."""

import html
import re
import unicodedata
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from pbm.core.relaying import Judged, Relay, Sent, Verdict, always
from pbm.core.tokens import LETTERS, STARTS, TokenMint, leave_veil
from pbm.domain.mail import OutgoingMail
from pbm.engine import frozen

HIDDEN = "***"
"""The text in place of a token."""

MOST_TRIED = 2048
"""Words of one text that are tried. Others that could be tokens are hidden untried, so that no text
costs more: a comment never holds as many."""

_LETTER = re.compile(r"[A-Za-z2-7]")

_WRITTEN_OUT = re.compile(
    r"%[0-9A-Fa-f]{2}|=[0-9A-Fa-f]{2}|&#?\w{1,8};|</?[A-Za-z][^<>@+%]{0,500}>|[^\x00-\x7f]"
)
"""An escape, an entity, a tag, or a letter of another form, such as a full-width one."""

_CANDIDATE = re.compile(f"(?=((?:{'|'.join(STARTS)}).{{{LETTERS - 2}}}))")
"""A word that has the form of a token, among letters of base32; it may overlap with others."""

_EITHER = re.compile(f"{_WRITTEN_OUT.pattern}|{_LETTER.pattern}")


def without_tokens(mint: TokenMint, text: str) -> str:
    """Return `text` with this server's reply tokens hidden, and otherwise unchanged."""
    if len(text) < LETTERS:
        return text
    tried: dict[str, bool] = {}

    def is_token(word: str) -> bool:
        if word not in tried and len(tried) < MOST_TRIED:
            tried[word] = mint.read(word) is not None
        return tried.get(word, True)

    spans: list[tuple[int, int]] = []
    for view in _views(text):
        letters = "".join(letter for letter, _ in view).lower()
        for begin, end in ((found.start(), found.end(1)) for found in _CANDIDATE.finditer(letters)):
            if is_token(letters[begin:end]):
                spans.append((view[begin][1][0], view[end - 1][1][1]))
    return _hide(text, spans)


def _views(text: str) -> Iterator[list[tuple[str, tuple[int, int]]]]:
    """Yield the base32 letters of `text` with their places: as they are, and with escapes read."""
    yield [(found[0], found.span()) for found in _LETTER.finditer(text)]
    if _WRITTEN_OUT.search(text):
        read = ((_meant(found[0]), found.span()) for found in _EITHER.finditer(text))
        yield [(letter, place) for letter, place in read if _LETTER.fullmatch(letter)]


def _meant(written: str) -> str:
    """Return the character that is meant by an escape, an entity or another form; "" for a tag."""
    if written[0] in "%=":
        return chr(int(written[1:], 16) & 0x7F) if int(written[1:], 16) < 0x80 else ""
    if written[0] == "<":
        return ""
    return unicodedata.normalize("NFKC", html.unescape(written))


def _hide(text: str, spans: list[tuple[int, int]]) -> str:
    """Return `text` with each of the spans replaced; they may overlap."""
    kept: list[str] = []
    end = 0
    for begin, after in sorted(spans):
        if begin >= end:
            kept += (text[end:begin], HIDDEN)
        end = max(end, after)
    return "".join((*kept, text[end:]))


_REPLY_TO = re.compile(rb"\r\nReply-To: <[^<>@\r\n]*[+-]([a-z2-7]+)@")
_LEAVE = re.compile(rb"\r\nList-Unsubscribe:\s+<mailto:[^<>@\r\n]*[+-]([a-z2-7]+)@")
"""These headers as the server writes them, after others."""


def opened(mint: TokenMint, mail: OutgoingMail) -> OutgoingMail:
    """Return a composed mail with its tokens; that of its Reply-To is also in its links.

    A mail that was stored with its tokens is returned as it is.
    """
    content, end = mail.content, mail.content.find(b"\r\n\r\n")
    if found := _REPLY_TO.search(content, 0, end):
        word = mint.unveil(found[1].decode(), mail.message_id).encode()
        content = content.replace(found[1], word)
    if found := _LEAVE.search(content, 0, end):
        word = mint.unveil(found[1].decode(), leave_veil(mail.message_id)).encode()
        content = content[: found.start(1)] + word + content[found.end(1) :]
    if content is mail.content:
        return mail
    return OutgoingMail(mail.sender, mail.recipient, mail.message_id, content)


_LONG_WORD = re.compile(r"[A-Za-z2-7]{24}")


@frozen
class OpeningRelay:
    """A relay that gets stored mails, and opens each as late as possible.

    Then `finished` signs it, and nothing changes it any more: the octets that are signed are those
    that leave. The words of the relay are stored and listed, so tokens in them are hidden.
    """

    relay: Relay
    mint: TokenMint
    finished: Callable[[OutgoingMail], OutgoingMail] = lambda mail: mail

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """Yield the verdict of the relay on each mail."""
        unsealed = [self.finished(opened(self.mint, mail)) for mail in mails]
        with closing(self.relay.deliver(unsealed, go_on)) as answers:
            for place, verdict in answers:
                yield place, self._discreet(verdict)

    def close(self) -> None:
        """Close the relay's connections."""
        self.relay.close()

    def _discreet(self, verdict: Verdict) -> Verdict:
        if not isinstance(verdict, Sent):
            return replace(verdict, error=without_tokens(self.mint, verdict.error))
        # Few replies hold a word that could be a token, and the search is expensive.
        suspect = _LONG_WORD.search(verdict.words)
        return Sent(without_tokens(self.mint, verdict.words)) if suspect else verdict
