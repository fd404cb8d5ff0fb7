"""A crowd at many boards, driven at random, against a small model of what must happen.

Twenty players, forty boards of every installed game; moves, offers, queues, talk and followers,
by reply and by password. After each mail the model says who must be told, of whose turn, and
which offer stands; nobody is told twice, and nobody else at all.
"""

import shutil
from email.message import EmailMessage
from pathlib import Path
from tempfile import mkdtemp

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pbm.domain.offers import standing_offer
from pbm.engine import AnyGame, begin
from pbm.service.verification import verify_all
from tests.house import ADDRESS, text_of
from tests.service.crowd import GAMES, NAMES, Board, address, crowd_in

LIVELY = 5
"""How much more often a board is chosen on which something has happened."""


class Crowd(RuleBasedStateMachine):
    """Mails in, mails out; every rule says who must be told."""

    @initialize()
    def open(self) -> None:
        self.folder = Path(mkdtemp(prefix="crowd"))
        self.house, self.boards = crowd_in(self.folder)
        self.invited: dict[int, tuple[AnyGame, str, str]] = {}
        self.number = max(self.boards)

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
            self.boards[number] = Board(game, [inviter, invited], begin(game, game.info.setup()))

    @rule(data=st.data(), by_reply=st.booleans(), verb=st.sampled_from(["move", "queue"]))
    def move(self, data: st.DataObject, by_reply: bool, verb: str) -> None:
        number, board = self.draw_board(data)
        text, mover = data.draw(st.sampled_from(board.moves())), board.mover
        verb = "move" if text == "swap" else verb
        board.play(text)
        sent = self.write(number, mover, text, verb, by_reply=by_reply)
        self.told_of_board(sent, number)
        result = board.game.result(board.position.state)
        if result and result.winners:
            winner = board.players[result.winners[0]]
            assert all(f"{winner} won" in news(mail) for mail in sent)

    @rule(data=st.data(), by_reply=st.booleans())
    def move_out_of_turn(self, data: st.DataObject, by_reply: bool) -> None:
        number, board = self.draw_board(data)
        name = board.other(board.mover)
        self.refused(self.write(number, name, board.moves()[0], by_reply=by_reply), name)

    @rule(data=st.data(), text=st.sampled_from(["zzz", "a1-", "!!", "Hello, how are you?"]))
    def write_nonsense(self, data: st.DataObject, text: str) -> None:
        number, board = self.draw_board(data)
        self.refused(self.write(number, board.mover, text, by_reply=True), board.mover)

    @rule(data=st.data())
    def queue(self, data: st.DataObject) -> None:
        number, board = self.draw_board(data)
        name = board.other(board.mover)
        moves = sorted(set(board.later_moves(name)))
        if moves and name not in board.queued:
            board.queued[name] = data.draw(st.sampled_from(moves))
            sent = self.write(number, name, board.queued[name], "queue", by_reply=True)
            self.told(sent, name)
            assert f"Queued for your turns: {board.queued[name]}." in words(sent[0])

    @rule(data=st.data(), kind=st.sampled_from(["draw", "undo"]), by_reply=st.booleans())
    def offer(self, data: st.DataObject, kind: str, by_reply: bool) -> None:
        number, board = self.draw_board(data)
        name = data.draw(st.sampled_from(board.players))
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

    @precondition(lambda self: self.with_offer())
    @rule(data=st.data(), yes=st.booleans(), by_reply=st.booleans())
    def answer_an_offer(self, data: st.DataObject, yes: bool, by_reply: bool) -> None:
        number = data.draw(st.sampled_from(self.with_offer()))
        board = self.boards[number]
        assert board.offer
        name = board.other(board.offer[1])
        sent = self.write(number, name, "", "accept" if yes else "reject", by_reply=by_reply)
        if yes:
            self.agree(board)
        board.offer = None
        self.told_of_board(sent, number)

    @rule(data=st.data(), verb=st.sampled_from(["accept", "reject"]))
    def answer_what_was_not_offered(self, data: st.DataObject, verb: str) -> None:
        number, board = self.draw_board(data)
        name = board.offer[1] if board.offer else data.draw(st.sampled_from(board.players))
        self.refused(self.write(number, name, "", verb, by_reply=True), name)

    @rule(data=st.data(), name=st.sampled_from(NAMES))
    def chat(self, data: st.DataObject, name: str) -> None:
        number, board = self.draw_board(data)
        sent = self.house.mail(*self.command(name, "chat", number), "Good evening.")
        if name not in board.players and name not in board.followers:
            self.refused(sent, name)
            return
        self.told(sent, *dict.fromkeys((*board.listeners(), name)))
        assert all(f"{name} writes: Good evening." in words(mail) for mail in sent)

    @rule(data=st.data(), name=st.sampled_from(NAMES), only_end=st.booleans())
    def follow(self, data: st.DataObject, name: str, only_end: bool) -> None:
        number, board = self.draw_board(data)
        sent = self.house.mail(*self.command(name, "notify" if only_end else "subscribe", number))
        if name in board.players:
            self.refused(sent, name)
            return
        board.followers[name] = only_end
        self.told(sent, name)

    @rule(data=st.data(), name=st.sampled_from(NAMES))
    def unfollow(self, data: st.DataObject, name: str) -> None:
        number, board = self.draw_board(data)
        followers = sorted(board.followers)
        name = data.draw(st.sampled_from(followers)) if followers else name
        sent = self.house.mail(address(name), f"unsubscribe {number}")
        if name in followers:
            del board.followers[name]
        self.told(sent, name)
        assert ("not done" in news(sent[0])) == (name not in followers)

    @rule(data=st.data())
    def resign(self, data: st.DataObject) -> None:
        number, board = self.draw_board(data)
        quitter = data.draw(st.sampled_from(board.players))
        board.over = True
        self.told_of_board(self.house.mail(*self.command(quitter, "resign", number)), number)

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
                found = work.matches.get(number)
                assert found is not None
                match = found[0]
                assert checked[number] == ()
                assert (len(match.plies), match.over) == (board.position.ply, board.over)
                if not board.over:
                    queuers = work.players.by_ids(work.intentions.queuers(number)).values()
                    assert {player.userid for player in queuers} == set(board.queued)
                    assert bool(standing_offer(match)) == bool(board.offer)
            assert work.shunt.listing() == ()
        self.house.house.close()
        shutil.rmtree(self.folder)

    def with_offer(self) -> list[int]:
        return [n for n, board in self.boards.items() if board.offer and not board.over]

    def draw_board(self, data: st.DataObject) -> tuple[int, Board]:
        open_boards = [n for n, board in self.boards.items() if not board.over]
        lively = [n for n in open_boards if self.boards[n].past or self.boards[n].followers]
        number = data.draw(st.sampled_from([*lively[:4] * LIVELY, *open_boards]))
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
        """`name` alone is told, and that nothing was done."""
        self.told(sent, name)
        assert "not done" in news(sent[0])

    def told_of_board(self, sent: list[EmailMessage], number: int) -> None:
        """All at the board are told, of the same turn and offer, each from his own side."""
        board = self.boards[number]
        self.told(sent, *board.listeners())
        for mail in sent:
            name = str(mail["To"]).partition("@")[0]
            if board.over:
                assert "move" not in news(mail)
                continue
            assert ("your move" if name == board.mover else f"{board.mover} to move") in news(mail)
            offerer = board.offer[1] if board.offer else ""
            assert ("Your offer stands:" in words(mail)) == (name == offerer)
            assert (f"{offerer} offers:" in words(mail)) == (offerer not in ("", name))

    def told(self, sent: list[EmailMessage], *names: str) -> None:
        """Each of `names` gets one mail, and nobody else any."""
        assert sorted(mail["To"] for mail in sent) == sorted(map(address, names))


def news(mail: EmailMessage) -> str:
    """Return the display name of the sender, which says what is new."""
    return str(mail["From"]).removesuffix(f"<{ADDRESS}>")


def words(mail: EmailMessage) -> str:
    """Return the text of a mail with white space folded."""
    return " ".join(text_of(mail).split())


TestCrowd = Crowd.TestCase
TestCrowd.settings = settings(
    max_examples=8,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
