"""The names of `hitscope`: each is documented with an example, which is run."""

import builtins
import doctest
import inspect
import pydoc
import subprocess
import sys

import pytest

import hitscope


def test_no_name_that_users_need_is_missing() -> None:
    shapes = "Aabb Capsule Frustum Line Obb Parallelepiped Plane Point Polyhedron Ray Segment Sphere Triangle"
    functions = "evaluate explain hits intersect judge load render save scene"
    others = "Cast Rounded HitscopeError Mesh Report Scene SceneError Shapes Skip Tree Verdict"
    assert hitscope.__all__ == sorted(f"{shapes} {functions} {others}".split())
    assert dir(hitscope) == sorted([*hitscope.__all__, "map", "__version__"])
    assert not {*hitscope.__all__} & {*dir(builtins)}, "import * hides nothing of Python's"


@pytest.mark.parametrize("name", [*hitscope.__all__, "map"])
def test_the_example_of_a_public_name_runs(name: str) -> None:
    value = getattr(hitscope, name)
    assert ">>> " in (inspect.getdoc(value) or ""), "its documentation has an example"
    run_examples(value, name)


def test_what_needs_a_package_that_is_missing_names_what_brings_it() -> None:
    code = """
import sys
sys.modules["numba"] = None
import hitscope
for used in (lambda: hitscope.Tree, lambda: hitscope.Mesh([[(0, 0, 0)] * 3]).closest((0, 0, 0), (0, 0, 1))):
    try:
        used()
    except hitscope.HitscopeError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    words = "expected the package numba to compile code, found none: pip install 'hitscope[compiled]'"
    assert done.stdout.splitlines() == [f"hitscope.Tree: {words}", f"Mesh: {words}"]


def test_the_example_of_the_package_runs() -> None:
    run_examples(hitscope, "hitscope")


@pytest.mark.parametrize("name", ["Mesh", "Obb", "explain", "hits", "intersect", "judge", "render", "scene"])
def test_help_says_what_a_name_takes_in_a_few_lines(name: str) -> None:
    assert len(str(inspect.signature(getattr(hitscope, name)))) < 500


def test_help_says_what_judge_returns_and_nothing_of_tuples() -> None:
    words = pydoc.plain(pydoc.render_doc(hitscope))
    assert "returns a Judgement: true if none" in words[: words.index("PACKAGE CONTENTS")]
    assert "inherited from builtins.tuple" not in words
    assert len(pydoc.plain(pydoc.render_doc(hitscope.Segment)).splitlines()) < 40


def run_examples(value: object, name: str) -> None:
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(value, name, globs={}):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
