"""Reply tokens in what others read or store: hidden in texts, veiled until the relay gets them."""

import html
import re
import unicodedata
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from pbm.domain.mail import OutgoingMail
from pbm.service.relaying import Judged, Relay, Sent, Verdict, always
from pbm.service.tokens import TokenMint, leave_veil

HIDDEN = "***"
"""Stands for a token."""

MOST_TRIED = 2048
"""Words of one text that are tried. What else could be a token is hidden untried, so that no text
costs more: a comment never holds as many."""

_LETTER = re.compile(r"[A-Za-z2-7]")

_WRITTEN_OUT = re.compile(
    r"%[0-9A-Fa-f]{2}|=[0-9A-Fa-f]{2}|&#?\w{1,8};|</?[A-Za-z][^<>@+%]{0,500}>|[^\x00-\x7f]"
)
"""An escape, an entity, a tag, or a letter of another form, such as a full-width one."""


@dataclass(frozen=True, slots=True)
class _Letters:
    """The base32 letters of a text, in lower case, and the place in the text of each."""

    letters: str
    places: Sequence[tuple[int, int]]


def without_tokens(mint: TokenMint, text: str) -> str:
    """Return `text` with this server's reply tokens hidden, and with all else as it was."""
    if len(text) < min(mint.lengths):
        return text
    tried: dict[str, bool] = {}

    def is_token(word: str) -> bool:
        if word not in tried and len(tried) < MOST_TRIED:
            tried[word] = mint.read(word) is not None
        return tried.get(word, True)

    views = (_bare, _decoded) if _WRITTEN_OUT.search(text) else (_bare,)
    spans = [
        (view.places[begin][0], view.places[begin + length - 1][1])
        for view in (read(text) for read in views)
        for begin, length in _candidates(mint, view.letters)
        if is_token(view.letters[begin : begin + length])
    ]
    return _hide(text, spans)


def _candidates(mint: TokenMint, letters: str) -> Iterator[tuple[int, int]]:
    """Yield beginning and length of each word of `letters` that has the form of a token."""
    starts = re.compile(f"(?={'|'.join(map(re.escape, sorted(mint.starts)))})")
    for found in starts.finditer(letters):
        for length in mint.lengths:
            if found.start() + length <= len(letters):
                yield found.start(), length


def _bare(text: str) -> _Letters:
    places = [found.span() for found in _LETTER.finditer(text)]
    return _Letters("".join(text[begin] for begin, _ in places).lower(), places)


def _decoded(text: str) -> _Letters:
    """Return the letters of `text` with its escapes, entities and other forms read."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    end = 0
    for found in _WRITTEN_OUT.finditer(text):
        _append(letters, places, text[end : found.start()], end)
        meant = _meant(found[0])
        if _LETTER.fullmatch(meant):
            letters.append(meant)
            places.append(found.span())
        end = found.end()
    _append(letters, places, text[end:], end)
    return _Letters("".join(letters).lower(), places)


def _append(letters: list[str], places: list[tuple[int, int]], part: str, offset: int) -> None:
    for found in _LETTER.finditer(part):
        letters.append(found[0])
        places.append((offset + found.start(), offset + found.end()))


def _meant(written: str) -> str:
    """Return the character that an escape, an entity or another form stands for; "" for a tag."""
    if written[0] in "%=":
        return chr(int(written[1:], 16) & 0x7F) if int(written[1:], 16) < 0x80 else ""
    if written[0] == "<":
        return ""
    return unicodedata.normalize("NFKC", html.unescape(written))


def _hide(text: str, spans: list[tuple[int, int]]) -> str:
    """Return `text` with each of the spans, which may overlap, replaced."""
    kept: list[str] = []
    end = 0
    for begin, after in sorted(spans):
        if begin >= end:
            kept += (text[end:begin], HIDDEN)
        end = max(end, after)
    return "".join((*kept, text[end:]))


_REPLY_TO = re.compile(rb"\r\nReply-To: <[^<>@\r\n]*\+([a-z2-7]+)@")
_LEAVE = re.compile(rb"\r\nList-Unsubscribe:\s+<mailto:[^<>@\r\n]*\+([a-z2-7]+)@")
"""The headers as we write them, behind others."""


def opened(mint: TokenMint, mail: OutgoingMail) -> OutgoingMail:
    """Return a composed mail with its tokens, that of its Reply-To also in its links.

    One that was stored unsealed is returned as it is.
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


@dataclass(frozen=True, slots=True)
class OpeningRelay:
    """A relay that gets stored mails, and opens each as late as it can.

    What the relay says of a mail is stored and listed, so no token is left in it.
    """

    relay: Relay
    mint: TokenMint

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """Yield what the relay says of each mail."""
        unsealed = [opened(self.mint, mail) for mail in mails]
        with closing(self.relay.deliver(unsealed, go_on)) as answers:
            for place, verdict in answers:
                yield place, self._discreet(verdict)

    def close(self) -> None:
        """Close the relay's connections."""
        self.relay.close()

    def _discreet(self, verdict: Verdict) -> Verdict:
        if not isinstance(verdict, Sent):
            return replace(verdict, error=without_tokens(self.mint, verdict.error))
        # Few replies hold a word that could be one, and to search for it is dear.
        suspect = _LONG_WORD.search(verdict.words)
        return Sent(without_tokens(self.mint, verdict.words)) if suspect else verdict
