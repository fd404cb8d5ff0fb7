"""What the operator writes to all players."""

from dataclasses import dataclass

from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class Circular(ToPlayer):
    """A letter of the operator to all players; `subject` is one line."""

    idle = False

    subject: str
    text: str
