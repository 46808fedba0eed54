"""A plane, or the plane of a triangle, and a probe: signed distances, and the crossing with its angles."""

from collections.abc import Iterator
from fractions import Fraction
from math import atan2, degrees, fsum, inf, nan
from typing import Literal, NamedTuple, TypeAlias

from hitscope.geometry import exact
from hitscope.geometry.exact import LinearProbe, linear_probe, square_root
from hitscope.geometry.exact.integers import Homogeneous
from hitscope.geometry.shapes import Line, Plane, Ray, Segment, Shape, Triangle, Vec3, is_linear
from hitscope.geometry.vector import cross, dot, subtract

Side: TypeAlias = Literal["front", "on", "back"]
ExactPoint: TypeAlias = tuple[Fraction, Fraction, Fraction]
LOWEST, HIGHEST = "lowest", "highest"
"""The points of a round body with the least and the greatest distance from the plane."""
AWAY: dict[type, tuple[int, ...]] = {Ray: (1,), Line: (-1, 1)}
"""The directions in which a linear probe has no end."""


class End(NamedTuple):
    """An end of a linear probe, or a vertex of a body, and where it is beside the plane."""

    name: str
    point: Vec3 | None
    """None of an end at infinity."""
    distance: float
    """From the plane, rounded once, negative behind it; infinite, or that of all points, of an end at infinity."""
    side: Side


class Corner(NamedTuple):
    """A vertex of a triangle, and its part in the crossing."""

    name: str
    weight: float
    """The barycentric coordinate, rounded once: 1 at the vertex, 0 on the opposite edge, negative beyond it."""
    angle: float
    """In degrees, that the edge to the next vertex subtends at the crossing; NaN at one of its ends."""
    drawn: tuple[float, float]
    """Where the vertex is in the plane of the triangle, in scene units."""


class Crossing(NamedTuple):
    """Where the line of a probe crosses the plane."""

    t: Fraction
    point: Vec3
    is_on_probe: bool
    """Whether t is in the probe's own range."""
    corners: tuple[Corner, ...]
    """The three vertices of a triangle; empty for a plane."""
    drawn: tuple[float, float]
    """Where it is in the plane of the triangle."""
    is_inside: bool | None
    """Whether it is in the triangle, exactly; None of a plane."""

    @property
    def angle_sum(self) -> float:
        """The angles' total in degrees, 360 inside; NaN at a vertex."""
        return fsum(corner.angle for corner in self.corners)


class ExactPlane(NamedTuple):
    """The points with dot(normal, p) = offset."""

    normal: ExactPoint
    offset: Fraction


class FlatChart(NamedTuple):
    """A probe beside a plane."""

    ends: tuple[End, ...]
    crossing: Crossing | None
    """None of a body, and of a linear probe that is parallel to the plane."""
    hit: bool
    """The exact verdict."""
    t_min: float
    """The range of t of a linear probe; NaN of a body."""
    t_max: float


def flat_chart(probe: Shape, primitive: Plane | Triangle) -> FlatChart | None:
    """Return how a linear probe or a body lies to a plane, or a linear probe to a triangle's plane.

    None of a triangle without area, which has no plane.
    """
    plane = _plane_of(primitive)
    if not any(plane.normal):
        return None
    hit = exact.meet(probe, primitive)
    if not is_linear(probe):
        return FlatChart(tuple(_ends_of_body(probe, plane)), None, hit, nan, nan)
    line = linear_probe(probe)
    start = (*line.origin, line.w)
    found = {Segment: ("start",), Ray: ("origin",), Line: ("origin",)}[type(probe)]
    ends = [_end(found[0], start, plane)]
    if isinstance(probe, Segment):
        ends.append(_end("end", line.at(Fraction(1)), plane))
    speed = dot(plane.normal, _exact_vector(line.direction))
    for way in AWAY.get(type(probe), ()):
        name = "t = inf" if way > 0 else "t = -inf"
        climb = way * speed
        end = End(name, None, inf, "front") if climb > 0 else End(name, None, -inf, "back")
        end = end if climb else ends[0]._replace(name=name, point=None)
        ends.insert(0 if way < 0 else len(ends), end)
    crossing = _crossing(line, plane, speed, primitive) if speed else None
    return FlatChart(tuple(ends), crossing, hit, float(line.t_min), float(line.t_max))


def _plane_of(primitive: Plane | Triangle) -> ExactPlane:
    """Return the plane without rounding; of a triangle without area its normal is zero."""
    if isinstance(primitive, Plane):
        return ExactPlane(_exact_vector(primitive.normal), Fraction(primitive.offset))
    a, b, c = map(_exact_vector, primitive)
    normal = cross(subtract(b, a), subtract(c, a))
    return ExactPlane(normal, dot(normal, a))


def _ends_of_body(body: Shape, plane: ExactPlane) -> Iterator[End]:
    """Yield the vertices; of a round body its center, and the lowest and the highest point over the plane."""
    radius = Fraction(exact.radius_of(body))
    for point in exact.corners(body):
        if radius:
            yield _end(LOWEST, point, plane, -radius)
            yield _end("center", point, plane)
            yield _end(HIGHEST, point, plane, radius)
        else:
            yield _end(exact.feature_at(body, point), point, plane)


def _end(name: str, at: Homogeneous, plane: ExactPlane, above: Fraction = Fraction(0)) -> End:
    """Return the end at a distance above a point."""
    point, length = _exact(at), square_root(dot(plane.normal, plane.normal))
    height = dot(plane.normal, point) - plane.offset
    distance = height / length + above
    if height * above < 0:
        # The difference of two lengths without cancellation, and with its exact sign.
        distance = (height**2 / dot(plane.normal, plane.normal) - above**2) / (height / length - above)
    x, y, z = (p + above / length * n for p, n in zip(point, plane.normal, strict=True))
    side: Side = "front" if distance > 0 else "back" if distance < 0 else "on"
    least = 5e-324 if distance > 0 else -5e-324 if distance < 0 else 0.0
    return End(name, _rounded((x, y, z)), exact.rounded(distance) or least, side)


def _crossing(line: LinearProbe, plane: ExactPlane, speed: Fraction, primitive: Plane | Triangle) -> Crossing:
    t = (plane.offset * line.w - dot(plane.normal, _exact_vector(line.origin))) / speed
    at = _exact(line.at(t))
    is_on_probe = bool(line.t_min <= t <= line.t_max)
    if isinstance(primitive, Plane):
        return Crossing(t, _rounded(at), is_on_probe, (), (0.0, 0.0), None)
    a, b, c = (_exact_vector(corner) for corner in primitive)
    normal = cross(subtract(b, a), subtract(c, a))
    squared = dot(normal, normal)
    weights = [
        dot(cross(subtract(end, start), subtract(at, start)), normal) / squared
        for start, end in ((b, c), (c, a), (a, b))
    ]
    angles = [_angle(subtract(p, at), subtract(q, at)) for p, q in ((a, b), (b, c), (c, a))]
    flat = [_in_plane(point, a, b, normal) for point in (a, b, c, at)]
    corners = tuple(
        Corner(f"vertex {k}", exact.rounded(weight), angle, drawn)
        for k, (weight, angle, drawn) in enumerate(zip(weights, angles, flat[:3], strict=True))
    )
    is_inside = all(weight >= 0 for weight in weights)
    return Crossing(t, _rounded(at), is_on_probe, corners, flat[3], is_inside)


def _angle(u: ExactPoint, v: ExactPoint) -> float:
    """Return the angle of two vectors in degrees, within a few ulps; NaN where one has no length."""
    if not any(u) or not any(v):
        return nan
    normal, along = cross(u, v), dot(u, v)
    sine = square_root(dot(normal, normal))
    size = max(sine, abs(along))
    return degrees(atan2(float(sine / size), float(along / size)))


def _in_plane(point: ExactPoint, a: ExactPoint, b: ExactPoint, normal: ExactPoint) -> tuple[float, float]:
    """Return a point's coordinates along the edge from a to b, and across it, seen from the front."""
    along, offset = subtract(b, a), subtract(point, a)
    across = cross(normal, along)
    x, y = (dot(offset, way) / square_root(dot(way, way)) for way in (along, across))
    return exact.rounded(x), exact.rounded(y)


def _exact(point: Homogeneous) -> ExactPoint:
    x, y, z, w = point
    return Fraction(x, w), Fraction(y, w), Fraction(z, w)


def _exact_vector(point: Vec3) -> ExactPoint:
    x, y, z = map(Fraction, point)
    return x, y, z


def _rounded(point: ExactPoint) -> Vec3:
    x, y, z = map(exact.rounded, point)
    return x, y, z
