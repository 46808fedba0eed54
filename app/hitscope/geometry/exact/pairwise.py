"""`exact` for n pairs of a probe and a primitive: a float filter, exact integers, and fractions for the rest.

A filter decides pairs that are not close. What it leaves is decided by the same signs in other numbers, stage by
stage (`pair_loops`): integers of 192 or 256 bits decide small or few-digit numbers, touching or not, two float64
what is apart or meets by more than 2**-99 of its terms, longer integers the rest of a range of up to 200 bits.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.float_mode import in_default_mode
from hitscope.geometry import compiler
from hitscope.geometry.arrays import Shapes, builder, width
from hitscope.geometry.exact.batch import FILTERS
from hitscope.geometry.exact.filters import FLOAT64
from hitscope.geometry.exact.pair_kernels import verdict
from hitscope.geometry.exact.pair_loops import BOUNDS, EXACT_SIGNS, INTERIORS, Stage, exact_loop, filter_loop
from hitscope.geometry.exact.relation import meet
from hitscope.geometry.exact.verdict_codes import HIT, MISS, STRICT, UNSURE

COMPILED_FROM = 20_000
"""The number of pairs left to a stage from which its code is compiled: fractions for so many take as long."""
CHUNK = 1 << 12
"""The number of pairs that NumPy filters at a time, so that intermediate results stay in the cache."""

Codes = NDArray[np.uint8]

_left: Counter[tuple[type, type, Stage]] = Counter()


class PairVerdicts(NamedTuple):
    """The verdicts on n pairs, and which of the hits are surely none that only touch or are coplanar."""

    hits: NDArray[np.bool_]  # (n,)
    strict: NDArray[np.bool_]  # (n,)


@in_default_mode
def decide(
    probes: Shapes, primitives: Shapes, compiled: bool = True, compiled_from: int = COMPILED_FROM
) -> PairVerdicts:
    """Decide probe i against primitive i, n of both.

    Without `compiled` it does not wait for code to be compiled: NumPy filters, and fractions decide the rest. A
    stage is compiled when so many pairs have been left to it.
    """
    compiled = compiled and compiler.can_compile()
    pair = probes.kind, primitives.kind
    codes = np.full(len(probes), UNSURE, np.uint8)
    if pair in FILTERS:
        if compiled:
            filter_loop(*pair)(probes.rows, primitives.rows, FLOAT64, codes)
        else:
            _filter(probes, primitives, codes)
    unsure = np.flatnonzero(codes == UNSURE)
    if compiled and pair in EXACT_SIGNS:
        unsure = _decide_in_stages(probes, primitives, codes, unsure, compiled_from)
    for n in unsure.tolist():
        codes[n] = HIT if meet(probes[n], primitives[n]) else MISS
    return PairVerdicts(codes != MISS, codes == STRICT)


def is_ready(probe: type, primitive: type) -> bool:
    """Whether such pairs' filter has been compiled: its code is in memory or kept on disk."""
    from hitscope.geometry.compiled import is_compiled

    if (probe, primitive) not in FILTERS:
        return True
    if not compiler.is_installed():
        return False
    probes, primitives = (Shapes(kind, np.empty((width(kind), 0))).rows for kind in (probe, primitive))
    return is_compiled(filter_loop(probe, primitive), probes, primitives, FLOAT64, np.empty(0, np.uint8))


def _decide_in_stages(
    probes: Shapes, primitives: Shapes, codes: Codes, unsure: NDArray[np.intp], compiled_from: int
) -> NDArray[np.intp]:
    """Write the codes of the unsure pairs stage by stage; return those that are still unsure."""
    from hitscope.geometry.compiled import is_compiled

    pair = probes.kind, primitives.kind
    for stage in EXACT_SIGNS[pair].stages:
        if not unsure.size:
            break
        arguments = probes.rows, primitives.rows, unsure, codes
        loop, _left[*pair, stage] = exact_loop(*pair, stage), _left[*pair, stage] + unsure.size
        if _left[*pair, stage] >= compiled_from or is_compiled(loop, *arguments):
            loop(*arguments)
            unsure = unsure[codes[unsure] == UNSURE]
    return unsure


def _filter(probes: Shapes, primitives: Shapes, codes: Codes) -> None:
    """Write the filter's codes, found with NumPy."""
    prepare, _, decide = FILTERS[probes.kind, primitives.kind]
    bounds, interiors = BOUNDS[primitives.kind], INTERIORS[primitives.kind]
    probe_of, primitive_of = builder(probes.kind), builder(primitives.kind)
    with np.errstate(all="ignore"):
        for start in range(0, codes.size, CHUNK):
            part = slice(start, start + CHUNK)
            probe, primitive = probe_of(probes.rows[:, part]), primitive_of(primitives.rows[:, part])
            prepared = prepare(probe, *bounds(primitive), FLOAT64)
            apart, meets = decide(prepared, primitive)
            codes[part] = verdict(apart, meets, interiors(prepared, primitive))
