"""What the mails of hints and analyses say: figures in plain words, and the curve of a match."""

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbm.domain.description import about, headline, outcome_line, thread_subject, userid
from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.engine import Seat, is_swap
from pbm.mail.writing.board import BoardFacts, board_facts, scene_of
from pbm.mail.writing.pictures import Chart
from pbm.mail.writing.play import LAST
from pbm.mail.writing.wording import Wording
from pbm.render.boards.drawing import Form
from pbm.render.boards.plotting import stone_of
from pbm.render.curves import Curve, Step, per_cent, text_of
from pbm.render.marks import link, plain
from pbm.render.templates import LINE
from pbm.service.notices.learning import Analysed, Hinted, Mistake, Tried


@dataclass(frozen=True, slots=True)
class HintMail:
    """What to play, in sentences, above the board as it stands."""

    template: ClassVar[str] = "learning/hint.txt.j2"
    sentences: tuple[str, ...]
    board: BoardFacts


@dataclass(frozen=True, slots=True)
class AnalysisMail:
    """How a match went: the biggest mistakes, each in an item of a list, and the curve of `side`.

    `since` is the first move that there was time for, 0 if that was all of them.
    """

    template: ClassVar[str] = "learning/analysis.txt.j2"
    outcome: str
    playouts: int
    since: int
    mistakes: tuple[str, ...]
    side: str
    curve: str
    about: str
    key: str


def _hinted(notice: Hinted, _address: str) -> Wording:
    board = notice.board
    scene = scene_of(board, notice.people, notice.now, last=LAST)
    facts = board_facts(scene, notice.to)
    shown = notice.second if is_swap(notice.best.text) else notice.best
    context = HintMail(
        tuple(_reasons(notice)), replace(facts, example=shown.text if shown else facts.example)
    )
    return Wording(
        scene.subject,
        context,
        headline("A hint", board.game, board.match.number),
        game=board.match.game,
        figures=(facts.figure,),
        preheader=plain(context.sentences[0]),
    )


def _reasons(notice: Hinted) -> list[str]:
    """Return what to play and why, a sentence each; a tap on a turn plays it."""
    best, second = notice.best, notice.second
    turn = link(best.text)
    if notice.only:
        return [f"{turn} is the only move that you have."]
    if is_swap(best.text):
        said = [f"I would {turn}: the other side {_worth(best)}."]
    elif notice.even:
        said = [
            f"I would play {turn}: it {_worth(best)}, so neither side is much better.",
            "That counts now, because your opponent may take your side over.",
        ]
    elif best.proven and best.worth == 0:
        return [f"I would play {turn}, but I see no move that saves the match."]
    else:
        said = [f"I would play {turn}: it {_worth(best)}."]
    if second and not (best.proven and best.worth == 1):
        said.append(_beside(best, second))
    return said


def _beside(best: Tried, second: Tried) -> str:
    """Return a sentence on the next best turn. It can have won more, of fewer tries."""
    turn = link(second.text)
    if not second.proven and second.worth > best.worth - _ALIKE:
        return f"As good is {turn}, with {per_cent(second.worth)} of 100."
    return f"The next best, {turn}, {_worth(second)}."


_ALIKE = 0.02
"""What two turns that are as good may differ in: less than chance."""


def _worth(tried: Tried) -> str:
    """Return "wins 62 of 100 of my tries", to follow a turn."""
    if tried.proven and tried.worth in _CERTAIN:
        return _CERTAIN[tried.worth]
    return f"wins {per_cent(tried.worth)} of 100 of my tries"


_CERTAIN: Mapping[float, str] = {
    1.0: "wins, whatever comes",
    0.5: "leads to a draw, if both play their best",
    0.0: "loses, if your opponent plays well",
}


def _analysed(notice: Analysed, _address: str) -> Wording:
    match, game = notice.board.match, notice.board.game
    curve = _curve(notice)
    first = notice.turns[0].ply
    context = AnalysisMail(
        outcome=outcome_line(notice.board, notice.people),
        playouts=notice.playouts,
        since=first if first > 1 else 0,
        mistakes=tuple(
            _mistake(number, mistake, notice) for number, mistake in enumerate(notice.mistakes, 1)
        ),
        side=curve.side,
        curve=text_of(curve),
        about=about(match, game),
        key=match.game,
    )
    return Wording(
        thread_subject(match, game, notice.people),
        context,
        headline("The analysis", game, match.number),
        game=match.game,
        figures=(Chart(curve),),
    )


def _curve(notice: Analysed) -> Curve:
    """Return the curve of the side at the notice's seat; the flags are the numbers of mistakes."""
    board, seat = notice.board, notice.seat
    signs = board.game.info.signs
    flags = {mistake.ply: str(number) for number, mistake in enumerate(notice.mistakes, 1)}
    steps = tuple(
        Step(
            turn.ply,
            signs[turn.seat] or userid(notice.people, turn.player)[:1],
            turn.text,
            turn.worth,
            flags.get(turn.ply, ""),
        )
        for turn in notice.turns
    )
    side, other = _sides(board, seat, notice.people)
    dark = stone_of(signs[seat], seat).form is not Form.LIGHT
    return Curve(side, other, notice.start, steps, dark=dark)


def _sides(board: LiveMatch, seat: Seat, people: People) -> tuple[str, str]:
    """Return the name of who sits at `seat`, and of the other; sides if that is the same player."""
    players = board.match.players
    others = [player for other, player in enumerate(players) if other != seat]
    if players[seat] in others:
        sides = board.game.sides(board.position.state)
        return sides[seat], sides[seat - 1]
    return userid(people, players[seat]), (
        userid(people, others[0]) if len(others) == 1 else "the others"
    )


def _mistake(number: int, mistake: Mistake, notice: Analysed) -> str:
    """Return "  1  Move 50, bob played H9: it won 52 of 100 of my tries. ..." as an item."""
    who = "you" if mistake.player == notice.to.id else userid(notice.people, mistake.player)
    turn = "used the pie rule" if is_swap(mistake.text) else f"played {mistake.text}"
    better = "To swap" if is_swap(mistake.better) else mistake.better
    move = f"Move {mistake.ply}"
    line = textwrap.fill(
        f"{number:>3}  {move}: {who} {turn}, which {_won(mistake.worth)}. "
        f"{better} {_would_have(mistake.missed)}.",
        LINE, subsequent_indent=" " * 5, break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip
    seen = f"show {notice.board.match.number}#{mistake.ply - 1}"
    return line.replace(move, link(move, seen), 1)


def _won(worth: float) -> str:
    return f"won {per_cent(worth)} of 100 of my tries" if worth else "loses for certain"


def _would_have(worth: float) -> str:
    if worth == 1:
        return "would have won for certain"
    return f"would have won {per_cent(worth)}"


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Hinted: _hinted,
    Analysed: _analysed,
}
"""What is said for each kind of notice of learning."""
