"""Whether there is a compiler: Numba is installed on request.

Without it NumPy and the interpreter decide, with the same verdicts.
"""

from functools import cache
from importlib.util import find_spec

from hitscope import extras


@cache
def is_installed() -> bool:
    """Whether Numba can be imported; it is not imported yet."""
    return find_spec("numba") is not None


@cache
def can_compile() -> bool:
    """Whether code that pays can be compiled; where it cannot, that is noted once."""
    if not is_installed():
        from hitscope.geometry.code_files import note_problem

        note_problem(f"{extras.missing('numba')}; without it, this takes longer")
    return is_installed()
