"""What is read from the mails of common clients.

Each `letters/NAME.eml` has a `NAME.txt` beside it: the subject, a blank line, and the lines
that the sender wrote. To test another client, add another pair.
"""

from pathlib import Path

from tests.mail.reading.received import reading
from tests.tables import each

LETTERS = sorted((Path(__file__).parent / "letters").glob("*.eml"))


@each("path", LETTERS, ids=lambda path: path.stem)
def test_a_letter_is_read_as_its_sender_meant_it(path: Path) -> None:
    mail = reading(path.read_bytes())
    subject, _, text = path.with_suffix(".txt").read_text(encoding="utf-8").partition("\n\n")
    assert (mail.subject, "\n".join(mail.lines)) == (subject, text.removesuffix("\n"))


@each("path", LETTERS, ids=lambda path: path.stem)
def test_a_letter_comes_from_its_player_with_the_token_of_the_board(path: Path) -> None:
    mail = reading(path.read_bytes())
    assert mail.author == "bob@example.net"
    assert mail.plus_words == ("k3v9qd7xw2mz4t8hc6yfa5rn1e",)
    assert mail.silence is None
