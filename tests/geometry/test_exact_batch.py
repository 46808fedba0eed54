"""`exact` against many primitives, on NumPy arrays and compiled: the same verdicts as pair by pair."""

from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from hitscope.geometry import exact
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact import pair_loops
from hitscope.geometry.exact.batch import ExactBatch, may_be_first, meet_each
from hitscope.geometry.exact.pair_kernels import CAST_SPHERE, FILTERS
from hitscope.geometry.kinds import word_of
from hitscope.geometry.shapes import Aabb, Capsule, Cast, Line, Obb, Point, Ray, Segment, Sphere, Triangle
from tests.geometry import cases

pytestmark = pytest.mark.xdist_group("exact filters")  # so that no two workers compile the same at a time

PAIRS = [f"{word_of(probe)}_{word_of(primitive)}" for probe, primitive in FILTERS]
LINEAR = ("segment", "ray", "line")
AXES = cases.FRAMES[0]

every_pair = pytest.mark.parametrize("pair", PAIRS)
both_readings = pytest.mark.parametrize("compiled", [False, True], ids=["numpy", "compiled"])


def hits(probe, primitives, compiled=True):
    """Return the verdicts of one probe."""
    found = np.empty((1, len(primitives)), dtype=np.bool_)
    ExactBatch(Shapes.of(primitives)).decide(
        Shapes.of([probe]), slice(0, 1), slice(0, len(primitives)), compiled, found
    )
    return found[0].tolist()


def assert_as_pair_by_pair(probe, primitives, *readings):
    expected = [exact.meet(probe, primitive) for primitive in primitives]
    for compiled in readings or (True,):
        assert hits(probe, primitives, compiled) == expected, f"{compiled=}"


@cache
def judged_batch(pair, seed):
    """Return a probe, primitives and the exact verdicts on them."""
    probe, primitives = cases.batch(pair, seed, 30)
    return probe, primitives, [exact.meet(probe, primitive) for primitive in primitives]


@every_pair
def test_hard_cases(pair):
    for seed in range(20):
        probe, primitives, expected = judged_batch(pair, seed)
        for compiled in (False, True):
            assert hits(probe, primitives, compiled) == expected, f"{compiled=}"


@every_pair
def test_all_magnitudes_at_once(pair):
    for seed in range(20):
        probe, first = cases.pair(pair, seed)
        others = [cases.pair(pair, 40 + 9 * seed + k)[1] for k in range(20)]
        assert_as_pair_by_pair(probe, [first, *others])


@pytest.fixture
def always_coarse(monkeypatch):
    """Let float32 numbers decide what they can, of any number of boxes and from the first probe on."""
    for name, size in {"COARSE_BOXES": 0, "COARSE_FROM": 1, "FEW": 0}.items():
        monkeypatch.setattr(f"hitscope.geometry.exact.batch.{name}", size)


def near_and_hits(probe, boxes):
    """Return which boxes float32 numbers find near, None where these cannot tell, and the verdicts."""
    batch, probes = ExactBatch(Shapes.of(boxes)), Shapes.of([probe])
    batch.measure(probes)
    near, found = (np.empty((1, len(boxes)), np.bool_) for _ in range(2))
    indices = batch._near(probes, (0, 1, 0, len(boxes)), near)
    batch.decide(probes, slice(0, 1), slice(0, len(boxes)), True, found)
    return None if indices is None else near[0].tolist(), found[0].tolist()


@pytest.mark.parametrize("kind", [*LINEAR, "point", "aabb", "triangle", "sphere", "capsule", "cast_sphere"])
def test_boxes_in_float32_lose_no_hit(kind, always_coarse):
    told = 0
    tells = kind in (*LINEAR, "point", "aabb")
    for seed in range(120 if tells else 20):
        probe, boxes, expected = judged_batch(f"{kind}_aabb", seed)
        near, found = near_and_hits(probe, boxes)
        assert found == expected, seed
        told += near is not None
        assert near is None or all(is_near for is_near, hit in zip(near, expected, strict=True) if hit), seed
    assert told > 40 if tells else told == 0


@pytest.mark.parametrize("kind", LINEAR)
def test_boxes_in_float32_around_a_line_that_they_graze(kind, always_coarse):
    random, excluded = Random(7), 0
    for _ in range(60):
        scale, far = 2.0 ** random.randint(-30, 20), random.choice((0.0, 1.0, 1e3, 1e6))
        a, b = (tuple(scale * (random.uniform(-1, 1) + far) for _ in range(3)) for _ in range(2))
        d = tuple(random.choice((1.0, 1.0, 0.0, -1e-20)) * (q - p) for p, q in zip(a, b, strict=True))
        end = tuple(p + v for p, v in zip(a, d, strict=True))
        probe = {"segment": Segment(a, end), "ray": Ray(a, d), "line": Line(a, d)}[kind]
        boxes = []
        for _ in range(60):
            t, off = random.uniform(-0.1, 1.1), random.choice((0.0, 1e-16, 1e-8, 1e-7, 1e-6, 1e-3))
            # A corner near the line, from which the box extends to any side.
            corner = tuple(
                p + t * v + random.uniform(-off, off) * scale * (1 + far) for p, v in zip(a, d, strict=True)
            )
            other = tuple(x + scale * random.uniform(-0.3, 0.3) for x in corner)
            boxes.append(Aabb(tuple(map(min, corner, other)), tuple(map(max, corner, other))))
        expected = [exact.meet(probe, box) for box in boxes]
        near, found = near_and_hits(probe, boxes)
        assert found == expected
        assert near is None or all(is_near for is_near, hit in zip(near, expected, strict=True) if hit)
        excluded += 0 if near is None else near.count(False)
    assert excluded > 500


def test_boxes_in_float32_tell_where_they_can():
    boxes = grid(7)
    batch, probes = ExactBatch(Shapes.of(boxes)), Shapes.of([Segment((0.5, 0.5, 0.5), (6.5, 0.5, 0.5))])
    batch.bounds = batch._measured(map)
    batch._round()
    near = np.empty((1, len(boxes)), np.bool_)
    assert batch._near(probes, (0, 1, 0, len(boxes)), near).tolist() == [k * 49 for k in range(7)]
    # A number that is denormal in float32, one that is too large for it, and boxes that are.
    for a, b in (((0.5, 0.5, 1e-40), (6.5, 0.5, 0.5)), ((0.5, 0.5, 0.5), (1e30, 0.5, 0.5))):
        assert batch._near(Shapes.of([Segment(a, b)]), (0, 1, 0, len(boxes)), near) is None
    large = ExactBatch(Shapes.of([Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1e20))]))
    large.measure(probes)
    large._round()
    assert large._coarse is None


def with_axes(box, axes):
    """Return the box with other axes, which need not be such as its constructor accepts."""
    return Obb._make((box.center, box.half_extents, axes))


@both_readings
@pytest.mark.parametrize("kind", [*LINEAR, "point"])
def test_axes_of_any_length_and_direction(kind, compiled):
    for seed in range(40):
        random = Random(seed)
        probe, boxes = cases.batch(f"{kind}_obb", seed, 30)
        skewed = [
            with_axes(box, tuple(tuple(random.uniform(-1, 1) for _ in u) for u in box.axes)) for box in boxes
        ]
        # These have no inverse: all three axes lie in a plane, or are one.
        flat = [with_axes(box, (u, v, u)) for box in skewed[:5] for u, v, _ in [box.axes]]
        assert_as_pair_by_pair(probe, [*skewed, *flat], compiled)


def grid(size):
    """Return the unit boxes of an integer grid."""
    cells = [(float(x), float(y), float(z)) for x in range(size) for y in range(size) for z in range(size)]
    return [Aabb((x, y, z), (x + 1, y + 1, z + 1)) for x, y, z in cells]


def oriented(box):
    """Return an axis-aligned box as an oriented one."""
    center = tuple((a + b) / 2 for a, b in zip(*box, strict=True))
    return Obb(center, tuple((b - a) / 2 for a, b in zip(*box, strict=True)), AXES)


@both_readings
@pytest.mark.parametrize(
    "probe",
    [
        Segment((0.0, 0.0, 3.0), (7.0, 7.0, 3.0)),
        Segment((0.0, 3.0, 3.0), (7.0, 3.0, 3.0)),
        Segment((7.0, 0.0, 1.0), (0.0, 7.0, 6.0)),
        Segment((3.0, 3.0, 3.0), (3.0, 3.0, 3.0)),
        Ray((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)),
        Ray((6.0, 3.0, 3.0), (-2.0, 0.0, 0.0)),
        Line((0.0, 7.0, 3.5), (1.0, -1.0, 0.0)),
        Line((3.0, 3.0, 3.0), (0.0, 0.0, 0.0)),
        Point((3.0, 3.5, 7.0)),
        Aabb((3.0, 3.0, 3.0), (3.0, 4.0, 3.5)),
        Triangle((0.0, 0.0, 3.0), (7.0, 0.0, 3.0), (0.0, 7.0, 3.0)),
        Triangle((0.0, 0.0, 0.0), (7.0, 0.0, 7.0), (0.0, 7.0, 3.5)),
        Triangle((0.0, 0.0, 0.0), (3.5, 3.5, 3.5), (7.0, 7.0, 7.0)),
        Triangle((1.0, 2.0, 3.0), (1.0, 2.0, 3.0), (1.0, 2.0, 3.0)),
    ],
)
def test_along_the_faces_and_edges_of_a_grid(probe, compiled):
    boxes = grid(7)
    assert_as_pair_by_pair(probe, boxes, compiled)
    if (type(probe), Obb) in FILTERS:
        assert hits(probe, [oriented(box) for box in boxes], compiled) == hits(probe, boxes, compiled)


def test_a_grid_is_decided_without_clipping(monkeypatch):
    monkeypatch.setattr("hitscope.geometry.exact.pairwise.meet", None)
    assert sum(hits(Segment((0.0, 0.0, 0.0), (7.0, 7.0, 7.0)), grid(7))) == 7 + 6 * 6
    # A triangle in the plane z = 3 touches the boxes below and above it.
    below = Triangle((0.0, 0.0, 3.0), (7.0, 0.0, 3.0), (0.0, 7.0, 3.0))
    assert sum(hits(below, grid(7))) == 2 * (49 - 15)


@pytest.mark.parametrize("exponent", [-1074, -600, -300, 300, 600, 1020])
@pytest.mark.parametrize("kind", LINEAR)
def test_touching_at_any_magnitude(kind, exponent):
    unit = 2.0**exponent
    boxes = [Aabb(tuple(unit * n for n in box.lo), tuple(unit * n for n in box.hi)) for box in grid(3)]
    start, along = (0.0, 3 * unit, unit), (3 * unit, -3 * unit, 0.0)
    end = tuple(a + b for a, b in zip(start, along, strict=True))
    probe = {"segment": Segment(start, end), "ray": Ray(start, along), "line": Line(start, along)}[kind]
    assert_as_pair_by_pair(probe, boxes)
    assert any(hits(probe, boxes))
    # Half the least number is none.
    if exponent > -1074:
        assert_as_pair_by_pair(probe, [oriented(box) for box in boxes])


def fan(unit, height):
    """Return triangles round the origin, in the plane z = height, that share edges on the axes and diagonals."""
    rim = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)]
    corners = [(x * unit, y * unit, height) for x, y in rim]
    return [Triangle((0.0, 0.0, height), p, q) for p, q in pairwise(corners)]


@pytest.mark.parametrize("exponent", [-1074, -600, -300, 0, 300, 600, 1020])
def test_through_the_shared_edges_of_a_fan_at_any_magnitude(exponent):
    unit = 2.0**exponent
    triangles = fan(unit, 0.0)
    for x, y in ((0, 0), (1, 0), (1, 1), (-1, 0), (0, -1), (0.5, 0.25)):
        start, end = (x * unit, y * unit, -unit), (x * unit, y * unit, unit)
        along = (0.0, 0.0, unit)
        for probe in (Segment(start, end), Segment(start, (*start[:2], 0.0)), Ray(start, along), Line(end, along)):
            assert_as_pair_by_pair(probe, triangles)
            assert any(hits(probe, triangles)) or exponent == -1074


def test_shared_edges_are_decided_without_clipping(monkeypatch):
    monkeypatch.setattr("hitscope.geometry.exact.pairwise.meet", None)
    probe = Segment((0.3, 0.3, -1.0), (0.3, 0.3, 1.0))
    assert hits(probe, fan(1.0, 0.0)) == [True, True, *[False] * 6]


def cloud(kind, count):
    """Return shapes of a kind with random centers between -1 and 1."""
    random = np.random.default_rng(1)
    center, half = random.uniform(-1, 1, (count, 3)), random.uniform(0, 0.3, (count, 3))
    if kind is Aabb:
        return Shapes.from_fields(Aabb, center - half, center + half)
    if kind is Obb:
        return Shapes.from_fields(Obb, center, half, np.linalg.qr(random.normal(size=(count, 3, 3)))[0])
    if kind is Sphere:
        return Shapes.from_fields(Sphere, center, half[:, 0])
    if kind is Capsule:
        return Shapes.from_fields(Capsule, center - half, center + half, half[:, 0])
    return Shapes.from_fields(Triangle, *(center + random.uniform(-0.2, 0.2, (count, 3)) for _ in range(3)))


PROBES = {
    Segment: Segment((-1.0, -0.9, -0.8), (1.0, 0.9, 0.7)),
    Ray: Ray((-1.0, -0.9, -0.8), (1.0, 0.9, 0.7)),
    Line: Line((0.0, 0.1, 0.2), (1.0, 0.5, 0.7)),
    Point: Point((0.1, 0.2, -0.1)),
    Aabb: Aabb((0.1, 0.2, -0.1), (0.2, 0.3, 0.1)),
    Triangle: Triangle((-1.0, -0.9, -0.8), (1.0, 0.9, 0.7), (0.5, -0.3, 0.2)),
    Sphere: Sphere((0.1, 0.2, -0.1), 0.2),
    Capsule: Capsule((-1.0, -0.9, -0.8), (1.0, 0.9, 0.7), 0.05),
    CAST_SPHERE: Cast(Sphere((-1.0, -0.9, -0.8), 0.05), (2.0, 1.8, 1.5)),
}


@every_pair
def test_a_plain_scene_is_decided_by_the_filter_alone(pair, monkeypatch):
    probe_kind, primitive_kind = list(FILTERS)[PAIRS.index(pair)]
    probe, primitives = PROBES[probe_kind], list(cloud(primitive_kind, 1000))
    expected = [exact.meet(probe, primitive) for primitive in primitives]
    monkeypatch.setattr("hitscope.geometry.exact.pairwise.decide", None)
    for compiled in (False, True):
        assert hits(probe, primitives, compiled) == expected, f"{compiled=}"
    assert 2 < sum(expected) < 300


@every_pair
def test_one_far_primitive_changes_no_verdict_and_costs_no_integers_of_others(pair, monkeypatch):
    """The bounds of a whole group leave everything unsure here: those of each pair decide."""
    probe_kind, primitive_kind = list(FILTERS)[PAIRS.index(pair)]
    probe, primitives = PROBES[probe_kind], list(cloud(primitive_kind, 300))
    far = {
        Aabb: Aabb((1e90, 1e90, 1e90), (2e90, 2e90, 2e90)),
        Obb: Obb((1e90, 1e90, 1e90), (1.0, 1.0, 1.0), AXES),
        Triangle: Triangle((1e90, 0.0, 0.0), (0.0, 1e90, 0.0), (0.0, 0.0, 1e90)),
        Sphere: Sphere((1e90, 1e90, 1e90), 1.0),
        Capsule: Capsule((1e90, 1e90, 1e90), (2e90, 1e90, 1e90), 1.0),
    }[primitive_kind]
    expected = [exact.meet(probe, primitive) for primitive in (*primitives, far)]
    unsure, code = [], pair_loops.exact_code
    counted = "hitscope.geometry.exact.pairwise.exact_code"
    monkeypatch.setattr(counted, lambda *given: unsure.append(given) or code(*given))
    assert hits(probe, [*primitives, far]) == expected
    assert len(unsure) < 2


@pytest.mark.parametrize("kind", [Aabb, Capsule, Sphere, Triangle])
@pytest.mark.parametrize(
    ("start", "radius"), [((-3.0, 0.1, 0.2), 0.2), ((0.0, 0.1, 0.2), 0.3), ((-0.9, 0.0, 0.0), 0.01)]
)
def test_what_a_cast_enters_first_is_among_what_bisection_leaves(kind, start, radius):
    probe, primitives = Cast(Sphere(start, radius), (2.5, 0.3, -0.2)), cloud(kind, 400)
    primitives = primitives[meet_each(probe, primitives)]
    entered = [(exact.relation(probe, primitive).t_enter, k) for k, primitive in enumerate(primitives)]
    left = may_be_first(probe, primitives).tolist()
    assert min(entered)[1] in left and len(left) <= max(2, len(entered) / 4)
