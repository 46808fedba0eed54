"""The verdict that is right: `exact`, the default method of every pair, on the stored numbers as they are.

It is one routine for every pair, slow and plain: the probe's interval or polygon clipped by the primitive's
slabs, in integers and fractions. Sets, states and rounding are those that the scene format defines.
"""

from hitscope.geometry.exact.distance import distance
from hitscope.geometry.exact.integers import Vector
from hitscope.geometry.exact.relation import Bound, Relation, meet, relation
from hitscope.geometry.exact.rounding import rounded, unit
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

__all__ = ["Bound", "Relation", "convex_set", "distance", "exact", "meet", "relation", "rounded", "unit"]
