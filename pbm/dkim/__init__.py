"""DKIM: a signature under each mail that leaves, by a key whose other half is in the DNS.

RFC 6376; Ed25519 RFC 8463.

`keys` has the key file and the DNS record, `signature` what is put on top of a mail.
"""

from pbm.dkim.keys import (
    ALGORITHMS,
    DkimError,
    SigningKey,
    create,
    load,
    record,
    record_fault,
    record_name,
    zone_line,
)
from pbm.dkim.signature import Signer

__all__ = [
    "ALGORITHMS",
    "DkimError",
    "Signer",
    "SigningKey",
    "create",
    "load",
    "record",
    "record_fault",
    "record_name",
    "zone_line",
]
