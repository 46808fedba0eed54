"""Methods of the catalogue as targets, compiled and interpreted."""

import numpy as np
import pytest

from hitscope.geometry.registry import of_pair
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.cases import Cases, case_width
from hitscope.targets.process import open_target
from hitscope.targets.runners import catalogue_method
from hitscope.targets.target import Answers, TargetSpec

METHODS = [
    ("slab_halfspaces", "ray_aabb"),
    ("slab_ericson", "segment_aabb"),
    ("moller_trumbore", "line_triangle"),
    ("moller_trumbore,epsilon=0.5", "segment_triangle"),
    ("slab_rotated", "segment_obb"),
    ("sat13_edges", "parallelepiped_triangle"),
    ("plane_equation", "ray_plane"),
]


@pytest.fixture(autouse=True)
def in_own_folder() -> None:
    """Keep the folder of compiled code, which this process finds once."""


def cases(pair: str, n: int = 200) -> Cases:
    numbers = np.random.default_rng(1).uniform(-2, 2, (n, case_width(pair)))
    if pair.endswith("aabb"):
        numbers[:, -6:] = np.sort(numbers[:, -6:].reshape(n, 2, 3), axis=1).reshape(n, 6)
    return Cases(pair, numbers)


def answers(text: str, pair: str) -> Answers:
    with open_target(TargetSpec(text, pair)) as target:
        return target.answer(cases(pair))


@pytest.mark.parametrize(("text", "pair"), METHODS)
def test_a_compiled_method_answers_as_the_interpreted_one(monkeypatch, text, pair):
    interpreted = answers(text, pair)
    called = []
    monkeypatch.setattr(type(of_pair(pair)[text.partition(",")[0]]), "__call__", lambda *_: called.append(1))
    compiled = CaseArrays.of_numbers(cases(pair).numbers)
    failures = catalogue_method.load(TargetSpec(text, pair), compiled_from=1).run(compiled)
    assert not called and failures == interpreted.failures == {}
    assert set(compiled.hit.tolist()) == {0, 1}
    np.testing.assert_array_equal(compiled.hit, interpreted.hit)
    np.testing.assert_array_equal(compiled.t_enter, interpreted.t_enter)
    if interpreted.normal is not None:
        np.testing.assert_array_equal(compiled.normal, interpreted.normal)


def test_answers_are_those_of_the_method():
    method = of_pair("segment_aabb")["slab_halfspaces"]
    numbers = np.array([[-1, 0.5, 0.5, 3, 0.5, 0.5, 0, 0, 0, 1, 1, 1], [-1, 5, 5, 3, 5, 5, 0, 0, 0, 1, 1, 1.0]])
    cases = Cases("segment_aabb", numbers)
    with open_target(TargetSpec("slab_halfspaces", "segment_aabb")) as target:
        found = target.answer(cases)
    expected = [method(*cases.shapes(k)) for k in range(2)]
    assert found.hit.tolist() == [answer.hit for answer in expected] == [True, False]
    assert (found.t_enter[0], found.normal[0].tolist()) == (0.25, [-1, 0, 0])


@pytest.mark.parametrize("text", ["bounds", "exact"])
def test_a_method_without_t_and_normal_has_none(text):
    found = answers(text, "point_aabb")
    assert found.normal is None and np.isnan(found.t_enter).all() and set(found.hit.tolist()) == {0, 1}


def test_arithmetic_that_python_refuses_is_a_failure_of_its_case(monkeypatch):
    cases = Cases("point_aabb", np.ones((3, 9)))

    def refuse(self: object, *pair: object) -> bool:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(type(of_pair("point_aabb")["bounds"]), "__call__", refuse)
    with open_target(TargetSpec("bounds", "point_aabb")) as target:
        found = target.answer(cases, most_crashes=2)
    assert [failure.words for failure in found.failures.values()] == ["ZeroDivisionError: division by zero"] * 2
