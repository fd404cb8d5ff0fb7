"""A week of play: 750 moves on forty boards of all games, with everything else in between.

Twenty players read and write all day. The clock goes through the week, and many mails wait
whenever the house looks. At the end everything passes `pbm verify` and agrees with the model.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.domain.match import Ending, Match
from pbm.operator.upkeep import verify_all
from tests.house import ADDRESS, HouseUnderTest, Work
from tests.service.crowd import GAMES, NAMES, Board, address, crowd_in

pytestmark = pytest.mark.slow

MOVES = 750
WEEK = timedelta(days=7)
AT_ONCE = 12
"""On how many boards a mail waits when the house looks."""


class Week:
    """The players of the crowd at their mail programs."""

    def __init__(self, folder: Path) -> None:
        self.house, self.boards = crowd_in(folder)
        self.chance = random.Random(1996)
        self.newest: dict[tuple[str, str], str] = {}
        self.written: Counter[str] = Counter()
        self.turns = 0
        self.mails: list[ReceivedMail] = []
        self.remember(self.house.sent)

    def remember(self, mails: list[EmailMessage]) -> None:
        """Remember the reply address of the newest mail for each player and board."""
        for mail in mails:
            if mail["Reply-To"]:
                number = str(mail["Subject"]).partition("]")[0].rpartition(" ")[2]
                self.newest[mail["To"], number] = str(mail["Reply-To"]).strip("<>")

    def hour(self) -> None:
        """Let some players write, each on a different board, and let the house play it all."""
        open_boards = [n for n, board in self.boards.items() if not board.over]
        for number in self.chance.sample(open_boards, min(AT_ONCE, len(open_boards))):
            deed = self.chance.choices(list(DEEDS), [weight for _, weight in DEEDS.values()])[0]
            if DEEDS[deed][0](self, number, self.boards[number]):
                self.written[deed] += 1
        self.house.house.inbox.put(self.mails)
        self.mails.clear()
        self.remember(self.house.play())

    def reply(self, name: str, number: int, text: str) -> bool:
        to = self.newest[address(name), str(number)]
        return self.put(name, to, f"Re: [Game {number}] a - b", text)

    def command(self, name: str, line: str, text: str = "") -> bool:
        return self.put(name, ADDRESS, line, text)

    def put(self, name: str, to: str, subject: str, text: str) -> bool:
        self.house.letters += 1
        raw = (
            f"From: {address(name)}\r\nTo: {to}\r\nSubject: {subject}\r\n"
            f"Message-ID: <week-{self.house.letters}@example.org>\r\n\r\n{text}\r\n"
        )
        self.mails.append(ReceivedMail(address(name), (to,), raw.encode(), self.house.clock()))
        return True

    def anybody(self, *not_these: str) -> str:
        return self.chance.choice([name for name in NAMES if name not in not_these])


def move(week: Week, number: int, board: Board) -> bool:
    mover, text = board.mover, week.chance.choice(board.moves())
    written = week.chance.choice(
        [text, f"{text}\nGood luck!", f"move {text}", f"Well...\n\n{text}"]
    )
    before = len(board.past)
    week.reply(mover, number, written)
    board.play(text)
    week.turns += len(board.past) - before
    return True


def move_as_in_1995(week: Week, number: int, board: Board) -> bool:
    mover, text, key = board.mover, week.chance.choice(board.moves()), board.game.info.key.upper()
    week.command(mover, f"{key} move {number} {mover.upper()} {mover}-pw {text}")
    before = len(board.past)
    board.play(text)
    week.turns += len(board.past) - before
    return True


def queue(week: Week, number: int, board: Board) -> bool:
    name = board.other(board.mover)
    moves = sorted(set(board.later_moves(name)))
    if not moves or name in board.queued:
        return False
    board.queued[name] = week.chance.choice(moves)
    return week.reply(name, number, f"queue {board.queued[name]}")


def offer(week: Week, number: int, board: Board) -> bool:
    name = week.chance.choice([name for name in board.players if board.has_moved(name)] or [""])
    if board.offer or not name:
        return False
    board.offer = (week.chance.choice(["draw", "undo", "undo"]), name)
    return week.reply(name, number, board.offer[0])


def answer(week: Week, number: int, board: Board) -> bool:
    if not board.offer:
        return False
    yes = week.chance.random() < 0.5
    name = board.other(board.offer[1])
    if yes and board.offer[0] == "draw":
        board.over = True
    elif yes:
        board.take_back(board.offer[1])
    board.offer = None
    return week.reply(name, number, "accept" if yes else "reject")


def resign(week: Week, number: int, board: Board) -> bool:
    board.over = True
    return week.reply(week.chance.choice(board.players), number, "resign\nThank you.")


def challenge(week: Week, number: int, board: Board) -> bool:
    inviter, key = week.anybody(), week.chance.choice(GAMES).info.key
    opponent = week.anybody(inviter)
    return week.command(inviter, f"{key} challenge {inviter} {inviter}-pw {opponent}")


def talk(week: Week, number: int, board: Board) -> bool:
    return week.reply(week.chance.choice(board.players), number, "chat\nHow is the weather?")


def follow(week: Week, number: int, board: Board) -> bool:
    name = week.anybody(*board.players)
    verb = week.chance.choice(["subscribe", "notify"])
    return week.command(name, f"{verb} {number} {name} {name}-pw")


def ask(week: Week, number: int, board: Board) -> bool:
    key, name = board.game.info.key, week.anybody()
    line = week.chance.choice(
        [f"show {number}", f"{key} standings", f"{key} games", "games next", f"history {name}",
         "list", "help", f"help {key}", f"record {number}", f"show {number}#1", "standings"]
    )  # fmt: skip
    return week.command(name, line)


def blunder(week: Week, number: int, board: Board) -> bool:
    name = week.chance.choice(board.players)
    line = week.chance.choice(["zzz", "move", "swapp", "show me", "accept", "a1-a1-a1 now"])
    if line == "accept" and board.offer:
        return False
    return week.reply(name, number, line)


def wish(week: Week, number: int, board: Board) -> bool:
    key, name = board.game.info.key, week.anybody()
    who = f"{name} {name}-pw"
    line = week.chance.choice(
        [f"{key} seek 1 {who}", f"{key} limit 20 {who}", f"{key} ask {who}", f"set {who} zone UTC",
         f"message {who} {week.anybody()}", f"gonnect seek 0 {who}", f"forgot {name}"]
    )  # fmt: skip
    return week.command(name, line, "Hello!")


DEEDS: Mapping[str, tuple[Callable[[Week, int, Board], bool], float]] = {
    "move": (move, 60),
    "move as in 1995": (move_as_in_1995, 3),
    "queue": (queue, 4),
    "offer": (offer, 3),
    "answer": (answer, 6),
    "resign": (resign, 0.5),
    "challenge": (challenge, 1),
    "talk": (talk, 3),
    "follow": (follow, 1),
    "ask": (ask, 4),
    "blunder": (blunder, 2),
    "wish": (wish, 1),
}
"""Acts of players, and their frequencies."""


def test_after_a_week_of_play_all_is_sound(tmp_path: Path) -> None:
    week = Week(tmp_path)
    begun = week.house.clock.now
    while week.turns < MOVES:
        week.house.clock.now = begun + WEEK * week.turns / MOVES
        week.hour()
    assert set(week.written) == set(DEEDS)
    assert {board.game.info.key for board in week.boards.values() if board.over} >= {"notwos"}
    known = {address(name) for name in NAMES}
    assert {mail["To"] for mail in week.house.sent} <= known
    with week.house.house.open_reading() as work:
        assert work.shunt.listing() == ()
        check_as_the_model_has_it(week, work)
        check_ratings(week.house, work)
    week.house.house.close()


def check_as_the_model_has_it(week: Week, work: Work) -> None:
    faults = dict(verify_all(work, week.house.house.catalogue))
    assert len(faults) > len(week.boards), "no seek has been answered"
    assert set(faults.values()) == {()}
    for number, board in week.boards.items():
        match = match_on(work, number)
        assert (number, len(match.plies)) == (number, board.position.ply)
        assert match.over == board.over
        players = work.players.by_ids(match.players)
        assert [players[player].userid for player in match.players] == board.players
    assert sum(len(match_on(work, n).log) for n in faults) > week.turns >= MOVES


def check_ratings(house: HouseUnderTest, work: Work) -> None:
    """Check that each finished match that is rated and counts is in both players' ratings, once."""
    ids = [player.id for name in NAMES if (player := work.players.by_userid(name))]
    finished: Counter[str] = Counter()
    for number in work.matches.numbers():
        match = match_on(work, number)
        counts = match.outcome is not None and match.outcome.ending is not Ending.DECLINED
        assert bool(match.outcome and match.outcome.ratings) == (counts and match.terms.rated)
        finished[match.game] += counts and match.terms.rated
    assert finished.total() > 5
    for game in GAMES:
        ratings = work.ratings.of(game.info.key, ids).values()
        assert sum(rating.matches for rating in ratings) == 2 * finished[game.info.key]
        assert sum(rating.won - rating.lost for rating in ratings) == 0


def match_on(work: Work, number: int) -> Match:
    found = work.matches.get(number)
    assert found is not None
    return found[0]
