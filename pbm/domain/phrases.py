"""The meaning of a line of plain words, and a move without the words around it.

A line is understood as a whole or not at all, so that nothing is done because of half a sentence.
`words` has the phrases.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from pbm.domain import words
from pbm.domain.words import Meaning, any_of
from pbm.engine import fold

LONGEST = 200
"""Characters of a line that can be understood; a longer one is prose."""

_SMILEY = r"(?<!\S)[:;=][-o']?[)(DPp](?!\S)"
"""A face made of signs."""

_FACE = " \u263a "

_MAIL_ADDRESS = re.compile(r"[^\s<>(),;:]+@[^\s<>(),;:]*\w")

_BETWEEN = re.compile(r"[.,;:!\u2026\u3002\u3001]+|\s-+\s|(?<=\?)")
"""The signs that divide a line into parts, each of which is looked up."""

_SENTENCES = re.compile(r"[.!\u3002]+\s+")

_AROUND = " \u00a1\u00bf*_~\"'()[]<>{}|#"

_MAY_BE_ASKED = frozenset(Meaning) - {Meaning.YES, Meaning.NO, Meaning.RESIGN, Meaning.SWAP}
"""Meanings that stay the same with a question mark; "yes?" and "swap?" mean nothing."""


_NAME = rf"(?!{any_of(words.NO_NAMES)}\b)[^\s\d]+"


def _phrases() -> Iterator[str]:
    """Yield a named pattern for each meaning."""
    more = {
        Meaning.POLITE: (
            f"{any_of(words.GREETINGS)}(?: {_NAME}){{0,2}}",
            rf"{any_of(words.POLITE_BEGINNINGS)}(?: [^\s\d]+){{1,4}}",
        ),
        Meaning.AWAY: (
            rf"{any_of(words.PHRASES[Meaning.AWAY])} {any_of(words.AWAY_UNTIL)}(?: \S+){{0,5}}",
        ),
    }
    for meaning, patterns in words.PHRASES.items():
        yield f"(?P<{meaning.name}>{any_of((*patterns, *more.get(meaning, ())))})"


_PHRASE = re.compile(
    f"(?:{any_of(words.LEADS)} )*?(?:{'|'.join(_phrases())})"
    f"(?: (?:{any_of(words.COURTESIES)}|then|now|too|sir))*"
)

_WEAK, _HELLO = re.compile(any_of(words.WEAK)), re.compile(any_of(words.HELLO))

_ABOUT_ADDRESS = re.compile(any_of(words.ABOUT_ADDRESS))


def meaning_of(line: str, names: Iterable[str] = ()) -> Meaning | None:
    """Return the meaning of `line`, or None if any part is unknown or two parts disagree.

    `names` are those of people who may be addressed.
    """
    if len(line) > LONGEST or is_quote(line):
        return None
    if address_in(line):
        return _about_address(line)
    line = re.sub(_SMILEY, _FACE, line)
    called, parts = {fold(name) for name in names}, _parts(line)
    if not parts:
        return Meaning.POLITE if any(unicodedata.category(c) == "So" for c in line) else None
    found = {Meaning.POLITE if part in called else _meaning(part) for part in parts}
    telling = found - {Meaning.POLITE}
    if len(telling) > 1:
        return None
    return telling.pop() if telling else Meaning.POLITE


def _parts(line: str) -> list[str]:
    return [part for part in map(_bare, _BETWEEN.split(fold(line))) if part]


def _bare(part: str) -> str:
    letters = "".join(c for c in part if unicodedata.category(c) not in ("So", "Sk", "Mn"))
    return letters.strip(_AROUND)


def _meaning(part: str) -> Meaning | None:
    if whole := _phrase(part):
        return whole
    plain = part.rstrip("? ")
    meaning = _phrase(plain) or _twice(plain)
    return meaning if plain == part or meaning in _MAY_BE_ASKED else None


def _phrase(said: str) -> Meaning | None:
    found = _PHRASE.fullmatch(said)
    return Meaning[found.lastgroup] if found and found.lastgroup else None


def _twice(said: str) -> Meaning | None:
    """Return YES or NO for "ok let's play", "no sorry" and the like, else None."""
    first, _, rest = said.partition(" ")
    meaning = _phrase(first)
    agrees = meaning in (Meaning.YES, Meaning.NO) and _phrase(rest) in (meaning, Meaning.POLITE)
    return meaning if agrees else None


def address_in(line: str) -> str:
    """Return the mail address in a line of plain words, or "" unless there is exactly one."""
    found = _MAIL_ADDRESS.findall(line)
    return str(found[0]) if len(found) == 1 else ""


_CHALLENGE = re.compile(
    r"(?:(?:i'd|i would) like to |i want to |can i |may i |let me |let's |please )?"
    r"play (?:(?!with |against )(?P<game>[\w' -]{1,40}?) )?(?:with |against )?"
    r"(?P<who>(?:(?:a|the) )?[\w.+@-]+\w)[.!?]*"
)


def challenge_in(line: str) -> tuple[str, str]:
    """Return the game, if any, and the opponent of "play GAME with SOMEBODY", or ("", "")."""
    found = _CHALLENGE.fullmatch(fold(line).strip()) if len(line) <= LONGEST else None
    return (found["game"] or "", found["who"]) if found else ("", "")


def _about_address(line: str) -> Meaning | None:
    """Return ADDRESS for "my new address is a@b.example", else None."""
    said = [word.strip(".,:;!") for word in fold(_MAIL_ADDRESS.sub(" ", line)).split()]
    rest = " ".join(word for word in said if word and not _ABOUT_ADDRESS.fullmatch(word))
    return Meaning.ADDRESS if _phrase(rest) is Meaning.ADDRESS else None


def opening_of(line: str, names: Iterable[str] = ()) -> Meaning | None:
    """Return the YES or NO that is the first sentence of `line`, whatever follows, else None."""
    first, *rest = _SENTENCES.split(line[:LONGEST], maxsplit=1)
    meaning = meaning_of(first, names) if rest else None
    return meaning if meaning in (Meaning.YES, Meaning.NO) else None


def greets(line: str) -> bool:
    """Return whether `line` begins with a greeting."""
    first = fold(line).partition(" ")[0]
    return _HELLO.fullmatch(_bare(first.strip(",.;:!-"))) is not None


def below_greeting(lines: Iterable[str]) -> list[str]:
    """Return the lines that are not blank, stripped, without a greeting above the others."""
    written = [line.strip() for line in lines if line.strip()]
    greeting = len(written) > 1 and greets(written[0]) and meaning_of(written[0]) is Meaning.POLITE
    return written[1:] if greeting else written


def is_weak(line: str) -> bool:
    """Return whether a YES in `line` counts only if nothing more is said."""
    parts = _parts(line)
    return bool(parts) and _WEAK.fullmatch(parts[0]) is not None


def says_more(line: str) -> bool:
    """Return whether `line` is more than one phrase, and so may be worth passing on."""
    return len(_parts(line)) > 1


_CORRECTION = re.compile(
    rf"\b(?:{any_of(words.CORRECTIONS)}\b|{any_of(words.OTHERWISE)}\W+(?=\w*\d))", re.IGNORECASE
)


def corrects(line: str) -> bool:
    """Return whether a move in `line` may be meant in place of one above it."""
    return not is_quote(line) and _CORRECTION.search(line.replace("\u2019", "'")) is not None


_SIGNS = " \t*_#\"'`\u00b4\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb()[]{}|"

_LAST_SIGNS = f"{_SIGNS}.,;:!\u3002"

_NUMBER = re.compile(r"\d{1,2}(?:\s?(?:\.{1,3}|\u2026|\)|:)\s*|\s+)(?=\S)")
"""The number of a move before it: "1. ", "12... ", "3) ", "4 ". Three digits could name a board."""

_SIGN = re.compile(
    rf"(?<=\w)[*_\"')]*\s*(?:[.,;!\u2026]+\s+|\s-+\s|(?=[\u2600-\u27bf\U0001f000-\U0001faff]|{_SMILEY}))"
)
"""A sign between a move and a courtesy; a picture of a face needs no sign before it."""

_BEHIND = re.compile(r"(.*\d\S*)\s[\s.,;:!\u2013\u2014-]*(\D+)")
"""The words behind the last one with a digit, and all before them."""

_BEFORE = re.compile(r"(\D*(?<!\S))(?=\S*\d)")

_DOUBT = frozenset("?\u00bf~\u2260\u00ac\u2718\u274c\U0001f44e\U0001f6ab")
"""Signs that may take back the move beside them."""

_PREFIX = re.compile(rf"{any_of(words.BEFORE_MOVES)}(?:\s*[:=,]\s*|\s+)", re.IGNORECASE)

_SUFFIX = re.compile(
    rf"(?:\s*[,.;:!\u2013\u2014-]+\s*|\s+){any_of((*words.COURTESIES, *words.AFTER_MOVES))}\Z",
    re.IGNORECASE,
)


_LOOKS = (
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
)
"""Letters of Cyrillic, and of Greek."""

_LIKE = "ABEKMHOPCTYXIJABEZHIKMNOPTYX"
"""The Latin ones that these look like on the keys."""

_LOOK_ALIKES = str.maketrans(_LOOKS + _LOOKS.lower(), _LIKE + _LIKE.lower())


def is_quote(line: str) -> bool:
    """Return whether a line of the text quotes others; it asks for nothing."""
    return line.lstrip().startswith(">")


def unwrapped(line: str) -> Iterator[str]:
    """Yield the texts in `line` that may be a move: the line, then with ever less around it.

    Only known words and signs are taken away, at both ends and never within, and letters are
    replaced by Latin ones that look like them. The game decides whether the rest is a move.
    """
    yield line
    if len(line) > LONGEST:
        return
    seen = {line}
    line = line if line.isascii() else line.translate(_LOOK_ALIKES)
    before, remark = split_remark(line)
    line = before if remark else line
    for step in (
        str,
        _without_greeting,
        _without_suffix,
        _without_prefix,
        _without_number,
        _without_prefix,
    ):
        line = step(line).lstrip(_SIGNS).rstrip(_LAST_SIGNS)
        if line and line not in seen:
            seen.add(line)
            yield line


def split_remark(line: str) -> tuple[str, str]:
    """Return a line without the courtesy at its end, and it: ("G7", "good luck!") or (line, "")."""
    if len(line) > LONGEST:
        return line, ""
    if (found := _SIGN.search(line)) and meaning_of(line[found.end() :]) is Meaning.POLITE:
        return line[: found.start()], line[found.end() :]
    found = None if _SUFFIX.search(line) else _BEHIND.fullmatch(line)
    polite = found is not None and meaning_of(found[2]) is Meaning.POLITE
    return (found[1], found[2]) if found and polite else (line, "")


def _without_greeting(line: str) -> str:
    found = _BEFORE.match(line)
    before = found[1].strip() if found else ""
    if found is None or not before or before[-1].isalnum() or not _DOUBT.isdisjoint(before):
        return line
    said = any(map(str.isalnum, before))
    polite = not said or meaning_of(before.rstrip(":")) is Meaning.POLITE
    return line[found.end() :] if polite else line


def _without_suffix(line: str) -> str:
    found = _SUFFIX.search(line.replace("\u2019", "'"))
    return line[: found.start()] if found and found.start() else line


def _without_prefix(line: str) -> str:
    found = _PREFIX.match(line.replace("\u2019", "'"))
    return line[found.end() :] if found else line


def _without_number(line: str) -> str:
    found = _NUMBER.match(line)
    return line[found.end() :] if found else line
