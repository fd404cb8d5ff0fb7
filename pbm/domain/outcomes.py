"""What became of a mail when it was played: for the log, for `pbm trace` and for the figures.

An outcome holds words of ours and numbers of boards, and nothing that a mail says.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

MOST_SHOWN = 5
"""Deeds of one mail that are named; of the others the number is."""

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Fate(StrEnum):
    """What became of a mail, in one word."""

    PLAYED = "played"
    """At least one of its lines was carried out, or it was answered with help."""
    REFUSED = "refused"
    """None was, and its sender was told why."""
    SILENCED = "silenced"
    """It did nothing and was not answered; a rule says why."""
    SHUNTED = "shunted"
    """It met a bug."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mail.

    `rule` names what refused or silenced it, such as "not-now" or "auto-submitted"; there are a
    few dozen of them. `deeds` says what was carried out, such as "move on board 104", and
    `boards` are the numbers in it.
    """

    fate: Fate
    rule: str = ""
    deeds: tuple[str, ...] = ()
    boards: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Return it as one short line in ASCII."""
        shown = self.deeds[:MOST_SHOWN]
        rest = len(self.deeds) - len(shown)
        told = (*shown, *([f"{rest} more"] if rest else []), *([self.rule] if self.rule else []))
        return f"{self.fate}: {', '.join(told)}" if told else str(self.fate)


@dataclass(slots=True)
class Proceedings:
    """What is noted of one mail while it is played; the one value of a mail that changes."""

    _deeds: list[str] = field(default_factory=list)
    _boards: list[int] = field(default_factory=list)
    _refusals: list[str] = field(default_factory=list)
    _silence: str = ""

    def did(self, command: object, board: int | None) -> None:
        """Note that `command` was carried out, on a board if it was about one."""
        name = name_of(type(command))
        self._deeds.append(name if board is None else f"{name} on board {board}")
        if board is not None:
            self._boards.append(board)

    def refused(self, why: Exception) -> None:
        """Note that a line was not carried out."""
        self._refusals.append(name_of(type(why)))

    def silenced(self, rule: str) -> None:
        """Note which rule kept the server from answering; the first one counts."""
        self._silence = self._silence or rule

    def outcome(self, *, answered: bool) -> Outcome:
        """Return what became of the mail, which was `answered` or not."""
        refusals = tuple(dict.fromkeys(self._refusals))
        if self._deeds:
            also = (f"but refused {', '.join(refusals)}",) if refusals else ()
            deeds = (*dict.fromkeys(self._deeds), *also)
            return Outcome(Fate.PLAYED, "", deeds, tuple(dict.fromkeys(self._boards)))
        if not answered:
            return Outcome(Fate.SILENCED, self._silence or (refusals or ("nothing-to-answer",))[0])
        if refusals:
            return Outcome(Fate.REFUSED, refusals[0])
        return Outcome(Fate.PLAYED, deeds=("answered",))


def name_of(kind: type) -> str:
    """Return the name of a class as words: "not-now" for NotNow."""
    return _in_words(kind.__name__)


@cache
def _in_words(name: str) -> str:
    return _HUMP.sub("-", name).lower()
