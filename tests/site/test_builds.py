"""Builds of the site as laws: whatever happened, and wherever a build was killed, the files are
those of a build of everything into an empty folder, and no secret of the house is in any of them.
No mail could show it.
"""

import json
import os
import random
import re
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from pbm.core.boards import LoadedBoards
from pbm.domain.errors import Refusal
from pbm.domain.player import PlayerState
from pbm.operator.personal import erase
from tests.house import ADDRESS, HouseUnderTest
from tests.service.waiting import quick_folder
from tests.site.building import builder, files_of

pytestmark = pytest.mark.slow

PLAYERS = ("alice", "bob", "carol", "dave", "erin")

GAMES = ("gonnect", "morris", "notwos", "olix", "pow2")

SECRETS = ("talk-xyzzy", "note-plugh", "plan-frotz", "Fullname", "example.org")
"""Words that stand where nobody but players may read them."""


class Life:
    """A small server on which anything can happen."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.house = HouseUnderTest(folder)
        self.chance = random.Random(seed)
        self.players = list(PLAYERS)
        self.house.add(*PLAYERS, text_alone=True)
        self.happened: Counter[str] = Counter()
        for _ in range(4):
            self.begin()

    def happen(self) -> None:
        """Let one thing happen, most often a move."""
        deeds = {
            self.move: 14, self.begin: 1, self.resign: 1, self.set_public: 2, self.correct: 2,
            self.seek: 1, self.disable: 1, self.erase: 0.5,
        }  # fmt: skip
        (deed,) = self.chance.choices(list(deeds), list(deeds.values()))
        self.house.clock.now += timedelta(hours=self.chance.random() * 60)
        self.house.beat(days=1)
        deed()
        self.happened[deed.__name__] += 1

    def write(self, player: str, line: str, text: str = "") -> None:
        self.house.mail(f"Fullname <{player}@example.org>", line, text)

    def board(self) -> int | None:
        with self.house.house.open_reading() as work:
            rows = work.matches.listing(over=False)
        return self.chance.choice(rows).number if rows else None

    def begin(self) -> None:
        game, two = self.chance.choice(GAMES), self.chance.sample(self.players, 2)
        options = {"size": "7"} if game == "gonnect" else {}
        with suppress(Refusal):  # one of them is disabled
            self.house.create_match(*two, game=game, options=options)

    def move(self) -> None:
        if (number := self.board()) is None:
            return
        with self.house.house.open_reading() as work:
            board = LoadedBoards(work, self.house.house.catalogue, self.house.clock()).get(number)
            mover = work.players.by_ids([board.match.players[board.to_move[0]]])
        (player,) = mover.values()
        legal = islice(board.game.legal_moves(board.position.state, board.to_move[0]), 40)
        turn = self.chance.choice([str(move) for move in legal])
        name = player.userid
        self.write(name, f"move {number} {name} {name}-pw {turn}", f"\n{SECRETS[0]} 12:34\n")
        self.write(name, f"note {number} {name} {name}-pw {SECRETS[1]}")

    def resign(self) -> None:
        if number := self.board():
            name = self.chance.choice(self.players)
            self.write(name, f"resign {number} {name} {name}-pw")

    def correct(self) -> None:
        with self.house.house.open_reading() as work:
            rows = work.matches.listing()
        number = self.chance.choice(rows).number
        # Perhaps there is nothing to take back, or it is over.
        with suppress(Refusal), self.house.administration() as operator:
            if self.chance.random() < 0.6:
                operator.undo(number)
            else:
                operator.adjudicate(number, (0,))

    def set_public(self) -> None:
        name = self.chance.choice(self.players)
        value = self.chance.choice(("no", "yes", "yes"))
        self.write(name, f"set {name} {name}-pw public {value}")

    def seek(self) -> None:
        name, game = self.chance.choice(self.players), self.chance.choice(GAMES)
        verb = self.chance.choice(("seek", "withdraw"))
        self.write(name, f"{game} {verb} {name} {name}-pw")

    def disable(self) -> None:
        state = self.chance.choice((PlayerState.DISABLED, PlayerState.ACTIVE))
        with self.house.administration() as operator:
            operator.set_state(self.chance.choice(self.players), state)

    def erase(self) -> None:
        name = self.players.pop(0)
        self.players.append(f"new{len(self.house.sent)}")
        with self.house.administration() as operator:
            erase(operator, name)
        self.house.add(self.players[-1], text_alone=True)


def check_secrets(files: dict[str, bytes]) -> None:
    """Check that nothing is published but what may be: no address but the server's own."""
    for path, content in files.items():
        if path.endswith(".png"):
            continue
        text = content.decode().replace(ADDRESS, "").replace("games.example.org", "")
        found = [secret for secret in SECRETS if secret in text]
        assert not found, (path, found)
        assert "@" not in re.sub(r"@(?:media|font-face|supports)\b|postmaster@", "", text), path
        assert not re.search(r"\b[a-z2-7]{42}\b", text), path
        assert not re.search(r"\b\d\d:\d\d\b", text.replace("T00:00:00", "")), path
        if path.startswith("b/") and path.endswith(".json"):
            json.loads(text)


def test_after_each_event_of_months_a_build_is_a_build_of_everything() -> None:
    with quick_folder() as folder:
        life = Life(Path(folder), 39)
        site = Path(folder) / "site"
        for event in range(100):
            life.happen()
            builder(life.house, site).build()
            if event % 5 != 4:  # a whole build takes half a second
                continue
            with TemporaryDirectory(dir=folder) as fresh:
                builder(life.house, Path(fresh)).build()
                files = files_of(Path(fresh))
            assert files_of(site) == files, life.happened
            check_secrets(files)
        assert len(life.happened) == 8
        assert "p/alice.html" not in files, "alice was erased"
        life.house.house.close()


def test_a_move_makes_only_its_own_pages() -> None:
    with quick_folder() as folder:
        life = Life(Path(folder), 1)
        build = builder(life.house, Path(folder) / "site")
        before = build.build()
        assert build.build() == replace(before, made=0, written=0, removed=0)
        life.move()
        # The board, its two players, their list, its game, the front page.
        assert 0 < build.build().made <= 6
        life.house.house.close()


def test_a_build_that_was_killed_anywhere_is_made_up_for() -> None:
    chance = random.Random(5)
    with quick_folder() as folder:
        life = Life(Path(folder), 2)
        site, whole = Path(folder) / "site", Path(folder) / "whole"
        ended: Counter[int] = Counter()
        for _ in range(24):
            for _ in range(3):
                life.happen()
            after = chance.random() * 0.15
            if (child := os.fork()) == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, after)
                builder(HouseUnderTest(Path(folder)), site).build(everything=True)
                os._exit(0)
            ended[os.WTERMSIG(os.waitpid(child, 0)[1])] += 1
        assert ended[signal.SIGALRM] > 10, ended
        builder(life.house, site).build()
        builder(life.house, whole).build()
        assert files_of(site) == files_of(whole)
        life.house.house.close()


def test_two_builds_at_once_leave_what_one_leaves() -> None:
    with quick_folder() as folder:
        life = Life(Path(folder), 3)
        site, whole = Path(folder) / "site", Path(folder) / "whole"
        builders = [
            Thread(target=builder(life.house, site).build, kwargs={"everything": True})
            for _ in range(3)
        ]
        for each in builders:
            each.start()
        for each in builders:
            each.join()
        builder(life.house, whole).build()
        assert files_of(site) == files_of(whole) != {}
        life.house.house.close()
