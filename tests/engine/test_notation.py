"""What people type is brought into one form, and how it is shown to them."""

from hypothesis import example, given
from hypothesis import strategies as st

from pbm.engine import MOVE_LENGTH_LIMIT, fold, listing, near, quote
from tests.tables import each


@each(
    ("typed", "folded"),
    [
        ("G7", "g7"),
        ("  b2\t c3\n", "b2 c3"),
        ("b2\u00a0c3", "b2 c3"),
        ("b2\u3000c3", "b2 c3"),
        ("\uff27\uff17", "g7"),  # full-width letters of a Japanese keyboard
        ("a1\u2013b2", "a1-b2"),
        ("a1\u2014b2", "a1-b2"),
        ("a1\u2212b2", "a1-b2"),
        ("a1\u2011b2", "a1-b2"),
        ("a1\u2192b2", "a1->b2"),
        ("a1 \u27a1\ufe0f b2", "a1 -> b2"),
        ("a1\u21d2b2", "a1->b2"),
        ("\u201cb2\u201d", "'b2'"),
        ("\u00b4b2\u00b4", "'b2'"),
        ("\u00abb2\u00bb", "'b2'"),
        ("b\u200b2\ufeff", "b2"),
        ("b\u00ad2", "b2"),
        ("b2\x00\x07", "b2"),
        ("e\u200b\u0301", "\u00e9"),
        ("J\u030c", "\u01f0"),
        ("", ""),
    ],
)
def test_what_is_typed_is_folded_to_one_form(typed: str, folded: str) -> None:
    assert fold(typed) == folded


@given(st.text(max_size=600))
@example("e\u200b\u0301")
@example("J\u030c")
@example("\u00b4")
@example("\ufdfa" * 300)
@example("\u2192" * 300)
@example("a" * 400 + " b")
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=400))
@example("`B2`  c3")
def test_plain_typing_folds_as_it_does_beside_an_invisible_character(text: str) -> None:
    assert fold(text) == fold(f"\u200b{text}")


@given(st.text(alphabet=st.sampled_from("a \ufdfa\u3300\u00b4\u200b"), max_size=900))
def test_a_folded_text_is_never_longer_than_what_is_looked_at(text: str) -> None:
    assert len(fold(text)) <= MOVE_LENGTH_LIMIT + 1


def test_an_overlong_text_stays_overlong() -> None:
    assert len(fold("a" * 10_000)) == MOVE_LENGTH_LIMIT + 1


@given(st.text(max_size=300), st.integers(4, 80))
def test_a_quotation_is_one_short_printable_line(text: str, limit: int) -> None:
    shown = quote(text, limit)
    assert shown.isprintable()
    assert shown[0] == shown[-1] == '"'
    assert len(shown) <= limit + 2


def test_a_long_quotation_says_that_it_goes_on() -> None:
    assert quote("x" * 100, 10) == '"xxxxxxx..."'


def test_control_characters_and_line_breaks_are_not_quoted() -> None:
    assert quote("a\r\nb\x1b[31mc") == '"a b [31mc"'


def test_near_names_are_the_nearest_first_and_few() -> None:
    known = ["gonnect", "morris", "connect", "konnect", "gonnecta"]
    assert near("gonect", known)[0] == "gonnect"
    assert len(near("gonect", known)) == 3
    assert near("chess", known) == ()


def test_near_names_are_found_in_any_case_and_given_as_they_are_written() -> None:
    assert near("ALICF", ["Alice", "bob"]) == ("Alice",)


def test_near_names_of_a_huge_word_are_found_in_no_time() -> None:
    assert near("a" * 100_000, ["alice"]) == ()


@each(
    ("words", "sentence"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a or b"),
        (["a", "b", "c"], "a, b or c"),
        (["a", "b", "c", "d"], "a, b, c and 1 more"),
        (["a,b"], "a,b"),
        (["a,b", "c", "d"], "a,b; c or d"),
        (["a", "b,c", "d", "e"], "a; b,c; d and 1 more"),
        (["a", "b", "c", "d,e"], "a, b, c and 1 more"),
    ],
)
def test_a_listing_reads_like_a_sentence(words: list[str], sentence: str) -> None:
    assert listing(words, most=3) == sentence


def test_a_listing_ends_in_the_word_asked_for() -> None:
    assert listing("ab", last="and") == "a and b"
