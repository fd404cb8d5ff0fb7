"""format=flowed: paragraphs that were broken into lines for the way (RFC 3676)."""


def unflow(text: str, *, delsp: bool = False) -> str:
    """Return `text` with each paragraph on one line.

    A line that ends in a space goes on in the next one, if that is quoted as deep. `delsp`
    says that this space was put in by the sender's program and is no part of the text.
    """
    done: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth, content = _unquote(line)
        if open_depth == depth and content != "-- ":
            done[-1] += content
        else:
            done.append(f"{'>' * depth} {content}" if depth else content)
        flows = content.endswith(" ") and content != "-- "
        open_depth = depth if flows else None
        if flows and delsp:
            done[-1] = done[-1][:-1]
    return "\n".join(done)


def _unquote(line: str) -> tuple[int, str]:
    """Return how deep the line is quoted, and its text without the space that was stuffed in."""
    content = line.lstrip(">")
    return len(line) - len(content), content.removeprefix(" ")
