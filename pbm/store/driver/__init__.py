"""The way to SQLite and PostgreSQL, which names no table.

database.py  opens a database; dialects.py has what differs between the two
sqlite.py    the one writer of a file, which stays the same while it is open
waking.py    a commit wakes the processes that have work now
"""
