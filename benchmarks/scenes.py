"""Figures of a user's scene: each probe item against its primitives, type by type."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks import cores
from benchmarks.comparison import Figure, compare
from benchmarks.pairs import single_pair
from benchmarks.searches import EMBREE, searchers_of
from benchmarks.workloads import IndexedMesh, Rays
from hitscope.evaluate import evaluate
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.shapes import Ray, Triangle
from hitscope.scene import load

MOST_PROBES = 64
"""The most probes of a bundle that are measured one by one."""


def of_scene(path: Path, seconds: float) -> Iterator[Figure]:
    """Measure the scene's pairs and, for rays on triangles, the closest hits."""
    report = evaluate(load(path))
    for part in report.probes.parts:
        probes = [part.shape] if part.shape else part.shapes[:MOST_PROBES] if part.shapes else []
        for work in report.methods_in_use():
            if not probes or work.probe is not type(probes[0]):
                continue
            primitives = work.group.shapes
            figures = [*single_pair(primitives, probes, seconds)]
            if part.shapes and isinstance(primitives, Shapes) and (work.probe, primitives.kind) == (Ray, Triangle):
                figures += _closest(primitives, part.shapes, seconds)
            for figure in figures:
                yield replace(figure, title=f"{path.name}, {part.id}: {figure.title}")


def _closest(triangles: Shapes, rays: Shapes, seconds: float) -> Iterator[Figure]:
    n, m = len(triangles), len(rays)
    corners = np.ascontiguousarray(triangles.rows.T).reshape(-1, 3)
    mesh = IndexedMesh(corners, np.arange(3 * n, dtype=np.int32).reshape(-1, 3))
    queries = Rays(np.ascontiguousarray(rays.rows[:3].T), np.ascontiguousarray(rays.rows[3:].T))
    title = f"closest hit of {m:,} rays on {n:,} triangles"
    for count in cores.available():
        with cores.limited_to(count):
            contenders = searchers_of(mesh, count).contenders([queries])
            yield compare("closest", title, "ns a ray", m, contenders, seconds, cores=count, yardsticks=EMBREE)
