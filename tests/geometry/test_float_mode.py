"""Exact answers in a process in which another library has changed the floating-point mode."""

import ctypes
import gc
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import hitscope
from hitscope import HitscopeError, float_mode
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact.margins import margins
from hitscope.judge.drawing import draw
from hitscope.targets.cases import Cases
from hitscope.targets.judging.truth import Truth

pytestmark = pytest.mark.xdist_group("float mode")  # so that one worker alone finds the expected answers

MODES = """
#include <fenv.h>
#if defined __x86_64__
#include <xmmintrin.h>
void flush(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
#else
void flush(void) {
    unsigned long r;
    __asm__("mrs %0, fpcr" : "=r"(r));
    __asm__("msr fpcr, %0" :: "r"(r | 1 << 24));
}
#endif
void keep(void) {}
void upward(void) { fesetround(FE_UPWARD); }
void downward(void) { fesetround(FE_DOWNWARD); }
void to_zero(void) { fesetround(FE_TOWARDZERO); }
"""
PAIRS = ["segment_aabb", "ray_triangle", "segment_obb", "triangle_aabb", "point_parallelepiped", "obb_plane"]
GENERATORS = ["extreme", "nearly_touching", "degenerate"]
CASES = 16


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """A library whose functions change the mode of the thread that calls them."""
    folder = tmp_path_factory.mktemp("modes")
    (folder / "modes.c").write_text(MODES, encoding="utf-8")
    command = ["cc", "-O1", "-shared", "-fPIC", "modes.c", "-o", "modes.so", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "modes.so"))


@pytest.fixture(scope="module")
def in_mode(library: ctypes.CDLL) -> Callable[..., object]:
    """A function that calls another one in a thread of a mode."""

    def in_mode(mode: str, function: Callable[..., object], *args: object) -> object:
        def run() -> object:
            getattr(library, mode)()
            assert not float_mode.is_default()
            found = function(*args)
            assert not float_mode.is_default(), "the mode is as it was"
            return found

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(run).result()

    return in_mode


def answers(drawn: list[Cases]) -> Iterator[object]:
    """The answers of all that decides, their numbers as bytes: Python's comparisons flush, too."""
    cached = type(lru_cache(len))
    gc.unfreeze()  # what is frozen is not among the objects
    for kept in gc.get_objects():
        if type(kept) is cached and kept.cache_parameters()["maxsize"] is not None:
            kept.cache_clear()
    gc.freeze()
    for found in drawn:
        pairs = [found.shapes(k) for k in range(len(found))]
        probes, primitives = zip(*pairs, strict=True)
        yield hitscope.hits(probes, primitives).tobytes()
        yield Truth(found).hit.tobytes()
        yield margins(probes, primitives, np.ones(len(pairs), np.bool_)).tobytes()
        for pair in pairs:
            verdict = hitscope.intersect(*pair)
            numbers = verdict.distance, verdict.t_enter, *(verdict.point or ()), *(verdict.normal or ())
            yield verdict.hit, verdict.state, [None if x is None else struct.pack("d", x) for x in numbers]
        if isinstance(primitives[0], hitscope.Aabb | hitscope.Triangle):
            tree = hitscope.Tree(Shapes.of(primitives))
            yield [tree.hits(probe).tobytes() for probe in probes]
            yield hitscope.evaluate(hitscope.scene(primitives * 2, probes)).hits.tobytes()
        if isinstance(probes[0], hitscope.Ray):
            rays = Shapes.of(probes)
            mesh = hitscope.Mesh(np.array(primitives))
            yield [part.tobytes() for part in mesh.closest(rays.rows[:3].T, rays.rows[3:].T)]
            yield [mesh.any(*probe) for probe in probes]


@pytest.fixture(scope="module")
def drawn() -> list[Cases]:
    return [draw(generator, pair, 0, "float64", CASES) for pair in PAIRS for generator in GENERATORS]


@pytest.fixture(scope="module")
def expected(drawn: list[Cases]) -> list[object]:
    return list(answers(drawn))


@pytest.mark.parametrize("mode", ["flush", "upward", "downward", "to_zero"])
def test_answers_are_those_of_the_default_mode(
    in_mode: Callable[..., object], mode: str, drawn: list[Cases], expected: list[object]
) -> None:
    assert in_mode(mode, lambda: list(answers(drawn))) == expected
    assert float_mode.is_default()


def test_what_is_imported_in_another_mode_is_right(library: ctypes.CDLL, tmp_path: Path) -> None:
    code = f"""
import ctypes, sys
library = ctypes.CDLL({library._name!r})
getattr(library, sys.argv[1])()
import hitscope
box, inside = hitscope.Aabb((0, 0, 0), (5e-324, 1, 1)), hitscope.Segment((1e-323, 0, 0), (1e-323, 1, 1))
tree = hitscope.Tree(hitscope.Shapes.of([box] * 9))
print(hitscope.intersect(inside, box).state, tree.hits(inside).size)
judged = hitscope.judge("slab_ericson", "ray_aabb", cases=99, generator="extreme")
print(len(judged.findings), [(row["hits"], row["wrong_hits"], row["wrong_misses"]) for row in judged.rows()])
"""
    shown = {
        subprocess.run([sys.executable, "-c", code, mode], capture_output=True, text=True, check=True).stdout
        for mode in ("flush", "upward", "keep")
    }
    assert len(shown) == 1


def test_where_the_mode_cannot_be_set_that_is_one_line(
    in_mode: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(float_mode, "_environment", lambda: (lambda mode: None,) * 2 + (None,))
    with pytest.raises(
        HitscopeError, match="expected the default floating-point mode of IEEE 754, found one that a"
    ):
        in_mode("upward", hitscope.hits, [], [])
