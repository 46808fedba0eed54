"""What becomes of logged calls: which are wrong, which cannot be judged, and the worst of each kind."""

from math import inf, nan

import numpy as np
import pytest

from hitscope.cli.collect import as_dict
from hitscope.collect.triage import NO_ANSWER, save_scenes, scene_of, triaged
from hitscope.geometry.checks import AXES_TOLERANCE
from hitscope.judge.log import read
from hitscope.targets.judging.judged import WRONG_HIT, WRONG_MISS, WRONG_T
from hitscope.targets.judging.rules import DEFAULT_RULES, Rules
from hitscope.terminal import json_text
from tests.collect.logged import call

BOX = (0, 0, 0, 1, 1, 1)
AXES = (1, 0, 0, 0, 1, 0, 0, 0, 1)


@pytest.fixture
def triage(tmp_path):
    """A function that triages logs of these calls, by their pair."""

    def triage(*logs, rules=DEFAULT_RULES, real=None):
        paths = []
        for k, calls in enumerate(logs):
            paths.append(tmp_path / f"{k}.log")
            paths[-1].write_bytes(b"".join(calls))
        return {(tally.pair, tally.real): tally for tally in triaged([*map(read, paths)], rules, real)}

    return triage


def of_point(x, answer, real="d", box=BOX):
    return call("point_aabb", x, 0.5, 0.5, *box, answer, real=real)


def of_ray(z, *answer, real="d"):
    """A ray along z from a height, to the box."""
    return call("ray_aabb", 0.5, 0.5, z, 0, 0, 1, *BOX, *answer, real=real)


def test_calls_are_wrong_by_kind_and_the_worst_of_each_is_kept(triage):
    calls = [of_point(0.5, 1), of_point(2, 1), of_point(9, 1), of_point(3, 1), of_point(4, 0), of_point(0.25, 0)]
    (tally,) = triage(calls).values()
    assert (tally.calls, tally.hits, tally.repeated, tally.left_out) == (6, 2, 0, 0)
    assert {kind: wrong.count for kind, wrong in tally.wrong.items()} == {WRONG_HIT: 3, WRONG_MISS: 1}
    worst = tally.wrong[WRONG_HIT]
    assert (worst.call.order, worst.finding.example.distance) == (3, 8)
    assert worst.finding.example.numbers.tolist() == [9, 0.5, 0.5, *BOX]


def test_the_wrong_hit_of_a_far_small_sphere_is_found(triage):
    far, near = (-4000, 1.05, 0, 1, 0, 0), (-2, 0, 0, 1, 0, 0)
    calls = [
        call("ray_sphere", *ray, 0, 0, 0, 1, *answer, real="f")
        for ray, answer in ((far, (1, 4000)), (near, (1, 1)))
    ]
    (tally,) = triage(calls).values()
    assert (tally.hits, tally.count(WRONG_HIT), {*tally.wrong}) == (1, 1, {WRONG_HIT})
    assert tally.wrong[WRONG_HIT].finding.example.distance == np.float32(1.05) - 1.0


def test_t_is_judged_where_it_was_logged_and_only_there(triage):
    right = [of_ray(-1, 1, 1), of_ray(-2, 1, 2), of_ray(5, 0, 7), of_ray(-3, 1), of_ray(0.5, 1, 0)]
    (tally,) = triage(right).values()
    assert tally.calls == 5 and tally.wrong == {}
    (tally,) = triage([*right, of_ray(-4, 1, 3), of_ray(-5, 1, nan)]).values()
    assert {kind: wrong.count for kind, wrong in tally.wrong.items()} == {WRONG_T: 2}


def test_a_missing_t_is_wrong_by_no_number(triage):
    (tally,) = triage([of_ray(-5, 1, nan), of_ray(-6, 1, 6)]).values()
    (finding,) = as_dict([], [tally], {}, DEFAULT_RULES)["findings"]
    assert json_text(finding)
    assert (finding["count"], finding["ulps"]) == (1, 0) and finding["why"] == "expected t_enter 5.0, found none"


def test_repeated_calls_count_once_and_those_that_differ_by_a_bit_do_not(triage):
    calls = [of_point(2, 1)] * 5 + [of_point(2, 0), of_point(-0.0, 1), of_point(0.0, 1)]
    (tally,) = triage(calls, calls).values()
    assert (tally.calls, tally.repeated) == (16, 12)
    assert tally.wrong[WRONG_HIT].count == 1


def test_precisions_are_apart_and_float_says_which(triage):
    calls = [of_point(2, 1), of_point(3, 1, real="f"), of_point(0.1, 0)]
    assert {key: tally.calls for key, tally in triage(calls).items()} == {
        ("point_aabb", "float32"): 1,
        ("point_aabb", "float64"): 2,
    }
    found = triage(calls, real="float32")
    assert {real: tally.calls for (_, real), tally in found.items()} == {"float32": 2, "float64": 1}
    assert {real: tally.calls for (_, real), tally in triage(calls, real="float64").items()} == {"float64": 3}
    # The t, unlike the numbers of the pair, may be rounded.
    third = call("ray_aabb", 0.5, 0.5, -1, 0, 0, 3, *BOX, 1, 1 / 3)
    ((_, real),) = triage([third], real="float32")
    assert real == "float32"


def test_what_is_outside_the_contract_or_only_touches_is_left_out(triage):
    calls = [of_point(2, -1), of_point(1, 0), of_point(3, 1)]
    (tally,) = triage(calls, rules=Rules("either")).values()
    assert (tally.left_out, {*tally.wrong}) == (2, {WRONG_HIT})
    (tally,) = triage(calls, rules=Rules("open")).values()
    assert (tally.left_out, {*tally.wrong}) == (1, {WRONG_HIT})
    (tally,) = triage(calls).values()
    assert (tally.left_out, {*tally.wrong}) == (1, {WRONG_HIT, WRONG_MISS})
    near = of_point(np.nextafter(1, 2), 1)
    (tally,) = triage([near], rules=Rules(slack=1)).values()
    assert (tally.left_out, tally.wrong) == (1, {})
    (tally,) = triage([near]).values()
    assert {*tally.wrong} == {WRONG_HIT}


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (of_point(nan, 1), "numbers that are not finite"),
        (of_point(inf, 1), "numbers that are not finite"),
        (of_point(0, 1, box=(0, 0, 0, 1, -inf, 1)), "numbers that are not finite"),
        (of_point(0, nan), NO_ANSWER),
        (of_point(0, 1, box=(0, 1, 0, 1, 0, 1)), "boxes with min above max"),
        (call("point_plane", 0, 0, 0, 0, -0.0, 0, 0, 1), "planes with the normal 0"),
        (call("point_obb", 0, 0, 0, 0, 0, 0, 1, -1, 1, *AXES, 1), "negative half extents"),
        (
            call("point_obb", 0, 0, 0, 0, 0, 0, 1, 1, 1, *AXES[:8], 1 + AXES_TOLERANCE, 1),
            "axes that are not unit vectors at right angles within 1e-06",
        ),
        (call("aabb_plane", 0, 0, 0, -1, 1, 1, 0, 0, 0, 0, 1), "boxes with min above max"),
        (call("ray_sphere", 0, 0, 0, 1, 0, 0, 5, 0, 0, -1, 1), "negative radii"),
    ],
)
def test_what_is_no_shape_is_counted_with_the_reason(numbers, words, triage):
    (tally,) = triage([numbers]).values()
    assert (tally.calls, tally.not_judged, tally.wrong) == (1, {words: 1}, {})


def test_shapes_at_the_limit_are_judged(triage):
    flat = call("point_obb", 0, 0, 0, 0, 0, 0, 0, 0, 0, *AXES[:8], 1 + AXES_TOLERANCE / 4, 1)
    tiny = call("point_plane", 5e-324, 0, 0, 5e-324, 0, 0, 0, 1)
    found = triage([flat, of_point(1, 1, box=(1, 0, 0, 1, 1, 1)), tiny])
    assert len(found) == 3 and all(not tally.not_judged for tally in found.values())


def test_worst_calls_become_scenes_of_the_right_answers(triage, tmp_path):
    calls = [of_point(0.75, 0, real="f"), of_ray(-1, 0), of_ray(-2, 1, 7), of_ray(5, 1)]
    rules = Rules("either", 0.5, 2, 0.25)
    found = [wrong for tally in triage(calls, rules=rules).values() for wrong in tally.wrong.values()]
    expected = {
        "point_aabb: wrong miss": {"hit": True},
        "ray_aabb: wrong miss": {"hit": True},
        "ray_aabb: wrong hit": {"hit": False},
        "ray_aabb: wrong t": {"hit": True, "t_enter": 2.0},
    }
    scenes = {scene.name: scene for scene in (scene_of(wrong, rules) for wrong in found)}
    assert set(scenes) == set(expected)
    for name, answer in expected.items():
        (truth,) = scenes[name].expect
        assert {key: getattr(truth, key) for key in answer} == answer
        judged = scenes[name].judged
        assert (judged.boundary, judged.slack, judged.t_tolerance) == ("either", 0.5, (2, 0.25))
        assert judged.float == ("f32" if name.startswith("point") else "f64")
    assert "call 3 of 0.log" in scenes["ray_aabb: wrong t"].description
    paths = save_scenes(found, tmp_path / "scenes", rules)
    assert len({*paths.values()}) == 4


def test_scenes_of_other_calls_stay_and_the_same_call_is_written_once(triage, tmp_path):
    def saved(x):
        (tally,) = triage([of_point(x, 1)]).values()
        (path,) = save_scenes(tally.wrong.values(), tmp_path / "scenes", DEFAULT_RULES).values()
        return path

    first, second = saved(2), saved(3)
    first.write_text("edited")
    assert saved(2) == first and first.read_text() == "edited"
    assert sorted((tmp_path / "scenes").iterdir()) == sorted([first, second])


def test_ts_that_take_fractions_are_judged_up_to_a_number(triage, monkeypatch):
    # A ray in the plane of a face: what the filter cannot decide.
    calls = [call("ray_aabb", 0, 0.5, -k, 0, 0, 1, *BOX, 1, k + (k == 50)) for k in range(1, 101)]
    (tally,) = triage(calls).values()
    assert (tally.wrong[WRONG_T].count, tally.ts_left_out) == (1, 0)
    monkeypatch.setattr("hitscope.collect.triage._Group.most_slow_ts", 10)
    (tally,) = triage(calls).values()
    assert 0 < tally.ts_left_out <= 90
