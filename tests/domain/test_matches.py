"""Turns, ends, offers and moves taken back, in more courses of play than mails can say."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain import offers, play
from pbm.domain.errors import NotAllowed, NotNow, Refusal
from pbm.domain.logs import LAST_PLIES, EntryKind, Log, LogEntry
from pbm.domain.match import Ending, Match, Outcome, without_words_of, words_of
from pbm.domain.offers import Offer, OfferKind, moves_of_undo, open_offer
from pbm.domain.play import Board, live, position_at
from pbm.domain.record import record, record_text
from pbm.domain.seen import example_move, seen, seen_match
from pbm.domain.timekeeping import extend, forfeit, pause_board, resume_board
from pbm.engine import MoveError, any_of, parse_transcript, play_transcript
from tests.domain.matches import (
    ALICE,
    BOB,
    CAROL,
    NOW,
    PEOPLE,
    WON,
    after,
    later,
    match,
    stored,
    turn,
)  # fmt: skip
from tests.engine.noughts import game
from tests.readings import answers, sections

TABLES = sections(Path(__file__).with_name("matches.txt"))


def step(board: Board, words: str, hours: int) -> Board:
    """Return the board after one step of a line."""
    whole, _, meant = words.partition("@")
    seat, _, deed = whole.rpartition(":")
    by, now, due = int(seat or 0), later(hours), int(meant) if meant else None
    deeds: dict[str, Callable[[], Board]] = {
        "resign": lambda: play.resign(board, by, comment="", now=now),
        "forfeit": lambda: forfeit(board, by, now=now),
        "draw": lambda: offers.offer(board, by, OfferKind.DRAW, comment="", now=now),
        "accept": lambda: offers.accept(board, by, seen=due, comment="", now=now),
        "reject": lambda: offers.reject(board, by, seen=due, comment="", now=now),
        "adjudicate": lambda: play.adjudicate(board, Outcome(Ending.ADJUDICATED, (1,)), now=now),
        "extend": lambda: extend(board, 3, now=now),
        "stop": lambda: pause_board(board, now=now),
        "resume": lambda: resume_board(board, now=now),
    }
    if deed == "undo" and not seat:
        return play.undo(board, now=now)
    if deed == "undo":
        return offers.offer(board, by, OfferKind.UNDO, comment="", now=now)
    if deed in deeds:
        return deeds[deed]()
    mover = by if seat or not board.to_move else board.to_move[0]
    return play.play(board, mover, deed, due=due, comment="", now=now, draw=any_of)


def played(script: str) -> Board:
    """Return the board after a line, which is the same as the one that its log brings back."""
    board = live(match(), game)
    for hours, words in enumerate(script.split(), 1):
        before = board
        board = step(board, words, hours)
        assert before == stored(before), "the match before a step stays as it was"
    assert stored(board) == board
    return board


def moves(found: Match) -> str:
    return " ".join(entry.text for entry in found.plies) or "-"


def seats(found: Match) -> str:
    return " ".join(PEOPLE[player].userid for player in found.players)


def mover(board: Board) -> str:
    return " ".join(PEOPLE[board.match.players[seat]].userid for seat in board.to_move) or "-"


def end(found: Match) -> str:
    if not found.outcome:
        return "-"
    told = found.outcome
    counted = "" if told.counts else "(does not count)"
    return " ".join(filter(None, (told.ending, *map(str, told.winners), told.reason, counted)))


def offered(found: Match) -> str:
    offer = open_offer(found)
    return f"{offer.kind} of {offer.seat} at {offer.due}" if offer else "-"


def asked(script: str, question: str) -> str:
    """Return the answer to a question about the board after a line."""
    board = played(script)
    found = board.match
    what, _, number = question.partition(" ")

    def past() -> str:
        then = position_at(board, int(number))
        return " / ".join((moves(then.match), seats(then.match), mover(then), end(then.match)))

    answer: dict[str, Callable[[], object]] = {
        "moves": lambda: moves(found),
        "log": lambda: " ".join(entry.kind for entry in found.log),
        "due": lambda: board.due,
        "mover": lambda: mover(board),
        "seats": lambda: seats(found),
        "since": lambda: round((found.turn_since - NOW).total_seconds() / 3600),
        "may": lambda: board.may_swap,
        "end": lambda: end(found),
        "ended": lambda: found.ended_at and round((found.ended_at - NOW).total_seconds() / 3600),
        "offer": lambda: offered(found),
        "back": lambda: " ".join(moves_of_undo(found, int(number))),
        "past": past,
    }
    return str(answer[what]())


@pytest.mark.parametrize("title", TABLES)
def test_a_course_of_play_leads_to_what_the_table_says(title: str) -> None:
    assert answers(TABLES[title], asked, Refusal, MoveError) == TABLES[title]


def test_a_move_is_logged_in_canonical_form_with_its_comment_and_time() -> None:
    board = play.play(
        live(match(), game), 0, " B2", due=1, comment="Hello!", now=later(3), draw=any_of
    )
    assert board.match.log == (LogEntry(EntryKind.MOVE, 0, "b2", later(3), "Hello!"),)
    over = play.resign(turn(board, "a1"), 0, comment="Well played.", now=later(9))
    assert over.match.log[-1] == LogEntry(EntryKind.RESIGN, 0, "", later(9), "Well played.")


def test_a_refusal_has_an_example() -> None:
    with pytest.raises(NotNow) as refused:
        step(after("b2"), "0:c3", 1)
    assert refused.value.examples == ("show 104",)
    with pytest.raises(NotNow) as refused:
        position_at(after("b2", "a1"), 3)
    assert refused.value.examples == ("show 104#2",)
    with pytest.raises(NotNow):
        play.check_open(after(*WON))


def test_a_game_that_reads_swap_as_a_move_of_its_own_keeps_its_players() -> None:
    class Own(type(game)):  # type: ignore[misc]
        info = replace(game.info, swap_after=None)

        def parse(self, state: object, seat: int, text: str) -> str:
            return "a1" if text == "swap" else super().parse(state, seat, text)

    board = play.play(live(match(), Own()), 0, "swap", due=None, comment="", now=NOW, draw=any_of)
    assert (board.match.players, board.match.log[-1].kind) == ((ALICE, BOB), EntryKind.MOVE)


def test_a_player_with_both_seats_has_the_one_that_is_to_move() -> None:
    alone = replace(match(), players=(ALICE, ALICE))
    assert alone.seats_of(ALICE) == (0, 1)
    assert play.seat_of(live(alone, game), ALICE) == 0
    second = replace(after("b2"), match=replace(alone, log=after("b2").match.log))
    assert play.seat_of(second, ALICE) == 1
    assert play.seat_of(after("b2", "swap"), ALICE) == 1
    assert match().seats_of(CAROL) == ()
    with pytest.raises(NotAllowed, match="You do not play on board 104"):
        play.seat_of(after("b2"), CAROL)


def test_an_example_is_a_legal_move_and_not_the_same_at_every_ply() -> None:
    boards = [after(*WON[:ply]) for ply in range(5)]
    examples = [example_move(seen(board, None)) for board in boards]
    for board, example in zip(boards, examples, strict=True):
        assert example in game.legal_moves(board.position.state, board.to_move[0])
    assert len(set(examples)) > 1
    assert example_move(seen(after(*WON), None)) == ""


def test_an_offer_to_three_outlasts_the_moves_of_those_who_agree_and_the_swap_of_one() -> None:
    log = Log(
        [
            LogEntry(EntryKind.MOVE, 0, "a1", NOW),
            LogEntry(EntryKind.OFFER, 0, "draw", NOW),
            LogEntry(EntryKind.ACCEPT, 1, "draw", NOW),
            LogEntry(EntryKind.SWAP, 1, "swap", NOW),
            *(LogEntry(EntryKind.MOVE, n % 2, f"m{n}", NOW) for n in range(LAST_PLIES + 2)),
        ]
    )
    board = replace(match(), starters=(ALICE, BOB, CAROL), players=(BOB, ALICE, CAROL), log=log)
    assert open_offer(board) == Offer(OfferKind.DRAW, 1, 2, agreed=(0,))
    assert open_offer(replace(board, log=log.shortened())) == open_offer(board)
    gone = log.plus(LogEntry(EntryKind.MOVE, 2, "c3", NOW))
    assert open_offer(replace(board, log=gone)) is None


STEPS = ["draw", "offer undo", "accept", "reject", "swap", "move", "undo"]


@dataclass
class Model:
    """A stack of boards, on which an undo goes back, and the person who has offered.

    A ply of the opponent, an answer or an undo clears the offer.
    """

    stack: list[Board]
    offerer: int | None = None

    def follow(self, what: str, person: int, board: Board) -> None:
        """Do what has led to `board`."""
        below = self.stack[-1]
        if what in ("draw", "offer undo"):
            self.offerer = person
        elif what in ("accept", "reject"):
            assert self.offerer not in (None, person)
            self.offerer = None
            del self.stack[len(board.match.plies) + 1 :]
        elif what == "undo":
            self.stack.pop()
            self.offerer = None
        elif board.due != below.due:
            self.stack.append(board)
            waits = self.offerer == below.match.players[below.to_move[0]]
            self.offerer = self.offerer if waits else None


@settings(max_examples=100)
@given(st.lists(st.sampled_from(STEPS), max_size=16), st.data())
def test_what_stands_is_what_was_played_offered_and_not_taken_back(
    steps: list[str], data: st.DataObject
) -> None:
    board = live(match(), game)
    model = Model([board])
    for what in steps:
        if board.match.over:
            break
        person = data.draw(st.sampled_from([ALICE, BOB]))
        try:
            board = drawn(board, board.match.players.index(person), what, data)
        except NotNow:
            continue
        model.follow(what, person, board)
        same(board, model.stack[-1], model.offerer)


def drawn(board: Board, by: int, what: str, data: st.DataObject) -> Board:
    """Return the board after a step that is drawn."""
    words = {"draw": f"{by}:draw", "offer undo": f"{by}:undo", "undo": "undo"}.get(what)
    if what in ("accept", "reject"):
        words = f"{by}:{what}"
    elif what == "swap":
        words = "swap" if board.may_swap else None
    elif what == "move":
        moves = list(game.legal_moves(board.position.state, board.to_move[0]))
        words = data.draw(st.sampled_from(moves))
    return step(board, words, 1) if words else board


def same(board: Board, model: Board, offerer: int | None) -> None:
    """Check a board against the model, and against what its log brings back."""
    assert board.position == stored(board).position == model.position
    assert board.match.players == model.match.players
    assert position_at(board, len(board.match.plies)).position == board.position
    assert {entry.kind for entry in board.match.plies} <= {EntryKind.MOVE, EntryKind.SWAP}
    standing = open_offer(board.match)
    by = standing and board.match.players[standing.seat]
    assert by == (None if board.match.over else offerer)


def say(board: Board, text: str, words: str) -> Board:
    return play.play(
        board, board.to_move[0], text, due=None, comment=words, now=later(1), draw=any_of
    )


def test_words_are_those_of_whoever_sat_there_at_the_time_and_can_be_left_out() -> None:
    board = say(say(after(), "b2", "alice opens"), "swap", "bob swaps")
    board = play.chat(board, BOB, comment="bob in the seat of alice", now=later(2))
    board = play.undo(say(board, "a1", "alice in the seat of bob"), plies=2, now=later(3))
    board = play.chat(board, BOB, comment="bob in his seat again", now=later(4))
    chat = LogEntry(EntryKind.CHAT, None, "Carol", later(5), "carol looks on")
    found = play.with_entry(board, chat).match
    said = [(words.by, words.text) for words in words_of(found, PEOPLE)]
    assert said == [
        ("alice", "alice opens"),
        ("bob", "bob swaps"),
        ("bob", "bob in the seat of alice"),
        ("alice", "alice in the seat of bob"),
        ("bob", "bob in his seat again"),
        ("Carol", "carol looks on"),
    ]
    assert {words.number for words in words_of(found, PEOPLE)} == {104}
    quiet = without_words_of(found, PEOPLE, {"BOB", "carol"})
    assert {words.by for words in words_of(quiet, PEOPLE)} == {"alice"}
    unsaid = [[replace(entry, comment="") for entry in each.log] for each in (quiet, found)]
    assert unsaid[0] == unsaid[1]
    assert without_words_of(found, PEOPLE, set()) == found


def test_the_json_form_tells_the_whole_match() -> None:
    board = play.resign(after("b2", "swap", "a1"), 0, comment="Well played.", now=NOW)
    told = json.loads(json.dumps(record(seen_match(board.match, None), game, PEOPLE)))
    log = told.pop("log")
    assert told == json.loads(Path(__file__).with_name("record.json").read_text())
    assert [(entry["kind"], entry["seat"], entry["text"]) for entry in log] == [
        ("move", 0, "b2"),
        ("swap", 1, "swap"),
        ("move", 1, "a1"),
        ("resign", 0, ""),
    ]
    assert log[0]["at"] == "2026-11-20T13:00:00+00:00"
    assert log[-1]["comment"] == "Well played."
    going = record(seen_match(after("b2").match, None), game, {})
    assert (going["outcome"], going["ended_at"], going["players"]) == (None, None, ["nobody"] * 2)


@pytest.mark.parametrize(
    "script", ["", "b2 swap a1", "b2 a1 c2 c1 a2", "b2 a1 undo c3", "b2 a1 1:resign"]
)
def test_the_text_form_replays_to_the_same_position_with_the_same_options(script: str) -> None:
    board = played(script)
    text = record_text(seen_match(board.match, None), game, PEOPLE)
    assert text.startswith("Board 104: alice - bob, begun on 20 Nov 2026.\n")
    assert play_transcript(game, parse_transcript(text)) == board.position
    misere = replace(board.match, setup=game.info.setup({"misere": "yes"}))
    assert parse_transcript(record_text(seen_match(misere, None), game, PEOPLE)).options == {
        "misere": "yes"
    }
