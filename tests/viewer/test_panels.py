"""The panels, without a window: what is clicked and typed in them, and what becomes of the scene."""

import numpy as np
import pytest
from msgspec import UNSET

from hitscope.draw.items import Cue
from hitscope.draw.target import Target
from hitscope.evaluate import evaluate
from hitscope.render.palette import THEMES
from hitscope.scene import Scene, load, loads
from hitscope.scene.bulk import AabbsPrimitive, RaysProbe
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, PolyhedronPrimitive, RayProbe
from hitscope.viewer.interface.bindings import COMMANDS, GESTURES, commands_of
from hitscope.viewer.panels import labels
from hitscope.viewer.panels.help import grouped_lines
from hitscope.viewer.state.dialogs import Help
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.inputs import Text
from hitscope.viewer.state.settings import PLAIN, Settings
from tests.viewer.samples import two_boxes


@pytest.fixture
def user(open_viewer):
    """A user of the viewer on two boxes."""
    return open_viewer(two_boxes())


@pytest.mark.replayed
def test_a_number_that_is_typed_is_that_float64(user):
    user.click_on("probe cut")
    user.enter("field probe cut $.start[1]", "0.1000000000000000055511151231257827")
    assert user.state.session.scene.probes[0].start == (-6.0, 0.1, 0.0)
    user.enter("field probe cut $.end[0]", "0x1.8p-1")
    assert user.state.session.scene.probes[0].end == (0.75, 0.25, 0.0)
    assert user.state.session.document.undo_name == "set end x of cut"
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert user.state.session.scene.probes[0] == two_boxes().probes[0]


def test_a_text_that_is_no_number_is_reported_and_changes_nothing(user):
    user.click_on("primitive left")
    field = "field primitive left $.half_extents[2]"
    for typed, said in (
        ("1+", 'found "1+"'),
        ("1e999", "float64 can hold"),
        ("-1", "a number >= 0, found -1.0"),
    ):
        user.enter(field, typed)
        assert said in user.refusal[1]
        assert user.state.session.scene.primitives == two_boxes().primitives
        assert not user.state.session.document.changed
    user.enter(field, "3")
    assert user.refusal is None
    assert user.state.session.scene.primitives[0].half_extents == (1.0, 1.0, 3.0)


def test_the_sign_of_a_zero_can_be_typed(user):
    user.click_on("probe cut")
    user.enter("field probe cut $.start[2]", "-0")
    assert str(user.state.session.scene.probes[0].start[2]) == "-0.0"
    assert user.state.session.document.undo_name == "set start z of cut"
    user.keys("Ctrl+Z")
    assert str(user.state.session.scene.probes[0].start[2]) == "0.0"


def test_escape_takes_back_what_was_typed(user):
    user.click_on("probe cut")
    user.click_on("field probe cut $.start[1]")
    user.take(Text, "7")
    user.keys("Escape")
    assert not user.state.session.document.changed
    assert user.state.selection.last == Target("probe", "cut")


@pytest.mark.replayed
def test_keys_do_nothing_else_while_something_is_typed(user):
    user.click_on("probe cut")
    user.click_on("field probe cut $.start[1]")
    user.keys("T", "H", "Ctrl+B")
    assert (
        user.state.display.theme is THEMES["dark"]
        and user.state.dialogs.dialog is None
        and user.state.display.panels
    )


def test_what_is_expected_follows_a_new_name(user):
    user.click_on("primitive left")
    user.enter("id primitive", "crate")
    assert user.state.session.scene.primitive_ids == ("crate", "right")
    assert user.state.session.scene.expect[0].primitive == "crate" and user.state.session.scene.expect[2].hits == (
        "crate",
    )
    assert user.state.selection.last == Target("primitive", "crate")
    user.enter("id primitive", "right")
    assert "an id that no other of the primitives has" in user.refusal[1]
    assert user.state.session.scene.primitive_ids == ("crate", "right")


def test_mismatches_only_lists_what_they_are_about(open_viewer):
    user = open_viewer(two_boxes(expect=two_boxes().expect[:2]))
    user.click_on("filter wrong")
    assert user.sees("primitive right") and user.sees("probe cut")
    assert not user.sees("primitive left") and not user.sees("probe up")
    user.click_on("filter hits")
    assert user.sees("primitive left") and user.sees("probe cut")
    assert not user.sees("primitive right") and not user.sees("probe up")


def test_hits_of_many_are_mismatches_of_each(user):
    user.click_on("filter wrong")
    assert user.sees("primitive right") and user.sees("primitive left") and user.sees("probe up")


def test_a_search_lists_what_has_the_text_in_its_name(user):
    user.enter("search", "RIGH")
    assert user.sees("primitive right") and not user.sees("primitive left") and not user.sees("probe")


def test_accepting_all_makes_them_hold(user):
    assert len(user.state.session.report.mismatches) == 3
    user.click_on("Accept all")
    assert not user.state.session.document.changed
    user.click_on("Accept 2")
    assert not user.state.session.report.mismatches
    assert user.state.session.document.undo_name == "accept 2 expectations"
    _, second, third = user.state.session.scene.expect
    assert (second.hit, second.t_enter, second.why) == (False, None, "as it was drawn")
    assert third.hits == ()
    user.keys("Ctrl+S")
    assert not evaluate(load(user.state.session.document.path)).mismatches


@pytest.mark.replayed
def test_what_is_found_can_be_expected_and_expected_no_longer(open_viewer):
    user = open_viewer(two_boxes(), size=(1280, 1200))
    user.click_on("probe up")
    user.click_on("primitive right")
    user.click_on("Expect this")
    added = user.state.session.scene.expect[-1]
    assert (added.probe, added.primitive, added.hit, added.state) == ("up", "right", False, "apart")
    assert user.state.session.document.undo_name == "expect a miss of up on right"
    row = user.find("expect 3")
    user.click((row.right - 12, row.middle[1]))
    assert user.state.session.scene.expect == two_boxes().expect


def test_a_click_on_a_mismatch_selects_its_pair(user):
    user.click_on("expect 1")
    assert user.state.selection.last == Target("probe", "cut")
    assert user.state.selection.partner(user.state.session.picture) == Target("primitive", "right")


@pytest.mark.replayed
def test_several_are_selected_with_ctrl_and_shift(user):
    user.click_on("primitive left")
    user.click_on("probe cut", modifiers=("Ctrl",))
    assert user.state.selection.targets == (Target("primitive", "left"), Target("probe", "cut"))
    user.click_on("primitive left")
    user.click_on("primitive right", modifiers=("Shift",))
    assert user.state.selection.targets == (Target("primitive", "left"), Target("primitive", "right"))


@pytest.mark.replayed
def test_the_eye_of_a_row_hides_it(user):
    user.click_eye("primitive left")
    assert user.state.selection.hidden == {("primitive", "left")}
    assert not user.state.selection.targets and not user.state.session.document.changed
    user.click_eye("primitive left")
    assert not user.state.selection.hidden


def test_what_a_row_under_the_mouse_stands_for_is_outlined_in_the_picture(user):
    user.move(user.middle_of("primitive right"))
    assert user.state.selection.hovered == Target("primitive", "right")
    assert (user.interface.draw_list.single.boxes.cues & Cue.HOVERED).tolist() == [0, Cue.HOVERED]


def test_many_rows_are_made_only_where_they_are_seen(open_viewer):
    corners = [[float(i), 0.0, 0.0] for i in range(500)]
    cloud = AabbsPrimitive(id="cloud", center=corners, half_extents=[[0.25] * 3] * 500)
    user = open_viewer(two_boxes(primitives=(cloud,), expect=()))
    assert user.sees("primitive cloud") and not user.sees("primitive cloud[")
    user.open_row("primitive cloud")
    assert user.sees("primitive cloud[0]") and not user.sees("primitive cloud[60]")
    user.enter("search", "[400]")
    assert not user.sees("primitive cloud[0]")
    user.click_on("primitive cloud[400]")
    assert user.state.selection.last == Target("primitive", "cloud[400]")
    user.enter("search", "cl")
    assert not user.sees("primitive cloud[400]")
    user.open_row("primitive cloud")
    assert not user.sees("primitive cloud[")
    user.enter("search", "cloud[40")
    assert user.sees("primitive cloud[40]")
    assert user.sees("primitive cloud[409]") and not user.sees("primitive cloud[4]")


@pytest.mark.replayed
def test_a_method_named_in_the_panel_decides(open_viewer):
    user = open_viewer(two_boxes(), size=(1280, 1200))
    user.click_on("probe cut")
    user.click_on("method slab_ericson")
    assert user.state.session.scene.methods == {"segment_aabb": "slab_ericson"}
    user.enter("argument segment_aabb epsilon", "0.5")
    assert user.state.session.scene.methods == {"segment_aabb": {"name": "slab_ericson", "epsilon": 0.5}}
    assert user.state.session.document.undo_name == "set epsilon of slab_ericson"


@pytest.mark.replayed
def test_the_edge_of_a_panel_is_dragged_to_another_width(user, open_viewer):
    picture = user.state.display.layout.picture
    x, y = user.middle_of("panel edge")
    user.drag((x, y), (x - 80, y))
    assert user.state.display.layout.panel.width == pytest.approx(400, abs=4)
    assert user.state.display.layout.picture.width == pytest.approx(picture.width - 80, abs=4)
    assert user.camera == open_viewer(two_boxes()).camera


@pytest.mark.replayed
def test_theme_colours_names_and_help_have_keys(user):
    user.keys("T")
    assert user.state.display.theme is THEMES["light"]
    user.keys("C", "T")
    assert user.state.display.theme is THEMES["dark-blue-orange"]
    user.keys("I")
    assert user.state.display.labels
    user.keys("H")
    assert isinstance(user.state.dialogs.dialog, Help)
    user.keys("Escape")
    assert user.state.dialogs.dialog is None


def test_the_help_shows_every_binding():
    lines = [line for group in grouped_lines(commands_of(PLAIN.bindings)).values() for line in group]
    for command in filter(lambda command: command.keys, COMMANDS):
        assert any(command.label == line.description and {*command.keys} <= {*line.keys} for line in lines)
    assert {description for _, description in GESTURES.values()} <= {line.description for line in lines}
    rebound = [line for group in grouped_lines(commands_of({"undo": "F5"})).values() for line in group]
    assert "F5" in next(line.keys for line in rebound if "undo" in line.names)
    assert "F5" not in next(line.keys for line in lines if "undo" in line.names)


@pytest.mark.parametrize("size, two", [((1280, 800), True), ((640, 480), False), ((480, 320), False)])
def test_a_narrow_window_has_one_panel(size, two):
    layout = Display(size, 1.0, PLAIN).layout
    assert (layout.outliner.width > 0) == two
    assert layout.outliner.width + layout.picture.width + layout.panel.width == size[0]
    assert layout.picture.width >= 0.4 * size[0] - 1
    wide = Display(size, 1.0, Settings(panel_widths={"outliner": 5000.0, "panel": 5000.0})).layout
    assert wide.picture.width >= 0.4 * size[0] - 1


@pytest.mark.parametrize("short", [True, False])
@pytest.mark.parametrize("folded", [frozenset(), frozenset({"panel"})])
def test_below_a_short_panel_no_pixel_is_left_undrawn(short, folded):
    """Regression: in a lesson, rows of a high panel stayed on the screen under the short one."""
    display = Display((1280, 800), 1.0, PLAIN)
    display.stepping.is_open, display.folding.folded[True] = True, folded
    display.folding.is_panel_high, display.folding.strip = not short, 110.0
    layout = display.layout
    drawn = np.zeros((800, 1280), bool)
    for name, (left, top, width, height) in zip(layout._fields, layout, strict=True):
        if name != "picture" and not (name == "panel" and short):
            drawn[top : top + height, max(left, 0) : left + width] = True
    assert drawn.all()
    assert not short or layout.panel.top + layout.panel.height == layout.strip.top, "its rows cover the lesson"


def test_polyhedra_and_bulk_items_are_shown_number_by_number(open_viewer):
    gem = PolyhedronPrimitive(
        id="gem", vertices=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    )
    cloud = AabbsPrimitive(id="cloud", center=[[0.1, 0.0, 0.0]], half_extents=[[0.25] * 3])
    user = open_viewer(two_boxes(primitives=(gem, cloud), expect=()))
    user.click_on("primitive gem")
    user.enter("field primitive gem $.vertices[3][2]", "2.5")
    assert user.state.session.scene.primitives[0].vertices[3] == (0.0, 0.0, 2.5)
    user.open_row("primitive cloud")
    user.click_on("primitive cloud[0]")
    user.enter("field primitive cloud[0] $.center[0]", "7")
    assert user.state.session.scene.primitives[1].shapes[0].lo[0] == 7 - 0.25
    assert user.state.session.document.undo_name == "set center x of cloud[0]"
    assert user.state.selection.last == Target("primitive", "cloud[0]")
    user.enter("field primitive cloud[0] $.half_extents[2]", "-1")
    assert "a number >= 0" in user.refusal[1]
    user.keys("Ctrl+Z")
    assert user.state.session.scene.primitives[1].shapes[0].lo[0] == 0.1 - 0.25


def test_what_is_selected_in_the_picture_comes_into_sight(open_viewer):
    corners = [[float(i), 0.0, 0.0] for i in range(300)]
    cloud = AabbsPrimitive(id="cloud", center=corners, half_extents=[[0.25] * 3] * 300)
    user = open_viewer(two_boxes(primitives=(cloud,), expect=()))
    user.click(user.pixel([240.0, 0.0, 0.0]))
    name = user.state.selection.last.id
    assert name.startswith("cloud[2")
    top = user.state.display.layout.outliner.top
    assert top < user.middle_of(f"primitive {name}")[1] < user.state.display.layout.outliner.height


def test_one_of_a_bundle_is_looked_at_like_a_probe_of_its_own(open_viewer):
    rays = RaysProbe(id="rays", origin=[[-9.0, 0.0, 0.0], [-9.0, 9.0, 0.0]], direction=[[1.0, 0.0, 0.0]] * 2)
    user = open_viewer(two_boxes(probes=(rays,), expect=()))
    user.open_row("probe rays")
    user.click_on("primitive left")
    user.click_on("probe rays[1]")
    assert user.state.selection.last == Target("probe", "rays[1]")
    assert user.state.session.picture.pairs.find(
        (user.state.selection.last, user.state.selection.partner(user.state.session.picture))
    ) == (1, 0)
    user.enter("field probe rays[1] $.origin[1]", "0.5")
    assert user.state.session.report.verdict(1, 0).hit
    assert user.state.session.scene.probes[0].shapes[1].origin == (-9.0, 0.5, 0.0)
    user.keys("Ctrl+Z")
    assert not user.state.session.report.verdict(1, 0).hit


@pytest.mark.replayed
def test_a_mesh_is_scaled_by_what_is_typed(open_viewer, tmp_path):
    (tmp_path / "sail.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = b'{"id": "m", "type": "mesh", "file": "sail.obj", "scale": 2}'
    scene = loads(b'{"version": 1, "probes": [], "primitives": [%s]}' % mesh, "a.scene.json", tmp_path)
    user = open_viewer(scene)
    user.open_row("primitive m")
    user.click_on("primitive m[0]")
    user.enter("field primitive m $.scale", "3")
    assert user.state.session.scene.primitives[0].shapes[0].b == (3.0, 0.0, 0.0)
    assert user.state.session.document.undo_name == "set scale of m"
    assert user.state.selection.last == Target("primitive", "m[0]")


@pytest.mark.replayed
def test_a_bundle_is_enabled_and_renamed_as_one(open_viewer):
    rays = RaysProbe(id="rays", origin=[[-9.0, 0.0, 0.0]] * 2, direction=[[1.0, 0.0, 0.0]] * 2)
    user = open_viewer(two_boxes(probes=(rays,), expect=()))
    user.click_on("probe rays")
    user.enter("id probe", "fan")
    assert user.state.session.scene.probe_ids == ("fan",)
    user.click_on("enabled")
    assert not user.state.session.scene.probes[0].enabled
    assert user.state.session.document.undo_name == "disable fan"


def test_the_rotation_of_a_box_changes_its_form_and_rounding_is_reported(open_viewer):
    axes = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0))
    crate = ObbPrimitive(id="crate", center=(0.0,) * 3, half_extents=(1.0,) * 3, axes=axes)
    user = open_viewer(two_boxes(primitives=(crate,), expect=()))
    user.click_on("primitive crate")
    user.click_on("box quaternion")
    now = user.state.session.scene.primitives[0]
    assert now.axes is UNSET and now.quaternion_xyzw is not UNSET
    assert user.state.session.document.undo_name == "store crate with a quaternion"
    user.click_on("box Euler")
    assert user.state.session.scene.primitives[0].euler_xyz_deg[:2] == (0.0, 0.0)
    user.click_on("box none")
    assert "a box without a rotation" in user.refusal[1]
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert user.state.session.scene.primitives[0] == crate


def test_a_mesh_is_moved_by_numbers_that_its_file_leaves_out(open_viewer, tmp_path):
    (tmp_path / "sail.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = b'{"id": "m", "type": "mesh", "file": "sail.obj"}'
    scene = loads(b'{"version": 1, "probes": [], "primitives": [%s]}' % mesh, "a.scene.json", tmp_path)
    user = open_viewer(scene)
    user.click_on("primitive m")
    user.enter("field primitive m $.translate[2]", "0x1p-1")
    assert user.state.session.scene.primitives[0].shapes[0].a == (0.0, 0.0, 0.5)
    user.click_on("box three scales")
    user.enter("field primitive m $.scale[1]", "3")
    assert user.state.session.scene.primitives[0].shapes[0].c == (0.0, 3.0, 0.5)


def test_without_panels_a_contradiction_and_a_problem_are_shown_in_the_picture(open_viewer, monkeypatch):
    box = AabbPrimitive(id="box", min=(-1.0, 0.5, -1.0), max=(1.0, 1.5, 1.0))
    ray = RayProbe(id="ray", origin=(-6.0, 1.0, 0.0), direction=(2e-09, 5e-10, 0.0))
    user = open_viewer(Scene(version=1, primitives=(box,), probes=(ray,), methods={"ray_aabb": "slab_ericson"}))
    lines = []
    monkeypatch.setattr(labels, "_label", lambda *given: lines.append(given[-1]))
    user.click_on("probe ray")
    user.leave()
    assert not [line for line in lines if "slab" in line]
    user.state.messages.problem = "a.scene.json: broken\nb.scene.json: broken too"
    user.keys("Ctrl+B")
    assert "slab_ericson: hit, exact: miss (ray, box)" in lines
    assert {"a.scene.json: broken", "b.scene.json: broken too"} <= set(lines)


@pytest.mark.replayed
def test_a_typed_number_takes_the_rows_of_a_short_file_into_the_scene_with_a_notice(open_viewer, tmp_path):
    np.savez(tmp_path / "two.npz", center=[[0.0] * 3, [0.1] * 3], half_extents=[[1.0] * 3] * 2)
    boxes = b'{"id": "two", "type": "aabbs", "file": "two.npz"}'
    user = open_viewer(
        loads(b'{"version": 1, "probes": [], "primitives": [%s]}' % boxes, "a.scene.json", tmp_path)
    )
    user.open_row("primitive two")
    user.click_on("primitive two[1]")
    user.enter("field primitive two[1] $.max[0]", "0x1.8p+1")
    now = user.state.session.scene.primitives[0]
    assert now.file is UNSET and now.shapes[1].hi == (3.0, 1.1, 1.1) and now.shapes[0].hi == (1.0, 1.0, 1.0)
    assert user.state.messages.notice == "Copied 2 rows of two.npz into the scene"
    user.keys("Ctrl+Z")
    assert user.state.session.scene.primitives[0].file is not UNSET


def test_a_triangle_of_a_mesh_shows_its_numbers_and_takes_none(open_viewer, tmp_path):
    (tmp_path / "sail.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = b'{"id": "m", "type": "mesh", "file": "sail.obj"}'
    user = open_viewer(loads(b'{"version": 1, "probes": [], "primitives": [%s]}' % mesh, "a.scene.json", tmp_path))
    before = user.state.session.scene
    user.open_row("primitive m")
    user.click_on("primitive m[0]")
    user.enter("field primitive m[0] $.b[0]", "7")
    assert user.state.session.scene is before


@pytest.mark.replayed
def test_escape_closes_a_gallery_that_was_opened_by_a_click_and_keeps_the_selection(open_viewer):
    user = open_viewer(two_boxes())
    user.click_on("probe cut")
    user.click_on("gallery")
    user.keys("Escape")
    assert user.state.dialogs.dialog is None
    assert user.selected == ["cut"]
