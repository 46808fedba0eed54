"""`hitscope.explain`: a method or a function, on shapes given in Python."""

import math

import pytest

import hitscope
from hitscope.explain import trace as _trace  # the module stays importable beside the function of its name
from hitscope.explain.python_interface import explain as from_module

RAY = hitscope.Ray((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
BOX = hitscope.Aabb((1.0, 1.0, 1.0), (2.0, 2.0, 2.0))


def always(ray, box):
    """Say hit of everything."""
    return True


def test_it_is_a_function_beside_the_package_of_its_name():
    assert hitscope.explain is from_module and "explain" in hitscope.__all__
    assert callable(_trace)


def test_a_method_is_named_with_its_arguments():
    found = hitscope.explain(RAY, BOX, "slab_ericson", epsilon=2.0)
    assert (found.hit, found.truth, found.cause) == (False, True, "tolerance")
    assert found.chosen.arguments == {"epsilon": 2.0}
    assert hitscope.explain(RAY, BOX, "slab_ericson").cause == ""


def test_exact_explains_itself_where_no_method_is_named():
    found = hitscope.explain(RAY, BOX)
    assert found.chosen.method.name == "exact" and found.hit
    assert repr(found).splitlines()[-2] == "Hit: this is exact."


def test_the_repr_is_the_listing():
    lines = repr(hitscope.explain(RAY, BOX._replace(hi=(9.0, 9.0, 9.0)), "slab_halfspaces")).splitlines()
    assert lines[0].startswith("slab_halfspaces (") and max(map(len, lines)) <= 80
    assert any(line.endswith("t = numerator / denominator  # t = 1.0") for line in lines)


def test_a_function_is_explained_as_a_method_is():
    found = hitscope.explain(RAY, hitscope.Aabb((5, 0, 0), (6, 1, 1)), always)
    assert (found.chosen.method.name, found.hit, found.truth, found.cause) == ("always", True, False, "logic")
    assert [step.source.strip() for step in found.trace.steps] == ["return True"]


def test_a_function_runs_without_rounding_where_it_keeps_to_arithmetic():
    def is_far(ray, box):
        return box.lo[0] * 0.1 + 0.2 > 0.3

    def is_longer(ray, box):
        return math.log(ray.direction[0]) > box.hi[0]

    # 0.1 + 0.2 is above 0.3 as floats, and so are the sums of their fractions.
    assert hitscope.explain(RAY, BOX, is_far).unrounded is not None
    assert hitscope.explain(RAY, BOX, is_longer).unrounded is None


@pytest.mark.parametrize(
    ("arguments", "named", "words"),
    [
        ((RAY, BOX, 3), {}, "explain: method: expected the name of a method, or a function, found 3"),
        ((RAY, BOX, "sat"), {}, "explain: method: expected a method of ray_aabb (exact, "),
        ((RAY, BOX, "slab_ericson"), {"eps": 1}, "explain: eps: expected an argument of slab_ericson (epsilon), "),
        ((RAY, BOX, always), {"eps": 1}, "explain: eps: expected no arguments with a function, found some"),
        ((RAY, BOX, math.hypot), {}, "hypot: expected a Python function whose source is at hand, found none"),
        ((BOX, RAY), {}, "explain: primitive: expected a primitive (Aabb, "),
        ((1, BOX), {}, "explain: probe: expected a probe (Point, "),
    ],
)
def test_what_cannot_be_explained_is_refused_in_words(arguments, named, words):
    with pytest.raises(hitscope.HitscopeError) as raised:
        hitscope.explain(*arguments, **named)
    assert str(raised.value).startswith(words)


def test_a_function_without_source_is_refused_in_words():
    made = {}
    exec("def typed(ray, box): return True", made)
    with pytest.raises(hitscope.HitscopeError, match="typed: expected a Python function whose source is at hand"):
        hitscope.explain(RAY, BOX, made["typed"])
