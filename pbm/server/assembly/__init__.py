"""Assemble the server from its parts: the only place that knows every adapter.

Modules: `house` (the parts of a server, and how its database is opened), `robots` (what plays and
thinks by itself).
"""

from pbm.server.assembly.house import House, open_database

__all__ = ["House", "open_database"]
