"""The web pages: static files of matches, players and games, written beside the server.

Nothing here listens, and nothing is written to the database.
"""
