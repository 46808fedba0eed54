"""`exact` for n pairs of a probe and a primitive: a float filter, then the same signs in integers.

A filter decides pairs that are not close. What it leaves is decided by the same signs in exact integers
(`pair_loops`): compiled ones of 192 bits or more for the many whose numbers fit, Python's for the others and the
few. Clipping decides those of an oriented box whose axes are in one plane, and what separating axes in float64
leave unsure of pairs without a filter. The t at which a linear probe enters its own primitive is
computed compiled, or pair by pair.
"""

from collections import Counter
from collections.abc import Container, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from hitscope.float_mode import in_default_mode
from hitscope.geometry import compiler
from hitscope.geometry.arrays import Array, Shapes, builder, width
from hitscope.geometry.exact.clipping import clip_linear, linear_probe
from hitscope.geometry.exact.filters import FLOAT64
from hitscope.geometry.exact.integers import rounded
from hitscope.geometry.exact.margins import surely
from hitscope.geometry.exact.pair_kernels import FILTERS, HIT, MISS, STRICT, UNSURE, Stage, verdict
from hitscope.geometry.exact.pair_loops import decide_in_integers, exact_code, filter_loop, is_stage_compiled
from hitscope.geometry.exact.relation import meet, relation
from hitscope.geometry.exact.sets import convex_set, radius_of
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.shapes import T_RANGES, Aabb, Cast, Obb, Parallelepiped, Plane, Shape, Triangle

FILTERED_FROM = 6
"""The number of pairs from which NumPy filters them faster than Python's integers decide them."""
COMPILED_FROM = 50_000
"""The pairs left to a stage from which its code is compiled: Python's integers take as long for so many."""
ENTERED_AT_ONCE = 8
"""The pairs whose t is computed at once; the last of fewer is repeated."""
WITH_COMPILED_T = frozenset({Aabb, Obb, Parallelepiped, Plane, Triangle})
"""The primitives whose t is computed compiled."""
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

    Without `compiled` it does not wait for code to be compiled: NumPy filters, and Python's integers decide the
    rest. A stage is compiled when so many pairs have been left to it.
    """
    pair = probes.kind, primitives.kind
    is_filtered, compiled = pair in FILTERS, compiled and compiler.can_compile()
    codes = np.full(len(probes), UNSURE, np.uint8)
    if is_filtered and compiled:
        filter_loop(*pair)(probes.rows, primitives.rows, FLOAT64, codes)
    elif is_filtered and len(probes) >= FILTERED_FROM:
        _filter(probes, primitives, codes)
    unsure = np.flatnonzero(codes == UNSURE)
    if unsure.size >= FILTERED_FROM:
        # A filter tells nothing of the largest and the smallest numbers.
        codes[unsure[_are_apart(probes[unsure], primitives[unsure])]] = MISS
        unsure = unsure[codes[unsure] == UNSURE]
        if not is_filtered:
            codes[unsure] = surely(probes[unsure], primitives[unsure])
            unsure = unsure[codes[unsure] == UNSURE]
    if is_filtered and compiled and unsure.size:
        unsure = _decide_in_stages(probes, primitives, codes, unsure, compiled_from)
    if is_filtered:
        numbers = np.vstack((probes.rows[:, unsure], primitives.rows[:, unsure])).T.tolist()
        codes[unsure] = [exact_code(*pair, of_pair) for of_pair in numbers]
    for n in unsure[codes[unsure] == UNSURE].tolist():
        codes[n] = HIT if meet(probes[n], primitives[n]) else MISS
    return PairVerdicts(codes != MISS, codes == STRICT)


def _are_apart(probes: Shapes, primitives: Shapes) -> NDArray[np.bool_]:
    """Return which of n pairs are apart by their bounds; none of types that have none."""
    bounds = KINDS[probes.kind].bounds, KINDS[primitives.kind].bounds
    if bounds[0] is None or bounds[1] is None:
        return np.zeros(len(probes), np.bool_)
    with np.errstate(over="ignore", invalid="ignore"):
        (low, high), (least, greatest) = bounds[0](probes.rows), bounds[1](primitives.rows)
        return np.asarray(((low > greatest) | (high < least)).any(axis=0))


def prepare(probe: type, primitive: type) -> None:
    """Compile, or load, the filter of pairs of two types and their first stage, which decide most of them."""
    probes, primitives = _none_of(probe), _none_of(primitive)
    filter_loop(probe, primitive)(probes.rows, primitives.rows, FLOAT64, np.empty(0, np.uint8))
    for stage in FILTERS[probe, primitive].stages[:1]:
        decide_in_integers(probes, primitives, stage, np.empty(0, np.intp), np.empty(0, np.uint8))


def is_ready(probe: type, primitive: type) -> bool:
    """Whether such pairs' filter has been compiled: its code is in memory or kept on disk."""
    from hitscope.geometry.compiled import is_compiled

    if (probe, primitive) not in FILTERS:
        return True
    if not compiler.is_installed():
        return False
    rows = (_none_of(kind).rows for kind in (probe, primitive))
    return is_compiled(filter_loop(probe, primitive), *rows, FLOAT64, np.empty(0, np.uint8))


def _none_of(kind: type) -> Shapes:
    return Shapes(kind, np.empty((width(kind), 0)))


def _decide_in_stages(
    probes: Shapes, primitives: Shapes, codes: Codes, unsure: NDArray[np.intp], compiled_from: int
) -> NDArray[np.intp]:
    """Write the codes of the unsure pairs stage by stage; return those that are still unsure."""
    pair = probes.kind, primitives.kind
    for stage in FILTERS[pair].stages:
        if not unsure.size:
            break
        _left[*pair, stage] += unsure.size
        if _left[*pair, stage] >= compiled_from or is_stage_compiled(*pair, stage):
            decide_in_integers(probes, primitives, stage, unsure, codes)
            unsure = unsure[codes[unsure] == UNSURE]
    return unsure


def _filter(probes: Shapes, primitives: Shapes, codes: Codes) -> None:
    """Write the filter's codes, found with NumPy."""
    kernels = FILTERS[probes.kind, primitives.kind]
    probe_of, primitive_of = builder(probes.kind), builder(primitives.kind)
    with np.errstate(all="ignore"):
        for start in range(0, codes.size, CHUNK):
            part = slice(start, start + CHUNK)
            probe, primitive = probe_of(probes.rows[:, part]), primitive_of(primitives.rows[:, part])
            prepared = kernels.prepare(probe, *kernels.bounds(primitive), FLOAT64)
            apart, meets = kernels.decide(prepared, primitive)
            codes[part] = verdict(apart, meets, kernels.interiors(prepared, primitive))


class Entries(NamedTuple):
    """The t at which each of n linear probes enters its own primitive, computed in double-double."""

    ts: Array
    """(n,)."""
    errors: Array
    """Bounds of the errors before the ts are rounded, (n,): 0 if right within an ulp, infinite if unknown."""


@in_default_mode
def entries(probes: Sequence[Shape], primitives: Sequence[Shape], compiled: bool = True) -> Entries:
    """Return the ts at which n probes enter primitives that they hit, none of them known if not `compiled`."""
    n = len(probes)
    ts, errors = np.full(max(n, ENTERED_AT_ONCE), np.nan), np.full(max(n, ENTERED_AT_ONCE), np.inf)
    compiled = compiled and n > 0 and compiler.can_compile()
    if compiled and _is_compiled(probes, T_RANGES) and _is_compiled(primitives, WITH_COMPILED_T):
        from hitscope.geometry.exact.linear_blocks import enter_pairs

        t_min, t_max = T_RANGES[probes.kind]
        one, other = (_repeated(shapes.rows, len(ts)).ravel() for shapes in (probes, primitives))
        enter_pairs(len(primitives.rows), one, other, t_max == 1, float(t_min), ts, errors)
    return Entries(ts[:n], errors[:n])


def _is_compiled(shapes: Sequence[Shape], kinds: Container[type]) -> TypeGuard[Shapes]:
    return isinstance(shapes, Shapes) and shapes.kind in kinds


def _repeated(rows: Array, count: int) -> Array:
    """Return the rows with their last column repeated up to so many."""
    missing = count - rows.shape[1]
    return np.pad(rows, ((0, 0), (0, missing)), "edge") if missing else rows


@in_default_mode
def t_enter(probe: Any, primitive: Shape) -> float:
    """Return the t at which a linear probe or a cast enters a primitive that it hits, rounded once."""
    found = (
        relation(probe, primitive)
        if isinstance(probe, Cast) or radius_of(primitive)
        else clip_linear(linear_probe(probe), convex_set(primitive).slabs)
    )
    assert found is not None and found.t_enter is not None, f"{probe} does not hit {primitive}"
    return rounded(found.t_enter)
