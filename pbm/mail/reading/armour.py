"""The armour of signed text (OpenPGP, RFC 9580 section 7): the signature goes, the text stays."""

_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"

_BLOCKS = ("-----BEGIN PGP SIGNATURE-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----")


def without_armour(text: str) -> list[str]:
    """Return the lines without armour, its header lines and signature; escaped dashes undone."""
    lines = text.split("\n")
    if "-----BEGIN PGP " not in text:
        return lines
    bare: list[str] = []
    in_text = skips = False
    until = ""
    for line in lines:
        if until or skips:
            until = "" if until and line.startswith(until) else until
            skips = skips and bool(line.strip())
        elif line.startswith(_SIGNED):
            in_text = skips = True
        elif line.startswith(_BLOCKS):
            in_text, until = False, "-----END PGP "
        else:
            bare.append(line[2:] if in_text and line.startswith("- -") else line)
    return bare
