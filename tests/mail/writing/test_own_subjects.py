"""Our own subjects come back with "Re:" before them, and must not be taken for commands."""

from pbm.domain.catalogue import Catalogue
from pbm.mail.writing.vocabulary import wordings
from pbm.service.grammar import Grammar
from pbm.service.letters import Message
from tests.mail.writing.notices import ADDRESS, NOTICES
from tests.tables import each

GRAMMAR = Grammar(Catalogue([]))


@each("notice", NOTICES, ids=lambda notice: type(notice).__name__)
def test_the_subject_of_an_answer_is_no_command(notice: Message) -> None:
    subject = wordings()[type(notice)](notice, ADDRESS).subject
    assert not GRAMMAR.begins_command(subject), subject
