"""What hosts say about mails that they could not deliver, in words."""

from pbm.domain.bounces import GIVEN_UP, MEANINGS, STILL_TRYING, status_of_notice, status_said
from tests.tables import each

SAID = {
    "5.7.1": """
        550 Message rejected as spam by the content filter
        554 Your address is on our blacklist
        550 on the blocklist of this host
        550 JunkMail rejected - block list
        554 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org
        550 192.0.2.1 is listed by our reputation service
        550 Rejected for policy reasons
        552 5.0.0 Policy violation detected
        550 refused because of policy restrictions
        554 content rejected
        421 poor reputation
        554 5.0.0 low reputation of your network
        550 Sender rejected
        554 a virus was found
        550 not authorized to send to this list
    """,
    "5.7.26": """
        550 the DKIM signature is wrong
        550 refused by the DMARC record of the domain
        550 SPF check failed
        550 this mail is unauthenticated
    """,
    "5.3.4": """
        552 message too large
        552 The message is too big for this host
        552 5.0.0 message size limit
        552 beyond the maximum size
        552 message size exceeds what is allowed
    """,
    "5.2.2": """
        552 mailbox full
        550 the mailbox is full: 2 MB
        552 bob is over quota
        552 overquota
        452 4.5.3 quota exceeded
        552 Requested mail action aborted: exceeded storage allocation
        552 size exceeds allotted storage
        552 not enough storage space
        552 the user is out of storage
    """,
    "5.2.1": """
        550 account disabled
        550 this account is disabled
        550 this account has been disabled
        550 mailbox disabled
        550 the mailbox is inactive
        550 the account is inactive
        550 inactive user
    """,
    "5.1.1": """
        550 <bob@antispam.example>: User unknown in the table of local users
        550 unknown user
        550 5.0.0 No such user here
        550 user not found
        553 no such address
        550 this user doesn\u2019t exist
        550 user does not exist
        550 The email account that you tried to reach does not exist
        550 recipient unknown
        550 unknown recipient
        550 no such recipient
        550 recipient not found
        There is no mailbox here by that name.
        Sorry, no mailbox by that name.
        550 no such mailbox
        550 mailbox not found
        550 mailbox does not exist
        ** Address not found **
        550 address does not exist
        550 that address doesn't exist
        550 account does not exist
        550 not a valid mailbox
        550 5.4.1 Recipient address rejected: Access denied
        550 invalid recipient
        550 addressee unknown
        bob wasn't found at example.net.
        554 delivery error: This user doesn't have a mail account of ours
        550 bob (bob@example.net) not listed in Domino Directory
    """,
    "5.1.2": """
        550 host unknown
        550 unknown host
        Host not found
        Sorry, I couldn't find any host of that name.
        Unrouteable address
        unroutable address
        no route to host by that name
        550 domain not found
        550 domain name not found
        550 the domain does not exist
    """,
    "5.2.0": """
        550 5.5.0 Requested action not taken: mailbox unavailable
    """,
}
SENTENCES = [
    (line.strip(), status) for status, lines in SAID.items() for line in lines.strip().split("\n")
]


@each(("said", "status"), SENTENCES)
def test_words_tell_why_a_mail_failed(said: str, status: str) -> None:
    assert status_said(said) == status


@each("word", [word for words in MEANINGS.values() for word in words])
def test_each_of_the_words_is_in_a_sentence(word: str) -> None:
    assert any(word in said.lower().replace("\u2019", "'") for said, _ in SENTENCES)


@each(
    ("said", "status"),
    [
        ("550 5.1.351 Remote server returned unknown recipient or mailbox unavailable", "5.1.351"),
        ("5.4.4 no such domain", "5.4.4"),
        ("5.0.0 smtp; 550 5.2.1 disabled", "5.2.1"),
        ("5.0.0 smtp; 550 something else", "5.0.0"),
        ("5.5.1 smtp; 503 bad sequence", "5.5.1"),
        ("5.7.1 No such user", "5.7.1"),
        ("550 no", ""),
        ("", ""),
        ("5.11111.2 and 15.1.1 and 5.1.1.1", ""),
    ],
)
def test_a_code_that_tells_something_comes_before_words(said: str, status: str) -> None:
    assert status_said(said) == status


@each("words", STILL_TRYING)
def test_a_notice_that_a_mail_is_late_is_no_failure(words: str) -> None:
    assert status_of_notice(f"Your mail to bob {words.capitalize()} for four hours.") is None


@each("words", GIVEN_UP)
def test_a_host_that_has_given_up_reports_a_failure(words: str) -> None:
    notice = f"The mail was delayed and will be retried. Now it is {words}. 4.4.1 timed out"
    assert status_of_notice(notice) == "4.4.1"


@each(
    ("notice", "status"),
    [
        ("<bob@example.net>: 450 4.2.0 greylisted, come back later", None),
        ("SMTP error from remote mail server: 421 too many connections", None),
        ("The mail of 450 bytes failed.", ""),
        ("The mail failed.", ""),
        ("x " * 5000 + "user unknown", ""),
    ],
)
def test_a_notice_without_a_verdict_is_read_with_care(notice: str, status: str | None) -> None:
    assert status_of_notice(notice) == status
