"""A plane, or the plane of a triangle, and a probe: signed distances, and the crossing with its angles."""

from collections.abc import Iterator
from fractions import Fraction
from math import atan2, degrees, fsum, inf, isfinite, isinf, isnan, nan
from typing import Literal, NamedTuple, TypeAlias

from hitscope.explain.charts.marks import Align, At, Drawing, Scale, Sheet, Tone, ticks, width_of
from hitscope.geometry import exact
from hitscope.geometry.exact import LinearProbe, linear_probe, square_root
from hitscope.geometry.exact.integers import ExactPoint, Homogeneous, exact_point
from hitscope.geometry.shapes import Line, Plane, Ray, Segment, Shape, Triangle, Vec3, is_linear
from hitscope.geometry.vector import cross, dot, subtract, vec3
from hitscope.numerals import typeset, typeset_name

Side: TypeAlias = Literal["front", "on", "back"]
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
    """Return how a pair lies to a plane or, linear, to a triangle's; None of a triangle without area."""
    plane = _plane_of(primitive)
    if not any(plane.normal):
        return None
    hit = exact.meet(probe, primitive)
    if not is_linear(probe):
        return FlatChart(tuple(_ends_of_body(probe, plane)), None, hit, nan, nan)
    line = linear_probe(probe)
    ends = [_end("start" if isinstance(probe, Segment) else "origin", (*line.origin, line.w), plane)]
    if isinstance(probe, Segment):
        ends.append(_end("end", line.at(Fraction(1)), plane))
    speed = dot(plane.normal, _exact_vector(line.direction))
    for way in AWAY.get(type(probe), ()):
        end = ends[0]._replace(name="t = inf" if way > 0 else "t = -inf", point=None)
        if climb := way * speed:
            end = end._replace(distance=inf if climb > 0 else -inf, side="front" if climb > 0 else "back")
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
    point, length = exact_point(at), square_root(dot(plane.normal, plane.normal))
    height = dot(plane.normal, point) - plane.offset
    distance = height / length + above
    if height * above < 0:
        # The difference of two lengths without cancellation, and with its exact sign.
        distance = (height**2 / dot(plane.normal, plane.normal) - above**2) / (height / length - above)
    x, y, z = (p + above / length * n for p, n in zip(point, plane.normal, strict=True))
    sign = (distance > 0) - (distance < 0)
    sides: tuple[Side, ...] = ("on", "front", "back")
    return End(name, _rounded((x, y, z)), exact.rounded(distance) or sign * 5e-324, sides[sign])


def _crossing(line: LinearProbe, plane: ExactPlane, speed: Fraction, primitive: Plane | Triangle) -> Crossing:
    t = (plane.offset * line.w - dot(plane.normal, _exact_vector(line.origin))) / speed
    at = exact_point(line.at(t))
    is_on_probe = bool(line.t_min <= t <= line.t_max)
    if isinstance(primitive, Plane):
        return Crossing(t, _rounded(at), is_on_probe, (), (0.0, 0.0), None)
    a, b, c = (_exact_vector(corner) for corner in primitive)
    normal, squared = plane.normal, dot(plane.normal, plane.normal)
    corners, is_inside = [], True
    for k, (p, q, r) in enumerate(((a, b, c), (b, c, a), (c, a, b))):
        weight = dot(cross(subtract(r, q), subtract(at, q)), normal) / squared
        angle = _angle(subtract(p, at), subtract(q, at))
        corners.append(Corner(f"vertex {k}", exact.rounded(weight), angle, _in_plane(p, a, b, normal)))
        is_inside = is_inside and weight >= 0
    return Crossing(t, _rounded(at), is_on_probe, tuple(corners), _in_plane(at, a, b, normal), is_inside)


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
    x, y = (dot(offset, way) / square_root(dot(way, way)) for way in (along, cross(normal, along)))
    return exact.rounded(x), exact.rounded(y)


def _exact_vector(point: Vec3) -> ExactPoint:
    return vec3(map(Fraction, point))


def _rounded(point: ExactPoint) -> Vec3:
    return vec3(map(exact.rounded, point))


HEIGHT, LOW = 7.0, 5.6
TRIANGLE = 8.0
TABLE = 12.4
LABEL = 1.4
SIDES: dict[str, Tone] = {"front": "interval", "on": "hit", "back": "exit"}
SMALL = 0.85


def draw_flat(chart: FlatChart, width: float) -> Drawing:
    """Draw the distances from the plane and, of a triangle, the crossing in it, on a width in em."""
    sheet = Sheet()
    lines = _words(chart)
    verdict: Tone = "hit" if chart.hit else "miss"
    top = sheet.paragraphs(width, ((words, "quiet" if k else verdict) for k, words in enumerate(lines)))
    left, right, top = 4.2, width - 0.6, top + 0.4
    has_triangle = chart.crossing is not None and bool(chart.crossing.corners)
    bottom = top + (LOW if has_triangle else HEIGHT)
    largest = max((abs(end.distance) for end in chart.ends if isfinite(end.distance)), default=0.0) or 1.0
    # The text beyond an end needs as much as LABEL.
    reach = largest * (bottom - top) / (bottom - top - 2 * LABEL)
    up = Scale(-reach, reach, bottom, top)
    middle = up.at(0.0)
    sheet.bar(left, right, top, middle, SIDES["front"], 0.08)
    sheet.bar(left, right, middle, bottom, SIDES["back"], 0.08)
    sheet.line((left, middle), (right, middle), "text", 0.6, 1.5)
    for words, y, tone in (("front", top + 0.7, "front"), ("plane", middle, ""), ("back", bottom - 0.7, "back")):
        sheet.text((left - 0.5, y), words, SIDES.get(tone, "quiet"), "right", size=SMALL)
    if isnan(chart.t_min):
        _draw_vertices(sheet, chart, Scale(-0.5, len(chart.ends) - 0.5, left, right), up)
    else:
        _draw_line(sheet, chart, Scale(*_times(chart), left, right), up)
    bottom += 1.3
    if chart.crossing is not None and has_triangle:
        bottom = _draw_triangle(sheet, chart.crossing, width, bottom + 0.2)
    return sheet.drawing(width, bottom + 0.2, f"Plane: {lines[0]}")


def _times(chart: FlatChart) -> tuple[float, float]:
    """Return the piece of t that is drawn: what the probe has of the origin, the end and the crossing."""
    shown = [0.0, 1.0] if chart.t_max == 1 else [0.0]
    crossing = None if chart.crossing is None else exact.rounded(chart.crossing.t)
    if crossing is not None and (chart.t_max > 1 or -1 <= crossing <= 2):
        shown.append(crossing)
    size = (max(shown) - min(shown)) or 1.0
    after, before = (0.6 if isinf(chart.t_max) else 0.1), (0.6 if isinf(chart.t_min) else 0.1)
    return min(shown) - before * size, max(shown) + after * size


def _draw_line(sheet: Sheet, chart: FlatChart, along: Scale, up: Scale) -> None:
    origin = next(end for end in chart.ends if end.name in ("start", "origin"))
    slope = _slope(chart, origin, up)

    def at(t: float) -> At:
        return along.at(t), up.at(origin.distance + slope * t)

    # Where the line leaves the drawing above and below.
    edges = (
        sorted((bound - origin.distance) / slope for bound in (up.lo, up.hi)) if slope else [along.lo, along.hi]
    )
    low, high = max(along.lo, edges[0]), min(along.hi, edges[1])
    sheet.dashes(at(low), at(high), "quiet", 0.8)
    sheet.line(at(max(low, chart.t_min)), at(min(high, chart.t_max)), "probe", 1.0, 2.5)
    for t in ticks(along.lo, along.hi):
        sheet.text((along.at(t), up.left + 0.7), typeset(t), "quiet", "middle", size=0.8)
    sheet.text((along.left - 0.5, up.left + 0.7), "t", "quiet", "right", size=0.8)
    for t, end in ((0.0, origin), (1.0, chart.ends[-1])):
        if end.point is not None and (t or end is origin):
            x, y = at(t)
            sheet.dashes((x, up.at(0.0)), (x, y), SIDES[end.side])
            sheet.dot((x, y), "probe", 0.34)
            words = f"{end.name} {typeset(end.distance)}, {end.side}"
            room = width_of(words, SMALL) / 2
            middle = min(max(x, along.left + room + 0.3), along.right - room - 0.3)
            beyond = -0.95 if end.distance >= 0 else 0.95
            sheet.text((middle, y + beyond), words, SIDES[end.side], "middle", size=SMALL)
    if chart.crossing is not None and along.holds(t := exact.rounded(chart.crossing.t)):
        x, y = along.at(t), up.at(0.0)
        sheet.dot((x, y), "entry", 0.34)
        turned: Align = "right" if x > along.left + 0.6 * (along.right - along.left) else "left"
        aside = -0.6 if turned == "right" else 0.6
        # On the side of the line where there is more room.
        below = 0.9 if (slope > 0) == (turned == "left") else -0.9
        sheet.text((x + aside, y + below), f"t = {typeset(t)}", "entry", turned, size=SMALL)


def _slope(chart: FlatChart, origin: End, up: Scale) -> float:
    """Return how fast the distance changes with t; of an endless probe that starts on the plane only its sign."""
    if (other := chart.ends[-1]).point is not None:
        return other.distance - origin.distance if other is not origin else 0.0
    if chart.crossing is None:
        return 0.0
    t = exact.rounded(chart.crossing.t)
    return -origin.distance / t if t else (up.hi if other.side == "front" else up.lo)


def _draw_vertices(sheet: Sheet, chart: FlatChart, along: Scale, up: Scale) -> None:
    for k, end in enumerate(chart.ends):
        x, y = along.at(k), up.at(end.distance)
        sheet.line((x, up.at(0.0)), (x, y), SIDES[end.side], 1.0, 2.0)
        sheet.dot((x, y), "probe", 0.34)
        beyond = 0.95 if end.distance < 0 else -0.95
        sheet.text((x, y + beyond), typeset(end.distance, 4), SIDES[end.side], "middle", SMALL)
        sheet.text((x, up.left + 0.7), typeset_name(end.name.removeprefix("vertex ")), "quiet", "middle", size=0.8)


def _draw_triangle(sheet: Sheet, crossing: Crossing, width: float, top: float) -> float:
    """Draw the triangle from its front with the crossing, and the angles and the coordinates beside it."""
    room: float = min(TRIANGLE * 1.6, width - TABLE - 0.8)
    points = [corner.drawn for corner in crossing.corners]
    (x0, x1), (y0, y1) = ((min(values), max(values)) for values in zip(*points, crossing.drawn, strict=True))
    size = min((room - 2.4) / ((x1 - x0) or 1.0), (TRIANGLE - 2.4) / ((y1 - y0) or 1.0))
    left = 0.4 + (room - (x1 - x0) * size) / 2

    def at(point: At) -> At:
        return left + (point[0] - x0) * size, top + 1.2 + (y1 - point[1]) * size

    a, b, c = map(at, points)
    p = at(crossing.drawn)
    sheet.polygon((a, b, c), "primitive", 0.2)
    for start, end in ((a, b), (b, c), (c, a)):
        sheet.line(start, end, "primitive", 1.0, 1.8)
    middle = (a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3
    for corner, q in zip(crossing.corners, (a, b, c), strict=True):
        sheet.dashes(p, q, "entry", 0.8)
        away = max(((q[0] - middle[0]) ** 2 + (q[1] - middle[1]) ** 2) ** 0.5, 1e-9)
        outward = (q[0] + (q[0] - middle[0]) / away * 0.8, q[1] + (q[1] - middle[1]) / away * 0.8)
        sheet.text(outward, corner.name.removeprefix("vertex "), "text", "middle", size=SMALL)
    sheet.dot(p, "entry", 0.34)
    _write_corners(sheet, crossing, room + 0.8, min(width - 0.4, room + 0.8 + 1.5 * TABLE), top + 0.9)
    height: float = max(2.4 + (y1 - y0) * size, 7.6)
    return top + height


def _write_corners(sheet: Sheet, crossing: Crossing, left: float, right: float, top: float) -> None:
    """Write a table of the weight of each vertex, and of the angle of the edge from it to the next one."""
    middle = left + 0.55 * (right - left)
    sheet.text((middle, top), "weight", "quiet", "right", size=0.8)
    sheet.text((right, top), "angle to next", "quiet", "right", size=0.8)
    for k, corner in enumerate(crossing.corners):
        y = top + 1.35 * (k + 1)
        sheet.text((left, y), str(k), size=SMALL)
        sheet.text((middle, y), typeset(corner.weight), "miss" if corner.weight < 0 else "text", "right", SMALL)
        sheet.text((right, y), f"{typeset(corner.angle)}°", "text", "right", size=SMALL)
    y = top + 1.35 * 4 + 0.2
    sheet.line((left, y - 0.75), (right, y - 0.75), "line")
    tone: Tone = "hit" if crossing.is_inside else "miss"
    sheet.text((left, y), "sum", "quiet", size=SMALL)
    sheet.text((right, y), f"{typeset(crossing.angle_sum, 9)}° of 360°", tone, "right", size=SMALL)


def _words(chart: FlatChart) -> list[str]:
    verdict = "Hit" if chart.hit else "Miss"
    if isnan(chart.t_min):
        counts = ((sum(end.side == side for end in chart.ends), side) for side in SIDES)
        found = ", ".join(f"{count} {side}" for count, side in counts if count)
        points = "points" if any(end.name == LOWEST for end in chart.ends) else "vertices"
        return [f"{verdict}: of the {points} {found}"]
    if (crossing := chart.crossing) is None:
        return [f"{verdict}: parallel to the plane"]
    words = [f"{verdict}: crosses the plane at t = {typeset(exact.rounded(crossing.t))}"]
    if not crossing.is_on_probe:
        words.append("Beyond the probe")
    elif crossing.is_inside is not None:
        words.append(f"{'Inside' if crossing.is_inside else 'Outside'} the triangle")
    return words
