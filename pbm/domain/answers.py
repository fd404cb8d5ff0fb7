"""What people answer when a mail asks them for a yes or a no."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from pbm.engine import fold


class Answer(Enum):
    """What a reply says. Only a yes does anything; words that are neither do nothing."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


ASKING_LASTS = timedelta(days=1)
"""How long a mailbox that has said no may get mails after a signup from there."""

ASKING_AGAIN = timedelta(days=30)
"""The time between two such signups; anybody can forge one."""


@dataclass(frozen=True, slots=True)
class Declined:
    """A mailbox that has said no; `proven` if in reply to a mail that only the mailbox got.

    Since a signup came from there after all, it may get mails until `asking_until`, and no other
    signup is heard until `asking_again`.
    """

    proven: bool
    asking_until: datetime | None = None
    asking_again: datetime | None = None

    def is_silent(self, now: datetime) -> bool:
        """Return whether nothing may be written there."""
        return self.asking_until is None or now > self.asking_until

    def asking(self, now: datetime) -> "Declined | None":
        """Return what a signup from there, which nothing proves, makes of it.

        None: anybody could have forged the no as well, so it no longer holds.
        """
        if not self.proven:
            return None
        if self.asking_again is not None and now < self.asking_again:
            return self
        return replace(self, asking_until=now + ASKING_LASTS, asking_again=now + ASKING_AGAIN)


_YES = (
    "yes", "yep", "yeah", "ok", "okay", "confirm", "confirmed", "i confirm",
    "ja", "jawohl", "jep", "best\u00e4tigt", "ich best\u00e4tige", "oui", "je confirme", "si",
    "s\u00ed", "confirmo", "confirmado", "sim", "confermo", "ik bevestig", "tak", "ano", "da",
    "\u0434\u0430", "kyll\u00e4", "igen", "evet", "\u306f\u3044", "\u662f", "\u597d",
)  # fmt: skip
"""Words that say yes, alone or before some of `_AFTER_YES`: "Yes, who is this?" does not."""

_AFTER_YES = (
    *_YES, "please", "bitte", "gerne", "graag", "alstublieft", "alsjeblieft", "svp",
    "s'il vous pla\u00eet", "s'il te pla\u00eet", "por favor", "per favore",
    "thanks", "thank you", "danke", "merci", "gracias", "grazie", "bedankt", "dank je",
    "it was me", "that was me", "it's me", "it is me", "that's me", "this is me", "i did",
    "open it", "open the account", "open my account", "please open it", "go ahead", "of course",
    "das war ich", "ich war das", "ich war es", "ich war's", "das bin ich", "ich bin's",
    "c'est moi", "c'\u00e9tait moi", "c'est bien moi", "fui yo", "soy yo", "he sido yo", "claro",
    "dat was ik", "dat ben ik", "ik was het", "sono io", "sono stato io", "sono stata io",
)  # fmt: skip
"""What may stand behind a yes and takes nothing of it back."""

_NO = (
    "no", "nope", "nein", "non", "nee", "nej", "nei", "nie", "ne", "n\u00e3o",
    "\u043d\u0435\u0442", "ei", "nem", "hay\u0131r", "\u3044\u3044\u3048",
)  # fmt: skip
"""Words that say no, alone or before a sign or one of the words of `_AFTER_NO`: "No idea" may be
a question."""

_AFTER_NO = (
    "no", "not", "thanks", "thank", "danke", "merci", "gracias", "grazie", "please", "bitte",
    "it", "that", "this", "i", "never",
)  # fmt: skip

_REFUSALS = (
    "stop", "unsubscribe", "remove", "remove me", "cancel", "opt out", "leave me alone",
    "not me", "wasn't me", "was not me", "i did not sign up", "i didn't sign up", "not interested",
)  # fmt: skip
"""What says no at the beginning of a line, whatever follows."""

_BEFORE_REFUSAL = r"(?:please |(?:it|that|this) )?"

_SAYS_NO = re.compile(
    rf"{_BEFORE_REFUSAL}(?:{'|'.join(map(re.escape, _REFUSALS))})\b"
    rf"|(?:{'|'.join(_NO)})(?:$|\s*[.,;:!?-]| (?:{'|'.join(_AFTER_NO)})\b)"
)
_SAYS_YES = re.compile(
    rf"(?:{'|'.join(map(re.escape, map(fold, _YES)))})"
    rf"(?:[\s.,;:!-]+(?:{'|'.join(map(re.escape, map(fold, _AFTER_YES)))})(?!\w))*+"
)
_AROUND = " .,;:!*_\"'()<>"


def read_answer(line: str, name: str = "") -> Answer:
    """Return what `line`, the first of a reply, says; `name`, if there is one, says yes as well."""
    said = fold(line).strip(_AROUND)
    if _SAYS_NO.match(said):
        return Answer.NO
    if _SAYS_YES.fullmatch(said) or (name and said == fold(name)):
        return Answer.YES
    return Answer.UNCLEAR
