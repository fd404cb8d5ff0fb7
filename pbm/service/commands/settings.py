"""The command by which players choose how the server writes to them."""

from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.domain.settings import SETTINGS, STYLE, names
from pbm.engine import fold, listing, near
from pbm.service.commands.line import Command, Line, Reading, Verb


@dataclass(frozen=True, slots=True)
class Set(Command):
    """One setting to change; without a name, all of them are shown."""

    name: str = ""
    value: str = ""


def _read_set(line: Line) -> Reading:
    """Read `[userid password] [NAME VALUE]`; NAME=VALUE is as good."""
    credentials = line.words.credentials(line.proven, least_rest=0)
    name, _, value = " ".join(line.words.rest).replace("=", " ", 1).partition(" ")
    name = fold(name)
    if name and name not in (*names(), STYLE) and not name.startswith(f"{STYLE}."):
        known = (*names(), f"{STYLE}.GAME")
        meant = near(name, known) or known
        raise NotUnderstood(
            f"There is no such setting; there is {listing(meant, last='and')}.", line.example
        )
    return Set(name, value.strip()), credentials


def _about(name: str, choice: str, default: str, text: str) -> str:
    return f"{name}: {text} ({choice}; if you say nothing, {default})."


VERBS: tuple[Verb, ...] = (
    Verb("set", "[userid password] [NAME VALUE]", "sets how the server writes to you",
         "set alice your-password zone Europe/Berlin", _read_set, ("settings",),
         text="\n".join([
             "Without NAME it lists all settings with their values. These can be set:",
             *(_about(s.name, s.choice, s.default, s.help) for s in SETTINGS),
             "style.GAME: how boards of that game are drawn; GAME set style VALUE does the same.",
         ])),
)  # fmt: skip
