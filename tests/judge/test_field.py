"""The faults that the field knows, in C as it is written there, and each with its right twin, in campaigns.

Every file of the folder `field` has `wrong` and `right`, in the precision that hitscope compiles it for.
"""

from pathlib import Path

import numpy as np
import pytest

from hitscope.judge.drawing import GENERATORS, draw
from hitscope.targets.judging.judged import WRONG_HIT, WRONG_MISS
from hitscope.targets.judging.rules import Rules
from hitscope.targets.judging.truth import Truth
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import target_specs
from hitscope.targets.target import HIT
from tests.judge.campaigns import judge

FIELD = Path(__file__).with_name("field")
REALS = ("float32", "float64")
CASES = range(500)
A_FEW_ULPS = Rules(slack=4)
KINDS = (WRONG_HIT, WRONG_MISS)
SMOOTH = ("uniform", "log_uniform", "engine", "far_from_origin")
"""The generators without zeros, contacts or overflow."""
FOUND = [
    # fault, pair, kind, where it shows, and where its right twin errs by more than a few ulps, too
    ("epsilon", "ray_triangle", WRONG_MISS, {"engine"}, {"in_plane", "parallel", "extreme"}),
    ("zero_times_infinity", "ray_aabb", WRONG_HIT, {"in_plane", "parallel"}, set()),
    ("sign_of_zero", "ray_aabb", WRONG_MISS, {"narrow_gap", "parallel"}, {"extreme"}),
    ("missing_axis", "triangle_aabb", WRONG_HIT, {"uniform", "integer_grid"}, {"engine", "extreme"}),
    ("transposed", "point_obb", WRONG_HIT, {"uniform", "engine"}, {"nearly_touching", "extreme"}),
    ("forgotten_end", "segment_aabb", WRONG_HIT, {"uniform", "integer_grid", "engine"}, set()),
]


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    """A cache of the compiled files of these tests alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HITSCOPE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def wrong(fault, functions, pair, real, rules=A_FEW_ULPS, flags=(), cases=CASES):
    """Return the wrong verdicts of functions in one campaign, a dictionary each.

    It has the count of each kind by the choice of flags and the generator.
    """
    texts = [f"{FIELD / fault}.c:{function}" for function in functions]
    targets = [spec for text in texts for spec in target_specs(text, pair, real=real, flags=flags)]
    found = [{} for _ in functions]
    for row in judge(targets, cases, rules, tuple(GENERATORS)):
        of_function = found[texts.index(row.target.text)]
        of_function[row.target.flags, row.generator] = {kind: row.tally.wrong[kind] for kind in KINDS}
    return found


def erring(found):
    """Return the generators with a wrong verdict."""
    return {generator for (_, generator), kinds in found.items() if any(kinds.values())}


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize(("fault", "pair", "kind", "shows", "right_but_in"), FOUND)
def test_each_fault_is_found_and_its_right_twin_is_not_blamed(fault, pair, kind, shows, right_but_in, real):
    found, twin = wrong(fault, ("wrong", "right"), pair, real)
    assert shows <= {generator for (_, generator), kinds in found.items() if kinds[kind]}
    assert erring(twin) <= right_but_in


def test_the_epsilon_of_moller_and_trumbore_loses_every_triangle_below_a_millimetre():
    cases = draw("engine", "ray_triangle", 0, "float32")
    corners = cases.numbers[:, 6:].astype(np.float64).reshape(-1, 3, 3)
    sizes = np.linalg.norm(np.roll(corners, 1, axis=1) - corners, axis=2).max(axis=1)
    hits = Truth(cases).hit & (sizes < 1e-3)
    with OpenTargets() as opened:
        wrong, right = (
            opened[target_specs(f"{FIELD}/epsilon.c:{function}", "ray_triangle", real="float32")[0]]
            for function in ("wrong", "right")
        )
        assert hits.sum() > 20
        assert not (hits & (wrong.answer(cases).hit == HIT)).any()
        assert (hits & (right.answer(cases).hit == HIT)).sum() > 0.8 * hits.sum()


def test_fast_math_errs_where_numbers_are_equal_or_zero_and_never_on_random_ones():
    (found,) = wrong("sign_of_zero", ("right",), "ray_aabb", "float32", flags=["-O2", "-ffast-math"])
    assert found["-ffast-math", "integer_grid"] != found["-O2", "integer_grid"]
    assert found["-ffast-math", "in_plane"] != found["-O2", "in_plane"]
    for generator in SMOOTH:
        assert not any(found["-ffast-math", generator].values()), generator


@pytest.mark.parametrize("real", REALS)
def test_strict_comparisons_are_wrong_only_where_boxes_touch(real):
    few = CASES[:300]  # of each that is wrong, its distance is found in fractions
    found, twin = wrong("strict", ("wrong", "right"), "aabb_aabb", real, Rules(), cases=few)
    assert {"integer_grid", "faces"} <= erring(found)
    assert not any(kinds[WRONG_HIT] for kinds in found.values())
    assert not erring(twin)
    (with_either,) = wrong("strict", ("wrong",), "aabb_aabb", real, Rules(boundary="either"), cases=few)
    assert not erring(with_either)


@pytest.mark.parametrize("real", REALS)
def test_woop_errs_by_a_few_ulps_but_in_the_plane_of_a_triangle(real):
    (found,) = wrong("woop", ("right",), "ray_triangle", real)
    assert erring(found) <= {"integer_grid", "in_plane", "parallel", "extreme"}
