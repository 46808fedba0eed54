"""Leaks as scene files: the ray, the triangles around the place where it gets through, and the exact verdicts."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from msgspec.structs import replace

from hitscope.geometry import exact
from hitscope.geometry.arrays import builder
from hitscope.geometry.shapes import Ray, Triangle
from hitscope.judge.finding_scenes import LONGEST_NAME, beginning, judging, own_name, save_scenes
from hitscope.judge.shape_items import item
from hitscope.judge.watertight.leaks import CRASH, Example, LeakTest, Row
from hitscope.judge.watertight.rays_inside import RaysInside
from hitscope.scene import AnyPrimitive, AnyProbe, Expectation, Scene, model
from hitscope.targets.judging.rules import DEFAULT_RULES

ORIGIN = "From `hitscope judge --mesh`, "
"""The words in the description of a leak by which it is known for one."""


class Leak(NamedTuple):
    """An example of a row, with what is to be said about it."""

    row: Row
    example: Example
    ray: Ray
    around: dict[int, Triangle]
    """The triangles that the ray meets, and those with a vertex in common with one of them, by their number."""
    met: frozenset[int]

    @property
    def words(self) -> str:
        """The target's fault, in one line."""
        target, aim = self.row
        numbers = ", ".join(map(str, sorted(self.met)))
        where = f"triangle{'s' * (len(self.met) > 1)} {numbers}"
        if self.example.kind == CRASH:
            return f"{own_name(target)} crashes on triangle {self.example.triangles[0]}: {self.example.words}"
        return f"a ray aimed at {AIMED_AT[aim]} leaks through {where}"


AIMED_AT = {"random": "nothing", "faces": "a face", "edges": "an edge", "vertices": "a vertex"}
"""The part of a triangle that a ray of each aim is aimed at."""


def leaks_of(test: LeakTest) -> list[Leak]:
    """Return the examples of all rows."""
    return [_leak(row, example, test.rays) for row, tally in test.tallies.items() for example in tally.examples]


def _leak(row: Row, example: Example, rays: RaysInside) -> Leak:
    mesh = rays.mesh
    ray: Ray = builder(Ray)(example.ray)
    given = {k: builder(Triangle)(rays.numbers[k].tolist()) for k in example.triangles}
    met = frozenset(k for k, triangle in given.items() if exact.meet(ray, triangle))
    if example.kind == CRASH:
        return Leak(row, example, ray, given, met)
    corners = mesh.triangles[sorted(met)]
    around = {k: triangle for k, triangle in given.items() if np.isin(mesh.triangles[k], corners).any()}
    return Leak(row, example, ray, around, met)


def scene_of(leak: Leak, file: Path) -> Scene:
    """Return a leak as a scene: `hitscope check` fails it by the target, and passes it by exact geometry."""
    (target, aim), example = leak.row, leak.example
    ids = {k: f"triangle-{k}" for k in leak.around}
    primitives = [replace(item(model.PRIMITIVES, leak.around[k]), id=name) for k, name in ids.items()]
    return Scene(
        version=1,
        name=f"{own_name(target)}: {example.kind}",
        description=f"{leak.words}. {ORIGIN}{file.name}, aim {aim}, seed {example.seed}.",
        primitives=tuple(cast(list[AnyPrimitive], primitives)),
        probes=(cast(AnyProbe, item(model.PROBES, leak.ray)),),
        expect=tuple(Expectation(probe="ray-0", primitive=name, hit=k in leak.met) for k, name in ids.items()),
        judged=judging(target, DEFAULT_RULES),
    )


def save_leaks(leaks: Iterable[Leak], folder: Path, test: LeakTest) -> dict[int, Path]:
    """Write leaks as scene files into a folder; returns the path of each by its place. Raises HitscopeError.

    Those of earlier runs of the targets on a mesh of the same name are replaced.
    """
    mesh = re.sub("[^A-Za-z0-9_]+", "_", test.file.stem)[:LONGEST_NAME]
    named = [
        (f"{beginning(leak.row[0], folder)}-{mesh}-{leak.example.kind}-{leak.row[1]}", scene_of(leak, test.file))
        for leak in leaks
    ]
    beginnings = [f"{beginning(target, folder)}-{mesh}" for target in test.targets]
    return dict(enumerate(save_scenes(named, folder, beginnings, ORIGIN)))
