"""The line that a phone, an app or a service puts under a text: how it begins, and ends."""

# ruff: noqa: RUF001 - phrases of many alphabets

SIGNATURES = (
    # English
    ("sent from ", ""), ("sent with ", ""), ("sent via ", ""), ("sent using ", ""),
    ("secured with ", ""), ("yahoo mail: search, organize, conquer", ""),
    ("get outlook for ", ""), ("get bluemail for ", ""),
    # German
    ("von mein", "gesendet"), ("von yahoo mail", "gesendet"), ("gesendet von ", ""),
    ("gesendet mit ", ""), ("diese nachricht wurde von mein", "gesendet"),
    ("holen sie sich outlook ", ""),
    # French
    ("envoyé de mon ", ""), ("envoyé depuis ", ""), ("envoyé à partir de ", ""),
    ("envoyé avec ", ""), ("télécharger outlook ", ""),
    # Spanish, Portuguese, Catalan, Galician
    ("enviado desde ", ""), ("enviado do ", ""), ("enviado a partir do ", ""),
    ("enviado con ", ""), ("enviado com ", ""), ("enviat des d", ""), ("obtener outlook ", ""),
    ("obter outlook ", ""), ("obter o outlook ", ""), ("obtén l'outlook ", ""),
    # Italian
    ("inviato da ", ""), ("inviato dal ", ""), ("inviato con ", ""), ("scarica outlook ", ""),
    # Dutch
    ("verzonden vanaf ", ""), ("verzonden vanuit ", ""), ("verstuurd vanaf ", ""),
    ("outlook voor ", "downloaden"),
    # Danish, Norwegian, Swedish
    ("sendt fra ", ""), ("skickat från ", ""), ("skickades från ", ""), ("hent outlook ", ""),
    ("skaff deg outlook ", ""), ("skaffa outlook ", ""),
    # Finnish, Icelandic
    ("lähetetty ", ""), ("hanki outlook ", ""), ("sent úr ", ""), ("sækja outlook ", ""),
    # Polish, Czech, Slovak
    ("wysłane z ", ""), ("pobierz program outlook ", ""), ("odesláno z ", ""),
    ("získat outlook ", ""), ("odoslané z ", ""), ("získať outlook ", ""),
    # Hungarian, Romanian
    ("", "küldve"), ("az outlook ", "letöltése"), ("trimis d", ""),
    ("descărcați outlook ", ""),
    # Croatian, Slovene, Serbian, Bulgarian
    ("poslano s ", ""), ("poslano iz ", ""), ("nabavite outlook ", ""),
    ("prenesite outlook ", ""), ("послато са ", ""), ("послато из ", ""),
    ("преузмите outlook ", ""), ("изпратено от ", ""), ("изтеглете outlook ", ""),
    # Russian, Ukrainian, Belarusian
    ("отправлено ", ""), ("скачайте outlook ", ""), ("получить outlook ", ""),
    ("надіслано з ", ""), ("отримайте outlook ", ""), ("адпраўлена з ", ""),
    ("атрымайце outlook ", ""),
    # Greek, Turkish
    ("στάλθηκε από ", ""), ("αποκτήστε το outlook ", ""), ("", "gönderildi"),
    ("", "outlook'u edinin"),
    # Hebrew, Arabic, Persian, Hindi
    ("נשלח מ", ""), ("קבל את outlook ", ""), ("أُرسلت من ", ""), ("تم الإرسال من ", ""),
    ("الحصول على outlook ", ""), ("ارسال شده از ", ""), ("دریافت outlook ", ""),
    ("", "से भेजा गया"), ("", "outlook प्राप्त करें"),
    # Thai, Vietnamese, Indonesian, Malay
    ("ส่งจาก", ""), ("รับ outlook ", ""), ("đã gửi từ ", ""), ("được gửi từ ", ""),
    ("tải outlook ", ""), ("dikirim dari ", ""), ("dihantar daripada ", ""),
    ("dapatkan outlook ", ""),
    # Chinese, Japanese, Korean
    ("从", "发送"), ("從", "傳送"), ("发自", ""), ("發自", ""), ("获取 outlook ", ""),
    ("取得 ", "outlook"), ("", "から送信"), ("outlook ", "を入手"), ("", "에서 보냄"),
    ("", "outlook 다운로드"),
    # Estonian, Latvian, Lithuanian, Basque
    ("saadetud ", ""), ("hankige outlook ", ""), ("sūtīts no ", ""), ("iegūstiet outlook ", ""),
    ("išsiųsta iš ", ""), ("gaukite outlook", ""), ("", "bidalia"), ("eskuratu ", "outlook"),
)  # fmt: skip
"""Each stands alone, on a line of its own."""
