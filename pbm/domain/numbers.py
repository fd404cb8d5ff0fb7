"""Numbers as people type them."""


def whole_number(text: str, most: int) -> int | None:
    """Return the number from 0 to `most` that `text` is, in ASCII digits; None if it is none.

    Zeros may stand before it, in any number. Of digits there may be thousands, which int()
    refuses, and a number beyond `most` may be too large for a date or a database.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    number = int(digits) if len(digits) <= len(str(most)) else most + 1
    return number if number <= most else None
