"""Methods of the catalogue."""

from typing import Any

import numpy as np

from hitscope.geometry import answers, batch, compiler, exact, registry
from hitscope.geometry.arrays import width
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.cases import Cases, Reals, in_arrays, kinds
from hitscope.targets.method_text import choice_of
from hitscope.targets.target import HIT, MISS, Runner, TargetSpec, one_line

COMPILED_FROM = 30_000
"""The number of calls from which on compiling a method, a second or two, takes less time than interpreting it."""


def load(spec: TargetSpec, compiled_from: int = COMPILED_FROM) -> Runner:
    """Find a method and its arguments; it is compiled for its call number `compiled_from`."""
    return _MethodRunner(registry.choose(spec.pair, choice_of(spec.code.location)), spec.pair, compiled_from)


class _MethodRunner(Runner):
    """Calls the method on one pair after the other, compiled from so many calls on."""

    notes_index = True

    def __init__(self, chosen: registry.Chosen, pair: str, compiled_from: int) -> None:
        self._method = chosen.method
        self._arguments: dict[str, Any] = dict(chosen.arguments)
        self._pair = pair
        self._can_compile = "compiled" in self._method.readings and in_arrays(pair)
        self._calls, self._compiled_from = 0, compiled_from
        self.has_normals = "normal" in self._method.parts

    def run(self, arrays: CaseArrays) -> dict[int, str]:
        numbers, hit, t_enter, normal, progress = arrays
        cases = Cases(self._pair, numbers)
        self._calls += len(cases)
        given = {"t_enter": t_enter, "normal": normal}
        parts = {name: array for name, array in given.items() if name in self._method.parts}
        if self._can_compile and self._calls >= self._compiled_from and compiler.can_compile():
            pair = kinds(self._pair)
            probes, primitives = np.split(np.ascontiguousarray(numbers.T), [width(pair[0])])
            found = batch.pair_answers(self._method, probes, primitives, pair, self._arguments, tuple(parts))
            hit[:] = found.hit
            for name, array in parts.items():
                array[:] = found.columns[name]
            _make_unit(normal)
            return {}
        call = self._method if numbers.dtype == np.float64 else self._method.in_float32
        failures = {}
        for index in range(len(cases)):
            progress[0] = index
            try:
                answer = call(*cases.shapes(index), **self._arguments)
            except ArithmeticError as error:
                failures[index] = one_line(error)
                continue
            hit[index] = HIT if (answer[0] if isinstance(answer, tuple) else answer) else MISS
            for name, array in parts.items():
                part = getattr(answer, name)
                array[index] = _rounded(part) if self._method.name == registry.EXACT else part
        _make_unit(normal)
        return failures


def _rounded(part: Any) -> Any:
    """Return a part of an answer of `exact`, whose numbers may be beyond float64, in floats."""
    if isinstance(part, tuple):
        is_unknown = isinstance(part[0], float)
        return part if is_unknown else exact.unit(part) or answers.UNKNOWN_VECTOR
    return exact.rounded(part)


def _make_unit(vectors: Reals) -> None:
    """Divide vectors (n, 3) by their lengths, as a method's normals have any; those without one become NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        vectors /= np.abs(vectors).max(axis=1, keepdims=True)
        vectors /= np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
