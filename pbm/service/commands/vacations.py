"""The command of vacations."""

from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.domain.vacations import CHANGES_A_DAY, asks_for_vacation, is_vacation
from pbm.engine import fold
from pbm.service.bridge import Command, Line, Reading, Verb


@dataclass(frozen=True, slots=True)
class Vacation(Command):
    """Stop the player's clocks; `text` says for how long, or "off"; "" only asks how it stands."""

    text: str = ""


def _read_vacation(line: Line) -> Reading:
    """Read `[userid password] [until DATE, N days, off]`.

    A sentence may begin with the word: "Vacation was great!" asks for nothing. "vacation 10 days"
    names nobody; the handler refuses it, because it knows how many days the example can name.
    """
    unnamed = line.proven is None and is_vacation(_rest(line))
    credentials = None if unnamed else line.words.credentials(line.proven, least_rest=0)
    text = _rest(line)
    if not asks_for_vacation(text):
        raise NotUnderstood(
            "vacation is followed by a number of days, by until and a day, or by off.",
            "vacation" if line.proven else "vacation alice your-password",
        )
    return Vacation(text), credentials


def _rest(line: Line) -> str:
    """Return what is left of the line, folded, without the full stop of a sentence."""
    return fold(" ".join(line.words.rest)).removesuffix(".")


VERBS: tuple[Verb, ...] = (
    Verb("vacation", "[userid password] [until DATE, N days, off]",
         "stops your clocks while you are away", "vacation alice your-password 10 days",
         _read_vacation, ("holiday", "holidays"),
         text="It begins at once. Your clocks stand and you are not reminded; you may still "
              "play. Your opponents are told once, and each board says so as well.\n"
              "Alone it tells whether you are on vacation, and how many days you have "
              "left: there is an allowance for each calendar year, counted in UTC.\n"
              "until DATE: to the end of that day in your time zone. DATE is written like 24 Dec, "
              "24 December, Dec 24, 24.12. or 2026-12-24.\n"
              "N days: N times 24 hours from now; N weeks works, too.\n"
              "off: ends it now. Days you have not used are not counted. While you are on "
              "vacation, another day or number of days changes the end. Your opponents are told "
              f"of each: begin or change it {CHANGES_A_DAY} times a day at most. off "
              "always works.\n"
              "More on clocks: help time"),
)  # fmt: skip
