"""A move without the words and signs that people put around it."""

import re
from collections.abc import Iterator

from pbm.domain.phrases import LONGEST, SMILEY, Meaning, meaning_of

_PREFIXES = (
    "i'll play", "i will play", "i'd like to play", "i would like to play",
    "i want to play", "i choose to play", "i play", "i'll take", "i will take", "i take",
    "i choose", "i'll go", "i will go", "i go", "i move", "i'll move", "i will move", "i place",
    "i put", "i drop", "i answer", "i reply", "i", "my move is", "my next move is", "my answer is",
    "my reply is", "my move", "my next move", "next move", "move", "play", "let's play",
    "here is my move", "here's my move", "ok", "okay",
    "ich spiele", "ich ziehe", "ich setze", "ich nehme", "mein zug", "mein zug ist", "zug",
    "je joue", "mon coup", "juego", "mi jugada", "mi jugada es", "gioco", "la mia mossa",
    "eu jogo", "jogo", "jogada", "minha jogada", "ik speel", "mijn zet", "mijn zet is", "zet",
    "jag spelar", "mitt drag", "drag", "jeg spiller", "mitt trekk", "mit træk", "pelaan",
    "siirtoni", "gram", "mój ruch", "ruch", "hraji", "hraju", "můj tah", "tah", "hrám",
    "lépésem", "lépek", "хожу", "мой ход", "ход", "мій хід", "хід", "oynuyorum", "hamlem",
    "παίζω", "η κίνησή μου",
)  # fmt: skip
"""What may stand before a move, with or without a colon."""

_SUFFIXES = (
    "please", "pls", "thanks", "thank you", "thx", "bitte",
    "danke", "s'il te plaît", "s'il vous plaît", "svp", "stp", "merci", "por favor", "gracias",
    "per favore", "grazie", "obrigado", "obrigada", "alsjeblieft", "graag", "bedankt", "tack",
    "takk", "tak", "kiitos", "proszę", "dzięki", "prosím", "díky", "köszönöm", "пожалуйста",
    "спасибо", "будь ласка", "дякую", "lütfen", "teşekkürler", "παρακαλώ", "ευχαριστώ",
)  # fmt: skip
"""What may stand after a move, with or without a comma."""

_SIGNS = " \t*_~\"'`\u00b4\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb()[]{}|"

_LAST_SIGNS = f"{_SIGNS}.,;!\u3002"

_NUMBER = re.compile(r"\d{1,2}\s?(?:\.{1,3}|\u2026|\)|:)\s*(?=\S)")
"""The number of a move before it: "1. ", "12... ", "3) ". Three digits could name a board."""

_SIGN = re.compile(
    rf"(?<=\w)[*_\"')]*\s*(?:[.,;!\u2026]+\s+|\s-+\s|(?=[\u2600-\u27bf\U0001f000-\U0001faff]|{SMILEY}))"
)
"""What stands between a move and a courtesy; a picture of a face needs nothing before it."""

_PREFIX = re.compile(
    rf"(?:{'|'.join(sorted(map(re.escape, _PREFIXES), key=len, reverse=True))})(?:\s*[:=,]\s*|\s+)",
    re.IGNORECASE,
)

_SUFFIX = re.compile(
    rf"(?:\s*,\s*|\s+)(?:{'|'.join(sorted(map(re.escape, _SUFFIXES), key=len, reverse=True))})",
    re.IGNORECASE,
)


def unwrapped(line: str) -> Iterator[str]:
    """Yield what may be a move in `line`: the line, then with ever less around it.

    Only what stands in these tables is taken away, at both ends and never within. Whether what is
    left is a move is for the game to say.
    """
    yield line
    if len(line) > LONGEST:
        return
    seen = {line}
    before, remark = split_remark(line)
    line = before if remark else line
    for step in (
        _without_signs,
        _without_suffix,
        _without_prefix,
        _without_number,
        _without_prefix,
    ):
        line = _without_signs(step(line))
        if line and line not in seen:
            seen.add(line)
            yield line


def split_remark(line: str) -> tuple[str, str]:
    """Return a line and the courtesy behind its first sign; ("G7", "good luck!"), or (line, "")."""
    found = _SIGN.search(line) if len(line) <= LONGEST else None
    if found is None or meaning_of(line[found.end() :]) is not Meaning.POLITE:
        return line, ""
    return line[: found.start()], line[found.end() :]


def _without_signs(line: str) -> str:
    return line.lstrip(_SIGNS).rstrip(_LAST_SIGNS)


def _without_suffix(line: str) -> str:
    straight = line.replace("\u2019", "'")
    start = 0
    for found in _SUFFIX.finditer(straight):
        if found.end() == len(straight):
            start = found.start()
    return line[:start] if start else line


def _without_prefix(line: str) -> str:
    found = _PREFIX.match(line.replace("\u2019", "'"))
    return line[found.end() :] if found else line


def _without_number(line: str) -> str:
    found = _NUMBER.match(line)
    return line[found.end() :] if found else line
