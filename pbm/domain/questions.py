"""Questions of the server to a player, and the choices that each of them gives."""

from pbm.engine import frozen


@frozen
class Choice:
    """One answer to a question: a `line` of the grammar, and the text that goes with it."""

    line: str
    comment: str = ""
