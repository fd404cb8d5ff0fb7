"""The unit of work of a whole batch of mails: it reads ahead and writes behind.

What the mails of a batch will ask for is read in a handful of statements, before the first of
them is played. What they save is kept in memory, and written in a handful of statements at the
commit. On SQLite nothing is locked until then, so intake never waits for play.
"""

from pbm.store.batch.unit import SqlBatch

__all__ = ["SqlBatch"]
