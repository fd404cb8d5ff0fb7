"""A naive model of time: who must have been told what, and when, by counting whole hours.

It follows the rules on time as players read them and knows nothing of the server. Hours count
from the beginning; a clock has run in an hour unless something stopped it in that hour.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

NAG, WARNING = "NAG", "WARNING"
DAY = 24

NEVER = 10**9
"""An hour that never comes, as far as anybody knows."""


@dataclass
class Span:
    """From the hour `began` up to, not including, `until`; None if the end is unknown."""

    began: int
    until: int | None

    def covers(self, hour: int) -> bool:
        return self.began <= hour and (self.until is None or hour < self.until)


@dataclass
class Board:
    """A board as its players know it.

    `clock` is in hours: nagtime and forfeittime; or what is in hand at the start, what a move adds,
    and the most. `turns` are who moved and when.
    """

    number: int
    clock: tuple[int, ...]
    mover: str
    since: int = 0
    added: int = 0
    turns: list[tuple[str, int]] = field(default_factory=list)
    told: str = ""
    notice_from: int | None = None
    stops: list[Span] = field(default_factory=list)
    over: bool = False


@dataclass
class Round:
    """The duties of one round of the scheduler: boards that end, and mails."""

    forfeits: list[int] = field(default_factory=list)
    reminders: dict[str, dict[int, tuple[str, float]]] = field(default_factory=dict)


@dataclass
class ClockModel:
    """All boards, and everything that can stop a clock."""

    hour: int = 0
    boards: dict[int, Board] = field(default_factory=dict)
    vacations: dict[str, list[Span]] = field(default_factory=dict)
    returns: dict[str, list[Span]] = field(default_factory=dict)
    outages: list[Span] = field(default_factory=list)
    stops: list[Span] = field(default_factory=list)

    # What happens.

    def play(self, number: int, mover: str, *, over: bool = False) -> None:
        """Begin a new turn of `mover`."""
        board = self.boards[number]
        board.turns.append((board.mover, self.hour))
        board.mover, board.since, board.over = mover, self.hour, over
        board.told, board.notice_from, board.added = "", None, 0

    def extend(self, number: int, days: int) -> None:
        board = self.boards[number]
        board.added += days * DAY
        board.told = NAG if board.told else ""

    def stop(self, number: int) -> None:
        self.boards[number].stops.append(Span(self.hour, None))

    def resume(self, number: int) -> None:
        self.boards[number].stops[-1].until = self.hour

    def leave(self, player: str, days: int) -> None:
        """Begin a vacation; it replaces one that is under way or planned."""
        self.come_back(player)
        self.vacations.setdefault(player, []).append(Span(self.hour, self.hour + days * DAY))

    def come_back(self, player: str) -> None:
        for span in self.vacations.get(player, []):
            if span.until is None or span.until > self.hour:
                span.until = max(span.began, self.hour)

    def away(self, player: str) -> bool:
        return any(span.covers(self.hour) for span in self.vacations.get(player, []))

    def mail_came_back(self, player: str, made: int) -> None:
        """Stop the clocks of `player` from the hour a mail was made to a day after its return."""
        spans, until = self.returns.setdefault(player, []), self.hour + DAY
        span = next((span for span in spans if span.covers(made)), None)
        if span is None:
            spans.append(span := Span(made, until))
        span.until = max(span.until or 0, until)

    def stop_all(self) -> None:
        self.stops.append(Span(self.hour, None))

    def resume_all(self) -> None:
        self.stops[-1].until = self.hour

    def silence(self, hours: int) -> None:
        """Let the server be silent; once it is back, all clocks have stood meanwhile."""
        self.outages.append(Span(self.hour, self.hour + hours))
        self.hour += hours

    def put_back(self, hours: int) -> None:
        """Set the time back: what lies in the future then counts as happening now."""
        self.hour -= hours
        for outage in self.outages:
            if outage.until is not None and outage.until > self.hour:
                outage.until = max(outage.began, self.hour)
        for board in self.boards.values():
            board.since = min(board.since, self.hour)
            if board.notice_from is not None:
                board.notice_from = min(board.notice_from, self.hour)

    # What follows from that.

    def runs(self, board: Board, hour: int) -> bool:
        """Return whether the clock of the player to move runs in this hour."""
        return not any(span.covers(hour) for span in self._spans(board))

    def _spans(self, board: Board) -> Iterator[Span]:
        yield from self.vacations.get(board.mover, [])
        yield from self.returns.get(board.mover, [])
        yield from board.stops
        yield from self.outages
        yield from self.stops

    def limit(self, board: Board) -> int:
        """Return the time of this turn: the forfeittime, or what is in hand, but half a day."""
        if len(board.clock) == 2:
            return board.clock[1] + board.added
        (hand, gain, most), since = board.clock, 0
        for player, until in board.turns:
            if player == board.mover:
                used = sum(self.runs(board, hour) for hour in range(since, until))
                hand = min(most, max(hand - used, 0) + gain)
            since = until
        return max(hand, DAY // 2) + board.added

    def nag(self, board: Board) -> float:
        """Return the time until the nag: the nagtime, or half of what is in hand."""
        return board.clock[0] if len(board.clock) == 2 else self.limit(board) / 2

    def notice(self, board: Board) -> float:
        """Return the time from the last warning to the end: two days, or half of a short turn."""
        limit = self.limit(board)
        return 2 * DAY if limit >= 3 * DAY else limit / 2

    def when(self, board: Board, since: int, amount: float) -> float:
        """Return the hour at which `amount` hours have run since the hour `since`."""
        spans = [*self._spans(board)]
        endless = min((span.began for span in spans if span.until is None), default=NEVER)
        stood = {hour for span in spans for hour in range(span.began, span.until or 0)}
        hour, left = since, amount
        while left > 0:
            if hour >= endless:
                return NEVER
            left -= hour not in stood
            hour += 1
        return hour + left

    def nag_at(self, board: Board) -> float:
        """Return when the nag comes; NEVER if it would not come before the warning."""
        nag = self.nag(board)
        alone = nag < self.limit(board) - self.notice(board)
        return self.when(board, board.since, nag) if alone else NEVER

    def warning_at(self, board: Board) -> float:
        return self.when(board, board.since, self.limit(board) - self.notice(board))

    def forfeit_at(self, board: Board) -> float:
        """Return when the time of this turn is over: never before the last warning has run out.

        After an outage the player has at least as much time as it took, up to a day.
        """
        moments = [self.when(board, board.since, self.limit(board))]
        if board.notice_from is not None:
            moments.append(self.when(board, board.notice_from, self.notice(board)))
        moments += [
            outage.until + min(DAY, outage.until - outage.began)
            for outage in self.outages
            if outage.until is not None and outage.until > max(board.since, outage.began)
        ]
        return max(moments)

    def due(self, board: Board, ahead: float = 0) -> str:
        """Return which reminder is due within `ahead` hours; "" if none is."""
        if board.over or not self.runs(board, self.hour):
            return ""
        if board.told != WARNING and self.warning_at(board) <= self.hour + ahead:
            return WARNING
        if not board.told and self.nag_at(board) <= self.hour + ahead:
            return NAG
        return ""

    def is_forfeited(self, board: Board) -> bool:
        if board.over or board.told != WARNING or not self.runs(board, self.hour):
            return False
        return self.forfeit_at(board) <= self.hour

    # What the scheduler must do.

    def look(self) -> Round:
        """Do a round. A player who is reminded of a board also hears of boards nearly due.

        That is within a day, or a seventh of the nagtime.
        """
        done = Round()
        for board in self.boards.values():
            if self.is_forfeited(board):
                board.over = True
                done.forfeits.append(board.number)
        late = {board.mover for board in self.boards.values() if self.due(board)}
        for player in sorted(late):
            told = done.reminders.setdefault(player, {})
            for board in self.boards.values():
                reminder = self.due(board) or self.due(board, min(DAY, self.nag(board) / 7))
                if reminder and board.mover == player:
                    self._tell(board, reminder)
                    told[board.number] = reminder, self.forfeit_at(board)
        return done

    def _tell(self, board: Board, reminder: str) -> None:
        """Record a reminder. If it would leave less than half a day, the notice begins again."""
        board.told = reminder
        if board.notice_from is None or self.forfeit_at(board) - self.hour < min(
            DAY // 2, self.notice(board)
        ):
            board.notice_from = self.hour
