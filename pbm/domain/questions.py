"""Questions of the server to a player, and the choices that each of them gives."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.player import PlayerId
from pbm.engine import frozen


@frozen
class Choice:
    """One answer to a question: a `line` of the grammar, and the text that goes with it."""

    line: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
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
