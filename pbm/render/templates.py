"""The Jinja environment, and its filters that lay out text.

Most templates are those of letters (pbm.mail.writing.letters).
"""

import textwrap
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from pbm.render import marks
from pbm.render.compiled_templates import CompiledTemplate, compiled, loaded

COMPILED = ("boards/board.txt.j2",)
"""The templates that are compiled: those of the mails that a move leads to."""


class Templates:
    """The templates of one folder, some of them `compiled`."""

    def __init__(self, folder: Path, compiled: Sequence[str] = COMPILED) -> None:
        self._compiled = compiled
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
        self.environment.filters |= {
            "quoted": quoted,
            "words": said,
            "article": marks.article,
            "link": marks.link,
            "disc": marks.disc,
            "actions": marks.actions,
            "web": marks.web,
            "heading": marks.heading,
            "shape": marks.shape,
            "table": marks.table_block,
            "terms": marks.terms,
            "reply_list": reply_list,
            "board": marks.board,
        }
        self._pages: dict[str, CompiledTemplate] = {}

    def page(self, name: str) -> CompiledTemplate:
        """Return the page of a template, which is loaded when it is first asked for."""
        return self._pages.get(name) or self._loaded(name)

    def prepare(self) -> None:
        """Load the templates of moves, which takes longer than to use them."""
        for name in self._compiled:
            self._loaded(name)

    def _loaded(self, name: str) -> CompiledTemplate:
        load = compiled if name in self._compiled else loaded
        page = self._pages[name] = load(self.environment, name)
        return page


def reply_list(lines: Sequence[tuple[str, str]]) -> str:
    """Return lines to reply with, each as a link and with what it does."""
    width = max((len(line) for line, _ in lines), default=0)
    return marks.terms(
        "\n".join(
            f"  {marks.link(line)}{' ' * (width - len(line))}  {does}" for line, does in lines
        )
    )


def said(text: str) -> str:
    """Return the words of a player, quoted and marked as theirs; none of them is a mark."""
    return marks.words(quoted(marks.plain(text)))


def quoted(text: str) -> str:
    """Return the words of a player, each line indented by two spaces and folded to `marks.LINE`."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines += textwrap.wrap(line, marks.LINE - 2, break_on_hyphens=False) or [""]
    return "\n".join(f"  {line}".rstrip() for line in lines)
