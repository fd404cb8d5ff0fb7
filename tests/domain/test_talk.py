"""Who said what at a board, after seats were exchanged and moves taken back."""

from dataclasses import replace

from pbm.domain.logs import Entry, EntryKind
from pbm.domain.match import without_words_of, words_of
from pbm.domain.play import LiveMatch, chat, play, undo, with_entry
from tests.domain.matches import ALICE, BOB, PEOPLE, after, later


def say(board: LiveMatch, text: str, words: str) -> LiveMatch:
    (seat,) = board.to_move
    return play(board, seat, text, due=None, comment=words, now=later(1))


def talked() -> LiveMatch:
    """Return a match in which every kind of author spoke, before and after a swap and its undo."""
    board = say(after(), "b2", "alice opens")
    board = say(board, "swap", "bob swaps")
    board = chat(board, BOB, comment="bob in the seat of alice", now=later(2))
    board = say(board, "a1", "alice in the seat of bob")
    board = undo(board, plies=2, now=later(3))
    board = chat(board, BOB, comment="bob in his seat again", now=later(4))
    board = with_entry(board, Entry(EntryKind.CHAT, None, "Carol", later(5), "carol looks on"))
    return with_entry(board, Entry(EntryKind.EXTEND, None, "3", later(6)))


def test_words_are_those_of_whoever_sat_there_at_the_time() -> None:
    said = [(words.by, words.text) for words in words_of(talked().match, PEOPLE)]
    assert said == [
        ("alice", "alice opens"),
        ("bob", "bob swaps"),
        ("bob", "bob in the seat of alice"),
        ("alice", "alice in the seat of bob"),
        ("bob", "bob in his seat again"),
        ("Carol", "carol looks on"),
    ]
    assert {words.number for words in words_of(talked().match, PEOPLE)} == {104}


def test_without_the_words_of_some_the_rest_of_the_match_is_the_same() -> None:
    match = talked().match
    quiet = without_words_of(match, PEOPLE, {PEOPLE[BOB].userid.upper(), "carol"})
    assert {words.by for words in words_of(quiet, PEOPLE)} == {PEOPLE[ALICE].userid}
    assert [replace(entry, comment="") for entry in quiet.log] == [
        replace(entry, comment="") for entry in match.log
    ]
    assert without_words_of(match, PEOPLE, set()) == match
