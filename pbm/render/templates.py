"""The Jinja environment, and the one rule of templates: each has a frozen context.

Templates hold no logic: only `for`, bare `if`, filters and macros for layout. Each is
rendered with StrictUndefined from the fields of its context dataclass, and a test compares
the two.
"""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, ClassVar, Protocol, get_args, get_origin

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from pbm.render import marks
from pbm.render.marks import article
from pbm.render.straight import Page, compiled

LINE = 72
"""Characters in a line of text, so that a quoted reply still fits a terminal."""


class Context(Protocol):
    """A frozen dataclass that names its template."""

    template: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Any]]


class Templates:
    """The templates of one folder."""

    def __init__(self, folder: Path) -> None:
        self.environment = Environment(
            loader=FileSystemLoader(folder),
            # Templates belong to the program, which is restarted when they change. With a reload,
            # each rendering would check the disk for changes.
            auto_reload=False,
            undefined=StrictUndefined,
            autoescape=select_autoescape(["html", "html.j2"]),
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.environment.filters["fill"] = fill
        self.environment.filters["paragraphs"] = paragraphs
        self.environment.filters["quoted"] = quoted
        self.environment.filters["link"] = marks.link
        self.environment.filters["article"] = article
        self.environment.filters["heading"] = marks.heading
        self.environment.filters["shape"] = marks.shape
        self.environment.filters["table"] = marks.table_block
        self.environment.filters["words"] = said
        self.environment.filters["board"] = marks.board
        self.environment.filters["replace"] = str.replace
        self._pages: dict[type, Page] = {}

    def render(self, context: Context) -> str:
        """Return the text of the template that `context` names, with bare newlines and marks.

        See `pbm.render.marks`; its function `plain` takes them out.

        Contexts within it, such as the sentences of a board mail, are rendered to text first.
        """
        page = self._pages.get(type(context)) or self._prepared(type(context))
        return page(context, self._told)

    def prepare(self, contexts: Iterable[type[Context]]) -> None:
        """Compile the templates of these contexts, which else happens when each is first used."""
        for context in contexts:
            if context not in self._pages:
                self._prepared(context)

    def _prepared(self, context: type[Context]) -> Page:
        names = frozenset(field.name for field in fields(context))
        within = [field.name for field in fields(context) if _holds_contexts(field.type)]
        page = self._pages[context] = compiled(self.environment, context.template, names, within)
        return page

    def _told(self, value: Context | str | tuple[Context, ...]) -> str | tuple[str, ...]:
        """Return the text of a context, which may be one already, or of each of several."""
        if isinstance(value, str):
            return value
        return tuple(map(self.render, value)) if isinstance(value, tuple) else self.render(value)


def _holds_contexts(kind: object) -> bool:
    """Return whether `kind`, the type of a field, is a context or a tuple of them."""
    held = get_args(kind) if get_origin(kind) in (tuple, UnionType) else (kind,)
    return any(each is Context or hasattr(each, "template") for each in held)


def fill(text: str) -> str:
    """Return one paragraph, white space folded, in lines of at most LINE characters."""
    words = text.split()
    folded = " ".join(words)
    if len(folded) <= LINE:
        return folded
    if max(map(len, words)) > LINE:
        return textwrap.fill(folded, LINE, break_on_hyphens=False)
    return "\n".join(_lines(words))


def _lines(words: Iterable[str]) -> Iterator[str]:
    """Yield lines as long as LINE allows, of words that are no longer; a fifth of textwrap's time.

    A test compares the two.
    """
    line: list[str] = []
    room = LINE
    for word in words:
        if len(word) > room:
            yield " ".join(line)
            line, room = [], LINE
        line.append(word)
        room -= len(word) + 1
    yield " ".join(line)


def paragraphs(text: str) -> str:
    """Return each line of `text` as a paragraph, with no blank line between them."""
    return "\n".join(map(fill, text.split("\n")))


def said(text: str) -> str:
    """Return what a player wrote, quoted, and marked as their words; none of it is a mark."""
    return marks.words(quoted(marks.plain(text)))


def quoted(text: str) -> str:
    """Return what a player wrote, each line indented by two spaces and folded to LINE."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines += textwrap.wrap(line, LINE - 2, break_on_hyphens=False) or [""]
    return "\n".join(f"  {line}".rstrip() for line in lines)
