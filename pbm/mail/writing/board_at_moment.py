"""The facts of a board mail for one reader."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from functools import cached_property, partial

from pbm.core.board_messages import Followers
from pbm.core.events import SeenHappening
from pbm.domain.dates import days_and_hours, local_time, time_in, time_left
from pbm.domain.description import (
    about,
    clocks_line,
    gain_of,
    outcome_line,
    rating_change,
    sides_of,
    thread_subject,
    userid,
)
from pbm.domain.match import Match, Outcome
from pbm.domain.offers import Offer, OfferKind, moves_of_undo, open_offer, still_asked
from pbm.domain.pages import Pages
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.plans import PrivateNotes, outline
from pbm.domain.player import People, Player
from pbm.domain.robots import may_have_hints
from pbm.domain.seen import SeenBoard, example_move, is_open
from pbm.domain.settings import style_of, zone_of
from pbm.domain.timekeeping import current_pause, players_to_move, time_ends_at
from pbm.engine import AnyGame, Seat, Viewer, counted, frozen, listing
from pbm.mail.writing.move_list import move_list
from pbm.mail.writing.pictures import BoardPicture, SharedPictures

LAST, LAST_OF_ALL = 6, 10
"""Moves below a board while the match goes on, and in its last mail; `show` lists all of them."""


@frozen
class OpenOffer:
    """An open offer: `asked` if the reader must answer it, `mine` if the reader made it.

    `asks` is "offered a draw", and `news` names it in a few words: "a draw". `answers` is a
    sentence with the players who have agreed and those still asked, or "" if there is only one
    opponent.
    """

    by: str
    asked: bool
    mine: bool
    asks: str
    news: str
    answers: str


@frozen
class Remark:
    """A comment or a chat, with the userid of its author."""

    by: str
    text: str


def remarks_of(happenings: Iterable[SeenHappening]) -> tuple[Remark, ...]:
    """Return the comments of the happenings, each with its author's userid."""
    return tuple(
        [Remark(seen.author, comment) for seen in happenings if (comment := seen.happening.comment)]
    )


@frozen
class Foot:
    """Why a mail came, and the command to `stop` such mails, which is `offered` as a button, too.

    There is neither in an answer.
    """

    why: str = ""
    stop: str = ""
    offered: bool = False


@frozen
class ShownBoard:
    """A board as one reader sees it at one moment: all that a template can ask of it.

    It has the diagram, the turns and the seats to move, and no state of the game, which may say
    more than the reader may know. `subject` is that of the match's thread, and `about` one line on
    the match. `state` is "Your move", "alice to move" or "You won", and `title` "Gonnect 104
    against alice". `turn_of` is the player to move and `side` their side, "Eks (x)"; both are ""
    once the match is over. Of several who choose at a time, a reader who does not sees all names
    and no side. `reader` is "" for a reader without a seat. `seat` is the side of the reader, "Ohs
    (o)", if they have one seat and are not to move, else "". `deadline` is "" once the match is
    over, or while it is unknown. `stopped_clock` is a sentence on why the clock is stopped, or ""
    while it runs. `total` is a sentence on the time used in the whole match, or "" if that has no
    limit. `talks` is whether another person reads what is written to the board. `learn` is the
    command that helps the reader now: "hint", "analyse" or "". `ahead` is whether the reader may
    plan for the answer of a person. `plan` and `notes` are what only the reader sees. `example` and
    `may_swap` are for a reader who is to move. `earlier`: the match has gone on since. `outcome` is
    a sentence, "" while the match goes on. `remarks_below` are those that would push a board that
    waits for the reader off the screen of a phone. `page` is the address of its web page, or "".
    """

    number: int
    key: str
    game: str
    subject: str
    state: str
    title: str
    about: str
    reader: str
    your_turn: bool
    turn_of: str
    side: str
    seat: str
    due: int
    example: str
    may_swap: bool
    earlier: bool
    offer: OpenOffer | None
    deadline: str
    stopped_clock: str
    total: str
    picture: BoardPicture
    moves: str
    outcome: str
    learn: str
    ratings: tuple[str, ...]
    remarks: tuple[Remark, ...]
    remarks_below: tuple[Remark, ...]
    followers: str
    talks: bool
    ahead: bool
    plan: str
    notes: str
    page: str
    foot: Foot


_NO_FOOT = Foot()
_NOBODY = Followers()
_NOTHING = PrivateNotes()


class BoardAtMoment:
    """A board at one moment, and the facts that are the same for all its readers.

    `sides` are the sides by seat, "Eks (x)". `movers` are the players to move. `clock_of` is the
    first of them, whose clock runs, or is stopped by `pause`; it is None once the match is over.
    `ends_at` is when they forfeit, or None if that is unknown, and `left` the time until then.
    `talkers` are the people who read what is written to the board. The board is shown with all its
    moves if it is `whole`.
    """

    def __init__(
        self, board: SeenBoard, people: People, now: datetime, pages: Pages,
        followers: Followers = _NOBODY, *, whole: bool = False,
    ) -> None:  # fmt: skip
        match = board.match
        self.board, self.people, self._now = board, people, now
        self._pages, self._followers, self._whole = pages, followers, whole
        self.sides = sides_of(board)
        self.movers = players_to_move(board)
        self.clock_of = self.movers[0] if self.movers else None
        self.pause = None if self.clock_of is None else current_pause(match, self.clock_of, now)
        self.ends_at = None if self.clock_of is None else time_ends_at(match, self.clock_of)
        self.left = _left(board, self.ends_at, now)
        # A player who is not among `people` counts as a person.
        persons = [p for p in match.players if p not in people or not people[p].is_robot]
        self.talkers = frozenset((*persons, *followers.names))
        self._offer = open_offer(match)
        self._views = SharedPictures(board)
        self._deadlines: dict[tzinfo, str] = {}

    @cached_property
    def _for(self) -> partial[ShownBoard]:
        """The facts for all readers; with those for one it makes what that one sees."""
        board, people = self.board, self.people
        match, game = board.match, board.game
        last = None if self._whole else LAST_OF_ALL if match.over else LAST
        return partial(
            ShownBoard,
            number=match.number,
            key=match.game,
            game=game.info.title,
            subject=thread_subject(match, game, people),
            about=about(match, game) + (f", at {place}" if (place := self._pages.place) else ""),
            due=board.due,
            total=clocks_line(board, people, self._now),
            moves=move_list(board, people, last, self.sides),
            outcome=outcome_line(board, people),
            followers=_following(self._followers, people),
            page=self._pages.of_board(match, people) if is_open(game, match) else "",
        )

    def for_(
        self, reader: Player, *, remarks: tuple[Remark, ...] = (), private: PrivateNotes = _NOTHING,
        foot: Foot = _NO_FOOT, example: str = "", begun: tuple[str, ...] = (),
        earlier: bool = False, several: bool = False,
    ) -> ShownBoard:  # fmt: skip
        """Return the board as `reader` sees it, with their `private` notes.

        `example` is the move that is suggested, if another one than the usual, and `begun` are the
        ways to go on with a turn that the reader has begun. `several`: replies do not say which
        board they are about.
        """
        board, people, to_move = self.board, self.people, self.board.to_move
        match = board.match
        seats = match.seats_of(reader.id)
        mine = [seat for seat in seats if seat in to_move]
        movers = mine[:1] or to_move
        turn_of = listing((userid(people, match.players[seat]) for seat in movers), last="and")
        offer = _seen_offer(self._offer, match, people, reader) if self._offer else None
        room = 0 if offer and offer.asked else _FEW_LINES
        long = bool(mine) and _lines(remarks) > room
        picture = self.picture_for(reader)
        if begun or earlier or several:
            turns = None if earlier or several else picture.turns
            picture = replace(picture, turns=turns, begun=begun, several=several)
        return self._for(
            state=_state(self, turn_of, reader, your_turn=bool(mine)),
            title=_title(match, board.game, people, reader, turn_of),
            reader=reader.userid if seats else "",
            your_turn=bool(mine),
            turn_of=turn_of,
            side=self.sides[movers[0]] if len(movers) == 1 else "",
            seat="" if mine or not to_move or len(seats) != 1 else self.sides[seats[0]],
            example=example or (begun[0] if begun else example_move(board)) if mine else example,
            may_swap=bool(mine) and board.may_swap,
            earlier=earlier,
            offer=offer,
            deadline=self.deadline_for(reader),
            stopped_clock=_stopped_clock(self, self.pause, reader) if self.pause else "",
            picture=picture,
            learn=_learn(board, people, reader) if mine or match.over else "",
            ratings=_rating_lines(match.outcome, match, people, reader) if match.outcome else (),
            remarks=() if long else remarks,
            remarks_below=remarks if long else (),
            talks=bool(seats and self.talkers - {reader.id}),
            ahead=bool(seats and not mine and self.clock_of in self.talkers)
            and board.game.info.foreseeable,
            plan=outline(match, private.moves),
            notes=private.note,
            foot=foot,
        )

    def picture_for(self, reader: Player) -> BoardPicture:
        """Return the position as `reader` sees it, who can play there if it is their turn."""
        board = self.board
        seats = board.match.seats_of(reader.id)
        view = self._views.of(viewer(board.game, seats, reader))
        mine = next((seat for seat in seats if seat in board.to_move), None)
        if mine is None:
            return view
        turns = partial(board.turns, mine)
        return BoardPicture(view.diagram, view.number, view.due, turns, drawn=view.drawn)

    def deadline_for(self, reader: Player) -> str:
        """Return the time left and its end, in the reader's zone; "" if there is no limit.

        The player to move is also told what a move adds.
        """
        zone, known = zone_of(reader), self._deadlines
        mine = reader.id in self.movers
        if mine and self.clock_of != reader.id:
            ends_at = time_ends_at(self.board.match, reader.id)
            return self._until(ends_at, zone) + gain_of(self.board.match) if ends_at else ""
        if zone not in known:
            known[zone] = self._until(self.ends_at, zone) if self.ends_at else ""
        said = known[zone]
        return said + gain_of(self.board.match) if said and mine else said

    def _until(self, ends_at: datetime, zone: tzinfo) -> str:
        return f"{_left(self.board, ends_at, self._now)}, until {time_in(ends_at, zone)}"


def _state(moment: BoardAtMoment, turn_of: str, reader: Player, *, your_turn: bool) -> str:
    """Return "Your move", "alice to move", or the result for the reader: "You won" or the like."""
    match, people = moment.board.match, moment.people
    if turn_of:
        return "Your move" if your_turn else f"{turn_of} to move"
    if match.outcome is None or not match.outcome.counts:
        return "Closed"
    winners = [match.players[seat] for seat in match.outcome.winners]
    if not winners:
        return "Draw"
    if reader.id in match.players:
        return "You won" if reader.id in winners else "You lost"
    return f"{listing((userid(people, winner) for winner in winners), last='and')} won"


def _title(match: Match, game: AnyGame, people: People, reader: Player, turn_of: str) -> str:
    """Return "Gonnect 104 against alice", or "Gonnect 104 between alice and bob" to a follower.

    More than three are not named: "Lap 104 with 6 players".

    The only opponent is left out while it is their turn, because then the state names them.
    """
    others = [userid(people, player) for player in match.players if player != reader.id]
    word = "against" if reader.id in match.players else "between"
    if len(match.players) > 3:
        return f"{game.info.title} {match.number} with {len(match.players)} players"
    names = f" {word} {listing(others, last='and')}" if others not in ([], [turn_of]) else ""
    return f"{game.info.title} {match.number}{names}"


_FEW_LINES = 4
"""Lines of remarks that fit a phone above a board; none do with the buttons of an offer."""


def _lines(remarks: Sequence[Remark]) -> int:
    """Return about how many lines remarks take on a phone, where one has 38 letters."""
    lines = [line for remark in remarks for line in remark.text.split("\n")]
    return sum(1 + len(line) // 38 for line in lines) + 2 * (len(remarks) - 1)


def _learn(board: SeenBoard, people: People, reader: Player) -> str:
    """Return "hint" if the reader may ask for one, "analyse" after a match, or ""."""
    match = board.match
    if not board.game.info.weighable:
        return ""
    if match.over:
        return "analyse" if board.ply else ""
    return "hint" if may_have_hints(match, reader.id, people) else ""


def position_for(board: SeenBoard, reader: Player | None) -> BoardPicture:
    """Return a position as the reader, or a stranger, sees it, with no way to play there."""
    seen = viewer(board.game, board.match.seats_of(reader.id), reader) if reader else None
    return SharedPictures(board).of(seen or Viewer(None, board.game.info.styles[0]))


def viewer(game: AnyGame, seats: tuple[Seat, ...], reader: Player) -> Viewer:
    """Return the viewer for the reader: their seat, if they have one, and their style."""
    return Viewer(seats[0] if seats else None, style_of(game, reader.settings))


def _following(followers: Followers, people: People) -> str:
    """Return "carol, dave and 7 others follow this match.", or "" if nobody does."""
    names = [userid(people, player) for player in followers.names]
    if followers.more:
        names.append(counted(followers.more, "other"))
    verb = "follows" if len(names) == 1 else "follow"
    return f"{listing(names, last='and')} {verb} this match." if names else ""


_MEANWHILE = timedelta(minutes=10)
"""So long after a turn began its time is still told as whole: "21 days", not "20"."""


def _left(board: SeenBoard, end: datetime | None, now: datetime) -> str:
    """Return the time left until `end`, to the hour on a clock with an increment."""
    if end is None:
        return ""
    left = end - now + _MEANWHILE
    return (days_and_hours if board.match.terms.increment else time_left)(left)


def _stopped_clock(moment: BoardAtMoment, pause: Pause, reader: Player) -> str:
    """Return a sentence on why the clock of the player to move is stopped."""
    assert moment.clock_of is not None  # noqa: S101 - there is a pause
    until = f" until {local_time(pause.until, reader)}" if pause.until else ""
    mine = moment.clock_of == reader.id
    name = "you" if mine else userid(moment.people, moment.clock_of)
    away = "You are" if mine else f"{name} is"
    return _STOPPED[pause.kind].format(name=name, away=away, until=until)


_STOPPED: Mapping[PauseKind, str] = {
    PauseKind.VACATION: "{away} on vacation; the clock is stopped{until}.",
    PauseKind.UNREACHABLE: "Email to {name} is bouncing; the clock is stopped{until}.",
    PauseKind.RETURNED: "Mail to {name} is held up; the clock is stopped{until}.",
    PauseKind.UNDELIVERED: "Mail to {name} is held up; the clock is stopped{until}.",
    PauseKind.OUTAGE: "The clock is stopped{until}, because the server could not be reached.",
    PauseKind.MAINTENANCE: "The operator has stopped all clocks{until}.",
    PauseKind.BOARD: "The operator has stopped the clock{until}.",
    PauseKind.AGREED: "The players have agreed on a pause; the clock is stopped{until}.",
    PauseKind.ROBOT: "{name} is a robot: it moves by itself, and its turns are not timed.",
}


def _rating_lines(
    outcome: Outcome, match: Match, people: People, reader: Player
) -> tuple[str, ...]:
    """Return "alice 1500 -> 1612 +- 250 (provisional)" for each player of a rated match."""
    return tuple(
        f"{'you' if player == reader.id else userid(people, player)} {rating_change(change)}"
        for player, change in zip(match.players, outcome.ratings, strict=False)
    )


def _seen_offer(offer: Offer, match: Match, people: People, reader: Player) -> OpenOffer:
    """Return an open offer as the facts of a mail to `reader`."""
    seats, asked = match.seats_of(reader.id), still_asked(match, offer)
    several = len(asked) + len(offer.agreed) > 1
    moves = listing(moves_of_undo(match, offer.seat), last="and")
    pause = f"a pause of {counted(offer.days, 'day')}"
    asks, news = {
        OfferKind.DRAW: ("offered a draw", "a draw"),
        OfferKind.UNDO: (f"asked to take back {moves}", "an undo"),
        OfferKind.PAUSE: (f"offered {pause}", pause),
    }[offer.kind]
    return OpenOffer(
        by=userid(people, match.players[offer.seat]),
        asked=not set(seats).isdisjoint(asked),
        mine=offer.seat in seats,
        asks=asks,
        news=news,
        answers=_agreement(offer, match, people, reader) if several else "",
    )


def _agreement(offer: Offer, match: Match, people: People, reader: Player) -> str:
    """Return "You have agreed; carol and dave have yet to answer."."""

    def have(seats: Sequence[Seat]) -> str:
        players = [match.players[seat] for seat in seats]
        names = ["you" if p == reader.id else userid(people, p) for p in players]
        verb = "has" if len(names) == 1 and names != ["you"] else "have"
        return f"{listing(names, last='and')} {verb}"

    asked = f"{have(still_asked(match, offer))} yet to answer."
    said = f"{have(offer.agreed)} agreed; {asked}" if offer.agreed else asked
    # The first letter of a userid must stay as it is.
    return f"You{said[3:]}" if said.startswith("you ") else said
