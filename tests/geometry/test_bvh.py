"""The hierarchy against exact tests of every element: verdicts, the first element, and t."""

import math
import sys
from itertools import pairwise

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.geometry import exact, threads
from hitscope.geometry.arrays import Shapes, width
from hitscope.geometry.bvh import Tree
from hitscope.geometry.bvh import tree as tree_module
from hitscope.geometry.exact.batch import meet_each
from hitscope.geometry.shapes import (
    Aabb,
    Capsule,
    Cast,
    Line,
    Obb,
    Parallelepiped,
    Point,
    Polyhedron,
    Ray,
    Rounded,
    Segment,
    Sphere,
    Triangle,
)
from tests.geometry import cases

pytestmark = pytest.mark.xdist_group("bvh")  # so that no two workers compile the same at a time

KINDS = {"aabb": Aabb, "obb": Obb, "triangle": Triangle, "sphere": Sphere, "capsule": Capsule}
LINEAR = ("segment", "ray", "line")
ROUND = "sphere", "capsule"
"""The elements whose t takes fractions."""


def first(probe, elements, hits=None):
    """Return the element that the probe enters first, -1 for none, and t as a float, found without rounding.

    `hits` are the indices of the elements that it hits, where they are known.
    """
    if hits is None:
        hits = [n for n, element in enumerate(elements) if exact.meet(probe, element)]
    entered = [(exact.relation(probe, elements[n]).t_enter, n) for n in hits]
    t, n = min(entered, default=(None, -1))
    return n, None if t is None else exact.rounded(t)


def assert_right(elements, probes):
    """Compare a tree's answers, for all probes together and for single ones, with exact tests of every element."""
    tree, probes = Tree(Shapes.of(elements)), list(probes)
    together = Shapes.of(probes)
    expected = [[n for n, element in enumerate(elements) if exact.meet(probe, element)] for probe in probes]
    hits = tree.all(together)
    assert [hits.elements[a:b].tolist() for a, b in pairwise(hits.first)] == expected
    assert [tree.hits(probe).tolist() for probe in probes[:3]] == expected[:3]
    assert tree.any(together).tolist() == [bool(hit) for hit in expected]
    touched = tree.touched(together)
    assert touched.probes.tolist() == [bool(hit) for hit in expected]
    assert np.flatnonzero(touched.elements).tolist() == sorted({n for hit in expected for n in hit})
    if together.kind is Line:
        return
    found = tree.closest(together)
    for k in range(len(probes[:3])):
        alone = tree.closest(together[k : k + 1])
        assert alone.element[0] == found.element[k] and np.array_equal(alone.t, found.t[k : k + 1], equal_nan=True)
    for probe, hit, n, t in zip(probes, expected, found.element.tolist(), found.t.tolist(), strict=True):
        expected_n, expected_t = first(probe, elements, hit)
        assert n == expected_n
        assert np.isnan(t) if n < 0 else abs(t - expected_t) <= np.spacing(abs(expected_t))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("probe", LINEAR)
def test_hard_cases(probe, kind):
    for seed in range(13):
        pairs = [cases.pair(f"{probe}_{kind}", 100 * seed + k) for k in range(20)]
        assert_right([element for _, element in pairs], [probe for probe, _ in pairs[:8]])


def random_elements(kind, count, seed, size=0.1, scale=1.0, offset=0.0):
    """Return elements all over a cube."""
    random = np.random.default_rng(seed)
    center = random.uniform(-1, 1, (count, 3)) * scale + offset
    if kind == "aabb":
        half = random.uniform(0, size, (count, 3)) * scale
        return Shapes.from_fields(Aabb, center - half, center + half)
    if kind == "triangle":
        a, b, c = (center + random.uniform(-size, size, (count, 3)) * scale for _ in range(3))
        return Shapes.from_fields(Triangle, a, b, c)
    if kind == "sphere":
        return Shapes.from_fields(Sphere, center, random.uniform(0, size, count) * scale)
    if kind == "capsule":
        ends = center + random.uniform(-size, size, (count, 3)) * scale
        return Shapes.from_fields(Capsule, center, ends, random.uniform(0, size, count) * scale)
    axes = np.linalg.qr(random.normal(size=(count, 3, 3)))[0]
    return Shapes.from_fields(Obb, center, random.uniform(0, size, (count, 3)) * scale, axes)


def random_probes(kind, count, seed, scale=1.0, offset=0.0):
    """Return probes from all over the cube, a third of them along an axis."""
    random = np.random.default_rng(seed)
    start = random.uniform(-1, 1, (count, 3)) * scale + offset
    along = random.normal(size=(count, 3))
    along[::3] *= np.eye(3)[random.integers(0, 3, len(along[::3]))]
    if kind is Segment:
        return Shapes.from_fields(Segment, start, start + along * scale)
    return Shapes.from_fields(kind, start, along * scale)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("probe", [Segment, Ray, Line])
@pytest.mark.parametrize(
    ("scale", "offset"),
    [(1.0, 0.0), (1.0, 1e7), (1e-3, 1.0), (2.0**400, 0.0), (2.0**-400, 0.0), (2.0**-1060, 0.0)],
)
def test_random_elements_at_any_offset_and_magnitude(kind, probe, scale, offset):
    elements = random_elements(kind, 120, 1, 0.4, scale, offset)
    assert_right(list(elements), random_probes(probe, 6, 2, scale, offset))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("scale", "offset"),
    [(1.0, 0.0), (1.0, 1e7), (1e-3, 1.0), (2.0**400, 0.0), (2.0**-400, 0.0), (2.0**-1060, 0.0), (2.0**1020, 0.0)],
)
def test_bodies_that_move_at_any_offset_and_magnitude(kind, scale, offset):
    elements = random_elements(kind, 120, 1, 0.2, scale, offset)
    tree, ways = Tree(elements), random_probes(Ray, 5, 2, scale, offset)
    for k, (start, way) in enumerate(ways):
        end = tuple(p + d for p, d in zip(start, way, strict=True))
        radius = scale * (0.0, 0.01, 0.1, 1.0, 10.0)[k]
        for probe in (Cast(Sphere(start, radius), way), Capsule(start, end, radius)):
            assert tree.hits(probe).tolist() == np.flatnonzero(meet_each(probe, elements)).tolist()


def test_a_body_that_moves_along_the_edge_of_a_block_and_touches():
    """The way is the radius beside all balls, whose bounds are those of the root."""
    balls = Shapes.of([Sphere((float(k), 0.0, 0.0), 0.5) for k in range(-40, 40)])
    tree = Tree(balls)
    for beside, expected in ((1.0, True), (math.nextafter(1.0, 2.0), False), (math.nextafter(1.0, 0.0), True)):
        for y, z in ((beside, 0.0), (0.0, -beside)):
            probe = Cast(Sphere((-100.0, y, z), 0.5), (200.0, 0.0, 0.0))
            assert tree.hits(probe).tolist() == (list(range(80)) if expected else [])


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_beyond_the_filters_range(kind):
    elements = [*random_elements(kind, 20, 1), *random_elements(kind, 20, 2, 0.5, 2.0**1020)]
    for scale in (1.0, 2.0**1020):
        for probe in (Segment, Ray, Line):
            assert_right(elements, random_probes(probe, 6, 3, scale))
    small = list(random_elements(kind, 40, 1, 0.5))
    far = [Ray((0.0, 0.1, 0.2), (2.0**1000, 2.0**999, 0.0)), Ray((0.1, 0.2, 0.3), (0.0, 5e-324, 0.0))]
    assert_right(
        small, [*far, Ray((-(2.0**600), 0.1, 0.2), (1.0, 0.0, 0.0)), Ray((0.0, 0.1, 0.2), (1.0, 1.0, 0.5))]
    )


def grid_mesh(size):
    """Return the triangles of a bumpy grid over [0, size]^2, of integer coordinates."""
    height = lambda x, y: float((x * 7 + y * 5) % 3)  # noqa: E731
    triangles = []
    for x in range(size):
        for y in range(size):
            a, b, c, d = (
                (float(u), float(v), height(u, v)) for u, v in ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
            )
            triangles += [Triangle(a, b, c), Triangle(a, c, d)]
    return triangles


def test_t_is_right_within_an_ulp_where_the_probe_nearly_lies_in_the_plane():
    for seed in range(300):
        probe, triangle = cases.nearly_in_the_plane(seed)
        t = float(Tree(Shapes.of([triangle])).closest(Shapes.of([probe])).t[0])
        assert abs(t - first(probe, [triangle])[1]) <= np.spacing(t), seed


def test_shared_edges_and_vertices_of_a_mesh_give_the_lowest_index():
    columns = [(x / 2, y / 2) for x in range(9) for y in range(9)]
    assert_right(grid_mesh(4), [Ray((x, y, 9.0), (0.0, 0.0, -1.0)) for x, y in columns])
    assert_right(grid_mesh(4), [Segment((x, y, 9.0), (4.0 - x, y, -9.0)) for x, y in columns])


def test_probes_in_the_faces_and_along_the_edges_of_a_grid_of_boxes():
    cells = [(float(x), float(y), float(z)) for x in range(4) for y in range(4) for z in range(4)]
    boxes = [Aabb(cell, tuple(number + 1 for number in cell)) for cell in cells]
    probes = [
        Ray((-1.0, 1.0, 1.0), (1.0, 0.0, 0.0)),
        Ray((-1.0, 1.0, 1.5), (1.0, 0.0, -0.0)),
        Ray((2.0, 2.0, 2.0), (-1.0, 0.0, 0.0)),
        Ray((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
        Ray((5.0, 0.0, 2.0), (-1.0, 1.0, 0.0)),
        Ray((2.0, 2.0, 2.0), (0.0, 0.0, 0.0)),
        Ray((4.5, 2.0, 2.0), (0.0, 0.0, 0.0)),
    ]
    assert_right(boxes, probes)
    assert_right([Obb((x + 0.5, y + 0.5, z + 0.5), (0.5, 0.5, 0.5), cases.FRAMES[1]) for x, y, z in cells], probes)


def test_flat_equal_and_point_like_elements():
    flat = [Aabb((float(n % 3), 0.0, 0.0), (float(n % 3), 1.0, 1.0)) for n in range(40)]
    point = [Aabb((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))] * 20
    rays = [
        Ray((-1.0, 0.5, 0.25), (1.0, 0.0, 0.0)),
        Ray((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
        Ray((9.0, 1.0, 1.0), (-1.0, 0.0, 0.0)),
    ]
    assert_right(flat + point, rays)
    needle = [Triangle((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (float(n % 2),) * 3) for n in range(30)]
    assert_right(needle, rays)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 8, 9, 70])
def test_few_elements(kind, count):
    assert_right(list(random_elements(kind, count, 5, 0.6)), random_probes(Ray, 9, 6))


def test_what_cannot_be_answered_is_refused():
    tree = Tree(random_elements("aabb", 10, 1))
    with pytest.raises(HitscopeError, match="probes: expected Shapes of Segment or Ray, found Shapes of Line"):
        tree.closest(random_probes(Line, 2, 1))
    with pytest.raises(HitscopeError, match="expected 10 of type Aabb, found 9 of type Aabb"):
        tree.refit(random_elements("aabb", 9, 1))


@pytest.mark.parametrize("kind", KINDS.values())
def test_no_elements_and_no_probes(kind):
    nothing = Shapes(kind, np.empty((width(kind), 0)))
    rays = random_probes(Ray, 3, 1)
    tree = Tree(nothing)
    assert tree.closest(rays).element.tolist() == [-1, -1, -1] and np.isnan(tree.closest(rays).t).all()
    assert not tree.any(rays).any() and not tree.touched(rays).probes.any()
    assert tree.all(rays).first.tolist() == [0, 0, 0, 0] and tree.hits(rays[0]).size == 0
    assert tree.hits(Point((0.0, 0.0, 0.0))).size == 0 and tree.levels() == []
    none = rays[:0]
    tree = Tree(random_elements("triangle", 20, 1))
    assert tree.closest(none).t.size == tree.any(none).size == tree.all(none).elements.size == 0


@pytest.mark.parametrize("kind", KINDS)
def test_other_probes(kind):
    elements = random_elements(kind, 200, 7, 0.2)
    tree, shapes = Tree(elements), list(elements)
    frame = cases.FRAMES[3]
    for probe in (
        Triangle((-0.5, 0.0, 0.1), (0.4, 0.2, 0.3), (0.0, 0.5, -0.5)),
        Aabb((0.1, 0.2, 0.3), (0.4, 0.4, 0.4)),
        Obb((0.1, -0.2, 0.3), (0.1, 0.2, 0.3), frame),
        Parallelepiped((0.1, -0.2, 0.3), ((-0.1, 0.0, 0.1), (0.2, 0.2, 0.0), (0.0, 0.1, 0.3))),
        *(Point(shapes[k][0]) for k in range(3)),
        Sphere((0.1, 0.2, 0.3), 0.1),
        Capsule((0.1, 0.2, 0.3), (0.4, 0.4, 0.4), 0.01),
        Polyhedron(vertices=[(0.1, 0.2, 0.3), (0.4, -0.4, 0.4)]),
        Cast(Sphere((0.1, 0.2, 0.3), 0.05), (0.3, -0.5, 0.2)),
        Cast(Aabb((0.1, 0.2, 0.3), (0.2, 0.2, 0.4)), (0.1, -0.2, 0.0)),
        Cast(Rounded(Triangle((0.0, 0.0, 0.1), (0.1, 0.2, 0.3), (0.0, 0.1, 0.2)), 0.01), (-0.1, 0.0, 0.1)),
        Aabb((-(2.0**1023),) * 3, (2.0**1023,) * 3),
    ):
        expected = [n for n, shape in enumerate(shapes) if exact.meet(probe, shape)]
        assert tree.hits(probe).tolist() == expected
    assert expected == list(range(200))


@pytest.mark.parametrize("compiled_from", [0, 10_000])
def test_a_body_near_many_elements_is_tested_against_all_in_order(compiled_from, monkeypatch):
    sweeping = tree_module.Sweeping(selected=0, compiled_from=compiled_from)
    monkeypatch.setattr(tree_module.Tree, "sweeping", sweeping)
    elements = random_elements("aabb", 2000, 7)
    large = Triangle((-1.0, -1.0, -0.5), (1.0, -0.9, 0.4), (0.0, 1.0, 0.8))
    expected = [n for n, element in enumerate(elements) if exact.meet(large, element)]
    assert len(expected) > 50
    tested, meet_each = [], tree_module.meet_each
    monkeypatch.setattr(tree_module, "meet_each", lambda *given: tested.append(given[1]) or meet_each(*given))
    assert Tree(elements).hits(large).tolist() == expected
    # What is gathered of a tree is decided a part at a time, in another order.
    assert all(len(shapes) == len(elements) for shapes in tested)


def test_each_query_compiles_only_what_it_needs(monkeypatch):
    closest, order = (sys.modules[f"hitscope.geometry.bvh.{name}"] for name in ("closest", "probe_order"))
    searches = {"search": closest, "collect": tree_module, "touch": tree_module, "arrange": order}
    used = set()
    for name, place in searches.items():
        search = getattr(place, name)

        def noted(*arguments, name=name, search=search):
            used.add(name)
            return search(*arguments)

        monkeypatch.setattr(place, name, noted)
    tree, rays = Tree(random_elements("triangle", 300, 1, 0.4)), random_probes(Ray, 100, 2)
    assert used == set()
    for query, needed in ((tree.closest, "search"), (tree.any, "touch"), (tree.all, "collect")):
        used.clear()
        query(rays)
        assert used == {needed}
    used.clear()
    tree.closest(random_probes(Ray, 5000, 2))
    assert used == {"search", "arrange"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_refitted_tree_answers_as_a_new_one(kind):
    before, after = random_elements(kind, 3000, 1), random_elements(kind, 3000, 2, 0.2, 3.0, 5.0)
    rays = random_probes(Ray, 250, 3, 3.0, 5.0)
    refitted, new = Tree(before).refit(after), Tree(after)
    for a, b in ((refitted.closest(rays), new.closest(rays)), (refitted.all(rays), new.all(rays))):
        assert all(np.array_equal(x, y, equal_nan=True) for x, y in zip(a, b, strict=True))
    assert (new.closest(rays).element >= 0).sum() > 50


@pytest.mark.parametrize("kind", KINDS)
def test_order_of_the_probes_and_number_of_threads_do_not_change_answers(kind, monkeypatch):
    size, count = (300, 5_000) if kind in ROUND else (3000, 40_000)
    elements, rays = random_elements(kind, size, 1), random_probes(Ray, count, 2)
    tree = Tree(elements)
    monkeypatch.setattr(threads, "count", lambda: 1)
    closest, hits, hit = tree.closest(rays), tree.all(rays), tree.any(rays)
    monkeypatch.setattr(threads, "count", lambda: 3)
    more = [*tree.closest(rays), *tree.all(rays), tree.any(rays)]
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip([*closest, *hits, hit], more, strict=True))
    # A few at a time they are taken as they come, many together are sorted.
    for first_ray in range(0, count, count // 5):
        few = tree.closest(rays[first_ray : first_ray + 100])
        assert np.array_equal(few.element, closest.element[first_ray : first_ray + 100])
        assert np.array_equal(few.t, closest.t[first_ray : first_ray + 100], equal_nan=True)
    assert hit.mean() > 0.1 and np.array_equal(hit, closest.element >= 0)


@pytest.mark.parametrize("probe", [Ray, Segment])
@pytest.mark.parametrize("kind", KINDS)
def test_many_probes_that_are_alike_are_answered_as_each_alone(kind, probe):
    size = 25 if kind in ROUND else 100
    mesh = Shapes.of(grid_mesh(4)) if kind == "triangle" else random_elements(kind, size, 1, 0.2, 2.0, 2.0)
    x, y = (number.ravel() for number in np.meshgrid(np.arange(65) / 8 - 2, np.arange(65) / 8 - 2))
    start, end = np.stack((x, y, 0 * x + 9), -1), np.stack((x / 2 + 1, y / 2 + 1, 0 * x - 3), -1)
    start[::61], end[::67] = 1e300, start[::67]  # out of range, and without a direction
    end[::71] = start[::71] + np.array((1.0, 0.0, 1.0))
    probes = Shapes.from_fields(probe, start, end if probe is Segment else end - start)
    tree = Tree(mesh)
    found = tree.closest(probes)
    alone = [tree.closest(probes[k : k + 13]) for k in range(0, len(probes), 13)]
    assert np.array_equal(found.element, np.concatenate([few.element for few in alone]))
    assert np.array_equal(found.t, np.concatenate([few.t for few in alone]), equal_nan=True)
    assert 0.02 < (found.element >= 0).mean() < 0.98
    for k in range(0, len(probes), 101):
        assert found.element[k] == first(probes[k], list(mesh))[0]


@pytest.mark.parametrize("kind", KINDS)
def test_random_rays_are_decided_by_the_filters_alone(kind, monkeypatch):
    tree, rays = Tree(random_elements(kind, 20_000, 1, 0.02)), random_probes(Ray, 20_000, 2)
    monkeypatch.setattr(tree_module, "relation", None)
    monkeypatch.setattr(tree_module, "meet_each", None)
    if kind not in ROUND:  # at which t round shapes are entered is a root, found exactly
        assert 0.2 < (tree.closest(rays).element >= 0).mean() < 1
    assert tree.touched(rays).elements.any()


def test_one_split_between_equal_centers_does_not_go_on_for_ever():
    boxes = [Aabb((-(2.0**-k),) * 3, (2.0**-k,) * 3) for k in range(200)] * 3
    assert_right(boxes, [Ray((-3.0, 0.0, 0.0), (1.0, 0.0, 0.0)), Ray((-3.0, 0.1, 0.0), (1.0, 0.0, 0.0))])


@pytest.mark.parametrize("kind", KINDS)
def test_levels_hold_what_is_below_them(kind):
    elements = random_elements(kind, 2000, 1)
    tree = Tree(elements)
    levels = tree.levels()
    assert [len(level) for level in levels[:2]] == [1, 8] and 3 <= len(levels) <= 8
    for above, below in pairwise(levels):
        inside = (above[None, :, 0] <= below[:, None, 0] + 1e-6) & (below[:, None, 1] - 1e-6 <= above[None, :, 1])
        assert np.all(np.any(np.all(inside, axis=2), axis=1))
    ray = random_probes(Ray, 1, 4)[0]
    visited = tree.visited(ray)
    assert len(visited[0]) == 1 and 0 < sum(map(len, visited)) < sum(map(len, levels)) / 4
    for some, every in zip(visited, levels, strict=False):
        assert {box.tobytes() for box in some} <= {box.tobytes() for box in every}
