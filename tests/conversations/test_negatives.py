"""Every `not "..."` of a conversation is a text that something could say.

A wording that has changed would otherwise let it pass for ever.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from pbm.plugins import installed_games
from pbm.system import folder
from tests.conversations.conversation import GAMES, WORDS, sections_of
from tests.conversations.test_conversations import FILES

ROOT = Path(__file__).resolve().parent.parent.parent

GAP = "\0"
"""Stands for what differs from mail to mail."""

_FILLED_IN = re.compile(r"{{.*?}}", re.DOTALL)
_SILENT = re.compile(r"{#.*?#}|{%.*?%}", re.DOTALL)


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def literals(tree: ast.AST) -> Iterator[str]:
    """Yield the texts in a module, without docstrings; what is filled in is a gap."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [getattr(part, "value", None) for part in node.values]
            yield "".join(part if isinstance(part, str) else GAP for part in parts)
        elif not isinstance(node, ast.Expr):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.Constant) and isinstance(child.value, str):
                    yield child.value


def steps() -> Iterator[tuple[str, str, list[str]]]:
    """Yield where each step of the conversations is, its words, and the lines expected of it."""
    for file in FILES:
        for section in sections_of(file.read_text("utf-8")):
            for step in section.steps:
                where = f"{file.name}:{step.line}"
                yield where, "\n".join([step.head, *step.text]), step.expected


def sayings() -> Iterator[str]:
    """Yield what the server, its games and the people of the conversations can say."""
    for template in folder("templates").rglob("*.j2"):
        yield _SILENT.sub("", _FILLED_IN.sub(GAP, template.read_text("utf-8")))
    for place in (ROOT / "pbm", ROOT / "games"):
        for page in place.rglob("*.md"):
            yield page.read_text("utf-8")
        for module in place.rglob("*.py"):
            yield from literals(ast.parse(module.read_text("utf-8")))
    for _, words, expected in steps():
        yield words
        yield from (said for line in expected for no, said in WORDS.findall(line) if not no)


def gaps() -> re.Pattern[str]:
    """Return what finds names of people and of games, and numbers."""
    people = {word for _, words, _ in steps() for word in re.findall(r"^\w+(?=[^>]*> )", words)}
    games = (*installed_games().names, *GAMES)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, (*people, *games)))})\b|\d+", re.IGNORECASE)


def test_what_must_be_absent_could_be_there() -> None:
    said, gap = folded("\n".join(sayings())), gaps()
    vain = {
        f"{where}: {phrase}"
        for where, _, expected in steps()
        for no, phrase in WORDS.findall("\n".join(expected))
        if no and folded(phrase) not in said
        if not all(folded(part) in said for part in gap.split(phrase))
    }
    assert not vain, "nothing can say these any more: name what would be said"
