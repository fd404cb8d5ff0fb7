"""The mail that answers several lines of one mail."""

from collections.abc import Sequence
from dataclasses import replace

from jinja2 import Environment

from pbm.mail.writing.letters import written
from pbm.mail.writing.pictures import Figure
from pbm.mail.writing.wording import Wording
from pbm.service.letters import Answers, answer


def joined(
    environment: Environment, answers: Answers, parts: Sequence[tuple[str, Wording]], server: str
) -> Wording:
    """Return several answers, each as a text and its wording, as one mail."""
    texts = [(each.asked, text) for each, (text, _) in zip(answers.answers, parts, strict=True)]
    whole = written(environment, answer(answers.to, "answers/answers", answers=texts), server)
    wordings = [wording for _, wording in parts]
    # A reply to this mail does not say which board it is about.
    figures = (
        replace(figure, seat=None, several=True) if isinstance(figure, Figure) else figure
        for wording in wordings
        for figure in wording.figures
    )
    files = tuple(file for wording in wordings for file in wording.files)
    return replace(whole, files=files, figures=tuple(figures))
