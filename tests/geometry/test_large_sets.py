"""What floats leave out of a large set changes no answer, and leaves little."""

import tracemalloc
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

from hitscope.geometry.exact.sets import ConvexSet, convex_set
from hitscope.geometry.exact.sides import Sides
from hitscope.geometry.shapes import Aabb, Line, Plane, Point, Polyhedron, Ray, Segment, Triangle
from tests.geometry.cases import PAIRS, pair

DIRECTIONS = np.random.default_rng(3).normal(size=(600, 3))
SPHERE = [tuple(row) for row in (DIRECTIONS / np.linalg.norm(DIRECTIONS, axis=1)[:, None]).tolist()]
HULL = Polyhedron(vertices=tuple(SPHERE))
PLANES = Polyhedron(planes=tuple(Plane(normal, 1.0) for normal in SPHERE))
PROBES = [
    Point((0.3, 0.2, -0.4)),
    Point((3.0, 1e-3, 2.0)),
    Segment((-3.0, 0.1, 0.2), (3.0, 0.3, 0.1)),
    Segment((-3.0, 3.1, 0.2), (3.0, 3.3, 0.1)),
    Ray((-3.0, 2.1, 0.2), (1e-3, 1e-4, 0.0)),
    Line((300.0, 2.1, 0.2), (1e9, 1e6, 0.0)),
    Triangle((-3.0, 0.1, 0.2), (3.0, 3.0, 0.0), (0.0, -3.0, 0.1)),
    Triangle((-3.0, 1.1, 0.2), (3.0, 3.0, 0.0), (0.0, 3.0, 0.1)),
    Aabb((0.2, 0.2, 0.2), (2.0, 2.0, 2.0)),
    Aabb((-2.0, -2.0, -2.0), (2.0, 2.0, 2.0)),
    Aabb((1e300, 0.0, 0.0), (1.5e300, 1.0, 1.0)),
    Segment((1e-300, 2.0, 5e-324), (0.0, 3.0, 0.0)),
]
relations, distances, nearness = (
    import_module(f"hitscope.geometry.exact.{name}") for name in ("relation", "distance", "near_faces")
)
separations, features, gaps = (
    import_module(f"hitscope.geometry.exact.{name}") for name in ("separation", "features", "gaps")
)


def answers(probe, primitive, is_large, monkeypatch):
    """Return the relation and the distance, where every set is large, or none."""
    monkeypatch.setattr(ConvexSet, "is_large", is_large)
    monkeypatch.setattr(nearness, "has_many_corners", lambda body: is_large)
    gaps.core_gap.cache_clear()
    return relations.relation.__wrapped__(probe, primitive), distances.distance.__wrapped__(probe, primitive)


@pytest.mark.parametrize("name", PAIRS)
def test_leaving_out_slabs_and_faces_changes_no_answer(name, monkeypatch):
    for seed in range(20):
        probe, primitive = pair(name, seed)
        assert answers(probe, primitive, True, monkeypatch) == answers(probe, primitive, False, monkeypatch)


@pytest.mark.parametrize("probe", PROBES, ids=str)
def test_a_large_hull_is_answered_as_if_nothing_were_left_out(probe, monkeypatch):
    hull = Polyhedron(vertices=HULL.vertices[:300])
    assert answers(probe, hull, True, monkeypatch) == answers(probe, hull, False, monkeypatch)


@pytest.mark.parametrize("body", [HULL, PLANES], ids=["vertices", "planes"])
@pytest.mark.parametrize("probe", [probe for probe in PROBES if max(map(abs, probe[0])) < 1e3], ids=str)
def test_few_slabs_and_faces_of_a_large_set_are_left_for_integers(body, probe, monkeypatch):
    taken = []
    for name in ("at", "along", "nearest"):
        found = getattr(Sides, name)
        monkeypatch.setattr(Sides, name, lambda *args, found=found: taken.append(found(*args)) or taken[-1])
    if relations.relation.__wrapped__(probe, body).hit:
        distances.distance.__wrapped__(probe, body)
        assert sum(map(len, taken)) < len(convex_set(body).slabs) / 2
    else:
        assert 0 < len(nearness.near_faces(probe, body)) < len(convex_set(body).faces) / 10


def test_a_probe_that_all_but_touches_a_large_set_has_few_near_faces():
    """The shortest vector between them is lost in rounding, and does not tell where they are."""
    face = convex_set(PLANES).faces[0]
    middle = [sum(Fraction(corner[k], corner[3]) for corner in face) / len(face) for k in range(3)]
    above = [float(x * (1 + Fraction(1, 1 << 50))) for x in middle]
    probe = Segment(tuple(above), tuple(2 * x for x in above))
    assert 0 < distances.distance(probe, PLANES) < 1e-14
    assert len(nearness.near_faces(probe, PLANES)) < 20


@pytest.mark.parametrize("probe", [probe for probe in PROBES if max(map(abs, probe[0])) < 1e3], ids=str)
def test_bounds_of_gaps_by_a_few_points_leave_the_same_witness(probe, monkeypatch):
    hull = Polyhedron(vertices=HULL.vertices[:150])
    found = separations.witness.__wrapped__(probe, hull)
    for name, number in (("SAMPLES", 3), ("AXES", 5), ("BOUNDED_AXES", 7)):
        monkeypatch.setattr(separations, name, number)
    assert separations.witness.__wrapped__(probe, hull) == found
    monkeypatch.setattr(ConvexSet, "is_large", True)
    features.edges.cache_clear(), features.normals.cache_clear()
    assert separations.witness.__wrapped__(probe, hull) == found


def test_the_witness_of_a_large_hull_needs_no_matrix_of_all_axes_and_corners():
    x = np.random.default_rng(4).normal(size=(3000, 3))
    hull = Polyhedron(vertices=tuple(map(tuple, (x / np.linalg.norm(x, axis=1)[:, None]).tolist())))
    relations.relation(PROBES[1], hull)
    tracemalloc.start()
    try:
        assert separations.witness.__wrapped__(PROBES[1], hull).kind == "face normal"
        assert tracemalloc.get_traced_memory()[1] < 80e6
    finally:
        tracemalloc.stop()
