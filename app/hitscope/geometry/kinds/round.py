"""Round shapes: all points within a radius of a core."""

from typing import TYPE_CHECKING, NamedTuple, Self

from hitscope.geometry import checks
from hitscope.geometry.kinds.polyhedra import Polyhedron
from hitscope.geometry.kinds.record import Array, Kind, Number, Vec3, Vector, checked, grown, of_points, spans_of


@checked(lambda sphere: checks.check_radius(sphere.radius))
class Sphere(NamedTuple("Sphere", [("center", Vec3), ("radius", float)])):
    """The points within a radius of a center.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Ray, Sphere, intersect
    >>> intersect(Ray((0, 0, 5), (0, 0, -1)), Sphere((0, 0, 0), radius=2)).t_enter
    3.0
    """

    if TYPE_CHECKING:

        def __new__(cls, center: Vector, radius: Number) -> Self: ...


@checked(lambda capsule: checks.check_radius(capsule.radius))
class Capsule(NamedTuple("Capsule", [("start", Vec3), ("end", Vec3), ("radius", float)])):
    """The points within a radius of the segment from a start to an end.

    Vectors are any sequences or arrays of three numbers, and are kept as tuples.

    >>> from hitscope import Capsule, Ray, intersect
    >>> intersect(Ray((0, 0, 5), (0, 0, -1)), Capsule((-1, 0, 0), (1, 0, 0), radius=2)).t_enter
    3.0
    """

    if TYPE_CHECKING:

        def __new__(cls, start: Vector, end: Vector, radius: Number) -> Self: ...


def within_radius(rows: Array) -> tuple[Array, Array]:
    """Return the bounds of shapes whose rows are points and a radius."""
    return grown(*of_points(rows[:-1]), -rows[-1], rows[-1])


SPHERE = Kind(
    Sphere,
    3,
    Sphere._make(((0.0, 0.0, 0.0), 1.0)),
    bounds=within_radius,
    in_hierarchy=True,
    core=lambda sphere: Polyhedron._make(((), (sphere.center,))),
    radius=lambda sphere: sphere.radius,
    core_features={"vertex 0": "surface"},
    spans=lambda rows: spans_of(rows[:-1]),
    corner_names=("center",),
    feature_names=("surface",),
    faults=(("negative radii", lambda rows: rows[-1] < 0),),
)
CAPSULE = SPHERE._replace(
    shape=Capsule,
    example=Capsule._make(((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.5)),
    points=lambda capsule: capsule[:2],
    core=lambda capsule: Polyhedron._make(((), (capsule.start, capsule.end))),
    core_features={"edge 0-1": "side", "vertex 0": "start cap", "vertex 1": "end cap"},
    corner_names=("start", "end"),
    feature_names=("side", "start cap", "end cap"),
)
