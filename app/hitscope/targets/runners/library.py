"""Functions of shared libraries: `void function(const T *cases, size_t n, int8_t *hit, T *t_enter)`."""

import ctypes
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.target import Runner, TargetSpec, cut


def load(spec: TargetSpec) -> Runner:
    """Load a library and find the function in it."""
    _, location, name = spec.code
    return _LibraryRunner(function_of(Path(location).resolve(), name, location))


def function_of(library: Path, name: str, shown: str) -> Any:
    """Return a function of a library, without a result; raises HitscopeError if there is none."""
    try:
        functions = ctypes.CDLL(str(library))
    except OSError as error:
        raise HitscopeError(f"{shown}: expected a library that can be loaded, found: {cut(str(error))}") from None
    try:
        function = getattr(functions, name)
    except AttributeError:
        raise HitscopeError(f"{shown}: expected a library with a function {name}, found none") from None
    function.restype = None
    return function


def address(array: NDArray[Any]) -> ctypes.c_void_p:
    """Return where an array lies, as a function of a library takes it."""
    return ctypes.c_void_p(array.ctypes.data)


class _LibraryRunner(Runner):
    """Calls the function once for all cases."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def run(self, arrays: CaseArrays) -> dict[int, str]:
        numbers, hit, t_enter, _, _ = arrays
        self._function(address(numbers), ctypes.c_size_t(len(numbers)), address(hit), address(t_enter))
        return {}
