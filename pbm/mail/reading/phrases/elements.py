"""Classes, ids and names by which HTML marks what its sender did not write, in lower case."""

from enum import Enum


class Role(Enum):
    """What an element is for its mail client."""

    HOLDS_BLOCKQUOTE = "an introduction and a blockquote; below the blockquote is own text"
    QUOTE = "a quote, with its introduction or without, and nothing that is the sender's own"
    INTRODUCTION = "what introduces the quote below it"
    SIGNATURE = "what the client or its user puts under each text"
    QUOTE_BELOW = "from here on nothing is the sender's own"


ROLES = {
    "gmail_quote": Role.HOLDS_BLOCKQUOTE,
    "gmail_extra": Role.HOLDS_BLOCKQUOTE,
    "zmail_extra": Role.HOLDS_BLOCKQUOTE,
    "protonmail_quote": Role.HOLDS_BLOCKQUOTE,
    "nh_extra": Role.HOLDS_BLOCKQUOTE,
    "blockquote_zmail": Role.QUOTE,
    "nh_quote": Role.QUOTE,
    "yahoo_quoted": Role.QUOTE,
    "tutanota_quote": Role.QUOTE,
    "quote": Role.QUOTE,  # GMX and WEB.DE
    "gmail_attr": Role.INTRODUCTION,
    "moz-cite-prefix": Role.INTRODUCTION,
    "reply-intro": Role.INTRODUCTION,  # Roundcube
    "gmail_signature": Role.SIGNATURE,
    "moz-signature": Role.SIGNATURE,
    "protonmail_signature_block": Role.SIGNATURE,
    "ms-outlook-mobile-signature": Role.SIGNATURE,
    "signature": Role.SIGNATURE,  # Outlook on the web
    "messagesignaturesection": Role.SIGNATURE,  # Spark
    "blue-signature": Role.SIGNATURE,
    "sh-signature": Role.SIGNATURE,
    "appendonsend": Role.QUOTE_BELOW,  # Outlook
    "divrplyfwdmsg": Role.QUOTE_BELOW,
    "x_divrplyfwdmsg": Role.QUOTE_BELOW,
    "mail-editor-reference-message-container": Role.QUOTE_BELOW,
    "zwchr": Role.QUOTE_BELOW,  # Zimbra
}
