"""Assemble the server from its parts: the only place that knows every adapter.

Modules: `app` (the parts of a server), `database` (how it is opened), `robots` (what plays and
thinks by itself).
"""

from pbm.server.assembly.app import App
from pbm.server.assembly.database import open_database

__all__ = ["App", "open_database"]
