"""Figures of searches: the closest hits of rays, and how the cost of a query grows with the number searched."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np

from benchmarks import cores, native, numpy_tests, workloads
from benchmarks.comparison import Contender, CostScaling, Figure, Run, compare
from benchmarks.pairs import BVH, CHUNKS, NUMPY, C, hits
from benchmarks.peers import NO_LIMIT, ClosestHits, of_query
from benchmarks.sizes import Sizes
from benchmarks.workloads import IndexedMesh, Rays
from hitscope.evaluate import intersect
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.group import Group
from hitscope.geometry.registry import EXACT, choose
from hitscope.geometry.shapes import Ray, Segment, Shape

EVERY_FACE = "exact, every face"
EMBREE = ("Embree (embreex)", "Embree (open3d)")
OPEN3D = EMBREE[1]

Search: TypeAlias = Callable[[Rays], ClosestHits]


class Searchers:
    """The contenders that find the closest hit on one mesh, each built once, at its first query."""

    def __init__(
        self, own: Mapping[str, Callable[[], Search]], mesh: IndexedMesh, threads: int, names: Sequence[str] = ()
    ) -> None:
        """Set up the searches of `own`, and those of the peers, or of the named ones, that can take the mesh."""
        self.setups = dict(own)
        self.most_rays = {EVERY_FACE: 16}
        for peer in of_query("closest"):
            takes_part = peer.threads or cores.is_fewest(threads)
            if takes_part and len(mesh.faces) <= peer.most and (not names or peer.name in names):
                self.setups[peer.name] = partial(peer.setup, mesh, threads)
                self.most_rays[peer.name] = peer.most_rays
        self._ready = {name: cache(setup) for name, setup in self.setups.items()}

    def contenders(self, queries: Sequence[Rays]) -> list[Contender]:
        """Return contenders that query one bundle after the other, each up to its largest number of rays."""
        parts = {name: _first(queries, self.most_rays.get(name, NO_LIMIT)) for name in self.setups}
        return [
            Contender(name, all_queries(self._ready[name], part), judged=name == BVH, work=sum(map(len, part)))
            for name, part in parts.items()
        ]

    def builders(self) -> list[Contender]:
        """Return contenders that build what they search."""

        def built(setup: Callable[[], Search]) -> Callable[[], Run]:
            def build(k: int) -> None:
                setup()

            return lambda: build

        setups = {name: setup for name, setup in self.setups.items() if name != EVERY_FACE}
        return [Contender(name, built(setup), judged=name == BVH) for name, setup in setups.items()]


def _first(queries: Sequence[Rays], count: int) -> list[Rays]:
    """Return the first `count` rays, in their bundles."""
    before = accumulate(map(len, queries), initial=0)
    return [rays.first(count - earlier) for rays, earlier in zip(queries, before, strict=False) if earlier < count]


def searchers_of(mesh: IndexedMesh, threads: int) -> Searchers:
    """Return the searchers of a mesh: the BVH, every face exactly, and all peers."""
    faces = mesh.triangles
    return Searchers({BVH: lambda: _tree(faces), EVERY_FACE: lambda: _every_face(faces)}, mesh, threads)


def closest_hits(sizes: Sizes) -> Iterator[Figure]:
    """Measure the closest hits of many rays on meshes, and building and refitting what finds them."""
    for count in cores.available():
        with cores.limited_to(count):
            for name, make in workloads.MESHES.items():
                mesh = make(sizes.faces)
                searchers = searchers_of(mesh, count)
                what = f"{len(mesh.faces):,} faces of {name}"
                for kind, shoot in workloads.RAYS.items():
                    rays = shoot(sizes.rays)
                    yield compare(
                        f"closest_{kind}_{name}",
                        f"closest hit of {len(rays):,} {kind} rays on {what}",
                        "ns a ray",
                        len(rays),
                        searchers.contenders([rays]),
                        sizes.seconds,
                        cores=count,
                        yardsticks=EMBREE,
                        limit=1 / 1.2 if kind == "incoherent" else 1,
                    )
            yield compare(
                "build",
                f"build over {what}",
                "ns a face",
                len(mesh.faces),
                searchers.builders(),
                sizes.seconds,
                cores=count,
                yardsticks=(OPEN3D,),
                limit=1,
            )
            yield _refit(mesh.triangles, count, sizes.seconds)


def _refit(triangles: Shapes, count: int, seconds: float) -> Figure:
    from hitscope.geometry.bvh import Tree

    tree = Tree(triangles)

    def build(k: int) -> None:
        Tree(triangles)

    def refit(k: int) -> None:
        tree.refit(triangles)

    contenders = [
        Contender("refit", lambda: refit, judged=True),
        Contender("build", lambda: build),
    ]
    n = len(triangles)
    title = f"fit the BVH to {n:,} triangles that have moved"
    return compare("refit", title, "ns a face", n, contenders, seconds, cores=count, yardsticks=("build",))


def rays_on_boxes(sizes: Sizes) -> Iterator[Figure]:
    """Measure the closest hits of rays on boxes, which Embree takes as twelve triangles each."""
    n = _within_memory(sizes.boxes, 5_000)
    boxes, rays = workloads.aabbs(n), workloads.incoherent_rays(sizes.box_rays)
    mesh = workloads.mesh_of(boxes)
    title = f"closest hit of {len(rays):,} rays on {n:,} boxes, to the peers {len(mesh.faces):,} triangles"
    if n < sizes.boxes:
        title += f" (the memory is too small for {sizes.boxes:,})"
    for count in cores.available():
        with cores.limited_to(count):
            searchers = Searchers({BVH: lambda: _tree(boxes)}, mesh, count, EMBREE)
            yield compare(
                "closest_boxes",
                title,
                "ns a ray",
                len(rays),
                searchers.contenders([rays]),
                sizes.seconds,
                cores=count,
                yardsticks=EMBREE,
                limit=1 / 1.5,
            )


def scalings(sizes: Sizes) -> Iterator[CostScaling]:
    """Measure the same queries on ever more primitives."""
    one = CostScaling("one_probe", "all boxes that one short segment hits", "ns a probe")
    ray = CostScaling("one_ray", "the closest hit on a mesh of one ray", "ns a ray")
    bundle = CostScaling("bundle", f"the closest hits on a mesh of {sizes.bundle:,} rays at once", "ns a ray")
    rays = workloads.incoherent_rays(sizes.bundle)
    with cores.limited_to(1):
        for n in sizes.scaling:
            if n != _within_memory(n, 700):
                break
            one.add(n, _one_probe(n, sizes.seconds))
            searchers = searchers_of(workloads.asteroid(n), 1)
            for scaling, queries in ((bundle, [rays]), (ray, rays.first(64).one_by_one())):
                contenders = searchers.contenders(queries)
                count = sum(map(len, queries))
                scaling.add(n, compare("", "", "", count, contenders, sizes.seconds / 2))
    yield from (one, ray, bundle)


def all_queries(setup: Callable[[], Callable[[Any], Any]], queries: Sequence[Any]) -> Callable[[], Run]:
    """Return a contender's setup that answers all queries in each round: one alone would find cold caches."""

    def start() -> Run:
        answer = setup()
        return lambda k: [answer(query) for query in queries]

    return start


def _one_probe(n: int, seconds: float) -> Figure:
    from hitscope.geometry.bvh import Tree

    boxes = workloads.aabbs(n)
    probes = list(workloads.segments(8, length=4 * n ** (-1 / 3)))
    group, chosen = Group(boxes), choose("segment_aabb", EXACT)

    def indices(decide: Callable[[Shape], Any]) -> Callable[[Shape], Any]:
        return lambda probe: np.flatnonzero(decide(probe))

    def every(setup: Callable[[], Callable[[Shape], Any]]) -> Callable[[], Run]:
        return all_queries(lambda: indices(setup()), probes)

    contenders = [
        Contender("exact, every box", every(lambda: hits(group, chosen, Segment)), judged=True),
        Contender(BVH, all_queries(lambda: Tree(boxes).hits, probes), judged=True),
        Contender(C, every(lambda: native.hits("segment_aabb", boxes))),
        Contender(CHUNKS, every(lambda: numpy_tests.chunked("segment_aabb", boxes))),
    ]
    if n <= 10**6:
        contenders.append(Contender(NUMPY, every(lambda: numpy_tests.vectorized("segment_aabb", boxes))))
    return compare("", "", "", len(probes), contenders, seconds)


def _every_face(triangles: Shapes) -> Search:
    group, chosen = Group(triangles), choose("ray_triangle", EXACT)
    hit_by = hits(group, chosen, Ray)

    def closest(rays: Rays) -> ClosestHits:
        index, t = np.full(len(rays), -1), np.full(len(rays), np.inf)
        for k, ray in enumerate(rays.shapes):
            for face in np.flatnonzero(hit_by(ray)).tolist():
                entered = intersect(ray, triangles[face]).t_enter
                if entered is not None and entered < t[k]:
                    index[k], t[k] = face, entered
        return index, t

    return closest


def _tree(primitives: Shapes) -> Search:
    from hitscope.geometry.bvh import Tree

    tree = Tree(primitives)

    def closest(rays: Rays) -> ClosestHits:
        found = tree.closest(rays.shapes)
        return found.element, found.t

    return closest


def _within_memory(count: int, bytes_each: int) -> int:
    """Return the count, or less if only fewer of that size fit into half of the free memory."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return count
    return min(count, free // 2 // bytes_each)
