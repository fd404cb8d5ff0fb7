"""The cost of mails: prices of work, and bounds for a mail and for a person in an hour.

A price is drawn before the work is done. A unit is ten microseconds of CPU time on the machine
in docs/decisions.md; octets are those of the answers; answers are mails. Each
price is a round figure above what was measured at the worst game on offer.
"""

from datetime import datetime

from pbm.core.board_messages import MOST_PICTURES
from pbm.domain.errors import Refusal
from pbm.domain.player import PlayerId
from pbm.engine import frozen
from pbm.store.unit import Count, UnitOfWork, find_tallies


@frozen
class Cost:
    """The cost of a piece of work."""

    units: int = 0
    octets: int = 0
    answers: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.units + other.units, self.octets + other.octets, self.answers + other.answers
        )

    def __mul__(self, times: int) -> "Cost":
        return Cost(self.units * times, self.octets * times, self.answers * times)

    @property
    def parts(self) -> tuple[int, int, int]:
        """Its units, octets and answers."""
        return self.units, self.octets, self.answers

    def within(self, most: "Cost") -> bool:
        """Return whether no part of this is more than the same part of `most`."""
        return (
            self.units <= most.units and self.octets <= most.octets and self.answers <= most.answers
        )


ANSWER = Cost(units=200, octets=5_000, answers=1)
"""A mail: headers, a greeting's worth of text, its row in the outbox."""

HELP_ON_COMMAND = Cost(octets=805)
"""The part of the reference, the longest page of help, that is about one command."""

QUERY = Cost(units=50)
"""A question to the database."""

ROW = Cost(units=4, octets=550)
"""A row of a list, asked for and laid out."""

CLOCK_READ = Cost(units=15)
"""The clock of a match, read with many others and worked out."""

ENTRY_TIMED = Cost(units=2)
"""An entry of a log that was read for that: of a match whose time is saved up, all of them."""

BOARD_LOADED = Cost(units=60)
"""A match from the database, without its log."""

ENTRY_LOADED = Cost(units=1)
"""An entry of its log."""

BOARD_DRAWN = Cost(units=450, octets=45_000)
"""A position alone in its mail: a picture, a table of links, text, and the facts about it."""

ONE_OF_FEW = Cost(units=350, octets=20_000)
"""A position that is one of two or three in a mail: a picture and text."""

ONE_OF_MANY = Cost(units=150, octets=6_000)
"""A position that is one of more in a mail: text alone."""

PLY_LISTED = Cost(units=1, octets=80)
"""A ply in the list of moves below a board."""

PLY_REPLAYED = Cost(units=6)
"""A ply played again, to find an earlier position or to write a record."""

TALK_READ = Cost(units=1)
"""A thousand characters of talk, to measure it for a record."""

ENTRY_RECORDED = Cost(units=4, octets=170)
"""An entry of the log in both forms of a record; what was said comes on top."""

TURN_TRIED = Cost(units=20)
"""A turn that is only tried: a queued move after one of the replies, a run of words."""

REFUSAL = Cost(units=200, octets=4_000)
"""A refusal, without a board."""


def drawn(plies: int, boards: int = 1) -> Cost:
    """Return the price of a board in a mail, after so many plies."""
    board = BOARD_DRAWN if boards == 1 else ONE_OF_FEW if boards <= MOST_PICTURES else ONE_OF_MANY
    return board + PLY_LISTED * plies


@frozen
class Bounds:
    """The most that one mail, and all mails of a person within an hour and a day, may cost."""

    mail: Cost
    hour: Cost


DAY_FACTOR = 3
"""A day allows so many times as much as an hour."""


def counts_at(key: str, hour: datetime) -> tuple[Count, Count]:
    """Return the counts under `key` of this hour, and of this day, which allows more."""
    return (key, hour), (f"{key} of day", hour.replace(hour=0))


UNPROVEN = Bounds(Cost(8_000, 200_000, 10), Cost(30_000, 1_500_000, 30))
"""For an address that nothing proves: anybody can write in its name, and it gets the answers."""

MUTED = Bounds(UNPROVEN.mail, Cost())
"""For such an address whose player wants no answers to what nothing proves."""

PROVEN = Bounds(Cost(15_000, 800_000, 20), Cost(600_000, 20_000_000, 100))
"""For a player who has proven who they are. No loop of machines gets far within an hour."""


class TooMuch(Refusal):
    """More than one mail may ask for."""


class HourSpent(Refusal):
    """More than one person may ask for now; answered by silence, and one mail a day."""


@frozen
class Payer:
    """Whose hour and day pay: an address, or a player who has proven who they are."""

    name: str
    bounds: Bounds

    def bounds_at(self, hour: datetime) -> dict[tuple[Count, ...], Cost]:
        """Return what its tallies of units, octets and answers may reach, in this hour and day."""
        counts = (counts_at(f"{part}{self.name}", hour) for part in _PARTS)
        of_hour, of_day = zip(*counts, strict=True)
        return {of_hour: self.bounds.hour, of_day: self.bounds.hour * DAY_FACTOR}


_PARTS = ("units", "octets", "answers")


def unproven(address: str, *, muted: bool = False) -> Payer:
    """Return the payer for a mail that proves nothing."""
    return Payer(f"-unproven:{address}", MUTED if muted else UNPROVEN)


def proven(player: PlayerId) -> Payer:
    """Return the payer for what a player has proven to have written."""
    return Payer(f":{player}", PROVEN)


class Budget:
    """The budget of one mail. Commands draw from it before they work.

    Answers are also paid from the hour of the player who gets them. Changes of boards are bounded
    only within the mail, because a player must always be able to move; the first change of a mail
    is made whatever it costs.

    The counts of the `hour` are read once a mail, and `store` adds to them at its end. So mails
    that are played at the same moment see no more than what was spent before.
    """

    def __init__(self, work: UnitOfWork, hour: datetime, payer: Payer) -> None:
        self.spent = Cost()
        self._work = work
        self._hour = hour
        self._payer = payer
        self._before: dict[Count, int] = {}
        self._paid: dict[tuple[Count, ...], Cost] = {}
        self._answered: set[Payer] = set()
        self._deeds = 0

    def set_payer(self, payer: Payer) -> None:
        """Let `payer` pay for what follows."""
        self._payer = payer

    def charge(self, cost: Cost) -> None:
        """Draw the price of looking; raise TooMuch or HourSpent if it cannot be paid.

        The answers to one mail are one mail, so only the first of them pays for that.
        """
        whole = cost if self._payer in self._answered else cost + ANSWER
        if not self._fits(whole):
            raise TooMuch(_TOO_MUCH, "games")
        self._pay_from_hour(whole)
        self._answered.add(self._payer)

    def answer(self, cost: Cost) -> None:
        """Draw the price of a short answer, which every mail can pay; raise HourSpent."""
        self._pay_from_hour(cost if self._payer in self._answered else cost + Cost(answers=1))
        self._answered.add(self._payer)

    def try_charge(self, cost: Cost) -> bool:
        """Draw `cost` if that can be paid; return whether it could."""
        if not (self._fits(cost) and self._fits_hour(cost)):
            return False
        self._pay_from_hour(cost)
        return True

    def charge_step(self, cost: Cost) -> None:
        """Draw the price of a step towards anything; raise TooMuch. The first is always done."""
        if self.spent.units and not self._fits(Cost(cost.units)):
            raise TooMuch(_TOO_MUCH, "games")
        self.record(cost)

    def charge_deed(self, cost: Cost) -> None:
        """Draw the price of telling what was done; raise TooMuch, except for the first deed."""
        if self._deeds and not self._fits(Cost(cost.units)):
            raise TooMuch(_TOO_MUCH, "games")
        self._deeds += 1
        self.record(Cost(cost.units))

    def record(self, cost: Cost) -> None:
        """Draw what a step has turned out to cost beyond its price."""
        self.spent += cost

    def store(self) -> None:
        """Count what was paid from hours since the beginning."""
        for counts, cost in self._paid.items():
            for (key, window), amount in zip(counts, cost.parts, strict=True):
                if amount:
                    self._work.add_to_tally(key, window, amount)

    def _fits(self, cost: Cost) -> bool:
        return (self.spent + cost).within(self._payer.bounds.mail)

    def _fits_hour(self, cost: Cost) -> bool:
        bounds = self._payer.bounds_at(self._hour)
        if unknown := [count for counts in bounds for count in counts if count not in self._before]:
            found = self._work.look(find_tallies, unknown)
            self._before.update((count, found.get(count, 0)) for count in unknown)
        return all(
            (Cost(*map(self._before.__getitem__, counts)) + self._paid.get(counts, Cost()) + cost)
            .within(most)
            for counts, most in bounds.items()
        )  # fmt: skip

    def _pay_from_hour(self, cost: Cost) -> None:
        affordable = self._fits_hour(cost)
        # What cannot be paid counts in the hour: it is over, and no later mail gets as far.
        of_hour, of_day = self._payer.bounds_at(self._hour)
        self._paid[of_hour] = self._paid.get(of_hour, Cost()) + cost
        if not affordable:
            raise HourSpent("There were too many requests in this hour, or today.")
        sent = Cost(octets=cost.octets, answers=cost.answers)
        self._paid[of_day] = self._paid.get(of_day, Cost()) + sent
        self.spent += cost


def boundless(work: UnitOfWork, now: datetime) -> Budget:
    """Return the budget of the operator and of time, who ask for no more than they need."""
    return Budget(work, now, _NOBODY)


_ANYTHING = Cost(2**62, 2**62, 2**62)

_NOBODY = Payer("", Bounds(_ANYTHING, _ANYTHING))

_TOO_MUCH = (
    "That is more than one mail may ask for: ask for fewer boards, leave out the #n, or send the "
    "other lines in another mail."
)
