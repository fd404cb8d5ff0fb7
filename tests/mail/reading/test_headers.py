"""What is read from the headers: From, Subject, Message-ID and the words after "+"."""

from pbm.domain.mail import ReceivedMail
from pbm.mail.reading.incoming import read
from pbm.mail.reading.sender import sole_address
from tests.mail.reading.received import ADDRESS, NOON, letter, reading, received
from tests.tables import each


@each(
    "field",
    [
        "bob@example.net",
        "Bob@Example.NET",
        " <bob@example.net> ",
        "Bob <bob@example.net>",
        "Bob Q. Smith <bob@example.net>",
        '"Smith, Bob" <bob@example.net>',
        r'"Bob \"the mill\" <eve@example.net>" <bob@example.net>',
        "bob@example.net (Bob (the mill) Smith)",
        r"(a \) b) Bob <bob@example.net> (c)",
        "=?utf-8?q?=3Ceve=40example=2Enet=3E?= <bob@example.net>",
        "Jörg <bob@example.net>",
        '"eve@example.net" <bob@example.net>',
        "bob@example.net <bob@example.net>",
        "BOB@example.net <bob@Example.NET>",
        "[bob@example.net] <bob@example.net>",
        "'bob@example.net' <bob@example.net>",
        "'bob@example.net' via PBM <bob@example.net>",
        "Bob @ work <bob@example.net>",
        "@bob <bob@example.net>",
        "bob@work <bob@example.net>",
        "Smith, Bob <bob@example.net>",
        "Bob: the mill <bob@example.net>",
        "[PBM] Bob <bob@example.net>",
        "Bob]: <bob@example.net>",
        "B\u200bob <bob@example.net>",
    ],
)
def test_the_one_address_is_found(field: str) -> None:
    assert sole_address(field) == "bob@example.net"


@each("address", ["o'hara+x@a-b.example.net", "a.b_c@localhost", "1@2.example"])
def test_addresses_may_hold_what_addresses_hold(address: str) -> None:
    assert sole_address(address) == address


@each(
    "field",
    [
        "",
        "bob",
        "@example.net",
        "bob@",
        "bob@example.net, eve@example.net",
        "Bob <bob@example.net>, Eve <eve@example.net>",
        "<bob@example.net> <eve@example.net>",
        "eve@example.net <bob@example.net>",
        "Bob <bob@example.net> eve@example.net",
        "bob@example.net, eve@example.net <bob@example.net>",
        "eve@example.net, <bob@example.net>",
        "xbob@example.net <bob@example.net>",
        "'bob@example.net <bob@example.net>",
        "'eve@example.net' <bob@example.net>",
        "eve @ example.net <bob@example.net>",
        "eve@ example . net <bob@example.net>",
        "eve@(x)example.net <bob@example.net>",
        '"eve"@example.net <bob@example.net>',
        "eve@[192.0.2.1] <bob@example.net>",
        "Players: Bob <bob@example.net>;",
        "Bob; Eve <bob@example.net>",
        "bob@example.net, Bob <eve@example.net> bob",
        "Players: bob@example.net;",
        "Bob <bob@example.net",
        "Bob bob@example.net>",
        "<<bob@example.net>>",
        "<@relay.example.org:bob@example.net>",
        '"bob"@example.net',
        'bob"x"@example.net',
        '"Bob <bob@example.net>',
        "(Bob bob@example.net",
        "bob) <bob@example.net>",
        "bob@[192.0.2.1]",
        "bob@example.net.",
        "bob@-example.net",
        "bob@exa_mple.net",
        "bob@@example.net",
        "bob@eve@example.net",
        ".bob@example.net",
        "bob..x@example.net",
        "bob @example.net",
        "bob@\u0435xample.net",
        "bob(x)smith@example.net",
        "bob@example.net\ufffd",
        f"{'b' * 65}@example.net",
        f"bob@{'example.' * 40}net",
        "<" * 2000,
        "(" * 10_000,
    ],
)
def test_an_address_that_is_not_sound_or_not_clear_is_not_read(field: str) -> None:
    assert sole_address(field) is None


@each(
    ("field", "author"),
    [
        (b"bob@example.net\x00", "bob@example.net"),
        (b"bob\x00@example.net", None),
        (b"bob@example.net\x0b<eve@example.net>", None),
    ],
)
def test_a_control_character_counts_as_a_space(field: bytes, author: str | None) -> None:
    assert reading(b"From: " + field + b"\n\nD4\n").author == author


@each(
    "character",
    "\u00ad\u034f\u180e\u200b\u200c\u200d\u200e\u202e\u2060\u2064\ufeff\ufe0f\U000e0041",
)
@each("form", ["bo{}b@example.net", "Bob <bob@exam{}ple.net>", "{}bob@example.net"])
def test_an_address_with_an_invisible_character_is_nobodys(form: str, character: str) -> None:
    field = form.format(character).encode()
    assert reading(b"From: " + field + b"\n\nD4\n").author is None


def test_a_letter_that_only_becomes_ascii_in_small_letters_is_not_ascii() -> None:
    assert sole_address("bob@wor\u212a.example") is None


@each(
    "head",
    [
        b"From: bob@example.net\rX: y\r\n",
        b"X: y\rFrom: bob@example.net\r\n",
        b"From: bob@example.net\r\nX: y\r z\r\n",
        b"From: bob@example.net\nX: y\r\n",
        b"From: bob@example.net\r\nX: y\n z\r\n",
        b"From: bob@example.net\r\r\n",
    ],
)
def test_a_lone_line_end_in_the_headers_makes_a_mail_nobodys(head: bytes) -> None:
    mail = ReceivedMail("bob@example.net", (ADDRESS,), head + b"\r\nD4\r\n", NOON)
    assert read(mail, ADDRESS).author is None


@each(
    ("field", "subject"),
    [
        ("move 1 c3", "move 1 c3"),
        ("Re: move 1 c3", "move 1 c3"),
        ("RE: Fwd: fw: AW: WG: SV: VS: TR: RV: move 1 c3", "move 1 c3"),
        ("RE[2]: Re(3): Re^4: move 1 c3", "move 1 c3"),
        ("Antw: Odp: Rif: Re : move 1 c3", "move 1 c3"),
        ("回复: 答复\uff1a转发\uff1a Re\uff1amove 1 c3", "move 1 c3"),
        ("Re: [EXT] R: ***SPAM*** Ответ: I: [SPAM?] השב: Ad: move 1 c3", "move 1 c3"),
        ("[External] YNT: İLT: ΑΠ: Σχετ: RES: ENC: Vl: Atb: BLS: move 1 c3", "move 1 c3"),
        ("Re: [Gonnect 104] alice - bob", "[Gonnect 104] alice - bob"),
        ("[EXT] [OLIX 104] R: x", "[OLIX 104] R: x"),
        ("[games] move 1 c3", "[games] move 1 c3"),
        ("move: c3", "move: c3"),
        ("Re:", ""),
        ("resign 104", "resign 104"),
        ("regarding: x", "regarding: x"),
        ("move 1 re: c3", "move 1 re: c3"),
        ("=?utf-8?Q?move_1_c3?=", "move 1 c3"),
        ("=?utf-8?B?UmU6IG1vdmUgMSBjMw==?=", "move 1 c3"),
        ("=?utf-8?B?bW92ZSAxIGMz", "=?utf-8?B?bW92ZSAxIGMz"),
        ("=?utf-8?B?bW92ZSAxIGM?= =?utf-8?B?Mw?=", "move 1 c3"),
        ("=?utf-8?q?move?=\n =?utf-8?q?_1?=\n c3", "move 1 c3"),
        ("=?utf-8?q?J=C3?= =?utf-8?q?=B6rg?=", "Jörg"),
        ("=?iso-8859-1?q?J=F6rg?= =?utf-8?q?_=C3=9F?=", "Jörg ß"),
        ("=?utf-8*en?q?move?=", "move"),
        ("=?no-such-charset?q?move_=C3=B6?=", "move ö"),
        ("=?punycode?q?move?=", "move"),
        ("=?utf-8?x?move?=", "=?utf-8?x?move?="),
        ("=?utf-8?q?move=0D=0ABcc=3A_eve=40example=2Enet?=", "move Bcc: eve@example.net"),
        ("=?utf-8?q?move=001?=", "move 1"),
        ("move\u00a01\u200b\u2007c\ufeff3", "move 1 c3"),
        ("Jörg", "Jörg"),
        ("move\t1\n\t c3", "move 1 c3"),
        ("move 1 c3\nSubject: resign 1", "move 1 c3"),
    ],
)
def test_the_subject_is_one_decoded_line_without_prefixes(field: str, subject: str) -> None:
    assert reading(letter(f"Subject: {field}")).subject == subject


def test_a_subject_in_latin_1_without_any_declaration_is_read() -> None:
    assert reading("Subject: Jörg\n\n".encode("latin-1")).subject == "Jörg"


@each(
    "field",
    ["<a@b>", "<CAKx+abc=1_2@mail.example.net>", "\n <a.b$c@d>", f"<{'a' * 246}@b>"],
)
def test_a_message_id_of_the_strict_form_is_kept(field: str) -> None:
    assert reading(f"Message-ID: {field}\n\n").message_id == field.strip()


@each(
    "field",
    [
        "",
        "a@b",
        "<a>",
        "<@b>",
        "<a@>",
        "<a b@c>",
        "<a@b> <c@d>",
        "<a@b>\nMessage-ID: <c@d>",
        "<a@b\x00>",
        "<a@b@c>",
        "<ä@b>",
        "=?utf-8?q?=3Ca=40b=3E=0D=0ABcc=3A_x?=",
        "<a@=?utf-8?q?b=0D=0A?=",
        f"<{'a' * 247}@b>",
    ],
)
def test_a_message_id_that_could_do_harm_in_a_header_is_dropped(field: str) -> None:
    assert reading(f"Message-ID: {field}\n\n").message_id is None


def words(*headers: str, recipients: tuple[str, ...] = ()) -> tuple[str, ...]:
    return read(received(letter(*headers), recipients=recipients), ADDRESS).plus_words


@each("header", ["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "References"])
def test_the_word_after_plus_is_found_in_each_place_that_holds_addresses(header: str) -> None:
    assert words(f"{header}: a@b.example, Pbm <PBM+AbC1@Games.Example.org>") == ("abc1",)
    assert words("In-Reply-To: <pbm+abc1@games.example.org>") == ("abc1",)


def test_words_come_once_each_those_of_the_envelope_first() -> None:
    found = words(
        "To: pbm+b@games.example.org, pbm+a@games.example.org",
        "Cc: <pbm+c@games.example.org>\n <pbm+b@games.example.org>",
        recipients=("pbm@games.example.org", "PBM+C@games.example.org"),
    )
    assert found == ("c", "b", "a")


def test_no_more_than_ten_words_are_taken() -> None:
    addresses = ", ".join(f"pbm+w{n}@games.example.org" for n in range(1000))
    assert words(f"To: {addresses}") == tuple(f"w{n}" for n in range(10))


@each(
    "address",
    [
        "bounce+abc@games.example.org",
        "notpbm+abc@games.example.org",
        "x.pbm+abc@games.example.org",
        "x+pbm+abc@games.example.org",
        "pbm+abc@games.example.org.evil.example",
        "pbm+abc@games.example.orgs",
        "pbm+abc@gamesXexample.org",
        "pbm+@games.example.org",
        "pbm+a-b@games.example.org",
        f"pbm+{'a' * 65}@games.example.org",
        "pbm+abc@example.net",
    ],
)
def test_what_is_no_address_of_ours_gives_no_word(address: str) -> None:
    assert words(f"To: {address}", recipients=(address,)) == ()


def test_headers_end_at_the_first_line_that_is_no_header() -> None:
    mail = reading("Subject: show 1\nno header\nFrom: bob@example.net\n\nD4\n")
    assert (mail.subject, mail.author) == ("show 1", None)


def test_a_line_of_an_mbox_file_before_the_headers_is_passed_over() -> None:
    assert reading(b"From bob@example.net Tue Nov 24 12:00\n" + letter()).lines == ("D4",)
