"""Reading what concerns an account."""

from pbm.domain.commands import Signup
from pbm.domain.errors import NotUnderstood
from pbm.service.grammar.line import Line, Reading, Verb


def _read_signup(line: Line) -> Reading:
    if len(line.words.rest) < 2:
        raise NotUnderstood("signup needs a userid and a password of your choice.", line.example)
    userid, password = line.words.rest[:2]
    return Signup(userid, password), None


VERBS: tuple[Verb, ...] = (
    Verb("signup", "userid password", "opens an account for the address you write from",
         "signup alice your-password", _read_signup, ("register",),
         text="The server writes to that address once; answer that mail, and you can play. "
              "The password is one word. Do not use one that you use elsewhere."),
)  # fmt: skip
