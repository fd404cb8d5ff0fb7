"""What the template of a position that is only looked at is given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class PreviewMail:
    """`number` is 0 for a new board. `side` has the turn then, "" if `ending` says how it ends."""

    template: ClassVar[str] = "preview.txt.j2"
    submitted: bool
    number: int
    key: str
    title: str
    moves: str
    side: str
    sign: str
    due: int
    ending: str
    picture: str
    about: str


TEMPLATES = (PreviewMail,)
