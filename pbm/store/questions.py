"""Questions of the server to players, each under the id that the token of its mail carries."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from pbm.domain.player import PlayerId
from pbm.domain.questions import Choice, Question
from pbm.engine import from_json, to_json
from pbm.store.driver.dialects import among
from pbm.store.errors import Conflict
from pbm.store.repository import Repository, columns_of, writes
from pbm.store.tables import questions

KEPT = 40
"""The latest questions to one player that are kept, of those that are proven and of the others."""

_OF_PLAYERS = (
    select(*columns_of(Question, questions, player=questions.c.player_id))
    .where(among(questions.c.player_id, "players"))
    .order_by(questions.c.made_at, questions.c.id)
)

_ADD = insert(questions)

Asked = tuple[Question, ...]
"""The questions to a player, the oldest first."""


class Questions(Repository):
    """Questions of the server to players."""

    def of(self, player: PlayerId) -> Asked:
        """Return the questions to a player that are kept, the oldest first."""
        return self._unit.look(find_questions, [player]).get(player, ())

    def get(self, player: PlayerId, question: int) -> Question | None:
        """Return the question to that player with this id."""
        return next((asked for asked in self.of(player) if asked.id == question), None)

    def add(self, question: Question) -> None:
        """Store a question, and forget the oldest of its kind if there are too many."""
        like = [q.id for q in self.of(question.player) if q.proven == question.proven]
        forgotten = like[: max(0, len(like) + 1 - KEPT)]

        def changed(before: Asked | None) -> Asked:
            return (*(q for q in before or () if q.id not in forgotten), question)

        self._unit.write(
            add_questions, (question, forgotten), change=(find_questions, question.player, changed)
        )

    def answer(self, question: Question, now: datetime) -> None:
        """Mark a question as answered; it raises Conflict if somebody else was first."""
        answered = replace(question, answered_at=now)

        def changed(before: Asked | None) -> Asked:
            return tuple(answered if q.id == question.id else q for q in before or ())

        self._unit.write(
            answer_questions, answered, change=(find_questions, question.player, changed)
        )


def find_questions(connection: Connection, players: Collection[PlayerId]) -> dict[PlayerId, Asked]:
    """Return the questions to these players."""
    kept: dict[PlayerId, Asked] = {}
    for number, player, stored, *rest in connection.execute(_OF_PLAYERS, {"players": players}):
        choices = tuple(Choice(*each) for each in from_json(stored))
        kept[player] = (*kept.get(player, ()), Question(number, player, choices, *rest))
    return kept


@writes(questions)
def add_questions(
    connection: Connection, added: Sequence[tuple[Question, Collection[int]]]
) -> None:
    """Add questions, and delete those with the ids that come with each."""
    connection.execute(_ADD, [_row(question) for question, _ in added])
    if forgotten := [number for _, numbers in added for number in numbers]:
        connection.execute(delete(questions).where(questions.c.id.in_(forgotten)))


def _row(question: Question) -> dict[str, object]:
    return {
        "id": question.id,
        "player_id": question.player,
        "choices": to_json([(choice.line, choice.comment) for choice in question.choices]),
        "proven": question.proven,
        "made_at": question.made_at,
        "board": question.board,
        "ply": question.ply,
        "undos": question.undos,
        "answers": question.answers,
        "answered_at": question.answered_at,
    }


@writes(questions)
def answer_questions(connection: Connection, answered: Sequence[Question]) -> None:
    """Mark questions as answered; raise Conflict if one is already, or is gone."""
    for question in answered:
        still = questions.c.id == question.id, questions.c.answered_at.is_(None)
        marked = update(questions).where(*still).values(answered_at=question.answered_at)
        if connection.execute(marked).rowcount != 1:
            raise Conflict("another mail has answered the same question")
