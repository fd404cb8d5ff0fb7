"""Questions of the server to a player, and the choices that each of them gives."""

from collections.abc import Sequence
from datetime import datetime

from pbm.domain.errors import NotUnderstood
from pbm.domain.player import PlayerId
from pbm.engine import frozen, listing


@frozen
class Choice:
    """One answer to a question: a `line` of the grammar, and the text that goes with it."""

    line: str
    comment: str = ""


@frozen
class Question:
    """A question that a mail to `player` asks; a reply to that mail carries its random `id`.

    `board`, `ply` and `undos` are the moment that the mail shows; it shows no board if `board` is
    None. `answers` names the player's own reply to a board mail that led to the question, or is "".
    A question is `proven` if that player, and nobody in their name, has written what led to it.
    """

    id: int
    player: PlayerId
    choices: tuple[Choice, ...]
    proven: bool
    made_at: datetime
    board: int | None = None
    ply: int = 0
    undos: int = 0
    answers: str = ""
    answered_at: datetime | None = None


class Unsettled(NotUnderstood):
    """An answer that does not say which of the `choices` of a question is meant."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        lines = [choice.line for choice in choices]
        super().__init__(
            f"Do you mean {listing(lines)}? Nothing was done yet. Please reply with that in a line "
            "of its own.",
            *lines,
        )
        self.choices = tuple(choices)
