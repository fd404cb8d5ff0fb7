"""A crowd at many boards, driven at random, against a small model of what must happen.

The model knows whose turn it is and who must be told; it holds positions of the engine and
nothing of the server. Twenty players, every installed game, moves by reply and by password.
"""

import shutil
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pbm.engine import AnyGame, Position, advance, begin, may_swap
from pbm.plugins import installed_games
from pbm.service.verification import verify_all
from tests.house import ADDRESS, HouseUnderTest, text_of

NAMES = [f"player{n}" for n in range(20)]
GAMES = sorted(installed_games(), key=lambda game: game.info.key)


@cache
def crowd() -> Path:
    """Return the folder of a house with everybody in it, made once: hashing takes its time."""
    folder = Path(mkdtemp())
    house = HouseUnderTest(folder)
    house.add(*NAMES)
    house.house.close()  # what stands in SQLite's log alone would be missing in a copy
    return folder


@dataclass
class Board:
    """What the model knows of a board; `players` are userids by seat."""

    game: AnyGame
    players: list[str]
    position: Position[Any]
    over: bool = False

    @property
    def mover(self) -> str:
        return self.players[self.game.to_move(self.position.state)[0]]


class Crowd(RuleBasedStateMachine):
    """Mails in, mails out; every rule says who must be told."""

    @initialize()
    def open(self) -> None:
        folder = Path(mkdtemp())
        for name in ("pbm.db", "key"):
            shutil.copy(crowd() / name, folder / name)
        self.house = HouseUnderTest(folder)
        self.invited: dict[int, tuple[AnyGame, str, str]] = {}
        self.boards: dict[int, Board] = {}
        self.number = 100

    @rule(game=st.sampled_from(GAMES), pair=st.permutations(NAMES))
    def challenge(self, game: AnyGame, pair: list[str]) -> None:
        inviter, invited = pair[:2]
        sent = self.house.mail(
            address(inviter), f"{game.info.key} challenge {inviter} {inviter}-pw {invited}"
        )
        self.number += 1
        self.told(sent, inviter, invited)
        self.invited[self.number] = (game, inviter, invited)

    @precondition(lambda self: self.invited)
    @rule(data=st.data(), yes=st.booleans())
    def answer(self, data: st.DataObject, yes: bool) -> None:
        number = data.draw(st.sampled_from(sorted(self.invited)))
        game, inviter, invited = self.invited.pop(number)
        sent = self.house.reply(self.last(invited, number), "accept" if yes else "decline")
        self.told(sent, inviter, invited)
        if yes:
            start = begin(game, game.info.setup())
            self.boards[number] = Board(game, [inviter, invited], start)

    @precondition(lambda self: self.open_boards())
    @rule(data=st.data(), by_reply=st.booleans())
    def move(self, data: st.DataObject, by_reply: bool) -> None:
        number, board = self.draw_board(data)
        state = board.position.state
        (seat,) = board.game.to_move(state)
        moves = [str(move) for move in board.game.legal_moves(state, seat)]
        swaps = ["swap"] if may_swap(board.game, board.position) else []
        text = data.draw(st.sampled_from(moves + swaps))
        mover = board.mover
        sent = self.write(number, mover, text, by_reply=by_reply)
        self.told(sent, *board.players)
        board.position, turn = advance(board.game, board.position, seat, text)
        if turn.text == "swap":
            board.players.reverse()
        result = board.game.result(board.position.state)
        board.over = result is not None
        if result:
            winners = [board.players[seat] for seat in result.winners]
            assert all(f"{winners[0]} won" in news(mail) for mail in sent if winners)

    @precondition(lambda self: self.open_boards())
    @rule(data=st.data(), by_reply=st.booleans())
    def move_out_of_turn(self, data: st.DataObject, by_reply: bool) -> None:
        number, board = self.draw_board(data)
        other = next(name for name in board.players if name != board.mover)
        moves = board.game.legal_moves(
            board.position.state, board.game.to_move(board.position.state)[0]
        )
        sent = self.write(number, other, str(next(iter(moves))), by_reply=by_reply)
        self.told(sent, other)
        assert "not done" in news(sent[0])

    @precondition(lambda self: self.open_boards())
    @rule(data=st.data(), text=st.sampled_from(["zzz", "a1-", "!!", "Hello, how are you?"]))
    def write_nonsense(self, data: st.DataObject, text: str) -> None:
        number, board = self.draw_board(data)
        sent = self.write(number, board.mover, text, by_reply=True)
        self.told(sent, board.mover)
        assert "not done" in news(sent[0])

    @precondition(lambda self: self.open_boards())
    @rule(data=st.data())
    def resign(self, data: st.DataObject) -> None:
        number, board = self.draw_board(data)
        quitter = data.draw(st.sampled_from(board.players))
        self.told(self.house.mail(*self.command(quitter, "resign", number)), *board.players)
        board.over = True

    @precondition(lambda self: self.open_boards())
    @rule(data=st.data(), reader=st.sampled_from(NAMES))
    def show(self, data: st.DataObject, reader: str) -> None:
        number, board = self.draw_board(data)
        sent = self.house.mail(address(reader), f"show {number}")
        self.told(sent, reader)
        assert f"after {board.position.ply} moves" in text_of(sent[0])
        assert bool(sent[0]["Reply-To"]) == (reader in board.players)

    @rule(subject=st.sampled_from(["help", "show 101", "games", "hello", "accept 101"]))
    def stranger(self, subject: str) -> None:
        assert self.house.mail("stranger@elsewhere.example", subject) == []

    @invariant()
    def nobody_is_written_to_but_the_players(self) -> None:
        known = {address(name) for name in NAMES}
        assert {mail["To"] for mail in getattr(self, "house", self).sent} <= known

    sent: tuple[EmailMessage, ...] = ()

    def teardown(self) -> None:
        if not hasattr(self, "house"):
            return
        with self.house.house.open_reading() as work:
            checked = dict(verify_all(work, self.house.house.catalogue))
            for number, board in self.boards.items():
                assert checked[number] == ()
                found = work.matches.get(number)
                assert found is not None
                assert len(found[0].plies) == board.position.ply
                assert found[0].over == board.over
            assert work.shunt.listing() == ()

    def open_boards(self) -> list[int]:
        return [number for number, board in self.boards.items() if not board.over]

    def draw_board(self, data: st.DataObject) -> tuple[int, Board]:
        number = data.draw(st.sampled_from(self.open_boards()))
        return number, self.boards[number]

    def last(self, name: str, number: int) -> EmailMessage:
        return next(
            mail
            for mail in reversed(self.house.sent)
            if mail["To"] == address(name) and f" {number}]" in mail["Subject"] and mail["Reply-To"]
        )

    def write(self, number: int, name: str, text: str, *, by_reply: bool) -> list[EmailMessage]:
        if by_reply:
            return self.house.reply(self.last(name, number), text)
        return self.house.mail(*self.command(name, "move", number, text))

    def command(self, name: str, verb: str, number: int, text: str = "") -> tuple[str, str]:
        return address(name), f"{verb} {number} {name} {name}-pw {text}"

    def told(self, sent: list[EmailMessage], *names: str) -> None:
        """Each of `names` gets one mail, and nobody else any."""
        assert sorted(mail["To"] for mail in sent) == sorted(map(address, names))


def address(name: str) -> str:
    return f"{name}@example.org"


def news(mail: EmailMessage) -> str:
    """Return the display name of the sender, which says what is new."""
    return str(mail["From"]).removesuffix(f"<{ADDRESS}>")


TestCrowd = Crowd.TestCase
TestCrowd.settings = settings(
    max_examples=8,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
