"""The draw list of a report: roles, cues, split strokes, marks, and arrays that stay the same."""

from types import SimpleNamespace

import numpy as np
import pytest

from hitscope.draw.build import MARKED_HITS, Builder, build, extent
from hitscope.draw.items import Cue, Ending, Role
from hitscope.draw.target import Target
from hitscope.evaluate.report import Element, Verdict
from hitscope.geometry.shapes import Aabb, Line, Obb, Ray, Segment, Triangle

UNIT_FRAME = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
BOX = Aabb((1.0, -1.0, -1.0), (3.0, 1.0, 1.0))
FAR_BOX = Aabb((1.0, 4.0, -1.0), (3.0, 6.0, 1.0))


class Answers:
    """A report that answers as the test says; every hit is asked for once, `asked` counts."""

    def __init__(self, probes, elements, hits, state="crossing", t_enter=0.25, t_exit=0.75):
        self.scene = SimpleNamespace(primitives=tuple(elements))
        self.probes = tuple(Element(f"p{i}", shape) for i, shape in enumerate(probes))
        self.elements = tuple(Element(f"e{i}", shape) for i, shape in enumerate(elements))
        self.hits = np.array(hits, bool).reshape(len(probes), len(elements))
        self.answer = (state, t_enter, t_exit)
        self.asked = 0

    @property
    def green(self):
        return self.hits.any(axis=0)

    def verdict(self, p, e):
        self.asked += 1
        state, t_enter, t_exit = self.answer
        hit = bool(self.hits[p, e])
        point, normal = ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)) if hit else (None, None)
        return Verdict(f"p{p}", f"e{e}", "exact", hit, state, None, t_enter, t_exit, point, normal, 0.0)


def crossing_segment():
    return Answers([Segment((0.0, 0.0, 0.0), (4.0, 0.0, 0.0))], [BOX, FAR_BOX], [[True, False]])


def test_elements_are_hit_or_miss_in_element_order():
    obb = Obb((0.0, 0.0, 0.0), (1.0, 2.0, 3.0), UNIT_FRAME)
    drawn = build(Answers([Segment((0.0,) * 3, (4.0, 0.0, 0.0))], [obb, BOX], [[False, True]]))
    assert drawn.boxes.roles.tolist() == [Role.MISS, Role.HIT]
    np.testing.assert_array_equal(drawn.boxes.origins, [[-1, -2, -3], [1, -1, -1]])
    np.testing.assert_array_equal(drawn.boxes.edges[0], np.diag([2, 4, 6]))


def test_a_segment_is_cut_where_it_enters_and_leaves():
    strokes = build(crossing_segment()).strokes
    assert strokes.inside.tolist() == [False, True, False]
    np.testing.assert_allclose(strokes.starts[:, 0], [0, 1, 3])
    np.testing.assert_allclose(strokes.ends[:, 0], [1, 3, 4])
    assert (strokes.roles == Role.PROBE).all()


def test_overlapping_boxes_make_one_inside_part():
    boxes = [BOX, Aabb((2.0, -1.0, -1.0), (3.5, 1.0, 1.0))]
    strokes = build(Answers([Segment((0.0,) * 3, (4.0, 0.0, 0.0))], boxes, [[True, True]])).strokes
    assert strokes.inside.tolist() == [False, True, False]
    np.testing.assert_allclose(strokes.ends[:, 0], [1, 3.5, 4])


def test_a_missed_box_does_not_cut():
    strokes = build(Answers([Segment((0.0,) * 3, (4.0, 0.0, 0.0))], [BOX], [[False]])).strokes
    assert strokes.inside.tolist() == [False]


def test_a_ray_reaches_past_the_scene_and_fades_after_its_arrow():
    strokes = build(Answers([Ray((0.0,) * 3, (1.0, 0.0, 0.0))], [BOX, FAR_BOX], [[True, False]])).strokes
    assert strokes.ends[-1, 0] > 3
    assert strokes.endings.tolist() == [Ending.PLAIN, Ending.PLAIN, Ending.ARROW_END, Ending.FADE_END]


def test_a_line_fades_both_ways():
    strokes = build(Answers([Line((0.0,) * 3, (1.0, 0.0, 0.0))], [BOX], [[False]])).strokes
    assert strokes.endings[0] == Ending.FADE_START
    assert strokes.endings[-1] == Ending.FADE_END
    assert strokes.starts[0, 0] < 0 and strokes.ends[-1, 0] > 3


def test_a_hit_has_its_entry_its_exit_and_its_normal():
    drawn = build(crossing_segment())
    assert drawn.markers.roles.tolist() == [Role.ENTRY, Role.EXIT, Role.PROBE, Role.PROBE]
    np.testing.assert_allclose(drawn.markers.positions[:, 0], [1, 3, 0, 4])
    np.testing.assert_array_equal(drawn.arrows.directions, [[-1, 0, 0]])


def test_a_segment_that_ends_inside_has_no_exit():
    drawn = build(Answers([Segment((0.0,) * 3, (2.0, 0.0, 0.0))], [BOX], [[True]], t_exit=1.0))
    assert Role.EXIT not in drawn.markers.roles


@pytest.mark.parametrize("state, cue", [("touching", Cue.TOUCHING), ("inside", Cue.INSIDE), ("apart", Cue.NONE)])
def test_states_are_cues(state, cue):
    report = Answers([Segment((0.0,) * 3, (4.0, 0.0, 0.0))], [BOX], [[True]], state=state)
    assert build(report).boxes.cues.tolist() == [cue]


def test_flat_boxes_and_collinear_triangles_are_degenerate():
    flat = Aabb((0.0, 0.0, 0.0), (1.0, 0.0, 1.0))
    collinear = Triangle((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (2.0, 2.0, 2.0))
    drawn = build(Answers([], [flat, BOX, collinear], []))
    assert drawn.boxes.cues.tolist() == [Cue.DEGENERATE, Cue.NONE]
    assert drawn.triangles.cues.tolist() == [Cue.DEGENERATE]


def test_what_is_hovered_and_selected_is_pointed_out():
    drawn = build(crossing_segment(), Target("primitive", "e1"), Target("probe", "p0"))
    assert drawn.boxes.cues.tolist() == [Cue.NONE, Cue.HOVERED]
    assert (drawn.strokes.cues == Cue.SELECTED).all()
    assert drawn.markers.cues.tolist() == [Cue.NONE, Cue.NONE, Cue.SELECTED, Cue.SELECTED]


def test_a_hovered_handle_is_pointed_out_alone():
    drawn = build(crossing_segment(), Target("probe", "p0", 1))
    assert drawn.markers.cues.tolist() == [Cue.NONE, Cue.NONE, Cue.NONE, Cue.HOVERED]


def test_a_triangle_probe_is_a_triangle_with_outline_and_handles():
    triangle = Triangle((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))
    drawn = build(Answers([triangle], [BOX, triangle], [[True, True]], t_enter=None, t_exit=None))
    assert drawn.triangles.roles.tolist() == [Role.HIT, Role.PROBE]
    np.testing.assert_array_equal(drawn.strokes.starts, triangle)
    assert (drawn.markers.roles == Role.PROBE).sum() == 3


def test_the_nearest_hits_are_marked_when_there_are_many():
    boxes = [Aabb((float(x), -1.0, -1.0), (x + 0.5, 1.0, 1.0)) for x in reversed(range(1000))]
    report = Answers([Segment((-1.0, 0.0, 0.0), (2000.0, 0.0, 0.0))], boxes, [[True] * 1000])
    build(report)
    assert report.asked == MARKED_HITS
    drawn = Builder().build(report, hovered=Target("primitive", "e0"))
    assert (drawn.markers.roles == Role.ENTRY).sum() == MARKED_HITS + 1


def test_unchanged_arrays_stay_the_same_objects():
    builder = Builder()
    report = crossing_segment()
    first = builder.build(report)
    hovered = builder.build(report, Target("probe", "p0"))
    assert hovered.boxes.origins is first.boxes.origins
    assert hovered.strokes.starts is first.strokes.starts
    assert hovered.strokes.cues is not first.strokes.cues
    moved = crossing_segment()
    moved.scene = report.scene
    moved.probes = (Element("p0", Segment((0.0, 0.5, 0.0), (4.0, 0.0, 0.0))),)
    dragged = builder.build(moved)
    assert dragged.boxes.edges is first.boxes.edges
    assert dragged.boxes.roles is first.boxes.roles
    np.testing.assert_array_equal(dragged.anchor, first.anchor)


@pytest.mark.parametrize("size", [1e308, 1e300, 1.0, 1e-300, 5e-324])
def test_no_size_of_scene_overflows(size):
    box = Aabb((-size, -size, -size), (size, size, size))
    probes = [Segment((-size, 0.0, 0.0), (size, 0.0, 0.0)), Ray((size, 0.0, 0.0), (size, size, 0.0))]
    with np.errstate(all="raise", under="ignore"):
        drawn = build(Answers(probes, [box], [[True], [True]]))
    for stroke_ends in (drawn.strokes.starts, drawn.strokes.ends):
        assert np.isfinite(stroke_ends / 2 - drawn.anchor / 2).all()
    assert 0 < drawn.scale < np.inf


def test_an_empty_scene_has_a_stage():
    drawn = build(Answers([], [], []))
    assert drawn.scale == 1
    assert len(drawn.boxes.origins) == 0


def test_the_extent_holds_primitives_and_probes_but_no_far_tip():
    report = Answers([Ray((-5.0, 0.0, 0.0), (1e9, 0.0, 0.0))], [BOX], [[True]])
    lo, hi = extent(report)
    np.testing.assert_array_equal(lo, [-5, -1, -1])
    np.testing.assert_array_equal(hi, [3, 1, 1])


def test_a_scene_without_size_has_scale_one():
    point = Aabb((2.0, 2.0, 2.0), (2.0, 2.0, 2.0))
    assert build(Answers([], [point], [])).scale == 1
