"""Which keys have signed: their fingerprints, so that a lost key file is noticed."""

from datetime import datetime

from sqlalchemy import select

from pbm.store.dialects import in_each_dialect
from pbm.store.repository import Repository
from pbm.store.tables import token_keys

_ALL = select(token_keys.c.fingerprint).order_by(token_keys.c.id)

_ADD = in_each_dialect(
    token_keys, lambda start: start.on_conflict_do_nothing(index_elements=["fingerprint"])
)


class SqlTokenKeys(Repository):
    """`pbm.service.ports.TokenKeys`."""

    def all(self) -> tuple[str, ...]:
        return tuple(self._connection.scalars(_ALL))

    def add(self, fingerprint: str, now: datetime) -> None:
        row = {"fingerprint": fingerprint, "since": now}
        self._connection.execute(_ADD[self._connection.dialect.name], row)
