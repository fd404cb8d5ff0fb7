"""Rules for a server that has come to rest, whatever was done to it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbm.core.boards import RATED_A_DAY
from pbm.domain.logs import PLIES, EntryKind
from pbm.domain.match import Match
from pbm.domain.ratings import Rating
from pbm.operator.upkeep import verify_all
from pbm.server.assembly import App
from pbm.store.unit import UnitOfWork
from tests.torture.kinds import SEATS, Kinds
from tests.torture.people import People, Told, address_of, random_match
from tests.torture.relay import NOBODY


@dataclass
class Findings:
    """The findings; no `faults` if all is well."""

    lost: int = 0
    double: int = 0
    moves: int = 0
    chats: int = 0
    matches: int = 0
    ended: int = 0
    faults: list[str] = field(default_factory=list)

    def lose(self, what: str) -> None:
        """Note something that is missing."""
        self.lost += 1
        self.faults.append(f"lost: {what}")

    def find_twice(self, what: str) -> None:
        """Note something that was done twice, or done though nobody asked for it."""
        self.double += 1
        self.faults.append(f"double: {what}")


def look(house: App, people: People, kinds: Kinds | None = None) -> Findings:
    """Return what is found in the database of `house`, and in the mails that these people got."""
    found = Findings(moves=len(people.acknowledged))
    with house.open_reading() as work:
        matches = [_match(work, number) for number in work.matches.numbers()]
        seated_ones = {player for match in matches for player in match.players}
        names = {p: player.userid for p, player in work.players.by_ids(seated_ones).items()}
        for match in matches:
            if kinds and match.game in SEATS:
                _check_kind(match, tuple(names[player] for player in match.players), kinds, found)
                continue
            _check_log(match, people, found)
            seated = [address_of(names[player]) for player in match.players]
            _check_mails(match, seated, people.told, found)
        _check_chats(matches, people, found)
        _check_invitations(people, found)
        found.matches = len(matches)
        found.ended = sum(match.over for match in matches)
        found.faults += _rating_faults(work, matches, names)
        found.faults += _queue_faults(work)
        found.faults += [
            f"pbm verify, board {number}: {fault}"
            for number, faults in verify_all(work, house.catalogue)
            for fault in faults
        ]
    found.faults += [f"{name} came with another content" for name in people.changed]
    return found


def _check_kind(match: Match, seated: tuple[str, ...], kinds: Kinds, found: Findings) -> None:
    faults = kinds.faults_of(match, seated)
    found.moves += len(match.plies)
    found.lost += sum(": lost: " in fault for fault in faults)
    found.double += sum(": double: " in fault for fault in faults)
    found.faults += faults


def _match(work: UnitOfWork, number: int) -> Match:
    stored = work.matches.get(number)
    assert stored is not None
    return stored[0]


def _check_log(match: Match, people: People, found: Findings) -> None:
    played = [entry.text for entry in match.log if entry.kind in PLIES]
    number = match.number
    if number in people.resigned and not match.over:
        found.lose(f"board {number}, the resignation")
    asked = sum(board == number for board, _ in people.acknowledged)
    if not played and not asked:
        return
    expected = random_match(number, people.sizes[number])[:asked]
    for ply in range(max(len(played), asked)):
        what = f"board {number}, ply {ply + 1}"
        if ply >= len(played):
            found.lose(f"{what}, {expected[ply]} is not in the log")
        elif ply >= len(expected):
            found.find_twice(f"{what}, {played[ply]} was not asked for")
        elif played[ply] != expected[ply]:
            found.find_twice(f"{what} is {played[ply]} and not {expected[ply]}")


def _check_mails(
    match: Match, seated: Sequence[str], told: Mapping[Told, set[str]], found: Findings
) -> None:
    plies = sum(entry.kind in PLIES for entry in match.log)
    for ply in range(1, plies + 1):
        for recipient in seated:
            mails = told.get(Told(recipient, match.number, ply), set())
            what = f"board {match.number}, ply {ply}, the mail to {recipient}"
            if not mails:
                found.lose(what)
            elif len(mails) > 1:
                found.find_twice(f"{what}: {', '.join(sorted(mails))}")


def _check_chats(matches: Sequence[Match], people: People, found: Findings) -> None:
    """Look for the words of each chat in the log of its board, and in a mail to the other one."""
    found.chats = len(people.chats)
    logged = Counter(
        (match.number, entry.comment)
        for match in matches
        for entry in match.log
        if entry.kind is EntryKind.CHAT
    )
    for words, (board, _) in people.chats.items():
        for many, where in (
            (logged.pop((board, words), 0), "in the log"),
            (len(people.heard[words]), "in the mails to the other player"),
        ):
            what = f"board {board}, the words {words!r}, {many} times {where}"
            if many == 0:
                found.lose(what)
            elif many > 1:
                found.find_twice(what)
    for board, words in logged:
        found.find_twice(f"board {board}, the words {words!r} were not sent there")


def _check_invitations(people: People, found: Findings) -> None:
    for name, asked in Counter(people.asked).items():
        answers = len(people.answered[name])
        what = f"{name} asked for {asked} matches and got {answers} answers"
        if answers < asked:
            found.lose(what)
        elif answers > asked:
            found.find_twice(what)


def _rating_faults(
    work: UnitOfWork, matches: Sequence[Match], names: Mapping[int, str]
) -> Iterator[str]:
    """Yield what is wrong with ratings: each must be made by the ended matches, each once.

    Of the matches of two players, only the first ones of a day are rated.
    """
    changes = defaultdict(list)
    pairs = Counter(
        frozenset(match.players) for match in matches if match.outcome and match.outcome.ratings
    )
    for match in matches:
        rated = match.outcome.ratings if match.outcome else ()
        enough = pairs[frozenset(match.players)] >= RATED_A_DAY
        if match.over and match.terms.rated and not rated and not enough:
            yield f"board {match.number} was not rated"
        for player, change in zip(match.players, rated, strict=False):
            changes[player, match.game].append(change)
    for (player, game), made in changes.items():
        made.sort(key=lambda change: _games(change.before))
        now = Rating()
        for number, change in enumerate(made):
            if _games(change.before) != number or change.before.rating != now.rating:
                yield f"{names[player]}: the match after {number} was rated from another rating"
            now = change.after
        stored = work.ratings.of(game, [player])[player]
        if (stored.rating, _games(stored)) != (now.rating, _games(now)):
            yield f"{names[player]}: the rating is not what the last match made of it"


def _games(rating: Rating) -> int:
    return rating.won + rating.lost + rating.drawn


def _queue_faults(work: UnitOfWork) -> Iterator[str]:
    for shunted in work.shunt.listing():
        yield f"mail {shunted.id} is in the shunt: {shunted.error.splitlines()[-1:]}"
    if waiting := work.inbox.waiting():
        yield f"{waiting} mails wait in the inbox"
    left = Counter(row.state for row in work.outbox.listing(10_000) if row.recipient != NOBODY)
    if left:
        yield f"the outbox holds {dict(left)}"
    if work.outbox.owners():
        yield f"mails are still leased by {work.outbox.owners()}"
