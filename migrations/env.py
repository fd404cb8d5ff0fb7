"""Run by alembic for `pbm db upgrade`: the connection comes with its transaction begun."""

from alembic import context

from pbm.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite changes a table by rebuilding it.
    render_as_batch=True,
    compare_type=True,
)
context.run_migrations()
