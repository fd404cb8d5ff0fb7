from pbm.service.board_messages import WaitingBoards
from pbm.service.letters import letter
from tests.mail.writing.letters.reminders import MOVED, OTHER, REPLY, TO

LETTERS = (letter(TO, "digests/digest", boards=WaitingBoards((MOVED, OTHER)), reply=REPLY),)
