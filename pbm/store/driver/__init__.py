"""The way to SQLite and PostgreSQL, which names no table.

database.py    opens a database; dialects.py has what differs between the two
statements.py  statements that are built once; on PostgreSQL they go together (pipeline.py)
waking.py      a commit wakes the processes that have work now
"""
