"""Acts of the operator on players and matches: logged, with mails to those concerned."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pbm.core.audience import board_messages
from pbm.core.audit import UNSIGNED, Signature, record
from pbm.core.boards import snapshot_of
from pbm.core.context import Services, context_without_mail, near_userids
from pbm.core.events import Effect, Event, Happening, SeenHappening
from pbm.core.league_tables import places_after
from pbm.core.letters import Message, letter
from pbm.core.open_boards import STARTED, agreed_by_all, setup_for, start_match
from pbm.core.outbox import post
from pbm.core.plies import ENDED
from pbm.core.robots import check_plays, terms_with_robots
from pbm.core.strangers import may_open_account
from pbm.domain.addresses import fold_address, is_address
from pbm.domain.errors import NotAllowed, NotUnderstood, UnknownName
from pbm.domain.mail import is_of_server
from pbm.domain.match import Ending, Match, Outcome
from pbm.domain.play import Board, adjudicate, reopen, undo
from pbm.domain.player import Player, PlayerState, check_password, check_userid, fold_userid
from pbm.domain.record import match_of_record
from pbm.domain.timekeeping import extend, pause_board, resume_board
from pbm.engine import AnyGame, counted, listing, near, quote
from pbm.features.accounts import addresses_changed, password_changed, store_password
from pbm.features.bounces import run_again
from pbm.features.leagues import leave_season
from pbm.features.leaving import remove
from pbm.features.offers import TAKEN_BACK
from pbm.operator.upkeep import faults_of
from pbm.store.operator import Facts
from pbm.store.unit import UnitOfWork

_ACTS = {
    PlayerState.ACTIVE: "user enable",
    PlayerState.DISABLED: "user disable",
    PlayerState.GONE: "user remove",
}
"""The act that brings a player into each state."""

_ENDS = {
    Ending.RESIGNED: "the resignation",
    Ending.AGREED: "the draw",
    Ending.FORFEITED: "the loss on time",
    Ending.DECLINED: "the refusal",
    Ending.ADJUDICATED: "the decision",
    Ending.CLOSED: "the closing",
}
"""Names, for the operator, of the end that an undo takes back."""


def _reopened(seen: SeenHappening) -> str:
    ending = Ending(seen.text)
    rated = Outcome(ending).counts and seen.board.match.terms.rated
    ratings = "What it did to the ratings is taken back as well. " if rated else ""
    return (
        f"The operator of the server has taken back {_ENDS_TAKEN_BACK[ending]}, and the match goes "
        f"on. {ratings}The time for this move begins now."
    )


_ENDS_TAKEN_BACK = _ENDS | {
    Ending.DECLINED: "the refusal of the match",
    Ending.ADJUDICATED: "their decision",
    Ending.CLOSED: "the end of the match",
}
"""Names, for players, of the same. An end by rule goes with its move."""


def _extended(seen: SeenHappening) -> str:
    days = counted(int(seen.text), "day")
    return f"The operator of the server has added {days} to the time for this move."


def _stopped(_: SeenHappening) -> str:
    return "The operator of the server has stopped the clock of this match. You can still play."


REOPENED = Event("reopened", _reopened, Effect.OTHER)
EXTENDED = Event("extended", _extended, Effect.OTHER)
STOPPED = Event("stopped", _stopped, Effect.OTHER)
RESUMED = Event("resumed", lambda _: "The clock of this match runs again.", Effect.OTHER)


class Administration:
    """The acts of the operator who signs, in one unit of work; the caller commits it."""

    def __init__(
        self, services: Services, work: UnitOfWork, now: datetime, by: Signature = UNSIGNED
    ) -> None:
        self.services = services
        self.work = work
        self.now = now
        self.by = by
        self.context = context_without_mail(services, work, now)

    def add_player(self, userid: str, password: str, addresses: Sequence[str]) -> Player:
        """Open an account; the addresses count as confirmed. Raises a Refusal."""
        check_userid(userid)
        check_password(password)
        given = self._addresses(addresses)
        for address in given:
            if not may_open_account(self.work, address):
                raise NotAllowed(f"{address} is banned, or belongs to a disabled account.")
        hashed = self.services.passwords.hash(password)
        player = self.work.players.add(userid, hashed, given, self.now)
        self.note("user add", player.userid, {}, player_facts(player))
        return player

    def player(self, userid: str) -> Player:
        """Return the player of that name, in any state; raise UnknownName with near names."""
        return player_called(self.work, userid)

    def set_password(self, userid: str, password: str) -> None:
        """Give a player a new password; requests made under the old one become void."""
        player = self._person(userid)
        store_password(self.context, player, check_password(password))
        self._post([password_changed(player.home, player.userid)])
        self.note("user password", player.userid, {}, {})

    def set_addresses(self, userid: str, addresses: Sequence[str]) -> None:
        """Replace a player's addresses; mails go to the first, even if mails to it came back."""
        player, given = self._person(userid), self._addresses(addresses)
        self.work.players.set_addresses(player.id, given)
        for address in given:
            self.work.players.switch_on(player.id, address)
        if given != player.addresses:
            self._post(addresses_changed(self.context, player, given[0]))
        self._post(run_again(self.context, player.id))
        self._note_player("user address", player)

    def _addresses(self, addresses: Sequence[str]) -> tuple[str, ...]:
        folded = tuple(fold_address(address) for address in addresses)
        if not folded or not all(map(is_address, folded)):
            raise UnknownName("A player has one or more mail addresses like alice@example.com.")
        for address in folded:
            services = self.services
            if is_of_server(address, services.address, at_provider=services.at_provider):
                raise NotAllowed(f"{address} is an address of the server; a player has another.")
        return folded

    def set_state(self, userid: str, state: PlayerState) -> None:
        """Disable, enable or remove a player; removing does what their own signoff would do."""
        gone = state is PlayerState.GONE
        player = self.player(userid) if gone else self._staying(userid)
        if gone:
            self.remove(player)
        elif state is PlayerState.DISABLED:
            for season in self.work.leagues.entered(player.id):
                self._post(leave_season(self.context, player, season))
        self.work.players.set_state(player.id, state)
        if player.address and player.state is not state:
            self._post([self._about_state(player, player.address, state)])
        self._note_player(_ACTS[state], player)

    def _about_state(self, player: Player, address: str, state: PlayerState) -> Message:
        """Return the mail about a new state; a farewell is that of a signoff and has no reason."""
        if state is PlayerState.GONE:
            return letter(address, "leaving/farewell", userid=player.userid)
        return letter(
            address, "accounts/state", userid=player.userid, reason=self.by.told,
            enabled=state is PlayerState.ACTIVE,
        )  # fmt: skip

    def remove(self, player: Player) -> None:
        """End everything that a player has begun, and write to those they played with."""
        self._post(remove(self.context, player))

    def _staying(self, userid: str) -> Player:
        """Return a player who has not left; raise NotAllowed for one who has."""
        player = self.player(userid)
        if player.state is PlayerState.GONE:
            raise NotAllowed(f"{player.userid} has left; the name stays on the matches.")
        return player

    def _person(self, userid: str) -> Player:
        """Return a person who has not left; raise NotAllowed for a robot, which gets no mails."""
        player = self._staying(userid)
        if player.is_robot:
            raise NotAllowed(f"{player.userid} is a robot: it has no password and no address.")
        return player

    def create_match(
        self,
        game: AnyGame,
        userids: Sequence[str],
        options: Mapping[str, str],
        terms: Mapping[str, str],
    ) -> int:
        """Start a match without asking its players, write to them, and return its number."""
        players = [self.player(userid) for userid in userids]
        setup = setup_for(game, options, len(players))
        if len({p.id for p in players}) < len(players):
            raise NotAllowed(f"{game.info.title} is for {len(players)} different players.")
        _check_active(players, "cannot play")
        usual = self.services.periods.terms
        agreed = usual.read(terms_with_robots(players, terms))
        check_plays(self.work, game, players)
        seats: tuple[int, ...] = tuple(player.id for player in players)
        if agreed.draw_seats:
            seats = self.services.chance.shuffled(seats)
        invitation = agreed_by_all(self.context, game, setup, agreed, seats)
        self._post(start_match(self.context, invitation))
        names = [player.userid for player in players]
        after = {"game": game.info.key, "players": names, "options": dict(options)}
        self.note("game create", invitation.number, {}, {**after, "terms": dict(terms)})
        return invitation.number

    def undo(self, number: int) -> tuple[Board, str]:
        """Take back the end of a match if no move made it, and otherwise its last move.

        Returns the match, and what was taken back, such as "the decision" or "move 12 (B2)".
        """
        board = self.context.boards.get(number)
        outcome, why = board.match.outcome, self.by.told
        if outcome is not None and outcome.ending is not Ending.RULES:
            after = reopen(board, comment=why, now=self.now)
            happening = Happening(REOPENED, text=outcome.ending, comment=why)
            return self._change(board, after, "undo", happening), _ENDS[outcome.ending]
        after = undo(board, comment=why, now=self.now)
        (move,) = board.match.log.last_plies(1)
        happening = Happening(TAKEN_BACK, text=move.text, comment=why)
        return self._change(board, after, "undo", happening), f"move {after.due} ({move.text})"

    def adjudicate(self, number: int, winners: tuple[int, ...]) -> Board:
        """Decide a match: no winners make it a draw."""
        board = self.context.boards.get(number)
        if any(seat not in range(len(board.match.players)) for seat in winners):
            raise UnknownName(f"Board {number} has the seats 0 to {len(board.match.players) - 1}.")
        return self._end(board, Outcome(Ending.ADJUDICATED, winners), "adjudicate")

    def seat_of(self, number: int, userid: str) -> int:
        """Return where a player sits on a board; raise UnknownName, naming those who do."""
        board = self.context.boards.get(number)
        people = self.context.people(board.match.players)
        names = [people[player].userid for player in board.match.players]
        for seat, name in enumerate(names):
            if fold_userid(name) == fold_userid(userid):
                return seat
        known = near(userid, names) or names
        raise UnknownName(
            f"{quote(userid)} does not play on board {number}; {listing(known, last='and')} do."
        )

    def close(self, number: int) -> Board:
        """End a match without a result."""
        return self._end(self.context.boards.get(number), Outcome(Ending.CLOSED), "close")

    def _end(self, board: Board, outcome: Outcome, act: str) -> Board:
        after = adjudicate(board, outcome, comment=self.by.told, now=self.now)
        return self._change(board, after, act, Happening(ENDED, comment=self.by.told))

    def extend(self, number: int, days: int) -> Board:
        """Add `days` to the time of the turn of a match."""
        board = self.context.boards.get(number)
        after = extend(board, days, now=self.now)
        return self._change(board, after, "extend", Happening(EXTENDED, text=str(days)))

    def pause(self, number: int) -> Board:
        """Stop the clock of a match; moves can still be played."""
        board = self.context.boards.get(number)
        after = pause_board(board, now=self.now)
        return self._change(board, after, "pause", Happening(STOPPED))

    def resume(self, number: int) -> Board:
        """Let the clock of a match run again."""
        board = self.context.boards.get(number)
        after = resume_board(board, now=self.now)
        return self._change(board, after, "resume", Happening(RESUMED))

    def _change(self, before: Board, after: Board, act: str, happening: Happening) -> Board:
        after = self.context.boards.save(before, after)
        places = places_after(self.work, before.match, after.match)
        self._post(board_messages(self.context, after, happening, *places))
        number, was = before.match.number, match_facts(before.match)
        self.note(f"game {act}", number, was, match_facts(after.match))
        return after

    def _note_player(self, act: str, before: Player) -> None:
        after = self.context.person(before.id)
        self.note(act, before.userid, player_facts(before), player_facts(after))

    def note(self, act: str, subject: object, before: Facts, after: Facts) -> None:
        """Log an act."""
        record(self.work, self.by, self.now, act, subject, before, after)

    def _post(self, messages: Iterable[Message]) -> None:
        post(self.context, messages)


def player_called(work: UnitOfWork, userid: str) -> Player:
    """Return the player of that name, in any state; raise UnknownName with near names."""
    player = work.players.by_userid(userid)
    if player is None:
        raise UnknownName(f"There is no player {userid}.{near_userids(work, userid)}")
    return player


def player_facts(player: Player) -> Facts:
    """Return the facts of a player that an operator can change, without the password."""
    return {
        "state": player.state.value,
        "addresses": list(player.addresses),
        "off": list(player.off),
    }


def match_facts(match: Match) -> Facts:
    """Return the facts of a match that an operator can change: its length and its end."""
    last = match.log[-1] if match.log else None
    return {
        "plies": len(match.plies),
        "entries": len(match.log),
        "last": f"{last.kind.value} {last.text}".strip() if last else None,
        "ending": match.outcome.ending.value if match.outcome else None,
        "winners": list(match.outcome.winners) if match.outcome else None,
    }


def import_match(operator: Administration, data: Any) -> int:
    """Store the match of a JSON record under a new number, and return the number.

    Its players must have accounts under the same userids. A running match is shown to them; a
    finished one is neither announced nor rated again. Raises a Refusal.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("game"), str):
        raise NotUnderstood("This is not a record of a match.")
    catalogue = operator.services.catalogue
    game = catalogue.get(data["game"])
    game = catalogue.rules(game.info.key, data.get("rules_version", 0)) or game
    people = {fold_userid(name): operator.player(name) for name in _userids(data)}
    ids = {name: player.id for name, player in people.items()}
    match = match_of_record(data, game, ids, operator.work.next_number(), operator.now)
    if not match.over:
        _check_active(people.values(), "cannot play on")
    board = operator.context.boards.add(match)
    faults = tuple(faults_of(match, snapshot_of(board), catalogue))
    if faults:
        raise NotUnderstood(f"The record contradicts itself: {listing(faults, last='and')}.")
    if not match.over:
        messages = board_messages(operator.context, board, Happening(STARTED))
        post(operator.context, messages)
    operator.note("game import", match.number, {}, match_facts(match))
    return match.number


def _userids(data: Mapping[str, Any]) -> list[str]:
    userids = data.get("starters")
    if not isinstance(userids, list) or not all(isinstance(name, str) for name in userids):
        raise NotUnderstood("The record does not say who has played.")
    if len({fold_userid(name) for name in userids}) < len(userids):
        raise NotUnderstood("The record has one player on two seats.")
    return userids


def _check_active(players: Iterable[Player], cannot: str) -> None:
    inactive = [player.userid for player in players if not player.active]
    if inactive:
        raise NotAllowed(f"{listing(inactive, last='and')} {cannot}: not active.")
