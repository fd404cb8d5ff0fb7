"""Requests for accounts."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from pbm.domain.addresses import fold_address
from pbm.domain.confirmations import Signup
from pbm.store.dialects import AnyRow
from pbm.store.repository import Repository
from pbm.store.tables import signups

_SIGNUP = (
    signups.c.id,
    signups.c.userid,
    signups.c.password_hash,
    signups.c.address,
    signups.c.made_at,
    signups.c.confirmed_at,
    signups.c.further,
)


class SqlSignups(Repository):
    """`pbm.service.ports.Signups`."""

    def add(
        self,
        userid: str,
        password_hash: str,
        address: str,
        now: datetime,
        further: Sequence[str] = (),
    ) -> Signup:
        statement = (
            insert(signups)
            .values(
                userid=userid,
                password_hash=password_hash,
                address=address,
                address_folded=fold_address(address),
                made_at=now,
                further=json.dumps(list(further)),
            )
            .returning(*_SIGNUP)
        )
        return _signup(self._connection.execute(statement).one())

    def get(self, signup: int) -> Signup | None:
        return self._first(select(*_SIGNUP).where(signups.c.id == signup))

    def latest(self, address: str) -> Signup | None:
        return self._first(
            select(*_SIGNUP)
            .where(signups.c.address_folded == fold_address(address))
            .order_by(signups.c.id.desc())
            .limit(1)
        )

    def confirm(self, signup: Signup, now: datetime) -> None:
        folded = fold_address(signup.address)
        self._connection.execute(
            update(signups)
            .where(signups.c.address_folded == folded, signups.c.confirmed_at.is_(None))
            .values(confirmed_at=now)
        )

    def forget(self, address: str) -> None:
        folded = fold_address(address)
        self._connection.execute(delete(signups).where(signups.c.address_folded == folded))

    def _first(self, statement: Any) -> Signup | None:
        row = self._reader.execute(statement).first()
        return None if row is None else _signup(row)


def _signup(row: AnyRow) -> Signup:
    return Signup(
        id=row.id,
        userid=row.userid,
        password_hash=row.password_hash,
        address=row.address,
        made_at=row.made_at,
        confirmed_at=row.confirmed_at,
        further=tuple(json.loads(row.further)),
    )
