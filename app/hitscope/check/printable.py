"""Text that a terminal shows as it is: what users' code says may hold anything."""


def printable(text: str) -> str:
    """Escape the characters that have no glyph or move the cursor, as Python writes them: `\\x1b`."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
