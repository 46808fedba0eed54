"""The C kernels, compiled if there is a compiler, as functions of a probe in hitscope's shapes."""

import ctypes
import os
import shlex
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from benchmarks.workloads import Floats
from hitscope.geometry.arrays import Shapes, numbers_of
from hitscope.geometry.shapes import Shape, is_linear, linear

SOURCE = Path(__file__).with_name("kernels.c")
OPTIONS = ("-O3", "-march=native", "-shared", "-fPIC")
PAIRS = {
    "segment_aabb": "linear_aabb",
    "ray_aabb": "linear_aabb",
    "line_aabb": "linear_aabb",
    "segment_obb": "linear_obb",
    "ray_obb": "linear_obb",
    "line_obb": "linear_obb",
    "segment_sphere": "linear_sphere",
    "ray_sphere": "linear_sphere",
    "line_sphere": "linear_sphere",
    "segment_triangle": "linear_triangle",
    "ray_triangle": "linear_triangle",
    "line_triangle": "linear_triangle",
    "triangle_aabb": "triangle_aabb",
}
"""The kernel of each pair that has one."""


class NoCompilerError(Exception):
    """There is no C compiler, or it failed; the message is one line."""


@cache
def library() -> ctypes.CDLL:
    """Compile the kernels into a temporary folder and load them; raises NoCompilerError."""
    command = _compiler()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        target = Path(folder) / "kernels.so"
        done = subprocess.run(
            [*command, *OPTIONS, SOURCE, "-o", target], check=False, capture_output=True, text=True
        )
        if done.returncode:
            raise NoCompilerError(f"{command[0]}: {(done.stderr.strip() or 'failed').splitlines()[0]}")
        return ctypes.CDLL(str(target))


def compiler_version() -> str | None:
    """Return the first line of the compiler's version and our options; None without a compiler."""
    try:
        command = _compiler()
    except NoCompilerError:
        return None
    output = subprocess.run([*command, "--version"], check=False, capture_output=True, text=True).stdout
    return f"{output.partition(chr(10))[0]}, {' '.join(OPTIONS)}"


def _compiler() -> list[str]:
    """Return $CC, or the first of cc, gcc and clang that is installed, as a command; raises NoCompilerError."""
    names = [os.environ["CC"]] if os.environ.get("CC") else ["cc", "gcc", "clang"]
    for name in names:
        command = shlex.split(name)
        if which(command[0]):
            return command
    raise NoCompilerError(f"no C compiler is installed ({', '.join(names)})")


def hits(pair: str, primitives: Shapes, threads: int = 1) -> Callable[[Shape], NDArray[np.bool_]]:
    """Return a function of a probe that gives its verdict with every primitive, by the kernel of the pair."""
    kernel, count = getattr(library(), PAIRS[pair]), len(primitives)
    cuts = [count * k // threads for k in range(threads + 1)]
    parts = [slice(*ends) for ends in pairwise(cuts)]
    pool, arrays = (
        ThreadPoolExecutor(threads),
        [primitives.rows] if threads == 1 else [np.ascontiguousarray(primitives.rows[:, part]) for part in parts],
    )

    def decide(probe: Shape) -> NDArray[np.bool_]:
        numbers, hit = _numbers(probe), np.empty(count, dtype=np.bool_)

        def decide_part(part: slice, rows: Floats) -> None:
            kernel(_address(numbers), _address(rows), ctypes.c_ssize_t(rows.shape[1]), _address(hit[part]))

        list((map if threads == 1 else pool.map)(decide_part, parts, arrays))
        return hit

    return decide


def bits(boxes: Shapes, threads: int = 1) -> Callable[[Shapes], NDArray[np.uint8]]:
    """Return a function of m segments that gives their verdicts with n boxes as bits: (m, ceil(n / 8)) bytes."""
    kernel, n = library().linear_aabb_bits, len(boxes)
    pool = ThreadPoolExecutor(threads)

    def decide(probes: Shapes) -> NDArray[np.uint8]:
        m = len(probes)
        start, end = probes.rows[:3], probes.rows[3:]
        numbers = np.ascontiguousarray(np.vstack((start, end - start, np.zeros(m), np.ones(m))).T)
        found = np.empty((m, (n + 7) // 8), dtype=np.uint8)

        def decide_part(part: slice) -> None:
            probe_rows = numbers[part]
            args = ctypes.c_ssize_t(len(probe_rows)), _address(boxes.rows), ctypes.c_ssize_t(n)
            kernel(_address(probe_rows), *args, _address(found[part]))

        cuts = [m * k // threads for k in range(threads + 1)]
        list((map if threads == 1 else pool.map)(decide_part, [slice(*ends) for ends in pairwise(cuts)]))
        return found

    return decide


def _numbers(probe: Shape) -> Floats:
    return np.array(numbers_of(linear(probe) if is_linear(probe) else probe), dtype=np.float64)


def _address(array: NDArray[np.generic]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
