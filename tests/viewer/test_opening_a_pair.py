"""`hitscope open SCENE --probe P --primitive Q` shows that pair."""

import numpy as np
import pytest

from hitscope.cli import main
from hitscope.draw.selection_geometry import framed
from hitscope.draw.target import Target
from hitscope.scene import loads, save
from hitscope.viewer.window import launch

pytestmark = pytest.mark.without_panels

SCENE = """{"version": 1, "probes": [
  {"id": "rays", "type": "rays", "origin": [[-2, 0.5, 0.5], [-2, 3.5, 0.5], [-2, 6.5, 0.5]],
   "direction": [[1, 0, 0], [1, 0, 0], [1, 0, 0]]},
  {"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]},
  {"id": "off", "type": "point", "position": [40, 0.5, 0.5], "enabled": false}],
 "primitives": [
  {"id": "many", "type": "aabbs", "min": [[0, 0, 0], [4, 3, 0], [0, 60, 0]],
   "max": [[1, 1, 1], [5, 4, 1], [1, 70, 1]]},
  {"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}]}
"""


@pytest.mark.parametrize(
    ("probe", "primitive"), [("cut", "near"), ("cut", "many[1]"), ("rays[0]", "many[1]"), ("rays[2]", "near")]
)
def test_the_pair_is_selected_and_framed(open_viewer, probe, primitive):
    targets = Target("probe", probe), Target("primitive", primitive)
    user = open_viewer(SCENE, pair=targets)
    user.wait()
    session = user.state.session
    found = user.state.selection.pair(session.picture, hover=False)
    assert found is not None
    assert (session.report.probes[found[0]].id, session.report.elements[found[1]].id) == (probe, primitive)
    x, y = user.state.display.view.project(framed(session.picture, targets, session.extent).corners)[:, :2].T
    left, top, width, height = user.state.display.layout.picture
    assert left <= x.min() and x.max() <= left + width and top <= y.min() and y.max() <= top + height
    assert max(np.ptp(x) / width, np.ptp(y) / height) > 0.4


def test_a_disabled_probe_and_a_whole_item_are_shown_too(open_viewer):
    user = open_viewer(SCENE, pair=(Target("probe", "off"), Target("primitive", "many")))
    user.wait()
    assert user.selected == ["off"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            ("--probe", "cat"),
            'a.scene.json: expected the id of a probe (rays, cut, off), found "cat" (did you mean "cut"?)',
        ),
        (
            ("--probe", "cut", "--primitive", "many[3]"),
            "a.scene.json: expected an element from many[0] to many[2]",
        ),
        (("--primitive", "cut"), "a.scene.json: expected the id of a primitive (many, near)"),
        (("--probe", "cut", "--record", "x"), "expected one scene with --probe and --primitive"),
        (("a.scene.json", "--probe", "cut"), "expected one scene with --probe and --primitive"),
    ],
)
def test_names_that_the_scene_does_not_have_are_one_clear_line(tmp_path, monkeypatch, capsys, options, error):
    monkeypatch.chdir(tmp_path)
    save(loads(SCENE.encode(), "a"), tmp_path / "a.scene.json")
    assert main(["open", "a.scene.json", *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith(error) and captured.err.count("\n") == 1


def test_the_command_line_gives_the_pair_to_the_window(tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr(launch, "run", lambda *arguments, problem: given.append(arguments))
    monkeypatch.setattr("hitscope.viewer.run", launch.run)
    save(loads(SCENE.encode(), "a"), tmp_path / "a.scene.json")
    assert main([str(tmp_path / "a.scene.json"), "--probe", "rays[1]", "--primitive=near"]) == 0
    assert given[0][-1] == (Target("probe", "rays[1]"), Target("primitive", "near"))
