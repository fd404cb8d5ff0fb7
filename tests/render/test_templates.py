"""Templates agree with their contexts and samples; as straight Python they say what Jinja says."""

import textwrap
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import Environment, UndefinedError, nodes
from jinja2.meta import find_undeclared_variables

from pbm import system
from pbm.mail.writing.board_mails import COMPILED, board_wording
from pbm.mail.writing.letters import written
from pbm.mail.writing.wording import add_filters
from pbm.render.templates import LINE, Context, Templates, fill, quoted
from tests.conversations.test_conversations import FILES as CONVERSATIONS
from tests.house import ADDRESS
from tests.mail.writing.samples import KINDS, LETTERS, NOTICES

FOLDER = system.folder("templates")
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.txt.j2"))
PAGES = [name for name in FILES if not Path(name).name.startswith("_")]
TEMPLATES = Templates(FOLDER)


@pytest.fixture(scope="module")
def environment() -> Environment:
    environment = Templates(FOLDER).environment
    add_filters(environment)
    return environment


def parsed(environment: Environment, name: str) -> nodes.Template:
    return environment.parse((FOLDER / name).read_text("utf-8"))


def test_every_template_has_a_sample_a_context_or_a_conversation(environment: Environment) -> None:
    letters = {f"{letter.template}.txt.j2" for letter in LETTERS}
    known = {*letters, *(context.template for context in COMPILED)}
    assert known <= {*PAGES}
    expected = " ".join(file.read_text("utf-8") for file in CONVERSATIONS)
    unknown = [name for name in PAGES if name not in known]
    assert [name for name in unknown if not _is_quoted(parsed(environment, name), expected)] == []


def _is_quoted(template: nodes.Template, conversations: str) -> bool:
    """Return whether a conversation expects a line of a template, of three words or more."""
    texts = (node.data for node in template.find_all(nodes.TemplateData))
    lines = (" ".join(line.split()) for text in texts for line in text.split("\n"))
    return any(len(line.split()) > 2 and line in conversations for line in lines)


def test_a_template_makes_a_mail_of_each_sample(environment: Environment) -> None:
    for letter in LETTERS:
        assert written(environment, letter, ADDRESS).subject, letter.template


@pytest.mark.parametrize("context", COMPILED, ids=lambda context: context.template)
def test_a_template_uses_exactly_the_fields_of_its_context(
    context: type[Context], environment: Environment
) -> None:
    used = find_undeclared_variables(parsed(environment, context.template))
    assert used == {field.name for field in fields(context)}


def test_the_fixed_lines_of_a_template_fit_a_mail() -> None:
    for name in FILES:
        for line in (FOLDER / name).read_text("utf-8").split("\n"):
            assert "{" in line or len(line) <= LINE, line


def by_jinja(context: Context) -> str:
    """Return what Jinja itself makes of a context: the slow twin."""
    values = {field.name: getattr(context, field.name) for field in fields(context)}
    return TEMPLATES.environment.get_template(context.template).render(values)


def test_each_board_mail_has_the_text_that_jinja_makes_of_its_template() -> None:
    for message in NOTICES:
        if type(message) in KINDS:
            fast = board_wording(message, TEMPLATES.render)
            assert fast.text == board_wording(message, by_jinja).text, message


@dataclass(frozen=True)
class Page:
    template: ClassVar[str] = "page.txt.j2"
    names: tuple[str, ...] = ("a", "<b>")
    count: int = 2
    on: bool = False


MACROS = (
    "{% macro once(x) %}<{{ x }}>{% endmacro %}"
    "{% macro twice(x) %}{{ once(x) }}{{ once(x) }}{% endmacro %}"
    "{% macro named(count) %}({{ once(count) }}{% if count %}!{% endif %}){% endmacro %}"
)
IMPORT = '{% import "m.txt.j2" as m %}'


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% for name in names %}[{{ name }}]{% endfor %}{{ count }}", "[a][<b>]2"),
        ("{% if on %}on{% elif count %}{{ 'x' ~ count }}{% else %}off{% endif %}", "x2"),
        ("{% filter fill %}a\n{% filter quoted %}b{% endfilter %}{% endfilter %}", "a b"),
        (IMPORT + "{{ m.twice(count) }}", "<2><2>"),
        (IMPORT + "{{ m.named(count) }}{{ m.named(on) }}", "(<2>!)(<False>)"),
        ("{% if on %}{% endif %}{{ names | length }}{{ 'a-b' | quoted }}", "2  a-b"),
    ],
)
def test_what_templates_hold_is_said_as_jinja_says_it(
    source: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "m.txt.j2").write_text(MACROS)
    (tmp_path / "page.txt.j2").write_text(source)
    templates = Templates(tmp_path)
    values = {"names": ("a", "<b>"), "count": 2, "on": False}
    slow = templates.environment.get_template("page.txt.j2")
    assert templates.render(Page()) == slow.render(values) == text


COMPUTE = """
{% set x = 1 %}
{{ count + 1 }}
{% if count > 1 %}{% endif %}
{% if not on %}{% endif %}
{% for name in names %}{% else %}none{% endfor %}
{{ count }}{% for count in names %}{% endfor %}
{% for name in names if on %}{% endfor %}
{% macro m(a=1) %}{% endmacro %}
{% macro m(a) %}{% endmacro %}{% macro m(b) %}{% endmacro %}
{{ names[0] }}
{{ names | map('upper') }}
{% include 'page.txt.j2' %}
"""


def test_a_template_that_computes_or_misses_a_value_is_refused(tmp_path: Path) -> None:
    for source in COMPUTE.strip().split("\n"):
        (tmp_path / "page.txt.j2").write_text(source)
        with pytest.raises(TypeError, match=r"a template may hold no \w+ \(line 1\)"):
            Templates(tmp_path).render(Page())
    (tmp_path / "page.txt.j2").write_text("{{ count }} {{ unknown }}")
    with pytest.raises(UndefinedError):
        Templates(tmp_path).render(Page())


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
