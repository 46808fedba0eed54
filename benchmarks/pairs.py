"""Figures of pairs: one probe against every primitive, and many probes against many primitives."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks import cores, native, numpy_tests, workloads
from benchmarks.comparison import Contender, Figure, Run, compare
from benchmarks.peers import of_query
from benchmarks.sizes import Sizes
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.batch import method_pair_loop, values
from hitscope.geometry.exact import meet, pairwise
from hitscope.geometry.group import Group
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.registry import EXACT, Chosen, choose, of_pair
from hitscope.geometry.shapes import Segment, Shape, word

C = "C"
C_THREADS = "C, a thread a core"
CHUNKS = "NumPy, in chunks"
NUMPY = "NumPy"
BVH = "exact, BVH"
ONE_BY_ONE = 2_000
"""The pairs that fractions decide one by one."""
INTERPRETED_BELOW = 2_000
"""Fewer primitives than this are also measured with methods that have no compiled reading."""


def brute_force(sizes: Sizes) -> Iterator[Figure]:
    """Measure one probe against every primitive."""
    n, segments = sizes.primitives, list(workloads.segments(16))
    triangles, rays = list(workloads.large_triangles(16)), list(workloads.incoherent_rays(16).shapes)
    for primitives, probes, limit in (
        (workloads.aabbs(n), segments, 1.2),
        (workloads.obbs(n), segments, 1.2),
        (workloads.triangles(n), segments, 1.2),
        (workloads.spheres(n), segments, 1.3),
        (workloads.aabbs(n), triangles, 2.0),
        (workloads.aabbs(n), rays, None),
    ):
        yield from single_pair(primitives, probes, sizes.seconds, limit, sizes.methods)


def single_pair(
    primitives: Sequence[Shape],
    probes: Sequence[Shape],
    seconds: float,
    limit: float | None = None,
    most: int | None = None,
) -> Iterator[Figure]:
    """Measure methods of the pair, at `most` so many, the BVH, C, NumPy and the peers on one probe against all.

    Ours starts at the probe, a tuple, and ends at the array of verdicts, with all checks in between.
    """
    words = word(probes[0]), word(primitives[0])
    name, group, n = "_".join(words), Group(primitives), len(primitives)
    kind = type(probes[0])
    methods = [
        entry.name
        for entry in of_pair(name).values()
        if entry.name == EXACT or "compiled" in entry.readings or n < INTERPRETED_BELOW
    ][:most]
    for count in cores.available():
        contenders = [
            Contender(
                method, _probe_by_probe(partial(hits, group, choose(name, method), kind), probes), judged=True
            )
            for method in methods
        ]
        if isinstance(primitives, Shapes):
            contenders += _others(name, primitives, probes, count)
        title = f"one {words[0]} against {n:,} {words[1]}s"
        with cores.limited_to(count):
            yield compare(
                name,
                title,
                "ns a pair",
                n,
                contenders,
                seconds,
                cores=count,
                yardsticks=(C, C_THREADS),
                limit=limit,
            )


def _others(name: str, primitives: Shapes, probes: Sequence[Shape], count: int) -> Iterator[Contender]:
    """Yield the contenders that are no methods: the BVH, C and, on the fewest cores, NumPy and the peers."""
    if KINDS[primitives.kind].in_hierarchy:
        yield Contender(BVH, _probe_by_probe(partial(_all_hits, primitives), probes))
    if name in native.PAIRS:
        yield Contender(C, _probe_by_probe(partial(native.hits, name, primitives), probes))
    if name in native.PAIRS and count > 1:
        yield Contender(C_THREADS, _probe_by_probe(partial(native.hits, name, primitives, count), probes))
    if not cores.is_fewest(count):
        return
    if name in native.PAIRS:
        yield Contender(CHUNKS, _probe_by_probe(partial(numpy_tests.chunked, name, primitives), probes))
        yield Contender(NUMPY, _probe_by_probe(partial(numpy_tests.vectorized, name, primitives), probes))
    for peer in of_query(name):
        part = primitives[: peer.most]
        yield Contender(peer.name, _probe_by_probe(partial(peer.setup, part), probes), work=len(part))


def hits(group: Group, chosen: Chosen, probe: type[Shape]) -> Callable[[Shape], Any]:
    """Return a function of a probe that gives its verdicts with a group, compiled beforehand where that pays."""
    if len(group.shapes) >= INTERPRETED_BELOW:
        # Compiled for one primitive it is compiled for all; preparing a large group would build a hierarchy, too.
        Group(group.shapes[:1]).prepare(chosen, probe)
    return partial(group.hits, chosen)


def _probe_by_probe(setup: Callable[[], Callable[[Shape], Any]], probes: Sequence[Shape]) -> Callable[[], Run]:
    """Return a contender's setup that takes another probe in each round."""

    def start() -> Run:
        decide = setup()
        return lambda k: decide(probes[k % len(probes)])

    return start


def all_pairs(sizes: Sizes) -> Iterator[Figure]:
    """Measure many segments against many boxes, with every verdict kept as a bit."""
    m = sizes.matrix
    boxes, segments = workloads.aabbs(m), workloads.segments(m)
    group, chosen, part = Group(boxes), choose("segment_aabb", EXACT), segments[: max(1, m // 50)]
    chunks = numpy_tests.chunked("segment_aabb", boxes)

    def in_bits() -> Run:
        hits(group, chosen, Segment)
        return lambda k: group.bits(chosen, segments)

    def in_c(count: int) -> Run:
        decide = native.bits(boxes, count)
        return lambda k: decide(segments)

    def in_chunks(k: int) -> Any:
        return np.stack([np.packbits(chunks(probe), bitorder="little") for probe in part])

    for count in cores.available():
        contenders = [
            Contender(EXACT, in_bits, judged=True),
            Contender(C, partial(in_c, 1)),
        ]
        if count > 1:
            contenders.append(Contender(C_THREADS, partial(in_c, count)))
        if cores.is_fewest(count):
            contenders.append(Contender(CHUNKS, lambda: in_chunks, work=len(part) * m))
        title = f"{m:,} segments against {m:,} aabbs, every verdict a bit"
        with cores.limited_to(count):
            yield compare(
                "all_pairs",
                title,
                "ns a pair",
                m * m,
                contenders,
                sizes.seconds,
                cores=count,
                yardsticks=(C, C_THREADS),
                limit=1.2,
            )


def pair_by_pair(sizes: Sizes) -> Iterator[Figure]:
    """Measure n probes against n primitives, probe i against primitive i, which a judge of methods needs."""
    n = sizes.primitives
    segments = workloads.segments(n)
    for primitives, method in (
        (workloads.aabbs(n), "slab_intervals"),
        (workloads.triangles(n), "moller_trumbore"),
    ):
        name = f"segment_{word(primitives[0])}"
        part = min(n, ONE_BY_ONE)
        probes, targets = list(segments[:part]), list(primitives[:part])
        contenders = [
            Contender(EXACT, partial(_constant, partial(_exact_pairs, segments, primitives)), judged=True),
            Contender(method, partial(_constant, partial(_method_pairs, name, method, segments, primitives))),
            Contender("exact, one by one", partial(_constant, partial(_one_by_one, probes, targets)), work=part),
        ]
        title = f"{n:,} segments against one of {n:,} {word(primitives[0])}s each"
        yield compare(f"{name}_pairs", title, "ns a pair", n, contenders, sizes.seconds, yardsticks=(method,))


def _constant(decide: Callable[[], Any]) -> Run:
    """Return a run that does the same in each round."""
    return lambda k: decide()


def _exact_pairs(probes: Shapes, primitives: Shapes) -> Any:
    return pairwise.decide(probes, primitives).hits


def _method_pairs(pair: str, method: str, probes: Shapes, primitives: Shapes) -> Any:
    entry, found = of_pair(pair)[method], np.empty(len(probes), dtype=np.bool_)
    method_pair_loop(entry, probes.kind, primitives.kind)(probes.rows, primitives.rows, values(entry, {}), found)
    return found


def _one_by_one(probes: Sequence[Shape], primitives: Sequence[Shape]) -> Any:
    return np.fromiter(map(meet, probes, primitives), np.bool_, len(probes))


def _all_hits(primitives: Shapes) -> Callable[[Shape], Any]:
    from hitscope.geometry.bvh import Tree

    tree = Tree(primitives)

    def hits(probe: Shape) -> Any:
        found = np.zeros(len(primitives), dtype=np.bool_)
        found[tree.hits(probe)] = True
        return found

    return hits
