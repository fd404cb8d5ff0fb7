"""Mails as they are composed and stored: their tokens are sealed until the relay gets them.

In place of each stands a word that nobody can answer with. So the outbox, its backups and dumps
hold no token that works, however long a mail waits. Who has the key of the tokens can open the
seal; who has only the database cannot.
"""

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from pbm.domain.mail import OutgoingMail
from pbm.service.relaying import Judged, Relay, Sent, Verdict, always
from pbm.service.token_search import without_tokens
from pbm.service.tokens import TokenMint, leave_veil

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
