"""What the template of a mail about several waiting boards is given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class WaitingBoard:
    """A board that waits for the reader. `last`: he is not reminded of it again.

    `deadline` is when he loses it, `example` a whole line that plays there, `picture` the board,
    "" if there are too many of them to show.
    """

    number: int
    title: str
    opponents: str
    deadline: str
    last: bool
    example: str
    picture: str


@dataclass(frozen=True, slots=True)
class RemindersMail:
    """Boards that have waited for the reader, the most urgent first; `last` are those soon lost."""

    template: ClassVar[str] = "reminders/reminders.txt.j2"
    reader: str
    count: int
    last: str
    boards: tuple[WaitingBoard, ...]


TEMPLATES = (RemindersMail,)
"""Every context of this subject."""
