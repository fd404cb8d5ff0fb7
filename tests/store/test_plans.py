"""Statements of every mail look at the rows that they are about, however many mails are done."""

from typing import Any

import pytest
from sqlalchemy import Engine, Executable, Update, event, text, update

from pbm.store.driver.dialects import by_indexes
from pbm.store.inbox import PLAYED
from pbm.store.matches import SAVE, SEAT, TURNS
from pbm.store.outbox import NOTE_SENT, SENT_WITH_WORDS
from tests.doors import Letterbox, UnitOfWork, tables
from tests.store.samples import NOW, START, a_mail, a_match, add_players, an_answer

DONE = 2_000


def fill(engine: Engine) -> None:
    """Store mails that are done: what a database mainly holds."""
    Letterbox(engine, lambda _: None, DONE + 1).put([a_mail()] * DONE)
    with UnitOfWork(engine) as unit:
        unit.connection.execute(update(tables.inbox).values(state="done"))
        _send(unit)


def _send(unit: UnitOfWork) -> None:
    unit.outbox.add([an_answer(word=f"w{number}") for number in range(DONE)], NOW)
    unit.outbox.sent(range(1, DONE + 1), NOW)
    unit.commit()


def plan_of(
    engine: Engine, statement: Executable, values: dict[str, object], *, within_batch: bool = False
) -> str:
    """Return how the database runs the statement.

    With the settings of a batch the plan does not hang on when the database counted rows last.
    """
    seen: list[Any] = []
    with engine.connect() as connection:
        if within_batch:
            by_indexes(connection)
        event.listen(connection, "before_cursor_execute", lambda *run: seen.append(run[2:4]))
        connection.execute(statement, values)
        sql, given = seen[-1]
        explain = "EXPLAIN" if engine.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"
        return "\n".join(map(str, connection.exec_driver_sql(f"{explain} {sql}", given)))


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        (PLAYED, {"mail": 1, "state": "done", "outcome": "a", "played_at": NOW}),
        (SENT_WITH_WORDS, {"mail": 1, "words": "a", "sent_at": NOW}),
    ],
    ids=["played", "sent"],
)
def test_what_marks_mails_done_finds_them_by_their_numbers(
    engine: Engine, statement: Update, values: dict[str, object]
) -> None:
    fill(engine)
    plan = plan_of(engine, statement, values)
    assert "Seq Scan on" not in plan
    assert "SCAN inbox" not in plan
    assert "SCAN outbox" not in plan


@pytest.mark.postgres
def test_a_note_of_what_was_sent_finds_the_mails_by_their_numbers(postgres_engine: Engine) -> None:
    fill(postgres_engine)
    told = {"ids": [1, 2, 3], "said": ["a", "b", "c"], "now": NOW}
    assert "Seq Scan on outbox" not in plan_of(postgres_engine, NOTE_SENT, told)


def copy_the_first(unit: UnitOfWork, table: str, number: str, *others: str) -> None:
    """Give each board up to the last the rows that board 101 has in a table."""
    copied = ", ".join(others)
    unit.connection.execute(
        text(
            f"INSERT INTO {table} ({number}, {copied})"
            f" SELECT n, {copied} FROM {table}, generate_series(102, {100 + DONE}) n"
        )
    )


@pytest.mark.postgres
def test_a_batch_of_moves_finds_its_boards_by_their_numbers(postgres_engine: Engine) -> None:
    with UnitOfWork(postgres_engine) as unit:
        unit.matches.add(a_match(101, add_players(unit, "alice", "bob")), START, (0,))
        for table in (tables.matches, tables.seats):
            copy_the_first(unit, table.name, *table.columns.keys())
        unit.connection.execute(text("ANALYZE matches, seats"))
        unit.commit()
    save: dict[str, object] = {
        "wanted": 101,
        "expected": 0,
        "look": None,
        "look_before": None,
        "version": 1,
    }
    seat: dict[str, object] = {"board": 101, "place": 0, "player_id": 1}
    turns: dict[str, object] = {"board": 101, "turns": "10"}
    for statement, values in ((SAVE, save), (SEAT, seat), (TURNS, turns)):
        plan = plan_of(postgres_engine, statement, values, within_batch=True)
        assert "Seq Scan on" not in plan
