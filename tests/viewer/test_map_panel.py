"""The map of a handle in the window: made in the background, zoomed to an ulp, and clicked to go there."""

import argparse
from functools import partial

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.cli.options import add_method_option, add_target_options
from hitscope.draw.target import Target
from hitscope.evaluate import evaluate
from hitscope.resources import SCENES
from hitscope.scene import load, save
from hitscope.targets.deciding import DecidingTargets
from hitscope.viewer.files.file_inputs import recorded_file
from hitscope.viewer.interface.overlay import mapped_square
from hitscope.viewer.panels import text
from hitscope.viewer.state.inputs import AutosaveRead, HostEvent, Leftover
from hitscope.viewer.state.map_view import COARSE, FINE
from hitscope.viewer.state.own_code import OwnCode
from tests.viewer.samples import BOX

CLASSROOM = SCENES / "robustness" / "classroom.scene.json"
FOREIGN = ("exec:touch pwned", "mine.py:hit", "mine.c:hit")


@pytest.fixture
def classroom(open_viewer):
    user = open_viewer(load(CLASSROOM))
    user.wait()
    user.move((600.0, 300.0))
    return user


def view_of(user):
    return user.state.session.map_view


def point(user, square, x, y):
    """A pixel of the window over a square of the map; x and y from 0 to 1, y upwards."""
    rect = user.find(f"map {square}")
    return rect.left + x * (rect.right - rect.left), rect.bottom - y * (rect.bottom - rect.top)


@pytest.mark.replayed
def test_a_scene_opens_with_its_map(classroom):
    view = view_of(classroom)
    assert view.is_open and view.found.plane.size == FINE and view.found.plane.scale == 2.0**-53
    names = [method.name for method in view.found.methods]
    assert names == ["slab_halfspaces", "slab_division_free", "slab_intervals"]
    assert all(method.wrong > 100 for method in view.found.methods)


@pytest.mark.replayed
def test_a_click_puts_the_handle_at_the_pixel_and_undo_takes_it_back(classroom):
    user = classroom
    before = user.state.session.scene
    square = user.find("map 0")
    at, side = tuple(map(round, point(user, 0, 0.25, 0.75))), square.right - square.left
    clicked = int((at[0] - square.left) / side * FINE), int((square.bottom - at[1]) / side * FINE)
    user.click(at)
    view, now = view_of(user), user.state.session.scene
    x, y = view.found.plane.pixel(now.probes[0].start)
    assert (round(x), round(y)) == clicked
    assert (view.found.plane.pixel(before.probes[0].start)) == (FINE / 2, FINE / 2)
    report, code = evaluate(now), view.found.methods[0].codes[round(y), round(x)]
    said = report.verdict(0, 0, "slab_halfspaces").hit
    assert code == (0, 3, 4, 1)[2 * said + report.verdict(0, 0, "exact").hit]
    user.keys("Ctrl+Z")
    assert user.state.session.scene == before


def test_the_squares_of_a_map_are_whole_beside_the_steps_in_a_low_window(classroom):
    user = classroom
    user.keys("Ctrl+Down", "Ctrl+Right", "D")
    user.wait()
    user.resize(960, 540)
    user.wait()
    first, second = user.find("map 0"), user.find("map 1")
    assert first.top == second.top and first.bottom == second.bottom < 540 and second.right <= 960
    assert [round(square.right - square.left) for square in (first, second)] == [
        round(first.bottom - first.top)
    ] * 2


def test_the_wheel_zooms_to_the_size_of_the_picture_and_back_to_an_ulp(classroom):
    user = classroom
    at = point(user, 1, 0.5, 0.5)
    user.move(at)
    user.scroll(-80, at)
    wide = view_of(user).found.plane
    assert wide.scale > 1e-3
    user.scroll(-500, at)
    assert view_of(user).found.plane.scale < 1e6  # of the picture's size there is an end
    user.scroll(999, at)
    user.scroll(999, at)
    assert view_of(user).found.plane.ulps == 1
    assert user.state.session.scene == user.state.session.document.saved


@pytest.mark.replayed
def test_the_nearest_wrong_position_is_gone_to(classroom):
    user = classroom
    user.click_on("find 0")
    report = evaluate(user.state.session.scene)
    assert report.verdict(0, 0, "slab_halfspaces").hit != report.verdict(0, 0, "exact").hit
    assert view_of(user).notice == "slab_halfspaces is wrong here"
    there = user.state.session.scene
    user.keys("Ctrl+Z", "Ctrl+M")
    assert user.state.session.scene == there


@pytest.fixture
def named_in_file(tmp_path, monkeypatch):
    """A scene whose map names TARGETs that leave a file behind when they run, are compiled or imported."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("open('pwned', 'w')\ndef hit(probe, primitive):\n    return True\n")
    (tmp_path / "mine.c").write_text(
        '#include <stdio.h>\n__attribute__((constructor)) void f(void) { fopen("pwned", "w"); }\n'
        "int hit(const double *probe, const double *primitive, double *t) { return 1; }\n"
    )
    return naming(*FOREIGN, "slab_intervals")


def naming(*methods):
    scene = load(CLASSROOM)
    shown = scene.view.map
    assert shown
    return replace(scene, view=replace(scene.view, map=replace(shown, methods=methods)))


def names_of(user):
    return [method.name for method in view_of(user).found.methods]


@pytest.mark.replayed
def test_a_target_that_a_scene_names_is_kept_but_not_run(named_in_file, open_viewer, tmp_path):
    user = open_viewer(named_in_file)
    assert names_of(user) == ["slab_intervals"]
    needs, at = view_of(user).needs, user.state.session.document.path
    assert list(needs) == [f"needs {name}: name it on the command line" for name in FOREIGN]
    assert list(needs.values())[1] == f"hitscope open {at} --method segment_aabb=mine.py:hit"
    user.move((600.0, 300.0))
    user.click_on("command 0")
    assert user.state.host.clipboard == f"hitscope open {at} --method 'segment_aabb=exec:touch pwned'"
    user.click_on("find 0")
    assert user.state.session.scene.view.map.methods == (*FOREIGN, "slab_intervals")
    assert not (tmp_path / "pwned").exists()


@pytest.mark.usefixtures("named_in_file")
@pytest.mark.parametrize("name", FOREIGN)
def test_a_map_of_a_foreign_target_alone_is_that_of_the_pair(name, open_viewer, tmp_path):
    user = open_viewer(naming(name))
    assert len(names_of(user)) == 3 and name not in names_of(user) and len(view_of(user).needs) == 1
    assert not (tmp_path / "pwned").exists()


def test_a_scene_may_name_what_the_command_line_named(named_in_file, open_viewer, tmp_path):
    parser = argparse.ArgumentParser()
    add_method_option(parser)
    add_target_options(parser)
    options = parser.parse_args(["--method", "segment_aabb=mine.py:hit"])
    with OwnCode(partial(DecidingTargets, options, compares_flags=True)) as own:
        (tmp_path / "pwned").unlink()
        user = open_viewer(named_in_file, own=own)
        assert names_of(user) == ["mine.py:hit", "slab_intervals"] and len(view_of(user).needs) == 2
        assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("way", ["dropped", "changed on the disk", "restored after a crash"])
def test_no_way_of_a_file_into_the_window_runs_what_it_names(way, named_in_file, open_viewer, tmp_path):
    user = open_viewer(load(CLASSROOM))
    path = user.state.session.document.path if way == "changed on the disk" else tmp_path / "report.scene.json"
    save(named_in_file, path)
    file = recorded_file(path)
    if way == "restored after a crash":
        user.take(AutosaveRead, Leftover("0.autosave", str(path), 1e9, "1 probe changed"), file)
    else:
        user.take(HostEvent, "drop" if way == "dropped" else "changed", (file,))
    user.wait()
    assert user.state.session.scene.view.map.methods == (*FOREIGN, "slab_intervals")
    assert names_of(user) and not set(names_of(user)) & set(FOREIGN)
    assert not (tmp_path / "pwned").exists()


def test_nothing_wrong_is_said(open_viewer):
    scene = load(SCENES / "robustness" / "shared-edge.scene.json")
    user = open_viewer(scene)
    user.move((600.0, 300.0))
    user.click_on("find 2")
    assert view_of(user).notice.startswith("Nothing wrong with woop within ")
    assert user.state.session.scene == scene
    user.scroll(0, (600.0, 300.0))
    assert view_of(user).notice
    user.keys("Ctrl+A", "Right")
    assert not view_of(user).notice, "it was said of another scene"


def test_the_title_before_there_is_a_map_is_map(open_items, monkeypatch):
    titles = []
    draw = text.draw_at
    monkeypatch.setattr(text, "draw_at", lambda x, y, words, ink: titles.append(words) or draw(x, y, words, ink))
    user = open_items(BOX)
    user.keys("Shift+M")
    assert (
        "Map" in titles and "Map of Map" not in titles and f"Map of {view_of(user).answered.handle.name}" in titles
    )


def test_a_drag_makes_coarse_maps_and_rest_a_fine_one(classroom):
    user = classroom
    before = view_of(user).found
    end = user.state.display.view.project([user.state.session.scene.probes[0].end])[0][:2]
    user.drag(end, (end[0] - 90, end[1] + 10), release=False)
    during = view_of(user).found
    assert during.plane.size == COARSE and during.methods[0].codes.shape == (COARSE, COARSE)
    assert during.plane.scale * COARSE == before.plane.scale * FINE
    user.release()
    assert view_of(user).found.plane == before.plane
    assert (view_of(user).found.methods[0].codes != before.methods[0].codes).any()


def test_a_key_maps_the_handle_of_the_selected_probe_and_closes_the_map(open_viewer):
    user = open_viewer(load(SCENES / "segment-aabb-irlan" / "houses.scene.json"))
    user.keys("Shift+M")
    assert view_of(user).target == Target("probe", "upper", 1) and view_of(user).found.plane.size == FINE
    user.keys("Shift+M")
    assert not view_of(user).is_open and view_of(user).found is None


def test_a_handle_that_is_computed_has_fewer_positions(open_viewer):
    user = open_viewer(load(SCENES / "segment-aabb-irlan" / "houses.scene.json"))
    user.state.selection.select(Target("primitive", "b1"))
    user.keys("Shift+M")
    view = view_of(user)
    assert view.target == Target("primitive", "b1", 0) and view.found.plane.size < COARSE


def test_another_scene_has_no_map_of_this_one(open_viewer):
    user = open_viewer(load(CLASSROOM), load(SCENES / "segment-aabb-irlan" / "houses.scene.json"))
    user.move((600.0, 300.0))
    assert view_of(user).is_open
    user.keys("]")
    assert not view_of(user).is_open


def test_what_decides_has_fewer_positions_and_names(open_viewer):
    scene = load(CLASSROOM)
    assert scene.view.map is not None
    map_of_one = replace(scene.view.map, methods=scene.view.map.methods[-1:])
    user = open_viewer(replace(scene, view=replace(scene.view, map=map_of_one)))
    user.wait()
    user.click_on("aspect")
    user.click_on("aspect line")
    found = view_of(user).found
    assert found.plane.size < COARSE and all(method.labels.names for method in found.methods)


def test_a_map_of_more_positions_shows_the_same_square(classroom):
    user = classroom
    before = view_of(user).found
    user.click_on("256")
    after = view_of(user).found
    assert after.plane.size == 512 and after.plane.scale == before.plane.scale  # an ulp is the end
    at = point(user, 0, 0.5, 0.5)
    user.move(at)
    user.scroll(-30, at)
    wide = view_of(user).found.plane
    user.click_on("512")
    assert view_of(user).found.plane.size == 128
    assert view_of(user).found.plane.scale * 128 == pytest.approx(wide.scale * 512)


def test_the_deciding_method_is_mapped_with_the_arguments_that_the_scene_gives(open_viewer):
    scene = load(SCENES / "segment-aabb-irlan" / "houses.scene.json")
    choice = {"name": "slab_ericson", "epsilon": 0.25}
    user = open_viewer(replace(scene, methods={"segment_aabb": choice}, expect=()))
    user.keys("Shift+M")
    names = [method.name for method in view_of(user).found.methods]
    assert names[0] == "slab_ericson,epsilon=0.25" and "slab_ericson" not in names


def test_the_square_of_the_map_is_where_its_positions_are_in_the_scene(open_viewer):
    user = open_viewer(load(SCENES / "segment-aabb-irlan" / "houses.scene.json"))
    assert mapped_square(user.state) is None
    user.keys("Shift+M")
    corners, plane = mapped_square(user.state), view_of(user).found.plane
    end = user.item("upper").end
    np.testing.assert_allclose(corners.mean(axis=0), end, atol=2 * plane.scale)
    sides = np.linalg.norm(np.diff(corners[[0, 1, 2, 3, 0]], axis=0), axis=1)
    np.testing.assert_allclose(sides, plane.scale * (plane.size - 1), rtol=1e-9)
