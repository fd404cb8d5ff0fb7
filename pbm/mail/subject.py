"""The subject without what mail clients put before it."""

import re

_PREFIXES = (  # noqa: SIM905 - a list of forty quoted words reads worse
    # English, Latin, French, Spanish, Portuguese, Italian
    "re res ref ré rép fwd fw tr rv enc rif "
    # German, Dutch, Swedish, Danish, Norwegian, Finnish
    "aw wg antw antwort doorst sv vs vb vl videresendt vidarebefordrat "
    # Polish, Hungarian, Turkish
    "odp pd vá ynt ilt i̇lt "
    # Chinese, Japanese, Korean
    "回复 回覆 答复 答覆 转发 轉寄 轉發 返信 転送 회신 답장 전달"
).split()
_PREFIX = re.compile(
    rf"\s*+(?:{'|'.join(sorted(map(re.escape, _PREFIXES), reverse=True))})"
    r"\s?(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s?[:\uff1a]",
    re.IGNORECASE,
)


def without_prefixes(subject: str) -> str:
    """Return `subject` without any number of "Re:", "AW:", "RE[2]:" and their kin.

    In any language of the table, and with a full-width colon as well.
    """
    at = 0
    while prefix := _PREFIX.match(subject, at):
        at = prefix.end()
    return subject[at:].strip()
