"""Figures of the whole program: the time to start, to load and to evaluate a scene, and the memory for it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from benchmarks import numpy_tests, workloads
from benchmarks.comparison import Contender, Figure, Row, Run, compare
from benchmarks.pairs import NUMPY
from benchmarks.sizes import Sizes
from hitscope.evaluate import evaluate
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.shapes import Segment
from hitscope.resources import SCENES
from hitscope.scene import load

SEGMENT = (-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)
"""The probe of the scenes."""
PEAK = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
"""A small process in between, because a process counts the memory of the one it was forked from as its own."""


def whole_program(sizes: Sizes) -> Iterator[Figure]:
    """Measure starting, loading, evaluating and the memory."""
    yield _starting(sizes)
    with TemporaryDirectory() as folder:
        boxes = workloads.aabbs(sizes.primitives)
        yield from _loading(Path(folder), boxes, sizes)
        yield _evaluating(Path(folder), boxes, sizes)
        yield _memory(Path(folder), boxes)


def _starting(sizes: Sizes) -> Figure:
    scene = next(iter(sorted(SCENES.rglob("*.scene.json"))))

    def started(*arguments: str | Path) -> Run:
        def start(k: int) -> None:
            _run(sys.executable, *arguments)

        return start

    contenders = [
        Contender("hitscope check", lambda: started("-m", "hitscope", "check", scene), judged=True),
        Contender("import numpy, msgspec", lambda: started("-c", "import numpy, msgspec")),
    ]
    yardsticks = [contenders[1].name]
    return compare(
        "start",
        "check of one small scene, from the shell and back",
        "ms",
        1,
        contenders,
        sizes.seconds,
        yardsticks=yardsticks,
        limit=1.5,
        scale=1e3,
    )


def _loading(folder: Path, boxes: Shapes, sizes: Sizes) -> Iterator[Figure]:
    path, file, inline = (folder / name for name in ("boxes.npz", "file.scene.json", "inline.scene.json"))
    _write_scene(file, _saved(path, boxes))
    fields = {name: array.tolist() for name, array in _fields(boxes).items()}
    _write_scene(inline, {"type": "aabbs", **fields})

    def read(k: int) -> None:
        with np.load(path) as arrays:
            for name in arrays:
                arrays[name]

    def loaded(scene: Path) -> Run:
        def run(k: int) -> None:
            load(scene)

        return run

    def decode(k: int) -> None:
        msgspec.json.decode(inline.read_bytes())

    def figure(
        name: str,
        form: str,
        scene: Path,
        yardstick: Contender,
        limit: float | None = None,
        allowance: float | None = None,
    ) -> Figure:
        return compare(
            name,
            f"load a scene of {len(boxes):,} aabbs from {form}",
            "ms",
            1,
            [Contender("hitscope.load", lambda: loaded(scene), judged=True), yardstick],
            sizes.seconds,
            yardsticks=(yardstick.name,),
            limit=limit,
            allowance=allowance,
            scale=1e3,
        )

    yield figure("load_npz", ".npz", file, Contender("np.load alone", lambda: read), allowance=500)
    yield figure(
        "load_json", "inline JSON", inline, Contender("msgspec's decoding alone", lambda: decode), limit=2
    )


def _evaluating(folder: Path, boxes: Shapes, sizes: Sizes) -> Figure:
    path = folder / "evaluated.scene.json"
    _write_scene(path, _saved(folder / "evaluated.npz", boxes))
    scene = load(path)
    in_numpy, probe = numpy_tests.vectorized("segment_aabb", boxes), Segment(*SEGMENT)
    contenders = [
        Contender("hitscope.evaluate", lambda: lambda k: evaluate(scene).hit_elements, judged=True),
        Contender(NUMPY, lambda: lambda k: in_numpy(probe)),
    ]
    title = f"evaluate a scene of {len(boxes):,} aabbs anew"
    return compare(
        "evaluate", title, "ms", 1, contenders, sizes.seconds, yardsticks=[NUMPY], limit=1 / 20, scale=1e3
    )


def _memory(folder: Path, boxes: Shapes) -> Figure:
    """Return the peak memory of a check of all boxes above that of one box, per box."""
    n, rows = len(boxes), []
    peaks = {}
    try:
        for count in (1, n):
            scene = folder / f"{count}.scene.json"
            _write_scene(scene, _saved(folder / f"{count}.npz", boxes[:count]))
            peak = _run(sys.executable, "-c", PEAK, sys.executable, "-m", "hitscope", "check", scene)
            peaks[count] = int(peak) * (1 if sys.platform == "darwin" else 1024)
        rows.append(Row("hitscope check", judged=True, values=((peaks[n] - peaks[1]) / n,), work=n))
    except (subprocess.CalledProcessError, ValueError) as error:
        rows.append(Row("hitscope check", judged=True, note=f"fails: {error}"))
    title = f"peak memory of a check of {n:,} aabbs, above that of one"
    return Figure("memory", title, "bytes a box", rows, allowance=200)


def _saved(path: Path, boxes: Shapes) -> dict[str, Any]:
    np.savez(path, **_fields(boxes))
    return {"type": "aabbs", "file": path.name}


def _fields(boxes: Shapes) -> dict[str, Any]:
    return {"min": boxes.rows[:3].T, "max": boxes.rows[3:].T}


def _write_scene(path: Path, primitive: dict[str, Any]) -> None:
    start, end = SEGMENT
    probe = {"type": "segment", "start": start, "end": end}
    path.write_bytes(msgspec.json.encode({"version": 1, "primitives": [primitive], "probes": [probe]}))


def _run(*command: str | Path) -> str:
    # Installed packages have their bytecode; a checkout's is written by its first run, unless that is forbidden.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
