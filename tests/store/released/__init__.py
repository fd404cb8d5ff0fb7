"""Data of earlier versions of pbm: a JSON file for each revision of the database, and a key.

Each was written by the last commit of its revision, at the door that operators use: an open match,
a mail that waits to be played, and a mail that waits for the relay. Before a migration is added,
the version that is about to become the earlier one writes its own: python -m tests.store.released
"""
