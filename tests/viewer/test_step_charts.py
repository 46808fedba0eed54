"""The chart of a pair in the window: what the mouse is over in it is lit in the scene, and the other way round."""

import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui

from hitscope.draw.items import Cue, Role
from hitscope.explain import explain
from hitscope.geometry.registry import choose, pair_of
from hitscope.scene import Scene
from hitscope.scene.model import (
    AabbPrimitive,
    FileCamera,
    FileView,
    SegmentProbe,
    TrianglePrimitive,
    TriangleProbe,
)
from hitscope.viewer.interface import user_interface
from hitscope.viewer.panels import step_charts
from hitscope.viewer.panels.style import pixels

BOX = AabbPrimitive(id="box", min=(-1.0, -1.0, -1.0), max=(1.0, 1.0, 1.0))
BEAM = SegmentProbe(id="beam", start=(-4.0, 0.2, 0.1), end=(4.0, 0.4, 0.3))
KITE = TriangleProbe(id="kite", vertices=((3.0, 0.0, 0.0), (0.0, 3.0, 0.5), (3.0, 3.0, 2.0)))
PLATE = TrianglePrimitive(id="plate", vertices=((0.0, -1.0, -1.0), (0.0, 1.0, -1.0), (0.0, 0.0, 1.0)))
BESIDE = FileView(camera=FileCamera(eye=(3.0, 6.0, 10.0), target=(-4.0, 0.0, 0.0)))
"""A view in which the scene is at the right of the window with the chart."""


class Card:
    """A window with the chart of the first pair of a scene, in the place of the lesson's."""

    def __init__(self, patch):
        self.method, self.index, self.explanation, self.rows = "exact", 0, None, {}
        self.corner, self.drawing, self.is_shown = None, None, True
        patch.setattr(user_interface.lesson_card, "show", self.show)
        draw = step_charts._drawing

        def noted(*arguments):
            self.drawing = draw(*arguments)
            return self.drawing

        patch.setattr(step_charts, "_drawing", noted)

    def show(self, state, fonts):
        report = state.session.report
        if not len(report.probes) or not self.is_shown:
            return
        probe, primitive = report.probes[0].shape, report.elements[0].shape
        if self.explanation is None or self.explanation.given != (probe, primitive):
            self.explanation = explain(choose(pair_of(probe, primitive), self.method), probe, primitive)
        left, top, *_ = state.display.layout.picture
        imgui.set_next_window_pos(ImVec2(left, top))
        imgui.set_next_window_size(ImVec2(pixels(380), pixels(560)))
        imgui.begin("charts", None, imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_move)
        self.corner = imgui.get_cursor_screen_pos()
        step_charts.show(state, fonts, self.explanation, self.index, pixels(350))
        self.height = imgui.get_cursor_screen_pos().y - self.corner.y
        imgui.end()

    def pixel(self, row):
        """The middle of a row."""
        zone = next(zone for zone in self.drawing.zones if zone.row == row)
        em = pixels(step_charts.EM)
        return self.corner.x + 5 * em, self.corner.y + (zone.top + zone.bottom) / 2 * em


@pytest.fixture
def card(monkeypatch):
    """The window with a chart."""
    return Card(monkeypatch)


@pytest.fixture
def open_pair(open_viewer, card):
    """A function that opens a viewer on a pair with the chart of a method at a step."""

    def open_pair(probe, primitive, method, index=0):
        card.method, card.index = method, index
        user = open_viewer(Scene(version=1, probes=(probe,), primitives=(primitive,), view=BESIDE))
        user.leave()
        user.wait()
        return user

    return open_pair


def test_pointing_at_a_bar_lights_its_two_faces_and_the_points_on_the_probe(open_pair, card):
    user = open_pair(BEAM, BOX, "slab_ericson")
    assert user.state.selection.chart is None
    without = user.interface.draw_list
    user.move(card.pixel(1))
    assert user.state.selection.chart.row == 1
    drawn = user.interface.draw_list
    faces = len(without.boxes.origins)
    assert len(drawn.boxes.origins) == faces + 2
    corners = [
        {tuple(origin + s * a + t * b) for s in (0, 1) for t in (0, 1)}
        for origin, (a, b, none) in zip(drawn.boxes.origins[faces:], drawn.boxes.edges[faces:], strict=True)
        if not none.any()
    ]
    for level, found in zip((-1.0, 1.0), corners, strict=True):
        assert found == {(x, level, z) for x in (-1.0, 1.0) for z in (-1.0, 1.0)}
    assert list(drawn.boxes.roles[faces:]) == [Role.ENTRY, Role.EXIT]
    assert (drawn.boxes.cues[faces:] == Cue.HOVERED).all()
    row = user.state.selection.chart.chart.rows[1]
    assert np.array_equal(drawn.markers.positions[:2], np.array(row.points))
    # The points lie beyond the segment: thin lines lead to them from its ends.
    assert len(drawn.hierarchy.starts) == 2
    assert np.allclose(drawn.hierarchy.starts, [BEAM.start, BEAM.end])
    user.leave()
    assert user.state.selection.chart is None
    assert len(user.interface.draw_list.boxes.origins) == faces


@pytest.mark.parametrize(("face", "row"), [((1.0, 0.6, -0.6), 0), ((0.6, 1.0, -0.6), 1), ((0.6, -0.6, 1.0), 2)])
def test_pointing_at_a_face_in_the_scene_lights_its_bar(open_pair, face, row):
    user = open_pair(BEAM, BOX, "slab_ericson")
    (x, y, _), *_ = user.state.display.view.project(face)
    user.move((x, y))
    assert user.state.selection.hovered.id == "box"
    assert user.state.selection.chart.row == row
    user.move((x, 60.0))
    assert user.state.selection.chart is None


def test_the_separating_axis_is_lit_with_both_shadows(open_pair, card):
    user = open_pair(KITE, BOX, "sat13")
    focus = user.state.selection.chart
    row = focus.chart.rows[focus.row]
    assert row.separates
    assert focus.row == focus.chart.marked
    strokes = user.interface.draw_list.strokes
    unit = np.array(row.unit)
    shadows = {Role(role): (start @ unit, end @ unit) for role, start, end in _last(strokes, 3)}
    assert shadows[Role.PROBE] == pytest.approx(row.probe_shadow)
    assert shadows[Role.NEUTRAL] == pytest.approx(row.primitive_shadow)
    assert shadows[Role.MISS] == pytest.approx((row.primitive_shadow[1], row.probe_shadow[0]))


def _last(strokes, count):
    return zip(strokes.roles[-count:], strokes.starts[-count:], strokes.ends[-count:], strict=True)


def test_pointing_at_another_axis_lights_that_one_and_the_step_its_own(open_pair, card):
    user = open_pair(KITE, BOX, "sat13")
    user.move(card.pixel(2))
    assert user.state.selection.chart.row == 2
    user.leave()
    card.index = next(
        k
        for k, step in enumerate(card.explanation.trace.steps)
        if step.iterations and step.iterations[0].number == 2
    )
    user.move((5.0, 5.0))
    assert user.state.selection.chart.row == 1


def test_clicking_an_axis_looks_along_it(open_pair, card):
    user = open_pair(KITE, BOX, "sat13")
    row = user.state.selection.chart.chart.rows[4]
    user.click(card.pixel(4))
    user.wait()
    camera = user.state.display.viewpoint.camera
    towards = np.array(camera.eye) - np.array(camera.target)
    assert towards / np.linalg.norm(towards) == pytest.approx(np.array(row.unit), abs=1e-9)


def test_a_plane_has_a_chart_without_rows(open_pair, card):
    user = open_pair(BEAM, PLATE, "angle_sum")
    assert user.state.selection.chart is None
    assert card.drawing.zones == ()
    assert card.height > 100


def test_a_pair_without_a_chart_takes_no_space(open_pair, card, monkeypatch):
    monkeypatch.setattr(step_charts, "_chart", lambda _: None)
    open_pair(BEAM, BOX, "slab_ericson")
    assert card.height == 0


def test_another_document_has_no_lit_row(open_pair, card):
    user = open_pair(KITE, BOX, "sat13")
    assert user.state.selection.chart is not None
    card.is_shown = False
    user.state.selection.clear()
    assert user.state.selection.chart is None


def test_a_chart_is_computed_and_drawn_once_for_many_frames(open_pair, card, monkeypatch):
    user = open_pair(KITE, BOX, "sat13")
    user.move(card.pixel(2))
    calls = []
    monkeypatch.setattr(step_charts, "chart_of", calls.append)
    monkeypatch.setattr(step_charts, "draw", lambda *given: calls.append(given))
    for row in (2, 3, 4, 2):
        user.move(card.pixel(row))
    assert calls == []
