"""What hints and analyses say in words, and in plain figures."""

from pbm.mail.writing.learning import AnalysisMail, HintMail
from pbm.mail.writing.vocabulary import wordings
from pbm.render.marks import plain
from pbm.service.notices.learning import Analysed, Hinted, Tried
from tests.domain.matches import NOW, PEOPLE
from tests.mail.writing.notices import (
    ADDRESS,
    ENDED,
    LOOKED_AT,
    MISTAKES,
    OPENED,
    TO,
    TOKEN,
)
from tests.tables import each

GOOD = Tried("a1", 0.62, proven=False)
OTHER = Tried("c1", 0.55, proven=False)


@each(
    ("best", "second", "said"),
    [
        (GOOD, OTHER, ("I would play a1: it wins 62 of 100 of my tries. The next best, c1, wins 55 "
                      "of 100 of my tries.")),
        (GOOD, Tried("c1", 0.61, proven=False),
         "I would play a1: it wins 62 of 100 of my tries. As good is c1, with 61 of 100."),
        (GOOD, Tried("c1", 0.0, proven=True),
         ("I would play a1: it wins 62 of 100 of my tries. The next best, c1, loses, if your "
         "opponent plays well.")),
        (Tried("a1", 1.0, proven=True), OTHER, "I would play a1: it wins, whatever comes."),
        (Tried("a1", 0.5, proven=True), None,
         "I would play a1: it leads to a draw, if both play their best."),
        (Tried("a1", 0.0, proven=True), None,
         "I would play a1, but I see no move that saves the match."),
        (Tried("swap", 0.58, proven=False), Tried("c1", 0.42, proven=False),
         ("I would swap: the other side wins 58 of 100 of my tries. The next best, c1, wins 42 of "
         "100 of my tries.")),
    ],
)  # fmt: skip
def test_a_hint_says_what_and_why(best: Tried, second: Tried | None, said: str) -> None:
    notice = Hinted(TO, OPENED, PEOPLE, NOW, best, second, reply=TOKEN)
    wording = wordings()[Hinted](notice, ADDRESS)
    assert isinstance(wording.context, HintMail)
    assert plain(" ".join(wording.context.sentences)) == said
    assert said.startswith(wording.preheader)
    assert wording.context.board.example == ("c1" if best.text == "swap" else "a1")


def test_the_only_move_and_an_even_opening_are_told_as_such() -> None:
    only = wordings()[Hinted](Hinted(TO, OPENED, PEOPLE, NOW, GOOD, only=True), ADDRESS)
    even = wordings()[Hinted](Hinted(TO, OPENED, PEOPLE, NOW, GOOD, even=True), ADDRESS)
    assert only.preheader == "a1 is the only move that you have."
    assert even.preheader.endswith("so neither side is much better.")


def test_mistakes_are_numbered_as_on_the_curve_and_lead_to_the_position_before() -> None:
    notice = Analysed(TO, ENDED, PEOPLE, 1, 0.5, LOOKED_AT, MISTAKES, 333, reply=TOKEN)
    context = wordings()[Analysed](notice, ADDRESS).context
    assert isinstance(context, AnalysisMail)
    assert [" ".join(plain(line).split()) for line in context.mistakes] == [
        "1 Move 5: you played c1, which loses for certain. a2 would have won 50.",
        "2 Move 1: you played b2, which won 31 of 100 of my tries. a2 would have won 49.",
        (
            "3 Move 2: bob used the pie rule, which won 30 of 100 of my tries. c3 would have won "
            "for certain."
        ),
    ]
    assert "\x04show 104#4\x03" in context.mistakes[0]
    assert [line.split()[-1] for line in context.curve.split("\n")[1:]] == [
        *("2", "3", "28", "50", "1", "0"),
    ]
