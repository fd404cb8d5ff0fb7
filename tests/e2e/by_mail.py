"""Playthroughs played by mail: each turn is a reply, each mail is compared with the position."""

import re
from dataclasses import dataclass
from typing import Any

from pbm.engine import (
    AnyGame,
    Position,
    Result,
    Transcript,
    Viewer,
    advance,
    begin,
    draw,
    is_swap,
)
from pbm.engine.transcript import TurnStep
from tests.e2e.conftest import PASSWORD, Table
from tests.e2e.people import Person, begin_match
from tests.sink import Arrived


@dataclass
class MatchByMail:
    """One match: `seated` are the players by seat, `mails` is what each of them read last."""

    game: AnyGame
    seated: list[Person]
    mails: dict[str, Arrived]
    position: Position[Any]

    def take(self, step: TurnStep) -> None:
        """Reply with the turn of `step`, and read the mails that result."""
        seat = self.game.info.seats.index(step.side)
        mover = self.seated[seat]
        mover.answer(self.mails[mover.name], step.text)
        if step.refusal:
            # The ways to go on with a turn are a list in the mail.
            kind, words = step.refusal
            first, *others = re.split(", | or ", words) if kind == "incomplete" else [words]
            self.mails[mover.name] = mail = mover.next(first)
            assert all(other in mail.prose for other in others)
            return
        self.position, turn = advance(self.game, self.position, seat, step.text)
        if is_swap(turn.text):
            self.seated.reverse()
        for reader in self.seated:
            self.mails[reader.name] = reader.next(self.headline(reader))
            self.check_board(reader)

    def headline(self, reader: Person) -> str:
        """Return what `reader` is told about the position."""
        result = self.game.result(self.position.state)
        if result is not None:
            return self.outcome(result, reader)
        to_move = [self.seated[seat] for seat in self.game.to_move(self.position.state)]
        return "your move" if reader in to_move else f"{to_move[0].name} to move"

    def outcome(self, result: Result, reader: Person) -> str:
        """Return the sentence of the last mail to `reader`."""
        winners = [self.seated[seat] for seat in result.winners]
        names = " and ".join(winner.name for winner in winners)
        who = f"You lost; {names} won" if winners else "The match is a draw"
        who = "You won" if reader in winners else who
        return f"{who}: {self.game.info.reasons[result.reason]}."

    def check_board(self, reader: Person) -> None:
        """Check that the mail shows the board as its reader sees it."""
        seat = self.seated.index(reader)
        board = draw(self.game.diagram(self.position.state, Viewer(seat)))
        assert board in self.mails[reader.name].text.replace("\r\n", "\n")


def play_by_mail(table: Table, game: AnyGame, transcript: Transcript) -> MatchByMail:
    """Play the turns of `transcript`, including refused ones, from the challenge to the end."""
    options = " ".join(f"-{name}={value}" for name, value in transcript.options.items())
    first, second = begin_match(table.alice, table.bob, PASSWORD, game.info.key, options)
    match = MatchByMail(
        game,
        [table.alice, table.bob],
        {table.alice.name: first, table.bob.name: second},
        begin(game, game.info.setup(transcript.options)),
    )
    for step in transcript.steps:
        if isinstance(step, TurnStep):
            match.take(step)
    return match
