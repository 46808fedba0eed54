"""Compiled loops over n pairs, a float filter and the same signs in wide integers; and one pair in Python's.

A pair's numbers become integers by powers of two, which move no sign: one for its lengths, another for a direction
that has no length of its own, and one for the axes of an oriented box. In compiled code a pair with a number that
is none then, or one too large for the sums of products to fit, stays UNSURE; Python's integers have no bounds.
"""

from functools import cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import Shapes, builder, scaled_rows, width
from hitscope.geometry.batch import Loop
from hitscope.geometry.exact.filters import Arithmetic
from hitscope.geometry.exact.pair_kernels import (
    AXIS,
    DIRECTION,
    EXTENT,
    FILTERS,
    LENGTH,
    UNSURE,
    Stage,
    exact_verdict,
    verdict,
)
from hitscope.geometry.shapes import Obb

CHUNK = 1 << 12
"""The number of pairs whose numbers are scaled at a time, so that they stay in the cache."""
IN_INTEGERS = Arithmetic(0, 0, inf)


@cache
def filter_loop(probe: type, primitive: type) -> Loop:
    """Return the loop that takes the rows of probes and primitives and an Arithmetic, and writes verdict codes."""
    from hitscope.geometry.lanes import shape_at

    kernels = FILTERS[probe, primitive]
    source = f"""def loop(probes, primitives, arithmetic, codes):
    for i in range(codes.size):
        probe = shape_at(probes, i, {probe.__name__})
        primitive = shape_at(primitives, i, {primitive.__name__})
        prepared = prepare(probe, *bounds(primitive), arithmetic)
        apart, meets = decide(prepared, primitive)
        codes[i] = verdict(apart, meets, interiors(prepared, primitive))
"""
    scope = {"shape_at": shape_at, "prepare": kernels.prepare, "decide": kernels.decide, "verdict": verdict}
    return _loop(source, scope, probe, primitive)


@cache
def exact_loop(probe: type, primitive: type, stage: Stage) -> Loop:
    """Return the loop that takes scaled numbers of pairs (k, m), which pairs' are whole, and the indices of the
    pairs, and writes the codes of those in a stage's integers."""
    from hitscope.geometry.exact.wide_integers import integer, integers_at

    kernels, bits = FILTERS[probe, primitive], stage.bits
    source = f"""def loop(numbers, are_whole, pairs, codes):
    for i in range(pairs.size):
        if not are_whole[i]:
            continue
        arithmetic = Arithmetic(0, 0, integer(2.0 ** {bits - 2}, {bits}))
        probe = integers_at(numbers, i, 0, {probe.__name__}, {bits})
        primitive = integers_at(numbers, i, {width(probe)}, {primitive.__name__}, {bits})
        prepared = prepare(probe, *bounds(primitive), arithmetic)
        apart, meets = decide(prepared, primitive)
        codes[pairs[i]] = verdict(apart, meets, interiors(prepared, primitive), is_solid(primitive))
"""
    scope: dict[str, Any] = {"Arithmetic": Arithmetic, "integer": integer, "integers_at": integers_at}
    scope |= {"prepare": kernels.prepare_exactly or kernels.prepare, "decide": kernels.decide_exactly}
    return _loop(source, scope | {"verdict": exact_verdict, "is_solid": kernels.is_solid}, probe, primitive)


def _loop(source: str, scope: dict[str, Any], probe: type, primitive: type) -> Loop:
    """Compile a loop that uses functions and the types of a pair."""
    from hitscope.geometry.compiled import compiled_loop

    kernels = FILTERS[probe, primitive]
    scope |= {"bounds": kernels.bounds, "interiors": kernels.interiors}
    return compiled_loop(source, scope | {kind.__name__: kind for kind in (probe, primitive)})


def decide_in_integers(
    probes: Shapes, primitives: Shapes, stage: Stage, pairs: NDArray[np.intp], codes: NDArray[np.uint8]
) -> None:
    """Write the codes of pairs whose numbers fit a stage's integers, a part of them at a time."""
    from hitscope.geometry.exact.wide_integers import to_whole_numbers

    scales = np.array(_scales(probes.kind, primitives.kind))
    loop = exact_loop(probes.kind, primitives.kind, stage)
    for start in range(0, max(pairs.size, 1), CHUNK):
        part = pairs[start : start + CHUNK]
        numbers, are_whole = np.empty((scales.size, part.size)), np.empty(part.size, np.bool_)
        to_whole_numbers(probes.rows, primitives.rows, part, scales, stage.length, stage.axis, numbers, are_whole)
        loop(numbers, are_whole, part, codes)


def is_stage_compiled(probe: type, primitive: type, stage: Stage) -> bool:
    """Whether the code of a stage is in memory or kept on disk."""
    from hitscope.geometry.compiled import is_compiled

    pairs, codes = np.empty(0, np.intp), np.empty(0, np.uint8)
    return is_compiled(exact_loop(probe, primitive, stage), np.empty((0, 0)), pairs > 0, pairs, codes)


def exact_code(probe: type, primitive: type, numbers: list[float]) -> int:
    """Return the verdict code of the pair of these numbers, found in Python's integers where signs decide it."""
    kernels, scales = FILTERS[probe, primitive], _scales(probe, primitive)
    if kernels.decide_exactly is None:
        return UNSURE
    ratios = [number.as_integer_ratio() for number in numbers]
    units = {LENGTH: 1, EXTENT: 1, DIRECTION: 1, AXIS: 1}
    for scale, (_, denominator) in zip(scales, ratios, strict=True):
        units[scale] = max(units[scale], denominator)
    units[EXTENT] = max(units[LENGTH], units[EXTENT])
    units[LENGTH] = units[EXTENT] * units[AXIS]
    integers = [numerator * (units[scale] // w) for scale, (numerator, w) in zip(scales, ratios, strict=True)]
    a, b = builder(probe)(integers), builder(primitive)(integers[width(probe) :])
    prepared = (kernels.prepare_exactly or kernels.prepare)(a, *kernels.bounds(b), IN_INTEGERS)
    apart, meets = kernels.decide_exactly(prepared, b)
    code: int = exact_verdict(apart, meets, kernels.interiors(prepared, b), kernels.is_solid(b))
    return code


@cache
def _scales(probe: type, primitive: type) -> tuple[int, ...]:
    """Return the scale of each number of a probe and of a primitive."""
    scales = [DIRECTION] * width(probe) + [AXIS] * width(primitive)
    for k in (*scaled_rows(probe), *(scaled_rows(primitive) + width(probe))):
        scales[k] = LENGTH
    if primitive is Obb:
        scales[width(probe) + 3 : width(probe) + 6] = [EXTENT] * 3
    return tuple(scales)
