"""The operator's view of a running server: traces in the log, incidents, metrics, health.

Nothing here changes what the server does, and no failure here reaches it.
"""
