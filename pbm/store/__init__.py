"""The store: one transaction at a time over SQLite or PostgreSQL, with SQLAlchemy Core.

engine.py    how a database is opened, and what its errors mean to the callers
queue.py     the queue of the threads that write to SQLite
tables.py    the tables; migrations/ must lead to the same, which `pbm db check` proves
columns.py   the types of columns in which the two databases differ
upsert.py    INSERT ... ON CONFLICT, made once for each of the two databases
asking.py    statements past SQLAlchemy; PostgreSQL's go together (pipeline.py, libpq.py)
unit.py      SqlUnitOfWork, the transaction with every repository
pruning.py   what is deleted in the course of time
schema.py    migrations and their check
backup.py    SQLite databases copied and restored

The others are the repositories, each named after its port in pbm.service.ports: players,
signups, errands, ratings, wishes, followers, matches (with listing), invitations, plans, pauses,
pulses, statistics, inbox (from both ends, intake's and play's, with the shunt) and outbox.
"""
