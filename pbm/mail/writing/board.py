"""A live match as the facts of a board mail, for one reader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property

from pbm.domain.learning import may_have_hints
from pbm.domain.match import Match
from pbm.domain.offers import OfferKind, moves_of_undo, open_offer
from pbm.domain.pauses import PauseKind
from pbm.domain.play import LiveMatch, example_move
from pbm.domain.player import People, Player
from pbm.domain.ratings import RatingChange
from pbm.domain.settings import style_of
from pbm.domain.timekeeping import (
    DAY,
    current_pause,
    players_to_move,
    schedule,
    time_spent,
)
from pbm.engine import AnyGame, Seat, Setup, Viewer, counted, listing
from pbm.mail.writing.move_list import move_list
from pbm.mail.writing.pictures import Figure
from pbm.mail.writing.views import Views
from pbm.mail.writing.wording import (
    local_time,
    side_of,
    thread_subject,
    time_left,
    userid,
)
from pbm.service.notices.play import Followers
from pbm.service.zones import zone_of


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody wrote."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class StandingOffer:
    """An open offer: `asked` if the reader must answer it, `mine` if the reader made it.

    `moves` are those that an undo takes back.
    """

    by: str
    asked: bool
    mine: bool
    draw: bool
    moves: str


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What every board mail tells one reader.

    `turn_of` is the player to move, with `side`, "Eks (x)"; it is "" once the match is over.
    `reader` is "" for somebody who does not play on this board. `seat` is what a reader plays who
    is not to move, such as "Ohs (o)", "" for all others. `deadline` is "" once the match
    is over, or while it is unknown; `stopped_clock` says why the clock stands, "" while it runs.
    `total` tells of the time used in the whole match, "" if that has no limit. `talks`: there is
    somebody who reads a chat, and not only robots. `learn` is the command that tells a player what
    they might play, or how it went; "" if there is none.
    """

    number: int
    key: str
    about: str
    reader: str
    your_turn: bool
    turn_of: str
    side: str
    seat: str
    due: int
    example: str
    may_swap: bool
    offer: StandingOffer | None
    deadline: str
    stopped_clock: str
    total: str
    picture: str
    figure: Figure
    moves: str
    learn: str
    ratings: tuple[str, ...]
    remarks: tuple[Remark, ...]
    followers: str
    talks: bool


@dataclass(frozen=True, eq=False)
class Scene:
    """A board at one moment, and what all its readers are told alike, made when it is asked for.

    `last` is how many moves are listed; None: all.
    """

    board: LiveMatch
    people: People
    now: datetime
    followers: Followers = Followers()  # noqa: RUF009 - frozen
    last: int | None = None

    @cached_property
    def subject(self) -> str:
        """The subject of the match's thread."""
        return thread_subject(self.board.match, self.board.game, self.people)

    @cached_property
    def about(self) -> str:
        """One line on what is played."""
        return about(self.board.match, self.board.game)

    @cached_property
    def sides(self) -> Sequence[str]:
        """The names of the sides, by seat."""
        return self.board.game.sides(self.board.position.state)

    @cached_property
    def to_move(self) -> tuple[Seat, ...]:
        """The seats whose turn it is."""
        return self.board.to_move

    @cached_property
    def ends_at(self) -> datetime | None:
        """When the player to move forfeits; None if nobody does or it is unknown."""
        return forfeit_at(self.board)

    @cached_property
    def _deadlines(self) -> dict[tzinfo, str]:
        return {}

    def deadline_for(self, reader: Player) -> str:
        """Return when the player to move forfeits, which all in one zone are told alike."""
        zone, told = zone_of(reader), self._deadlines
        if zone not in told:
            told[zone] = _until(self.ends_at, self.now, reader)
        return told[zone]

    @cached_property
    def views(self) -> Views:
        """What its readers see of the board."""
        return Views(self.board)

    @cached_property
    def moves(self) -> str:
        """The list of moves."""
        return move_list(self.board, self.people, self.last)

    @cached_property
    def total(self) -> str:
        """What the players have used of the time for the match; "" if it has no limit."""
        return total(self.board, self.people, self.now)

    @cached_property
    def followed(self) -> str:
        """Who follows the match, "" if nobody does."""
        return _followers(self.followers, self.people)


def board_facts(scene: Scene, reader: Player, remarks: tuple[Remark, ...] = ()) -> BoardFacts:
    """Return what a mail to `reader` tells of the board of `scene`."""
    board, people = scene.board, scene.people
    match, game, to_move, sides = board.match, board.game, scene.to_move, scene.sides
    seats = match.seats_of(reader.id)
    mine = [seat for seat in seats if seat in to_move]
    mover = mine[0] if mine else to_move[0] if to_move else None
    view = scene.views.of(viewer(game, seats, reader))
    return BoardFacts(
        number=match.number,
        key=match.game,
        about=scene.about,
        reader=reader.userid if seats else "",
        your_turn=bool(mine),
        turn_of=userid(people, match.players[mover]) if mover is not None else "",
        side=side_of(sides[mover], game.info.signs[mover]) if mover is not None else "",
        seat="" if mine or not to_move else _seat(game, sides, seats),
        due=board.due,
        example=example_move(board) if mine else "",
        may_swap=board.may_swap,
        offer=offer_facts(match, people, seats),
        deadline=scene.deadline_for(reader),
        stopped_clock=stopped_clock(board, people, scene.now, reader),
        total=scene.total,
        picture=view.text,
        figure=Figure(view.diagram, board, mine[0] if mine else None, drawn=view.drawn),
        moves=scene.moves,
        learn=_learn(board, people, reader),
        ratings=rating_lines(match, people, reader),
        remarks=remarks,
        followers=scene.followed,
        talks=bool(scene.followers.names) or _people_beside(match, people, reader),
    )


def _people_beside(match: Match, people: People, reader: Player) -> bool:
    """Return whether anybody else who plays there is no robot."""
    others = (people[player] for player in match.players if player != reader.id)
    return not all(other.is_robot for other in others)


def _seat(game: AnyGame, sides: Sequence[str], seats: tuple[Seat, ...]) -> str:
    """Return "Ohs (o)" for a player of one seat, else ""."""
    return side_of(sides[seats[0]], game.info.signs[seats[0]]) if len(seats) == 1 else ""


def _learn(board: LiveMatch, people: People, reader: Player) -> str:
    """Return "hint" where that may be asked, "analyse" once there is a match to look back at."""
    match = board.match
    if match.over:
        return "analyse" if board.position.ply else ""
    return "hint" if may_have_hints(match, reader.id, people) else ""


def viewer(game: AnyGame, seats: tuple[Seat, ...], reader: Player) -> Viewer:
    """Return who the board is drawn for: the reader's seat, if they have one, and style."""
    return Viewer(seats[0] if seats else None, style_of(game, reader.settings))


def offer_facts(match: Match, people: People, seats: tuple[Seat, ...]) -> StandingOffer | None:
    """Return the open offer for a reader who has these `seats`; None if there is none."""
    offer = open_offer(match)
    if offer is None:
        return None
    return StandingOffer(
        by=userid(people, match.players[offer.seat]),
        asked=bool(seats) and offer.seat not in seats,
        mine=offer.seat in seats,
        draw=offer.kind is OfferKind.DRAW,
        moves=listing(moves_of_undo(match, offer.seat), last="and"),
    )


def _followers(followers: Followers, people: People) -> str:
    """Return "carol, dave and 7 others follow this match.", or "" if nobody does."""
    names = [userid(people, player) for player in followers.names]
    if followers.more:
        names.append(counted(followers.more, "other"))
    verb = "follows" if len(names) == 1 else "follow"
    return f"{listing(names, last='and')} {verb} this match." if names else ""


def about(match: Match, game: AnyGame) -> str:
    """Return one line on what is played: "Gonnect, size 13, rated, board 104"."""
    rated = "rated" if match.terms.rated else "unrated"
    return ", ".join([game.info.title, *options(match.setup, game), rated, f"board {match.number}"])


def options(setup: Setup, game: AnyGame) -> list[str]:
    """Return "size 9" and the like for each option that has not its usual value.

    They come in the order in which the game lists them. One that is just on is its name alone.
    """
    return [
        option.name if setup[option.name] == "yes" else f"{option.name} {setup[option.name]}"
        for option in game.info.options
        if setup[option.name] != option.default
    ]


def deadline(board: LiveMatch, now: datetime, reader: Player) -> str:
    """Return when the player to move forfeits, in the reader's zone, and the days left.

    "" if nobody is to move, or if the time is unknown because the clock stands.
    """
    return _until(forfeit_at(board), now, reader)


def _until(end: datetime | None, now: datetime, reader: Player) -> str:
    return f"{local_time(end, reader)}: {time_left(end - now)}" if end else ""


def forfeit_at(board: LiveMatch) -> datetime | None:
    """Return when the player to move forfeits; None if nobody does or it is unknown."""
    players = players_to_move(board)
    return schedule(board.match, players[0]).forfeit_at if players else None


def total(board: LiveMatch, people: People, now: datetime) -> str:
    """Return what the players have used of the time for the match; "" if it has no limit."""
    days = board.match.terms.total_days
    if days is None:
        return ""
    spent = time_spent(board, now)
    used = (f"{userid(people, p)} {spent[p] / DAY:.1f}" for p in dict.fromkeys(board.match.players))
    return f"Used of the {counted(days, 'day')} for all moves: {listing(used, last='and')}."


def stopped_clock(board: LiveMatch, people: People, now: datetime, reader: Player) -> str:
    """Return a sentence on why the clock of the player to move stands; "" if it runs."""
    players = players_to_move(board)
    pause = current_pause(board.match, players[0], now) if players else None
    if pause is None:
        return ""
    until = f" until {local_time(pause.until, reader)}" if pause.until else ""
    mine = players[0] == reader.id
    name = "you" if mine else userid(people, players[0])
    away = "You are" if mine else f"{name} is"
    return _STANDING[pause.kind].format(name=name, away=away, until=until)


_STANDING: Mapping[PauseKind, str] = {
    PauseKind.VACATION: "{away} on vacation; the clock stands{until}.",
    PauseKind.UNREACHABLE: "Mails to {name} come back; the clock stands{until}.",
    PauseKind.OUTAGE: "The clock stands{until}, because the server was silent.",
    PauseKind.MAINTENANCE: "The operator has stopped all clocks{until}.",
    PauseKind.BOARD: "The operator has stopped the clock{until}.",
    PauseKind.ROBOT: "{name} is a robot: it moves by itself, and its turns are not timed.",
}


def rating_lines(match: Match, people: People, reader: Player) -> tuple[str, ...]:
    """Return "alice 1500 -> 1612 +- 250 (provisional)" for each player of a rated match."""
    changes = match.outcome.ratings if match.outcome else ()
    return tuple(
        f"{'you' if player == reader.id else userid(people, player)} {_rating_change(change)}"
        for player, change in zip(match.players, changes, strict=False)
    )


def _rating_change(change: RatingChange) -> str:
    before, after = change.before, change.after
    provisional = " (provisional)" if after.provisional else ""
    return f"{before.rating:.0f} -> {after.rating:.0f} +- {after.deviation:.0f}{provisional}"
