"""Templates and their contexts agree, and a template holds no logic."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import Environment, UndefinedError, nodes
from jinja2.meta import find_undeclared_variables

from pbm import system
from pbm.mail.writing.board_mails import COMPILED
from pbm.mail.writing.letters import written
from pbm.mail.writing.wording import add_filters
from pbm.render.templates import LINE, Templates, fill, quoted
from pbm.service.letters import Letter
from tests.conversations.test_conversations import FILES as CONVERSATIONS
from tests.house import ADDRESS
from tests.mail.writing.samples import LETTERS
from tests.tables import each

FOLDER = system.folder("templates")
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.j2"))
PAGES = [name for name in FILES if not Path(name).name.startswith("_")]


STRAIGHT = [context.template for context in COMPILED]


@pytest.fixture(scope="module")
def environment() -> Environment:
    environment = Templates(FOLDER).environment
    add_filters(environment)
    return environment


def parsed(environment: Environment, name: str) -> nodes.Template:
    return environment.parse((FOLDER / name).read_text("utf-8"))


def test_every_template_has_a_sample_a_context_or_a_conversation(environment: Environment) -> None:
    letters = {f"{letter.template}.txt.j2" for letter in LETTERS}
    known = {*letters, *STRAIGHT}
    assert known <= {*PAGES}
    expected = " ".join(file.read_text("utf-8") for file in CONVERSATIONS)
    unknown = [name for name in PAGES if name not in known]
    assert [name for name in unknown if not _is_quoted(parsed(environment, name), expected)] == []


def _is_quoted(template: nodes.Template, conversations: str) -> bool:
    """Return whether a conversation expects a line of a template, of three words or more."""
    texts = (node.data for node in template.find_all(nodes.TemplateData))
    lines = (" ".join(line.split()) for text in texts for line in text.split("\n"))
    return any(len(line.split()) > 2 and line in conversations for line in lines)


@each("letter", LETTERS, ids=lambda letter: letter.template)
def test_a_template_makes_a_mail_of_each_sample(letter: Letter, environment: Environment) -> None:
    assert written(environment, letter, ADDRESS).subject


@each("context", COMPILED, ids=lambda context: context.template)
def test_a_template_uses_exactly_the_fields_of_its_context(
    context: type, environment: Environment
) -> None:
    used = find_undeclared_variables(parsed(environment, context.template))  # type: ignore[attr-defined]
    assert used == {field.name for field in fields(context)}


@each("name", STRAIGHT)
def test_a_template_has_no_logic_but_for_bare_if_filters_and_macros(
    name: str, environment: Environment
) -> None:
    wrong = [
        type(node).__name__
        for node in parsed(environment, name).find_all(nodes.Node)
        if isinstance(node, FORBIDDEN)
    ]
    assert not wrong
    for test in conditions(parsed(environment, name)):
        assert isinstance(test, nodes.Name | nodes.Getattr), f"line {test.lineno} computes"


FORBIDDEN = (
    nodes.Assign, nodes.AssignBlock, nodes.CallBlock, nodes.Compare, nodes.BinExpr, nodes.Not,
    nodes.CondExpr, nodes.Test, nodes.Include, nodes.Extends,
)  # fmt: skip


def conditions(template: nodes.Template) -> Iterator[nodes.Node]:
    for branch in template.find_all(nodes.If):
        yield branch.test


@each("name", FILES)
def test_the_fixed_lines_of_a_template_fit_a_mail(name: str) -> None:
    for line in (FOLDER / name).read_text("utf-8").split("\n"):
        if "{" not in line:
            assert len(line) <= LINE, line


def test_fill_folds_a_paragraph_and_never_breaks_a_move() -> None:
    text = "word " * 13 + "a13-c11:a13,d10 and more"
    assert all(len(line) <= LINE for line in fill(text).split("\n"))
    assert "a13-c11:a13,d10" in fill(text)


@given(st.text(st.sampled_from("ab \n\t\u00a0-"), max_size=400) | st.text())
@example("a" * 72 + " b")
@example("a " * 35 + "ab c")
@example("a " * 35 + "abc d")
def test_fill_folds_as_the_standard_library_does(text: str) -> None:
    assert fill(text) == textwrap.fill(" ".join(text.split()), LINE, break_on_hyphens=False)


def test_a_quoted_comment_keeps_its_lines_and_is_set_in() -> None:
    assert quoted("Good luck!\n\nbob") == "  Good luck!\n\n  bob"
    assert all(len(line) <= LINE for line in quoted("x" * 300).split("\n"))


def test_a_missing_value_is_an_error_and_not_a_blank(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Page:
        template: ClassVar[str] = "page.txt.j2"
        known: str

    (tmp_path / "page.txt.j2").write_text("{{ known }} {{ unknown }}")
    with pytest.raises(UndefinedError):
        Templates(tmp_path).render(Page("x"))
