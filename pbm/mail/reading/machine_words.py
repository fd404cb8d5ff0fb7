"""Words that mail programs put before the subject of what they answer by themselves.

Each table has the words by language, in lower case, as they stand before a colon. They are not
equally sure. A person hardly writes "Automatic reply:", but may well write "Accepted: ...", so
what must come with a word is said at its table. `pbm.mail.reading.nuisance` holds it to that.
"""

# ruff: noqa: RUF001 - some letters of other alphabets look like ours.

import re
import unicodedata
from collections.abc import Mapping

_COLON = re.compile("[:\uff1a]")


def fold(text: str) -> str:
    """Return `text` as it is compared: composed, in lower case, with plain apostrophes.

    The two letters i of Turkish become one, because capitals do not tell which one they were.
    """
    lower = unicodedata.normalize("NFC", text.strip()).lower()
    return lower.replace("\u2019", "'").replace("\u0131", "i").replace("i\u0307", "i")


def folded(words: Mapping[str, str]) -> frozenset[str]:
    """Return the words of all languages, folded; "|" stands between those of one."""
    return frozenset(fold(word) for row in words.values() for word in row.split("|"))


def first_word(subject: str) -> tuple[str, str]:
    """Return what stands before the first colon of `subject`, folded, and what stands after it."""
    word, *rest = _COLON.split(subject, maxsplit=1)
    return fold(word), "".join(rest).strip()


AUTOMATIC = folded(
    {
        "English": (
            "automatic reply | automatic response | auto reply | auto-reply | "
            "autoreply | auto response | auto-response | automated reply | "
            "out of office | out-of-office | out of the office | out of office reply | "
            "out of office autoreply | out of office auto-reply | vacation reply | "
            "vacation response"
        ),
        "German": (
            "automatische antwort | abwesenheitsnotiz | abwesenheitsmeldung | "
            "abwesenheitsnachricht | abwesend | nicht im büro"
        ),
        "French": (
            "réponse automatique | absence du bureau | absent du bureau | message d'absence"
        ),
        "Spanish": "respuesta automática | fuera de la oficina | fuera de oficina",
        "Catalan": "resposta automàtica | fora de l'oficina",
        "Italian": "risposta automatica | fuori sede | fuori ufficio",
        "Portuguese": "resposta automática | fora do escritório | ausência temporária",
        "Dutch": ("automatisch antwoord | automatische reactie | afwezig | afwezigheidsbericht"),
        "Swedish": "autosvar | automatiskt svar | frånvaro | frånvaromeddelande",
        "Danish and Norwegian": (
            "automatisk svar | ikke til stede | fravær | fraværsmelding | fraværsmeddelelse"
        ),
        "Finnish": "automaattinen vastaus | poissa | poissaoloilmoitus",
        "Icelandic": "sjálfvirkt svar",
        "Estonian, Latvian, Lithuanian": (
            "automaatvastus | automātiska atbilde | automatinis atsakymas"
        ),
        "Polish": ("odpowiedź automatyczna | automatyczna odpowiedź | nieobecność | poza biurem"),
        "Czech": "automatická odpověď | mimo kancelář",
        "Slovak": "automatická odpoveď | mimo kancelárie",
        "Hungarian": "automatikus válasz | házon kívül",
        "Romanian": "răspuns automat | în afara biroului",
        "Bulgarian": "автоматичен отговор | извън офиса",
        "Croatian, Serbian, Slovene, Macedonian": (
            "automatski odgovor | "
            "аутоматски одговор | samodejni odgovor | автоматски одговор | izvan ureda | "
            "ni v pisarni"
        ),
        "Russian": "автоматический ответ | автоответ | вне офиса | нет на месте",
        "Ukrainian": "автоматична відповідь | автовідповідь | немає на місці",
        "Greek": "αυτόματη απάντηση | εκτός γραφείου",
        "Turkish": "otomatik yanıt | ofis dışında",
        "Hebrew": "מענה אוטומטי | תשובה אוטומטית | מחוץ למשרד",
        "Arabic and Persian": "رد تلقائي | خارج المكتب | پاسخ خودکار",
        "Hindi": "स्वचालित उत्तर",
        "Thai": "ตอบกลับอัตโนมัติ | การตอบกลับอัตโนมัติ",
        "Vietnamese": "trả lời tự động",
        "Indonesian and Malay": "balasan otomatis | balasan automatik",
        "Chinese": "自动答复 | 自动回复 | 自動回覆 | 自動回復",
        "Japanese": "自動応答 | 自動返信 | 不在通知",
        "Korean": "자동 회신 | 자동 응답 | 부재 중",
    }
)
"""Automatic replies and notes of absence: sure with a subject behind, or without a reply token."""


RECEIPTS = folded(
    {
        "English": "read | not read | read receipt",
        "German": "gelesen | ungelesen | lesebestätigung",
        "French": "lu | non lu",
        "Spanish": "leído | no leído",
        "Italian": "letto | non letto | conferma di lettura",
        "Portuguese": "lida | lido | não lida",
        "Dutch": "gelezen | niet gelezen",
        "Swedish": "läst | oläst",
        "Danish": "læst | ikke læst",
        "Norwegian": "lest | ikke lest",
        "Finnish": "luettu | lukematta",
        "Polish": "przeczytano | przeczytane",
        "Czech and Slovak": "přečteno | prečítané",
        "Hungarian": "elolvasva | olvasva",
        "Romanian": "citit",
        "Bulgarian": "прочетено",
        "Croatian, Serbian, Slovene": "pročitano | прочитано | prebrano",
        "Russian": "прочтено",
        "Greek": "αναγνώστηκε | διαβάστηκε",
        "Turkish": "okundu",
        "Hebrew and Arabic": "נקרא | تمت القراءة | مقروءة",
        "Chinese": "已读 | 已讀",
        "Japanese and Korean": "開封済み | 開封済 | 읽음",
    }
)
"""Read receipts: sure before the subject of a mail of ours."""


CALENDAR = folded(
    {
        "English": ("accepted | declined | tentative | tentatively accepted | new time proposed"),
        "German": (
            "zugesagt | angenommen | abgelehnt | abgesagt | mit vorbehalt | "
            "mit vorbehalt angenommen"
        ),
        "French": "accepté | acceptée | refusé | refusée | provisoire",
        "Spanish": "aceptado | aceptada | rechazado | rechazada | provisional",
        "Italian": "accettato | accettata | rifiutato | rifiutata | provvisorio",
        "Portuguese": "aceito | aceite | recusado | recusada | provisório",
        "Dutch": "geaccepteerd | geweigerd | afgewezen | voorlopig",
        "Swedish": "accepterat | avböjt | tackat nej | preliminärt",
        "Danish": "accepteret | afslået | foreløbig",
        "Norwegian": "godtatt | avslått | foreløpig",
        "Finnish": "hyväksytty | hylätty | alustava",
        "Polish": "zaakceptowane | odrzucone | wstępnie",
        "Czech and Slovak": "přijato | odmítnuto | nezávazně | prijaté | odmietnuté",
        "Hungarian": "elfogadva | elutasítva | feltételesen",
        "Romanian": "acceptat | refuzat | provizoriu",
        "Russian and Ukrainian": ("принято | отклонено | под вопросом | прийнято | відхилено"),
        "Greek": "αποδεκτό | απορρίφθηκε",
        "Turkish": "kabul edildi | reddedildi | belirsiz",
        "Hebrew and Arabic": "התקבל | נדחה | مقبول | مرفوض",
        "Chinese": "已接受 | 已拒绝 | 已拒絕",
        "Japanese and Korean": "承諾 | 辞退 | 수락됨 | 거절됨 | 수락 | 거절",
    }
)
"""Answers to invitations: sure before the subject of a mail of ours, without a reply token."""
