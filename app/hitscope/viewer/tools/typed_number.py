"""A number typed during a drag, in place of the distance, angle or factor that the mouse gives."""

DIGITS = "0123456789"


def typed_text(text: str, key: str) -> str | None:
    """The text after a key is pressed, or None if the key is not part of a number.

    A minus inverts the sign, whenever it is typed; a second point is ignored; Backspace deletes a character.
    """
    if key in DIGITS and len(key) == 1:
        return text + key
    if key == ".":
        return text if "." in text else f"{text}."
    if key == "-":
        return text.removeprefix("-") if text.startswith("-") else f"-{text}"
    if key == "Backspace" and text:
        return text[:-1]
    return None


def parse_number(text: str) -> float | None:
    """The typed number; None before there is a digit."""
    return float(text) if any(digit in text for digit in DIGITS) else None
