from pbm.domain.mail import Leaving, Mailing
from pbm.service.letters import letter, noted
from tests.domain.matches import ALICE, PEOPLE

TO = PEOPLE[ALICE]

LETTERS = (
    noted(TO, "You follow board 104."),
    letter(
        TO, "digests/followed_enough", most=60, number=104, game="gonnect",
        leave=Leaving(Mailing.FOLLOWED, 104),
    ),
)  # fmt: skip
