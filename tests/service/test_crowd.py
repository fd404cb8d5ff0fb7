"""A crowd at many boards, driven at random, against a small model of what must happen.

Twenty players, forty boards of every installed game; moves, offers, queues, talk and followers,
by reply and by password. After each mail the model says who must be told, of whose turn, and
which offer stands. Nobody is told twice, and nobody else is told at all.
"""

import re
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from pbm.domain.offers import open_offer
from pbm.engine import AnyGame, begin
from pbm.operator.upkeep import verify_all
from tests.house import ADDRESS, text_of
from tests.service.crowd import GAMES, NAMES, Board, address, crowd_in

LIVELY = (True, True, True, True, False)
"""The share of choices of a board on which something has already happened."""

STRANGER = "stranger@elsewhere.example"

DEEDS = {
    "challenge": 1, "answer": 1, "move": 8, "move_out_of_turn": 2, "write_nonsense": 1, "queue": 5,
    "offer": 4, "answer_an_offer": 5, "answer_what_was_not_offered": 1, "chat": 1, "follow": 1,
    "unfollow": 1, "resign": 1, "show": 1, "stranger": 1,
}  # fmt: skip
"""The acts of the crowd, by the names of its methods, and their frequencies."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_everybody_at_a_board_is_told_once_of_what_happens_there_and_nobody_else(
    seed: int, tmp_path: Path
) -> None:
    crowd = Crowd(seed, tmp_path)
    for deed in crowd.chance.choices([*DEEDS], [*DEEDS.values()], k=100):
        print(deed)
        getattr(crowd, deed)(crowd.chance)
    crowd.check()


class Crowd:
    """Mails in, mails out; every deed says who must be told."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = Random(seed)
        self.house, self.boards = crowd_in(folder)
        self.invited: dict[int, tuple[AnyGame, str, str]] = {}
        self.number = max(self.boards)

    def challenge(self, chance: Random) -> None:
        game = chance.choice(GAMES)
        pair = chance.sample(NAMES, 2)
        inviter, invited = pair
        sent = self.house.mail(
            address(inviter), f"{game.info.key} challenge {inviter} {inviter}-pw {invited}"
        )
        self.number += 1
        self.told(sent, inviter, invited)
        self.invited[self.number] = (game, inviter, invited)

    def answer(self, chance: Random) -> None:
        if not self.invited:
            return
        yes = chance.random() < 0.5
        number = chance.choice(sorted(self.invited))
        game, inviter, invited = self.invited.pop(number)
        sent = self.house.reply(self.last(invited, number), "accept" if yes else "decline")
        self.told(sent, inviter, invited)
        if yes:
            self.boards[number] = Board(game, [inviter, invited], begin(game, game.info.setup()))

    def move(self, chance: Random) -> None:
        by_reply = chance.random() < 0.9
        verb = chance.choice(["move", "queue"])
        number, board = self.draw_board(chance)
        moves, mover = board.moves(), board.mover
        text = chance.choice(moves if chance.random() < 0.7 else moves[-1:])  # swap is the last one
        verb = "move" if text == "swap" else verb
        board.play(text)
        sent = self.write(number, mover, text, verb, by_reply=by_reply)
        self.told_of_board(sent, number)
        result = board.game.result(board.position.state)
        if result and result.winners:
            winner = board.players[result.winners[0]]
            assert all(result_for(mail, winner, board) in news(mail) for mail in sent)

    def move_out_of_turn(self, chance: Random) -> None:
        by_reply = chance.random() < 0.9
        number, board = self.draw_board(chance)
        name = board.other(board.mover)
        self.refused(self.write(number, name, board.moves()[0], by_reply=by_reply), name)

    def write_nonsense(self, chance: Random) -> None:
        text = chance.choice(["zzz", "a1-", "!!", "Hello, how is the cat?"])
        number, board = self.draw_board(chance)
        self.refused(self.write(number, board.mover, text, by_reply=True), board.mover)

    def queue(self, chance: Random) -> None:
        number, board = self.draw_board(chance)
        name = board.other(board.mover)
        moves = sorted(set(board.later_moves(name)))
        if moves and name not in board.queued:
            board.queued[name] = chance.choice(moves)
            sent = self.write(number, name, board.queued[name], "queue", by_reply=True)
            self.told(sent, name)
            assert f"Next you play {board.queued[name]}" in words(sent[0])

    def offer(self, chance: Random) -> None:
        kind = chance.choice(["draw", *["undo"] * 3])
        by_reply = chance.random() < 0.9
        number, board = self.draw_board(chance)
        name = chance.choice([*board.players, *board.queued, *board.queued])
        mine, his = (kind, name), (kind, board.other(name))
        refused = (
            board.offer == mine
            or (board.offer is not None and board.offer[1] != name and board.offer != his)
            or (kind == "undo" and board.offer != his and not board.has_moved(name))
        )
        sent = self.write(number, name, "", kind, by_reply=by_reply)
        if refused:
            self.refused(sent, name)
            return
        if board.offer == his:
            self.agree(board)
        else:
            board.offer = mine
        self.told_of_board(sent, number)

    def answer_an_offer(self, chance: Random) -> None:
        if not self.with_offer():
            return
        yes = chance.random() < 0.5
        by_reply = chance.random() < 0.9
        number = chance.choice(self.with_offer())
        board = self.boards[number]
        assert board.offer
        name = board.other(board.offer[1])
        sent = self.write(number, name, "", "accept" if yes else "reject", by_reply=by_reply)
        if yes:
            self.agree(board)
        board.offer = None
        self.told_of_board(sent, number)

    def answer_what_was_not_offered(self, chance: Random) -> None:
        verb = chance.choice(["accept", "reject"])
        number, board = self.draw_board(chance)
        name = board.offer[1] if board.offer else chance.choice(board.players)
        self.refused(self.write(number, name, "", verb, by_reply=True), name)

    def chat(self, chance: Random) -> None:
        name = chance.choice(NAMES)
        number, board = self.draw_board(chance)
        sent = self.house.mail(*self.command(name, "chat", number), "Good evening.")
        if name not in board.players:
            self.refused(sent, name)
            return
        self.told(sent, *board.listeners())
        assert all(f"{name} writes: Good evening." in words(mail) for mail in sent)

    def follow(self, chance: Random) -> None:
        name = chance.choice(NAMES)
        only_end = chance.random() < 0.5
        number, board = self.draw_board(chance)
        sent = self.house.mail(*self.command(name, "notify" if only_end else "subscribe", number))
        if name in board.players:
            self.refused(sent, name)
            return
        board.followers[name] = only_end
        self.told(sent, name)

    def unfollow(self, chance: Random) -> None:
        name = chance.choice(NAMES)
        number, board = self.draw_board(chance)
        followers = sorted(board.followers)
        name = chance.choice(followers) if followers else name
        sent = self.house.mail(address(name), f"unsubscribe {number} {name} {name}-pw")
        if name in followers:
            del board.followers[name]
        self.told(sent, name)
        assert ("Please check" in news(sent[0])) == (name not in followers)

    def resign(self, chance: Random) -> None:
        number, board = self.draw_board(chance)
        quitter = chance.choice(board.players)
        board.over = True
        self.told_of_board(self.house.mail(*self.command(quitter, "resign", number)), number)

    def show(self, chance: Random) -> None:
        reader = chance.choice(NAMES)
        number, board = self.draw_board(chance)
        sent = self.house.mail(address(reader), f"show {number}")
        self.told(sent, reader)
        assert f" after {board.position.ply} move" in text_of(sent[0])
        assert bool(sent[0]["Reply-To"]) == (reader in board.players)

    def stranger(self, chance: Random) -> None:
        subject = chance.choice(["help", "show 101", "games", "hello", "accept 101"])
        for mail in self.house.mail(STRANGER, subject):
            assert (mail["To"], mail["Subject"]) == (STRANGER, "A play-by-email game server")

    def check(self) -> None:
        """Compare all boards with the model; nobody else was written to, and no mail met a bug."""
        known = {STRANGER, *(address(name) for name in NAMES)}
        assert {mail["To"] for mail in self.house.sent} <= known
        with self.house.house.open_reading() as work:
            checked = dict(verify_all(work, self.house.house.catalogue))
            for number, board in self.boards.items():
                found = work.matches.get(number)
                assert found is not None
                match = found[0]
                assert checked[number] == ()
                assert (len(match.plies), match.over) == (board.position.ply, board.over)
                if not board.over:
                    queuers = work.players.by_ids(work.plans.queuers(number)).values()
                    assert {player.userid for player in queuers} == set(board.queued)
                    assert bool(open_offer(match)) == bool(board.offer)
        assert self.house.shunted() == ()

    def with_offer(self) -> list[int]:
        return [n for n, board in self.boards.items() if board.offer and not board.over]

    def draw_board(self, chance: Random) -> tuple[int, Board]:
        open_boards = [n for n, board in self.boards.items() if not board.over]
        lively = [n for n in open_boards if self.boards[n].past or self.boards[n].followers]
        few = bool(lively) and chance.choice(LIVELY)
        number = chance.choice(lively[:2] if few else open_boards)
        return number, self.boards[number]

    def agree(self, board: Board) -> None:
        assert board.offer
        kind, name = board.offer
        if kind == "draw":
            board.over = True
        else:
            board.take_back(name)

    def last(self, name: str, number: int) -> EmailMessage:
        return next(
            mail
            for mail in reversed(self.house.sent)
            if mail["To"] == address(name) and f" {number}]" in mail["Subject"] and mail["Reply-To"]
        )

    def write(
        self, number: int, name: str, text: str, verb: str = "move", *, by_reply: bool
    ) -> list[EmailMessage]:
        if not by_reply:
            return self.house.mail(*self.command(name, verb, number, text))
        line = text if verb == "move" else f"{verb} {text}"
        return self.house.reply(self.last(name, number), line)

    def command(self, name: str, verb: str, number: int, text: str = "") -> tuple[str, str]:
        return address(name), f"{verb} {number} {name} {name}-pw {text}"

    def refused(self, sent: list[EmailMessage], name: str) -> None:
        """Check that only `name` is told, and that nothing was done."""
        self.told(sent, name)
        assert "Please check" in news(sent[0])

    def told_of_board(self, sent: list[EmailMessage], number: int) -> None:
        """Check that everybody at the board is told of the same turn and offer, from their side."""
        board = self.boards[number]
        self.told(sent, *board.listeners())
        for mail in sent:
            name = str(mail["To"]).partition("@")[0]
            if board.over:
                assert "move" not in news(mail)
                continue
            offerer = board.offer[1] if board.offer else ""
            turn = "Your move" if name == board.mover else f"{board.mover} to move"
            assert turn in news(mail) or news(mail).startswith(f"{offerer} offers")
            own = re.search(r"You (offered a draw|asked to take back [^.]+)\.", words(mail))
            assert bool(own) == (name == offerer)
            others = rf"{offerer} (offered a draw|asked to take back [^.]+)\."
            offered = bool(offerer) and bool(re.search(others, words(mail)))
            assert offered == (offerer not in ("", name))

    def told(self, sent: list[EmailMessage], *names: str) -> None:
        """Check that each of `names` gets one mail, and nobody else gets any."""
        assert sorted(mail["To"] for mail in sent) == sorted(map(address, names))


def result_for(mail: EmailMessage, winner: str, board: Board) -> str:
    """Return how the last mail of a match names its result to its reader."""
    reader = str(mail["To"]).partition("@")[0]
    if reader not in board.players:
        return f"{winner} won"
    return "You won" if reader == winner else "You lost"


def news(mail: EmailMessage) -> str:
    """Return the display name of the sender, which says what is new."""
    return str(mail["From"]).removesuffix(f"<{ADDRESS}>")


def words(mail: EmailMessage) -> str:
    """Return the text of a mail with white space folded."""
    return " ".join(text_of(mail).split())
