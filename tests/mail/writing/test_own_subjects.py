"""Our own subjects come back with "Re:" before them, and must not be taken for commands."""

from pbm.domain.catalogue import Catalogue
from pbm.service.grammar import Grammar
from pbm.service.letters import Message
from tests.mail.writing.notices import NOTICES
from tests.mail.writing.test_outgoing import parsed
from tests.tables import each

GRAMMAR = Grammar(Catalogue([]))


@each("notice", NOTICES, ids=lambda notice: type(notice).__name__)
def test_the_subject_of_an_answer_is_no_command(notice: Message) -> None:
    subject = str(parsed(notice)["Subject"])
    assert not GRAMMAR.begins_command(subject), subject
