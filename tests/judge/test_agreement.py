"""One verdict on a finding: by the judge that saved it, a check of its scene, and the test that is exported."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import cache
from math import inf, nan, nextafter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hitscope
from hitscope.cli.options import add_target_options
from hitscope.evaluate import OwnMethods, evaluate
from hitscope.geometry.registry import Chosen
from hitscope.geometry.shapes import Shape
from hitscope.judge.drawing import draw
from hitscope.judge.finding_scenes import truth_of
from hitscope.judge.findings import Finding
from hitscope.judge.framework_tests import tests as written_tests
from hitscope.judge.frameworks import FRAMEWORKS
from hitscope.judge.tallies import example_of
from hitscope.scene import dump, loads
from hitscope.targets.deciding import DecidingTargets
from hitscope.targets.judging.judged import KINDS, judged
from hitscope.targets.judging.rules import Rules
from hitscope.targets.judging.target_method import target_method
from hitscope.targets.judging.truth import Truth
from hitscope.targets.process import InThisProcess
from hitscope.targets.runners.catalogue_method import load
from hitscope.targets.runners.python_function import FunctionRunner, Imported, parts_of
from hitscope.targets.target import TargetSpec

PAIR = "ray_aabb"
GENERATORS = ("uniform", "integer_grid", "engine", "faces", "nearly_touching", "degenerate")
MOST = 1
"""The findings of a kind that are taken from a function and a generator."""

intersect = cache(hitscope.intersect)


@cache
def drawn(generator: str, real: str) -> Truth:
    return Truth(draw(generator, PAIR, 0, real, 20))


def exactly(ray: Shape, box: Shape) -> Any:
    found = intersect(ray, box)
    return found.hit, found.t_enter, found.normal


def other_t(change: Any) -> Any:
    def function(ray: Shape, box: Shape) -> Any:
        hit, t, normal = exactly(ray, box)
        return hit, None if t is None else change(t), normal

    return function


def other_normal(change: Any) -> Any:
    def function(ray: Shape, box: Shape) -> Any:
        hit, t, normal = exactly(ray, box)
        return hit, t, None if normal is None else change(np.array(normal))

    return function


def strict(ray: Shape, box: Shape) -> Any:
    found = intersect(ray, box)
    return found.hit and found.state != "touching", found.t_enter


def padded(ray: Shape, box: Shape) -> Any:
    found = intersect(ray, box)
    return found.distance < 1e-3, found.t_enter


FUNCTIONS = {
    "exactly": exactly,
    "a few ulps": other_t(lambda t: nextafter(nextafter(nextafter(t, inf), inf), inf)),
    "far below the tolerance": other_t(lambda t: t * (1 + 2**-45) + 1e-14),
    "a bit below the tolerance": other_t(lambda t: t + 1e-10),
    "far off": other_t(lambda t: t + 1),
    "infinite": other_t(lambda t: inf if t > 1 else t),
    "now and then": other_t(lambda t: nan if t > 1 else t + 1e-11),
    "a normal turned": other_normal(lambda normal: normal + 1e-12),
    "a normal back to front": other_normal(lambda normal: -normal),
    "half a normal": other_normal(lambda normal: (normal[0], normal[1], nan)),
    "strict": strict,
    "padded": padded,
}
RULES = (Rules(), Rules(t_ulps=2), Rules("open", t_ulps=0), Rules("either", 4, 8, 1e-10))


def findings_of(spec: TargetSpec, target: Any, rules: Rules) -> Iterator[Finding]:
    for generator in GENERATORS:
        truth = drawn(generator, spec.real)
        cases = truth.cases
        seen = judged(truth, target.answer(cases), rules)
        for kind in KINDS:
            for i in np.flatnonzero(seen.wrong.get(kind, False))[:MOST].tolist():
                yield Finding(spec, kind, generator, example_of(seen, kind, cases.numbers, range(20), i))


def in_this_process(function: Any) -> InThisProcess:
    return InThisProcess(FunctionRunner(Imported(function, Path.cwd(), ()), PAIR, Exception))


def check_of(finding: Finding, rules: Rules) -> Callable[[Chosen], bool]:
    """A function that says whether a method fails the scene of a finding, read back from its text."""
    scene = loads(dump(truth_of(finding, rules, "", "")).encode(), "a.scene.json", Path())
    return lambda chosen: bool(evaluate(scene, own=OwnMethods({PAIR: chosen})).mismatches)


def exported(finding: Finding, rules: Rules) -> Callable[[Any], bool]:
    """A function that says whether a function fails the test of a finding that is exported."""
    names: dict[str, Any] = {"np": np, "Ray": hitscope.Ray, "Aabb": hitscope.Aabb}
    exec(written_tests([finding], FRAMEWORKS["pytest"], rules), names)
    (test,) = [value for name, value in names.items() if name.startswith("test_")]
    real = np.dtype(finding.target.real).type

    def fails(function: Any) -> bool:
        def answer(probe: Shape, primitive: Shape) -> Any:
            hit, t, normal = parts_of(function(probe, primitive))
            return bool(hit), float(real(t)), np.array(normal, real).astype(float)

        names["answer"] = answer
        try:
            test()
        except AssertionError:
            return True
        return False

    return fails


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_judge_check_and_exported_tests_agree_on_every_finding(rules: Rules, real: str) -> None:
    spec = TargetSpec("mine.py:exactly", PAIR, real)
    right = Chosen(target_method(spec, in_this_process(exactly), rules), {})
    number = 0
    for name, function in FUNCTIONS.items():
        spec = TargetSpec(f"mine.py:{name.replace(' ', '_')}", PAIR, real)
        target = in_this_process(function)
        method = Chosen(target_method(spec, target, rules), {})
        for finding in findings_of(spec, target, rules):
            fails_check, fails_test = check_of(finding, rules), exported(finding, rules)
            assert fails_check(method) and fails_test(function), (name, finding)
            if rules.boundary != "open" and (real == "float64" or finding.kind != "wrong t"):
                assert not fails_check(right) and not fails_test(exactly), (name, finding)
            number += 1
    assert number > 20


def test_a_method_of_the_catalogue_is_checked_as_it_was_judged() -> None:
    options = ArgumentParser()
    add_target_options(options)
    given = options.parse_args([])
    given.method = [(PAIR, "slab_efficient")]
    spec, rules = TargetSpec("slab_efficient", PAIR), Rules(t_ulps=0)
    with DecidingTargets(given) as targets:
        for finding in findings_of(spec, InThisProcess(load(spec)), rules):
            chosen = targets.methods(truth_of(finding, rules, "", ""))[PAIR]
            assert check_of(finding, rules)(chosen), finding
