"""The features: each module has the commands and mails about one thing.

A command is a function with the decorator `pbm.core.command.command`; a mail is a letter, which
names a template of `templates/FEATURE/`. Features build on the core, pbm.core, and may import
each other.
"""

ORDER = (
    "help", "boards", "signups", "accounts", "leaving", "settings", "vacations", "invitations",
    "robots", "turns", "offers", "extra_time", "results", "learning", "talk", "following", "quiet",
    "people", "seeks", "leagues", "plans",
)  # fmt: skip
"""The features in the order in which help lists their commands; any others follow these."""
