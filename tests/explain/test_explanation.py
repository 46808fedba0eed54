"""What an explanation finds beside the run: the truth, the errors in ulps, float32, helpers of a user's file."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest

from hitscope.explain import explain, trace
from hitscope.explain.departure import departure
from hitscope.geometry.registry import Chosen, Method, choose
from hitscope.geometry.shapes import Aabb, Obb, Plane, Point, Ray, Segment, Triangle
from hitscope.targets.runners.python_function import function_of
from hitscope.targets.target import TargetSpec
from tests.judge.seeded_cases import generate

BOX = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
# In float64 the point is beside the plane as it is; float32 rounds it onto the plane of the same numbers.
TENTHS = Plane((0.1, 0.2, 0.3), 0.06)


def method_of(function, *pairs):
    return Chosen(Method(function.__name__, function, pairs or ("segment_aabb",), "a test", (), ("stepped",)), {})


def float32_numbers(shape):
    return [float(np.float32(number)) for number in shape.start]


@pytest.fixture(scope="module")
def wrong_in_float32():
    """A segment that a method judges right in float64 and wrong in float32, on the float32 numbers alone."""
    chosen = choose("segment_aabb", "slab_ericson")
    for seed in range(200):
        probe, box = generate("edges", "segment_aabb", seed)
        single = explain(chosen, probe, box, "float32")
        double = explain(chosen, *single.given)
        if single.is_wrong and not double.is_wrong:
            return probe, single, double
    raise AssertionError("no such segment")


def test_float32_is_put_against_fractions_of_the_float32_numbers(wrong_in_float32):
    probe, single, double = wrong_in_float32
    assert float32_numbers(single.given[0]) == list(single.given[0].start) != list(probe.start)
    assert single.cause == "rounding" and double.cause == "" and single.truth == double.truth
    departs = single.departs
    assert departs.ours.text == departs.theirs.text and departs.ours.text in single.wrong_line[1]
    assert all(isinstance(number, np.float32 | int) for number in departs.ours.values)
    # The other run starts from the very numbers that float32 has.
    theirs = single.unrounded.steps[0].values["probe"]
    assert theirs.origin == tuple(map(Fraction, single.given[0].start))


def test_the_errors_of_float32_are_in_its_own_ulps(wrong_in_float32):
    _, single, _ = wrong_in_float32
    errors = [single.errors_in_ulps(k) for k in range(len(single.trace.steps))]
    largest = max((max(found.values(), default=0.0) for found in errors), default=0.0)
    assert 0.0 < largest < 1e4


def test_a_number_beyond_float32_is_explained_too():
    probe = Segment((-1e300, 0.5, 0.5), (1e300, 0.5, 0.5))
    explanation = explain(choose("segment_aabb", "slab_ericson"), probe, BOX, "float32")
    assert explanation.truth is True and explanation.cause in ("", "nan", "rounding")
    assert explanation.given[0].start[0] == -1e300


def test_the_error_of_a_value_is_counted_in_its_ulps():
    probe = Segment((0.1, 0.5, 0.5), (3.3, 0.5, 0.5))
    explanation = explain(choose("segment_aabb", "slab_intervals"), probe, Aabb((1.0, 0.0, 0.0), (2.0, 1.0, 1.0)))
    step = next(k for k, step in enumerate(explanation.trace.steps) if "t1" in step.values)
    ours = explanation.trace.steps[step].values["t1"]
    theirs = (1 - Fraction(0.1)) / (Fraction(3.3) - Fraction(0.1))
    off = abs(Fraction(ours) - theirs) / Fraction(float(np.spacing(ours)))
    assert 0 < off < 2 and explanation.errors_in_ulps(step)["t1"] == float(off)
    # What is right has no error.
    assert "axis" not in explanation.errors_in_ulps(step)


def test_errors_beyond_float64_are_counted_too():
    chosen = choose("segment_triangle", "woop")
    huge = Triangle((0.0, 0.0, 1e200), (1e200, 0.0, 1e200), (0.0, 1e200, 1e200))
    probe = Segment((1.0, 1.0, 0.0), (1e199, 2e199, 1.5e200))
    explanation = explain(chosen, probe, huge)
    for k in range(len(explanation.trace.steps)):
        assert all(ulps >= 0 for ulps in explanation.errors_in_ulps(k).values())


HELPERS = """
import math
from math import sqrt as root

def clipped(t_near, t_far, t_min, t_max):
    if t_near > t_far:
        t_near, t_far = t_far, t_near
    return max(t_near, t_min), min(t_far, t_max)


def misses(t_min, t_max):
    return t_min > t_max


def hit(probe, box):
    t_min, t_max = 0.0, 1.0
    for axis in range(3):
        delta = probe.end[axis] - probe.start[axis]
        if delta == 0:
            if not box.lo[axis] <= probe.start[axis] <= box.hi[axis]:
                return False
            continue
        inverse = 1.0 / delta
        near = (box.lo[axis] - probe.start[axis]) * inverse
        far = (box.hi[axis] - probe.start[axis]) * inverse
        t_min, t_max = clipped(near, far, t_min, t_max)
        if misses(t_min, t_max):
            return False
    return True


def wrong_logic(probe, box):
    return misses(probe.start[0], box.hi[0])


def with_sine(probe, box):
    return math.sin(probe.start[0] ** 2) > 1e9


def length(v):
    return root(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)


def with_roots(probe, box):
    size = length(probe.start)
    unit = tuple(x / math.hypot(*probe.start) for x in probe.start)
    if math.isfinite(size) and (probe.start[0] * probe.start[0]) ** 0.5 > size:
        return False
    return unit[0] * size == probe.start[0]


def truthy(probe, box):
    inside = probe.start[0] / 3 * 3 - probe.start[0]
    if inside:
        return False
    return True
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "own_slabs.py"
    path.write_text(HELPERS, encoding="utf-8")
    return lambda name: function_of(TargetSpec(f"{path}:{name}", "ray_aabb")).function


def grazing(chosen):
    """Return the explanation of the first segment that a method judges wrong: they graze an edge of a box."""
    for seed in range(200):
        explanation = explain(chosen, *generate("edges", "segment_aabb", seed))
        if explanation.is_wrong:
            return explanation
    raise AssertionError("no such segment")


def test_a_departure_is_found_in_a_helper_of_the_users_file(own):
    function = own("hit")
    explanation = grazing(method_of(function))
    assert explanation.cause == "rounding"
    departs = explanation.departs
    assert [call.name for call in departs.calls] == ["misses"]
    assert explanation.wrong_line == (12, "return t_min > t_max") == (departs.line, departs.source)
    assert explanation.trace.steps[explanation.wrong_step].source.strip() == "if misses(t_min, t_max):"
    assert departs.ours.operands == ("t_min", "t_max") and departs.ours.result != departs.theirs.result


def test_the_users_logic_is_not_blamed_on_rounding(own):
    probe = Segment((-1.0, 0.5, 0.5), (2.0, 0.5, 0.5))
    explanation = explain(method_of(own("wrong_logic")), probe, BOX)
    assert explanation.is_wrong and explanation.cause == "logic" and explanation.departs is None
    assert explanation.wrong_line[1] == "return misses(probe.start[0], box.hi[0])"


def test_what_cannot_be_run_unrounded_is_unknown_and_not_guessed(own):
    probe = Segment((-1.0, 0.5, 0.5), (2.0, 0.5, 0.5))
    explanation = explain(method_of(own("with_sine")), probe, BOX)
    assert explanation.is_wrong and explanation.unrounded is None
    assert explanation.cause == "unknown" and explanation.wrong_step is None and explanation.wrong_line is None
    assert explanation.errors_in_ulps(0) == {}


def test_roots_of_the_users_functions_are_run_unrounded_too(own):
    function = own("with_roots")
    wrong = 0
    for k in range(1, 60):
        probe = Segment((k / 10, 0.3, 0.7), (0.5, 0.5, 0.5))
        explanation = explain(method_of(function), probe, Aabb((-9.0, -9.0, -9.0), (9.0, 9.0, 9.0)))
        assert explanation.unrounded.answer is True
        if explanation.is_wrong:
            assert explanation.cause == "rounding"
            assert explanation.wrong_line[1] == "return unit[0] * size == probe.start[0]"
            wrong += 1
    assert wrong
    assert function.__globals__["math"] is math and function.__globals__["root"] is math.sqrt


def test_a_number_taken_for_a_truth_value_is_a_comparison_too(own):
    for k in range(1, 100):
        probe = Segment((k / 10, 0.5, 0.5), (k / 10, 0.5, 0.5))
        box = Aabb((-20.0, 0.0, 0.0), (20.0, 1.0, 1.0))
        explanation = explain(method_of(own("truthy")), probe, box)
        if explanation.is_wrong:
            break
    assert explanation.cause == "rounding" and explanation.wrong_line[1] == "if inside:"
    assert explanation.departs.ours.operands == ("inside",) and explanation.departs.ours.operators == ()
    assert (explanation.departs.ours.result, explanation.departs.theirs.result) == (True, False)


def test_a_method_that_raises_is_an_error_at_its_last_line():
    def method(probe, box):
        slope = probe.start[0] / (probe.start[0] - probe.start[0])
        return slope > 0

    explanation = explain(method_of(method), Segment((1.0, 0.5, 0.5), (2.0, 0.5, 0.5)), BOX)
    assert explanation.is_wrong and explanation.cause == "error"
    assert explanation.wrong_line[1].startswith("slope =") and "ZeroDivisionError" in explanation.trace.error


def test_a_harmless_departure_is_not_blamed():
    # The two ends of a flat slab come in another order, which makes no difference; the interval is empty.
    ray = Ray(
        (3222593880993.625, 1.1350751406689294e18, 1345.8230273316008),
        (-5983513163726.346, -2.1075373741844357e18, 6.045183267137574e-06),
    )
    box = Obb(
        (0.5037799842287871, -4.220582482124799e-15, 1345.8595769122155),
        (2.9744529688057695e-17, 4.145960002713573e-15, 0.3831631357036389),
        ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)),
    )
    explanation = explain(choose("ray_obb", "slab_rotated"), ray, box)
    assert departure(explanation.trace, explanation.unrounded).ours.text == "t1 > t2"
    assert explanation.cause == "rounding" and explanation.wrong_line[1] == "if t_min > t_max:"


def test_a_tolerance_of_zero_is_not_tried_again(monkeypatch):
    runs = []

    def counted(*arguments):
        runs.append(arguments)
        return trace(*arguments)

    monkeypatch.setattr(sys.modules["hitscope.explain.explanation"], "trace", counted)
    in_its_plane = Segment((-1.0, 0.25, 0.0), (2.0, 0.25, 0.0))
    triangle = Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    counts = []
    for epsilon in (0.0, 1e-6):
        runs.clear()
        chosen = choose("segment_triangle", {"name": "moller_trumbore", "epsilon": epsilon})
        explanation = explain(chosen, in_its_plane, triangle)
        assert explanation.cause == "logic" and explanation.by_tolerance is None
        counts.append(len(runs))
    # The run itself and the one without rounding; with a tolerance both again.
    assert counts == [2, 4]


def test_a_nan_that_stands_for_unknown_is_none_that_arose():
    probe = Segment((-1.0, 0.5, 0.5), (2.0, 0.5, 0.5))
    box = choose("segment_obb", "slab_rotated")

    turned = Obb((0.5, 0.5, 0.5), (0.5, 0.5, 0.5), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    explanation = explain(box, probe, turned)
    assert any("nan" in repr(step.values) for step in explanation.trace.steps)
    assert explanation.first_nan is None


def test_the_first_nan_is_where_it_arises():
    explanation = explain(choose("segment_aabb", "kay_kajiya"), Segment((1.0, 0.5, -1.0), (1.0, 0.5, 2.0)), BOX)
    assert explanation.trace.steps[explanation.first_nan].source.strip().startswith("t2 =")


def test_a_point_is_explained_with_its_distance_in_roots():
    # The root of a distance is not rational, and is found to hundreds of bits.
    explanation = explain(choose("point_aabb", "sd_box"), Point((2.0, 3.0, 0.5)), BOX)
    outside = explanation.unrounded.steps[-1].values["outside"]
    assert isinstance(outside, Fraction) and 0 <= outside**2 - 5 < Fraction(1, 2**200)


def test_a_plane_is_classed_without_rounding_as_its_numbers_have_it():
    explanation = explain(choose("point_plane", "point_class"), Point((0.1, 0.1, 0.1)), TENTHS)
    value = next(s.values["value"] for s in explanation.unrounded.steps if "value" in s.values)
    assert value == sum(Fraction(0.1) * Fraction(n) for n in TENTHS.normal) - Fraction(TENTHS.offset)


def test_a_departure_is_found_in_a_function_inside_the_method():
    def method(probe, box):
        def is_itself(axis):
            return probe.start[axis] / 3 * 3 == probe.start[axis]

        return is_itself(0) or probe.start[0] < 0

    everything = Aabb((-9.0, -9.0, -9.0), (9.0, 9.0, 9.0))
    probes = (Segment((k / 10, 0.5, 0.5), (0.5, 0.5, 0.5)) for k in range(1, 60))
    found = [explained for p in probes if (explained := explain(method_of(method), p, everything)).is_wrong]
    assert found
    for explanation in found:
        assert explanation.cause == "rounding" and [call.name for call in explanation.departs.calls] == [
            "is_itself"
        ]
        assert explanation.wrong_line[1] == "return probe.start[axis] / 3 * 3 == probe.start[axis]"
