"""Templates as straight Python say what Jinja would say, and refuse what computes."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

import pytest

from pbm import system
from pbm.mail.writing.board_mails import board_wording
from pbm.render.templates import Context, Templates
from pbm.service.letters import Message
from tests.mail.writing.samples import KINDS, NOTICES
from tests.tables import each

TEMPLATES = Templates(system.folder("templates"))


def by_jinja(context: Context) -> str:
    """Return what Jinja itself makes of a context: the slow twin."""
    values = {field.name: getattr(context, field.name) for field in fields(context)}
    return TEMPLATES.environment.get_template(context.template).render(values)


@each("message", [each for each in NOTICES if type(each) in KINDS])
def test_each_mail_has_the_text_that_jinja_makes_of_its_template(message: Message) -> None:
    fast, slow = (board_wording(message, render) for render in (TEMPLATES.render, by_jinja))
    assert fast.text == slow.text


@dataclass(frozen=True)
class Page:
    template: ClassVar[str] = "page.txt.j2"
    names: tuple[str, ...] = ("a", "<b>")
    count: int = 2
    on: bool = False


def page(folder: Path, source: str, **others: str) -> Context:
    (folder / "page.txt.j2").write_text(source)
    for name, text in others.items():
        (folder / f"{name}.txt.j2").write_text(text)
    return Page()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% for name in names %}[{{ name }}]{% endfor %}{{ count }}", "[a][<b>]2"),
        ("{% if on %}on{% elif count %}{{ 'x' ~ count }}{% else %}off{% endif %}", "x2"),
        ("{% filter fill %}a\n{% filter quoted %}b{% endfilter %}{% endfilter %}", "a b"),
        ('{% import "m.txt.j2" as m %}{{ m.twice(count) }}', "<2><2>"),
        ('{% import "m.txt.j2" as m %}{{ m.named(count) }}{{ m.named(on) }}', "(<2>!)(<False>)"),
        ("{% if on %}{% endif %}{{ names | length }}{{ 'a-b' | quoted }}", "2  a-b"),
    ],
)
def test_what_templates_hold_is_said_as_jinja_says_it(
    source: str, text: str, tmp_path: Path
) -> None:
    macros = "{% macro once(x) %}<{{ x }}>{% endmacro %}"
    macros += "{% macro twice(x) %}{{ once(x) }}{{ once(x) }}{% endmacro %}"
    macros += "{% macro named(count) %}({{ once(count) }}{% if count %}!{% endif %}){% endmacro %}"
    context = page(tmp_path, source, m=macros)
    templates = Templates(tmp_path)
    slow = templates.environment.get_template(context.template)
    values = {"names": ("a", "<b>"), "count": 2, "on": False}
    assert templates.render(context) == slow.render(values) == text


@pytest.mark.parametrize(
    "source",
    [
        "{% set x = 1 %}",
        "{{ count + 1 }}",
        "{% if count > 1 %}{% endif %}",
        "{% if not on %}{% endif %}",
        "{% for name in names %}{% else %}none{% endfor %}",
        "{{ count }}{% for count in names %}{% endfor %}",
        "{% for name in names if on %}{% endfor %}",
        "{% macro m(a=1) %}{% endmacro %}",
        "{% macro m(a) %}{% endmacro %}{% macro m(b) %}{% endmacro %}",
        "{{ names[0] }}",
        "{{ names | map('upper') }}",
        "{% include 'page.txt.j2' %}",
    ],
)
def test_a_template_that_computes_is_refused(source: str, tmp_path: Path) -> None:
    context = page(tmp_path, source)
    with pytest.raises(TypeError, match=r"a template may hold no \w+ \(line 1\)"):
        Templates(tmp_path).render(context)
