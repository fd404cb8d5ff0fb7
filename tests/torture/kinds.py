"""Boards of each kind under torture: dice, sealed turns, secrets, and a race of three.

Nobody knows their moves beforehand, so each player plays what the mail suggests, and what the mails
say of a turn, with what was thrown after it, must be what the log says.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pbm.domain.logs import EntryKind
from pbm.domain.match import Match
from pbm.engine.replay import notation_of, spoken
from tests.sink import Arrived
from tests.thirdparty.games import packages, write_record
from tests.torture.people import OVER, People, due_by, password_of

SEATS: Mapping[str, int] = {"einstein": 2, "rps": 2, "fleet": 2, "lap": 3}
"""The players of each game."""

OTHERS = ("rps", "fleet", "lap")
"""Those of other packages."""

MEMBERS = "abc"
"""The members of a group, by the last letter of their names; the first one challenges."""

_MOST = 9
"""Matches to which one player asks another: ten an hour are the limit."""

_MAY_LEAVE = 4
"""The first move of a race in whose place somebody may leave."""

_BOARD = re.compile(r"\[[\w ]+ (\d+)\]")
_EXAMPLE = re.compile(r"for example (\S+)")
_TURN = re.compile(r'(\w+) played ("?)(\S+?)\2( \[[^\]]*\])?\. ')


def install(home: Path) -> str:
    """Let this process find the games of other packages, and return where: as if in `home`."""
    packages()
    site = home / "site"
    if not site.exists():
        points = "".join(f"{key} = pbm_{key}:game\n" for key in OTHERS)
        write_record(site, "pbm-kinds", f"[pbm.games]\n{points}")
    sys.path.append(str(site))
    return str(site)


def groups(number: int) -> list[str]:
    """Return the names of the members of so many groups."""
    return [f"k{n:02}{member}" for n in range(number) for member in MEMBERS]


@dataclass(frozen=True)
class Report:
    """The turns that a mail reports, each with its player; `due` is 0 if the match is over."""

    reader: str
    due: int
    turns: tuple[tuple[str, str], ...]
    message: str


@dataclass
class Kinds(People):
    """The members of groups; the pairs are those who challenge and those who are challenged."""

    asked_for: dict[tuple[int, str], dict[int, str]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """By board and player: the turns that were acknowledged, by the ply that was due."""
    gone: set[tuple[int, str]] = field(default_factory=set)
    """Boards and players who have left them, which was acknowledged."""
    reports: dict[int, list[Report]] = field(default_factory=lambda: defaultdict(list))
    ends: dict[tuple[int, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    """By board and player: the Message-IDs of the mails about its end."""

    def begin(self, boards: int) -> None:
        """Let the first one of each group begin so many matches of each game."""
        self._begun = Counter[str]()
        for first, _ in self.pairs:
            for key in [*SEATS] * boards:
                self._begin(first, key)

    def _begin(self, first: str, key: str) -> None:
        self._begun[first] += 1
        others = [first[:-1] + member for member in MEMBERS[1 : SEATS[key]]]
        self._write(first, f"{key} challenge {first} {password_of(first)} {' '.join(others)}")

    def _look(self, name: str, mail: Arrived) -> None:
        found = _BOARD.search(mail.subject)
        over = mail.headline.startswith(OVER)
        due = 0 if over else due_by(mail)
        if found is None or not (over or due):
            return
        board = int(found[1])
        turns = tuple(
            (name if who == "You" else who, text + drawn)
            for who, _, text, drawn in _TURN.findall(f"{mail.prose} ")
        )
        self.reports[board].append(Report(name, due, turns, mail.message_id))
        if over:
            self.ends[board, name].add(mail.message_id)
        if self.resting:
            return
        if over and name.endswith(MEMBERS[0]) and self._begun[name] < _MOST:
            if self._first_time(name, -board):
                self._begin(name, self.chance.choice([*SEATS]))
        elif mail.headline.startswith("Your move"):
            self._turn(name, board, due, mail)

    def _turn(self, name: str, board: int, due: int, mail: Arrived) -> None:
        """Play what the mail suggests, or leave a race."""
        example = _EXAMPLE.search(mail.prose)
        if example is None or not self._first_time(f"{name} {board}", due):
            return
        leaves = "[Lap" in mail.subject and due >= _MAY_LEAVE and self.chance.random() < 0.2

        def acknowledged() -> None:
            if leaves:
                self.gone.add((board, name))
            else:
                self.asked_for[board, name][due] = example[1]

        text = "resign" if leaves else example[1]
        self._write(name, f"Re: {mail.subject}", text, mail.reply_to, acknowledged)
        if self.chance.random() < 0.05:
            self.asked_twice += 1
            self._write(name, f"Re: {mail.subject}", text, mail.reply_to)

    def faults_of(self, match: Match, seated: tuple[str, ...]) -> list[str]:
        """Return what is wrong with a match of players `seated` by seat, and the mails about it."""
        turns = [
            (ply, seated[entry.seat or 0], spoken(entry.text))
            for ply, entry in enumerate(match.plies, 1)
            if entry.kind is not EntryKind.LEAVE
        ]
        return [
            f"{match.game}, board {match.number}: {fault}"
            for fault in (
                *self._turn_faults(match, seated, turns),
                *self._mail_faults(match, seated, turns),
            )
        ]

    def _turn_faults(
        self, match: Match, seated: tuple[str, ...], turns: list[tuple[int, str, tuple[str, str]]]
    ) -> list[str]:
        """Return which turns are lost, or were played though nobody asked for them."""
        faults = []
        for seat, name in enumerate(seated):
            made = [notation_of(own) for _, who, (own, _) in turns if who == name]
            made += [match.sealed[seat].text] if seat in match.sealed else []
            asked = [move for _, move in sorted(self.asked_for[match.number, name].items())]
            if made != asked:
                kind = "lost" if len(made) < len(asked) else "double"
                faults.append(f"{kind}: {name} asked for {asked}, and played {made}")
            resigned = sum(e.kind is EntryKind.RESIGN and e.seat == seat for e in match.log)
            if resigned != ((match.number, name) in self.gone):
                faults.append(f"{'double' if resigned else 'lost'}: {name} left {resigned} times")
        return faults

    def _mail_faults(
        self, match: Match, seated: tuple[str, ...], turns: list[tuple[int, str, tuple[str, str]]]
    ) -> list[str]:
        """Return which mails are missing, came twice, or say what is not in the log."""
        faults, told = [], Counter[tuple[str, int]]()
        for report in self.reports[match.number]:
            before = [turn for turn in turns if not report.due or turn[0] < report.due]
            meant = before[len(before) - len(report.turns) :]
            log = [(who, text[who != report.reader]) for _, who, text in meant]
            if log != [*report.turns]:
                faults.append(f"{report.message} to {report.reader} says {report.turns}, not {log}")
            told.update((report.reader, ply) for ply, *_ in meant)
        for seat, name in enumerate(seated):
            ends = len(self.ends[match.number, name])
            if ends != (match.over and seat not in match.gone):
                faults.append(f"{'double' if ends else 'lost'}: {ends} mails of the end to {name}")
            for ply, who, _ in turns:
                times = told[name, ply]
                wanted = self._must_hear(match, seat, ply, own=who == name)
                if times > 1 or times < wanted:
                    kind = "double" if times else "lost"
                    faults.append(f"{kind}: ply {ply} was told to {name} {times} times")
        return faults

    def _must_hear(self, match: Match, seat: int, ply: int, *, own: bool) -> bool:
        """Return whether a player has got a mail about a ply: of three, once it is their turn."""
        if len(match.players) == 2:
            return True
        if own:
            return False
        later = any(entry.seat == seat for entry in match.plies[ply:])
        return later or (match.over and seat not in match.gone)
