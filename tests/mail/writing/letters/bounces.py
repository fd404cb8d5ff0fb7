from datetime import timedelta

from pbm.service.letters import letter
from pbm.service.matches import Waiting
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, NOW, PEOPLE, after

TO = PEOPLE[ALICE]
OPERATOR = "operator@example.org"
REPLY = player_token(ALICE)
WAITING = Waiting((after("b2", "swap", "a1"),), 0, PEOPLE)

LETTERS = (
    letter(TO, "bounces/address_failed", failed="old@example.org"),
    letter(TO, "bounces/opponent_unreachable", userid="bob", numbers=(104, 107),
           until=NOW + timedelta(days=30)),
    letter(TO, "bounces/opponent_unreachable", userid="bob", numbers=(104,), until=None),
    letter(TO, "bounces/opponent_reachable", userid="bob", numbers=(104,)),
    *(letter(TO, "bounces/reachable_again", waiting=boards, reply=REPLY)
      for boards in (WAITING, Waiting())),
    letter("off@example.org", "bounces/tried_again", player=TO, asked=False, waiting=WAITING,
           reply=REPLY),
    letter("off@example.org", "bounces/tried_again", player=TO, asked=True, waiting=Waiting(),
           reply=REPLY),
    *(letter(OPERATOR, "bounces/player_unreachable", userid="bob", failed=("b@example.org",),
             status=status, until=until)
      for status, until in (("5.1.1", NOW), ("", None))),
    letter(OPERATOR, "bounces/most_mails_fail", failed=5, tried=6),
    letter(OPERATOR, "bounces/shunted", number=9),
)  # fmt: skip
