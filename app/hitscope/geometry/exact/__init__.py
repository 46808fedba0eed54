"""The verdict that is right: `exact`, the default method of every pair, on the stored numbers as they are.

A shape is the closed set that its stored numbers define, in the sense of the scene format, and the verdict, the
state, t and the entry face are found without rounding; only what is given out is rounded, once. Of faces that a
probe enters at the same t the one of the lowest axis, edge or plane index gives the normal.

What decides:

- Every single pair, and every pair but the following: the probe's t interval, or the polygons that bound it,
  clipped by the primitive's slabs in integers and fractions (`relation`, on the sets of `sets` and `hull`).
- Point, segment, ray, line, triangle and box against many axis-aligned boxes, segment, ray and line against many
  triangles, point, segment, ray and line against many oriented boxes: a float filter with a proven bound
  (`filters`), run on NumPy arrays or compiled (`many`).
- What the filter leaves open (`settle`): orient2d and orient3d in expansions (`kernels`), compiled, but for
  oriented boxes; and clipping for what leaves float64's range or lies in one plane.

`make fuzz` puts all of it against oracles that share nothing with it (verdict, t and, in every tenth case, state).
Its last run, of a fifth of the cases where a filter decides:

| pair | decided by | against | cases | wrong |
| --- | --- | --- | ---: | ---: |
| segment_aabb | filter, predicates | clipping | 200,000 | 0 |
| ray_aabb | filter, predicates | clipping | 200,000 | 0 |
| line_aabb | filter, predicates | clipping | 200,000 | 0 |
| point_aabb | filter | clipping | 200,000 | 0 |
| aabb_aabb | filter | clipping | 200,000 | 0 |
| triangle_aabb | filter, predicates | clipping | 200,000 | 0 |
| segment_triangle | filter, predicates | clipping | 200,000 | 0 |
| ray_triangle | filter, predicates | clipping | 200,000 | 0 |
| line_triangle | filter, predicates | clipping | 200,000 | 0 |
| segment_obb | filter | clipping | 200,000 | 0 |
| ray_obb | filter | clipping | 200,000 | 0 |
| line_obb | filter | clipping | 200,000 | 0 |
| point_obb | filter | clipping | 200,000 | 0 |
| each of the 48 pairs | clipping | elimination | 10,000 | 0 |
"""

from hitscope.geometry.answers import NO_T_RANGE_NORMAL, UNKNOWN_VECTOR, TRangeNormal
from hitscope.geometry.exact.distance import distance, nearest
from hitscope.geometry.exact.relation import Bound, Relation, meet, relation
from hitscope.geometry.exact.rounding import rounded, square_root, unit
from hitscope.geometry.exact.separation import Axis, Entry, witness
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.registry import Method, register
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Line, Ray, Segment, Shape

LINEAR = ("segment", "ray", "line")


def exact_range(probe: Segment | Ray | Line, primitive: Shape) -> TRangeNormal:
    """The exact t at which a linear probe enters and leaves a primitive, and the normal of the face it enters."""
    found = relation(probe, primitive)
    if found.t_enter is None or found.t_exit is None:
        return NO_T_RANGE_NORMAL
    return TRangeNormal(True, found.t_enter, found.t_exit, found.normal or UNKNOWN_VECTOR)  # type: ignore[arg-type]


def exact_hit(probe: Shape, primitive: Shape) -> bool:
    """Whether the closed sets have a common point."""
    return relation(probe, primitive).hit


for _function, _probes in (
    (exact_range, LINEAR),
    (exact_hit, tuple(word for word in PROBES if word not in LINEAR)),
):
    register(
        Method(
            name="exact",
            function=_function,
            pairs=tuple(f"{probe}_{primitive}" for probe in _probes for primitive in PRIMITIVES),
            source="hitscope; clipping after Cyrus and Beck 1978, Sutherland and Hodgman 1974, without rounding",
            readings=("interpreted", "stepped"),
        )
    )

__all__ = [
    "Axis",
    "Bound",
    "Entry",
    "Relation",
    "convex_set",
    "distance",
    "meet",
    "nearest",
    "relation",
    "rounded",
    "square_root",
    "unit",
    "witness",
]
