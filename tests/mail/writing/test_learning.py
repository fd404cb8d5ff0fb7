"""What hints and analyses say in words, and in plain figures."""

from pbm.features.learning import hint_letter
from pbm.mail.writing.letters import written
from pbm.mail.writing.wording import Wording
from pbm.render.marks import plain
from pbm.robots.tasks import Hint, Tried
from pbm.service.letters import Letter
from tests.domain.matches import BOB, NOW, PEOPLE
from tests.mail.writing.letters.learning import ANALYSED, OPENED
from tests.mail.writing.notices import ADDRESS, COMPOSER
from tests.tables import each

GOOD = Tried("a1", 0.62)
OTHER = Tried("c1", 0.55)


def worded(letter: Letter) -> Wording:
    return written(COMPOSER.templates.environment, letter, ADDRESS)


def hinted(hint: Hint) -> Wording:
    return worded(hint_letter(PEOPLE[BOB], OPENED, PEOPLE, NOW, hint))


def words(wording: Wording) -> str:
    return " ".join(plain(str(wording.text)).split())


@each(
    ("best", "second", "said"),
    [
        (GOOD, OTHER, ("I would play a1: it wins 62 of 100 of my tries. The next best, c1, wins 55 "
                      "of 100 of my tries.")),
        (GOOD, Tried("c1", 0.61),
         "I would play a1: it wins 62 of 100 of my tries. As good is c1, with 61 of 100."),
        (GOOD, Tried("c1", 0.0, proven=True),
         ("I would play a1: it wins 62 of 100 of my tries. The next best, c1, loses, if your "
         "opponent plays well.")),
        (Tried("a1", 1.0, proven=True), OTHER, "I would play a1: it wins, whatever comes."),
        (Tried("a1", 0.5, proven=True), None,
         "I would play a1: it leads to a draw, if both play their best."),
        (Tried("a1", 0.0, proven=True), None,
         "I would play a1, but I see no move that saves the match."),
        (Tried("swap", 0.58), Tried("c1", 0.42),
         ("I would swap: the other side wins 58 of 100 of my tries. The next best, c1, wins 42 of "
         "100 of my tries.")),
    ],
)  # fmt: skip
def test_a_hint_says_what_and_why(best: Tried, second: Tried | None, said: str) -> None:
    wording = hinted(Hint(best, 2, second))
    assert words(wording).startswith(f"{said} Nothing has been played.")
    assert said.startswith(wording.preheader)
    example = "c1" if best.text == "swap" else "a1"
    assert f"Reply with a move, for example {example} " in words(wording)


def test_the_only_move_and_an_even_opening_are_told_as_such() -> None:
    only, even = hinted(Hint(GOOD, 2, only=True)), hinted(Hint(GOOD, 2, even=True))
    assert only.preheader == "a1 is the only move that you have."
    assert even.preheader.endswith("so neither side is much better.")


def test_mistakes_are_numbered_as_on_the_curve_and_lead_to_the_position_before() -> None:
    wording = worded(ANALYSED)
    assert (
        "The biggest mistakes: "
        "1 Move 5: you played c1, which loses for certain. a2 would have won 50. "
        "2 Move 1: you played b2, which won 31 of 100 of my tries. a2 would have won 49. "
        "3 Move 2: bob used the pie rule, which won 30 of 100 of my tries. c3 would have won "
        "for certain. What the match"
    ) in words(wording)
    text = str(wording.text)
    assert "\x04show 104#4\x03" in text
    curve = plain(text).partition("in per cent:\n\n")[2].partition("\n\n")[0]
    assert [line.split()[-1] for line in curve.strip().split("\n")[1:]] == [
        *("2", "3", "28", "50", "1", "0"),
    ]
