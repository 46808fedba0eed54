"""One source, four readings: each method interpreted, compiled, on fractions, and under the tracer."""

import inspect
import math
import struct
import sys
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from hitscope.explain import trace
from hitscope.geometry import batch, exact
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.registry import READINGS, Chosen, choose, methods, of_pair, pairs
from hitscope.geometry.rewritten import verdict_alone
from hitscope.geometry.shapes import Aabb, Frustum, Obb, Parallelepiped, Segment, Triangle, linear, rational
from hitscope.geometry.vector import cross
from tests.geometry import cases
from tests.geometry.oracle import rank
from tests.geometry.wrapped_pairs import any_pair

SEEDS = 120


@cache
def case(pair: str, seed: int):
    """Return a random pair of shapes, made once for all methods of the pair."""
    return tuple(any_pair(pair, seed))


@cache
def truth(pair: str, seed: int) -> bool:
    """Return the exact verdict on such a pair."""
    return exact.meet(*case(pair, seed))


def having(reading: str) -> list[tuple[str, str]]:
    """Return (pair, name) of every method with that reading."""
    return [(pair, method.name) for method in methods() if reading in method.readings for pair in method.pairs]


def answer(chosen: Chosen, probe, primitive, **arguments):
    """Return the method's answer by the names of its parts, `hit` first."""
    found = chosen.method(probe, primitive, **arguments)
    return found._asdict() if chosen.method.parts else {"hit": found}


def numbers(part):
    """Return the three numbers of a vector, or a number alone, as a list."""
    return list(part) if isinstance(part, tuple) else [part]


def bits(number: float) -> bytes:
    """Return the float64's bytes; all NaN are the same."""
    return struct.pack("<d", float(number)) if not math.isnan(number) else b"NaN"


def covering(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return rows with every method, at the one of its pairs that fewest have so far, and with every pair."""
    chosen: list[tuple[str, str]] = []
    for name in dict.fromkeys(name for _, name in rows):
        taken = [pair for pair, _ in chosen]
        chosen.append((min((pair for pair, other in rows if other == name), key=taken.count), name))
    missing = dict(rows).keys() - dict(chosen).keys()
    return chosen + [(pair, name) for pair, name in dict(rows).items() if pair in missing]


# One worker compiles a method for all its pairs, which share what is inlined.
@pytest.mark.parametrize(
    ("pair", "name"),
    [pytest.param(*row, marks=pytest.mark.xdist_group(row[1])) for row in covering(having("compiled"))],
)
def test_compiled_gives_the_same_bits_as_interpreted(pair, name):
    method, pairs_of_shapes = choose(pair, name).method, []
    for seed in range(12):
        probe, first = case(pair, seed)
        pairs_of_shapes += [
            (probe, first),
            *((probe, case(pair, 12 + 14 * seed + k)[1]) for k in range(14)),
        ]
    probes, primitives = (Shapes.of(shapes) for shapes in zip(*pairs_of_shapes, strict=True))
    kinds = probes.kind, primitives.kind
    compiled = batch.pair_answers(method, probes.rows, primitives.rows, kinds, {}, tuple(method.parts))
    for k, shapes in enumerate(pairs_of_shapes):
        interpreted = answer(choose(pair, name), *shapes)
        assert compiled.hit[k] == interpreted.pop("hit")
        assert list(compiled.columns) == list(interpreted)
        for part, value in interpreted.items():
            found = np.atleast_1d(compiled.columns[part][k])
            assert [bits(n) for n in found] == [bits(n) for n in numbers(value)], part


@pytest.mark.parametrize(("pair", "name"), having("compiled"))
def test_what_is_compiled_for_the_verdict_alone_gives_the_methods_verdict(pair, name):
    method = choose(pair, name).method
    if method.parts:
        alone = verdict_alone(method.function)
        for seed in range(SEEDS):
            probe, primitive = case(pair, seed)
            assert alone(*method.parameters(probe, primitive)) is method.hit(probe, primitive)


@pytest.mark.parametrize(("pair", "name"), having("unrounded"))
def test_an_unrounded_run_stays_within_fractions(pair, name):
    chosen = choose(pair, name)
    tolerances = {key: Fraction(value) for key, value in chosen.method.arguments.items()}
    for seed in range(SEEDS // 2):
        probe, primitive = map(rational, case(pair, seed))
        found = answer(chosen, probe, primitive, **tolerances)
        hit = found.pop("hit")
        assert isinstance(hit, bool)
        for part, value in found.items():
            unknown = [isinstance(number, float) and math.isnan(number) for number in numbers(value)]
            if part == "normal":
                # A miss has none, and a probe that starts inside enters no face.
                assert all(unknown) or (hit and not any(unknown))
            else:
                known = part in ("feature", "distance") or hit == (part in ("t_enter", "t_exit"))
                assert unknown == [not known] * len(unknown), part
            for number in numbers(value):
                # The end of a ray or line that has none is given as inf, and may come back as it was given.
                open_end = part in ("t_enter", "t_exit") and math.isinf(number)
                assert all(unknown) or open_end or isinstance(number, int | Fraction), part


def wrong_without_rounding(pair, name, seeds):
    """Return the cases in which a method is wrong without rounding and with every tolerance at zero."""
    chosen = choose(pair, name)
    tolerances = {key: Fraction(0) for key in chosen.method.arguments}
    wrong = []
    for seed in range(seeds):
        if chosen.method.hit(*map(rational, case(pair, seed)), **tolerances) != truth(pair, seed):
            wrong.append(case(pair, seed))
    return wrong


ERRING = {
    # What is flat, collinear or in one plane, as the methods' deviations say.
    **dict.fromkeys(("moller_trumbore", "barycentric", "woop"), "coplanar or collinear"),
    **dict.fromkeys(("cuboid_slabs", "sat15", "sat13_edges"), "a flat box"),
    "barycentric_point": "a collinear triangle",
    "sat17": "collinear triangles",
    "sat13_printed": "the missing axis",
    "slab_rotated": "axes that are not orthonormal",
    "obb_tree": "axes that are not orthonormal",
    "closest_in_box": "axes that are not orthonormal",
    "closest_in_triangle": "collinear triangles",
    "sunday_segments": "an axis that is a point",
    "moving_boxes_printed": "an axis at rest, or faces that leave each other",
    "slabs_of_sum": "faces that slide",
    **dict.fromkeys(("positive_vertex", "six_planes", "planes_and_corners"), "what is outside"),
    "sat26": "no camera",
}


@pytest.mark.parametrize(("pair", "name"), [row for row in having("unrounded") if row[1] not in ERRING])
def test_a_methods_logic_errs_nowhere(pair, name):
    wrong = wrong_without_rounding(pair, name, 2 * SEEDS)
    assert not wrong, "correct the method or, where its source has it so, say in ERRING where it errs"


@pytest.mark.parametrize(("pair", "name"), [row for row in having("unrounded") if row[1] in ERRING])
def test_a_methods_logic_errs_only_where_it_says(pair, name):
    for probe, primitive in wrong_without_rounding(pair, name, 2 * SEEDS):
        match ERRING[name]:
            case "coplanar or collinear":
                a, b, c = rational(primitive)
                edges = [[q - p for p, q in zip(a, other, strict=True)] for other in (b, c)]
                assert rank([*edges, linear(rational(probe)).direction]) < 3
            case "a flat box":
                boxes = [shape for shape in (probe, primitive) if isinstance(shape, Aabb | Obb | Parallelepiped)]
                assert any(exact.dimension(shape) < 3 for shape in boxes)
            case "an axis that is a point":
                assert any(capsule.start == capsule.end for capsule in (probe, primitive))
            case "a collinear triangle":
                assert exact.dimension(primitive) < 2
            case "collinear triangles":
                triangles = [shape for shape in (probe, primitive) if isinstance(shape, Triangle)]
                assert any(exact.dimension(triangle) < 2 for triangle in triangles)
            case "the missing axis" | "what is outside":
                assert not exact.meet(probe, primitive)
            case "an axis at rest, or faces that leave each other":
                assert any(
                    not v or lo == probe.hi[k] or hi == probe.lo[k]
                    for k, (v, lo, hi) in enumerate(zip(probe.motion, *primitive, strict=True))
                )
            case "faces that slide":
                assert any(
                    not v and (lo == probe.hi[k] or hi == probe.lo[k])
                    for k, (v, lo, hi) in enumerate(zip(probe.motion, *primitive, strict=True))
                )
            case "no camera":
                (frustum,) = (shape for shape in (probe, primitive) if isinstance(shape, Frustum))
                assert not exact.meet(probe, primitive)
                assert any(cross(*frustum.normals[4:]))
            case "axes that are not orthonormal":
                numbers = [
                    abs(n) for box in (probe, primitive) if isinstance(box, Obb) for u in box.axes for n in u
                ]
                assert not set(numbers) <= {0.0, 1.0}


PLAIN = [(pair, name) for pair, name in having("stepped") if pair in cases.PAIRS or name != "exact"]
WRAPPED = [(pair, "exact") for pair in ("cast_sphere_aabb", "rounded_aabb_triangle", "ray_rounded_obb")]
"""Some pairs of what is rounded or cast: `exact` is one function for all."""


@pytest.mark.parametrize(("pair", "name"), PLAIN + WRAPPED)
def test_a_traced_run_gives_the_same_answer_and_walks_the_methods_own_lines(pair, name):
    chosen = choose(pair, name)
    lines, first = inspect.getsourcelines(chosen.method.function)
    for seed in range(10 if pair in cases.PAIRS else 2):
        probe, primitive = case(pair, seed)
        run = trace(chosen, probe, primitive)
        assert repr(run.answer) == repr(chosen.method(probe, primitive))
        assert run.hit == answer(chosen, probe, primitive)["hit"]
        for step in run.steps:
            start = step.line - first
            assert step.source == "".join(lines[start : start + step.source.count("\n") + 1]).rstrip("\n")
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
    trace(choose("triangle_aabb", "sat13"), *any_pair("triangle_aabb", 1))
    assert sys.gettrace() is before


def test_every_method_runs_and_steps_and_knows_no_other_reading():
    for method in methods():
        assert {"interpreted", "stepped"} <= set(method.readings) <= set(READINGS), method.name


def test_exact_stands_first_in_every_pairs_list():
    assert all(next(iter(of_pair(pair))) == "exact" for pair in pairs())
