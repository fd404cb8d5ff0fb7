"""What the sender wrote, separated from what their mail client added."""

# ruff: noqa: RUF001 - clients write in Cyrillic

from pbm.mail.reading.own_lines import own_lines
from tests.mail.reading.received import ADDRESS
from tests.tables import each


def own(text: str) -> tuple[str, ...]:
    return own_lines(text, ADDRESS)


QUOTE = "> resign\n> yes\n"

INTRODUCTIONS = {
    "en": "On Tue, Nov 24, 2026 at 6:02 PM Alice <alice@example.org> wrote:",
    "en, broken": "On Tue, 24 Nov 2026 at 18:02 Alice in\nWonderland <\nalice@example.org> wrote:",
    "en, broken before the verb": "On 24 Nov 2026, at 18:02, Alice <alice@example.org>\nwrote:",
    "en, without an address": "On 24 Nov 2026, Alice wrote:",
    "en, old": "At 18:02 24.11.2026 +0100, you wrote:",
    "de": "Am 24.11.2026 um 18:02 schrieb Alice <alice@example.org>:",
    "de, Gmail": "Alice <alice@example.org> schrieb am Di., 24. Nov. 2026, 18:02:",
    "fr": "Le mar. 24 nov. 2026 à 18:02, Alice <alice@example.org> a écrit :",
    "es": "El mar, 24 nov 2026 a las 18:02, Alice (<alice@example.org>) escribió:",
    "it": "Il giorno mar 24 nov 2026 alle ore 18:02 Alice <alice@example.org> ha\nscritto:",
    "pt": "Em ter., 24 de nov. de 2026 às 18:02, Alice <alice@example.org> escreveu:",
    "nl": "Op di 24 nov 2026 om 18:02 schreef Alice <alice@example.org>:",
    "da": "Den tir. 24. nov. 2026 kl. 18.02 skrev Alice <alice@example.org>:",
    "sv": "Den tis 24 nov. 2026 kl 18:02 skrev Alice <alice@example.org>:",
    "no": "tir. 24. nov. 2026 kl. 18:02 skrev Alice <alice@example.org>:",
    "fi": "ti 24. marrask. 2026 klo 18.02 Alice (alice@example.org) kirjoitti:",
    "pl": "wt., 24 lis 2026 o 18:02 Alice <alice@example.org> napisał(a):",
    "pl, broken": "wt., 24 lis 2026 o 18:02 Alice <\nalice@example.org> napisał(a):",
    "cs": "út 24. 11. 2026 v 18:02 odesílatel Alice <alice@example.org> napsal:",
    "hu": "Alice <alice@example.org> ezt írta (időpont: 2026. nov. 24., K, 18:02):",
    "ru": "24.11.2026 18:02, Alice <alice@example.org> пишет:",
    "tr": "Alice <alice@example.org>, 24 Kas 2026 Sal, 18:02 tarihinde şunu yazd\u0131:",
    "zh": "Alice <alice@example.org> 于2026年11月24日周二 18:02写道\uff1a",
    "ko": "2026년 11월 24일 (화) 오후 6:02, Alice <alice@example.org>님이 작성:",
}


@each("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
def test_an_introduction_and_the_quote_below_it_are_dropped_and_own_text_is_kept(
    introduction: str,
) -> None:
    text = f"D4\n\n{introduction}\n\n{QUOTE}\nwhat I think of it\n"
    assert own(text) == ("D4", "", "what I think of it")


@each("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
def test_all_ends_at_an_introduction_whose_quote_is_not_marked(introduction: str) -> None:
    assert own(f"D4\n\n{introduction}\n\nresign\n") == ("D4",)


@each(
    "introduction",
    ["Alice wrote:", "You wrote:", "2026年11月24日(火) 18:02 Alice <alice@example.org>:"],
)
def test_a_brief_introduction_is_one_only_above_a_quote(introduction: str) -> None:
    assert own(f"D4\n{introduction}\n{QUOTE}") == ("D4",)
    assert own(f"D4\n{introduction}\nand so on") == ("D4", introduction, "and so on")


@each(
    "text",
    [
        "On G7 I was too slow, alice.",
        "On move 3 you wrote that this is a draw",
        "Am Ende gewinnt, wer 3 Steine hat:\nich",
        "move 104 c3\nOn we go\n2 more",
        "From: where I stand\nyou win",
        "Date: soon",
        "I will be sent from my office\nto another",
        "Von meinem Platz aus sieht es gut aus",
        "__ or so __",
        "a -- b",
        "---",
        "-->",
        "this > that",
        "I always write to pbm@games.example.org from work",
        "On 24 Nov 2026 I mailed the server (pbm@games.example.org) at 18:02 and got no answer.",
        "Did you get [Gonnect 104] alice - bob twice?",
        "Your move, alice!",
        "In Gonnect 104: I wrote at 18:02 that I might lose",
        "13 stones, and you have 13\nnot 12",
        "13 is one 13\n5 is one 5",
        "hello\nthink before you print\nyes",
        "| a | b |",
        "Two things:\n- the corner\n- the side",
        "See the first message - Gonnect 101 was better",
        "This email is fun",
        "Warning: this is a trap\n\nD4",
        "D4\n\nTämä viesti on lyhyt",
        "Sent a stone to the corner",
        "What I wrote on 24.11. was wrong: sorry",
    ],
)
def test_a_comment_that_only_resembles_a_quote_is_kept(text: str) -> None:
    assert own(text) == tuple(text.split("\n"))


@each(
    "separator",
    [
        "-----Original Message-----",
        "-------- Original Message --------",
        "---------- Forwarded message ---------",
        "Begin forwarded message:",
        "-----Ursprüngliche Nachricht-----",
        "-------- Weitergeleitete Nachricht --------",
        "-----Message d'origine-----",
        "-----Message d\u2019origine-----",
        "-----Mensaje original-----",
        "-----Messaggio originale-----",
        "-----Mensagem original-----",
        "-----Oorspronkelijk bericht-----",
        "-----Ursprungligt meddelande-----",
        "-----Wiadomość oryginalna-----",
        "------------------ 原始邮件 ------------------",
        "________________________________",
        "From: Alice <alice@example.org>\nSent: Tuesday\nTo: bob",
        "*From:* Alice <alice@example.org>\n*Sent:* Tuesday",
        "From: Alice\nTo: bob\nDate: Tuesday",
        "Von: Alice\nGesendet: Dienstag",
        "De : Alice\nEnvoyé : mardi",
        "De: Alice\nEnviado el: martes",
        "De: Alice\nEnviado: martes",
        "Da: Alice\nInviato: martedì",
        "Van: Alice\nVerzonden: dinsdag",
        "Från: Alice\nSkickat: tisdag",
        "Fra: Alice\nSendt: tirsdag",
        "Od: Alice\nWysłano: wtorek",
        "От: Alice\nОтправлено: вторник",
        "发件人\uff1a Alice\n发送时间\uff1a 2026",
        "Gesendet: Dienstag\nVon: Alice",
        "-- ",
        "--",
        "  On Tue, Nov 24, 2026 at 18:02, Alice<alice@example.org> wrote:   resign",
    ],
)
def test_all_ends_at_a_separator_or_a_signature(separator: str) -> None:
    assert own(f"D4\nhello\n\n{separator}\nresign\n") == ("D4", "hello")


@each(
    "signature",
    [
        "Sent from my iPhone",
        "Sent from my Galaxy.",
        "Sent from Mail for Windows",
        "Get Outlook for Android<https://aka.ms/x>",
        "Von meinem iPhone gesendet",
        "Gesendet mit der GMX Mail App",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Enviado do meu iPhone",
        "Inviato da iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Skickat från min iPhone",
        "Отправлено с iPhone",
        "iPhoneから送信",
        "发自我的 iPhone",
    ],
)
def test_the_signature_of_a_telephone_is_dropped(signature: str) -> None:
    assert own(f"D4\n\n{signature}\n\n{QUOTE}") == ("D4",)
    assert own(f"D4\n\n{signature}\n________________\nresign") == ("D4",)
    assert own(f"\n{signature}") == ()
    assert own(f"{QUOTE}\n{signature}\n\nD4\n") == ("D4",)


def test_quoted_lines_are_dropped_wherever_they_stand_and_however_deep() -> None:
    text = "> a\nD4\n>> b\n  > c\n>d\nhello\n> On 1.1.2026 Bob wrote:\n>\n\n\nyou"
    assert own(text) == ("D4", "hello", "", "you")


@each(
    "introduction",
    [
        "On 24 Nov 2026, Alice <a@example.org> wrote:",
        "On 24 Nov 2026, Alice in\nWonderland <a@example.org> wrote:",
        "Alice <a@example.org> schrieb am 24.11.2026:",
    ],
)
def test_a_line_before_an_introduction_is_not_taken_for_its_beginning(introduction: str) -> None:
    assert own(f"On 5 boards at once\n{introduction}\n> x\n") == ("On 5 boards at once",)


def test_blank_lines_stand_only_between_paragraphs_and_one_at_a_time() -> None:
    assert own("\n \nD4  \n\n \n\n  hello\n\n") == ("D4", "", "  hello")


@each("text", ["", "\n\n", "> a", "-- \nBob", " \n> a\n\n"])
def test_a_text_without_own_lines_has_none(text: str) -> None:
    assert own(text) == ()


OURS = {
    "address": "Xyzzy \u00e0 <pbm@games.example.org> 24.11.2026",
    "address between words": "Xyzzy pbm@games.example.org 24.11.2026:",
    "reply address": "Xyzzy: <pbm+abc123@games.example.org>",
    "bounce address": "Xyzzy <bounce+abc123@games.example.org> plugh, 18:02",
    "header in an unknown language": "Xyzzy: Alice <pbm@games.example.org>\nPlugh: x",
    "header with the date first": "Plugh: today\nXyzzy: Alice <pbm@games.example.org>",
    "address alone behind a label": "Xyzzy: pbm@games.example.org",
    "Message-ID": "Xyzzy <0123456789abcdef01234567@games.example.org> plugh",
    "thread": "Xyzzy <board-104@games.example.org>",
    "subject": "[Gonnect 104] alice - bob",
    "subject behind a label": "Xyzzy: Re: [Gonnect 104] alice - bob",
    "subject, em Client": "Subject [Gonnect 104] alice - bob",
    "name": "Xyzzy 24.11.2026 Your move - Nine Men's Morris 104:",
    "name of old mails": "Xyzzy 24.11.2026 Gonnect 104: your move:",
    "turn": "alice played F13. Your move, bob: you are Ohs (o), move 2.",
    "turn over two lines": "Your move, bob: you\nare Ohs (o), move 2.",
    "turn of somebody without a sign": "Your move, bob: you are Placer, move 1.",
    "turn of another": "It is alice's turn: Eks (x), move 1.",
    "how to answer": "Reply with a move, for example H13",
    "invitation": "alice invites you, bob, to a match of Gonnect.",
    "board": "      13  . . . (x). .  13\n      12  . . . . . .  12",
}


@each("line", OURS.values(), ids=OURS)
def test_all_ends_where_a_mail_of_ours_is_known(line: str) -> None:
    assert own(f"D4\n\nhello\n\n{line}\nresign\n") == ("D4", "", "hello")
    assert own(f"D4\n\nhello\n\n---- Foo ----\n{line}\nresign\n") == ("D4", "", "hello")


def test_own_lines_right_above_a_mail_of_ours_are_kept() -> None:
    assert own("D4\nhello\nReply with a move, for example H13\nresign") == ("D4", "hello")


@each(
    "line",
    [
        "Xyzzy <pbm@games.example.org.evil.net> 24.11.2026 18:02",
        "Xyzzy <notpbm@games.example.org> 24.11.2026 18:02",
        "Xyzzy <0123@games.example.org> plugh",
    ],
)
def test_an_address_that_is_not_quite_ours_proves_nothing(line: str) -> None:
    assert own(f"D4\n{line}") == ("D4", line)


@each("introduction", ["On Friday, Alice wrote:", *INTRODUCTIONS.values()])
@each("own_line", ["add alice a-password alice@new.example.net", "you may write to a@b.example"])
def test_a_line_with_an_address_above_an_introduction_is_the_senders_own(
    own_line: str, introduction: str
) -> None:
    assert own(f"{own_line}\n\n{introduction}\n{QUOTE}") == (own_line,)


@each(
    "introduction",
    [
        "Xyzzy plugh:",
        "Xyzzy 24\nAlice <alice@example.net> plugh:",
        "Your move -\nGonnect 104 <pbm@games.example.org> 24.11.2026 wrote:",
        "Am 24.11.26 um 18:02 schrieb Alice",
        "Xyzzy <alice@example.net> plugh",
        "Xyzzy 24.11.2026\n<alice@example.net> plugh",
        "Xyzzy Alice\n<alice@example.net>\nplugh 18:02:",
        "Alice\n101 (alice@example.net) plugh:",
        "---- Xyzzy ----\nPlugh:",
        "----- Original Message -----\nFrom: Alice\nSent: today\n\nSubject: x",
    ],
)
def test_a_paragraph_of_unknown_words_above_a_quote_goes_by_its_shape(introduction: str) -> None:
    text = f"D4\n\nhello\n\n{introduction}\n\n{QUOTE}\nyou"
    assert own(text) == ("D4", "", "hello", "", "you")


@each(
    "head",
    [
        "Game Server kirjoitti 24.11.2026 klo 18.02:",
        "Alice <alice@example.org> ezt írta\n(időpont: 2026. nov. 24., 18:02):",
        "From: Alice\nSubject: x",
        "  Original Message\nFrom: Alice\nSent: today",
        "----- Original Message -----\nFrom: Alice\n----------------------------",
        "Am 24.11.2026 um 18:02 schrieb Gonnect 104:\nyour move <pbm@games.example.org>:",
        "From: Alice\nSent: today\n\nAm 24.11.2026 schrieb Bob:",
    ],
)
def test_a_head_is_one_with_a_quote_below_that_has_marks_or_none(head: str) -> None:
    assert own(f"D4\n\n{head}\nresign\n") == ("D4",)
    assert own(f"D4\n\n{head}\n\n{QUOTE}\nyou") == ("D4", "", "you")


@each("first", ["D4", "D4:", "G7 please:", "1. D4"])
def test_the_first_line_stays_even_above_a_quote(first: str) -> None:
    assert own(f"{first}\n{QUOTE}\nyou") == (first, "", "you")


@each("mark", ["> ", ">", ">> ", "| ", "GP> ", " GP>> ", "alice> ", "\uff1e"])
def test_lines_with_any_mark_are_quoted(mark: str) -> None:
    assert own(f"D4\n\n{mark}resign\n{mark}\n{mark}yes\n\nyou") == ("D4", "", "you")


def test_below_the_line_of_groupwise_all_is_quoted_without_marks() -> None:
    assert own("D4\n\n>>> Alice 24.11.26 18:02 >>>\nresign") == ("D4",)


def test_a_rule_above_the_text_does_not_end_it() -> None:
    assert own("________________\nD4\n________________\nresign") == ("D4",)


def test_a_banner_ends_where_its_sentence_does() -> None:
    banner = "CAUTION: This email came from outside. Do not click links, and do not\nopen files."
    assert own(f"{banner}\n\nD4\nhello") == ("D4", "hello")
    assert own("CAUTION: This email came from outside, so take care with the links.\nD4") == ("D4",)
    assert own("=====\n[EXT]\n***SPAM***\n=====\nD4") == ("D4",)


def test_bars_and_links_around_a_disclaimer_go_with_it() -> None:
    assert own("D4\n\n----\n<https://a.example>\nVirus-free.\nhello") == ("D4",)
    assert own("Disclaimer: x\nD4") == ("Disclaimer: x", "D4")


def test_a_signature_stands_alone_or_at_the_end() -> None:
    link = "Get Outlook for iOS<https://aka.ms/o>"
    assert own(f"D4\n\n{link}\n\nyou") == ("D4", "", "you")
    assert own("D4\n\nSent with X\nhttps://x.example\n") == ("D4",)
    assert own("D4\nhello\nSent from my X\n") == ("D4", "hello")
    assert own("Sent from my heart\nD4") == ("Sent from my heart", "D4")


OUR_MAIL = """alice played F13. Your move, bob: you are Ohs (o), move 2.

alice writes:
  yes
  --
  Rules: reply  help gonnect
  resign

--
Gonnect, size 13, rated, board 101
Rules: reply help
gonnect
"""


def test_below_a_mail_of_ours_without_marks_is_read_only_if_nothing_stands_above() -> None:
    quote = f"From: <pbm@games.example.org>\nSent: today\n\n{OUR_MAIL}"
    assert own(f"{quote}D4\n\nhello\n") == ("D4", "", "hello")
    assert own(f"D4\n\n{quote}\nhello\n") == ("D4",)


@each(
    "quote",
    [
        OUR_MAIL.partition("\n--\n")[0],
        OUR_MAIL.partition("\n--\n")[0].replace("  ", " ").replace("\n ", "\n"),
        OUR_MAIL.replace("\n  ", "\n"),
        OUR_MAIL.replace("Rules", "> Rules"),
    ],
)
def test_a_footer_in_a_remark_or_without_its_form_does_not_end_a_quote(quote: str) -> None:
    assert own(f"From: <pbm@games.example.org>\nSent: today\n\n{quote}\nresign") == ()
