"""What operators have done."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import func, insert, select

from pbm.engine import from_json, to_json
from pbm.service.ports import AuditRow
from pbm.store.dialects import AnyRow
from pbm.store.repository import Repository
from pbm.store.tables import audit

_ADD = insert(audit)


class SqlAudit(Repository):
    """`pbm.service.ports.Audit`."""

    def add(self, row: AuditRow) -> None:
        facts = {"before": to_json(row.before), "after": to_json(row.after)}
        self._connection.execute(_ADD, {**asdict(row), **facts})

    def listing(
        self, subject: str | None = None, act: str | None = None, limit: int = 200
    ) -> tuple[AuditRow, ...]:
        newest: Any = select(audit).order_by(audit.c.id.desc()).limit(limit)
        if subject is not None:
            newest = newest.where(func.lower(audit.c.subject) == subject.lower())
        if act is not None:
            newest = newest.where(audit.c.act == act)
        return tuple(map(_row, reversed(self._connection.execute(newest).all())))


def _row(row: AnyRow) -> AuditRow:
    return AuditRow(
        at=row.at,
        operator=row.operator,
        act=row.act,
        subject=row.subject,
        before=from_json(row.before),
        after=from_json(row.after),
        why=row.why,
    )
