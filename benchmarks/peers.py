"""Other packages, each as one small function that sets it up and returns the query to measure.

A function for `closest` takes a mesh and a number of threads, and returns a function of rays that gives for each
ray the face that it enters first (-1 for none) and t. A function for a pair takes primitives, and returns a
function of a probe that gives its verdict with each primitive. The packages that they import need not be
installed.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.workloads import IndexedMesh, Rays
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.shapes import Shape

ClosestHits: TypeAlias = tuple[NDArray[Any], NDArray[Any]]
"""The index of the primitive that each ray enters first, -1 for none, and t."""


class Peer(NamedTuple):
    """A package, set up to answer one kind of query."""

    name: str
    package: str
    query: str
    setup: Callable[..., Callable[..., Any]]
    most: int
    """The largest number of primitives that it gets: more would take minutes."""
    most_rays: int
    """The largest number of rays that it gets in one call."""
    threads: bool
    """Whether it takes a number of threads."""


NO_LIMIT = 1 << 31
PEERS: list[Peer] = []


def installed(package: str) -> str | None:
    """Return a package's version; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def peer(
    name: str, package: str, query: str, most: int = NO_LIMIT, most_rays: int = NO_LIMIT, threads: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function that sets up a package for a query."""

    def record(setup: Callable[..., Any]) -> Callable[..., Any]:
        PEERS.append(Peer(name, package, query, setup, most, most_rays, threads))
        return setup

    return record


def of_query(query: str) -> list[Peer]:
    """Return the peers that answer a query."""
    return [entry for entry in PEERS if entry.query == query]


@peer("Embree (embreex)", "embreex", "closest", threads=True)
def embreex(mesh: IndexedMesh, threads: int) -> Callable[[Rays], ClosestHits]:
    """Embree's scene: it takes rays one by one without Python's lock, so each thread gets its share of them."""
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    scene = EmbreeScene()
    TriangleMesh(scene, mesh.vertices.astype(np.float32), mesh.faces)
    scene.run(np.zeros((1, 3), np.float32), np.ones((1, 3), np.float32))  # the first query builds
    pool = ThreadPoolExecutor(threads)

    def part(origins: Any, directions: Any) -> ClosestHits:
        found = scene.run(origins, directions, output=True)
        return found["primID"], found["tfar"]

    def closest(rays: Rays) -> ClosestHits:
        if threads == 1 or len(rays) < threads:
            return part(rays.origins32, rays.directions32)
        parts = pool.map(part, np.array_split(rays.origins32, threads), np.array_split(rays.directions32, threads))
        indices, ts = zip(*parts, strict=True)
        return np.concatenate(indices), np.concatenate(ts)

    return closest


@peer("Embree (open3d)", "open3d", "closest", threads=True)
def open3d(mesh: IndexedMesh, threads: int) -> Callable[[Rays], ClosestHits]:
    """A RaycastingScene."""
    import open3d

    tensor = open3d.core.Tensor
    scene = open3d.t.geometry.RaycastingScene(nthreads=threads)
    scene.add_triangles(tensor(mesh.vertices.astype(np.float32)), tensor(mesh.faces.astype(np.uint32)))
    scene.cast_rays(tensor(np.ones((1, 6), np.float32)))  # the first query builds

    def closest(rays: Rays) -> ClosestHits:
        found = scene.cast_rays(tensor(rays.joined32), nthreads=threads)
        return found["primitive_ids"].numpy().view(np.int32), found["t_hit"].numpy()

    return closest


@peer("point-cloud-utils", "point-cloud-utils", "closest")
def point_cloud_utils(mesh: IndexedMesh, threads: int) -> Callable[[Rays], ClosestHits]:
    """A RayMeshIntersector, which is Embree as well."""
    from point_cloud_utils import RayMeshIntersector

    scene = RayMeshIntersector(mesh.vertices.astype(np.float32), mesh.faces)

    def closest(rays: Rays) -> ClosestHits:
        index, _, t = scene.intersect_rays(rays.origins32, rays.directions32)
        return np.atleast_1d(index), np.atleast_1d(t)

    return closest


@peer("warp, on the CPU", "warp-lang", "closest", most=2_000_000)
def warp(mesh: IndexedMesh, threads: int) -> Callable[[Rays], ClosestHits]:
    """A warp Mesh, queried by a kernel."""
    import warp as wp

    wp.config.quiet = True
    from benchmarks.warp_kernel import closest as kernel

    points = wp.array(mesh.vertices.astype(np.float32), dtype=wp.vec3, device="cpu")
    scene = wp.Mesh(points, wp.array(mesh.faces.ravel(), dtype=wp.int32, device="cpu"))

    def closest(rays: Rays) -> ClosestHits:
        origins, directions = (
            wp.array(part, dtype=wp.vec3, device="cpu") for part in (rays.origins32, rays.directions32)
        )
        index = wp.empty(len(rays), dtype=wp.int32, device="cpu")
        t = wp.empty(len(rays), dtype=wp.float32, device="cpu")
        wp.launch(kernel, len(rays), inputs=[scene.id, origins, directions], outputs=[index, t], device="cpu")
        return index.numpy(), t.numpy()

    return closest


@peer("trimesh, its own R-tree", "trimesh", "closest", most=10_000, most_rays=100)
def trimesh(mesh: IndexedMesh, threads: int) -> Callable[[Rays], ClosestHits]:
    """trimesh's ray_triangle, written in NumPy over an R-tree."""
    import rtree  # noqa: F401  trimesh misses it only at its first query
    import trimesh
    from trimesh.ray.ray_triangle import RayMeshIntersector

    scene = RayMeshIntersector(trimesh.Trimesh(mesh.vertices, mesh.faces, process=False))
    _ = scene.mesh.triangles_tree  # built on first use

    def closest(rays: Rays) -> ClosestHits:
        origins, directions = rays.origins, rays.directions
        faces, which, points = scene.intersects_id(origins, directions, multiple_hits=False, return_locations=True)
        index, t = np.full(len(rays), -1), np.full(len(rays), np.inf)
        along = directions[which]
        index[which] = faces
        points = points.reshape(-1, 3)
        t[which] = ((points - origins[which]) * along).sum(axis=1) / (along * along).sum(axis=1)
        return index, t

    return closest


@peer("pyrr, box by box", "pyrr", "ray_aabb", most=1_000)
def pyrr(boxes: Shapes) -> Callable[[Shape], NDArray[np.bool_]]:
    """ray_intersect_aabb for each box."""
    from pyrr.geometric_tests import ray_intersect_aabb

    pairs = np.ascontiguousarray(boxes.rows.T).reshape(-1, 2, 3)

    def hits(probe: Shape) -> NDArray[np.bool_]:
        ray = np.array(probe)
        return np.array([ray_intersect_aabb(ray, box) is not None for box in pairs])

    return hits


@peer("python-fcl, box by box", "python-fcl", "triangle_aabb", most=2_000)
def fcl(boxes: Shapes) -> Callable[[Shape], NDArray[np.bool_]]:
    """collide for each box."""
    import fcl

    lo, hi = boxes.rows.reshape(2, 3, -1).transpose(0, 2, 1)
    objects = [
        fcl.CollisionObject(fcl.Box(*size), fcl.Transform(center))
        for size, center in zip(hi - lo, (lo + hi) / 2, strict=True)
    ]

    def hits(probe: Shape) -> NDArray[np.bool_]:
        # Its TriangleP does not know boxes; a mesh of one triangle does.
        one = fcl.BVHModel()
        one.beginModel(3, 1)
        one.addSubModel(np.array(probe), np.array([[0, 1, 2]]))
        one.endModel()
        triangle = fcl.CollisionObject(one)
        return np.array([fcl.collide(triangle, box) > 0 for box in objects])

    return hits


@peer("coal, box by box", "coal", "triangle_aabb", most=2_000)
def coal(boxes: Shapes) -> Callable[[Shape], NDArray[np.bool_]]:
    """collide for each box."""
    import coal

    lo, hi = boxes.rows.reshape(2, 3, -1).transpose(0, 2, 1)
    here = coal.Transform3s()
    there = [coal.Transform3s(np.eye(3), center) for center in (lo + hi) / 2]
    solids = [coal.Box(*size) for size in hi - lo]

    def hits(probe: Shape) -> NDArray[np.bool_]:
        triangle, request = coal.TriangleP(*map(np.array, probe)), coal.CollisionRequest()
        return np.array(
            [
                coal.collide(triangle, here, solid, transform, request, coal.CollisionResult()) > 0
                for solid, transform in zip(solids, there, strict=True)
            ]
        )

    return hits
