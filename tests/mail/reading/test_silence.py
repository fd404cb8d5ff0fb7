"""Mails that are neither executed nor answered, so that the server is never a nuisance.

tables/silence.txt says what one header or address does. letters/machines/subjects.txt has a subject
for each word of each language by which a mail program says that it has answered by itself.
"""

from pathlib import Path

from pbm.mail.reading import automatic_mail as words
from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, letter, multipart, reading, received
from tests.readings import rows, sections

SUBJECTS = {
    title: [row.partition("\t")[2] for row in rows(table)]
    for title, table in sections(Path(__file__).parent / "letters/machines/subjects.txt").items()
}
TOKEN = "pbm+k3v9qd7xw2mz4t8hc6yfa5rn1e@games.example.org"


def is_silent(subject: str, to: str = ADDRESS, body: str = "D4\n") -> bool:
    mail = received(letter(f"Subject: {subject}", body=body), recipients=(to,))
    silence = read(mail, ADDRESS).silence
    assert silence in {None, "automatic-subject"}
    return silence is not None


def test_each_word_of_a_mail_program_has_its_subject() -> None:
    for title, table in (
        ("automatic", words.AUTOMATIC_REPLIES),
        ("receipts", words.READ_RECEIPTS),
        ("calendar", words.CALENDAR_ANSWERS),
    ):
        assert table == {words.first_word(subject)[0] for subject in SUBJECTS[title]}


def test_an_automatic_reply_is_silent_whatever_it_answers() -> None:
    for subject in SUBJECTS["automatic"]:
        word = subject.partition("[Gonnect")[0]
        for form in (subject, subject.upper(), word + "Your settings"):
            assert is_silent(form), form
            assert is_silent(form, TOKEN), form
        assert is_silent(word.strip(" :\uff1a")), subject
        assert not is_silent(word.strip(" :\uff1a"), TOKEN), subject


def test_a_receipt_is_silent_before_a_subject_of_ours() -> None:
    for subject in SUBJECTS["receipts"]:
        word = subject.partition("[Gonnect")[0]
        for form in (subject, f"{word} Re: [Nine Men's Morris 7] alice - bob"):
            assert is_silent(form), form
        assert is_silent(subject, TOKEN), subject
        assert not is_silent(f"{word} show 104"), subject
        assert not is_silent(word), subject


def test_an_answer_of_a_calendar_is_silent_only_without_a_token() -> None:
    for subject in SUBJECTS["calendar"]:
        word = subject.partition("[Gonnect")[0]
        assert is_silent(subject), subject
        assert not is_silent(subject, TOKEN), subject
        for form in (f"{word} 104 bob bob-pw", word.strip(" :\uff1a")):
            assert not is_silent(form), form


def test_the_text_silences_nothing() -> None:
    for text in ("Automatic reply: away", "Accepted: [Gonnect 104]", "Read: x"):
        assert not is_silent("Re: [Gonnect 104] alice - bob", body=text)
    assert not is_silent("Re: x", body="My mails go through www.boxbe.com\n")


def test_a_bounce_is_called_a_report_so_that_bounce_reading_can_find_it() -> None:
    bounce = letter("Auto-Submitted: auto-replied", "Content-Type: multipart/report; boundary=b")
    assert reading(bounce.replace(b"bob@", b"mailer-daemon@"), "").silence == "report"


def test_the_house_is_known_in_any_case() -> None:
    mail = received("From: pbm@games.example.org\n\nD4\n")
    assert read(mail, "PBM@Games.Example.org").silence == "from-ourselves"


def test_a_person_may_send_an_entry_of_their_calendar() -> None:
    for method in ("REQUEST", "PUBLISH"):
        part = f"Content-Type: text/calendar; method={method}\n\nBEGIN:VCALENDAR\nMETHOD:REPLY\n"
        mail = reading(letter(multipart("\nD4\n", part)))
        assert (mail.silence, mail.lines) == (None, ("D4",))


def test_a_receipt_in_any_multipart_is_silent() -> None:
    for kind in ("disposition-notification", "delivery-status"):
        part = f"Content-Type: message/{kind}\n\nFinal-Recipient: rfc822; bob@example.net\n"
        assert reading(letter(multipart("\nD4\n", part))).silence == "receipt"


def test_a_report_that_a_person_passes_on_is_not_theirs() -> None:
    status = "Content-Type: message/delivery-status\n\nAction: failed"
    report = f"Content-Type: multipart/report; boundary=c\n\n--c\n{status}\n--c--\n"
    passed_on = f"Content-Type: message/rfc822\n\n{report}"
    mail = reading(letter(multipart("\nD4\n", passed_on)))
    assert (mail.silence, mail.lines) == (None, ("D4",))


def test_the_question_of_a_challenger_in_the_name_of_a_player_is_not_answered() -> None:
    plain = "\nYour mail waits until you have asked to be let in."
    for host in ("BOXBE.COM", "SPAMARREST.COM", "MAILINBLACK.COM"):
        link = f"Content-Type: text/html\n\n<a href='https://www.{host}/crs?t=1'>Let me in</a>"
        asked = multipart(plain, link, kind="alternative")
        subject = "Subject: Re: [Gonnect 4] x (Action Required)"
        assert reading(letter(subject, asked)).silence == "challenge"


def test_a_mail_beyond_the_limits_has_no_such_parts() -> None:
    part = "Content-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\nMETHOD:REPLY\n"
    assert reading(letter(multipart(*[part] * 60))).silence is None
