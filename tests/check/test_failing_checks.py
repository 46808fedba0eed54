"""A failing check is understood from its one line: where, what, by how much, and why."""

import json
import re

import pytest

BOXES = [
    {"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
    {"id": "far", "type": "aabb", "min": [4, 4, 4], "max": [5, 5, 5]},
    {"id": "many", "type": "aabbs", "min": [[k / 64, 0, 0] for k in range(12)], "max": [[9, 1, 1]] * 12},
]
CUT = {"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]}
ON_NEAR = {"probe": "cut", "primitive": "near"}


@pytest.fixture
def lines(hitscope, tmp_path):
    """A function that checks expectations, each on a line of its own, and returns the lines of the failures."""

    def lines(*expect, options=(), primitives=BOXES, probes=(CUT,), **more):
        head = {"version": 1, "primitives": primitives, "probes": [*probes], **more}
        text = json.dumps(head)[:-1] + ', "expect": [\n' + ",\n".join(map(json.dumps, expect)) + "]}\n"
        (tmp_path / "x.scene.json").write_text(text, encoding="utf-8")
        run = hitscope("check", "x.scene.json", *options, cwd=tmp_path)
        assert run.stderr == ""
        assert run.returncode == ("FAIL" in run.stdout)
        return [line for line in run.stdout.splitlines() if line.startswith("x.scene.json:")]

    return lines


def test_a_failure_begins_with_the_line_of_its_expectation(lines):
    holding, failing = {**ON_NEAR, "hit": True}, {**ON_NEAR, "hit": False}
    found = lines(holding, failing, holding, failing, name="a\nb")
    assert [line.partition(" ")[0] for line in found] == ["x.scene.json:3:", "x.scene.json:5:"]


def test_a_wrong_verdict_says_by_how_much_and_what_decides(lines):
    assert lines({"probe": "cut", "primitive": "far", "hit": True}, {**ON_NEAR, "hit": False}) == [
        "x.scene.json:2: expected far to be hit by cut; apart by 5.05, decided by face -y of far",
        "x.scene.json:3: expected near to be missed by cut; crossing, 0.5 deep, decided by face -x",
    ]
    close = {"id": "close", "type": "aabb", "min": [3.0000001, 0, 0], "max": [4, 1, 1]}
    assert lines({"probe": "cut", "primitive": "close", "hit": True}, primitives=[close]) == [
        "x.scene.json:2: expected close to be hit by cut; apart by 1e-7, decided by face -x of close"
    ]


def test_numbers_say_how_far_off_and_which_tolerance_applied(lines):
    wrong = {**ON_NEAR, "t_enter": 0.26}
    off = "expected t_enter 0.26 of cut on near, found 0.25; t_enter off by 0.01, allowed "
    for tolerance, more, options in (
        ("1e-9 by default", {}, ()),
        ("0.001 by --tolerance", {"tolerance": 1.0}, ("--tolerance", "1e-3")),
        ("0.001 + 1e-6 relative by --tolerance", {}, ("--tolerance", "1e-3,1e-6")),
        ("0.002 of the scene", {"tolerance": 2e-3}, ()),
        ("1e-9 + 0.03 relative of the scene", {"tolerance": {"relative": 0.03}}, ()),
    ):
        assert off + tolerance in lines(wrong, options=options, **more)[0]
    own = {**wrong, "tolerance": 0.005}
    assert off + "0.005 of the expectation" in lines(own, tolerance=1, options=("--tolerance", "1"))[0]


@pytest.mark.parametrize("tolerance", [0.0100001, {"absolute": 0.0100001}, {"relative": 0.0385}])
def test_a_tolerance_of_the_scene_is_that_of_its_expectations(lines, tolerance):
    assert lines({**ON_NEAR, "t_enter": 0.26}, tolerance=tolerance) == []


def test_a_method_that_is_not_exact_is_named_with_its_answer(lines):
    (found,) = lines({"probe": "cut", "primitive": "far", "hit": True}, methods={"segment_aabb": "slab_ericson"})
    assert "; method slab_ericson says miss; exact: apart by 5.05" in found


def test_the_differences_of_a_pair_are_one_line(lines):
    (found,) = lines({**ON_NEAR, "hit": False, "t_exit": 0.75, "state": "inside"})
    state = "expected state inside of cut on near, found crossing"
    for part in ("expected near to be missed by cut", "t_exit off by 0.25", state):
        assert part in found


def test_a_bulk_item_names_ten_of_its_elements(lines):
    (found,) = lines({"probe": "cut", "primitive": "many", "hit": False})
    assert re.findall(r"many\[\d+\]", found) == [f"many[{k}]" for k in range(10)]
    assert found.endswith(" and 2 more")


@pytest.mark.parametrize(
    ("expectation", "hint"),
    [
        ({"t_enter": 1}, "the expected t_enter is a length: t is a fraction of the vector, whose length is 4"),
        ({"t_exit": 0.125}, "the expected t_exit is divided by the length of the vector, 4"),
        ({"t_enter": 0.5}, "that is t_exit"),
        ({"normal": [1, 0, 0]}, "the expected normal points the other way"),
        ({"t_enter": 0.30000001192092896, "probe": "third"}, 'a "tolerance" of the scene is meant for that'),
        ({"hit": False, "primitive": "touched"}, "touching is a hit: every shape is closed"),
    ],
)
def test_a_common_slip_is_recognised(lines, expectation, hint):
    third = {"id": "third", "type": "segment", "start": [-0.3, 0.5, 0.5], "end": [0.7, 0.5, 0.5]}
    touched = {"id": "touched", "type": "aabb", "min": [3, 0, 0], "max": [4, 1, 1]}
    (found,) = lines({**ON_NEAR, **expectation}, probes=[CUT, third], primitives=[*BOXES, touched])
    assert hint in found


def test_a_length_along_a_motion_is_recognised(lines):
    moved = {"id": "moved", "type": "sphere", "center": [-1.5, 0.5, 0.5], "radius": 0.5, "motion": [4, 0, 0]}
    (found,) = lines({**ON_NEAR, "probe": "moved", "t_enter": 1}, probes=[moved])
    assert "the expected t_enter is a length: t is a fraction of the vector, whose length is 4" in found


def test_a_probe_of_any_length_is_looked_at_for_slips(lines):
    long = {"id": "long", "type": "ray", "origin": [-1e300, 0.5, 0.5], "direction": [1e200, 0, 0]}
    (found,) = lines({**ON_NEAR, "probe": "long", "t_enter": 0.5, "distance": 1}, probes=[long])
    assert "found 1e+100" in found and "(" not in found


def test_what_only_differs_has_no_hint(lines):
    (found,) = lines({**ON_NEAR, "t_enter": 0.27, "normal": [0, 1, 0]})
    assert "(" not in found.replace("(7", "")


def test_an_id_by_position_that_moved_is_recognised(lines):
    boxes = [{key: value for key, value in box.items() if key != "id"} for box in BOXES[:2]]
    expect = [
        {"probe": "cut", "primitive": "aabb-0", "hit": True},
        {"probe": "cut", "primitive": "aabb-1", "hit": False},
    ]
    assert lines(*expect, primitives=boxes) == []
    added = {"type": "aabb", "min": [7, 0, 0], "max": [8, 1, 1]}
    first, second = lines(*expect, primitives=[added, *boxes])
    assert first.endswith("(aabb-0 is an id by position, and aabb-1 is as expected: it has moved)")
    assert second.endswith("(aabb-1 is an id by position, and aabb-2 is as expected: it has moved)")
    assert "moved" not in lines(expect[1], primitives=[boxes[0], boxes[0], boxes[1]])[0]
    # The last box has none behind it, and what `hits` says of it was not looked at.
    hits = {"probe": "cut", "hits": ["aabb-0", "aabb-2"]}
    found = lines(*expect, hits, primitives=[added, *boxes])
    assert "expected aabb-2 to be hit" in found[-1]
    assert ["moved" in line for line in found] == [True, True, False, False, False]


def test_scenes_without_expectations_are_reported_and_fail_when_strict(hitscope, tmp_path):
    for name in ("a", "b"):
        text = json.dumps({"version": 1, "primitives": [], "probes": []})
        (tmp_path / f"{name}.scene.json").write_text(text, encoding="utf-8")
    run = hitscope("check", tmp_path)
    assert run.returncode == 0 and run.stdout.count("(no expectations)") == 2
    assert run.stdout.endswith("\n2 without expectations\n2 of 2 scenes pass\n")
    run = hitscope("check", tmp_path, "--strict")
    assert run.returncode == 1
    assert run.stdout.endswith("\n2 without expectations\n0 of 2 scenes pass\n")


@pytest.mark.parametrize("primitive", ["near", "many"])
def test_an_expectation_of_a_disabled_probe_is_counted_apart_and_fails_when_strict(hitscope, tmp_path, primitive):
    probes = [CUT | {"enabled": False}, CUT | {"id": "other"}]
    expect = [{"probe": "cut", "primitive": primitive, "hit": False}, ON_NEAR | {"probe": "other", "hit": True}]
    for name, some in (("a", expect), ("b", expect[:1])):
        scene = {"version": 1, "primitives": BOXES, "probes": probes, "expect": some}
        (tmp_path / f"{name}.scene.json").write_text(json.dumps(scene), encoding="utf-8")
    run = hitscope("check", ".", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [
        "ok    a.scene.json  (2 expectations, 1 not evaluated)",
        "none  b.scene.json  (1 expectation, 1 not evaluated)",
        "1 without expectations",
        "2 expectations of disabled probes are not evaluated",
        "2 of 2 scenes pass",
    ]
    first, _ = json.loads(hitscope("check", ".", "--json", cwd=tmp_path).stdout)["scenes"]
    assert (first["status"], first["not_evaluated"], first["failures"]) == ("passed", [f"cut-{primitive}"], [])
    run = hitscope("check", ".", "--strict", "--report", "x.html", "--format", "github", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (1, "")
    assert run.stdout.count(": expected cut to be evaluated, but it is disabled") == 2
    assert "0 of 2 scenes pass" in run.stdout


def test_broken_failed_and_passed_are_counted_apart(hitscope, tmp_path):
    for name, hit in (("passed", True), ("failed", False)):
        scene = {"version": 1, "primitives": BOXES, "probes": [CUT], "expect": [{**ON_NEAR, "hit": hit}]}
        (tmp_path / f"{name}.scene.json").write_text(json.dumps(scene), encoding="utf-8")
    (tmp_path / "broken.scene.json").write_text("{", encoding="utf-8")
    run = hitscope("check", tmp_path)
    assert run.returncode == 2 and run.stdout.endswith("\n1 failed, 1 broken\n1 of 3 scenes pass\n")
    scenes = json.loads(hitscope("check", tmp_path, "--json").stdout)["scenes"]
    assert [scene["status"] for scene in scenes] == ["broken", "failed", "passed"]


@pytest.mark.parametrize("text", ["-1", "x", "1,", "1,x", "nan"])
def test_a_tolerance_that_is_none_is_bad_usage(hitscope, text, tmp_path):
    run = hitscope("check", tmp_path, f"--tolerance={text}")
    assert run.returncode == 2 and "expected a number, at least 0" in run.stderr.splitlines()[-1]
