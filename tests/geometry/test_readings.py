"""One source, four readings: each method interpreted, compiled, on fractions, and under the tracer."""

import inspect
import math
import struct
import sys
from fractions import Fraction

import cases
import numpy as np
import pytest
from oracle import rank

from hitscope.explain import trace
from hitscope.geometry import batch, exact
from hitscope.geometry.registry import READINGS, Chosen, choose, methods
from hitscope.geometry.shapes import Aabb, Segment, linear, rational

TEXTBOOK = [(pair, method.name) for method in methods() if method.name != "exact" for pair in method.pairs]
SEEDS = 300


def answer(chosen: Chosen, probe, primitive, **arguments):
    """Give the answer as one flat list of numbers."""
    found = chosen.method(probe, primitive, **arguments)
    return flat(found if isinstance(found, tuple) else (found,))


def flat(value):
    return [number for part in value for number in (flat(part) if isinstance(part, tuple) else [part])]


def bits(number: float) -> bytes:
    return struct.pack("<d", float(number))


@pytest.mark.parametrize(("pair", "name"), TEXTBOOK, ids="-".join)
def test_compiled_gives_the_same_bits_as_interpreted(pair, name):
    chosen = choose(pair, name)
    for seed in range(40):
        probe, first = cases.pair(pair, seed)
        primitives = [first, *(cases.pair(pair, 1000 + 40 * seed + k)[1] for k in range(SEEDS // 40 + 1))]
        compiled = batch.run(chosen, probe, type(first), batch.columns(primitives))
        for k, primitive in enumerate(primitives):
            hit, *interpreted = answer(chosen, probe, primitive)
            assert compiled.hit[k] == hit
            if hit:
                columns = [np.atleast_1d(compiled.columns[column][k]) for column in chosen.method.answers]
                assert [bits(n) for column in columns for n in column] == [bits(n) for n in interpreted]


@pytest.mark.parametrize(("pair", "name"), TEXTBOOK, ids="-".join)
def test_an_unrounded_run_stays_within_fractions(pair, name):
    chosen = choose(pair, name)
    tolerances = {key: Fraction(value) for key, value in chosen.method.arguments.items()}
    for seed in range(SEEDS):
        probe, primitive = (rational(shape) for shape in cases.pair(pair, seed))
        for number in answer(chosen, probe, primitive, **tolerances):
            # The end of a ray or line that has none is given as inf, and may come back as it was given.
            assert isinstance(number, int | Fraction) or math.isinf(number)


def unrounded_hit(pair, name, seed) -> bool:
    """Give the verdict of the method's logic alone: on fractions, with every tolerance at zero."""
    chosen = choose(pair, name)
    tolerances = {key: Fraction(0) for key in chosen.method.arguments}
    return answer(chosen, *map(rational, cases.pair(pair, seed)), **tolerances)[0]


@pytest.mark.parametrize(("pair", "name"), [row for row in TEXTBOOK if row[0].endswith("aabb")], ids="-".join)
def test_a_box_methods_logic_errs_nowhere(pair, name):
    for seed in range(3 * SEEDS):
        assert unrounded_hit(pair, name, seed) == exact.meet(*cases.pair(pair, seed)), f"case {seed}"


@pytest.mark.parametrize("pair", ["segment_triangle", "ray_triangle", "line_triangle"])
def test_moller_trumbores_logic_errs_only_where_its_determinant_is_zero(pair):
    wrong = [
        seed
        for seed in range(20 * SEEDS)
        if unrounded_hit(pair, "moller_trumbore", seed) != exact.meet(*cases.pair(pair, seed))
    ]
    assert wrong, "the cases have coplanar probes and collinear triangles that are hit"
    for seed in wrong:
        probe, triangle = map(rational, cases.pair(pair, seed))
        edges = [[q - p for p, q in zip(triangle.a, other, strict=True)] for other in triangle[1:]]
        assert rank([*edges, linear(probe).direction]) < 3


@pytest.mark.parametrize("pair", ["segment_obb", "ray_obb", "line_obb"])
def test_slab_rotateds_logic_errs_nowhere_on_axes_that_are_orthonormal(pair):
    orthonormal = [
        seed
        for seed in range(6 * SEEDS)
        if all(abs(number) in (0.0, 1.0) for axis in cases.pair(pair, seed)[1].axes for number in axis)
    ]
    assert len(orthonormal) > SEEDS
    for seed in orthonormal:
        assert unrounded_hit(pair, "slab_rotated", seed) == exact.meet(*cases.pair(pair, seed)), f"case {seed}"


@pytest.mark.parametrize(("pair", "name"), TEXTBOOK, ids="-".join)
def test_a_traced_run_gives_the_same_answer_and_walks_the_methods_own_lines(pair, name):
    chosen = choose(pair, name)
    lines, first = inspect.getsourcelines(chosen.method.function)
    for seed in range(20):
        probe, primitive = cases.pair(pair, seed)
        run = trace(chosen, probe, primitive)
        assert repr(run.answer) == repr(chosen.method(probe, primitive))
        assert run.hit == answer(chosen, probe, primitive)[0]
        for step in run.steps:
            assert step.source == lines[step.line - first].rstrip("\n")
        assert run.steps[-1].source.strip().startswith("return")


def test_a_traced_step_has_the_values_after_its_line_ran():
    chosen = choose("segment_aabb", "slab_ericson")
    probe = Segment((-1.0, 0.5, 0.5), (1.0, 0.5, 0.5))
    steps = trace(chosen, probe, Aabb((0.0, 0.0, 0.0), (4.0, 1.0, 1.0))).steps
    (t1,) = [step.values["t1"] for step in steps if step.source.strip().startswith("t1 = ")]
    assert t1 == 0.5
    assert steps[-1].values["t_min"] == 0.5
    assert [step.values["axis"] for step in steps if step.source.strip().startswith("if abs(")] == [0, 1, 2]


def test_a_debuggers_tracer_is_put_back():
    before = sys.gettrace()
    trace(choose("triangle_aabb", "sat13"), *cases.pair("triangle_aabb", 1))
    assert sys.gettrace() is before


def test_every_method_but_exact_has_all_four_readings():
    assert {method.name for method in methods() if method.readings != READINGS} == {"exact"}
