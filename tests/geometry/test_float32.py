"""The float32 reading: interpreted on NumPy's scalars and compiled, it gives the same bits."""

from typing import Any

import numpy as np
import pytest

from hitscope.geometry.batch import pair_answers
from hitscope.geometry.registry import Method, methods, of_pair, pairs
from hitscope.geometry.shapes import Aabb, Plane, Point, Ray, Segment, Triangle, replaced_numbers
from hitscope.targets.cases import Cases, kinds
from tests.judge.seeded_cases import generate

GENERATORS = ("uniform", "integer_grid", "nearly_touching", "parallel", "degenerate", "far_from_origin")


def bits(value: Any) -> bytes:
    """The bytes of a float32; all NaNs are one."""
    number = np.float32(value)
    return b"NaN" if np.isnan(number) else number.tobytes()


COMPILED = {method.function: method for method in methods() if "compiled" in method.readings}
"""Each function once: of a method that is registered in both orders of its shapes, the swapped one."""


@pytest.mark.parametrize("method", COMPILED.values(), ids=lambda method: method.name)
def test_compiled_and_interpreted_float32_give_the_same_bits(method: Method) -> None:
    pair = method.pairs[0]
    shapes = [generate(generator, pair, seed) for generator in GENERATORS for seed in range(20)]
    cases = Cases.of_shapes(pair, [probe for probe, _ in shapes], [other for _, other in shapes], np.float32)
    rows, probe_width = np.ascontiguousarray(cases.numbers.T), len(cases.probes.rows)
    answers = pair_answers(method, rows[:probe_width], rows[probe_width:], kinds(pair), {}, tuple(method.parts))
    for i in range(len(cases)):
        found = method.in_float32(*cases.shapes(i))
        assert bool(found.hit if method.parts else found) == answers.hit[i], cases.shapes(i)
        for name, column in answers.columns.items():
            stored = tuple(column[i]) if column.ndim == 2 else column[i]
            expected = replaced_numbers(getattr(found, name), bits)
            assert replaced_numbers(stored, bits) == expected, (name, cases.shapes(i))


def test_every_method_but_exact_has_the_float32_reading() -> None:
    for pair in pairs():
        for name, method in of_pair(pair).items():
            assert ("float32" in method.readings) == (name != "exact"), (pair, name)


def test_each_result_is_rounded_to_float32() -> None:
    t = (
        of_pair("ray_plane")["plane_equation"]
        .in_float32(Ray((0.3, 0.25, 1.0), (0.0, 0.0, -1.0)), Plane((0.0, 0.0, 1.0), 0.1))
        .t_enter
    )
    assert type(t) is np.float32 and t == np.float32(1.0) - np.float32(0.1)
    box = Aabb((1.0, 1.0, 1.0), (2.0, 2.0, 2.0))
    distance = of_pair("point_aabb")["sd_box"].in_float32(Point((0.3, 0.25, 0.0)), box).distance
    assert type(distance) is np.float32


def test_angles_are_float32_before_they_are_added() -> None:
    # In float64 the angles around an inner point add up to 2 pi within 1e-14; of float32 angles few do.
    triangle = Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    angle_sum = of_pair("segment_triangle")["angle_sum"]
    missed = 0
    for k in range(1, 12):
        segment = Segment((k / 64, k / 32, 1.0), (k / 64, k / 32, -1.0))
        assert angle_sum(segment, triangle, tolerance=1e-9).hit
        missed += not angle_sum.in_float32(segment, triangle, tolerance=1e-9).hit
    assert missed > 0
