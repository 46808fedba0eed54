"""`Mesh`: what rays hit of it, against exact geometry, and what its constructor takes and refuses."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from math import inf, nan
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import trimesh

from hitscope import HitscopeError, Mesh, Ray, Triangle, intersect
from hitscope.geometry import exact
from hitscope.scene import triangle_mesh

# One worker, so that no two compile the same at a time.
pytestmark = [pytest.mark.xdist_group("bvh"), pytest.mark.thorough]

VERTICES = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4), (4, 4, 4), (1e-3, 2, 1)], float)
FACES = np.array([(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (1, 2, 4), (0, 1, 2), (5, 5, 5), (0, 5, 3)])
SPECIAL = [
    ((1, 1, 5), (0, 0, -1)),
    ((1, 1, -5), (0, 0, 2)),
    ((2, 2, 5), (0, 0, -1)),  # an edge
    ((0, 0, 9), (0, 0, -1)),  # vertices
    ((1, 1, 0), (0, 0, 1)),  # begins on a triangle
    ((-1, 1, 0), (1, 0, 0)),  # in the plane of one
    ((0, 0, 0), (0, 0, 0)),  # a point
    ((9, 9, 9), (0, 0, 0)),
    ((9, 9, 9), (1, 1, 1)),
    ((1e200, 1, 1), (-1e200, 0, 0)),
    ((1, 1, 5), (0, 0, -1e-300)),
    ((1, 1, 5), (1e-320, 0, -1)),
    ((1e30, 1, 5e29), (-2, 0, -1)),
]


@pytest.fixture(scope="module")
def mesh() -> Mesh:
    return Mesh(VERTICES, FACES)


def rays() -> list[tuple[Any, Any]]:
    random = np.random.default_rng(3)
    ends = random.integers(-3, 7, (150, 2, 3)).astype(float)
    return [*SPECIAL, *((a, b - a) for a, b in ends), *((a, b) for a, b in random.normal(size=(50, 2, 3)))]


def expected(mesh: Mesh, origin: Any, direction: Any) -> tuple[int, Any, Any, Any]:
    """Return the answer that exact geometry gives on each triangle by itself."""
    ray = Ray(origin, direction)
    found = [(hit.t_enter, k) for k, one in enumerate(mesh.shapes) if (hit := exact.relation(ray, one)).hit]
    if not found:
        return -1, nan, (nan,) * 3, (nan,) * 3
    _, k = min(found)
    verdict = intersect(ray, mesh.shapes[k])
    return k, verdict.t_enter, verdict.point, verdict.normal or (nan,) * 3


def test_one_ray_is_answered_as_exact_geometry_does(mesh: Mesh) -> None:
    for origin, direction in rays():
        element, t, point, normal = expected(mesh, origin, direction)
        found = mesh.closest(origin, direction)
        assert (type(found.element), type(found.t)) == (int, float)
        assert found.element == element and np.array_equal(found.t, t, equal_nan=True)
        far = np.abs(np.asarray(origin)).max()
        np.testing.assert_allclose(found.points, point, rtol=1e-15, atol=4e-16 * far + 1e-15)
        np.testing.assert_allclose(found.normals, normal, atol=1e-12)
        assert mesh.any(origin, direction) is (element >= 0)


def test_an_array_of_rays_is_answered_as_each_of_them(mesh: Mesh) -> None:
    origins, directions = map(np.array, zip(*rays(), strict=True))
    found = mesh.closest(origins, directions)
    alone = [mesh.closest(*ray) for ray in rays()]
    for part, answers in zip(found, zip(*alone, strict=True), strict=True):
        assert np.array_equal(part, np.array(answers), equal_nan=True)
    assert (mesh.any(origins, directions) == (found.element >= 0)).all()
    pairs = mesh.all(origins, directions)
    assert list(zip(*pairs, strict=True)) == [
        (i, k)
        for i, ray in enumerate(rays())
        for k, triangle in enumerate(mesh.shapes)
        if exact.meet(Ray(*ray), triangle)
    ]


def test_one_ray_takes_neither_arrays_of_shapes_nor_a_search_of_many(monkeypatch: Any) -> None:
    mesh = Mesh(VERTICES, FACES[3:5])
    monkeypatch.setattr(triangle_mesh, "_rays", None)
    assert mesh.closest((3, 3, 9), (0, 0, -1)).element == 1
    assert mesh.any((3, 3, 9), (0, 0, -1)) is True


@pytest.mark.parametrize(
    ("origins", "directions", "shape"),
    [
        ((3,), (3,), ()),
        ((5, 3), (3,), (5,)),
        ((3,), (5, 3), (5,)),
        ((1, 3), (3,), (1,)),
        ((2, 1, 3), (4, 3), (2, 4)),
        ((0, 3), (3,), (0,)),
    ],
)
def test_rays_broadcast_as_in_numpy(mesh: Mesh, origins: Any, directions: Any, shape: Any) -> None:
    found = mesh.closest(np.ones(origins), -np.ones(directions))
    assert (
        np.shape(found.element) == np.shape(found.t) == np.shape(mesh.any(np.ones(origins), -np.ones(directions)))
    )
    assert np.shape(found.element) == shape
    assert found.points.shape == found.normals.shape == (*shape, 3)


def test_a_mesh_is_made_of_arrays_of_any_layout_and_of_other_packages() -> None:
    corners = VERTICES[FACES]
    wide = np.zeros((len(VERTICES), 6), np.float32)
    wide[:, ::2] = VERTICES
    for vertices, faces in (
        (VERTICES.tolist(), FACES.tolist()),
        (np.asfortranarray(VERTICES), np.asfortranarray(FACES)),
        (VERTICES.astype(np.longdouble), FACES.astype(np.uint8)),
        (VERTICES[::-1][::-1], FACES[:, ::-1][:, ::-1]),
        (corners, None),
        (trimesh.Trimesh(VERTICES, FACES, process=False, validate=False), None),
        (SimpleNamespace(vertices=VERTICES, triangles=FACES.astype(np.uint32)), None),
    ):
        made = Mesh(vertices, faces)
        assert np.array_equal(made.triangles, corners), type(vertices)
    assert np.array_equal(Mesh(wide[:, ::2], FACES).triangles, VERTICES.astype(np.float32)[FACES])
    assert np.array_equal(made.bounds, [VERTICES.min(0), VERTICES.max(0)])
    assert (len(made), repr(made)) == (8, "<Mesh of 8 triangles>")


def test_a_mesh_keeps_its_own_numbers() -> None:
    vertices = VERTICES.copy()
    made = Mesh(vertices, FACES)
    vertices[:] = 0
    assert np.array_equal(made.triangles, VERTICES[FACES])
    assert not made.triangles.flags.writeable


def test_a_mesh_is_loaded_from_a_file(tmp_path: Any) -> None:
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\n")
    assert len(Mesh.load(tmp_path / "a.obj")) == 2
    with pytest.raises(HitscopeError, match=r"b\.obj: expected a mesh that can be read at .*b\.obj, found"):
        Mesh.load(tmp_path / "b.obj")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((VERTICES, [(0, 1, 6)]), "Mesh: faces[0][2]: expected the index of one of 6 vertices, found 6"),
        ((VERTICES, [(0, 1, -1)]), "Mesh: faces[0][2]: expected the index of one of 6 vertices, found -1"),
        (
            (VERTICES, [(0, 1.0, 2)]),
            "Mesh: faces: expected three indices of vertices a face, (n, 3), found an array",
        ),
        ((VERTICES, [(0, 1, 2, 3)]), "Mesh: faces: expected three indices of vertices a face, (n, 3), found an"),
        (
            (VERTICES, 3),
            "Mesh: faces: expected three indices of vertices a face, (n, 3), found an",
        ),
        (
            (VERTICES[:, :2], FACES),
            "Mesh: vertices: expected an array of numbers, (n, 3), found one of",
        ),
        (([(0, 0, 0), (0, nan, 0)], [(0, 1, 1)]), "Mesh: vertices[1][1]: expected a finite number, found nan"),
        (([(0, 0, 0), (0, inf, 0)], [(0, 1, 1)]), "Mesh: vertices[1][1]: expected a finite number, found inf"),
        (([(0, 0, 0), (0, 0)], [(0, 1, 1)]), "Mesh: vertices: expected an array of numbers, (n, 3), found [["),
        (("rock.obj",), 'Mesh: vertices: expected vertices or a mesh; `Mesh.load` reads a file, found "rock.obj"'),
        ((VERTICES,), "Mesh: vertices: expected an array of numbers, (n, 3, 3), found one of shape (6, 3)"),
        ((SimpleNamespace(vertices=VERTICES),), "Mesh: vertices: expected vertices, or a mesh with faces, found"),
    ],
)
def test_what_is_no_mesh_is_refused_in_words(arguments: Any, message: str) -> None:
    with pytest.raises(HitscopeError) as caught:
        Mesh(*arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("origins", "directions", "message"),
    [
        ((0, 0), (0, 0, 1), "origins: expected an array of numbers, (3,) or (..., 3), found one of shape (2,)"),
        (
            (0, 0, "1"),
            (0, 0, 1),
            "origins: expected an array of numbers, (3,) or (..., 3), found one of",
        ),
        ((0, 0, 0), (0, 0, nan), "directions[2]: expected a finite number, found nan"),
        ([(0, 0, 0), (0, inf, 0)], (0, 0, 1), "origins[1][1]: expected a finite number, found inf"),
        ([(0, 0, 0), (0, 0)], (0, 0, 1), "origins: expected an array of numbers, (3,) or (..., 3), found [["),
        (np.ones((2, 3)), np.ones((4, 3)), "directions: expected directions that broadcast with the origins"),
        (None, (0, 0, 1), "origins: expected an array of numbers"),
        ((True, False, True), (0, 0, 1), "origins: expected an array of numbers"),
    ],
)
def test_what_are_no_rays_is_refused_in_words(mesh: Mesh, origins: Any, directions: Any, message: str) -> None:
    for query in (mesh.closest, mesh.any, mesh.all):
        with pytest.raises(HitscopeError) as caught:
            query(origins, directions)
        assert str(caught.value).startswith(f"Mesh.{query.__name__}: {message}")


def test_a_mesh_without_triangles_is_never_hit() -> None:
    empty = Mesh(VERTICES, [])
    assert empty.closest((0, 0, 0), (0, 0, 1)).element == -1
    assert not empty.any(np.zeros((2, 3)), (0, 0, 1)).any()
    assert np.isnan(empty.bounds).all()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda mesh: pickle.loads(pickle.dumps(mesh))])
def test_a_mesh_is_copied_and_pickled(mesh: Mesh, copied: Any) -> None:
    mesh.closest((1, 1, 5), (0, 0, -1))
    found = copied(mesh)
    assert np.array_equal(found.triangles, mesh.triangles)
    assert found.closest((1, 1, 5), (0, 0, -1)).element == mesh.closest((1, 1, 5), (0, 0, -1)).element


def test_threads_share_a_mesh_from_its_first_query_on() -> None:
    made = Mesh(VERTICES, FACES)
    origins, directions = map(np.array, zip(*rays(), strict=True))
    right = Mesh(VERTICES, FACES).closest(origins, directions)

    def ask(k: int) -> bool:
        one = made.closest(origins[k], directions[k])
        every = made.closest(origins, directions) if k < 24 else right  # each thread asks it a few times
        return bool(one.element == right.element[k]) and all(map(_same, every, right))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(len(origins))))


def _same(a: Any, b: Any) -> bool:
    return np.array_equal(a, b, equal_nan=True)


def test_shapes_of_a_mesh_are_triangles(mesh: Mesh) -> None:
    assert mesh.shapes[1] == Triangle(*VERTICES[FACES[1]])
