"""Data of released versions of pbm: a JSON file for the revision of each one's database, and a key.

Each was written at the door that operators use: an open match, a mail that waits to be played, and
a mail that waits for the relay. After a release, before the next migration is added, that version
writes its own: python -m tests.store.released
"""
