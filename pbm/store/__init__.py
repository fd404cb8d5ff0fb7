"""The store: SQLite or PostgreSQL behind SQLAlchemy Core, one module for each subject.

database.py    opens a database; dialects.py has what differs between the two
tables.py      the tables; migrations must lead to the same, which `pbm db check` proves
unit.py        the unit of work: one transaction with every repository
batch.py       the unit of work of many mails, which reads ahead and writes behind
statements.py  statements that are built once; on PostgreSQL they go together (pipeline.py)
intake.py      where mails come in, in the order of fair_queue.py
waking.py      a commit wakes the processes that have work now
copies.py      backups, restores, and a copy into PostgreSQL

The other modules are repositories: inbox, outbox, matches, lists, plans, players, people, robots,
time, operator, personal.
"""
