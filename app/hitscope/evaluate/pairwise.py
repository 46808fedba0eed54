"""The verdicts on n pairs, probe i against primitive i, by any method."""

from __future__ import annotations  # so that signatures are short in help()

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault, faults_in, shown
from hitscope.evaluate.verdict import check_pair
from hitscope.float_mode import in_default_mode
from hitscope.geometry import batch, compiler, group, registry
from hitscope.geometry.arrays import Shapes, has_width
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Shape, in_floats

Hits = NDArray[np.bool_]


@in_default_mode
@faults_in("hits")
def hits(probes: Sequence[Shape], primitives: Sequence[Shape], method: str = registry.EXACT) -> Hits:
    """Decide probe i against primitive i, n of both; (n,).

    Either is a list of shapes, also of several types, or `Shapes`, which are fast. Raises HitscopeError for
    another thing than a probe or a primitive, for different counts, and for a method that a pair does not have.

    >>> from hitscope import Aabb, Point, hits
    >>> box = Aabb((0, 0, 0), (1, 1, 1))
    >>> hits([Point((1, 1, 1)), Point((2, 1, 1))], [box, box])
    array([ True, False])
    """
    for name, shapes in (("probes", probes), ("primitives", primitives)):
        if not isinstance(shapes, Sequence) or type(shapes) in (*PROBES.values(), *PRIMITIVES.values()):
            raise Fault((name,), "a list of shapes, or Shapes", shown(shapes))
    if not isinstance(method, str):
        raise Fault(("method",), "the name of a method", shown(method))
    if len(probes) != len(primitives):
        raise Fault(("primitives",), f"as many as probes ({len(probes)})", str(len(primitives)))
    if isinstance(probes, Shapes) and isinstance(primitives, Shapes) and len(probes):
        check_pair(probes[0], primitives[0], (0,))
        return _of_one_type(probes, primitives, method)
    indices: dict[tuple[type, type], list[int]] = {}
    both = list(probes), list(primitives)
    for n, (probe, primitive) in enumerate(zip(*both, strict=True)):
        check_pair(probe, primitive, (n,))
        indices.setdefault((type(probe), type(primitive)), []).append(n)
    found = np.empty(len(probes), np.bool_)
    distinct = {id(shape): shape for shapes in both for shape in shapes}  # one shape is often that of many pairs
    floats = {key: in_floats(shape) for key, shape in distinct.items()}
    for of_pair in indices.values():
        a, b = ([floats[id(shapes[n])] for n in of_pair] for shapes in both)
        found[of_pair] = _of_one_type(a, b, method)
    return found


def _of_one_type(probes: Sequence[Shape], primitives: Sequence[Shape], method: str) -> Hits:
    n = len(probes)
    entry = registry.method_of(registry.pair_of(probes[0], primitives[0]), method, ("method",))
    compiled = n >= group.THRESHOLDS.compile_pairs and compiler.can_compile()
    kind: type = type(primitives[0])
    if has_width(kind) and (entry.name == registry.EXACT or (compiled and "compiled" in entry.readings)):
        a, b = (part if isinstance(part, Shapes) else Shapes.of(part) for part in (probes, primitives))
        if entry.name == registry.EXACT:
            from hitscope.geometry.exact import pairwise

            return pairwise.decide(a, b, compiled).hits
        found = np.empty(n, np.bool_)
        batch.method_pair_loop(entry, a.kind, b.kind)(a.rows, b.rows, batch.values(entry, {}), found)
        return found
    chosen = registry.Chosen(entry, {})
    return np.array([group.decide(chosen, *pair) for pair in zip(probes, primitives, strict=True)], np.bool_)
