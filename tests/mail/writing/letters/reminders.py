from dataclasses import replace

from pbm.domain.mail import Leaving, Mailing
from pbm.service.board_messages import BoardMessage, Event, Happening, WaitingBoards
from pbm.service.letters import letter
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, NOW, PEOPLE, after

TO = PEOPLE[ALICE]
REPLY = player_token(ALICE)
WAITS = BoardMessage(TO, (), after("b2", "swap", "a1"), PEOPLE, NOW)
OTHER = replace(WAITS, board=replace(WAITS.board, match=replace(WAITS.board.match, number=107)))
MOVED = replace(
    WAITS, happenings=(Happening(Event.MOVED, ALICE, "a1", "Sch\u00f6ne Gr\u00fc\u00dfe!"),)
)

BOARDS = WaitingBoards((WAITS, OTHER))
LAST_REMINDER = letter(TO, "reminders/reminders", boards=BOARDS, last=[107], reply=REPLY)

LETTERS = (
    LAST_REMINDER,
    letter(TO, "reminders/reminders", boards=BOARDS, last=[],
           leave=Leaving(Mailing.REMINDERS), reply=REPLY),
)  # fmt: skip
