"""The exact t of many pairs: of each linear probe and its own primitive."""

from collections.abc import Container, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from hitscope.float_mode import in_default_mode
from hitscope.geometry import compiler
from hitscope.geometry.arrays import Array, Shapes
from hitscope.geometry.exact.clipping import clip_linear, linear_probe
from hitscope.geometry.exact.integers import rounded
from hitscope.geometry.exact.relation import relation
from hitscope.geometry.exact.sets import convex_set, radius_of
from hitscope.geometry.shapes import T_RANGES, Aabb, Cast, Obb, Parallelepiped, Plane, Shape, Triangle

COMPILED = frozenset({Aabb, Obb, Parallelepiped, Plane, Triangle})
"""The primitives whose t is computed compiled."""
COMPILED_FROM = 8
"""The pairs that are computed at once; the last of fewer is repeated."""


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
    ts, errors = np.full(max(n, COMPILED_FROM), np.nan), np.full(max(n, COMPILED_FROM), np.inf)
    compiled = compiled and n > 0 and compiler.can_compile()
    if compiled and _is_compiled(probes, T_RANGES) and _is_compiled(primitives, COMPILED):
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
