"""The labels in the picture: which come first, where they are put, and that they cover nothing."""

import numpy as np
import pytest
from imgui_bundle import imgui

from hitscope.draw.items import Role
from hitscope.draw.target import Target
from hitscope.render.palette import THEMES
from hitscope.scene.bulk import RaysProbe
from hitscope.scene.items import AabbPrimitive, SegmentProbe, TrianglePrimitive
from hitscope.viewer.interface.user_interface import draw_list
from hitscope.viewer.panels import labels, style
from hitscope.viewer.panels.legend import ENTRIES
from hitscope.viewer.state.inputs import Refresh

pytestmark = pytest.mark.without_panels

LEFT = AabbPrimitive(id="left", min=(-3.0, -1.0, -1.0), max=(-1.0, 1.0, 1.0))
RIGHT = AabbPrimitive(id="right", min=(1.0, -1.0, -1.0), max=(3.0, 1.0, 1.0))
CUT = SegmentProbe(id="cut", start=(-2.0, 0.0, 0.0), end=(0.0, 0.5, 0.0))
SLIVER = TrianglePrimitive(id="sliver", vertices=((0.0, 2.0, 0.0), (0.5, 2.5, 0.0), (1.0, 3.0, 0.0)))


@pytest.fixture
def written(monkeypatch):
    """The labels with their rectangles, in the order in which they are placed."""
    found = {}
    label = labels._label

    def noted(state, taken, x, y, said):
        before = len(taken._rects)
        done = label(state, taken, x, y, said)
        if len(taken._rects) > before:
            found[said] = taken._rects[-1]
        return done

    monkeypatch.setattr(labels, "_label", noted)
    return found


def show(user, written):
    written.clear()
    user.take(Refresh)
    return written


def meet(one, other):
    return (one[:2] < other[2:]).all() and (other[:2] < one[2:]).all()


def test_the_distance_of_the_pair_comes_before_all_else(open_items, written):
    user = open_items(LEFT, RIGHT, probes=(CUT,))
    user.state.selection.select(Target("primitive", "right"))
    user.keys("I")
    said = list(show(user, written))
    assert said[0] == "distance 1"
    assert {"cut", "left", "right"} <= set(said)


def test_every_name_is_placed_where_there_is_room_on_any_side(open_items, written):
    names = [f"box {i}" for i in range(6)]
    same = [AabbPrimitive(id=name, min=LEFT.min, max=LEFT.max) for name in names]
    user = open_items(*same, probes=())
    user.keys("I")
    assert set(names) <= set(show(user, written))
    rects = list(written.values())
    assert not any(meet(a, b) for i, a in enumerate(rects) for b in rects[:i])


def test_nothing_is_written_over_a_handle_a_point_or_a_sign(open_items, written):
    user = open_items(LEFT, SLIVER, probes=(CUT,))
    user.state.selection.select(Target("primitive", "left"))
    user.keys("I")
    show(user, written)
    markers = draw_list(user.state).markers
    assert len(written) > 3 and len(markers.positions) > 8
    marks = [np.array(user.pixel(point)) for point in markers.positions]
    sign = np.array(user.pixel((0.5, 2.5, 0.0))) - np.array((0, labels.SIGN_ABOVE))
    for rect in written.values():
        assert not any(meet(rect, np.concatenate([mark - 4, mark + 4])) for mark in [*marks, sign])


def test_the_label_of_a_hit_from_within_says_inside_and_of_one_from_without_its_t(open_items, written):
    through = SegmentProbe(id="through", start=(-5.0, 0.0, 0.0), end=(-1.0, 0.0, 0.0))
    on_face = SegmentProbe(id="on_face", start=(-3.0, 0.5, 0.5), end=(-2.0, 0.5, 0.5))
    user = open_items(LEFT, probes=(CUT, through, on_face))
    for name, said in (("cut", "inside"), ("through", "t 0.5"), ("on_face", "t 0")):
        user.state.selection.select(Target("probe", name))
        assert list(show(user, written)) == [said]


def test_a_name_is_written_once_though_it_is_selected_and_pointed_at(open_items, written):
    user = open_items(LEFT, probes=(CUT,))
    user.state.selection.select(Target("primitive", "left"))
    user.state.selection.hovered = Target("primitive", "left")
    user.keys("I")
    names = [said for said, _ in labels.labels_with_points(user.state.session, user.state.selection)]
    assert sorted(names) == ["cut", "left"]


def test_a_long_name_is_cut(open_items, written):
    long = AabbPrimitive(id="a_very_long_name_" * 20, min=LEFT.min, max=LEFT.max)
    user = open_items(long, probes=())
    user.keys("I")
    (rect,) = show(user, written).values()
    assert rect[2] - rect[0] < 200


def test_a_probe_of_a_small_bundle_is_selected_by_a_click_and_its_item_by_a_frame_around_it(open_items):
    rays = RaysProbe(id="rays", origin=[[-6.0, 3.0, 0.0], [-6.0, -3.0, 0.0]], direction=[[1.0, 0.0, 0.0]] * 2)
    user = open_items(LEFT, probes=(rays,))
    user.click(user.pixel((0.5, 3.0, 0.0)))
    assert user.state.selection.targets == (Target("probe", "rays[0]"),)
    assert user.state.session.exists(user.state.selection.last)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_words_of_the_panels_have_enough_contrast(theme):
    before, mine = imgui.get_current_context(), imgui.create_context()
    imgui.set_current_context(mine)
    try:
        style.apply(1.0, theme)

        def luminance(colour):
            parts = np.array((colour.x, colour.y, colour.z))
            linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
            return float(linear @ (0.2126, 0.7152, 0.0722))

        def contrast(one, other):
            low, high = sorted((luminance(one), luminance(other)))
            return (high + 0.05) / (low + 0.05)

        for words in (style.TEXT, style.QUIET, style.FAINT):
            assert min(contrast(words, ground) for ground in (style.PANEL, style.RAISED, style.FIELD)) > 4.5
        roles = (style.role(role) for role in (Role.HIT, Role.MISS, Role.NEUTRAL))
        for words in (style.ACCENT, style.WARNING, *roles):
            assert min(contrast(words, ground) for ground in (style.PANEL, style.RAISED)) > 4.5
    finally:
        imgui.destroy_context(mine)
        if before is not None:
            imgui.set_current_context(before)


def test_the_legend_explains_every_second_cue():
    names = {entry.name for entry in ENTRIES}
    assert {"Hit", "Miss", "Inside", "Touching", "Coplanar", "Degenerate", "Within"} <= names
