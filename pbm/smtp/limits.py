"""How much one client may ask of the listener."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SmtpLimits:
    """The bounds of taking mails in. Each value holds for one session unless its name says more.

    message_bytes           of a mail as it is stored; larger is 552, and SIZE says so beforehand
    discarded_bytes         of a DATA too large that are read and thrown away, so that its sender
                            hears the 552 in order; beyond them the connection is closed
    command_bytes           of a command line with its parameters (RFC 3461 section 4 adds 500)
    recipients              of a mail; the next ones are 452 (RFC 5321 section 4.5.3.1.8 asks 100)
    received_headers        of a mail; more is a loop
    connections             of strangers, open at a time, all listeners together
    connections_for_relays  more than these, kept free for LMTP and the relays of ours
    connections_per_peer    of strangers, from one IPv4 address or one IPv6 /64
    connections_per_network of strangers, from one IPv4 /24 or one IPv6 /48
    commands_between_mails  without a mail taken: ends NOOP for ever
    errors                  replies of 4xx and 5xx, too many recipients not counted
    idle_seconds            without a command (RFC 5321 section 4.5.3.2.7 asks 300)
    session_seconds         from the greeting; a mail on its way is still taken
    data_grace_seconds      before the data rate counts
    data_bytes_per_second   that DATA must reach on average
    linger_seconds          that a client has to read our last words
    proxy_seconds           for the PROXY header, where one is demanded
    drain_seconds           for mails on their way when the server stops
    group_mails             in one commit
    """

    message_bytes: int = 1024 * 1024
    discarded_bytes: int = 32 * 1024 * 1024
    command_bytes: int = 2048
    recipients: int = 100
    received_headers: int = 50
    connections: int = 256
    connections_for_relays: int = 64
    connections_per_peer: int = 80
    connections_per_network: int = 120
    commands_between_mails: int = 300
    errors: int = 20
    idle_seconds: float = 300.0
    session_seconds: float = 1800.0
    data_grace_seconds: float = 60.0
    data_bytes_per_second: float = 1000.0
    linger_seconds: float = 5.0
    proxy_seconds: float = 5.0
    drain_seconds: float = 1.0
    group_mails: int = 64
