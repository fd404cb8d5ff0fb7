"""What clients and gateways put before a subject, in lower case."""

ANSWERED = (
    "re", "res", "ref", "fwd", "fw",  # English, Latin
    "ré", "rép", "réf", "tr",  # French
    "rv", "enc",  # Spanish, Portuguese
    "r", "i", "rif",  # Italian
    "aw", "wg", "antw",  # German
    "antwoord", "doorst", "bls",  # Dutch; Indonesian
    "sv", "vs", "vb", "videresendt", "vidarebefordrat",  # Danish, Norwegian, Swedish
    "vl",  # Finnish
    "svar", "framsent",  # Icelandic
    "odp", "pd",  # Polish
    "vá", "továbbítás",  # Hungarian
    "ynt", "ilt", "i\u0307lt",  # Turkish
    "răspuns",  # Romanian
    "odg", "ad",  # Croatian, Slovene; Estonian
    "ats", "atb", "pārs",  # Lithuanian, Latvian
    "ответ", "отв", "пересл",  # Russian
    "відп", "відповідь", "переслано",  # Ukrainian
    "отг", "отговор",  # Bulgarian
    "одг",  # Serbian
    "σχετ", "απ", "πρθ",  # Greek
    "השב", "תגובה", "העבר",  # Hebrew
    "رد", "إعادة توجيه",  # Arabic
    "پاسخ",  # Persian
    "trả lời",  # Vietnamese
    "trs",  # Indonesian, forwarded
    "回复", "回覆", "答复", "答覆", "转发", "轉寄", "轉發",  # Chinese
    "返信", "転送",  # Japanese
    "회신", "답장", "전달",  # Korean
)  # fmt: skip
"""Before a colon: that the mail answers or passes on another."""

WARNED = (
    "ext", "extern", "external", "externe", "externo", "esterno", "external email",
    "external sender", "external mail",
    "spam", "spam?", "possible spam", "suspected spam", "junk", "bulk", "marketing",
    "suspicious", "caution", "virus checked", "warning",
)  # fmt: skip
"""What a gateway thinks of the mail: between brackets or asterisks before its subject or above its
text, or before a colon in its subject."""
