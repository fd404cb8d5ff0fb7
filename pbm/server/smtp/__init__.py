"""Intake: takes mails by SMTP or LMTP, and promises "250" only for what is stored.

    listening(ListenerSettings(...), put, accepts, on_stored=..., now=...)

is all that `pbm serve` needs; leaving the block is the orderly stop.
"""

from pbm.server.smtp.connections import Network, SmtpLimits, read_network
from pbm.server.smtp.server import Certificate, Listener, ListenerSettings, listening

__all__ = [
    "Certificate", "Listener", "ListenerSettings", "Network", "SmtpLimits", "listening",
    "read_network",
]  # fmt: skip
