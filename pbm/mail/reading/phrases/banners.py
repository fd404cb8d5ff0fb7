"""What gateways and virus scanners put around a text: banners above it, disclaimers below."""

BANNERS = (
    "external email", "external mail", "external sender", "external message",
    "this email originated from outside", "this message originated from outside",
    "this email came from outside", "this message came from outside",
    "this message is from an external",
    "caution: this email", "caution: this message", "caution: external", "warning: this email",
    "warning: this message", "warning: external",
    "you don't often get email from", "some people who received this message don't often get",
    "do not click links", "list of ",
    "achtung: diese e-mail", "achtung: externe", "externe e-mail", "vorsicht: diese e-mail",
    "attention : cet e-mail", "attention : ce message", "ce message provient d",
    "atención: este correo", "precaución: este correo", "attenzione: questa e", "atenção: este e",
    "let op: deze e", "varning: detta e", "uwaga: ta wiadomość",
)  # fmt: skip
"""How a banner above a text begins."""

DISCLAIMERS = (
    "this e-mail and any attach", "this email and any attach", "this message and any attach",
    "this e-mail is confidential", "this email is confidential", "this message is confidential",
    "this message contains confidential", "this email contains confidential",
    "this e-mail may contain", "this email may contain", "this message may contain",
    "confidentiality notice", "legal disclaimer", "disclaimer:",
    "the information contained in this", "the information in this e", "the contents of this e",
    "please consider the environment", "think before you print", "virus-free",
    "this email has been checked for viruses", "this email has been scanned",
    "diese e-mail enthält", "diese e-mail und", "diese nachricht enthält vertraulich",
    "diese e-mail wurde von avast", "der inhalt dieser e-mail",
    "ce message et toutes les pi", "ce message est confidentiel", "ce courriel et",
    "cet e-mail et", "l'absence de virus", "cet email a fait l'objet",
    "este mensaje y sus", "este mensaje contiene", "este correo electrónico y",
    "este correo electrónico puede",
    "este mensaje es confidencial", "el software de antivirus avast",
    "questo messaggio e i suoi", "le informazioni contenute in questo", "il presente messaggio",
    "esta mensagem pode conter", "esta mensagem e seus", "esta mensagem é confidencial",
    "dit bericht kan vertrouwelijke", "dit e-mailbericht", "de informatie in dit",
    "detta meddelande kan innehålla", "denne e-posten kan inneholde", "denne e-mail kan indeholde",
    "tämä viesti on luottamuksellinen",
    "ta wiadomość może zawierać", "niniejsza wiadomość", "tato zpráva může obsahovat",
    "ez az üzenet bizalmas", "acest mesaj este confidențial", "acest mesaj poate conține",
    "это сообщение содержит", "данное сообщение содержит", "это электронное сообщение",
)  # fmt: skip
"""How the paragraph under a text begins that is about the mail, not from its sender."""
