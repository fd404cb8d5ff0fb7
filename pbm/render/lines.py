"""How long the lines of a text are, which hosts limit."""


def fits(text: str, most: int) -> bool:
    """Return whether no line of `text` is longer than `most`.

    The last line end before a line could be too long is looked for backwards, so that most of the
    hundreds of lines of a page are passed over.
    """
    start, last = 0, len(text) - most
    while start < last:
        end = text.rfind("\n", start, start + most + 1)
        if end < 0:
            return False
        start = end + 1
    return True
