"""The values of a step in the draw list: what the step sets or reads stands out, and the rest is quiet."""

import numpy as np
import pytest

from hitscope.draw.items import Cue, Ending, Role
from hitscope.draw.step_marks import step_marks
from hitscope.evaluate import evaluate
from hitscope.explain import explain
from hitscope.explain.value_pictures import ValuePicture, value_pictures
from hitscope.geometry.registry import choose
from hitscope.geometry.shapes import Aabb, Segment, Triangle
from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from tests.draw.draw_lists import build

BOX = Aabb((0.0, 0.0, 0.0), (2.0, 2.0, 2.0))
PROBE = Segment((-2.0, 1.0, 1.0), (6.0, 1.0, 1.0))
SQUARE = (0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (0.0, 2.0, 0.0)


def marks_at(source):
    """The marks after the first step of a slab test whose source begins so."""
    run = explain(choose("segment_aabb", "slab_ericson"), PROBE, BOX)
    k = next(k for k, step in enumerate(run.trace.steps) if step.source.strip().startswith(source))
    return step_marks(value_pictures(run, k), run.hit)


def is_loud(marks):
    return (marks.lines.cues & Cue.HOVERED) != 0


def test_what_a_step_sets_is_drawn_last_and_stands_out():
    marks = marks_at("t2 =")
    loud = is_loud(marks)
    assert marks.lines.roles[loud].tolist() == [*[Role.INTERVAL] * 8, Role.ENTRY]
    assert marks.lines.roles[~loud].tolist() == [Role.INTERVAL]
    assert marks.lines.starts[~loud].tolist() == [list(PROBE.start)]
    assert loud.tolist() == sorted(loud)
    faint = marks.markers.faint
    assert faint.tolist() == [True, True, False, False]
    assert marks.markers.positions[~faint].tolist() == [[0.0, 1.0, 1.0], [2.0, 1.0, 1.0]]


def test_a_bar_on_the_same_line_is_narrower_than_the_one_that_it_is_on():
    marks = marks_at("t_min = max")
    wide = marks.lines.inside
    assert wide[marks.lines.roles == Role.INTERVAL].all() and not wide[marks.lines.roles == Role.ENTRY].any()
    assert marks.lines.roles.tolist()[-2:] == [Role.INTERVAL, Role.ENTRY]


def test_the_labels_of_an_interval_are_at_its_ends():
    labels = [label for label in marks_at("t2 =").labels if label.name in ("t1", "t2", "t_min")]
    assert [(label.name, label.text, label.stands_out) for label in labels] == [
        ("t1", "0.25", True),
        ("t2", "0.5", True),
        ("t_min", "0", False),
    ]
    assert [label.point.tolist() for label in labels[:2]] == [[0.0, 1.0, 1.0], [2.0, 1.0, 1.0]]


def test_faces_are_labelled_and_outlined_only_where_they_stand_out():
    faces = [label.text for label in marks_at("t2 =").labels if label.name == "axis"]
    assert sorted(faces) == ["0: face +x", "0: face -x"]
    quiet = marks_at("if t1 > t2")
    assert not [label for label in quiet.labels if label.name == "axis"]
    assert set(quiet.facets.roles.tolist()) == {Role.REFERENCE}
    assert quiet.facets.vertices.shape == (8, 3, 3)


@pytest.mark.parametrize(("hit", "role"), [(True, Role.HIT), (False, Role.MISS)])
def test_shadows_have_the_colours_of_their_shapes(hit, role):
    far = 0.0 if hit else 9.0
    triangle = Triangle((far, 0.5, 0.5), (far + 1, 0.5, 1.0), (far, 1.5, 0.75))
    run = explain(choose("triangle_aabb", "sat13"), triangle, BOX)
    assert run.hit == hit
    pictures = [
        ValuePicture("lowest, highest", "interval", SQUARE[:2], "", False, whose="probe"),
        ValuePicture("radius", "interval", SQUARE[:2], "", False, whose="primitive"),
    ]
    lines = step_marks(pictures, hit).lines
    assert lines.roles.tolist() == [role, Role.PROBE] and lines.inside.tolist() == [True, False]


def test_the_side_of_a_point_has_a_colour_and_words():
    def marks(side, words):
        return step_marks([ValuePicture("d", "side", SQUARE[:1], words, True, side=side)], True)

    roles = [marks(side, "").markers.roles.tolist() for side in (1, 0, -1)]
    assert roles == [[Role.ENTRY], [Role.INTERVAL], [Role.EXIT]]
    assert marks(-1, "-0.5 (behind)").labels[0].text == "-0.5 (behind)"


def test_an_arrow_ends_at_its_tip():
    marks = step_marks([ValuePicture("n", "arrow", SQUARE[:2], "", True, meaning="direction")], True)
    assert marks.lines.endings.tolist() == [Ending.ARROW_END] and marks.lines.roles.tolist() == [Role.NORMAL]
    assert marks.labels[0].point.tolist() == [2.0, 0.0, 0.0] and not len(marks.markers.roles)


def test_an_outline_is_its_strokes_quiet_and_without_dots():
    marks = step_marks([ValuePicture("radius", "outline", SQUARE, "1", True, meaning="sum")], True)
    assert np.array_equal(marks.lines.starts, SQUARE[::2]) and np.array_equal(marks.lines.ends, SQUARE[1::2])
    assert set(marks.lines.cues) == {Cue.NONE} and not len(marks.markers.roles)


def test_a_patch_is_a_sheet_without_an_inner_edge_or_a_shadow():
    facets = step_marks([ValuePicture("p", "patch", SQUARE, "", True, meaning="plane equation")], True).facets
    assert np.allclose(facets.vertices[:, 0], (1, 1, 0)) and np.allclose(np.abs(facets.normals), (0, 0, 1))
    assert not facets.solid.any() and np.isfinite(facets.reaches).all()


def test_marks_are_added_to_a_draw_list_and_change_nothing_in_it():
    scene = Scene(
        version=1,
        primitives=(AabbPrimitive(id="box", min=BOX.lo, max=BOX.hi),),
        probes=(SegmentProbe(id="beam", start=PROBE.start, end=PROBE.end),),
    )
    drawn = build(evaluate(scene))
    marks = marks_at("t2 =")
    both = marks.on(drawn)
    n = len(drawn.markers.roles)
    assert both.strokes is drawn.strokes and both.single.boxes is drawn.single.boxes and both.values is marks.lines
    assert np.array_equal(both.markers.positions[:n], drawn.markers.positions)
    assert len(both.markers.positions) == n + len(marks.markers.positions)
    assert len(drawn.values.roles) == 0
    none = step_marks([], True).on(drawn)
    assert len(none.markers.roles) == n and len(none.facets.roles) == len(drawn.facets.roles)
