"""The tables of phrases: each row has an effect, and none is covered by another."""

from itertools import permutations

from pbm.mail.reading.own_lines import own_lines, without_prefixes
from pbm.mail.reading.phrases import (
    ANSWERED,
    BANNERS,
    DATE_LABELS,
    DISCLAIMERS,
    FROM_LABELS,
    LABELS,
    OPENINGS,
    ROLES,
    SEPARATORS,
    SIGNATURES,
    VERBS,
    WARNED,
)
from tests.mail.reading.received import ADDRESS, letter, reading
from tests.tables import each


def own(text: str) -> tuple[str, ...]:
    return own_lines(text, ADDRESS)


@each("opening", OPENINGS)
def test_a_quote_without_marks_begins_at_a_line_with_this_opening(opening: str) -> None:
    assert own(f"D4\n\n{opening}24 Nov, Alice wrote:\nresign") == ("D4",)
    assert own("D4\n\n?24 Nov, Alice wrote:\nso") == ("D4", "", "?24 Nov, Alice wrote:", "so")


@each("verb", VERBS)
def test_a_quote_without_marks_begins_at_a_line_with_this_verb(verb: str) -> None:
    assert own(f"D4\n\nOn 24 Nov, Alice {verb}:\nresign") == ("D4",)
    assert own("D4\n\nOn 24 Nov, Alice ?:\nso") == ("D4", "", "On 24 Nov, Alice ?:", "so")


@each("sender", sorted(FROM_LABELS))
def test_a_header_block_begins_with_this_label_of_the_sender(sender: str) -> None:
    assert own(f"D4\n\n{sender}: Alice\nSent: today\nresign") == ("D4",)


@each("date", sorted(DATE_LABELS))
def test_a_header_block_begins_with_this_label_of_the_date(date: str) -> None:
    assert own(f"D4\n\n{date}: today\nFrom: Alice\nresign") == ("D4",)


@each("label", sorted(LABELS))
def test_a_line_with_this_label_belongs_to_the_header_block_above_a_marked_quote(
    label: str,
) -> None:
    text = f"D4\n\nFrom: Alice\nSent: today\n{label}: x\n\n> resign\n\nyou"
    assert own(text) == ("D4", "", "you")


@each("separator", sorted(SEPARATORS))
def test_a_quote_begins_below_these_words_between_dashes(separator: str) -> None:
    assert own(f"D4\n\n----- {separator.title()} -----\nresign") == ("D4",)


@each(("begin", "end"), SIGNATURES)
def test_a_signature_of_this_form_is_dropped(begin: str, end: str) -> None:
    signature = f"{begin}X-Phone {end}"
    assert own(f"D4\n\nhello\n\n{signature}\n\n> resign") == ("D4", "", "hello")
    matching = [
        row for row in SIGNATURES
        if signature.lower().startswith(row[0]) and signature.lower().endswith(row[1])
    ]  # fmt: skip
    assert matching == [(begin, end)]


@each("banner", BANNERS)
def test_a_banner_that_begins_with_these_words_is_dropped(banner: str) -> None:
    assert own(f"{banner.capitalize()} and so on.\n\nD4\nhello") == ("D4", "hello")


@each("tag", WARNED)
@each("frame", ["[{}]", "*** {} ***", "{{{}}}"])
def test_a_tag_above_a_text_is_dropped(tag: str, frame: str) -> None:
    assert own(f"{frame.format(tag.upper())}\nD4") == ("D4",)


@each("disclaimer", DISCLAIMERS)
def test_a_paragraph_that_begins_with_these_words_is_dropped(disclaimer: str) -> None:
    assert own(f"D4\n\nhello\n\n{disclaimer.capitalize()} x\n\ny") == ("D4", "", "hello")


@each("mark", ROLES)
@each("attribute", ["class", "id", "name"])
def test_an_element_of_this_mark_is_not_the_senders_own(mark: str, attribute: str) -> None:
    body = f"D4<div {attribute}={mark}>resign</div>"
    assert reading(letter("Content-Type: text/html", body=body)).lines == ("D4",)


@each("prefix", [*ANSWERED, *WARNED])
def test_a_prefix_before_a_subject_is_dropped(prefix: str) -> None:
    for written in (prefix, prefix.capitalize(), prefix.upper()):
        assert without_prefixes(f"{written}: Re: {written} : move 1 c3") == "move 1 c3"


@each("warning", WARNED)
def test_a_gateways_tag_before_a_subject_is_dropped(warning: str) -> None:
    for form in ("[{}]", "*** {} ***", "*****{}*****", "{{{}}}", "[{}: 5.3]"):
        assert without_prefixes(f"Re: {form.format(warning.upper())} R: show 1") == "show 1"


@each("table", [OPENINGS, BANNERS, DISCLAIMERS])
def test_no_phrase_begins_with_another_of_its_table(table: tuple[str, ...]) -> None:
    covered = [(one, other) for one, other in permutations(table, 2) if one.startswith(other)]
    assert not covered
    assert len(set(table)) == len(table)


def test_no_verb_contains_another() -> None:
    assert not [(one, other) for one, other in permutations(VERBS, 2) if other in one]


def test_no_phrase_stands_twice_in_a_table() -> None:
    for table in (ANSWERED, WARNED, SIGNATURES):
        assert len(set(table)) == len(table)
