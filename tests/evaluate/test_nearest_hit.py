"""The nearest hit of a linear probe, against all exact t."""

import numpy as np
import pytest

from hitscope import scene
from hitscope.evaluate import evaluate
from hitscope.evaluate import report as module
from hitscope.evaluate.report import nearest_hit
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact import relation
from hitscope.geometry.group import Group
from hitscope.geometry.shapes import Aabb, Cast, Line, Plane, Ray, Segment, Sphere, Triangle
from hitscope.scene import Scene, replace_items
from hitscope.scene.bulk import AabbsPrimitive, ObbsPrimitive, RaysProbe, SegmentsProbe, TrianglesPrimitive
from hitscope.scene.items import (
    AabbPrimitive,
    LineProbe,
    ObbPrimitive,
    PlanePrimitive,
    PointProbe,
    RayProbe,
    SegmentProbe,
    TrianglePrimitive,
)

RANDOM = np.random.default_rng(5)


def grid(*shape):
    """Numbers on a coarse grid, so that many of them are equal."""
    return RANDOM.integers(-8, 9, shape) / 4


LOWS = grid(60, 3)
PRIMITIVES = (
    AabbsPrimitive(id="boxes", min=LOWS, max=LOWS + RANDOM.integers(0, 5, (60, 3)) / 4),
    TrianglesPrimitive(id="triangles", vertices=grid(60, 3, 3)),
    ObbsPrimitive(id="turned", center=grid(20, 3), half_extents=abs(grid(20, 3)), quaternion_xyzw=grid(20, 4) + 3),
    PlanePrimitive(id="plane", normal=(1, 2, 0), offset=1),
    AabbPrimitive(id="box", min=(-1, -1, -1), max=(1, 1, 1)),
    TrianglePrimitive(id="tri", vertices=((0, 0, 0), (1, 0, 0), (0, 1, 0))),
    ObbPrimitive(id="obb", center=(1, 0, 0), half_extents=(1, 1, 0.5), euler_xyz_deg=(10, 20, 30)),
)
STARTS, ENDS = grid(40, 3), grid(40, 3)


def first_by_all_t(report, i):
    """The element that a probe enters first, by the exact t of every pair; -1 for none."""
    probe = report.probes[i].shape
    found = [(relation(probe, element.shape).t_enter, e) for e, element in enumerate(report.elements)]
    return min(((t, e) for t, e in found if t is not None), default=(None, -1))[1]


def probes_of(kind):
    pairs = list(zip(STARTS.tolist(), ENDS.tolist(), strict=True))
    if kind == "segment":
        return [SegmentProbe(start=tuple(a), end=tuple(b)) for a, b in pairs]
    if kind == "ray":
        return [RayProbe(origin=tuple(a), direction=tuple(b)) for a, b in pairs]
    if kind == "line":
        return [LineProbe(origin=tuple(a), direction=tuple(b)) for a, b in pairs]
    if kind == "segments":
        return [SegmentsProbe(id="all", start=STARTS, end=ENDS)]
    return [RaysProbe(id="all", origin=STARTS, direction=ENDS)]


@pytest.mark.parametrize(
    "build", [pytest.param(False, id="tested"), pytest.param(True, id="hierarchy", marks=pytest.mark.thorough)]
)
@pytest.mark.parametrize("kind", ["segment", "ray", "line", "segments", "rays"])
def test_the_nearest_hit_is_that_of_the_least_exact_t(kind, build):
    scene = Scene(version=1, primitives=PRIMITIVES, probes=tuple(probes_of(kind)))
    report = evaluate(scene)
    assert len(report.hierarchies(build)) == (6 if build else 0)
    report = evaluate(scene, report, nearest_only=True)
    found = np.concatenate([report.nearest_hits(k) for k in range(len(scene.probes))])
    assert found.tolist() == [first_by_all_t(report, i) for i in range(len(report.probes))]
    assert len(set(found.tolist())) > 10
    for i in range(len(report.probes)):
        assert np.flatnonzero(report.shown_row(i)).tolist() == [e for e in found[i : i + 1].tolist() if e >= 0]
    assert set(np.flatnonzero(report.shown_hits).tolist()) == set(found.tolist()) - {-1}


def test_shapes_whose_t_differ_by_less_than_an_ulp_are_told_apart():
    ray = Ray((0.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    near, far = 1.0, float(np.nextafter(1.0, 2.0))
    wall = [Aabb((x, -1.0, -1.0), (9.0, 1.0, 1.0)) for x in (far, near)]
    assert nearest_hit(ray, wall).position == 1 and nearest_hit(ray, wall[::-1]).position == 0
    assert nearest_hit(ray, [wall[0], wall[0]]).position == 0, "of two at the same t, the first one"


@pytest.mark.parametrize("probe", [Ray((0.0,) * 3, (5e-324, 0.0, 0.0)), Segment((-1e308, 0, 0), (1e308, 0, 0))])
def test_numbers_at_the_ends_of_float64_have_a_nearest_hit(probe):
    walls = [Aabb((x, -1.0, -1.0), (x + 1, 1.0, 1.0)) for x in (8.0, 2.0, 4.0)]
    assert nearest_hit(probe, walls).position == 1


def test_a_distance_that_overflows_does_not_make_a_hit_the_later_one():
    far = Aabb((1e308, -1.0, -1.0), (1.1e308, 1e10, 1.0))
    high = Aabb((-1.7e308, 1e9, -1.0), (1.7e308, 2e9, 1.0))
    assert nearest_hit(Ray((-1.7e308, 0.0, 0.0), (1e300, 1.0, 0.0)), [high, far]).position == 1


def test_a_line_enters_first_where_its_t_is_least():
    walls = [Aabb((x, -1.0, -1.0), (x + 1, 1.0, 1.0)) for x in (-4.0, 4.0)]
    assert nearest_hit(Line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), walls).position == 0
    assert nearest_hit(Line((0.0, 0.0, 0.0), (-1.0, 0.0, 0.0)), walls).position == 1
    # A probe in a plane is on it everywhere.
    assert nearest_hit(Line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), [*walls, Plane((0.0, 1.0, 0.0), 0.0)]).position == 2


@pytest.mark.parametrize("x", [1.0, 0.1])
def test_of_shapes_of_two_types_entered_at_once_the_first_one_is_the_nearest(x):
    wall = TrianglePrimitive(id="wall", vertices=((x, -9, -9), (x, 9, -9), (x, 0, 9)))
    boxes = AabbsPrimitive(id="boxes", min=[[x, -1, -1]], max=[[9, 1, 1]])
    ray = RayProbe(id="ray", origin=(0, 0, 0), direction=(0.7, 0, 0))
    for primitives in ((wall, boxes), (boxes, wall)):
        report = evaluate(Scene(version=1, primitives=primitives, probes=(ray,)), nearest_only=True)
        assert report.nearest_hits(0).tolist() == [0]


def test_few_of_many_hits_are_computed_exactly(monkeypatch):
    asked = []
    monkeypatch.setattr(module.exact, "relation", lambda *pair: asked.append(pair) or relation(*pair))
    walls = [Triangle((x, -9.0, -9.0), (x, 9.0, -9.0), (x, 0.0, 9.0)) for x in RANDOM.permutation(1000) + 1.0]
    assert walls[nearest_hit(Ray((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), walls).position][0][0] == 1.0
    assert len(asked) < 5


def test_what_did_not_change_is_not_searched_again(monkeypatch):
    rays = tuple(probes_of("ray")[:3])
    scene = Scene(version=1, primitives=PRIMITIVES[:2], probes=rays)
    report = evaluate(scene, nearest_only=True)
    searched = []
    closest = Group.closest
    monkeypatch.setattr(Group, "closest", lambda *given: searched.append(given) or closest(*given))
    moved = replace_items(scene, "probe", {2: probes_of("ray")[5]})
    after = evaluate(moved, report, nearest_only=True)
    assert len(searched) == 2, "two groups for the ray that is new"
    assert after.nearest_hits(0) is report.nearest_hits(0)


def test_verdicts_are_those_of_all_hits_whatever_is_shown():
    probes = (*probes_of("segment")[:4], PointProbe(id="p", position=(0, 0, 0)))
    scene = Scene(version=1, primitives=PRIMITIVES, probes=probes)
    report, nearest = evaluate(scene), evaluate(scene, nearest_only=True)
    np.testing.assert_array_equal(report.hits, nearest.hits)
    assert nearest.nearest_hits(4) is None and report.nearest_hits(0) is None
    assert nearest.shown_hits.sum() < nearest.hit_elements.sum()
    np.testing.assert_array_equal(report.shown_hits, report.hit_elements)


@pytest.mark.parametrize("start", [(-9.0, 0.1, 0.2), (-1.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
def test_what_a_cast_enters_first_of_more_elements_than_are_marked(start):
    random = np.random.default_rng(3)
    balls = Shapes.from_fields(Sphere, random.uniform(-2, 2, (300, 3)), np.full(300, 0.1))
    corners = random.uniform(-2, 2, (100, 3))
    triangles = Shapes.from_fields(Triangle, *(corners + random.uniform(-0.3, 0.3, (100, 3)) for _ in range(3)))
    probe = Cast(Sphere(start, 1.6), (9.0, 0.1, 0.0))
    report = evaluate(scene({"balls": balls, "triangles": triangles}, {"probe": probe}))
    hits = np.flatnonzero(report.row(0)).tolist()
    entered = [(relation(probe, report.elements[e].shape).t_enter, e) for e in hits]
    assert report.first_entered(0) == (min(entered)[1] if hits else None)
    assert not hits or len(hits) > 64
