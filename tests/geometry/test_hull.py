"""Hulls and intersections of half-spaces against brute force over all triples; large ones by their own facts."""

from fractions import Fraction
from functools import cache, partial
from itertools import combinations, pairwise, product
from math import gcd, log2
from random import Random

import numpy as np
import pytest

from hitscope import progress
from hitscope.geometry.exact import cone
from hitscope.geometry.exact.hull import hull
from hitscope.geometry.exact.integers import over_power_of_two
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import Plane, Polyhedron
from hitscope.geometry.vector import cross, dot, subtract

FAR = 1 << 1000
COORDINATES = {
    "random": lambda random: random.gauss(0, 1),
    "grid": lambda random: float(random.randint(-2, 2)),
    "tenths": lambda random: random.randint(-3, 3) * 0.1,
    "of all sizes": lambda random: random.gauss(0, 1) * 10.0 ** random.randint(-40, 40),
    "extreme": lambda random: random.choice((0.0, 1.0, -1.0, 1e300, -1e300, 5e-324, -5e-324, 0.1)),
}


def vectors_of(kind, random, count):
    return [tuple(COORDINATES[kind](random) for _ in range(3)) for _ in range(count)]


def sphere(count, size=1.0, seed=1):
    x = np.random.default_rng(seed).normal(size=(count, 3))
    return [tuple(row) for row in (size * x / np.linalg.norm(x, axis=1)[:, None]).tolist()]


def grid(count):
    return [*product(range(count), repeat=3)]


def supporting_planes(points):
    """Return the planes (smallest integers) through three points with none ahead, each with the points on it."""
    found = {}
    for a, b, c in combinations(points, 3):
        normal = cross(subtract(b, a), subtract(c, a))
        heights = [dot(normal, subtract(p, a)) for p in points]
        for sign in (1, -1):
            if any(normal) and max(sign * height for height in heights) == 0:
                n = tuple(sign * x // gcd(*normal) for x in normal)
                found[n, dot(n, a)] = {p for p, height in zip(points, heights, strict=True) if height == 0}
    return found


def sides(cycle):
    return list(pairwise((*cycle, cycle[0])))


def smallest(slab):
    size = gcd(*slab.normal, slab.hi)
    return tuple(x // size for x in slab.normal), slab.hi // size


@pytest.fixture(params=[cone.ARRAYS_FROM, 0], ids=["one by one", "arrays"])
def arrays_from(request, monkeypatch):
    """The number of vectors from which `cone` takes arrays."""
    monkeypatch.setattr(cone, "facets", partial(cone.facets, arrays_from=request.param))


@pytest.mark.usefixtures("arrays_from")
@pytest.mark.parametrize("kind", COORDINATES)
def test_the_faces_of_a_hull_are_all_supporting_planes(kind):
    random = Random(kind)
    for _ in range(25):
        points, _ = over_power_of_two(vectors_of(kind, random, random.randint(4, 9)))
        expected = supporting_planes(points)
        if len(expected) < 4:  # flat: two sides of one plane, or nothing
            continue
        found = hull(points)
        size = {smallest(slab): cycle for slab, cycle in zip(found.slabs, found.faces, strict=True)}
        planes = {((*n, offset), gcd(*n, offset)): on for (n, offset), on in expected.items()}
        assert len(size) == len(found.faces) == len(planes)
        for ((*n, offset), divisor), on in planes.items():
            normal = tuple(x // divisor for x in n)
            corners = [(x, y, z) for x, y, z, _ in size[normal, offset // divisor]]
            assert set(corners) <= on
            for p, q in sides(corners):
                inward = [dot(cross(normal, subtract(q, p)), subtract(other, p)) for other in on]
                # No point is across an edge, and on its line there is none beyond its ends.
                assert min(inward) == 0
                line = [other for other, height in zip(on, inward, strict=True) if height == 0]
                along = sorted(line, key=partial(dot, subtract(q, p)))
                assert (along[0], along[-1]) == (p, q)


@pytest.mark.parametrize(
    "points",
    [sphere(40), sphere(40, 1e300), sphere(30, 1e-310), vectors_of("tenths", Random(1), 60), grid(4)],
    ids=["sphere", "huge", "denormal", "tenths", "grid"],
)
def test_few_and_many_points_have_the_same_faces_in_the_same_order(points, monkeypatch):
    points, _ = over_power_of_two([tuple(map(float, point)) for point in points])
    few = hull(points)
    monkeypatch.setattr(cone, "facets", partial(cone.facets, arrays_from=0))
    many = hull([*points, *points[:5]])
    assert many.faces == few.faces and len(many.faces) > 5
    assert [*map(smallest, many.slabs)] == [*map(smallest, few.slabs)]


@cache
def corners_by_brute_force(planes):
    """Return the corners that no half-space excludes, and where an unbounded set is cut off far out."""
    far = [Plane(tuple(s * x for x in row), FAR) for row in np.eye(3, dtype=int).tolist() for s in (1, -1)]
    ratios = [[number.as_integer_ratio() for number in (*n, offset)] for n, offset in (*planes, *far)]
    rows = [[n * max(w for _, w in row) // d for n, d in row] for row in ratios]
    found = set()
    for a, b, c in combinations(rows, 3):
        det = dot(a, cross(b, c))
        if det:
            parts = (cross(b, c), a[3]), (cross(c, a), b[3]), (cross(a, b), c[3])
            sign = 1 if det > 0 else -1
            point = tuple(sign * sum(n[k] * offset for n, offset in parts) for k in range(3))
            if all(dot(row, point) <= row[3] * abs(det) for row in rows):
                found.add(tuple(Fraction(number, abs(det)) for number in point))
    return found


@pytest.mark.usefixtures("arrays_from")
@pytest.mark.parametrize("kind", ["random", "grid", "tenths"])
def test_the_corners_of_half_spaces_are_those_of_all_triples_that_none_excludes(kind, monkeypatch):
    monkeypatch.setattr("hitscope.geometry.exact.sets.far_out", lambda half_spaces: FAR)
    random = Random(kind)
    empty = flat = 0
    for _ in range(40):
        normals = [n for n in vectors_of(kind, random, random.randint(1, 7)) if any(n)]
        planes = [Plane(n, COORDINATES[kind](random)) for n in normals]
        for n, offset in random.sample(planes, min(2, len(planes))):
            size = random.choice((1.0, -1.0, 2.0, -4.0))  # repeated, scaled, opposite
            planes.append(Plane(tuple(size * x for x in n), size * offset))
        if planes:
            found = convex_set(Polyhedron._make((tuple(planes), ())))  # the constructor refuses an empty one
            corners = {tuple(Fraction(x, w) for x in point) for *point, w in found.vertices}
            assert corners == corners_by_brute_force(tuple(planes))
            empty += not corners
            flat += bool(found.planes)
    assert empty and flat


def require_closed_and_convex(found):
    """Require each edge twice, Euler's formula, and the corners of each face behind the faces next to it."""
    half_spaces = dict(zip(map(tuple, found.faces), found.slabs, strict=True))
    across = {edge: face for face in half_spaces for edge in sides(face)}
    assert len(across) == sum(map(len, half_spaces)) and all((q, p) in across for p, q in across)
    assert len({p for p, _ in across}) - len(across) // 2 + len(half_spaces) == 2
    for (p, q), face in across.items():
        plane = half_spaces[across[q, p]]
        assert all(dot(plane.normal, corner) < plane.hi * corner[3] or corner in (p, q) for corner in face)


@pytest.mark.parametrize("size", [1000.0, 30.0])
def test_no_point_is_outside_the_hull_of_many(size):
    points = [tuple(round(x) for x in point) for point in sphere(3000, size)]
    found = hull([*points, (0, 0, 0)])
    require_closed_and_convex(found)
    normals, offsets = np.array([s.normal for s in found.slabs]), np.array([s.hi for s in found.slabs])
    assert (normals @ np.array(points).T <= offsets[:, None]).all()
    assert size < 100 or len(found.faces) > 5000


def test_the_hull_of_a_grid_has_the_six_faces_of_its_cube():
    found = hull([(x, y, z) for x, y, z in grid(12)])
    assert len(found.faces) == 6 and {len(face) for face in found.faces} == {4}


def test_the_caps_of_a_prism_are_one_polygon_each():
    ring = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 6.0, 400).tolist()]
    found = convex_set(Polyhedron(vertices=tuple((float(x), float(y), z) for x, y in ring for z in (-0.1, 0.3))))
    assert sorted(map(len, found.faces)) == [4] * 400 + [400] * 2


def test_a_thousand_planes_have_no_corner_outside_any():
    planes = tuple(Plane(normal, 1.0) for normal in sphere(1000))
    found = convex_set(Polyhedron(planes=planes))
    rows = [over_power_of_two([normal, (offset, 0.0, 0.0)])[0] for normal, offset in planes]
    assert len(found.faces) == 1000 and len(found.vertices) == 1996 and found.bounded
    for corner in found.vertices:
        heights = [dot(normal, corner) - offset[0] * corner[3] for normal, offset in rows]
        assert max(heights) == 0 and heights.count(0) >= 3


def test_redundant_planes_bound_nothing():
    cube = [Plane(tuple(s * x for x in row), 1.0) for row in np.eye(3).tolist() for s in (1, -1)]
    touching = [Plane((1.0, 1.0, 1.0), 3.0), Plane((1.0, 1.0, 0.0), 2.0), Plane((2.0, 0.0, 0.0), 2.0)]
    away = [Plane(normal, 2.0 + i) for i, normal in enumerate(sphere(300))]
    found = convex_set(Polyhedron(planes=(*away, *touching, *cube)))
    assert sorted(point for point in found.vertices) == sorted((*p, 1) for p in product((-1, 1), repeat=3))
    assert len(found.faces) == 6


def test_planes_through_one_point_leave_it_or_a_cone():
    normals = sphere(300)
    point = convex_set(Polyhedron(planes=tuple(Plane(normal, 0.0) for normal in normals)))
    assert point.vertices == [(0, 0, 0, 1)] and len(point.planes) == 3
    down = [(x, y, -abs(z) - 2.0) for x, y, z in normals]
    wedge = convex_set(Polyhedron(planes=tuple(Plane(normal, 0.0) for normal in down)))
    assert not wedge.bounded and (0, 0, 0, 1) in wedge.vertices


class Work:
    """The signs of determinants that are found, and how many of them in integers."""

    def __init__(self, monkeypatch):
        self.signs = self.exact = 0
        outside, exactly = cone._Facets._outside, cone._Facets._exactly_outside

        def count(facets, corners, owners, candidates):
            self.signs += len(owners)
            return outside(facets, corners, owners, candidates)

        def count_exact(facets, corners, owners, candidates):
            self.exact += len(owners)
            return exactly(facets, corners, owners, candidates)

        monkeypatch.setattr(cone._Facets, "_outside", count)
        monkeypatch.setattr(cone._Facets, "_exactly_outside", count_exact)


@pytest.mark.parametrize("count", [1000, 4000])
def test_a_hull_of_n_points_finds_about_n_log_n_signs(count, monkeypatch):
    work = Work(monkeypatch)
    hull(over_power_of_two(sphere(count))[0])
    assert work.signs < 40 * count * log2(count) and work.exact < count / 10


@pytest.mark.parametrize("count", [250, 1000])
def test_the_intersection_of_n_half_spaces_finds_about_n_log_n_signs(count, monkeypatch):
    work = Work(monkeypatch)
    convex_set.__wrapped__(Polyhedron(planes=tuple(Plane(normal, 1.0) for normal in sphere(count))))
    assert work.signs < 40 * count * log2(count) and work.exact < 60 * count


@pytest.mark.parametrize(
    "body",
    [
        Polyhedron(vertices=tuple(sphere(2000, seed=2))),
        # Not by the constructor, which finds its corners already.
        Polyhedron._make((tuple(Plane(normal, 1.0) for normal in sphere(500, seed=2)), ())),
    ],
    ids=["vertices", "planes"],
)
def test_a_large_polyhedron_reports_its_progress_and_can_be_cancelled(body):
    fractions = []

    def listen(fraction):
        fractions.append(fraction)
        if len(fractions) == stop:
            raise InterruptedError

    stop = 20
    with pytest.raises(InterruptedError), progress.reporting_to(listen):
        assert convex_set(body).faces
    # What was cancelled is not kept: all of it is done again.
    stop, fractions = 0, []
    with progress.reporting_to(listen):
        assert convex_set(body).faces
    assert len(fractions) > 30 and fractions[-1] == 1.0
    counted = [fraction for fraction in fractions if fraction is not None]
    assert counted == sorted(counted) and len(set(counted)) > 10
