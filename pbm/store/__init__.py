"""The store: SQLite or PostgreSQL behind SQLAlchemy Core, one module for each subject.

driver         the way to either, which names no table
tables.py      the tables; migrations must lead to the same, which `pbm db check` proves
unit.py        the unit of work: one transaction with every repository
batch.py       the unit of work of many mails, which reads ahead and writes behind
intake.py      where mails come in, each into its slot (pbm.domain.fair_queue)
copies.py      backups, restores, and a copy into PostgreSQL

The other modules are repositories, each with its rows: inbox, outbox, matches and match_reading,
ratings, plans, players, people, robots, time, operator, personal.
"""
