"""What plain words mean, in five languages, and what only seems to mean something."""

import time

from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.phrases import LONGEST, meaning_of, opening_of, split_remark, unwrapped
from pbm.domain.words import Meaning
from tests.tables import each

YES = {
    "en": ("yes", "Yes!", "sure", "OK.", "accepted", "I accept", "of course", "Why not?"),
    "de": ("ja", "Ja, gern!", "einverstanden", "Klar"),
    "fr": ("oui", "D'accord", "D\u2019accord !", "avec plaisir"),
    "es": ("sí", "Si", "acepto", "de acuerdo"),
    "nl": ("ja graag", "akkoord"),
}

NO = {
    "en": ("no", "No thanks", "nope", "not now", "I decline", "Sorry, no time"),
    "de": ("nein", "Nein danke", "leider nicht"),
    "fr": ("non", "Non merci"),
    "es": ("no gracias", "ahora no"),
    "nl": ("nee", "nee bedankt"),
}

POLITE = {
    "en": ("thanks", "Thank you very much!", "thanks, good game", "gg", "hi!", "Hello Bob,"),
    "de": ("danke", "Vielen Dank für das Spiel!", "Hallo Bob!", "Viele Grüße"),
    "fr": ("merci", "Bien joué !", "Bonjour"),
    "es": ("gracias", "¡gracias!", "buena suerte"),
    "nl": ("bedankt", "goed gespeeld"),
    "signs": ("👍", "🙂🙂", "Thanks 👍"),
}


def phrases(table: dict[str, tuple[str, ...]]) -> list[str]:
    return [phrase for said in table.values() for phrase in said]


@each("said", phrases(YES))
def test_yes_is_understood(said: str) -> None:
    assert meaning_of(said) is Meaning.YES


@each("said", phrases(NO))
def test_no_is_understood(said: str) -> None:
    assert meaning_of(said) is Meaning.NO


@each("said", phrases(POLITE))
def test_courtesies_are_understood(said: str) -> None:
    assert meaning_of(said) is Meaning.POLITE


@each(
    ("said", "meaning"),
    [
        ("I resign", Meaning.RESIGN), ("Ich gebe auf.", Meaning.RESIGN),
        ("swap please", Meaning.SWAP), ("Let\u2019s swap!", Meaning.SWAP), ("draw?", Meaning.DRAW),
        ("How about a draw?", Meaning.DRAW), ("Can I take that back?", Meaning.UNDO),
        ("Rematch!", Meaning.AGAIN), ("Revanche?", Meaning.AGAIN), ("once more?", Meaning.AGAIN),
        ("STOP", Meaning.STOP), ("unsubscribe me", Meaning.STOP), ("Abmelden", Meaning.STOP),
        ("I'd like to play a robot, please!", Meaning.ROBOT), ("Computer?", Meaning.ROBOT),
        ("gegen den Computer", Meaning.ROBOT), ("how do I play?", Meaning.RULES),
        ("Hilfe!", Meaning.HELP), ("rules?", Meaning.RULES),
        ("Whose turn is it?", Meaning.SHOW), ("Thanks! One more?", Meaning.AGAIN),
        ("I'm on vacation next week.", Meaning.AWAY), ("I am away until 5 Dec", Meaning.AWAY),
        ("pause my games until Monday please", Meaning.AWAY), ("My games?", Meaning.GAMES),
        ("I forgot my password!", Meaning.FORGOT), ("Robot, please", Meaning.ROBOT),
        ("Thanks :-)", Meaning.POLITE),
    ],
)  # fmt: skip
def test_other_wishes_are_understood(said: str, meaning: Meaning) -> None:
    assert meaning_of(said) is meaning


@each(
    "said",
    [
        "", " ", "--", "?", "yes?", "swap?", "I resign?", "no idea", "yes and no",
        "yes, but not now",
        "thanks, but I would rather swap the board for a new one", "yes is what I would say to G7",
        "I will not resign", "do not swap", "never say yes", "okay is not what I think",
        "G7", "I play G7", "hello, is it my move or yours?", "stop by on Monday", "yes " * 60,
    ],
)  # fmt: skip
def test_what_is_not_wholly_understood_means_nothing(said: str) -> None:
    assert meaning_of(said) is None


def test_somebody_may_be_addressed_by_their_userid() -> None:
    assert meaning_of("Yes, zaphod42!") is None
    assert meaning_of("Yes, zaphod42!", ["Zaphod42"]) is Meaning.YES


def test_a_yes_or_no_in_a_sentence_of_its_own_opens_a_text() -> None:
    assert opening_of("I accept. May the better one win!") is Meaning.YES
    assert opening_of("No! I am winning.") is Meaning.NO
    assert opening_of("Yes, if you let me win.") is None
    assert opening_of("Swap. Then I win.") is None


@each(
    "line",
    [
        "G7", "I play G7", "I'll play G7.", "I\u2019ll play G7!", "G7 please", "*G7*", '"G7"',
        "\u201cG7\u201d", "(G7)", "G7,", "G7.", "1. G7", "12... G7", "12...G7", "3) G7", "move: G7",
        "Move G7", "My move: G7", "my next move is G7", "ok, G7", "I play 3. G7 please",
        "G7, thanks!",
        "G7, good luck!", "*G7* - have fun", "G7. gg", "ich spiele G7 bitte", "je joue G7",
    ],
)  # fmt: skip
def test_a_move_is_found_within_what_people_put_around_it(line: str) -> None:
    assert "G7" in unwrapped(line)


@each(
    "line",
    [
        "not G7", "G7?", "G7 or H8", "I would play G7", "how about G7?", "after G7",
        "if H8 then G7",
        "I played G7", "you play G7", "G7 is best", "104. G7", "104: G7", "G7, but I am not sure",
        "G7 and good luck", "never G7",
    ],
)  # fmt: skip
def test_a_move_is_not_found_within_a_sentence_about_it(line: str) -> None:
    assert "G7" not in unwrapped(line)


@each("turn", ["b3-e6", "b3,e5", "c4>c6", "a1-a4xd7", "m13-j7,k8", "e2 e4"])
def test_signs_within_a_move_are_part_of_it(turn: str) -> None:
    assert list(unwrapped(turn)) == [turn]
    assert turn in unwrapped(f"1. {turn} please")


def test_a_courtesy_behind_a_move_is_told_apart() -> None:
    assert split_remark("G7, good luck!") == ("G7", "good luck!")
    assert split_remark("G7 \U0001f44d") == ("G7", "\U0001f44d")
    assert split_remark("G7 ;-)") == ("G7", ";-)")
    assert split_remark("G7, H8") == ("G7, H8", "")


@given(st.text(max_size=300))
def test_any_text_can_be_looked_at(text: str) -> None:
    meaning_of(text)
    opening_of(text)
    forms = list(unwrapped(text))
    assert forms[0] == text
    assert all(form in text for form in forms)


@each("unit", ["yes, ", "1. ", "move ", ", please", "((", "*", "hi ", ".", " - "])
def test_long_lines_cost_nothing(unit: str) -> None:
    began = time.process_time()
    for line in (unit * 100_000, unit * (LONGEST // len(unit))):
        meaning_of(line)
        opening_of(line)
        list(unwrapped(line))
    assert time.process_time() - began < 0.05
