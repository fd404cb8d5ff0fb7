"""What stands between dashes, or above a colon, where a quoted mail begins; by language."""

SEPARATORS = frozenset(
    {
        # English
        "original message", "original email", "original appointment", "original",
        "forwarded message", "begin forwarded message",
        # German
        "ursprüngliche nachricht", "urspruengliche nachricht", "original-nachricht",
        "originalnachricht", "weitergeleitete nachricht", "ursprüngliche mail",
        # French
        "message d'origine", "message original", "message transféré", "mail original",
        "mail d'origine", "message initial",
        # Spanish, Portuguese, Italian, Catalan, Galician
        "mensaje original", "mensaje reenviado", "mensagem original", "messaggio originale",
        "messaggio inoltrato", "missatge original", "mensaxe orixinal",
        # Dutch
        "oorspronkelijk bericht", "doorgestuurd bericht",
        # Danish, Norwegian, Swedish, Finnish, Icelandic
        "oprindelig meddelelse", "opprinnelig melding", "ursprungligt meddelande",
        "originalmeddelande", "alkuperäinen viesti", "upprunalegt skeyti",
        # Polish, Czech, Slovak, Hungarian, Romanian
        "oryginalna wiadomość", "wiadomość oryginalna", "původní zpráva", "původní e-mail",
        "pôvodná správa", "eredeti üzenet", "mesaj original",
        # Croatian, Slovene, Serbian, Bulgarian
        "izvorna poruka", "izvirno sporočilo", "оригинална порука", "оригинално съобщение",
        "оригинално писмо",
        # Russian, Ukrainian, Belarusian
        "исходное сообщение", "пересылаемое сообщение", "вихідне повідомлення",
        "оригінальне повідомлення", "зыходнае паведамленне",
        # Greek, Turkish
        "αρχικό μήνυμα", "özgün ileti", "orijinal mesaj",
        # Hebrew, Arabic, Persian, Hindi
        "הודעה מקורית", "الرسالة الأصلية", "پیام اصلی", "मूल संदेश",
        # Thai, Vietnamese, Indonesian, Malay
        "ข้อความต้นฉบับ", "thư gốc", "pesan asli", "mesej asal",
        # Chinese, Japanese, Korean
        "原始邮件", "原始郵件", "回复的原邮件", "元のメッセージ", "원본 메시지", "원본 메일",
        "원본 이메일",
        # Estonian, Latvian, Lithuanian, Basque
        "algne kiri", "sākotnējais ziņojums", "oriģinālā vēstule", "pradinis pranešimas",
        "jatorrizko mezua",
    }
)  # fmt: skip
