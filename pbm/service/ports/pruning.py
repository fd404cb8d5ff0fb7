"""What the store forgets in the course of time."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """What is forgotten: mails played and sent before `done`, shunted or given up before `dead`.

    Errands and signups made before `asked` are forgotten, and counts of before `counted`. The
    newest errand and signup are kept, and all errands of players of whom nobody knows whether
    they are there.
    """

    done: datetime
    dead: datetime
    asked: datetime
    counted: datetime
