"""What a line of plain words means, and a move without the words around it.

These are tables: what stands in none of them means nothing here. A line is understood as a whole
or not at all, so that nothing is done because of half of a sentence.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto

from pbm.domain.phrases import needs, questions, words
from pbm.engine import fold

LONGEST = 200
"""Characters of a line that can be understood; a longer one is prose."""


SMILEY = r"(?<!\S)[:;=][-o']?[)(DPp](?!\S)"
"""A face made of signs."""

_SMILEY = re.compile(SMILEY)

_FACE = " \u263a "


class Meaning(Enum):
    """What a line of plain words says."""

    YES = auto()
    NO = auto()
    POLITE = auto()
    """It asks nothing and answers nothing: thanks, a greeting, a wish."""
    RESIGN = auto()
    SWAP = auto()
    DRAW = auto()
    UNDO = auto()
    AGAIN = auto()
    STOP = auto()
    HELP = auto()
    RULES = auto()
    SHOW = auto()
    ROBOT = auto()
    HINT = auto()
    ANALYSE = auto()
    GAMES = auto()
    AWAY = auto()
    FORGOT = auto()
    ADDRESS = auto()
    OPPONENT = auto()
    LIST = auto()
    LOOK = auto()


_TABLES: Mapping[Meaning, tuple[str, ...]] = {
    Meaning.YES: words.YES,
    Meaning.NO: words.NO,
    Meaning.POLITE: words.POLITE,
    Meaning.RESIGN: words.RESIGN,
    Meaning.SWAP: words.SWAP,
    Meaning.DRAW: words.DRAW,
    Meaning.UNDO: words.UNDO,
    Meaning.AGAIN: words.AGAIN,
    Meaning.STOP: words.STOP,
    Meaning.HELP: questions.HELP,
    Meaning.RULES: questions.RULES,
    Meaning.SHOW: questions.SHOW,
    Meaning.ROBOT: words.ROBOT,
    Meaning.HINT: questions.HINT,
    Meaning.ANALYSE: questions.ANALYSE,
    Meaning.GAMES: needs.GAMES,
    Meaning.AWAY: needs.AWAY,
    Meaning.FORGOT: needs.FORGOT,
    Meaning.ADDRESS: needs.ADDRESS,
    Meaning.OPPONENT: needs.OPPONENT,
    Meaning.LIST: questions.LIST,
    Meaning.LOOK: needs.LOOK,
}

_MEANINGS: Mapping[str, Meaning] = {
    fold(phrase): meaning for meaning, phrases in _TABLES.items() for phrase in phrases
}

_MAY_BE_ASKED = frozenset(
    {Meaning.DRAW, Meaning.UNDO, Meaning.AGAIN, Meaning.HELP, Meaning.RULES, Meaning.SHOW}
    | {Meaning.POLITE, Meaning.STOP, Meaning.ROBOT, Meaning.HINT, Meaning.ANALYSE}
    | {Meaning.GAMES, Meaning.AWAY, Meaning.FORGOT, Meaning.OPPONENT}
    | {Meaning.LIST}
)
"""What means the same with a question mark behind it; "yes?" and "swap?" do not."""

_MAIL_ADDRESS = re.compile(r"[^\s<>(),;:]+@[^\s<>(),;:]*\w")

_BETWEEN = re.compile(r"[.,;:!\u2026\u3002\u3001]+|\s-+\s|(?<=\?)")
"""What divides a line into parts, each of which is looked up."""

_SENTENCES = re.compile(r"[.!\u3002]+\s+")

_AROUND = " \u00a1\u00bf*_~\"'()[]<>{}|#"

_BEFORE = (
    "oh ",
    "oops ",
    "sorry ",
    "hey ",
    "hmm ",
    "well ",
    "ah ",
    "so ",
    "then ",
    "and ",
    "please ",
    "bitte ",
    "por favor ",
)
_AFTER = tuple(
    f" {word}"
    for word in (
        *("please", "pls", "thanks", "thank you", "thx", "then", "now", "too", "sir", "danke"),
        *("bitte", "merci", "svp", "stp", "s'il te plaît", "s'il vous plaît", "gracias"),
        *("por favor", "grazie", "per favore", "obrigado", "obrigada", "dank je", "dank u"),
        *(
            "bedankt",
            "alsjeblieft",
            "tack",
            "takk",
            "tak",
            "kiitos",
            "dzięki",
            "dziękuję",
            "proszę",
        ),
        *("děkuji", "díky", "prosím", "köszönöm", "спасибо", "пожалуйста", "дякую", "будь ласка"),
        *("teşekkürler", "lütfen", "ευχαριστώ", "παρακαλώ"),
    )
)
"""Words that may stand before and after a phrase without changing it."""

_MOST_WORDS = 5

_NO_NAMES = frozenset({"but", "no", "not", "yes", "ok", "if", "and", "or", "i", "you", "move"})
"""What stands after a greeting and is no name."""

_POLITE = Meaning.POLITE


def meaning_of(line: str, names: Iterable[str] = ()) -> Meaning | None:
    """Return what `line` says; None if any part of it stands in no table, or if two disagree.

    `names` are those of people who may be addressed.
    """
    if len(line) > LONGEST:
        return None
    if address_in(line):
        return _about_address(line)
    line = _SMILEY.sub(_FACE, line)
    called = {fold(name) for name in names}
    parts = [part for part in map(_bare, _BETWEEN.split(fold(line))) if part]
    if not parts:
        return Meaning.POLITE if any(unicodedata.category(c) == "So" for c in line) else None
    found = {Meaning.POLITE if part in called else _meaning(part) for part in parts}
    telling = found - {Meaning.POLITE}
    if len(telling) > 1:
        return None
    return telling.pop() if telling else Meaning.POLITE


def address_in(line: str) -> str:
    """Return the mail address that a line of plain words holds; "" if it holds none, or several."""
    found = _MAIL_ADDRESS.findall(line)
    return str(found[0]) if len(found) == 1 else ""


def _about_address(line: str) -> Meaning | None:
    """Return ADDRESS for "my new address is a@b.example", else None."""
    said = [word.strip(".,:;!") for word in fold(_MAIL_ADDRESS.sub(" ", line)).split()]
    words = [word for word in said if word not in needs.ABOUT_ADDRESS]
    is_meant = _MEANINGS.get(" ".join(words).removeprefix("my ")) is Meaning.ADDRESS
    return Meaning.ADDRESS if is_meant else None


def opening_of(line: str, names: Iterable[str] = ()) -> Meaning | None:
    """Return the YES or NO that is the first sentence of `line`, whatever follows; else None."""
    first, *rest = _SENTENCES.split(line[:LONGEST], maxsplit=1)
    meaning = meaning_of(first, names) if rest else None
    return meaning if meaning in (Meaning.YES, Meaning.NO) else None


def greets(line: str) -> bool:
    """Return whether `line` begins with a greeting."""
    return any(_bare(word.strip(",.;:!-")) in words.HELLO for word in fold(line).split()[:1])


def below_greeting(lines: Iterable[str]) -> list[str]:
    """Return the lines that hold something, stripped, without a greeting above the others."""
    written = [line.strip() for line in lines if line.strip()]
    greeting = len(written) > 1 and greets(written[0]) and meaning_of(written[0]) is Meaning.POLITE
    return written[1:] if greeting else written


def is_weak(line: str) -> bool:
    """Return whether a YES in `line` is one only if nothing more is said."""
    parts = [part for part in map(_bare, _BETWEEN.split(fold(line))) if part]
    return bool(parts) and parts[0] in words.WEAK


def says_more(line: str) -> bool:
    """Return whether `line` is more than one phrase, and so may be worth passing on."""
    return sum(1 for part in map(_bare, _BETWEEN.split(fold(line))) if part) > 1


def _bare(part: str) -> str:
    letters = "".join(c for c in part if unicodedata.category(c) not in ("So", "Sk", "Mn"))
    return letters.strip(_AROUND)


def _meaning(part: str) -> Meaning | None:
    if part in _MEANINGS:
        return _MEANINGS[part]
    if any(map(str.isdigit, part)):
        return _absence(part)  # as in most moves, and in no phrase
    plain = part.rstrip("? ")
    for phrase in _without_courtesies(plain):
        found = _MEANINGS.get(phrase) or _kindness(phrase) or _absence(phrase)
        meaning = found or _twice(phrase)
        if meaning is not None and (plain == part or meaning in _MAY_BE_ASKED):
            return meaning
    return None


def _twice(phrase: str) -> Meaning | None:
    """Return YES or NO for "ok let's play", "no sorry" and the like, else None."""
    first, _, rest = phrase.partition(" ")
    meaning = _MEANINGS.get(first)
    agrees = meaning in (Meaning.YES, Meaning.NO) and _MEANINGS.get(rest) in (meaning, _POLITE)
    return meaning if agrees else None


def _without_courtesies(phrase: str) -> Iterator[str]:
    """Yield the phrase, and it without a word of courtesy at its end, at its beginning, at both."""
    yield phrase
    shorter = next((phrase.removesuffix(w) for w in _AFTER if phrase.endswith(w)), phrase)
    yield shorter
    for whole in (phrase, shorter):
        yield next((whole.removeprefix(w) for w in _BEFORE if whole.startswith(w)), whole)


def _absence(phrase: str) -> Meaning | None:
    """Return AWAY for "i am on vacation next week" and "pause my games until monday", else None."""
    for until in needs.AWAY_UNTIL:
        said, found, more = phrase.partition(f" {until}")
        if found and said in needs.AWAY and len(more.split()) <= _MOST_WORDS:
            return Meaning.AWAY
    return None


def _kindness(phrase: str) -> Meaning | None:
    """Return POLITE for "thanks for the game" and "hello bob", else None."""
    said = phrase.split()
    for length in (1, 2):
        first, rest = " ".join(said[:length]), len(said) - length
        if first in words.GREETINGS and 1 <= rest <= 2 and _NO_NAMES.isdisjoint(said[length:]):
            return Meaning.POLITE
    for beginning in words.POLITE_BEGINNINGS:
        if phrase.startswith(f"{beginning} "):
            return Meaning.POLITE if len(said) <= _MOST_WORDS + 2 else None
    return None
