"""Copy and paste: the texts are scenes, paste frees the ids, and a copied test passes as it is."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import replace

import hitscope
from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.evaluate.report import OwnMethods
from hitscope.evaluate.source_code import as_test
from hitscope.geometry.registry import Chosen
from hitscope.resources import SCENES
from hitscope.scene import Scene, load, loads
from hitscope.scene.bulk import AabbsPrimitive, RaysProbe
from hitscope.scene.clipboard_text import copied, copied_view, parsed, pasted
from hitscope.scene.items import AabbPrimitive, PointProbe, RayProbe, SegmentProbe, TriangleProbe
from hitscope.scene.model import Expectation, FileCamera, FileJudging, FileView
from hitscope.targets.judging.target_method import TargetAnswer, TargetMethod

GALLERY = Path(SCENES)


def box(name, x):
    """A box of side 2 around (x, 0, 0)."""
    return AabbPrimitive(id=name, center=(x, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0))


LINE = SegmentProbe(id="line", start=(-5.0, 0.25, 0.0), end=(5.0, 0.25, 0.0))
SHORT = SegmentProbe(id="short", start=(-5.0, 0.0, 0.0), end=(-1.0, 0.0, 0.0))
SCENE = Scene(
    version=1,
    name="three boxes",
    description="What there is to see.",
    primitives=(box("left", -3.0), box("middle", 0.0), box("right", 3.0)),
    probes=(LINE, SHORT),
    methods={"segment_aabb": {"name": "slab_ericson", "epsilon": 1e-12}},
    expect=(
        Expectation(probe="line", hits=("left", "middle", "right")),
        Expectation(probe="short", hits=("left", "middle")),
        Expectation(probe="short", primitive="right", hit=False, method="exact", why="it ends before"),
        Expectation(probe="line", primitive="middle", t_enter=0.4),
    ),
    judged=FileJudging(float="f32"),
    view=FileView(camera=FileCamera(eye=(1.0, 2.0, 3.0), target=(0.0, 0.0, 0.0))),
)
EMPTY = Scene(version=1, primitives=(), probes=())


def clip(scene, probes, primitives):
    """The scene that copying these makes."""
    return loads(copied(scene, probes, primitives).encode(), "clip")


def test_copied_items_are_a_scene_with_the_methods_and_what_is_expected_among_them():
    copy = clip(SCENE, ["short"], ["middle", "right"])
    assert copy == Scene(
        version=1,
        primitives=(box("middle", 0.0), box("right", 3.0)),
        probes=(SHORT,),
        methods=SCENE.methods,
        expect=(Expectation(probe="short", hits=("middle",)), SCENE.expect[2]),
    )
    assert evaluate(SCENE).mismatches == evaluate(copy).mismatches == ()


def test_a_copied_whole_is_the_scene():
    copy = clip(SCENE, ["line", "short"], ["left", "middle", "right"])
    assert copy == replace(SCENE, name="", description="", judged=UNSET, view=FileView())


def test_default_ids_are_kept_as_names():
    scene = replace(EMPTY, primitives=(replace(box("a", 0.0), id=UNSET), box("b", 1.0)))
    assert clip(scene, [], ["aabb-0"]).primitive_ids == ("aabb-0",)


def test_an_element_is_copied_as_an_item_with_its_expectations():
    lo = np.arange(9.0).reshape(3, 3)
    scene = Scene(
        version=1,
        primitives=(AabbsPrimitive(id="many", min=lo, max=lo + 0.5), box("many-1", 9.0)),
        probes=(RaysProbe(id="rays", origin=lo - 1.0, direction=np.ones((3, 3))),),
        expect=(
            Expectation(probe="rays[1]", primitive="many[1]", t_enter=1.0),
            Expectation(probe="rays", primitive="many", hit=True),
            Expectation(probe="rays[1]", hits=("many[1]", "many[2]")),
        ),
    )
    copy = clip(scene, ["rays[1]"], ["many[1]"])
    assert copy.primitive_ids == ("many-2",)
    assert copy.primitives[0].shape == hitscope.Aabb((3.0, 4.0, 5.0), (3.5, 4.5, 5.5))
    assert copy.probe_ids == ("rays-1",)
    assert [(e.probe, e.primitive or e.hits) for e in copy.expect] == [
        ("rays-1", "many-2"),
        ("rays-1", ("many-2",)),
    ]
    assert evaluate(copy).mismatches == ()
    assert clip(scene, [], ["many", "many[1]"]).primitive_ids == ("many",)


def test_pasting_into_the_same_scene_frees_the_ids_and_keeps_every_meaning():
    result = pasted(SCENE, clip(SCENE, ["line", "short"], ["middle", "right"]))
    assert result.probes == ("line-2", "short-2")
    assert result.primitives == ("middle-2", "right-2")
    assert result.scene.probe_ids == ("line", "short", "line-2", "short-2")
    assert result.scene.expect[:4] == SCENE.expect
    assert result.scene.methods == SCENE.methods
    new = [(e.probe, e.primitive, e.hit) for e in result.scene.expect[4:]]
    assert new == [
        ("line-2", "middle-2", True),
        ("line-2", "right-2", True),
        ("short-2", "middle-2", True),
        ("short-2", "right-2", False),
        ("short-2", "right-2", False),
        ("line-2", "middle-2", UNSET),
    ]
    ours = replace(result.scene, expect=result.scene.expect[4:])
    assert evaluate(ours).mismatches == ()


def test_an_expectation_keeps_the_method_that_decided_where_it_comes_from():
    result = pasted(EMPTY, clip(SCENE, ["line"], ["middle"]))
    assert result.scene.methods == {}
    assert [e.method for e in result.scene.expect] == [SCENE.methods["segment_aabb"]] * 2
    back = pasted(replace(EMPTY, methods=SCENE.methods), replace(result.scene, methods={}))
    assert [e.method for e in back.scene.expect] == [SCENE.methods["segment_aabb"]] * 2


def test_bare_items_are_added():
    text = """[
      {"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
      {"id": "s", "type": "segment", "start": [0, 0, 0], "end": [0.1, 12345678901234567890123, 1]},
      {"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1], "enabled": false}
    ]"""
    result = pasted(SCENE, parsed(text, Path()))
    assert result.primitives == ("aabb-1",)
    assert result.probes == ("s", "aabb-2")
    assert result.scene.probes[2].end == (0.1, 1.2345678901234568e22, 1.0)
    assert not result.scene.probes[3].enabled
    alone = parsed('  {"type": "point", "position": [1, 2, 3]}\n', Path())
    assert alone.probes == (PointProbe(position=(1.0, 2.0, 3.0)),)


def test_files_are_looked_for_from_the_folder_of_the_scene_that_is_pasted_into(tmp_path):
    np.savez(tmp_path / "cloud.npz", vertices=np.zeros((2, 3, 3)))
    text = '{"type": "triangles", "file": "cloud.npz"}'
    assert len(parsed(text, tmp_path).primitives[0].shapes) == 2
    with pytest.raises(HitscopeError, match=r"clipboard: \$\.primitives\[0\]\.file: expected a file"):
        parsed(text, tmp_path / "elsewhere")


def test_the_view_is_copied_and_pasted():
    text = copied_view(SCENE.view)
    assert json.loads(text) == {"view": {"camera": {"eye": [1, 2, 3], "target": [0, 0, 0]}}}
    assert parsed(text, Path()) == SCENE.view
    assert parsed(copied_view(FileView()), Path()) == FileView()


@pytest.mark.parametrize(
    "text, says",
    [
        ("", 'or as JSON a scene, an item of one, a list of items, or a view, found "the end of the file"'),
        ("hello there", "expected numbers such as (1, 2, 3), or as JSON a scene, "),
        ('[{"type": "aabb"},]', "clipboard:1:19: $[1]: expected a value"),
        ('{"type": "aabb"}', 'clipboard: $.primitives[0]: expected either "min", "max" or'),
        ('{"type": "aabb", "min": [0, 0, 0], "max": [1, 1]}', "clipboard: $.primitives[0].max: expected an array"),
        ('{"type": "bax"}', "clipboard: expected a type of item (aabb, obb, "),
        ('{"type": 1}', 'clipboard: expected an item, an object with the key "type", found {"type": 1}'),
        ("[1]", 'clipboard: expected an item, an object with the key "type", found 1'),
        ('{"version": 1, "probes": []}', 'clipboard:1:1: $: expected the key "primitives"'),
        ('{"view": {"up": "x"}}', "clipboard: $.view.up: expected an axis (y, z)"),
        ('{"type": "point", "type": "point"}', "clipboard:1:19: $.type: expected each key once"),
        ("[" * 100, "expected at most 64 levels of nesting"),
    ],
)
def test_a_text_that_cannot_be_pasted_is_reported(text, says):
    with pytest.raises(HitscopeError) as error:
        parsed(text, Path())
    assert str(error.value).startswith("clipboard")
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# As a test in Python


def passes(text, tmp_path):
    """Run a module as pytest would be run on it."""
    path = tmp_path / "test_copied.py"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout


def runs(text):
    """Run the tests of a module here and return their names."""
    names = {}
    exec(compile(text, "copied", "exec"), names)
    tests = {name: test for name, test in names.items() if name.startswith("test_")}
    for test in tests.values():
        test()
    return list(tests)


def test_a_pair_copied_as_a_test_passes_as_it_is(tmp_path):
    text = as_test(evaluate(SCENE), [(0, 1)])
    assert text.splitlines()[:6] == [
        "import hitscope",
        "",
        "",
        "def test_line_on_middle():",
        "    probe = hitscope.Segment(start=(-5.0, 0.25, 0.0), end=(5.0, 0.25, 0.0))",
        "    primitive = hitscope.Aabb(lo=(-1.0, -1.0, -1.0), hi=(1.0, 1.0, 1.0))",
    ]
    assert '    verdict = hitscope.intersect(probe, primitive, method="slab_ericson", epsilon=1e-12)\n' in text
    assert "    assert verdict.hit is True\n" in text
    assert "    assert verdict.t_enter == 0.4" in text
    good, output = passes(text, tmp_path)
    assert good, output
    assert "1 passed" in output
    good, output = passes(text.replace("is True", "is False"), tmp_path)
    assert not good


def test_a_test_of_a_wrong_method_or_of_a_users_own_code_runs_and_asserts_the_exact_answer():
    ray = RayProbe(id="ray", origin=(-6.0, 1.0, 0.0), direction=(2e-9, 5e-10, 0.0))
    crate = AabbPrimitive(id="crate", min=(-1.0, 0.5, -1.0), max=(1.0, 1.5, 1.0))
    scene = replace(EMPTY, primitives=(crate,), probes=(ray,), methods={"ray_aabb": "slab_ericson"})
    own = TargetMethod.of("mine.c:hit", "ray_aabb", lambda probes, _: [TargetAnswer(hit=True)] * len(probes))
    for name, report in (
        ("slab_ericson", evaluate(scene)),
        ("mine.c:hit", evaluate(scene, own=OwnMethods({"ray_aabb": Chosen(own, {})}))),
    ):
        assert report.verdict(0, 0).hit
        text = as_test(report, [(0, 0)])
        assert runs(text) == ["test_ray_on_crate"]
        assert f"    # {name} says hit; exact geometry:\n" in text
        assert "    assert verdict.hit is False\n" in text


def test_names_that_are_no_python_become_so_and_stay_apart():
    probes = [replace(LINE, id=name) for name in ("a b", "a-b", "«1»", "?")]
    report = evaluate(replace(EMPTY, primitives=(box("x", 0.0),), probes=tuple(probes)))
    names = runs(as_test(report, [(i, 0) for i in range(4)]))
    assert names == ["test_a_b_on_x", "test_a_b_on_x_too", "test_1_on_x", "test_it_on_x"]


@pytest.mark.parametrize("path", ["matrix/triangle", "degenerate/one-ulp", "degenerate/denormal-and-huge"])
def test_every_kind_of_pair_and_number_passes(path):
    report = evaluate(load(GALLERY / f"{path}.scene.json"))
    pairs = [(i, j) for i in range(len(report.probes)) for j in range(len(report.elements))]
    assert len(runs(as_test(report, pairs))) == len(pairs)


def test_lines_are_no_longer_than_people_write_them():
    triangle = TriangleProbe(vertices=((1 / 3, 2 / 3, 1e-300), (1 / 7, 1 / 9, 1e300), (1 / 11, 1 / 13, 1 / 17)))
    report = evaluate(replace(SCENE, probes=(triangle,), methods={}, expect=()))
    text = as_test(report, [(0, 0)])
    assert max(map(len, text.splitlines())) <= 100
    assert runs(text) == ["test_triangle_0_on_left"]
