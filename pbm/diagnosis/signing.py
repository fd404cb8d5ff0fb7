"""Check of the key that signs mails."""

from pbm import dkim
from pbm.config import Settings
from pbm.diagnosis.verdict import Verdict, fail, mode_of, ok


def dkim_key(settings: Settings) -> Verdict:
    """Check that the DKIM key can sign, and that only its owner can read it."""
    path = settings.dkim_key
    if path is None:
        return ok("pbm signs no mails: the relay does, or nobody")
    try:
        key = dkim.load(path)
    except dkim.DkimError as error:
        return fail(str(error).rstrip("."))
    if mode_of(path) & 0o077:
        return fail(f"others can read {path}, and sign in your name: chmod 600 {path}")
    name = dkim.record_name(settings.dkim_selector, settings.domain)
    return ok(f"{path} signs by {key.algorithm}; pbm dkim show prints the record of {name}")
