"""Expressions, vectors and invalid texts in the inspector, and what the panels shorten, close and remember."""

from itertools import pairwise

import numpy as np
import pytest
from imgui_bundle import imgui

from hitscope import numerals
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate, expectation_words, intersect
from hitscope.geometry.shapes import Aabb, Line, Ray, Segment
from hitscope.scene import fields
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, SegmentProbe
from hitscope.scene.model import Expectation
from hitscope.viewer.actions import inspector_edits
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.panels import inspector, text
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.panels.pair_panel import length_at
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.inputs import Clipboard, Refresh
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.window.host import DesktopHost
from tests.viewer.samples import two_boxes

LEFT = "field primitive left $.{}[{}]"
RIGHT = "field primitive right $.{}[{}]"
BIG = 1.7e308


@pytest.fixture
def user(open_viewer):
    """A user of the viewer on two boxes."""
    return open_viewer(two_boxes())


@pytest.fixture
def writing():
    """A frame of Dear ImGui, in which texts can be measured."""
    gui = Gui(Display((640, 480), 1.0, Settings()), lambda: "", lambda _: None)
    imgui.get_io().display_size = imgui.ImVec2(640, 480)
    imgui.get_io().delta_time = 0.1
    imgui.new_frame()
    yield
    imgui.end_frame()
    gui.close()


@pytest.mark.parametrize(
    "number, room, begins, ends",
    [
        ("1.2345678901234567e-17", 200, "1.2345678901234567", "e−17"),
        ("1.2345678901234567e-17", 75, "≈1.23", "e−17"),
        ("-1.2345678901234566e+17", 75, "≈−1.2", "e17"),
        ("123456789012.12345679", 60, "≈1.23", "e11"),
        ("0.30000000000000004", 60, "≈0.3", "0.3"),
        ("0x1.999999999999ap-1000", 90, "0x1.9", "p−1000"),
    ],
)
def test_a_number_is_never_cut_so_that_its_magnitude_is_lost(writing, number, room, begins, ends):
    said = text.number_to_fit(number, room)
    assert said.startswith(begins) and said.endswith(ends) and text.width(said) <= room


def test_where_there_is_no_room_at_all_a_number_still_has_its_magnitude(writing):
    assert text.number_to_fit("1.2345678901234567e-17", 5) == "≈1e−17"


def test_names_that_differ_at_their_ends_differ_when_they_are_cut(writing):
    names = [f"a_very_long_identifier_that_somebody_generated_{i}" for i in range(3)]
    cut = [text.cut_middle(name, 120) for name in names]
    assert len(set(cut)) == 3
    assert all(text.width(name) <= 120 and name.startswith("a_very") and "…" in name for name in cut)
    assert text.cut_middle("short", 120) == "short"


@pytest.mark.parametrize(
    "typed, value",
    [
        ("1/3", 1 / 3),
        ("0.1 + 0.2", 0.3),
        ("2*(1 - .25)/-3", -0.5),
        ("1e-300 * 1e-300 * 1e600", 1.0),
        ("−1−1", -2.0),
        ("0x1.8p+1", 3.0),
    ],
)
def test_what_is_calculated_is_rounded_once(typed, value):
    assert fields.parse_number(typed) == value


@pytest.mark.parametrize("typed", ["1/0", "1/(2-2)", "9e307*9e307", "2**3", "1e9999999+1", "(1", "1)", "+", "1 2"])
def test_what_cannot_be_calculated_is_refused(typed):
    with pytest.raises(HitscopeError, match="expected"):
        fields.parse_number(typed)


def test_an_empty_field_is_refused_as_nothing():
    with pytest.raises(HitscopeError, match=r"found nothing$"):
        fields.parse_number("  ")


@pytest.mark.parametrize("pasted", ["1, -2, 3e-1", "[1,-2,0.3]", "(1; -2; .3;)", "1 -2 0.3"])
def test_a_vector_is_pasted_over_a_row(user, pasted):
    user.click_on("primitive left")
    user.enter(LEFT.format("center", 1), pasted)
    assert user.state.session.scene.primitives[0].center == (1.0, -2.0, 0.3)
    assert user.state.session.document.undo_name == "set center of left"


@pytest.mark.replayed
def test_a_row_is_pasted_from_a_table(user):
    user.click_on("primitive left")
    user.click_on(LEFT.format("center", 1))
    user.take(Clipboard, "1\t-2\t0.3\n")
    user.keys("Ctrl+V", "Enter")
    assert user.state.session.scene.primitives[0].center == (1.0, -2.0, 0.3)


def test_a_calculation_with_spaces_is_no_vector(user):
    user.click_on("primitive left")
    user.enter(LEFT.format("center", 1), "1 + 2")
    assert user.state.session.scene.primitives[0].center == (-2.0, 3.0, 0.0)


def test_the_hex_form_has_no_trailing_zeros():
    values = (7.25, 0.0, -1.0, 0.1, 5e-324, 1024.0)
    assert [numerals.in_hex(value) for value in values[:3]] == ["0x1.dp+2", "0x0p+0", "-0x1p+0"]
    assert all(float.fromhex(numerals.in_hex(value)) == value for value in values)


@pytest.mark.replayed
def test_a_box_is_moved_by_typing_its_min_and_then_its_max(user):
    before = two_boxes().primitives[1]
    user.click_on("primitive right")
    user.enter(RIGHT.format("min", 0), "9")
    assert user.refusal[1] == "min x 9 would be above max x 3"
    assert user.state.session.scene.primitives[1] == before and not user.state.session.document.changed
    user.enter(RIGHT.format("max", 0), "11")
    assert user.refusal is None
    assert user.state.session.scene.primitives[1].min == (9.0, 2.0, -1.0)
    assert user.state.session.scene.primitives[1].max == (11.0, 4.0, 1.0)
    assert user.state.session.document.undo_name == "set min and max of right"
    user.keys("Ctrl+Z")
    assert user.state.session.scene.primitives[1] == before


def test_what_was_refused_waits_while_other_numbers_are_typed(user):
    user.click_on("primitive right")
    user.enter(RIGHT.format("min", 0), "9")
    user.enter(RIGHT.format("max", 1), "5")
    assert user.state.session.scene.primitives[1].max == (3.0, 5.0, 1.0)
    user.enter(RIGHT.format("max", 0), "8")
    assert user.refusal[1] == "min x 9 would be above max x 8"
    user.enter(RIGHT.format("max", 0), "10")
    assert (user.state.session.scene.primitives[1].min[0], user.state.session.scene.primitives[1].max[0]) == (
        9.0,
        10.0,
    )


@pytest.mark.replayed
def test_escape_gives_up_what_was_refused(user):
    user.click_on("primitive right")
    user.enter(RIGHT.format("min", 0), "9")
    user.click_on(RIGHT.format("min", 0))
    user.keys("Escape")
    assert user.refusal is None
    user.enter(RIGHT.format("max", 0), "11")
    assert user.state.session.scene.primitives[1].min == (1.0, 2.0, -1.0)


@pytest.mark.replayed
def test_what_was_refused_is_forgotten_with_the_item(user):
    user.click_on("primitive right")
    user.enter(RIGHT.format("min", 0), "9")
    user.click_on("primitive left")
    user.click_on("primitive right")
    assert user.refusal is None
    user.enter(RIGHT.format("max", 0), "11")
    assert user.state.session.scene.primitives[1].min == (1.0, 2.0, -1.0)


def test_a_row_that_is_clicked_again_stays_selected(user):
    user.click_on("primitive left")
    user.click_on("primitive left")
    assert user.state.selection.targets == (Target("primitive", "left"),)
    user.click_on("primitive left", modifiers=("Ctrl",))
    assert user.state.selection.targets == ()


@pytest.mark.replayed
def test_a_part_of_a_panel_closes_and_opens(user):
    user.click_on("part Primitives")
    assert user.state.display.closed_parts == {"Numbers", "Primitives"}
    assert user.sees("probe cut") and not user.sees("primitive left")
    user.click_on("part Probes")
    assert not user.sees("probe cut") and user.state.display.closed_parts == {"Numbers", "Primitives", "Probes"}
    user.click_on("part Probes")
    assert user.sees("probe cut")


def test_a_part_that_is_closed_is_remembered(user, tmp_path):
    file = SettingsFile(tmp_path / "settings.json")
    around = DesktopHost(file, lambda *_: np.zeros((1, 1, 3), np.uint8))
    user.click_on("part Primitives")
    list(around.poll(user.state, 0))
    around.close()
    assert SettingsFile(file.path).settings.closed_parts == ("Numbers", "Primitives")


@pytest.mark.replayed
def test_a_part_that_was_closed_stays_closed(open_viewer):
    user = open_viewer(two_boxes(), settings=Settings(first_start_seen=True, closed_parts=("Primitives",)))
    assert user.sees("probe cut") and not user.sees("primitive left")


def test_the_changes_of_accept_all_are_listed_before_in_two_lines_each(open_viewer):
    boxes = tuple(
        AabbPrimitive(id=f"b{i}", min=(2.0 * i, 0.0, 0.0), max=(2.0 * i + 1, 1.0, 1.0)) for i in range(8)
    )
    expect = tuple(Expectation(probe="cut", primitive=f"b{i}", hit=i > 3) for i in range(8))
    probes = (SegmentProbe(id="cut", start=(-1.0, 0.5, 0.5), end=(7.5, 0.5, 0.5)),)
    user = open_viewer(two_boxes(primitives=boxes, probes=probes, expect=expect))
    user.click_on("Accept all")
    assert user.sees("Accept 8") and user.sees("Cancel")
    height = user.state.display.layout.panel.height
    rows = [user.middle_of(f"change {k}")[1] for k in range(8)]
    assert user.middle_of("Accept 8")[1] < rows[0] and rows == sorted(rows) and rows[-1] < height
    assert max(b - a for a, b in pairwise(rows)) < 45
    user.click_on("Accept 8")
    assert not user.state.session.report.mismatches


def test_a_change_is_described_by_what_was_and_what_will_be():
    old = Expectation(probe="cut", primitive="right", hit=True, t_enter=0.5)
    new = Expectation(probe="cut", primitive="right", hit=False, t_enter=None)
    assert expectation_words.change(old, new) == "hit → miss, t enter 0.5 → none"


def test_a_mismatch_is_described_with_short_names_and_without_null():
    name = "a_very_long_identifier_that_somebody_generated_{}"
    box = AabbPrimitive(id=name.format(1), min=(5.0,) * 3, max=(6.0,) * 3)
    probe = SegmentProbe(id=name.format(2), start=(0.0,) * 3, end=(1.0, 0.0, 0.0))
    expect = (Expectation(probe=probe.id, primitive=box.id, hit=False, t_enter=0.5),)
    (mismatch,) = evaluate(two_boxes(primitives=(box,), probes=(probe,), expect=expect)).mismatches
    assert (
        expectation_words.mismatch(mismatch)
        == "expected t enter 0.5 of a_very_long_…_generated_2 on a_very_long_…_generated_1, found none"
    )


@pytest.mark.parametrize(
    "probe, t, length",
    [
        (Segment((-BIG, 0.0, 0.0), (BIG, 0.0, 0.0)), 0.5, BIG),
        (Segment((-BIG, 0.0, 0.0), (BIG, 0.0, 0.0)), 1.0, float("inf")),
        (Ray((0.0, 0.0, 0.0), (3e-200, 4e-200, 0.0)), 2.0, 1e-199),
        (Line((0.0, 0.0, 0.0), (0.0, 5e-324, 0.0)), -3.0, -1.5e-323),
        (Line((0.0, 0.0, 0.0), (0.0, 2.0, 0.0)), float("-inf"), float("-inf")),
    ],
)
def test_a_length_that_float64_can_hold_is_shown(probe, t, length):
    assert length_at(intersect(probe, Aabb((0.0,) * 3, (1.0,) * 3)), t) == length


@pytest.mark.parametrize("width, panel", [(1280, 220), (640, 220), (400, 220), (300, 165)])
def test_a_panel_is_never_too_narrow_for_its_words(width, panel):
    layout = Display((width, 600), 1.0, Settings(panel_widths={"outliner": 10.0, "panel": 10.0})).layout
    assert layout.panel.width == panel
    assert layout.outliner.width in (0, 220)


@pytest.mark.replayed
def test_what_a_drag_selects_is_shown_in_full_before_the_mouse_moves_again(user, widgets):
    start, key = user.pixel((-6.0, 0.25, 0.0)), "field probe cut $.end[0]"
    user.press(start)
    user.move((start[0] + 40, start[1] + 4))
    assert user.state.selection.last == Target("probe", "cut")
    shown = widgets.rectangles
    user.take(Refresh)
    assert user.sees(key) and shown == widgets.rectangles
    user.release()


def test_fields_are_labelled_in_plain_american_words(monkeypatch, open_items):
    drawn = []
    paragraph = text.paragraph
    monkeypatch.setattr(text, "paragraph", lambda words, *given: drawn.append(words) or paragraph(words, *given))
    user = open_items(
        AabbPrimitive(id="box", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0)),
        ObbPrimitive(
            id="obb", center=(5.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0), euler_xyz_deg=(0.0, 9.0, 0.0)
        ),
    )
    for name in ("box", "obb"):
        user.click_on(f"primitive {name}")
    assert {"Center", "Half extents", "Euler angles (deg)"} <= set(drawn)
    assert not any("_" in words or "entre" in words for words in drawn)
    assert user.sees("box quaternion") and not user.sees("box centre")


def test_edits_are_named_in_plain_words(open_items):
    user = open_items(AabbPrimitive(id="box", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0)))
    user.click_on("primitive box")
    user.enter("field primitive box $.half_extents[1]", "2")
    assert user.state.session.document.undo_name == "set half extents y of box"
    user.click_on("box corners")
    assert user.state.session.document.undo_name == "store box by min and max"


def test_every_form_of_an_item_has_a_meaning_and_a_name_as_an_edit():
    known = {form for forms in fields.FIELD_FORMS.values() for form in forms.names}
    assert known == set(inspector.FORMS) == set(inspector_edits.FORM_WORDS)
