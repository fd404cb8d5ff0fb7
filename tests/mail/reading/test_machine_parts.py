"""Parts of a mail that only machines write: calendars, receipts, and what Exchange wraps."""

import base64

from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, letter, reading, received
from tests.tables import each


def multipart(*parts: str, kind: str = "mixed", subject: str = "Re: x") -> bytes:
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    header = f"Content-Type: multipart/{kind}; boundary=b"
    return letter(header, f"Subject: {subject}", body=body)


TEXT = "Content-Type: text/plain\n\nD4\n"


def calendar(method: str) -> str:
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:{method}\nEND:VCALENDAR\n"


@each("method", ["REPLY", "COUNTER", "DECLINECOUNTER", "REFRESH", "reply"])
def test_an_answer_of_a_calendar_is_silent(method: str) -> None:
    named = f"Content-Type: text/calendar; method={method}\n\nBEGIN:VCALENDAR\n"
    unnamed = f"Content-Type: text/calendar\n\n{calendar(method)}"
    for part in (named, unnamed):
        assert reading(multipart(TEXT, part, kind="alternative")).silence == "calendar"
    alone = letter("Content-Type: text/calendar; charset=utf-8", body=calendar(method))
    assert reading(alone).silence == "calendar"


def test_the_class_that_outlook_gives_such_an_answer_is_enough() -> None:
    header = "Content-Class: urn:content-classes:calendarmessage"
    assert reading(letter(header)).silence == "calendar"
    assert reading(letter("Content-Class: urn:content-classes:message")).silence is None


@each("method", ["REQUEST", "PUBLISH"])
def test_a_person_may_send_an_entry_of_their_calendar(method: str) -> None:
    part = f"Content-Type: text/calendar; method={method}\n\n{calendar('REPLY')}"
    mail = reading(multipart(TEXT, part))
    assert (mail.silence, mail.lines) == (None, ("D4",))


def tnef(message_class: str, kind: str = "application/ms-tnef") -> str:
    data = b"\x78\x9f\x3e\x22\x00\x00\x01\x08\x80\x07\x00" + message_class.encode() + b"\x00"
    return (
        f"Content-Type: {kind}; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
        f"{base64.encodebytes(data).decode()}"
    )


@each("kind", ["application/ms-tnef", "application/vnd.ms-tnef"])
@each(
    "message_class",
    [
        "REPORT.IPM.Note.IPNRN",
        "Report.IPM.Note.IPNNRN",
        "REPORT.IPM.Note.DR",
        "IPM.Microsoft Mail.Read Receipt",
        "IPM.Microsoft Mail.Non-Delivery",
        "IPM.Note.Rules.OofTemplate.Microsoft",
        "IPM.Note.Rules.ReplyTemplate.Microsoft",
        "IPM.Schedule.Meeting.Resp.Pos",
        "IPM.Microsoft Schedule.MtgRespN",
    ],
)
def test_a_report_that_exchange_has_wrapped_is_silent(message_class: str, kind: str) -> None:
    assert reading(multipart(TEXT, tnef(message_class, kind))).silence == "receipt"
    alone = f"From: bob@example.net\n{tnef(message_class, kind)}"
    assert reading(alone).silence == "receipt"


@each("message_class", ["IPM.Note", "IPM.Microsoft Mail.Note", "IPM.Task"])
def test_a_mail_of_a_person_that_exchange_has_wrapped_is_read(message_class: str) -> None:
    mail = reading(multipart(TEXT, tnef(message_class)))
    assert (mail.silence, mail.lines) == (None, ("D4",))


@each("kind", ["disposition-notification", "delivery-status"])
def test_a_receipt_in_any_multipart_is_silent(kind: str) -> None:
    part = f"Content-Type: message/{kind}\n\nFinal-Recipient: rfc822; bob@example.net\n"
    assert reading(multipart(TEXT, part)).silence == "receipt"


def test_a_report_that_a_person_passes_on_is_not_theirs() -> None:
    report = (
        "Content-Type: multipart/report; boundary=c\n\n--c\nContent-Type: message/delivery-status"
    )
    passed_on = f"Content-Type: message/rfc822\n\n{report}\n\nAction: failed\n--c--\n"
    mail = reading(multipart(TEXT, passed_on))
    assert (mail.silence, mail.lines) == (None, ("D4",))


@each(
    "address",
    ["notify@boxbe.com", "x@mail.boxbe.com", "verify@spamarrest.com", "no@app.mailinblack.com"],
)
def test_a_service_that_asks_whether_we_are_a_person_is_not_answered(address: str) -> None:
    assert reading(letter().replace(b"bob@example.net", address.encode())).silence == "challenge"
    assert reading(letter(), address).silence == "challenge"


@each("host", ["boxbe.com", "spamarrest.com", "mailinblack.com"])
def test_its_question_in_the_name_of_a_player_is_not_answered(host: str) -> None:
    link = f"Content-Type: text/html\n\n<a href='https://www.{host.upper()}/crs?t=1'>Let me in</a>"
    plain = "Content-Type: text/plain\n\nYour mail waits until you have asked to be let in."
    asked = multipart(
        plain, link, kind="alternative", subject="Re: [Gonnect 4] x (Action Required)"
    )
    assert reading(asked).silence == "challenge"


def test_the_question_of_boxtrapper_is_not_answered() -> None:
    subject = "Subject: Your email requires verification verify#2026-abcd"
    assert reading(letter(subject)).silence == "challenge"


@each(
    ("subject", "body"),
    [
        ("Re: x (Action Required)", "D4\n"),
        ("Re: x", "My mails go through www.boxbe.com\n"),
        ("verify #1", "D4\n"),
    ],
)
def test_a_person_who_uses_such_words_is_read(subject: str, body: str) -> None:
    assert reading(letter(f"Subject: {subject}", body=body)).silence is None


@each("author", ["bob@notboxbe.com", "bob@boxbe.com.example.org"])
def test_a_host_that_is_only_called_alike_is_none_of_them(author: str) -> None:
    content = letter().replace(b"bob@example.net", author.encode())
    assert read(received(content, author), ADDRESS).silence is None


def test_a_mail_beyond_the_limits_has_no_such_parts() -> None:
    header = "Content-Type: multipart/mixed; boundary=b"
    part = f"--b\nContent-Type: text/calendar; method=REPLY\n\n{calendar('REPLY')}"
    assert reading(letter(header, body=part * 60)).silence is None
