"""Everything that a game author imports: the contract of a game and the tools around it.

It is pure and needs only the standard library. A game subclasses BaseGame (or fulfils the protocol
Game), raises the MoveErrors, and describes its board as a Diagram. Its test calls
`pbm.engine.conformance.check`, which is not imported here because it needs hypothesis.
"""

from pbm.engine.bitset import bits
from pbm.engine.codec import from_json, from_plain, to_json, to_plain
from pbm.engine.diagram import (
    Diagram,
    Line,
    Mark,
    MarkKind,
    Piece,
    Placement,
    Plate,
    Point,
    Tally,
    TallyRow,
    draw,
    grid_lines,
    grid_points,
    stones,
)
from pbm.engine.errors import (
    AmbiguousMoveError,
    GameError,
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    MoveSyntaxError,
    OptionError,
    UnfinishedMoveError,
)
from pbm.engine.game import AnyGame, BaseGame, Game, decode, encode
from pbm.engine.notation import MOVE_LENGTH_LIMIT, counted, did_you_mean, fold, listing, near, quote
from pbm.engine.optional import (
    Chance,
    Playout,
    RandomGames,
)
from pbm.engine.points import Named, PointReader
from pbm.engine.replay import (
    SWAP,
    Position,
    Turn,
    advance,
    begin,
    divide,
    is_swap,
    may_swap,
    perft,
    read_move,
    replay,
)
from pbm.engine.transcript import (
    Transcript,
    TranscriptError,
    parse_transcript,
    play_transcript,
    write_transcript,
)
from pbm.engine.types import GameInfo, Option, Result, Seat, Setup, Viewer, frozen

__all__ = [
    "MOVE_LENGTH_LIMIT",
    "SWAP",
    "AmbiguousMoveError",
    "AnyGame",
    "BaseGame",
    "Chance",
    "Diagram",
    "Game",
    "GameError",
    "GameInfo",
    "IllegalMoveError",
    "IncompleteMoveError",
    "Line",
    "Mark",
    "MarkKind",
    "MoveError",
    "MoveSyntaxError",
    "Named",
    "Option",
    "OptionError",
    "Piece",
    "Placement",
    "Plate",
    "Playout",
    "Point",
    "PointReader",
    "Position",
    "RandomGames",
    "Result",
    "Seat",
    "Setup",
    "Tally",
    "TallyRow",
    "Transcript",
    "TranscriptError",
    "Turn",
    "UnfinishedMoveError",
    "Viewer",
    "advance",
    "begin",
    "bits",
    "counted",
    "decode",
    "did_you_mean",
    "divide",
    "draw",
    "encode",
    "fold",
    "from_json",
    "from_plain",
    "frozen",
    "grid_lines",
    "grid_points",
    "is_swap",
    "listing",
    "may_swap",
    "near",
    "parse_transcript",
    "perft",
    "play_transcript",
    "quote",
    "read_move",
    "replay",
    "stones",
    "to_json",
    "to_plain",
    "write_transcript",
]
