"""Templates agree with their samples; compiled, they say what Jinja says."""

import textwrap
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import UndefinedError, nodes

from pbm import system
from pbm.mail.writing.letters import LetterWriter
from pbm.render.marks import LINE, fill
from pbm.render.templates import Templates, quoted
from tests.conversations.test_conversations import FILES as CONVERSATIONS
from tests.house import ADDRESS
from tests.mail.writing.samples import LETTERS, NOTICES, TO, Letter

FOLDER = system.folder("templates")
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.txt.j2"))
PAGES = [name for name in FILES if not Path(name).name.startswith("_")]
WRITER = LetterWriter(Templates(FOLDER), ADDRESS)


def parsed(name: str) -> nodes.Template:
    return WRITER.templates.environment.parse((FOLDER / name).read_text("utf-8"))


def test_every_template_has_a_sample_or_a_conversation() -> None:
    known = {f"{WRITER.letter(notice).template}.txt.j2" for notice in NOTICES}
    assert known <= {*PAGES}
    expected = " ".join(file.read_text("utf-8") for file in CONVERSATIONS)
    unknown = [name for name in PAGES if name not in known]
    assert [name for name in unknown if not _is_quoted(parsed(name), expected)] == []


def _is_quoted(template: nodes.Template, conversations: str) -> bool:
    """Return whether a conversation expects a line of a template, of three words or more."""
    texts = (node.data for node in template.find_all(nodes.TemplateData))
    lines = (" ".join(line.split()) for text in texts for line in text.split("\n"))
    return any(len(line.split()) > 2 and line in conversations for line in lines)


def test_a_template_makes_a_mail_of_each_sample() -> None:
    for letter in LETTERS:
        assert WRITER.written(letter).subject, letter.template


@pytest.mark.parametrize("fact", ["more", "sentence"])
def test_a_letter_has_exactly_the_facts_of_its_template(fact: str) -> None:
    with pytest.raises((ValueError, UndefinedError), match=fact):
        WRITER.written(Letter(TO, "answers/noted", {"more": ""} if fact == "more" else {}))


def test_the_fixed_lines_of_a_template_fit_a_mail() -> None:
    for name in FILES:
        for line in (FOLDER / name).read_text("utf-8").split("\n"):
            assert "{" in line or len(line) <= LINE, line


def test_each_mail_has_the_text_that_jinja_makes_of_its_template() -> None:
    slow = LetterWriter(Templates(FOLDER, compiled=()), ADDRESS)
    for message in NOTICES:
        assert WRITER.written(message).text == slow.written(message).text, message


FACTS = {"names": ("a", "<b>"), "count": 2, "on": False}

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
        ("{% filter quoted %}a\n{% filter quoted %}b{% endfilter %}{% endfilter %}", "  a\n    b"),
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
    quick, slow = Templates(tmp_path, ("page.txt.j2",)), Templates(tmp_path)
    for templates in (quick, slow):
        assert templates.page("page.txt.j2").text(FACTS) == text


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


def test_a_template_that_computes_is_refused(tmp_path: Path) -> None:
    for source in COMPUTE.strip().split("\n"):
        (tmp_path / "page.txt.j2").write_text(source)
        with pytest.raises(TypeError, match=r"a template may hold no \w+ \(line 1\)"):
            Templates(tmp_path, ("page.txt.j2",)).page("page.txt.j2")


def test_fill_folds_a_paragraph_and_never_breaks_a_move_or_an_address() -> None:
    text = "word " * 13 + "a13-c11:a13,d10 and more"
    assert all(len(line) <= LINE for line in fill(text).split("\n"))
    assert "a13-c11:a13,d10" in fill(text)
    assert fill(f"see https://{'x' * LINE} there").split("\n")[1] == f"https://{'x' * LINE}"


@given(st.text(st.sampled_from("ab \n\t\u00a0-"), max_size=400) | st.text())
@example("a" * 72 + " b")
@example("a " * 35 + "ab c")
@example("a " * 35 + "abc d")
def test_fill_folds_as_the_standard_library_does(text: str) -> None:
    folded = " ".join(text.split())
    kept = textwrap.fill(folded, LINE, break_on_hyphens=False, break_long_words=False)
    assert fill(text) == kept


def test_a_quoted_comment_keeps_its_lines_and_is_set_in() -> None:
    assert quoted("Good luck!\n\nbob") == "  Good luck!\n\n  bob"
    assert all(len(line) <= LINE for line in quoted("x" * 300).split("\n"))
