"""Subjects by which a mail program says that it has answered by itself, and those of people.

`letters/machines/subjects.txt` has a subject for each word of each language.
"""

from pathlib import Path

from pbm.mail.reading import automatic_mail as words
from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, letter, received
from tests.tables import each

TOKEN = "pbm+k3v9qd7xw2mz4t8hc6yfa5rn1e@games.example.org"


def subjects() -> dict[str, list[str]]:
    """Return the subjects of the letters by their headings."""
    found: dict[str, list[str]] = {}
    path = Path(__file__).parent / "letters" / "machines" / "subjects.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            below = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            below.append(line.partition("\t")[2])
    return found


SUBJECTS = subjects()
ABSENT, RECEIPTS, CALENDAR = (SUBJECTS[name] for name in ("automatic", "receipts", "calendar"))


def is_silent(subject: str, to: str = ADDRESS, body: str = "D4\n") -> bool:
    mail = received(letter(f"Subject: {subject}", body=body), recipients=(to,))
    silence = read(mail, ADDRESS).silence
    assert silence in {None, "automatic-subject"}
    return silence is not None


def test_each_word_has_its_subject() -> None:
    for table, mine in (
        (words.AUTOMATIC_REPLIES, ABSENT),
        (words.READ_RECEIPTS, RECEIPTS),
        (words.CALENDAR_ANSWERS, CALENDAR),
    ):
        assert table == {words.first_word(subject)[0] for subject in mine}


@each("subject", ABSENT)
def test_an_automatic_reply_is_silent_whatever_it_answers(subject: str) -> None:
    word = subject.partition("[Gonnect")[0]
    for form in (subject, subject.upper(), word + "Your settings"):
        assert is_silent(form), form
        assert is_silent(form, TOKEN), form
    assert is_silent(word.strip(" :\uff1a"))
    assert not is_silent(word.strip(" :\uff1a"), TOKEN)


@each("subject", RECEIPTS)
def test_a_receipt_is_silent_before_a_subject_of_ours(subject: str) -> None:
    word = subject.partition("[Gonnect")[0]
    assert is_silent(subject)
    assert is_silent(subject, TOKEN)
    assert is_silent(f"{word} Re: [Nine Men's Morris 7] alice - bob")
    assert not is_silent(f"{word} show 104")
    assert not is_silent(word)


@each("subject", CALENDAR)
def test_an_answer_of_a_calendar_is_silent_only_without_a_token(subject: str) -> None:
    word = subject.partition("[Gonnect")[0]
    assert is_silent(subject)
    assert not is_silent(subject, TOKEN)
    assert not is_silent(f"{word} 104 bob bob-pw")
    assert not is_silent(word.strip(" :\uff1a"))


@each(
    "subject",
    [
        "Re: [Gonnect 104] alice - bob",
        "Re: Automatic reply: [Gonnect 104] alice - bob",
        "AW: Automatische Antwort: [Gonnect 104] alice - bob",
        "Accepted!",
        "accepted",
        "Read this",
        "Reading: [Gonnect 104] alice - bob",
        "I am out of office: [Gonnect 104] alice - bob",
        "vacation bob bob-pw 3 days",
        "[Gonnect 104] Accepted: alice - bob",
        "",
        ":",
    ],
)
def test_what_a_person_writes_is_read(subject: str) -> None:
    assert not is_silent(subject)


@each("text", ["Automatic reply: away", "Accepted: [Gonnect 104]", "Read: x"])
def test_the_text_silences_nothing(text: str) -> None:
    assert not is_silent("Re: [Gonnect 104] alice - bob", body=text)


def test_an_encoded_subject_is_read_before_it_is_judged() -> None:
    assert is_silent("=?utf-8?q?R=C3=A9ponse_automatique_=3A?= [Gonnect 104] alice - bob")
    assert is_silent("=?utf-8?b?UmXMgXBvbnNlIGF1dG9tYXRpcXVl?=: Hello")  # A decomposed accent.
