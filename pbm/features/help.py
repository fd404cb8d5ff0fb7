"""Help: the introduction, and a page on each topic, game and command."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbm.core.board_messages import MOST_PICTURES, HelpPage
from pbm.core.budget import HELP_ON_COMMAND, ONE_OF_FEW, Cost
from pbm.core.command import Proof, Request, command
from pbm.core.context import Context
from pbm.core.grammar import find_verb, near_names, verbs
from pbm.core.letters import Letter, Message, answer
from pbm.core.tokens import player_token
from pbm.domain.bounces import UNREACHABLE_LASTS
from pbm.domain.catalogue import Catalogue, by_family
from pbm.domain.description import clock
from pbm.domain.player import Player
from pbm.domain.settings import USUAL_PERIODS, Periods
from pbm.domain.timekeeping import DAY, nag_after, notice
from pbm.engine import AnyGame, listing

INTRODUCTION = "help/introduction"
"""The template of the first page, which stands in for a page that does not exist."""

_ON_TIME = (
    "time", "clock", "deadline", "nag", "nagtime", "forfeit", "forfeittime", "totaltime",
    "increment", "zone",
)  # fmt: skip
"""The topics of the page on time, each in the plural as well."""

_TOPICS = (
    *("command", "commands", "reference", "tutorial"),
    *(f"{topic}{plural}" for topic in _ON_TIME for plural in ("", "s")),
)

_STOP = "stop"
"""The topic of the page that ends mails."""

MOST_ON_PAGE = 20
"""Boards that the page on fewer mails names."""


def _echo(request: Request) -> Request:
    """Return the request, with the topic if it is a word of this server and not just any word."""
    word = _word(request.arguments["topic"])
    known = request.game or word in (*_TOPICS, _STOP) or find_verb(word)
    return request if known else replace(request, arguments={"topic": ""})


def _word(topic: str) -> str:
    """Return the first word of a topic, which may have the dashes of an option."""
    return topic.partition(" ")[0].lower().lstrip("-")


@command(
    "help", "[topic]", "how this server works", "help gonnect",
    needs=Proof.REGISTERED, aliases=("?", "info"), echo=_echo,
    writes=lambda request: () if request.game else request.words("topic"),
    read=lambda line: line.request(topic=line.game or " ".join(line.words.rest[:2])),
    text="Topics: commands, the name of any game, the name of any command.",
)  # fmt: skip
def help_on(context: Context, topic: str) -> Iterator[Message]:
    """Mail the page on a topic, or the introduction."""
    services = context.services
    is_game = services.catalogue.find(_word(topic)) is not None
    context.budget.charge(price() + (ONE_OF_FEW * MOST_PICTURES if is_game else Cost()))
    if _word(topic) == "stop":
        yield _fewer_mails(context, context.asker())
    else:
        yield page(context.asker(), topic, services.catalogue, services.periods)


def price() -> Cost:
    """Return what a page may cost: that of the longest, which is about every command."""
    return Cost(units=400) + HELP_ON_COMMAND * len(verbs())


def page(
    to: Player | str, topic: str, catalogue: Catalogue, periods: Periods = USUAL_PERIODS
) -> Letter:
    """Return the page on `topic`: a general topic, a game or a command; else the introduction."""
    word, games = _word(topic), tuple(catalogue)
    if not word:
        return introduction(to, games)
    if word in _TOPICS:
        return _page_on_topic(to, word, games[0], periods)
    if game := catalogue.find(word):
        text = catalogue.help_page(game.info.key)
        return answer(to, "help/game", game=game.info, page=HelpPage(game, text))
    if verb := find_verb(word):
        return answer(to, "help/verb", verb=verb, key=games[0].info.key)
    meant = near_names(word, (*catalogue.names, *_TOPICS, _STOP))
    return introduction(to, games, unknown=True, meant=meant)


def introduction(
    to: Player | str,
    games: Sequence[AnyGame],
    *,
    unread: bool = False,
    unknown: bool = False,
    meant: Sequence[str] = (),
) -> Letter:
    """Return the first page that a player reads.

    `unread`: their mail held no command. `unknown`: there is no page on the topic that they asked
    for; they may have meant one of `meant`.
    """
    # Its lines are replied, for which its reader needs no password.
    token = player_token(to.id) if isinstance(to, Player) else None
    return answer(
        to, INTRODUCTION, games=[game.info for game in games],
        families=[(family, [game.info for game in each]) for family, each in by_family(games)],
        unread=unread, unknown=unknown, meant=meant, reply=token,
    )  # fmt: skip


def _page_on_topic(to: Player | str, topic: str, game: AnyGame, periods: Periods) -> Letter:
    """Return the page on one of `_TOPICS`, with examples of one game."""
    match topic:
        case "command" | "commands":
            return answer(to, "help/commands", verbs=verbs())
        case "reference":
            return answer(to, "help/reference", verbs=verbs())
        case "tutorial":
            return answer(to, "help/tutorial", game=game.info)
        case _:
            return _page_on_time(to, periods)


_FEWER = (
    ("vacation 10 days", "your clocks are stopped, without reminders"),
    ("set reminders last", "only the last reminder of each turn"),
    ("set digest yes", "turns of others once a day, in one mail"),
    ("set news no", "no news about the server"),
    ("set broadcast no", "no broadcasts by other players"),
)
"""Lines of the page on fewer mails that every reader can send, with what each does."""


def _fewer_mails(context: Context, reader: Player) -> Letter:
    """Return the page on fewer mails: a tap for each thing that sends them."""
    rows = context.work.matches.listing(None, [reader.id], over=False, limit=MOST_ON_PAGE)
    followed = context.work.followers.followed_by(reader.id)[:MOST_ON_PAGE]
    titles = {game.info.key: game.info.title for game in context.catalogue}
    ways = [("leave", "closes your account; you are asked once more")]
    for row in rows:
        others = listing((each for each in row.userids if each != reader.userid), last="and")
        match = f"{titles.get(row.game, row.game)} with {others}"
        ways.append((f"resign {row.number}", f"ends your match of {match}"))
    ways += [
        (f"unsubscribe {subject}", f"you no longer follow board {subject}")
        if subject.isdigit()
        else (f"{subject} unsubscribe all", f"no mails about boards of {titles.get(subject)}")
        for subject in followed
    ]
    ways += _FEWER
    ways += [(f"{key} reject", f"no invitations to {title}") for key, title in titles.items()]
    return answer(reader, "help/stop", ways=ways, reply=player_token(reader.id))


def _page_on_time(to: Player | str, periods: Periods) -> Letter:
    terms = periods.terms
    limit = DAY * terms.forfeit_days
    return answer(
        to, "help/time", terms=terms, clock=clock(terms), nags=nag_after(terms, limit) is not None,
        warning=notice(limit).days, vacation=periods.vacation, unreachable=UNREACHABLE_LASTS.days,
    )  # fmt: skip
