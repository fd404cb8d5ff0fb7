"""What the sender wrote, separated from what their mail client added."""

# ruff: noqa: RUF001 - clients write in Cyrillic

import pytest

from pbm.mail.reading.trim import own_lines

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


@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
def test_an_introduction_and_the_quote_below_it_are_dropped_and_own_text_is_kept(
    introduction: str,
) -> None:
    text = f"D4\n\n{introduction}\n\n{QUOTE}\nwhat I think of it\n"
    assert own_lines(text) == ("D4", "", "what I think of it")


@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
def test_all_ends_at_an_introduction_whose_quote_is_not_marked(introduction: str) -> None:
    assert own_lines(f"D4\n\n{introduction}\n\nresign\n") == ("D4",)


@pytest.mark.parametrize(
    "introduction",
    ["Alice wrote:", "You wrote:", "2026年11月24日(火) 18:02 Alice <alice@example.org>:"],
)
def test_a_brief_introduction_is_one_only_above_a_quote(introduction: str) -> None:
    assert own_lines(f"D4\n{introduction}\n{QUOTE}") == ("D4",)
    assert own_lines(f"D4\n{introduction}\nand so on") == ("D4", introduction, "and so on")


@pytest.mark.parametrize(
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
    ],
)
def test_a_comment_that_only_resembles_a_quote_is_kept(text: str) -> None:
    assert own_lines(text) == tuple(text.split("\n"))


@pytest.mark.parametrize(
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
    assert own_lines(f"D4\nhello\n\n{separator}\nresign\n") == ("D4", "hello")


@pytest.mark.parametrize(
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
    assert own_lines(f"D4\n\n{signature}\n\n{QUOTE}") == ("D4",)
    assert own_lines(f"D4\n\n{signature}\n________________\nresign") == ("D4",)
    assert own_lines(f"\n{signature}") == ()
    assert own_lines(f"{QUOTE}\n{signature}\n\nD4\n") == ("D4",)


def test_quoted_lines_are_dropped_wherever_they_stand_and_however_deep() -> None:
    text = "> a\nD4\n>> b\n  > c\n>d\nhello\n> On 1.1.2026 Bob wrote:\n>\n\n\nyou"
    assert own_lines(text) == ("D4", "hello", "", "you")


@pytest.mark.parametrize(
    "introduction",
    [
        "On 24 Nov 2026, Alice <a@example.org> wrote:",
        "On 24 Nov 2026, Alice in\nWonderland <a@example.org> wrote:",
        "Alice <a@example.org> schrieb am 24.11.2026:",
    ],
)
def test_a_line_before_an_introduction_is_not_taken_for_its_beginning(introduction: str) -> None:
    assert own_lines(f"On 5 boards at once\n{introduction}\n> x\n") == ("On 5 boards at once",)


def test_blank_lines_stand_only_between_paragraphs_and_one_at_a_time() -> None:
    assert own_lines("\n \nD4  \n\n \n\n  hello\n\n") == ("D4", "", "  hello")


@pytest.mark.parametrize("text", ["", "\n\n", "> a", "-- \nBob", " \n> a\n\n"])
def test_a_text_without_own_lines_has_none(text: str) -> None:
    assert own_lines(text) == ()
