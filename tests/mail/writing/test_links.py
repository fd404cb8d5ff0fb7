"""Every link of every kind of mail asks for something that the server understands."""

from pbm.service.grammar import Grammar
from pbm.service.letters import Message
from pbm.service.line import Reply
from pbm.service.tokens import TokenKind
from tests.domain.matches import NOW
from tests.engine.noughts import CELLS
from tests.links import Link, links_of
from tests.mail.writing.notices import ADDRESS, MINT, NOTICES, sent
from tests.sent_mails import SentMail
from tests.service.houses import CATALOGUE, PLAYER
from tests.tables import each

GRAMMAR = Grammar(CATALOGUE)

ANSWERS = {
    None: {"stop"},
    TokenKind.SIGNUP: {"yes", "no"},
    TokenKind.CONFIRMATION: {"yes", "no"},
    TokenKind.BOARD: {"I resign"},
}
"""What is understood without a verb, as sentences are, by what is answered."""


def links(notice: Message) -> tuple[Link, ...]:
    return links_of(SentMail(sent(notice, "a" * 24, "b" * 24).content))


@each("notice", NOTICES, ids=lambda notice: type(notice).__name__)
def test_every_link_is_a_command_to_the_address_of_the_token(notice: Message) -> None:
    token = notice.reply
    reply = Reply(PLAYER, token.number, token.ply) if token and token.player else None
    address = ADDRESS.replace("@", f"+{MINT.write(token, NOW)}@") if token else ADDRESS
    understood = ANSWERS.get(token.kind if token else None, set())
    for link in links(notice):
        assert (link.to, link.subject) == (address, "Re:")
        if link.text in CELLS:
            assert token, "a move needs the token of its board"
            assert token.kind is TokenKind.BOARD
        elif link.text not in understood:
            assert GRAMMAR.begins_command(link.text)
            GRAMMAR.read(link.text, reply)  # raises if a word is wrong, or a proof is missing
