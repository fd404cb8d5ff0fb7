"""What counts as a yes and as a no; every other line is neither, and does nothing."""

from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.confirmations import Answer, read_answer
from tests.tables import each


@each(
    "line",
    ["yes", "Yes.", "YES!", "yes please", "Yes, please!", "ok", "OK.", "Ja", "oui", "s\u00ed", "Si",
     " yes ", "\u201cyes\u201d", "*yes*", "y\u200bes", "\uff59\uff45\uff53",
     "Yes please, that was me", "Yes, it\u2019s me. Thanks!", "yes yes", "Yes - please open it",
     "Ja, das war ich!", "Ja bitte", "Oui, c\u2019est moi.", "S\u00ed, por favor",
     "S\u00ed, soy yo", "Ja, dat ben ik", "Ja graag", "Ich best\u00e4tige", "Confirmo"],
)  # fmt: skip
def test_a_yes_is_read_in_many_forms(line: str) -> None:
    assert read_answer(line) is Answer.YES


@each(
    "line",
    ["no", "No.", "No!", "No, that was not me!", "no thanks", "No thank you", "Nein", "Nein danke",
     "non", "Non merci", "stop", "Stop!", "STOP", "Stop writing to me", "please stop",
     "unsubscribe", "Unsubscribe me", "remove", "Please remove me from your list", "not me",
     "It wasn\u2019t me", "That was not me.", "wasn't me", "I did not sign up",
     "no - I never asked", "No I did not", "cancel"],
)  # fmt: skip
def test_a_no_is_read_in_many_forms(line: str) -> None:
    assert read_answer(line) is Answer.NO
    assert read_answer(line, name="stop") is Answer.NO


@each(
    "line",
    ["", "Who are you? I did not sign up", "I am on vacation until Monday.", "Hello", "Thank you",
     "yes and no", "Yes, who is this?", "Yes, that was me?", "yesplease",
     "please", "Yes, that was not me",
     "Ja, aber wer ist da", "that was me", "okay then tell me more", "yesterday", "nothing", "Nora",
     "No idea what this is", "nonsense", "stopwatch", "signup alice pw", "help", "alice", "?",
     "My message was: yes", "Je suis absent", "Ich bin im Urlaub", "0", "y"],
)  # fmt: skip
def test_other_words_are_neither(line: str) -> None:
    assert read_answer(line) is Answer.UNCLEAR


def test_the_name_says_yes_if_there_is_one() -> None:
    assert read_answer("Alice.", name="alice") is Answer.YES
    assert read_answer("alice cooper", name="alice") is Answer.UNCLEAR
    assert read_answer("no", name="no") is Answer.NO


@given(st.text(max_size=300), st.text(max_size=16))
def test_any_text_at_all_is_read(line: str, name: str) -> None:
    assert read_answer(line, name) in Answer
