"""The store: one transaction at a time over SQLite or PostgreSQL, by SQLAlchemy Core.

engine.py    how a database is opened, and what its errors mean to the callers
tables.py    the tables; migrations/ must lead to the same, which `pbm db check` proves
unit.py      SqlUnitOfWork, the transaction with every repository
upsert.py    INSERT ... ON CONFLICT, made once for each of the two databases
inbox.py     the inbox from both ends, intake's and play's, and the shunt
schema.py    migrations and their check
backup.py    a copy of a SQLite database, and back
"""
