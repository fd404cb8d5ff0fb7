"""Reading what a player asks of time."""

from pbm.domain.commands import Vacation
from pbm.domain.errors import NotUnderstood
from pbm.domain.vacation import asks_for_vacation
from pbm.engine import fold
from pbm.service.grammar.line import Line, Reading, Verb


def _read_vacation(line: Line) -> Reading:
    """Read `[userid password] [until DATE, N days, off]`.

    A sentence may begin with the word: "Vacation was great!" asks for nothing.
    """
    credentials = line.words.credentials(line.proven, least_rest=0)
    text = fold(" ".join(line.words.rest))
    if not asks_for_vacation(text):
        raise NotUnderstood(
            "vacation is followed by a number of days, by until and a day, or by off.",
            "vacation 10 days" if line.proven else line.example,
        )
    return Vacation(text), credentials


VERBS: tuple[Verb, ...] = (
    Verb("vacation", "[userid password] [until DATE, N days, off]",
         "stops your clocks while you are away", "vacation alice your-password 10 days",
         _read_vacation, ("holiday", "holidays"),
         text="It begins at once. No clock of yours runs and you are not reminded; you may play "
              "on all the same. Your opponents are told once, and each board tells it as well.\n"
              "Without words it tells whether you are on vacation, and how many days you have "
              "left: there is an allowance for each calendar year.\n"
              "until DATE: to the end of that day in your time zone. A day is written like 24 "
              "Dec, 24 December 2026, Dec 24, 24.12. or 2026-12-24.\n"
              "N days: so many times 24 hours from now; N weeks will do, too.\n"
              "off: ends it now. What you have not used is not counted. While you are on "
              "vacation, another day or number of days changes the end.\n"
              "More on clocks: help time"),
)  # fmt: skip
