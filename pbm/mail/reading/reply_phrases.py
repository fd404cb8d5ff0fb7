"""What mail clients write around a quote and under a text, by language.

Tables only; `pbm.mail.reading.trim` uses them. All phrases are in lower case and are compared
with text in lower case. A new client or language is a new row.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Introduction:
    """How a language introduces a quote: "On (date), (name) wrote:".

    `openings` are the words that it begins with, where they are known; an introduction that
    begins with one may be broken over several lines. It must contain one of the `verbs`.
    """

    openings: tuple[str, ...]
    verbs: tuple[str, ...]


INTRODUCTIONS = {
    "cs": Introduction(("dne ",), ("napsal", "napsala", "píše")),
    "da": Introduction(("den ",), ("skrev",)),
    "de": Introduction(("am ",), ("schrieb",)),
    "en": Introduction(("on ", "at "), ("wrote", "writes")),
    "es": Introduction(("el ",), ("escribió", "escribio")),
    "fi": Introduction((), ("kirjoitti",)),
    "fr": Introduction(("le ",), ("a écrit", "a ecrit")),
    "hu": Introduction((), ("ezt írta", "írta")),
    "it": Introduction(("il ",), ("ha scritto",)),
    "ja": Introduction((), ("のメール", "書きました", "wrote")),
    "ko": Introduction((), ("작성",)),
    "nl": Introduction(("op ",), ("schreef", "heeft het volgende geschreven")),
    "no": Introduction(("på ",), ("skrev",)),
    "pl": Introduction(("w dniu ", "dnia "), ("napisał", "pisze")),
    "pt": Introduction(("em ", "a "), ("escreveu",)),
    "ru": Introduction((), ("написал", "пишет")),
    "sv": Introduction(("den ",), ("skrev",)),
    "tr": Introduction((), ("yazd\u0131",)),
    "zh": Introduction(("在",), ("写道", "寫道")),
}

SEPARATORS = frozenset(
    {
        "original message",
        "original email",
        "original appointment",
        "forwarded message",
        "begin forwarded message",
        "ursprüngliche nachricht",
        "urspruengliche nachricht",
        "original-nachricht",
        "originalnachricht",
        "weitergeleitete nachricht",
        "message d'origine",
        "message original",
        "message transféré",
        "mensaje original",
        "mensaje reenviado",
        "messaggio originale",
        "messaggio inoltrato",
        "mensagem original",
        "oorspronkelijk bericht",
        "doorgestuurd bericht",
        "oprindelig meddelelse",
        "opprinnelig melding",
        "ursprungligt meddelande",
        "originalmeddelande",
        "alkuperäinen viesti",
        "oryginalna wiadomość",
        "wiadomość oryginalna",
        "původní zpráva",
        "eredeti üzenet",
        "исходное сообщение",
        "пересылаемое сообщение",
        "özgün ileti",
        "原始邮件",
        "原始郵件",
        "元のメッセージ",
        "원본 메시지",
    }
)
"""Between dashes, on a line of their own: "-----Original Message-----"."""

FROM_LABELS = frozenset(
    [
        "from",
        "von",
        "de",
        "da",
        "van",
        "från",
        "fra",
        "od",
        "lähettäjä",
        "feladó",
        "kimden",
        "от",
        "发件人",
        "寄件者",
        "差出人",
        "보낸사람",
    ]
)

DATE_LABELS = frozenset(
    [
        "sent",
        "date",
        "gesendet",
        "datum",
        "envoyé",
        "enviado",
        "enviadoel",
        "fecha",
        "inviato",
        "data",
        "verzonden",
        "skickat",
        "sendt",
        "dato",
        "wysłano",
        "odesláno",
        "lähetetty",
        "elküldve",
        "gönderilme",
        "отправлено",
        "дата",
        "发送时间",
        "寄件日期",
        "送信日時",
        "보낸날짜",
    ]
)
"""Labels of the lines in a quoted mail's header, written without their spaces."""

MOBILE_SIGNATURES = (
    ("sent from my ", ""),
    ("sent from mail for windows", ""),
    ("sent from outlook", ""),
    ("sent from yahoo mail", ""),
    ("sent from samsung", ""),
    ("sent from proton", ""),
    ("sent via ", ""),
    ("get outlook for ", ""),
    ("von mein", "gesendet"),
    ("gesendet von ", ""),
    ("gesendet mit ", ""),
    ("diese nachricht wurde von mein", "gesendet"),
    ("envoyé de mon ", ""),
    ("envoyé depuis ", ""),
    ("envoyé à partir de ", ""),
    ("enviado desde ", ""),
    ("enviado do meu ", ""),
    ("enviado a partir do ", ""),
    ("inviato da ", ""),
    ("inviato dal mio ", ""),
    ("verzonden vanaf mijn ", ""),
    ("verstuurd vanaf mijn ", ""),
    ("skickat från min ", ""),
    ("sendt fra min ", ""),
    ("lähetetty ", ""),
    ("wysłane z ", ""),
    ("odesláno z ", ""),
    ("отправлено ", ""),
    ("", "から送信"),
    ("从我的", "发送"),
    ("发自我的", ""),
    ("發自我的", ""),
)
"""How the line that a phone puts under a text begins and ends; it stands alone."""
