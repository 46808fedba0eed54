"""Bulk items in the draw list: the same picture as from single items, without an object for each element."""

import numpy as np
import pytest

from hitscope.draw.builder import Builder
from hitscope.draw.element_arrays import element_arrays_of
from hitscope.draw.items import Cue, Role
from hitscope.draw.probe_layouts import MOST_STROKED, MOST_STROKED_PAIRS
from hitscope.draw.target import Target
from hitscope.evaluate import evaluate
from hitscope.geometry.arrays import Shapes
from hitscope.scene import replace_items
from hitscope.scene.bulk import AabbsPrimitive, PointsProbe, RaysProbe, SegmentsProbe
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from tests.draw.bulk_scenes import HIGHS, LOWS, SEGMENT, bulk, report_of, singles
from tests.draw.draw_lists import build


def test_bulk_items_are_drawn_as_single_ones_are():
    one, many = build(report_of(singles())), build(report_of(bulk()))
    items = zip(
        (*many.single[:2], many.strokes, many.markers), (*one.single[:2], one.strokes, one.markers), strict=True
    )
    for in_bulk, alone in items:
        for name, drawn in vars(in_bulk).items():
            np.testing.assert_allclose(drawn, getattr(alone, name), atol=1e-12)
    assert Cue.DEGENERATE in many.single.boxes.cues
    assert {Role.HIT, Role.MISS} == set(many.single.boxes.roles.tolist())


def test_no_element_of_a_bulk_item_becomes_an_object(monkeypatch):
    def refuse(*_):
        raise AssertionError("an object was made")

    report = report_of((AabbsPrimitive(id="boxes", min=LOWS + 50, max=HIGHS + 50),))
    monkeypatch.setattr(Shapes, "__iter__", refuse)
    assert len(element_arrays_of(report.elements).batches[0].boxes.origins) == len(LOWS)
    assert len(build(report).single.boxes.roles) == len(LOWS)


def test_one_element_of_a_bulk_item_is_pointed_out_by_its_id():
    drawn = build(report_of(bulk()), selection=(Target("primitive", "boxes[2]"),))
    assert np.flatnonzero(drawn.single.boxes.cues & Cue.SELECTED).tolist() == [2]
    drawn = build(report_of(bulk()), selection=(Target("primitive", "triangles[3]"),))
    assert np.flatnonzero(drawn.single.triangles.cues & Cue.SELECTED).tolist() == [3]


def test_a_bulk_item_is_pointed_out_as_a_whole():
    drawn = build(report_of(bulk()), selection=(Target("primitive", "boxes"), Target("primitive", "triangles[0]")))
    assert np.flatnonzero(drawn.single.boxes.cues & Cue.SELECTED).tolist() == list(range(6))
    assert np.flatnonzero(drawn.single.triangles.cues & Cue.SELECTED).tolist() == [0]


@pytest.mark.parametrize("name", ["boxes[6]", "nothing[0]"])
def test_a_target_that_is_no_element_has_no_cues(name):
    drawn = build(report_of(bulk()), selection=(Target("primitive", name),))
    assert not (drawn.single.boxes.cues & Cue.SELECTED).any()


def test_a_drag_keeps_all_arrays_of_the_primitives_but_their_colours():
    builder, before = Builder(), report_of(bulk())
    first = builder.build(before)
    moved = SegmentProbe(id="seg", start=SEGMENT.start, end=(3.0, 5.0, 5.0))
    after = evaluate(replace_items(before.scene, "probe", {0: moved}), before)
    second = builder.build(after)
    assert (
        second.single.boxes.origins is first.single.boxes.origins
        and second.single.boxes.edges is first.single.boxes.edges
    )
    assert second.single.triangles.vertices is first.single.triangles.vertices
    colours = builder.picture(after).element_roles
    np.testing.assert_array_equal(colours, np.where(after.hit_elements, Role.HIT, Role.MISS))


def test_many_probes_of_bundles_are_thin_lines_with_cues_for_hits():
    origins = [[-9.0, 0.5, 0.5], [-9.0, 9.0, 9.0]] * (MOST_STROKED // 2)
    rays = RaysProbe(id="rays", origin=origins, direction=[[2.0, 0.0, 0.0]] * MOST_STROKED)
    segments = SegmentsProbe(id="segments", start=[[-9.0, 0.5, 0.5]], end=[[-8.0, 0.5, 0.5]])
    points = PointsProbe(id="points", position=[[0.5, 0.5, 0.5], [7.0, 7.0, 7.0]])
    box = AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
    drawn = build(report_of((box,), rays, segments, points), selection=(Target("probe", "rays"),))
    thin_lines = drawn.thin_lines
    hits = Cue.TOUCHING | Cue.SELECTED
    assert thin_lines.cues.tolist() == [hits, Cue.SELECTED] * (MOST_STROKED // 2) + [Cue.NONE]
    assert thin_lines.fades.tolist() == [True] * MOST_STROKED + [False]
    assert thin_lines.ends[0, 0] > 1, "a ray ends before the scene does"
    np.testing.assert_array_equal(thin_lines.ends[-1], [-8, 0.5, 0.5])
    np.testing.assert_array_equal(drawn.markers.positions, [[0.5, 0.5, 0.5], [7, 7, 7]])
    assert not drawn.markers.main.any()


BOX = AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
RAYS = RaysProbe(id="rays", origin=[[-9.0, 0.5, 0.5], [-9.0, 9.0, 9.0]], direction=[[2.0, 0.0, 0.0]] * 2)


def test_few_probes_of_bundles_are_drawn_as_single_ones_are_but_have_handles_only_where_selected():
    assert Role.PROBE not in build(report_of((BOX,), RAYS)).markers.roles
    drawn = build(report_of((BOX,), RAYS), selection=(Target("probe", "rays[1]"),))
    assert len(drawn.thin_lines.starts) == 0
    of_first = drawn.strokes.starts[:, 1] == 0.5
    assert drawn.strokes.inside[of_first].sum() == 1 and not drawn.strokes.inside[~of_first].any()
    assert set(drawn.strokes.cues[~of_first]) == {Cue.SELECTED} and not drawn.strokes.cues[of_first].any()
    assert drawn.markers.roles.tolist() == [Role.ENTRY, Role.EXIT, Role.PROBE, Role.PROBE]
    ends = [[-9, 9, 9], [-7, 9, 9]]
    np.testing.assert_array_equal(drawn.markers.positions, [[0, 0.5, 0.5], [1, 0.5, 0.5], *ends])


def test_bundles_of_few_probes_are_thin_lines_where_there_are_very_many_primitives():
    rays = RaysProbe(
        id="rays", origin=[[-9.0, 0.5, 0.5]] * MOST_STROKED, direction=[[2.0, 0.0, 0.0]] * MOST_STROKED
    )
    most = MOST_STROKED_PAIRS // MOST_STROKED
    few, many = (
        AabbsPrimitive(id="boxes", min=[[0.0, 8.5, 0.0]] * count, max=[[1.0, 9.5, 1.0]] * count)
        for count in (most, most + 1)
    )
    assert len(build(report_of((few,), rays)).thin_lines.starts) == 0
    assert len(build(report_of((many,), rays)).thin_lines.starts) == MOST_STROKED


def test_what_is_drawn_of_a_bundle_is_kept_while_another_probe_moves():
    builder, before = Builder(), report_of((BOX,), RAYS, SEGMENT)
    first = builder.picture(before)
    moved = SegmentProbe(id="seg", start=SEGMENT.start, end=(3.0, 0.31, -0.1))
    second = builder.picture(evaluate(replace_items(before.scene, "probe", {1: moved}), before))
    assert second is not first
    assert (
        second.layouts.by_probe[0] is first.layouts.by_probe[0]
        and second.layouts.by_probe[1] is first.layouts.by_probe[1]
    )
    assert second.layouts.by_probe[2] is not first.layouts.by_probe[2]


@pytest.mark.parametrize("number", [3, 5_000])
def test_a_missed_element_is_looked_at_with_the_nearest_of_a_bundle(number):
    ends = np.linspace((0.0, 9.0, 0.0), (50.0, 9.0, 0.0), number)
    boxes = AabbsPrimitive(id="boxes", min=np.array([[50.0, 0, 0]]), max=np.array([[52.0, 1, 1]]))
    for bundle in (
        PointsProbe(id="marks", position=ends),
        SegmentsProbe(id="sights", start=ends + np.array([0.0, 0.0, 90.0]), end=ends),
        RaysProbe(id="rays", origin=ends, direction=np.full((number, 3), (0.0, 1.0, 0.0))),
    ):
        picture = Builder().picture(report_of((boxes,), bundle))
        assert picture.pairs.find((Target("primitive", "boxes[0]"),)) == (number - 1, 0)
