"""Large bulk items are laid out apart from the rest: once, and drawn and picked as if they were not."""

import numpy as np
import pytest

from hitscope.draw import shape_drawings
from hitscope.draw.builder import Builder
from hitscope.draw.element_arrays import clearance, element_arrays_of, extent_within
from hitscope.draw.items import Cue
from hitscope.draw.target import Marked, Target
from hitscope.evaluate import evaluate
from hitscope.geometry.arrays import Shapes
from hitscope.offscreen_context import offscreen_context
from hitscope.render.renderer import Renderer
from hitscope.scene import Scene, replace_items
from hitscope.scene.bulk import ObbsPrimitive, SpheresPrimitive
from hitscope.scene.edits import add_items, remove_items
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, SpherePrimitive
from hitscope.scene.transforms import translate
from tests.draw.bulk_scenes import CENTERS, HALVES, QUATERNIONS, SEGMENT, bulk, report_of, singles

BEFORE, BOX, TRIANGLE = 0, 1, 5
"""Places of items of the scene."""


def scene():
    """Bulk items between single ones."""
    aabb, *_, triangle, _, _, obb = singles()
    return Scene(version=1, primitives=(obb, aabb, *bulk(), triangle), probes=(SEGMENT,))


def rows_by_element(arrays, picture):
    """What is drawn of every box, triangle and round shape: its element, its numbers, role and cues."""
    found = []
    for batch, (boxes, triangles, rounds) in zip(arrays.batches, picture.primitives, strict=True):
        of_kinds = (
            (boxes, np.hstack([boxes.origins, boxes.edges.reshape(-1, 9)])),
            (triangles, triangles.vertices.reshape(-1, 9)),
            (rounds, np.column_stack([rounds.starts, rounds.ends, rounds.radii])),
        )
        for elements, (shapes, numbers) in zip(batch.elements, of_kinds, strict=True):
            indices = np.arange(len(arrays.kinds))[elements]
            codes = zip(shapes.roles.tolist(), shapes.cues.tolist(), strict=True)
            found += zip(indices.tolist(), numbers.tolist(), codes, strict=True)
    return sorted(found)


def test_a_bulk_batch_is_drawn_like_the_same_shapes_in_the_first_batch():
    report, pointed = evaluate(scene()), (Target("primitive", "boxes[2]"), (Target("primitive", "triangles"),))
    hidden = frozenset([("primitive", "turned")])
    drawn = []
    for threshold in (1, 1000):
        builder = Builder(bulk_batch_from=threshold)
        picture = builder.build(report, Marked(*pointed, hidden))
        drawn.append(rows_by_element(builder.picture(report).arrays, picture))
        assert len(picture.bulk.boxes.roles) == (9 if threshold == 1 else 0)
    assert drawn[0] == drawn[1] and len(drawn[0]) == 9 + 4 + 3
    assert any(cues & Cue.HIDDEN for _, _, (_, cues) in drawn[0])


def test_elements_are_found_alike_in_both_batches():
    report, some = evaluate(scene()), np.array([15, 3, 0, 9, 4, 1])
    apart, together = {}, {}
    for threshold, found in ((1, apart), (1000, together)):
        arrays = element_arrays_of(report.elements, bulk_batch_from=threshold)
        found["cues"] = arrays.cues.tolist()
        found["kinds"] = arrays.kinds.tolist()
        found["extent"] = np.array(arrays.extent).tolist()
        found["some"] = np.array(extent_within(arrays, some)).tolist()
        found["boxes"] = [part.tolist() for part in arrays.boxes_at(np.array([13, 0, 2, 1]))]
        found["triangles"] = arrays.triangles_at(np.array([15, 9, 11])).tolist()
        found["clearance"] = clearance(arrays, extent_within(arrays, np.array([1])))
    assert apart == together


def test_spheres_in_bulk_are_drawn_and_bounded_like_the_same_spheres_in_the_first_batch():
    spheres = SpheresPrimitive(id="balls", center=CENTERS, radius=HALVES[:, 0])
    report = report_of((singles()[0], spheres, SpherePrimitive(center=(4.0, 0.0, 0.0), radius=0.0)))
    apart, together = {}, {}
    for threshold, found in ((1, apart), (1000, together)):
        builder = Builder(bulk_batch_from=threshold)
        picture, arrays = (
            builder.build(report, Marked(Target("primitive", "balls[1]"))),
            builder.picture(report).arrays,
        )
        found["rows"] = rows_by_element(arrays, picture)
        found["spheres"] = [part.tolist() for part in arrays.rounds_at(np.array([4, 2, 1]))]
        found["some"] = np.array(extent_within(arrays, np.array([3, 4]))).tolist()
        found["clearance"] = clearance(arrays, extent_within(arrays, np.array([4])))
        assert len(picture.bulk.rounds.radii) == (3 if threshold == 1 else 0)
    assert apart == together
    ends = [[4, 0, 0], *CENTERS[[1, 0]].tolist()]
    assert apart["spheres"] == [ends, ends, [0, *HALVES[[1, 0], 0].tolist()], [None] * 3]
    cues = [codes[1] for _, _, codes in apart["rows"]]
    assert cues == [Cue.NONE, Cue.NONE, Cue.HOVERED, Cue.NONE, Cue.DEGENERATE]


EDITS = {
    "moved": lambda given: replace_items(given, "primitive", {BOX: translate(given.primitives[BOX], (0.1, 0, 0))}),
    "the last one moved": lambda given: replace_items(
        given, "primitive", {TRIANGLE: translate(given.primitives[TRIANGLE], (0.1, 0, 0))}
    ),
    "duplicated": lambda given: add_items(given, "primitive", [given.primitives[BOX]]),
    "removed before the bulk item": lambda given: remove_items(given, "primitive", {BEFORE}),
    "added": lambda given: add_items(given, "primitive", [AabbPrimitive(min=(9.0,) * 3, max=(10.0,) * 3)]),
}


@pytest.mark.parametrize("edit", EDITS)
def test_the_bulk_batch_is_kept_while_single_items_are_edited(edit, monkeypatch):
    builder, before = Builder(bulk_batch_from=1), evaluate(scene())
    first, arrays = builder.build(before), builder.picture(before).arrays
    arrays.sort()
    report = evaluate(EDITS[edit](before.scene), before)
    laid_out = []
    box_arrays_of = shape_drawings.box_arrays_of
    monkeypatch.setattr(
        shape_drawings, "box_arrays_of", lambda shapes: laid_out.append(type(shapes)) or box_arrays_of(shapes)
    )
    after = builder.build(report)
    assert laid_out and Shapes not in laid_out, "single boxes only"
    for name in ("origins", "edges"):
        assert getattr(after.bulk.boxes, name) is getattr(first.bulk.boxes, name)
    assert after.bulk.triangles.vertices is first.bulk.triangles.vertices
    bulk = builder.picture(report).arrays.batches[1]
    assert bulk.chunks is arrays.batches[1].chunks and bulk.kind_bounds is arrays.batches[1].kind_bounds
    fresh = Builder(bulk_batch_from=1)
    assert rows_by_element(builder.picture(report).arrays, after) == rows_by_element(
        fresh.picture(report).arrays, fresh.build(report)
    )


def test_a_builder_takes_over_the_bulk_batch_of_the_one_before():
    builder, report = Builder(bulk_batch_from=1), evaluate(scene())
    first = builder.build(report)
    after = Builder(builder, bulk_batch_from=1).build(evaluate(EDITS["moved"](report.scene), report))
    assert after.bulk.boxes.origins is first.bulk.boxes.origins
    assert after.single.boxes.origins is not first.single.boxes.origins


def test_other_numbers_of_a_bulk_item_are_laid_out_again():
    builder = Builder(bulk_batch_from=1)
    single = ObbPrimitive(center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0))
    boxes = ObbsPrimitive(center=CENTERS, half_extents=HALVES, quaternion_xyzw=QUATERNIONS)
    first = builder.build(report_of((single, boxes)))
    second = builder.build(report_of((single, ObbsPrimitive(center=CENTERS + 1, half_extents=HALVES))))
    assert len(first.bulk.boxes.roles) == len(second.bulk.boxes.roles) == 3
    np.testing.assert_array_equal(second.bulk.boxes.origins, CENTERS + 1 - HALVES)


@pytest.mark.thorough
def test_the_graphics_card_keeps_the_second_batch_while_a_single_item_moves():
    builder, before = Builder(bulk_batch_from=1), evaluate(scene())
    report = evaluate(EDITS["moved"](before.scene), before)
    with offscreen_context() as context:
        renderer = Renderer(context)
        fills = []
        for given in (before, report):
            picture = builder.build(given)
            renderer.pack(picture)
            renderer._load(picture, builder.picture(given).stage)
            fills.append([meshes.row_buffer.fills for batch in renderer._primitives for meshes in batch])
        assert [meshes.count for batch in renderer._primitives for meshes in batch] == [2, 1, 0, 9, 4, 0]
    (boxes, *others), (boxes_after, *others_after) = fills
    assert boxes_after == boxes + 1 and others_after == others
