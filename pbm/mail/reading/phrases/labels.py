"""Labels of the lines in a quoted mail's header block, by language, without their spaces."""

# ruff: noqa: RUF001 - phrases of many alphabets

_LANGUAGES = {
    # From; Sent and Date; To and Cc; Subject
    "en": "from; sent date datesent; to cc replyto; subject",
    "de": "von; gesendet datum; an cc; betreff",
    "fr": "de; envoyé date messagedu; à a copieà; objet sujet",
    "es": "de; enviado enviadoel fecha; para a; asunto",
    "it": "da; inviato data; a; oggetto ogg",
    "pt": "de; enviado enviada enviadaem enviadoem data; para; assunto",
    "nl": "van; verzonden datum; aan; onderwerp",
    "da": "fra; sendt dato; til; emne",
    "sv": "från; skickat datum; till; ämne",
    "no": "fra; sendt dato; til; emne",
    "fi": "lähettäjä; lähetetty päiväys pvm; vastaanottaja; aihe",
    "is": "frá; sent dagsetning; til; efni",
    "pl": "od; wysłane wysłano data; do; temat",
    "cs": "od; odesláno datum; komu; předmět",
    "sk": "od; odoslané dátum; komu; predmet",
    "hu": "feladó; elküldve dátum; címzett; tárgy",
    "ro": "dela; trimis trimisla data; către; subiect",
    "bg": "от; изпратено изпратенона дата; до; относно",
    "hr": "šalje od; poslano datum; prima za; predmet",
    "sr": "од šalje; послато датум; за; тема",
    "sl": "od; poslano datum; za; zadeva",
    "ru": "от откого; отправлено дата; кому; тема",
    "uk": "від відкого; надіслано дата; кому; тема",
    "be": "ад; адпраўлена дата; каму; тэма",
    "el": "από; στάλθηκε ημερομηνία; προς; θέμα",
    "tr": "kimden gönderen; gönderildi gönderilme tarih; kime alıcı; konu",
    "he": "מאת; נשלח תאריך; אל; נושא",
    "ar": "من; تمالإرسال التاريخ; إلى; الموضوع",
    "fa": "از; ارسالشده تاریخ; به; موضوع",
    "hi": "प्रेषक; भेजागया दिनांक; प्रति; विषय",
    "th": "จาก; ส่ง วันที่; ถึง; เรื่อง",
    "vi": "từ; đãgửi ngày; đến; chủđề",
    "id": "dari; dikirim tanggal; kepada; subjek perihal",
    "ms": "daripada; dihantar tarikh; kepada; subjek",
    "ja": "差出人 送信者; 送信日時 日付 日時; 宛先; 件名",
    "ko": "보낸사람 보낸이 발신; 보낸날짜 보낸시간 날짜; 받는사람 받은사람; 제목",
    "zh": "发件人 寄件者 寄件人; 发送时间 日期 寄件日期 傳送時間; 收件人 收件者; 主题 主旨 主題",
    "et": "saatja; saadetud kuupäev; adressaat kellele; teema",
    "lv": "no; nosūtīts datums; kam; temats tēma",
    "lt": "nuo; išsiųsta data; kam; tema",
    "ca": "de; enviat data; pera; assumpte",
    "eu": "nork; bidalia data; nori; gaia",
    "gl": "de; enviado data; para; asunto",
}


def _column(number: int) -> frozenset[str]:
    rows = (row.split(";")[number].split() for row in _LANGUAGES.values())
    return frozenset(label for labels in rows for label in labels)


FROM, DATE, TO, SUBJECT = (_column(number) for number in range(4))

ALL = FROM | DATE | TO | SUBJECT
