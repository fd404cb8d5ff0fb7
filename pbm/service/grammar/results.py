"""Reading questions about what has been played."""

from pbm.domain.commands import History, Overview, Record, Standings
from pbm.domain.errors import NotUnderstood
from pbm.service.grammar.line import Line, Reading, Verb


def _read_list(line: Line) -> Reading:
    named = (line.game,) if line.game else ()
    return Overview((*named, *line.words.rest)[:20]), None


def _read_standings(line: Line) -> Reading:
    if len(line.words.rest) > 1:
        raise NotUnderstood("standings is about one player, or a whole game.", "standings")
    return Standings("".join(line.words.rest)), None


def _read_history(line: Line) -> Reading:
    return History(tuple(line.words.rest[:20])), None


def _read_record(line: Line) -> Reading:
    number, _ = line.words.board()
    if number is None and line.answered is None:
        raise NotUnderstood("record needs the number of a board.", line.example)
    if line.words.rest:
        raise NotUnderstood("Nothing follows record but the number of one board.", line.example)
    return Record(number), None


VERBS: tuple[Verb, ...] = (
    Verb("list", "[GAME...]", "lists the games on offer and who looks for an opponent",
         "list", _read_list, text="Without the name of a game: all of them."),
    Verb("standings", "[userid]", "the rating list of a game, or one player's ratings",
         "GAME standings", _read_standings, ("ratings",),
         text="GAME standings is the list of a game. Without the name of a game it tells your "
              "ratings in all games, or those of the player you name. Ratings are Glicko-2: a "
              "newcomer has 1500; the number after +- says how uncertain that is, and ? that "
              "it is too uncertain to say much."),
    Verb("history", "[userid...]", "lists finished games with their results, newest first",
         "history alice", _read_history,
         text="Yours, if you name nobody. With the name of a game before it, only that game."),
    Verb("record", "B", "sends the record of a match as files", "record 104", _read_record,
         text="One file is JSON and holds everything: players, moves with their times, offers, "
              "comments, result. The other is text that people and programs can replay."),
)  # fmt: skip
