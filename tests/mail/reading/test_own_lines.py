"""The sender's own lines, separated from those that their mail client added.

own_lines.txt has pieces of mails in lists, and tables/own_lines.txt whole texts. The phrases of the
product have laws of their own: each row has an effect, and none is covered by another.
"""

from itertools import permutations
from pathlib import Path

import pytest

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
from pbm.mail.reading.trimming import own_lines, without_prefixes
from tests.mail.reading.received import ADDRESS, letter, lines_of, reading
from tests.readings import rows, sections

LISTS = sections(Path(__file__).parent / "own_lines.txt")

TITLES = (
    "Your move - Gonnect 101 with alice",
    "a-b to move - Nine Men's Morris 101 with a-b and c",
    "Draw - Gonnect 101 between alice and bob",
    "alice to move - Gonnect 101",
)

OUR_MAIL = """alice played F13. It's your move (move 2). You play Ohs (o).

alice writes:
  yes
  --
  Rules: reply  help gonnect
  resign

--
Gonnect, size 13, rated, board 101
Rules: reply help
gonnect
"""


def own(text: str) -> tuple[str, ...]:
    return own_lines(text, ADDRESS)


@pytest.mark.parametrize("title", LISTS)
def test_each_piece_of_a_list_is_read_as_the_list_says(title: str) -> None:
    frames = [row.split(" -> ") for row in rows(LISTS[title]) if " -> " in row]
    pieces = [row for row in rows(LISTS[title]) if " -> " not in row]
    assert frames
    assert pieces
    for text, answer in frames:
        for piece in pieces:
            found = lines_of(own(text.replace("{}", piece)))
            assert found == answer.replace("{}", piece), text


def test_below_a_mail_of_ours_without_marks_is_read_only_if_nothing_stands_above() -> None:
    quote = f"From: <pbm@games.example.org>\nSent: today\n\n{OUR_MAIL}"
    assert own(f"{quote}D4\n\nhello\n") == ("D4", "", "hello")
    assert own(f"D4\n\n{quote}\nhello\n") == ("D4",)


def test_a_footer_in_a_remark_or_without_its_form_does_not_end_a_quote() -> None:
    board, _, _ = OUR_MAIL.partition("\n--\n")
    for quote in (
        board,
        board.replace("  ", " ").replace("\n ", "\n"),
        OUR_MAIL.replace("\n  ", "\n"),
        OUR_MAIL.replace("Rules", "> Rules"),
    ):
        assert own(f"From: <pbm@games.example.org>\nSent: today\n\n{quote}\nresign") == ()


def test_a_quote_without_marks_begins_at_the_title_of_a_board_mail() -> None:
    for title in TITLES:
        assert own(f"D4\n\n{title}\n\n{OUR_MAIL}") == ("D4",)
    assert own("D4\n\nYour move - in 2 with luck") == ("D4", "", "Your move - in 2 with luck")


def test_a_quote_without_marks_begins_at_a_line_with_an_opening_and_a_verb() -> None:
    for opening in OPENINGS:
        assert own(f"D4\n\n{opening}24 Nov, Alice wrote:\nresign") == ("D4",), opening
    for verb in VERBS:
        assert own(f"D4\n\nOn 24 Nov, Alice {verb}:\nresign") == ("D4",), verb
    for line in ("?24 Nov, Alice wrote:", "On 24 Nov, Alice ?:"):
        assert own(f"D4\n\n{line}\nso") == ("D4", "", line, "so")


def test_a_header_block_begins_with_the_label_of_the_sender_or_the_date() -> None:
    for sender in FROM_LABELS:
        assert own(f"D4\n\n{sender}: Alice\nSent: today\nresign") == ("D4",), sender
    for date in DATE_LABELS:
        assert own(f"D4\n\n{date}: today\nFrom: Alice\nresign") == ("D4",), date
    for label in LABELS:
        text = f"D4\n\nFrom: Alice\nSent: today\n{label}: x\n\n> resign\n\nyou"
        assert own(text) == ("D4", "", "you"), label


def test_a_quote_begins_below_known_words_between_dashes() -> None:
    for separator in SEPARATORS:
        assert own(f"D4\n\n----- {separator.title()} -----\nresign") == ("D4",), separator


def test_a_signature_of_each_form_is_dropped_and_no_other_form_covers_it() -> None:
    for begin, end in SIGNATURES:
        signature = f"{begin}X-Phone {end}"
        assert own(f"D4\n\nhello\n\n{signature}\n\n> resign") == ("D4", "", "hello"), signature
        matching = [
            row for row in SIGNATURES
            if signature.lower().startswith(row[0]) and signature.lower().endswith(row[1])
        ]  # fmt: skip
        assert matching == [(begin, end)]


def test_a_signature_has_100_characters_at_most() -> None:
    for length, kept in ((100, ("D4",)), (101, ("D4", "", "Sent from my ".ljust(101, "x")))):
        assert own(f"D4\n\n{'Sent from my '.ljust(length, 'x')}") == kept


def test_what_gateways_put_around_a_text_is_dropped() -> None:
    for banner in BANNERS:
        assert own(f"{banner.capitalize()} and so on.\n\nD4\nhello") == ("D4", "hello"), banner
    for tag in WARNED:
        for frame in ("[{}]", "*** {} ***", "{{{}}}"):
            assert own(f"{frame.format(tag.upper())}\nD4") == ("D4",), tag
    for words in DISCLAIMERS:
        text = f"D4\n\nhello\n\n{words.capitalize()} x\n\ny"
        assert own(text) == ("D4", "", "hello"), words


def test_an_element_with_a_known_mark_is_not_the_senders_own() -> None:
    for mark in ROLES:
        for attribute in ("class", "id", "name"):
            body = f"D4<div {attribute}={mark}>resign</div>"
            assert reading(letter("Content-Type: text/html", body=body)).lines == ("D4",), mark


def test_prefixes_and_tags_before_a_subject_are_dropped() -> None:
    for prefix in (*ANSWERED, *WARNED):
        for written in (prefix, prefix.capitalize(), prefix.upper()):
            assert without_prefixes(f"{written}: Re: {written} : move 1 c3") == "move 1 c3", prefix
    for warning in WARNED:
        for form in ("[{}]", "*** {} ***", "*****{}*****", "{{{}}}", "[{}: 5.3]"):
            subject = f"Re: {form.format(warning.upper())} R: show 1"
            assert without_prefixes(subject) == "show 1", warning


def test_no_phrase_covers_another_of_its_table() -> None:
    for table in (OPENINGS, BANNERS, DISCLAIMERS):
        assert not [(a, b) for a, b in permutations(table, 2) if a.startswith(b)]
    assert not [(one, other) for one, other in permutations(VERBS, 2) if other in one]
    for each in (OPENINGS, BANNERS, DISCLAIMERS, ANSWERED, WARNED, SIGNATURES):
        assert len(set(each)) == len(each)
