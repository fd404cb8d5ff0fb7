"""What the mails about seeks say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.periods import SEEK_LASTS
from pbm.mail.writing.wording import Wording, typed_terms
from pbm.service.notices.wishes import SeekClosed


@dataclass(frozen=True, slots=True)
class SeekClosedMail:
    """`matches` is how many the reader still wanted; `line` seeks them again."""

    template: ClassVar[str] = "wishes/closed.txt.j2"
    reader: str
    title: str
    matches: str
    days: int
    line: str


def _seek(notice: SeekClosed, _address: str) -> Wording:
    seek, game = notice.seek, notice.game
    line = " ".join([game.info.key, "seek", str(seek.count), *typed_terms(seek, game)])
    matches = "one match" if seek.count == 1 else f"{seek.count} matches"
    context = SeekClosedMail(notice.to.userid, game.info.title, matches, SEEK_LASTS.days, line)
    return Wording(f"Your seek of {game.info.title} is closed", context, answer=False)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    SeekClosed: _seek,
}
"""What is said for each kind of notice of wishes."""
