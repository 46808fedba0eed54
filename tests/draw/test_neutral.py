"""What no enabled probe tests has a role of its own, and which triangles are opaque."""

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.builder import Builder
from hitscope.draw.element_arrays import OPAQUE_FROM
from hitscope.draw.items import Role
from hitscope.evaluate import evaluate
from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive, MeshPrimitive, RaysProbe, TrianglesPrimitive
from hitscope.scene.items import AabbPrimitive, PlanePrimitive, PointProbe, RayProbe, TrianglePrimitive
from tests.draw.bulk_scenes import SEGMENT, bulk, report_of, singles

CORNERS = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 1], [1, 0, 1], [0, 1, 1]]], float)


def roles_of(drawn):
    """The set of all roles of primitives in a draw list."""
    parts = [part.roles for batch in drawn.primitives for part in batch]
    return set(np.concatenate([*parts, drawn.facets.roles, drawn.arrows.roles]).tolist())


def drawn_scene(primitives, *probes, nearest_only=False, bulk_batch_from=10_000):
    report = evaluate(Scene(version=1, primitives=primitives, probes=probes), nearest_only=nearest_only)
    return Builder(bulk_batch_from=bulk_batch_from).build(report)


@pytest.fixture
def mesh(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    return MeshPrimitive(id="mesh", file="two.obj")


@pytest.mark.parametrize("batch_from", [1, 10_000])
def test_without_an_enabled_probe_every_primitive_is_neutral(mesh, batch_from):
    everything = (*singles(), *bulk(), PlanePrimitive(normal=(0, 1, 0), offset=-1), mesh)
    off = replace(SEGMENT, id="off", enabled=False)
    for probes in ((), (off,)):
        assert roles_of(drawn_scene(everything, *probes, bulk_batch_from=batch_from)) == {Role.NEUTRAL}
    no_rays = RaysProbe(id="none", origin=np.empty((0, 3)), direction=np.empty((0, 3)))
    assert roles_of(drawn_scene(everything, no_rays, bulk_batch_from=batch_from)) == {Role.NEUTRAL}
    tested = drawn_scene(everything, SEGMENT, off, bulk_batch_from=batch_from)
    assert roles_of(tested) >= {Role.HIT, Role.MISS} and Role.NEUTRAL not in roles_of(tested)


def test_the_report_of_what_is_drawn_neutral_stays_as_it_was():
    report = evaluate(Scene(version=1, primitives=bulk(), probes=()))
    assert not report.hit_elements.any() and len(report.hit_elements) == len(report.elements)


def test_the_triangles_of_a_mesh_are_opaque_and_single_ones_are_not(mesh):
    one = TrianglePrimitive(vertices=tuple(map(tuple, CORNERS[0].tolist())))
    few = TrianglesPrimitive(id="few", vertices=CORNERS)
    drawn = drawn_scene((one, mesh, few))
    assert drawn.single.triangles.opaque.tolist() == [0, 1, 1, 0, 0]
    assert len(drawn.probes.triangles.opaque) == 0


def test_so_many_triangles_that_they_could_not_be_told_apart_are_opaque():
    for count, opaque in ((OPAQUE_FROM, 1), (OPAQUE_FROM - 1, 0)):
        item = TrianglesPrimitive(vertices=np.repeat(CORNERS[:1], count, axis=0))
        assert set(drawn_scene((item,)).single.triangles.opaque.tolist()) == {opaque}


def test_triangles_that_become_opaque_are_not_taken_from_the_batch_before(mesh):
    item = TrianglesPrimitive(id="same", vertices=CORNERS)
    builder = Builder(bulk_batch_from=1)
    first = builder.build(report_of((item,)))
    item_as_mesh = replace(mesh)
    vars(item_as_mesh)["shapes"] = item.shapes
    second = builder.build(report_of((item_as_mesh,)))
    assert first.bulk.triangles.opaque.tolist() == [0, 0] and second.bulk.triangles.opaque.tolist() == [1, 1]


ROW = tuple(AabbPrimitive(id=f"b{x}", min=(x, 0, 0), max=(x + 0.5, 1, 1)) for x in (4, 1, 2, 7))
RAY = RayProbe(id="ray", origin=(0, 0.5, 0.5), direction=(1, 0, 0))


def test_of_the_nearest_hits_alone_the_others_are_neutral():
    drawn = drawn_scene(ROW, RAY, nearest_only=True)
    assert drawn.single.boxes.roles.tolist() == [Role.NEUTRAL, Role.HIT, Role.NEUTRAL, Role.NEUTRAL]
    assert drawn.strokes.inside.sum() == 1, "the ray is marked inside other boxes, too"
    assert set(drawn.markers.positions[drawn.markers.roles == Role.ENTRY][:, 0]) == {1.0}
    assert (drawn_scene(ROW, RAY).single.boxes.roles == Role.HIT).all()


def test_a_probe_that_enters_nothing_first_shows_all_of_its_hits():
    both = AabbPrimitive(id="both", min=(0, 0, 0), max=(9, 1, 1))
    point = PointProbe(id="p", position=(4.25, 0.5, 0.5))
    drawn = drawn_scene((*ROW, both), point, nearest_only=True)
    assert np.flatnonzero(drawn.single.boxes.roles == Role.HIT).tolist() == [0, 4]


def test_the_layout_of_a_probe_changes_with_what_is_shown_of_it():
    scene = Scene(version=1, primitives=ROW, probes=(RAY,))
    builder, report = Builder(), evaluate(scene)
    assert builder.build(report).strokes.inside.sum() == 4
    nearest = evaluate(scene, report, nearest_only=True)
    assert builder.build(nearest).strokes.inside.sum() == 1
    assert builder.build(evaluate(scene, nearest)).strokes.inside.sum() == 4


def test_a_bulk_box_hit_nearest_is_the_only_one_of_many():
    boxes = AabbsPrimitive(id="row", min=[[x, 0, 0] for x in (5, 3, 1)], max=[[x + 1, 1, 1] for x in (5, 3, 1)])
    drawn = drawn_scene((boxes,), RAY, nearest_only=True, bulk_batch_from=1)
    assert drawn.bulk.boxes.roles.tolist() == [Role.NEUTRAL, Role.NEUTRAL, Role.HIT]
