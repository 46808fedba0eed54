"""The panels, without a window: what is clicked and typed in them, and what becomes of the scene."""

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec import UNSET
from user import WINDOWED, User

from hitscope.draw.target import Target
from hitscope.evaluate import evaluate
from hitscope.render.palette import THEMES
from hitscope.scene import Scene, load, loads, save
from hitscope.scene.model import (
    AabbPrimitive,
    AabbsPrimitive,
    Expectation,
    ObbPrimitive,
    PolyhedronPrimitive,
    RayProbe,
    RaysProbe,
    SegmentProbe,
)
from hitscope.viewer.app import App
from hitscope.viewer.bindings import GESTURES, KEYS
from hitscope.viewer.documents import Document, Shelf
from hitscope.viewer.files.settings import PLAIN, Settings
from hitscope.viewer.frontend import Frontend
from hitscope.viewer.inputs import Refresh, Text
from hitscope.viewer.panels import expectations_panel, labels, outliner, pair_panel, widgets
from hitscope.viewer.panels.dialogs import Help
from hitscope.viewer.panels.help import grouped_lines
from hitscope.viewer.panels.layout import lay_out
from hitscope.viewer.recording.recording import Recorder, Recording, opening_on
from hitscope.viewer.recording.replay import app_of, replay

SIZE = (1280, 800)


def a_scene(**fields):
    """Give a segment through the left one of two boxes, of which both are expected to be hit."""
    parts = {
        "primitives": (
            AabbPrimitive(id="left", center=(-2.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0)),
            AabbPrimitive(id="right", min=(1.0, 2.0, -1.0), max=(3.0, 4.0, 1.0)),
        ),
        "probes": (
            SegmentProbe(id="cut", start=(-6.0, 0.25, 0.0), end=(2.0, 0.25, 0.0)),
            RayProbe(id="up", origin=(9.0, 0.0, 0.0), direction=(0.0, 2.0, 0.0)),
        ),
        "expect": (
            Expectation(probe="cut", primitive="left", hit=True),
            Expectation(probe="cut", primitive="right", hit=True, t_enter=0.5, why="as it was drawn"),
            Expectation(probe="up", hits=("left",)),
        ),
    }
    return Scene(version=1, **(parts | fields))


class PanelUser(User):
    """A user who sees where fields, buttons and rows are."""

    seen: dict

    def place_of(self, name):
        """Give the middle of what has this name, or a name that begins so."""
        self.seen.clear()
        self.take(Refresh)
        return next(place for known, place in self.seen.items() if known.startswith(name))

    def sees(self, name):
        """Say whether there is something of this name."""
        self.seen.clear()
        self.take(Refresh)
        return any(known.startswith(name) for known in self.seen)

    def press_on(self, name, held=()):
        """Click on what has this name."""
        place = self.place_of(name)
        self.drag(place, place, held=held)

    def enter(self, name, text):
        """Type a text into a field in the place of what it says, and press Enter."""
        self.press_on(name)
        self.take(Text, text)
        self.keys("Enter")


@pytest.fixture
def open_viewer(tmp_path, monkeypatch):
    """Give a function that opens a scene; what is done then must come out the same when played again."""
    seen = {}

    def noted(function, name_of):
        def wrapped(*given, **more):
            given_back = function(*given, **more)
            lo, hi = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            seen[name_of(*given)] = ((lo.x + hi.x) / 2, (lo.y + hi.y) / 2)
            return given_back

        return wrapped

    show = widgets.TextField.show
    monkeypatch.setattr(widgets.TextField, "show", noted(show, lambda _, key, *__: key))
    monkeypatch.setattr(widgets, "button", noted(widgets.button, lambda words, *_: words.split("  ")[-1]))
    choice = widgets._option_button
    monkeypatch.setattr(widgets, "_option_button", noted(choice, lambda key, words, *_: f"{key}: {words}"))
    for module in (outliner, pair_panel, expectations_panel):
        monkeypatch.setattr(module, "row", noted(module.row, lambda key, *_: key))

    def open_scene(scene, size=SIZE, settings=PLAIN):
        path = tmp_path / "a.scene.json"
        save(scene, path)
        recorder = Recorder(tmp_path / "recording", opening_on([path], tmp_path, size, settings=settings))
        user = PanelUser(App(Shelf([Document(path)]), size, settings=settings, limits=WINDOWED), recorder)
        user.seen = seen
        users.append(user)
        return user

    users = []
    yield open_scene
    for user in users:
        user.wait()
        user.stand_up()
        recording = Recording.read(tmp_path / "recording")
        with Frontend(app_of(recording)) as frontend:
            replay(recording, frontend)
            assert frontend.app.scene == user.app.scene
            assert frontend.app.selection == user.app.selection


@pytest.fixture
def user(open_viewer):
    """Give a user of the viewer on the scene."""
    return open_viewer(a_scene())


def words(user):
    """Give what is wrong with what was typed."""
    return user.frontend._panel._inspector._problem


def test_a_number_that_is_typed_is_that_float64(user):
    user.press_on("probe cut")
    user.enter("Target(kind='probe', id='cut', handle=None) ('start', 1)", "0.1000000000000000055511151231257827")
    assert user.app.scene.probes[0].start == (-6.0, 0.1, 0.0)
    user.enter("Target(kind='probe', id='cut', handle=None) ('end', 0)", "0x1.8p-1")
    assert user.app.scene.probes[0].end == (0.75, 0.25, 0.0)
    assert user.app.document.undo_name == "set end x of cut"
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert user.app.scene.probes[0] == a_scene().probes[0]


def test_what_is_no_number_is_told_and_changes_nothing(user):
    user.press_on("primitive left")
    place = "Target(kind='primitive', id='left', handle=None) ('half_extents', 2)"
    for typed, said in (
        ("1+", 'found "1+"'),
        ("1e999", "float64 can hold"),
        ("-1", "a number >= 0, found -1.0"),
    ):
        user.enter(place, typed)
        assert said in words(user)[1]
        assert user.app.scene.primitives == a_scene().primitives
        assert not user.app.document.changed
    user.enter(place, "3")
    assert words(user) is None
    assert user.app.scene.primitives[0].half_extents == (1.0, 1.0, 3.0)


def test_the_sign_of_a_zero_can_be_typed(user):
    user.press_on("probe cut")
    user.enter("Target(kind='probe', id='cut', handle=None) ('start', 2)", "-0")
    assert str(user.app.scene.probes[0].start[2]) == "-0.0"
    assert user.app.document.undo_name == "set start z of cut"
    user.keys("Ctrl+Z")
    assert str(user.app.scene.probes[0].start[2]) == "0.0"


def test_escape_takes_back_what_was_typed(user):
    user.press_on("probe cut")
    user.press_on("Target(kind='probe', id='cut', handle=None) ('start', 1)")
    user.take(Text, "7")
    user.keys("Escape")
    assert not user.app.document.changed
    assert user.app.selected == Target("probe", "cut")


def test_keys_do_nothing_else_while_something_is_typed(user):
    user.press_on("probe cut")
    user.press_on("Target(kind='probe', id='cut', handle=None) ('start', 1)")
    user.keys("T", "H", "Tab")
    assert user.app.theme is THEMES["dark"] and user.app.dialog is None and user.app.panels


def test_what_is_expected_follows_a_new_name(user):
    user.press_on("primitive left")
    user.enter("id Target", "crate")
    assert user.app.scene.primitive_ids == ("crate", "right")
    assert user.app.scene.expect[0].primitive == "crate" and user.app.scene.expect[2].hits == ("crate",)
    assert user.app.selected == Target("primitive", "crate")
    user.enter("id Target", "right")
    assert "an id that no other of the primitives has" in words(user)[1]
    assert user.app.scene.primitive_ids == ("crate", "right")


def filter_by(user, which):
    """Click on a word of the filter."""
    shares = {"all": 0.1, "hits": 0.4, "mismatches": 0.8}
    user.click((user.app.layout.outliner.width * shares[which], user.place_of("probe")[1] - 45))


def open_row(user, name):
    """Click on the arrow of a row."""
    user.click((22.0, user.place_of(name)[1]))


def search(user, text):
    """Type into the search, in the place of what is there."""
    if not hasattr(user, "searched"):
        user.searched = (100.0, user.place_of("probe")[1] - 72)
    user.click(user.searched)
    user.keys("Ctrl+A", "Delete")
    user.take(Text, text)
    user.keys("Enter")


def test_mismatches_only_lists_what_they_are_about(open_viewer):
    user = open_viewer(a_scene(expect=a_scene().expect[:2]))
    filter_by(user, "mismatches")
    assert user.sees("primitive right") and user.sees("probe cut")
    assert not user.sees("primitive left") and not user.sees("probe up")
    filter_by(user, "hits")
    assert user.sees("primitive left") and user.sees("probe cut")
    assert not user.sees("primitive right") and not user.sees("probe up")


def test_hits_of_many_are_mismatches_of_each(user):
    filter_by(user, "mismatches")
    assert user.sees("primitive right") and user.sees("primitive left") and user.sees("probe up")


def test_a_search_lists_what_has_the_text_in_its_name(user):
    search(user, "RIGH")
    assert user.sees("primitive right") and not user.sees("primitive left") and not user.sees("probe")


def test_accepting_all_makes_them_hold(user):
    assert len(user.app.report.mismatches) == 3
    user.press_on("Accept all")
    assert not user.app.document.changed
    user.press_on("Accept 2")
    assert not user.app.report.mismatches
    assert user.app.document.undo_name == "accept 2 expectations"
    _, second, third = user.app.scene.expect
    assert (second.hit, second.t_enter, second.why) == (False, None, "as it was drawn")
    assert third.hits == ()
    user.keys("Ctrl+S")
    assert not evaluate(load(user.app.document.path)).mismatches


def test_what_is_found_can_be_expected_and_expected_no_longer(open_viewer):
    user = open_viewer(a_scene(), size=(1280, 1200))
    user.press_on("probe up")
    user.press_on("primitive right")
    user.press_on("Expect this")
    added = user.app.scene.expect[-1]
    assert (added.probe, added.primitive, added.hit, added.state) == ("up", "right", False, "apart")
    assert user.app.document.undo_name == "expect a miss of up on right"
    place = user.app.layout.panel
    user.click((place.left + place.width - 30, user.place_of("expect 3")[1]))
    assert user.app.scene.expect == a_scene().expect


def test_a_click_on_a_mismatch_selects_its_pair(user):
    user.press_on("expect 1")
    assert user.app.selected == Target("probe", "cut")
    assert user.app.partner == Target("primitive", "right")


def test_several_are_selected_with_ctrl_and_shift(user):
    user.press_on("primitive left")
    user.press_on("probe cut", held=("Ctrl",))
    assert user.app.selection == (Target("primitive", "left"), Target("probe", "cut"))
    user.press_on("primitive left")
    user.press_on("primitive right", held=("Shift",))
    assert user.app.selection == (Target("primitive", "left"), Target("primitive", "right"))


def test_the_eye_of_a_row_hides_it(user):
    place = user.app.layout.outliner
    user.click((place.width - 22, user.place_of("primitive left")[1]))
    assert user.app.hidden == {("primitive", "left")}
    assert not user.app.selection and not user.app.document.changed
    user.click((place.width - 22, user.place_of("primitive left")[1]))
    assert not user.app.hidden


def test_a_million_rows_are_made_only_where_they_are_seen(open_viewer):
    corners = [[float(i), 0.0, 0.0] for i in range(5000)]
    cloud = AabbsPrimitive(id="cloud", center=corners, half_extents=[[0.25] * 3] * 5000)
    user = open_viewer(a_scene(primitives=(cloud,), expect=()))
    assert user.sees("primitive cloud") and not user.sees("primitive cloud[")
    open_row(user, "primitive cloud")
    assert user.sees("primitive cloud[0]") and not user.sees("primitive cloud[60]")
    search(user, "[4000]")
    assert not user.sees("primitive cloud[0]")
    user.press_on("primitive cloud[4000]")
    assert user.app.selected == Target("primitive", "cloud[4000]")
    search(user, "cl")
    assert not user.sees("primitive cloud[4000]")
    open_row(user, "primitive cloud")
    assert not user.sees("primitive cloud[")
    search(user, "cloud[400")
    assert (
        user.sees("primitive cloud[400]")
        and user.sees("primitive cloud[4009]")
        and not user.sees("primitive cloud[40]")
    )


def test_a_method_named_in_the_panel_decides(open_viewer):
    user = open_viewer(a_scene(), size=(1280, 1200))
    user.press_on("probe cut")
    user.press_on("method slab_ericson")
    assert user.app.scene.methods == {"segment_aabb": "slab_ericson"}
    user.enter("argument segment_aabb epsilon", "0.5")
    assert user.app.scene.methods == {"segment_aabb": {"name": "slab_ericson", "epsilon": 0.5}}
    assert user.app.document.undo_name == "set epsilon of slab_ericson"


def test_the_edge_of_a_panel_is_dragged_to_another_width(user):
    picture = user.app.layout.picture
    edge = user.app.layout.panel.left + 2
    user.drag((edge, 400), (edge - 80, 400))
    assert user.app.layout.panel.width == pytest.approx(400, abs=4)
    assert user.app.layout.picture.width == pytest.approx(picture.width - 80, abs=4)
    assert user.app.viewpoint.camera == App(user.app.shelf, SIZE).viewpoint.camera


def test_theme_colours_names_and_help_have_keys(user):
    user.keys("T")
    assert user.app.theme is THEMES["light"]
    user.keys("C", "T")
    assert user.app.theme is THEMES["dark-blue-orange"]
    user.keys("I")
    assert user.app.labels
    user.keys("H")
    assert isinstance(user.app.dialog, Help)
    user.keys("Escape")
    assert user.app.dialog is None


def test_the_help_shows_every_binding():
    lines = [line for group in grouped_lines(PLAIN).values() for line in group]
    for key in KEYS:
        assert any(key.says == line.says and key.keys in line.keys for line in lines)
    assert {gesture.says for gesture in GESTURES} <= {line.says for line in lines}
    rebound = [line for group in grouped_lines(Settings(bindings={"undo": "F5"})).values() for line in group]
    assert "F5" in next(line.keys for line in rebound if "undo" in line.names)
    assert "F5" not in next(line.keys for line in lines if "undo" in line.names)


def test_the_hint_of_the_first_start_goes_for_good(open_viewer):
    user = open_viewer(a_scene(), settings=Settings())
    assert user.app.greets
    user.press_on("Got it")
    assert not user.app.greets
    assert not user.app.selection and user.app.drag is None


@pytest.mark.parametrize("size, two", [((1280, 800), True), ((640, 480), False), ((480, 320), False)])
def test_a_narrow_window_has_one_panel(size, two):
    layout = lay_out(*size, 1.0, panels=True)
    assert (layout.outliner.width > 0) == two
    assert layout.outliner.width + layout.picture.width + layout.panel.width == size[0]
    assert layout.picture.width >= 0.4 * size[0] - 1
    wide = lay_out(*size, 1.0, True, {"outliner": 5000.0, "panel": 5000.0})
    assert wide.picture.width >= 0.4 * size[0] - 1


def test_polyhedra_and_bulk_items_are_shown_number_by_number(open_viewer):
    gem = PolyhedronPrimitive(
        id="gem", vertices=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    )
    cloud = AabbsPrimitive(id="cloud", center=[[0.1, 0.0, 0.0]], half_extents=[[0.25] * 3])
    user = open_viewer(a_scene(primitives=(gem, cloud), expect=()))
    user.press_on("primitive gem")
    user.enter("Target(kind='primitive', id='gem', handle=None) ('vertices', 3, 2)", "2.5")
    assert user.app.scene.primitives[0].vertices[3] == (0.0, 0.0, 2.5)
    open_row(user, "primitive cloud")
    user.press_on("primitive cloud[0]")
    user.enter("Target(kind='primitive', id='cloud[0]', handle=None) ('center', 0)", "7")
    assert user.app.scene.primitives[1].shapes[0].lo[0] == 7 - 0.25
    assert user.app.document.undo_name == "set center x of cloud[0]"
    assert user.app.selected == Target("primitive", "cloud[0]")
    user.enter("Target(kind='primitive', id='cloud[0]', handle=None) ('half_extents', 2)", "-1")
    assert "a number >= 0" in words(user)[1]
    user.keys("Ctrl+Z")
    assert user.app.scene.primitives[1].shapes[0].lo[0] == 0.1 - 0.25


def test_what_is_selected_in_the_picture_comes_into_sight(open_viewer):
    corners = [[float(i), 0.0, 0.0] for i in range(300)]
    cloud = AabbsPrimitive(id="cloud", center=corners, half_extents=[[0.25] * 3] * 300)
    user = open_viewer(a_scene(primitives=(cloud,), expect=()))
    user.click(user.pixel([240.0, 0.0, 0.0]))
    name = user.app.selected.id
    assert name.startswith("cloud[2")
    top = user.app.layout.outliner.top
    assert top < user.place_of(f"primitive {name}")[1] < user.app.layout.outliner.height


def test_one_of_a_bundle_is_looked_at_like_a_probe_of_its_own(open_viewer):
    rays = RaysProbe(id="rays", origin=[[-9.0, 0.0, 0.0], [-9.0, 9.0, 0.0]], direction=[[1.0, 0.0, 0.0]] * 2)
    user = open_viewer(a_scene(probes=(rays,), expect=()))
    open_row(user, "probe rays")
    user.press_on("primitive left")
    user.press_on("probe rays[1]")
    assert user.app.selected == Target("probe", "rays[1]")
    assert user.app.picture.pairs.find((user.app.selected, user.app.partner)) == (1, 0)
    user.enter("Target(kind='probe', id='rays[1]', handle=None) ('origin', 1)", "0.5")
    assert user.app.report.verdict(1, 0).hit
    assert user.app.scene.probes[0].shapes[1].origin == (-9.0, 0.5, 0.0)
    user.keys("Ctrl+Z")
    assert not user.app.report.verdict(1, 0).hit


def test_a_mesh_is_scaled_by_what_is_typed(open_viewer, tmp_path):
    (tmp_path / "sail.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = b'{"id": "m", "type": "mesh", "file": "sail.obj", "scale": 2}'
    scene = loads(b'{"version": 1, "probes": [], "primitives": [%s]}' % mesh, "a.scene.json", tmp_path)
    user = open_viewer(scene)
    open_row(user, "primitive m")
    user.press_on("primitive m[0]")
    user.enter("Target(kind='primitive', id='m', handle=None) ('scale',)", "3")
    assert user.app.scene.primitives[0].shapes[0].b == (3.0, 0.0, 0.0)
    assert user.app.document.undo_name == "set scale of m"
    assert user.app.selected == Target("primitive", "m[0]")


def test_a_bundle_is_enabled_and_renamed_as_one(open_viewer):
    rays = RaysProbe(id="rays", origin=[[-9.0, 0.0, 0.0]] * 2, direction=[[1.0, 0.0, 0.0]] * 2)
    user = open_viewer(a_scene(probes=(rays,), expect=()))
    user.press_on("probe rays")
    user.enter("id Target", "fan")
    assert user.app.scene.probe_ids == ("fan",)
    user.click((user.app.layout.panel.left + 24, user.place_of("id Target")[1] + 24))
    assert not user.app.scene.probes[0].enabled
    assert user.app.document.undo_name == "disable fan"


def test_the_rotation_of_a_box_changes_its_form_and_what_rounding_does_is_told(open_viewer):
    axes = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0))
    crate = ObbPrimitive(id="crate", center=(0.0,) * 3, half_extents=(1.0,) * 3, axes=axes)
    user = open_viewer(a_scene(primitives=(crate,), expect=()))
    user.press_on("primitive crate")
    user.press_on("box: quaternion")
    now = user.app.scene.primitives[0]
    assert now.axes is UNSET and now.quaternion_xyzw is not UNSET
    assert user.app.document.undo_name == "give crate by quaternion"
    user.press_on("box: Euler")
    assert user.app.scene.primitives[0].euler_xyz_deg[:2] == (0.0, 0.0)
    user.press_on("box: none")
    assert "a box that is not turned" in words(user)[1]
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert user.app.scene.primitives[0] == crate


def test_a_mesh_is_moved_by_numbers_that_its_file_leaves_out(open_viewer, tmp_path):
    (tmp_path / "sail.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = b'{"id": "m", "type": "mesh", "file": "sail.obj"}'
    scene = loads(b'{"version": 1, "probes": [], "primitives": [%s]}' % mesh, "a.scene.json", tmp_path)
    user = open_viewer(scene)
    user.press_on("primitive m")
    user.enter("Target(kind='primitive', id='m', handle=None) ('translate', 2)", "0x1p-1")
    assert user.app.scene.primitives[0].shapes[0].a == (0.0, 0.0, 0.5)
    user.press_on("box: three scales")
    user.enter("Target(kind='primitive', id='m', handle=None) ('scale', 1)", "3")
    assert user.app.scene.primitives[0].shapes[0].c == (0.0, 3.0, 0.5)


def test_without_panels_a_contradiction_and_a_problem_are_told_in_the_picture(open_viewer, monkeypatch):
    box = AabbPrimitive(id="box", min=(-1.0, 0.5, -1.0), max=(1.0, 1.5, 1.0))
    ray = RayProbe(id="ray", origin=(-6.0, 1.0, 0.0), direction=(2e-09, 5e-10, 0.0))
    user = open_viewer(Scene(version=1, primitives=(box,), probes=(ray,), methods={"ray_aabb": "slab_ericson"}))
    told = []
    monkeypatch.setattr(labels, "_label", lambda *given: told.append(given[-1]))
    user.press_on("probe ray")
    user.leave()
    assert not [line for line in told if "slab" in line]
    user.app.problem = "a.scene.json: broken\nb.scene.json: broken too"
    user.keys("Tab")
    assert "slab_ericson says hit of ray on box, exact geometry says miss" in told
    assert {"a.scene.json: broken", "b.scene.json: broken too"} <= set(told)


def test_a_number_of_a_short_file_takes_its_rows_into_the_scene_and_says_so(open_viewer, tmp_path):
    np.savez(tmp_path / "two.npz", center=[[0.0] * 3, [0.1] * 3], half_extents=[[1.0] * 3] * 2)
    boxes = b'{"id": "two", "type": "aabbs", "file": "two.npz"}'
    user = open_viewer(
        loads(b'{"version": 1, "probes": [], "primitives": [%s]}' % boxes, "a.scene.json", tmp_path)
    )
    open_row(user, "primitive two")
    user.press_on("primitive two[1]")
    user.enter("Target(kind='primitive', id='two[1]', handle=None) ('max', 0)", "0x1.8p+1")
    now = user.app.scene.primitives[0]
    assert now.file is UNSET and now.shapes[1].hi == (3.0, 1.1, 1.1) and now.shapes[0].hi == (1.0, 1.0, 1.0)
    assert user.app.message == "the 2 rows of two.npz are in the scene now"
    user.keys("Ctrl+Z")
    assert user.app.scene.primitives[0].file is not UNSET


def test_a_triangle_of_a_mesh_shows_its_numbers_and_takes_none(open_viewer, tmp_path):
    (tmp_path / "sail.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = b'{"id": "m", "type": "mesh", "file": "sail.obj"}'
    user = open_viewer(loads(b'{"version": 1, "probes": [], "primitives": [%s]}' % mesh, "a.scene.json", tmp_path))
    before = user.app.scene
    open_row(user, "primitive m")
    user.press_on("primitive m[0]")
    user.enter("Target(kind='primitive', id='m[0]', handle=None) ('b', 0)", "7")
    assert user.app.scene is before
