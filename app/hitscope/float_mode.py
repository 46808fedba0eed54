"""The floating-point mode that all proofs assume: rounding to nearest, and numbers down to 4.9e-324.

A library in the process may have changed it: one that is built with -ffast-math takes numbers below 2.2e-308 as
zero, and `fesetround` rounds another way. The mode is that of a thread, and of the threads that it starts.
"""

import sys
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from hitscope.errors import HitscopeError

P = ParamSpec("P")
R = TypeVar("R")

MOST_BYTES = 512
"""The most bytes of a `fenv_t` of C."""

# Variables, as Python computes an expression of constants once; quotients that are exact in any mode.
_one, _half_ulp, _quarter_ulp, _half, _least_normal = 1.0, 1 / 2**53, 1 / 2**54, 0.5, sys.float_info.min


def is_default() -> bool:
    """Whether the mode of this thread is the default one of IEEE 754."""
    # Rounded upwards the sum is another one, downwards or to zero the difference; a number taken as zero is false.
    return _one + _half_ulp == _one == _one - _quarter_ulp and _least_normal * _half != 0.0


def in_default_mode(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function compute in the default mode; raises HitscopeError where that cannot be set."""

    @wraps(function)
    def run(*args: P.args, **named: P.kwargs) -> R:
        if is_default():
            return function(*args, **named)
        import ctypes  # of a few milliseconds, for few processes

        get, put, default = _environment()
        before = ctypes.create_string_buffer(MOST_BYTES)
        get(before)
        put(default)
        try:
            if not is_default():
                raise _error()
            return function(*args, **named)
        finally:
            put(before)

    return run


@cache
def _environment() -> tuple[Callable[..., object], Callable[..., object], Any]:
    """Return `fegetenv` and `fesetenv` of C, and the default environment."""
    import ctypes

    try:
        library = ctypes.CDLL(None)
        is_mac = sys.platform == "darwin"
        default = ctypes.byref(ctypes.c_char.in_dll(library, "_FE_DFL_ENV")) if is_mac else ctypes.c_void_p(-1)
        return library.fegetenv, library.fesetenv, default
    except (AttributeError, OSError, TypeError, ValueError):  # of another C library
        raise _error() from None


def _error() -> HitscopeError:
    return HitscopeError(
        "expected the default floating-point mode of IEEE 754, found one that a library of this process has set: "
        "load it after hitscope has answered, or build it without -ffast-math"
    )
