"""One conversation with a program: it is started, asked for a move, and ended."""

from collections.abc import Sequence

from pbm.engine import AnyGame
from pbm.programs.limits import Limits
from pbm.programs.starting import running
from pbm.robots.asking import Question, checked
from pbm.robots.protocol import Answer, Hello, ProtocolError, Quit, read_answer, read_ready, written


def ask(command: Sequence[str], game: AnyGame, question: Question, limits: Limits) -> Answer:
    """Return the program's answer, its move legal and as a log writes it.

    `command` is the program and its arguments; no shell reads it. Raises ProgramFailed, whatever
    the program does instead of answering. When this returns, none of its processes is left. It
    takes at most the seconds of the limits, those of the question, and a few more.
    """
    asked = question.position
    with running(command, limits, limits.resources(asked.seconds)) as program:
        try:
            program.say(written(Hello()))
            read_ready(program.next_line(limits.start_seconds))
            program.say(written(question.match) + written(asked))
            line = program.next_line(asked.seconds + limits.slack_seconds)
            answer = checked(game, question, read_answer(line))
        except ProtocolError as error:
            raise program.fault(str(error)) from error
        program.dismiss(written(Quit()))
        return answer
