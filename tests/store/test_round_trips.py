"""What a server that looks for work now and then asks of PostgreSQL."""

import pytest
from sqlalchemy import Engine, text

from pbm.store.batch import SqlBatch, claims_for
from pbm.store.engine import create_engine
from pbm.store.unit import SqlUnitOfWork

pytestmark = pytest.mark.postgres

_PREPARED = text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%FROM inbox%'")


def look(engine: Engine) -> None:
    """Look for mails to be played, and for what a mail has begun, in vain."""
    with SqlBatch(engine, claims_for(engine)) as batch:
        assert batch.claim(64) == ()
    with SqlUnitOfWork(engine, write=False) as unit:
        assert not unit.sequels.wait()


def test_statements_stay_prepared_while_nothing_is_to_be_done(postgres_engine: Engine) -> None:
    engine = create_engine(postgres_engine.url.render_as_string(hide_password=False))
    for _ in range(7):  # psycopg prepares what it has run five times
        look(engine)
    with engine.connect() as connection:
        assert connection.scalar(_PREPARED) == 1
    engine.dispose()
