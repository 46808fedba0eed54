"""All figures in the order in which they are measured, and their document in JSON."""

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks import native
from benchmarks.comparison import CostScaling, Figure
from benchmarks.judging import judged_cases
from benchmarks.pairs import all_pairs, brute_force, pair_by_pair
from benchmarks.peers import PEERS, installed
from benchmarks.program import whole_program
from benchmarks.scenes import of_scene
from benchmarks.searches import closest_hits, rays_on_boxes, scalings
from benchmarks.sizes import FULL, Sizes
from hitscope import __version__

PARTS: tuple[Callable[[Sizes], Iterator[Figure | CostScaling]], ...] = (
    brute_force,
    all_pairs,
    pair_by_pair,
    closest_hits,
    rays_on_boxes,
    scalings,
    judged_cases,
    whole_program,
)


NO_GOAL: dict[str, Any] = {"limit": None, "allowance": None}


def measure(sizes: Sizes, scenes: Sequence[Path] = ()) -> Iterator[Figure | CostScaling]:
    """Yield each result as soon as it is measured: hitscope's own figures, or those of some scenes.

    Only the full sizes have goals.
    """
    found: Iterator[Figure | CostScaling]
    if scenes:
        found = chain.from_iterable(of_scene(scene, sizes.seconds) for scene in scenes)
    else:
        found = chain.from_iterable(part(sizes) for part in PARTS)
    if sizes == FULL:
        yield from found
    else:
        yield from (replace(result, **NO_GOAL) if isinstance(result, Figure) else result for result in found)


def machine() -> dict[str, Any]:
    """Return the machine, and the versions of all that is measured, for the JSON document."""
    return {
        "system": platform.system(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "hitscope": __version__,
        "numpy": installed("numpy"),
        "numba": installed("numba"),
        "C": native.compiler_version(),
        **{package: installed(package) for package in sorted({peer.package for peer in PEERS})},
    }


def as_dict(results: Iterable[Figure | CostScaling]) -> dict[str, Any]:
    """Return the JSON document; values are medians in each figure's unit."""
    results = list(results)
    return {
        "machine": machine(),
        "figures": [_figure(result) for result in results if isinstance(result, Figure)],
        "scalings": [_scaling(result) for result in results if isinstance(result, CostScaling)],
    }


def _figure(figure: Figure) -> dict[str, Any]:
    base = figure.yardstick
    return {
        "name": figure.name,
        "title": figure.title,
        "unit": figure.unit,
        "cores": figure.cores,
        "yardstick": base.contender if base else None,
        "goal": figure.goal or None,
        "agree": figure.agree,
        "holds": figure.holds,
        "rows": [
            {
                "contender": row.contender,
                "judged": row.judged,
                "value": row.value,
                "ratio": figure.ratio(row),
                "runs": len(row.values),
                "work": row.work,
                "differs": row.differs,
                "note": row.note,
            }
            for row in figure.rows
        ],
    }


def _scaling(scaling: CostScaling) -> dict[str, Any]:
    return {
        "name": scaling.name,
        "title": scaling.title,
        "unit": scaling.unit,
        "notes": scaling.notes,
        "series": [
            {
                "contender": name,
                "judged": name in scaling.judged,
                "growth_per_decade": scaling.growth(name),
                "points": [{"count": count, "value": value} for count, value in values.items()],
            }
            for name, values in scaling.series.items()
        ],
    }


def _cpu() -> str:
    """Return the processor's name, for which Python's own function is empty on Linux."""
    if sys.platform.startswith("linux"):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        if names:
            return names[0]
    return platform.processor() or platform.machine()
