"""Exact verdicts and distances: `exact` is the default method of every pair.

A shape is the closed set that its float64 numbers define, in the sense of the scene format. Verdict, state, t and
entry face are computed without rounding; only results are rounded, once. Where a probe enters several faces at the
same t, the face of the lowest axis, edge or plane index gives the normal.

Five algorithms share the work:

- Clipping in integers and fractions (`clipping`, on the sets of `sets` and `hull`) decides single pairs, and all
  pairs of types without a filter: the probe's t interval, or the polygons that bound it, are clipped by the
  primitive's slabs. Of a set of many slabs or faces, floats first leave out those that surely change nothing
  (`sides`, `near_faces`). Hulls of many points and intersections of half-spaces are found by `cone`.
- A round shape is all that is within a radius of such a core. Two shapes meet if the squared distance of their
  cores (`gaps`) is at most the square of both radii (`relation`); a probe's t are `roots` (`round_ranges`).
  A body that moves is a segment against the difference of both cores (`casts`). Of a round one floats propose the
  corners between which it enters (`approach`), and signs prove them (`round_ends`); the whole difference is looked
  at only where they refuse.
- A float filter with a proven error bound (`filters`), run on NumPy arrays or compiled, decides most pairs: of a
  probe and many primitives by the bounds of them all (`batch`), of probe i and primitive i by their own
  (`pairwise`). There are filters of point, segment, ray, line, triangle and box against axis-aligned boxes;
  segment, ray and line against triangles; point, segment, ray and line against oriented boxes; these, spheres,
  capsules and cast spheres against spheres and capsules, and round ones against axis-aligned boxes and triangles.
- Many pairs of bounded types without a filter, or with a plane, are decided by separating axes in float64 where no
  axis is near touching or unknown (`margins.surely`), of what moves by those of its whole way, of what is round by
  those of its core and the nearest points of both.
- What a filter leaves unsure is decided, pair by pair, by the signs of the same functions in integers
  (`pair_loops`): compiled ones of 192 to 1024 bits for the many, once their code is compiled, and Python's, which
  have no bounds, for the few and for numbers that differ by more than about 2**190. Clipping decides what is left:
  an oriented box whose axes are in one plane, and what separating axes in floats leave unsure; `gaps` decide round
  shapes but for spheres, whose distance from a linear probe is a matter of signs.

`make fuzz` compares all of them with oracles that share no code with them (verdict, t and, in every tenth case,
state). Its last runs, with a tenth of the cases or less for the pairs that have a filter:

| pair | decided by | against | cases | wrong |
| --- | --- | --- | ---: | ---: |
| each of 33 pairs with a filter, one against many | filter, integers | clipping | 100,000 | 0 |
| each of 33 pairs with a filter, pair by pair | filter, integers | clipping | 2,000 to 100,000 | 0 |
| each of 47 pairs without a filter or radius, pair by pair | axes in floats | clipping | 3,800 to 10,000 | 0 |
| each of 204 pairs with what is round, pair by pair | axes, nearest points in floats | gaps, roots | 400 | 0 |
| each of the 48 pairs without a radius | clipping | elimination | 10,000 | 0 |
| each of the 32 pairs with a sphere or a capsule | gaps, roots | distance of the cores | 10,000 | 0 |
| each of 340 pairs with what is rounded or cast, frusta | differences, roots | oracle | 10 to 100 | 0 |
"""

from hitscope.geometry.answers import NO_T_RANGE_NORMAL, UNKNOWN_VECTOR, TRangeNormal
from hitscope.geometry.exact.casts import contact
from hitscope.geometry.exact.clipping import Bound, LinearProbe, linear_probe
from hitscope.geometry.exact.distance import distance, nearest
from hitscope.geometry.exact.features import Direction, boundary_at, edges, feature_at, normals
from hitscope.geometry.exact.integers import length_of, rounded, rounded_point, square_root, unit
from hitscope.geometry.exact.questions import (
    are_in_a_plane,
    box_ranges,
    box_sides_at,
    contains,
    contains_point,
    corners,
    dimension,
    entry_normals,
    faces,
    is_bounded,
    is_plane,
    line_range,
)
from hitscope.geometry.exact.relation import Relation, meet, relation
from hitscope.geometry.exact.separation import (
    Axis,
    AxisKind,
    Candidate,
    EntryFeature,
    all_axes,
    nearest_points_axis,
    shadows,
    way_out,
    witness,
)
from hitscope.geometry.exact.sets import check_frustum, check_half_spaces, forget_sets, radius_of
from hitscope.geometry.registry import Method, register
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Cast, Line, Ray, Segment, Shape

WITH_T = ("segment", "ray", "line", *(word for word, kind in PROBES.items() if issubclass(kind, Cast)))
"""The words of the probes that enter and leave."""


def exact_range(probe: Segment | Ray | Line | Cast, primitive: Shape) -> TRangeNormal:
    """The exact t at which a probe enters and leaves a primitive, and the normal there.

    Of a body that moves they are those of the first and the last common point.
    """
    found = relation(probe, primitive)
    if found.t_enter is None or found.t_exit is None:
        return NO_T_RANGE_NORMAL
    return TRangeNormal(True, found.t_enter, found.t_exit, found.normal or UNKNOWN_VECTOR)  # type: ignore[arg-type]


def exact_hit(probe: Shape, primitive: Shape) -> bool:
    """Whether the closed sets have a common point."""
    return relation(probe, primitive).hit


for _function, _probes in (
    (exact_range, WITH_T),
    (exact_hit, tuple(word for word in PROBES if word not in WITH_T)),
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
