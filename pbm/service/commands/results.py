"""Questions about what has been played, and what is on offer."""

import re
from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.service.bridge import AtBoard, Command, Line, Reading, Verb


@dataclass(frozen=True, slots=True)
class Overview(Command):
    """The games on offer, or those named by `keys`, and who is looking for an opponent."""

    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class History(Command):
    """Finished matches of these players, or of the reader if nobody is named."""

    userids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record(AtBoard):
    """The record of a match, as files, with one part of what was said there."""

    part: int = 1


_PART = re.compile(r"[1-9][0-9]{0,3}")


def _read_list(line: Line) -> Reading:
    named = (line.game,) if line.game else ()
    return Overview((*named, *line.words.rest)[:20]), None


def _read_history(line: Line) -> Reading:
    return History(tuple(line.words.rest[:20])), None


def _read_record(line: Line) -> Reading:
    number, _ = line.words.board_number()
    if number is None and line.answered is None:
        raise NotUnderstood("record needs the number of a board.", line.example)
    part = "".join(line.words.rest) or "1"
    if len(line.words.rest) > 1 or not _PART.fullmatch(part):
        raise NotUnderstood(
            "Nothing follows record but the number of one board, and of a part of its record.",
            line.example,
        )
    return Record(number, int(part)), None


VERBS: tuple[Verb, ...] = (
    Verb("list", "[GAME...]", "lists the games on offer and who is looking for an opponent",
         "list", _read_list, text="Without the name of a game: all of them."),
    Verb("history", "[userid...]", "lists finished games with their results, newest first",
         "history alice", _read_history,
         text="Yours, if you name nobody. With the name of a game before it, only that game."),
    Verb("record", "B [part]", "sends the record of a match as files", "record 104", _read_record,
         text="One file is JSON and holds everything: players, moves with their times, offers, "
              "comments, result. The other is text that people and programs can replay. If very "
              "much was said, it comes in parts: record 104 2 sends the second."),
)  # fmt: skip
