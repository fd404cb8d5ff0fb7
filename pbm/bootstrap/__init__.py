"""Assemble the server from its parts: the only place that knows every adapter.

Modules: `house` (the parts of a server), `databases` (how its database is opened), `robots` (what
plays and thinks by itself).
"""

from pbm.bootstrap.databases import prepare_database
from pbm.bootstrap.house import House

__all__ = ["House", "prepare_database"]
