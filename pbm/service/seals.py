"""Mails as they are stored: their token is sealed until the relay gets them.

So the outbox, its backups and dumps hold no token that works, however long a mail waits. Who has
the key of the tokens can open the seal; who has only the database cannot.
"""

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from pbm.domain.mail import OutgoingMail
from pbm.service.delivery import Deferred, Failed, Judged, Relay, Sent, Verdict, always
from pbm.service.token_search import without_tokens
from pbm.service.tokens import TokenMint

_REPLY_TO = re.compile(rb"\r\nReply-To: <[^<>@\r\n]*\+([a-z2-7]+)@")
"""The header as we write it, behind another."""


def sealed(mint: TokenMint, mail: OutgoingMail) -> OutgoingMail:
    """Return `mail` with a word in place of its token that nobody can answer with."""
    return _with_word(mail, lambda word: mint.veil(word, mail.message_id))


def opened(mint: TokenMint, mail: OutgoingMail) -> OutgoingMail:
    """Return a `sealed` mail as it was; one that was stored unsealed is returned as it is."""

    def token(word: str) -> str:
        return word if mint.read(word) else mint.veil(word, mail.message_id)

    return _with_word(mail, token)


def _with_word(mail: OutgoingMail, change: Callable[[str], str]) -> OutgoingMail:
    """Return `mail` with another word for that of its Reply-To, also in its links."""
    found = _REPLY_TO.search(mail.content, 0, mail.content.find(b"\r\n\r\n"))
    if found is None:
        return mail
    word = found[1]
    return replace(mail, content=mail.content.replace(word, change(word.decode()).encode()))


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
        if isinstance(verdict, Deferred | Failed):
            return replace(verdict, error=without_tokens(self.mint, verdict.error))
        # Few replies hold a word that could be one, and to search for it is dear.
        suspect = _LONG_WORD.search(verdict.words)
        return Sent(without_tokens(self.mint, verdict.words)) if suspect else verdict
