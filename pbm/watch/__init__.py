"""What the operator sees of a running server: the log, the figures, the state.

Nothing here changes what the server does, and no failure here reaches it.
"""
