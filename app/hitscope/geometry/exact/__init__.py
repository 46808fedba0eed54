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

from hitscope.geometry.exact.distance import distance, nearest
from hitscope.geometry.exact.integers import Vector
from hitscope.geometry.exact.relation import Bound, Relation, meet, relation
from hitscope.geometry.exact.rounding import rounded, unit
from hitscope.geometry.exact.separation import Axis, Entry, witness
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.registry import Method, register
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Line, Ray, Segment, Shape

LINEAR = ("segment", "ray", "line")


def exact(probe: Shape, primitive: Shape) -> bool | tuple[bool, Bound | None, Bound | None, Vector | None]:
    """Say exactly whether the sets meet and, of a linear probe, at which t it enters and leaves."""
    found = relation(probe, primitive)
    if isinstance(probe, Segment | Ray | Line):
        return found.hit, found.t_enter, found.t_exit, found.normal
    return found.hit


for _answers, _probes in (
    (("t_enter", "t_exit", "normal"), LINEAR),
    ((), tuple(word for word in PROBES if word not in LINEAR)),
):
    register(
        Method(
            name="exact",
            function=exact,
            pairs=tuple(f"{probe}_{primitive}" for probe in _probes for primitive in PRIMITIVES),
            source="hitscope; clipping after Cyrus and Beck 1978, Sutherland and Hodgman 1974, without rounding",
            answers=_answers,
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
    "exact",
    "meet",
    "nearest",
    "relation",
    "rounded",
    "unit",
    "witness",
]
