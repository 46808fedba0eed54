"""Numbers as the source of programming languages, which reads back to the same bits."""

import numpy as np


def hexadecimal(number: np.floating) -> str:
    """Return a finite number as C++ writes it since 2017, e.g. `0x1.8p+0` for 1.5."""
    mantissa, _, exponent = float(number).hex().partition("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"


def shortest(number: np.floating) -> str:
    """Return the fewest digits that are a finite number in its precision, e.g. `0.1`.

    A compiler may round them to a double first: where that is another number they are the digits of the double.
    """
    text = str(number)
    return text if number.dtype.type(float(text)) == number else in_double(number)


def in_double(number: np.floating) -> str:
    """Return the fewest digits that are a finite number in float64."""
    return repr(float(number))
