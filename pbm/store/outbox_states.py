"""The states of a mail in the outbox."""

WAITING, SENT, DEAD = "waiting", "sent", "dead"
"""It is due at its next try or leased; the relay has it; it was given up."""
