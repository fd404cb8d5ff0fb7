"""The subject as its sender wrote it, without what clients and gateways put before it."""

import re

from pbm.mail.reading.phrases import ANSWERED, WARNED


def _one_of(phrases: tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, phrases), reverse=True))


_COUNT = r"(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})"

# A tag names no number, so that "[Gonnect 104]" is never one; a spam filter may add its score.
_PREFIX = re.compile(
    rf"\s*+(?:(?:{_one_of((*ANSWERED, *WARNED))})\s?{_COUNT}?\s?[:\uff1a]"
    rf"|\[(?:{_one_of(WARNED)})(?:[ :]{{1,2}}\d{{1,3}}\.\d{{1,2}})?\]:?"
    rf"|\{{(?:{_one_of(WARNED)})\}}:?"
    rf"|\*{{1,8}}\s?(?:{_one_of(WARNED)})\s?\*{{1,8}}:?)",
    re.IGNORECASE,
)


def without_prefixes(subject: str) -> str:
    """Return `subject` without any leading "Re:", "AW:", "[EXT]", "***SPAM***" and the like.

    Prefixes in all languages of the table are removed, in any number and order. Our own "[GAME
    NUMBER]" stays, because a gateway's tag is removed only if the table knows it.
    """
    at = 0
    while prefix := _PREFIX.match(subject, at):
        at = prefix.end()
    return subject[at:].strip()
