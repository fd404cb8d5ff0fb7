"""The store: one transaction at a time over SQLite or PostgreSQL, by SQLAlchemy Core.

engine.py    how a database is opened, and what its errors mean to the callers
tables.py    the tables; migrations/ must lead to the same, which `pbm db check` proves
columns.py   the types of columns in which the two databases differ
upsert.py    INSERT ... ON CONFLICT, made once for each of the two databases
unit.py      SqlUnitOfWork, the transaction with every repository
schema.py    migrations and their check
backup.py    a copy of a SQLite database, and back

The others are the repositories, each named after its port in pbm.service.ports: players,
signups, errands, ratings, wishes, followers, matches (with listing), invitations, intentions,
inbox (from both ends, intake's and play's, with the shunt) and outbox.
"""
