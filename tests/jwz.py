"""Jamie Zawinski's threading, which most mail programs follow, and Gmail's narrower rule.

https://www.jwz.org/doc/threading.html; RFC 5256 has the same as REFERENCES. Only what decides
which mails stand together is here, not who stands below whom.
"""

import re
from collections.abc import Sequence
from email.message import EmailMessage

_PREFIX = re.compile(r"(?:(?:re|fwd?|aw|sv)(?:\[\d+\])?:\s*)+", re.IGNORECASE)
_ID = re.compile(r"<[^<>\s]+>")

Thread = list[EmailMessage]


def subject_of(mail: EmailMessage) -> str:
    """Return the subject without what replies put before it."""
    return _PREFIX.sub("", str(mail["Subject"] or ""), count=1).strip()


def named(mail: EmailMessage) -> list[str]:
    """Return the Message-IDs that a mail refers to: References, or else In-Reply-To."""
    return _ID.findall(str(mail["References"] or mail["In-Reply-To"] or ""))


def jwz_threads(mails: Sequence[EmailMessage]) -> list[Thread]:
    """Return the mails in threads: those linked by references, then those of one subject.

    References join all that they name, mails that nobody has included (steps 1 to 4). Of threads
    with the same subject, one that is no reply takes in the others (step 5).
    """
    above: dict[str, str] = {}

    def root(name: str) -> str:
        while above.get(name, name) != name:
            name = above[name]
        return name

    for mail in mails:
        chain = [*named(mail), str(mail["Message-ID"])]
        for name in chain[1:]:
            above[root(name)] = root(chain[0])
    by_root: dict[str, Thread] = {}
    for mail in mails:
        by_root.setdefault(root(str(mail["Message-ID"])), []).append(mail)
    by_subject: dict[str, Thread] = {}
    for thread in by_root.values():
        key = subject_of(thread[0]) or str(thread[0]["Message-ID"])
        by_subject.setdefault(key, []).extend(thread)
    return list(by_subject.values())


def gmail_threads(mails: Sequence[EmailMessage], most: int = 100) -> list[Thread]:
    """Return the mails in conversations as Gmail forms them.

    A mail joins one whose subject is the same, without prefixes, and that it shares an id with in
    its references. "A conversation breaks off into a new thread if its subject line changes or it
    has more than 100 mails" (https://support.google.com/mail/answer/5900).
    """
    threads: list[tuple[str, set[str], Thread]] = []
    for mail in mails:
        ids = {*named(mail), str(mail["Message-ID"])}
        for subject, known, thread in threads:
            if subject == subject_of(mail) and ids & known and len(thread) < most:
                known.update(ids)
                thread.append(mail)
                break
        else:
            threads.append((subject_of(mail), ids, [mail]))
    return [thread for _, _, thread in threads]
