"""Whom a mail is counted for while it waits, by what of it is hardest to forge.

A reply token cannot be forged, so a mail to one is counted for its player: whatever others write
in a player's name delays their replies by nothing. All else is counted for the mailbox of the
envelope sender. Anybody can make up mailboxes by the thousand, so these are counted together
too: by the network that the mail came from, which costs more than a name, or by the domain if the
network is not known. From is not looked at: it is as cheap, and a mail can have several.
"""

from pbm.domain.addresses import mailbox
from pbm.domain.mail import ReceivedMail, Source
from pbm.service.tokens import TokenKind, TokenMint


def source_of(mail: ReceivedMail, mint: TokenMint) -> Source:
    """Return whom `mail` is counted for."""
    player = _proven_player(mail, mint)
    if player:
        return Source(f"player {player}", f"player {player}")
    sender = mailbox(mail.sender)
    group = mail.network or sender.rpartition("@")[2]
    # Reports on undelivered mails have no sender; those of one network are one another's.
    return Source(sender or f"<> {group}", group)


def _proven_player(mail: ReceivedMail, mint: TokenMint) -> int:
    """Return whose reply token is among the recipients; 0 for nobody's."""
    for recipient in mail.recipients:
        word = recipient.rpartition("@")[0].partition("+")[2].lower()
        dated = mint.read(word) if word else None
        # Who has got hold of an unsubscribe link cannot write in its player's name.
        if dated and dated.token.player and dated.token.kind is not TokenKind.LEAVE:
            return dated.token.player
    return 0
