"""The help pages, made from the grammar and from the games' own pages."""

import textwrap

from pbm.domain.catalogue import Catalogue
from pbm.engine import AnyGame, listing, near
from pbm.service.grammar import VERBS, Verb, find_verb, verb_names


def help_page(catalogue: Catalogue, address: str, topic: str) -> tuple[str, str]:
    """Return the topic's name and its page; an unknown topic gets the introduction.

    Examples carry the server's real address.
    """
    first = topic.split()[:1]
    if not first:
        return "introduction", introduction(catalogue, address)
    if first[0].lower() == "commands":
        return "commands", commands_page(address)
    game = catalogue.find(first[0])
    if game:
        return game.info.key, game_page(catalogue, game)
    verb = find_verb(first[0])
    if verb:
        return verb.name, verb_page(verb, address)
    known = (*verb_names(), *catalogue.names, "commands")
    meant = near(first[0], known)
    hint = f" Did you mean {listing(meant)}?" if meant else ""
    return "help", f"There is no such topic.{hint}\n\n" + introduction(catalogue, address)


def introduction(catalogue: Catalogue, address: str) -> str:
    """Return the first page that a player reads."""
    games = "\n".join(f"  {g.info.key:<10} {g.info.title}" for g in catalogue)
    first = next(iter(catalogue)).info
    return f"""\
This is a play-by-email game server. Write to {address},
with a command as the subject, or in the first lines of the text.

To play, in five mails:

  signup alice your-password           once; then answer the mail
                                       that comes
  {first.key} challenge alice your-password bob
                                       invites bob
  accept                               is all that bob has to reply
  {first.example:<10}                           a move, as a reply to the mail
                                       with the board
  resign                               gives up, as a reply too

Replies need no password. Whatever you write below a move is a
comment, which your opponent reads.

Games:

{games}

More: help commands, help {first.key}, help move (any game or command).
"""


def commands_page(address: str) -> str:
    """Return the list of all commands, one line each, from the grammar."""
    rows = "\n".join(f"  {verb.name:<10} {verb.summary}" for verb in VERBS)
    return f"""\
Commands are the subject of a mail to {address},
or the first lines of its text, one a line; end ends them.

{rows}

help followed by a command tells its words. In a reply to a board
mail the number, the userid and the password can be left out.
"""


def verb_page(verb: Verb, address: str) -> str:
    """Return the page on one command, from its row of the grammar."""
    game = "GAME " if verb.needs_game else ""
    aliases = f"Also: {listing(verb.aliases, last='and')}.\n" if verb.aliases else ""
    summary = textwrap.fill(f"{verb.name}: {verb.summary}.", 72)
    text = f"\n{textwrap.fill(verb.text, 72)}\n" if verb.text else ""
    usage = f"  {game}{verb.name} {verb.usage}"
    return f"""\
{summary}

{usage}

For example, to {address}:

  {verb.example}
{text}
{aliases}[...] can be left out, ... means one or more. N and B are numbers of
boards. GAME is the name of a game.
"""


def game_page(catalogue: Catalogue, game: AnyGame) -> str:
    """Return the game's own page, with its options as the server reads them."""
    options = "\n".join(
        textwrap.fill(
            f"-{o.name}={o.default}  {o.help} ({listing(o.choices)})",
            72, initial_indent="  ", subsequent_indent="      ",
        )
        for o in game.info.options
    )  # fmt: skip
    page = catalogue.help_page(game.info.key).rstrip()
    if not options:
        return f"{page}\n"
    return f"{page}\n\nWith a challenge, and what holds if you say nothing:\n\n{options}\n"
