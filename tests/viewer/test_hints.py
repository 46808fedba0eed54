"""Hints and messages: with the user's own keys, and in texts that fit."""

import numpy as np
import pytest
from imgui_bundle import imgui

from hitscope.draw.target import Target
from hitscope.render.palette import THEMES
from hitscope.resources import SCENES
from hitscope.scene import Scene
from hitscope.scene.items import SegmentProbe
from hitscope.viewer.actions import inspector_edits, view
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.interface.bindings import FIXED, GESTURES, commands_of
from hitscope.viewer.panels import help, status_line, text
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.state.dialogs import Help
from hitscope.viewer.state.display import WIDTHS, Display
from hitscope.viewer.state.documents import DocumentList
from hitscope.viewer.state.gallery import examples
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.state.tool import AXIS_KEYS
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.window.host import DesktopHost
from tests.viewer.samples import BOX as CUBE
from tests.viewer.samples import VIEW
from tests.viewer.user import SIZE, status_of

BOX, SEGMENT = Target("primitive", "box"), Target("probe", "cut")


@pytest.fixture
def user(open_viewer):
    """A user of the viewer on the scene."""
    return open_viewer(a_scene())


def a_scene(**fields):
    """A segment through a box."""
    parts = {
        "primitives": (CUBE,),
        "probes": (SegmentProbe(id="cut", start=(-4.0, 0.0, 0.0), end=(4.0, 0.0, 0.0)),),
        "view": VIEW,
    }
    return Scene(version=1, **(parts | fields))


def test_the_status_line_names_the_users_own_keys():
    plain = dict(status_line.key_hints(commands_of({})))
    assert plain["N S"] == "New segment"
    assert plain["N R L P T B O"] == "Ray, line, point, triangle, box, sphere"
    assert plain["F Home"] == "Frame"
    own = {"new_segment": "Q Q", "help": "F4", "new_ray": [], "frame_selection": [], "frame_all": []}
    rebound = dict(status_line.key_hints(commands_of(own)))
    assert rebound["Q Q"] == "New segment"
    assert rebound["F4"] == "All keys"
    assert rebound["N L P T B O"] == "Line, point, triangle, box, sphere"
    assert "Frame" not in rebound.values()


def test_the_key_of_the_help_comes_first_in_the_status_line():
    assert [says for _, says in status_line.key_hints(commands_of({}))][:3] == [
        "Drag a handle, orbit",
        "All keys",
        "Zoom",
    ]


def test_the_help_lists_what_cannot_be_rebound():
    groups = help.grouped_lines(commands_of({}))
    for fixed in FIXED:
        assert any(
            line.description == fixed.description and line.keys == fixed.keys for line in groups[fixed.when]
        )
    assert {*AXIS_KEYS} <= {keys for line in groups["While dragging"] for keys in line.keys}


def test_keys_that_do_the_same_are_written_as_one_word():
    arrows = ("Left", "Right", "Up", "Down", "PageUp", "PageDown")
    assert help.keys_text(arrows) == "Arrows, PageUp/Down"
    assert help.keys_text(tuple(f"Alt+{key}" for key in arrows)) == "Alt+Arrows, Alt+PageUp/Down"
    assert help.keys_text(("Left", "Right", "Escape")) == "Left, Right, Esc"


def test_the_mouse_in_the_status_line_is_that_of_the_table():
    known = set(GESTURES) | {keys for fixed in FIXED for keys in fixed.keys}
    assert {button for button, _ in status_line.MOUSE} <= known


@pytest.mark.parametrize(
    "names, said",
    [
        (("move", "rotate"), "W E"),
        (("new_ray", "new_box"), "N R B"),
        (("new_ray", "save"), "N R, Ctrl+S"),
        (("cancel",), "Esc"),
        (("redo",), "Ctrl+Y"),
        ((), ""),
    ],
)
def test_the_keys_of_several_commands_are_written_side_by_side(names, said):
    assert commands_of({}).pressed(*names) == said


def test_the_status_line_shows_the_level_of_the_hierarchy_and_the_keys_that_change_it(open_viewer):
    town = SCENES / "bulk" / "hierarchy-levels.scene.json"
    state = open_viewer(town, settings=Settings(bindings={"show_deeper": "F3", "show_shallower": ()})).state
    assert state.session.picture.level.number == 2
    assert status_of(state) == f"{state.session.picture.level.words}   ·   F3 deeper"
    view.show_shallower(state)
    assert state.display.viewpoint.hierarchy == 1


def test_the_key_of_the_help_closes_it_and_no_other_key_acts_there(user):
    user.keys("H")
    assert isinstance(user.state.dialogs.dialog, Help)
    user.keys("T", "?")
    assert user.state.dialogs.dialog is None
    assert user.state.display.theme is THEMES["dark"]


def test_the_help_in_a_small_window_is_scrolled_by_keys_and_by_the_wheel(user, monkeypatch):
    paragraph, scrolled = text.paragraph, []

    def note(words, *given):
        if words.startswith("To change keys"):  # the last in the part that scrolls
            scrolled.append(imgui.get_scroll_y())
        paragraph(words, *given)

    monkeypatch.setattr(text, "paragraph", note)
    user.resize(400, 300)
    user.keys("H")
    found = [scrolled[-1]]
    for key in ("Down", "PageDown", "End", "PageDown", "PageUp", "Up", "Home", "Up"):
        user.keys(key)
        found.append(scrolled[-1])
    top, line, page, end, still, above, over, home, first = found
    assert top == home == first == 0.0
    assert 0.0 < line < page < over < above < end == still
    assert page - line == end - above < 300
    assert above - over == line
    user.move((200.0, 150.0))
    user.scroll(-3.0, (200.0, 150.0))
    assert 0.0 < scrolled[-1] < end


def test_escape_clears_the_problem_and_then_the_selection(user):
    user.state.selection.select(BOX)
    user.state.messages.problem = "settings.json: 5 problems\n1:1: one\n2:2: two\n3:3: three\n4:4: four\n5:5: five"
    user.keys("Escape")
    assert user.state.messages.problem == ""
    assert user.state.selection.targets == (BOX,)
    user.keys("Escape")
    assert user.state.selection.targets == ()


def test_of_many_mistakes_a_few_lines_are_shown(user):
    user.state.messages.problem = "\n".join(f"{i}:1: expected something else" for i in range(30))
    (shown,) = {words for words in written(user) if "something" in words}
    assert 0 < shown.count("expected") < 5


def written(user):
    """The wrapped texts of the next frame."""
    said = []

    def noted(words, *how):
        said.append(words)
        text_coloured(words, *how)

    text_coloured = text.paragraph
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "paragraph", noted)
        user.move((600.0, 110.0))
    return said


def test_a_letter_of_an_axis_ends_half_a_sequence(user):
    user.keys("N", "X")
    assert user.state.tool.key_prefix == ""


def test_undo_and_redo_select_what_was_selected(user):
    user.state.selection.select(SEGMENT, BOX)
    user.keys("Delete")
    assert user.state.selection.targets == ()
    user.keys("Ctrl+Z")
    assert user.state.selection.targets == (SEGMENT, BOX)
    user.keys("Ctrl+Y")
    assert user.state.selection.targets == ()


def test_undo_of_a_copy_selects_the_original_and_of_a_name_what_had_it(user):
    user.state.selection.select(BOX)
    user.keys("Ctrl+D")
    (copy,) = user.state.selection.targets
    assert copy != BOX
    user.keys("Ctrl+Z")
    assert user.state.selection.targets == (BOX,)
    inspector_edits.rename(user.state, BOX, "crate")
    user.keys("Ctrl+Z")
    assert user.state.selection.targets == (BOX,)
    user.keys("Ctrl+Y")
    assert user.state.selection.targets == (Target("primitive", "crate"),)


def test_undo_of_something_drawn_selects_what_was_selected_before(user):
    user.state.selection.select(BOX)
    user.keys("N", "P")
    user.click((600.0, 650.0))
    assert user.state.selection.targets == (Target("probe", "point-1"),)
    user.keys("Ctrl+Z")
    assert user.state.selection.targets == (BOX,)


def test_home_is_the_scenes_own_view_and_from_there_shows_all(user):
    state = user.state
    own = state.display.viewpoint.camera
    user.drag((600.0, 100.0), (700.0, 200.0), "Middle")
    user.scroll(5, (600.0, 300.0))
    user.keys("Home")
    user.wait()
    assert state.display.viewpoint.camera == own
    user.keys("Home")
    user.wait()
    assert state.display.viewpoint.camera != own
    assert state.display.viewpoint.camera.angles == pytest.approx(own.angles)


def test_home_is_the_view_that_was_kept_last(user):
    user.drag((600.0, 100.0), (700.0, 200.0))
    kept = user.state.display.viewpoint.camera
    view.save_view(user.state)
    assert user.state.messages.notice == "The scene now opens with this view"
    assert user.state.session.document.undo_name == "save the view"
    user.drag((600.0, 100.0), (500.0, 150.0))
    user.keys("Home")
    user.wait()
    assert user.state.display.viewpoint.camera == kept


def test_the_wheel_takes_the_camera_only_so_far_away_and_brings_it_back(user):
    for _ in range(200):
        user.scroll(-1, (600.0, 300.0))
    camera = user.state.display.viewpoint.camera
    assert 100 < camera.distance < 1e5
    assert np.abs(camera.target).max() < 1e5
    user.scroll(1, (600.0, 300.0))
    assert user.state.display.viewpoint.camera.distance < camera.distance


def test_an_empty_clipboard_is_no_mistake(user):
    user.keys("Ctrl+V")
    assert user.state.messages.notice == "The clipboard is empty"
    assert user.state.messages.problem == ""


def test_a_new_scene_is_empty_untitled_and_nothing_to_be_saved(open_viewer):
    user = open_viewer(a_scene(), settings=Settings(up="z", first_start_seen=True))
    before = user.state.session.document
    user.keys("Ctrl+N")
    state = user.state
    assert (state.session.scene.primitives, state.session.scene.probes, state.session.scene.view.up) == (
        (),
        (),
        "z",
    )
    assert state.session.document.title == "untitled.scene.json"
    assert not state.session.unsaved
    user.keys("Ctrl+N")
    assert state.session.document.title == "untitled-2.scene.json"
    user.keys("[", "[")
    assert state.session.document is before


def test_quitting_asks_where_something_is_not_saved(open_viewer):
    user = open_viewer(a_scene())
    user.state.selection.select(BOX)
    user.keys("Delete", "Ctrl+Q")
    assert user.state.dialogs.closing is not None and not user.state.host.closed
    user.keys("Escape", "Ctrl+Z", "Ctrl+Q")
    assert user.state.host.closed


def test_the_gallery_is_walked_through_in_its_own_order():
    paths = [document.path for document in DocumentList.of([]).documents]
    assert paths == list(dict.fromkeys(example.path for example in examples()))
    assert paths != sorted(paths)


def test_whether_ids_are_shown_is_remembered(open_viewer, tmp_path):
    file = SettingsFile(tmp_path / "settings.json")
    user = open_viewer(a_scene())
    user.keys("I")
    host = DesktopHost(file, lambda *_: np.zeros((1, 1, 3), np.uint8))
    list(host.poll(user.state, 0))
    host.close()
    assert SettingsFile(file.path).settings.labels
    assert open_viewer(settings=SettingsFile(file.path).settings).state.display.labels


def test_a_broken_settings_file_is_replaced_and_the_path_of_its_copy_is_shown(open_viewer, tmp_path):
    (tmp_path / "settings.json").write_text("{,}")
    file = SettingsFile(tmp_path / "settings.json")
    user = open_viewer(a_scene(), settings=file.settings)
    host = DesktopHost(file, lambda *_: np.zeros((1, 1, 3), np.uint8))
    user.keys("T")
    (event,) = (given for given in host.poll(user.state, 0) if "was written" in getattr(given, "message", ""))
    host.close()
    assert event.message.startswith(f"{file.path}:1:2: ")
    assert event.message.endswith(f"A new settings file was written; the old one is kept as {file.path}.broken")
    assert not user.state.messages.introduction.shown


@pytest.fixture
def in_frame():
    """A function that calls another one within a frame."""
    gui = Gui(Display(SIZE, 1.0, Settings()), lambda: "", lambda _: None)

    def call(function):
        found = []
        gui.frames(lambda: found.append(function()), lambda: False, 0.0, 1, 1)
        return found[0]

    yield call
    gui.close()


@pytest.mark.parametrize("said", ["plain", "two\nlines", "∈ ∥ ⊥ ∀ → ∞ ≤ ₀ é Ж", "t − 0.5 · 1…"])
def test_what_the_fonts_have_is_written_as_it_is(in_frame, said):
    assert in_frame(lambda: text.escaped(said)) == said
    assert in_frame(lambda: text.cut_end(said, 1000.0)) == said


@pytest.mark.parametrize(
    "said, shown",
    [
        ("a\ud800b", r"a\ud800b"),
        ("tab\there", r"tab\u0009here"),
        ("\u200fx", r"\u200fx"),
        ("\U00013000", r"\U00013000"),
    ],
)
def test_invisible_characters_are_written_as_escapes(in_frame, said, shown):
    assert in_frame(lambda: text.escaped(said)) == shown
    assert in_frame(lambda: text.width(said)) == in_frame(lambda: text.width(shown))


def test_names_in_other_scripts_can_be_distinguished(in_frame):
    first, second = in_frame(lambda: (text.escaped("箱一"), text.escaped("箱二")))
    assert first != second
    font = in_frame(imgui.get_font)
    assert first == ("箱一" if in_frame(lambda: font.is_glyph_in_font(ord("箱"))) else r"\u7bb1\u4e00")


def test_the_pointer_shows_what_a_press_would_do(user):
    interface = user.interface
    user.move((600.0, 100.0))
    assert interface.pointer == "arrow"
    user.move(user.pixel((4.0, 0.0, 0.0)))
    assert interface.pointer == "hand"
    user.press((600.0, 100.0), "Right")
    assert interface.pointer == "all_ways"
    user.release("Right")
    user.keys("Escape", "N", "S")
    assert interface.pointer == "cross"
    user.keys("Escape")
    user.move((WIDTHS["outliner"] - 3, 400.0))
    assert interface.pointer == "sideways"
    user.state.selection.select(SEGMENT)
    user.keys("W")
    gizmo = gizmo_of(user.state)
    x, y = user.pixel(gizmo.pivot)
    user.move((x, y))
    assert user.state.tool.gizmo_part is not None
    assert interface.pointer == "hand"
