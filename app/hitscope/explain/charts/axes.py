"""The candidate axes of the separating axis theorem, with the shadow that each of two bodies casts on them."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from math import isfinite, isinf, prod
from typing import NamedTuple

from hitscope.explain.charts.marks import Drawing, Scale, Sheet, Tone, width_of
from hitscope.explain.charts.method_axes import axes_of_method
from hitscope.geometry import exact
from hitscope.geometry.exact.integers import Vector, times
from hitscope.geometry.registry import EXACT, Method
from hitscope.geometry.shapes import Shape, Vec3, word
from hitscope.geometry.vector import cross, dot, subtract
from hitscope.numerals import typeset, typeset_name

MOST_ROWS = 64
"""The most axes that a chart takes from the general order: two large polyhedra have millions."""
NEARLY_PARALLEL = Fraction(1, 10**6)
"""The sine of an angle between edges below which their cross product, in a method, is mostly rounding."""


class AxisRow(NamedTuple):
    """An axis, from the primitive to the probe, and lengths along it, rounded once; the gap's sign is exact."""

    kind: exact.AxisKind
    probe: str | None
    """The feature of the probe that the axis comes from; None where it comes from the primitive alone."""
    primitive: str | None
    vector: Vector
    """The axis in whole numbers, not unit; zero where two edges are parallel."""
    unit: Vec3 | None
    """None of an axis without direction, as are shadows and gap."""
    probe_shadow: tuple[float, float] | None
    primitive_shadow: tuple[float, float] | None
    gap: float | None
    """Between the shadows; minus their overlap, measured as the way of the probe out of it."""

    degenerate: bool
    """Whether it is the cross product of edges that are parallel, or so nearly that methods get rounding only."""

    @property
    def separates(self) -> bool:
        """Whether there is a gap between the shadows."""
        return self.gap is not None and self.gap > 0


class AxisChart(NamedTuple):
    """The axes in the order in which the method takes them."""

    rows: tuple[AxisRow, ...]
    tried: int
    """How many of them the method takes: none after the first that separates, if it takes them in order."""
    left_out: int
    """How many axes more there are."""
    marked: int | None
    """The index of the axis that decides: of a miss the one that separates, of a hit that of the least overlap."""
    hit: bool
    """The exact verdict."""
    names: tuple[str, str]
    """The types of probe and primitive, e.g. "triangle" and "aabb"."""


class SceneShadow(NamedTuple):
    """A shadow as a line in the scene's coordinates, and the points of the body that cast its two ends."""

    ends: tuple[Vec3, Vec3]
    cast_by: tuple[Vec3, Vec3]


def axis_chart(method: Method, probe: Shape, primitive: Shape) -> AxisChart:
    """Return the axes that may separate two convex sets, in the order of the method where it has one."""
    axes = axes_of_method(method, probe, primitive)
    is_in_order, left_out = axes is not None, 0
    if axes is None:
        axes = list(islice(exact.all_axes(probe, primitive), MOST_ROWS))
        left_out = sum(len(exact.normals(shape)) for shape in (probe, primitive)) - len(axes)
        left_out += prod(len(exact.edges(shape)) for shape in (probe, primitive))
    rows = [_row(axis, probe, primitive) for axis in axes]
    hit = exact.meet(probe, primitive)
    gaps = {k: row.gap for k, row in enumerate(rows) if row.gap is not None}
    separating = (k for k, row in enumerate(rows) if row.separates)
    marked = max(gaps, key=gaps.__getitem__, default=None) if hit else next(separating, None)
    tried = len(rows) if hit or marked is None or not is_in_order else marked + 1
    if marked is None or left_out or method.name == EXACT:
        found = exact.witness(probe, primitive)
        if isinstance(found, exact.Axis):
            wanted = found.kind, found.probe, found.primitive, found.vector
            marked = next((k for k, row in enumerate(rows) if row[:4] == wanted), None)
            if marked is None:
                _, own, target, gap = exact.shadows(probe, primitive, found.vector)
                rows.append(AxisRow(*wanted, exact.unit(found.vector), own, target, gap, degenerate=False))
                marked = len(rows) - 1
                left_out -= found.kind != "nearest points" and left_out > 0
    return AxisChart(tuple(rows), tried, left_out, marked, hit, (word(probe), word(primitive)))


def _row(axis: exact.Candidate, probe: Shape, primitive: Shape) -> AxisRow:
    """Return an axis turned from the primitive to the probe, i.e. where the gap is wider, with both shadows."""
    kind, vector, edge, other = axis
    largest = Fraction(0)
    if kind == "edge cross edge" and edge and other:
        largest = NEARLY_PARALLEL**2 * dot(edge.vector, edge.vector) * dot(other.vector, other.vector)
    degenerate = dot(vector, vector) <= largest
    if not any(vector):
        return AxisRow(kind, *axis.features(turned=False), vector, None, None, None, None, degenerate)
    turned, own, target, gap = exact.shadows(probe, primitive, vector)
    vector = times(vector, -1) if turned else vector
    return AxisRow(kind, *axis.features(turned), vector, exact.unit(vector), own, target, gap, degenerate)


def scene_shadows(row: AxisRow, probe: Shape, primitive: Shape) -> tuple[SceneShadow, SceneShadow] | None:
    """Return the shadows of a pair on two lines beside both; None of an unbounded one, and beyond float64."""
    shadows = (*(row.probe_shadow or ()), *(row.primitive_shadow or ()))
    if row.unit is None or not shadows or any(map(isinf, shadows)):
        return None
    own, theirs = _balls(probe), _balls(primitive)
    near, far = _feet_beside(row.unit, [*own, *theirs])
    first, second = _scene_shadow(row.unit, far, own), _scene_shadow(row.unit, near, theirs)
    ends = (*first.ends, *second.ends)
    return (first, second) if all(isfinite(number) for end in ends for number in end) else None


def _balls(shape: Shape) -> list[tuple[Vec3, float]]:
    """Return the corners of a bounded shape's core with its radius around each: the shape is the hull of these."""
    radius = float(exact.radius_of(shape))
    return [(exact.rounded_point(corner), radius) for corner in exact.corners(shape)]


def _scene_shadow(unit: Vec3, foot: Vec3, balls: Sequence[tuple[Vec3, float]]) -> SceneShadow:
    points = [_moved(center, sign * radius, unit) for center, radius in balls for sign in (-1.0, 1.0)]
    lowest, highest = (of(points, key=lambda point: dot(unit, point)) for of in (min, max))
    low, high = (_moved(foot, dot(unit, subtract(point, foot)), unit) for point in (lowest, highest))
    return SceneShadow((low, high), (lowest, highest))


def _feet_beside(unit: Vec3, balls: Sequence[tuple[Vec3, float]]) -> tuple[Vec3, Vec3]:
    """Return a point of each of two lines along an axis that are beside all balls, where these reach least."""
    x, y, z = (sum(numbers) / len(balls) for numbers in zip(*(center for center, _ in balls), strict=True))
    least = min(range(3), key=lambda i: abs(unit[i]))
    a, b, c = cross(unit, (float(least == 0), float(least == 1), float(least == 2)))
    across = exact.unit((Fraction(a), Fraction(b), Fraction(c))) or unit
    ways = [_moved((0.0, 0.0, 0.0), sign, way) for way in (across, cross(unit, across)) for sign in (1.0, -1.0)]
    reaches = [max(dot(way, subtract(center, (x, y, z))) + radius for center, radius in balls) for way in ways]
    nearest = min(range(4), key=reaches.__getitem__)
    near, far = (reaches[nearest] + part * max(reaches) for part in (0.1, 0.16))
    return _moved((x, y, z), near, ways[nearest]), _moved((x, y, z), far, ways[nearest])


def _moved(point: Vec3, length: float, way: Vec3) -> Vec3:
    return point[0] + length * way[0], point[1] + length * way[1], point[2] + length * way[2]


ROW = 1.55
INDEX = 1.5
SMALL = 0.85


def draw_axes(chart: AxisChart, width: float) -> Drawing:
    """Draw the axes on a width in em."""
    sheet = Sheet()
    names = [axis_name(row) for row in chart.rows]
    labels = min(max((width_of(name, SMALL) for name in names), default=0.0), 0.45 * width) + INDEX + 0.7
    left, right = labels + 0.4, width - 5.9
    words = _words(chart, names)
    top = sheet.paragraph(0.4, 0.1, width - 0.8, words, "hit" if chart.hit else "miss") + 0.8
    probe, primitive = chart.names
    if probe == primitive:
        probe, primitive = f"probe {probe}", f"primitive {primitive}"
    second = 1.6 + width_of(primitive, SMALL) + 0.9
    sheet.bar(0.4, 1.3, top - 0.2, top + 0.2, "primitive", 0.9)
    sheet.text((1.6, top), primitive, "quiet", size=SMALL)
    sheet.bar(second, second + 0.9, top - 0.2, top + 0.2, "probe", 0.9)
    sheet.text((second + 1.2, top), probe, "quiet", size=SMALL)
    sheet.text((width - 0.4, top), "gap or −overlap", "quiet", "right", size=SMALL)
    span = max((size for row in chart.rows if isfinite(size := _size(row))), default=1.0) or 1.0
    scale = Scale(-0.52 * span, 0.52 * span, left, right)
    top += 0.8
    for k, row in enumerate(chart.rows):
        with sheet.row(k, top, top + ROW, 1.0 if k < chart.tried or k == chart.marked else 0.45):
            _draw_row(sheet, scale, row, k, k == chart.marked, width, top)
        top += ROW
    if chart.left_out:
        sheet.text((0.4, top + 0.8), f"{chart.left_out:,} more axes", "quiet", size=SMALL)
        top += 1.4
    return sheet.drawing(width, top + 0.3, f"Separating axes: {words}")


def axis_name(row: AxisRow) -> str:
    own, theirs = (None if name is None else typeset_name(name) for name in (row.probe, row.primitive))
    match row.kind:
        case "edge cross edge":
            return f"{theirs} × {own}".replace(" × edge", " ×")
        case "edge normal":
            return f"across {own or theirs}"
        case "nearest points":
            return row.kind
    if own and theirs and own != theirs:
        return f"{theirs}, {own}"
    return theirs or f"{own} of probe"


def _draw_row(sheet: Sheet, scale: Scale, row: AxisRow, k: int, is_marked: bool, width: float, top: float) -> None:
    """Draw an axis with its shadows, their middle in that of the scale."""
    middle = top + ROW / 2
    sheet.text((INDEX, middle), str(k + 1), "quiet", "right", size=0.75)
    if is_marked:
        sheet.frame(0.25, width - 0.1, top + 0.06, top + ROW - 0.06, "miss" if row.separates else "hit")
    sheet.text((INDEX + 0.4, middle), axis_name(row), "quiet" if row.degenerate else "text", size=SMALL)
    if row.probe_shadow is None or row.primitive_shadow is None:
        sheet.text((scale.at(0.0), middle + 0.02), "parallel edges", "quiet", "middle", size=0.75)
        sheet.text((width - 0.4, middle), "–", "quiet", "right", size=SMALL)
        return
    both = (*row.probe_shadow, *row.primitive_shadow)
    ends = list(filter(isfinite, both))
    center = (min(ends) + max(ends)) / 2 if ends else 0.0
    scale = scale._replace(lo=center + scale.lo, hi=center + scale.hi)
    strength = 0.3 if row.degenerate else 0.95
    # Of the four ends, the gap or the overlap is between the middle two.
    _, first, last, _ = sorted(map(scale.at, both))
    between: Tone = "miss" if row.separates else "hit"
    sheet.bar(first, max(last, first + 0.12), middle - 0.48, middle + 0.48, between, 0.25 * strength)
    tones: tuple[Tone, Tone] = "primitive", "probe"
    for (start, end), y, whose in zip((row.primitive_shadow, row.probe_shadow), (-0.25, 0.25), tones, strict=True):
        first, last = scale.at(start), scale.at(end)
        sheet.bar(first, max(last, first + 0.15), middle + y - 0.17, middle + y + 0.17, whose, strength)
    tone: Tone = "miss" if row.separates and not row.degenerate else "text" if is_marked else "quiet"
    sheet.text((width - 0.4, middle), typeset(row.gap), tone, "right", size=SMALL)


def _words(chart: AxisChart, names: list[str]) -> str:
    if chart.marked is None:
        return "Hit: no axis has a direction" if chart.hit else "Miss"
    row = chart.rows[chart.marked]
    if chart.hit:
        verb = "touching" if row.gap == 0 else f"overlap of {typeset(-(row.gap or 0.0))}, the least,"
        return f"Hit: {verb} along {chart.marked + 1}, {names[chart.marked]}"
    return f"Miss: a gap of {typeset(row.gap)} along {chart.marked + 1}, {names[chart.marked]}"


def _size(row: AxisRow) -> float:
    ends = (*(row.probe_shadow or ()), *(row.primitive_shadow or ()))
    return max(ends) - min(ends) if ends else 0.0
