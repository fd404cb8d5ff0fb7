"""The front door: what people without an account hear, whatever they write."""

from collections.abc import Iterator

from pbm.dispatch.script import COMMAND_LINES
from pbm.domain.addresses import is_address
from pbm.domain.confirmations import Answer, read_answer
from pbm.domain.errors import Refusal
from pbm.domain.mail import IncomingMail
from pbm.engine import MoveError, quote
from pbm.features.signups import introduce, wrong
from pbm.service.context import Context
from pbm.service.grammar import find_verb
from pbm.service.letters import Message
from pbm.service.strangers import asks_again, leave_alone, may_open_account

_SIGNUP = "signup"


def at_the_front_door(context: Context, mail: IncomingMail) -> Iterator[Message]:
    """Introduce the server to a stranger whose mail came to nothing; heed one who says no.

    A signup below a greeting that cannot be read is told what is wrong with it. An address that may
    open no account hears nothing.
    """
    lines = [line for line in (mail.subject, *mail.lines) if line.strip()]
    if context.known or not lines or not is_address(context.author):
        return
    if not may_open_account(context.work, context.author):
        context.proceedings.silenced("may-open-no-account")
        return
    if Answer.NO in map(read_answer, lines[:2]):
        context.proceedings.silenced("said-no")
        leave_alone(context, context.author, proven=False)
        return
    signup = next(filter(begins_signup, lines[: COMMAND_LINES + 1]), None)
    try:
        if signup:
            context.services.grammar.read(signup, None)
        yield from introduce(context)
    except Refusal as error:
        yield from signup_refused(context, signup or "", error)


def begins_signup(line: str) -> bool:
    """Return whether `line` is meant as a signup, whether or not it can be read as one."""
    verb = next((find_verb(word) for word in line.split()[:1]), None)
    return verb is not None and verb.name == _SIGNUP


def signup_refused(context: Context, line: str, error: Refusal | MoveError) -> Iterator[Message]:
    """Tell a stranger what is wrong with their signup; say nothing to any other `line`."""
    if not begins_signup(line) or not is_address(context.author):
        return
    asks_again(context)
    yield from wrong(context, context.author, _without_words(str(error), line))


def _without_words(sentence: str, line: str) -> str:
    """Return `sentence` without the words that it quotes from `line`."""
    for word in line.split():
        quoted = quote(word)
        sentence = sentence.replace(quoted, "That" if sentence.startswith(quoted) else "that")
    return sentence
