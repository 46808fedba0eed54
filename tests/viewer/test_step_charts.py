"""The chart of a pair in the window: what the mouse is over in it is lit in the scene, and the other way round."""

import numpy as np
import pytest

from hitscope.draw.items import Cue, Role
from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, SegmentProbe, TrianglePrimitive, TriangleProbe
from hitscope.scene.model import FileCamera, FileView
from hitscope.viewer.panels import step_charts
from hitscope.viewer.panels.style import pixels

BOX = AabbPrimitive(id="box", min=(-1.0, -1.0, -1.0), max=(1.0, 1.0, 1.0))
BEAM = SegmentProbe(id="beam", start=(-4.0, 0.2, 0.1), end=(4.0, 0.4, 0.3))
KITE = TriangleProbe(id="kite", vertices=((3.0, 0.0, 0.0), (0.0, 3.0, 0.5), (3.0, 3.0, 2.0)))
PLATE = TrianglePrimitive(id="plate", vertices=((0.0, -1.0, -1.0), (0.0, 1.0, -1.0), (0.0, 0.0, 1.0)))
BESIDE = FileView(camera=FileCamera(eye=(3.0, 6.0, 10.0), target=(-4.0, 0.0, 0.0)))
"""A view in which the scene is at the right of the window with the chart."""


class Card:
    """Where the chart of the panel below the picture was drawn last."""

    def __init__(self, patch):
        self.corner = self.drawing = self.user = None
        paint = step_charts._paint

        def noted(drawing, corner, em):
            self.drawing, self.corner = drawing, corner
            paint(drawing, corner, em)

        patch.setattr(step_charts, "_paint", noted)

    @property
    def stepping(self):
        """What is stepped through."""
        return self.user.state.display.stepping

    def pixel(self, row):
        """The middle of a row."""
        zone = next(zone for zone in self.drawing.zones if zone.row == row)
        em = pixels(step_charts.EM)
        return self.corner.x + 5 * em, self.corner.y + (zone.top + zone.bottom) / 2 * em


@pytest.fixture
def card(monkeypatch):
    """Where the chart is."""
    return Card(monkeypatch)


@pytest.fixture
def open_pair(open_viewer, card):
    """A function that opens a viewer on a pair, and steps into the method by which it is tested."""

    def open_pair(probe, primitive, method):
        kinds = f"{type(probe).__name__}_{type(primitive).__name__}".replace("Probe", "").replace("Primitive", "")
        methods = {kinds.lower(): method}
        scene = Scene(version=1, probes=(probe,), primitives=(primitive,), view=BESIDE, methods=methods)
        card.user = user = open_viewer(scene)
        user.click_on(f"probe {probe.id}")
        user.click_on(f"primitive {primitive.id}", modifiers=("Ctrl",))
        user.keys("D", ".")
        user.move((5.0, 5.0))
        return user

    return open_pair


def test_pointing_at_a_bar_lights_its_two_faces_and_the_points_on_the_probe(open_pair, card):
    user = open_pair(BEAM, BOX, "slab_ericson")
    assert user.state.selection.chart is None
    without = user.interface.draw_list
    user.move(card.pixel(1))
    assert user.state.selection.chart.row == 1
    drawn = user.interface.draw_list
    faces = len(without.single.boxes.origins)
    assert len(drawn.single.boxes.origins) == faces + 2
    corners = [
        {tuple(origin + s * a + t * b) for s in (0, 1) for t in (0, 1)}
        for origin, (a, b, none) in zip(
            drawn.single.boxes.origins[faces:], drawn.single.boxes.edges[faces:], strict=True
        )
        if not none.any()
    ]
    for level, found in zip((-1.0, 1.0), corners, strict=True):
        assert found == {(x, level, z) for x in (-1.0, 1.0) for z in (-1.0, 1.0)}
    assert list(drawn.single.boxes.roles[faces:]) == [Role.ENTRY, Role.EXIT]
    assert (drawn.single.boxes.cues[faces:] == Cue.HOVERED).all()
    row = user.state.selection.chart.chart.rows[1]
    assert np.array_equal(drawn.markers.positions[:2], np.array(row.points))
    # The points lie beyond the segment: thin lines lead to them from its ends.
    assert len(drawn.hierarchy.starts) == 2
    assert np.allclose(drawn.hierarchy.starts, [BEAM.start, BEAM.end])
    user.move((5.0, 5.0))
    assert user.state.selection.chart is None
    assert len(user.interface.draw_list.single.boxes.origins) == faces


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
    user.move((5.0, 5.0))
    user.keys("Shift+.", "Shift+.", ".")
    (passed,) = card.stepping.run.steps[card.stepping.shown_step].iterations
    assert user.state.selection.chart.row == passed.number - 1 == 1


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


def test_nothing_is_lit_once_the_panel_is_closed(open_pair):
    user = open_pair(KITE, BOX, "sat13")
    lit = len(user.interface.draw_list.strokes.starts)
    user.keys("D")
    assert len(user.interface.draw_list.strokes.starts) == lit - 3


def test_a_chart_is_computed_and_drawn_once_for_many_frames(open_pair, card, monkeypatch):
    user = open_pair(KITE, BOX, "sat13")
    user.move(card.pixel(2))
    calls = []
    monkeypatch.setattr(step_charts, "chart_of", calls.append)
    monkeypatch.setattr(step_charts, "draw", lambda *given: calls.append(given))
    for row in (2, 3, 4, 2):
        user.move(card.pixel(row))
    assert calls == []
