"""The gallery has every system, every method, complete expectations, and reasons for wrong answers."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec import UNSET

from hitscope.draw.builder import Builder
from hitscope.evaluate import Report, evaluate
from hitscope.geometry.registry import methods
from hitscope.offscreen_context import offscreen_context
from hitscope.render.camera import Camera, Viewport
from hitscope.render.offscreen import draw_pixels, evaluate_to_draw
from hitscope.render.palette import DARK, without_grid_and_axes
from hitscope.render.renderer import Renderer, Settings
from hitscope.resources import SCENES
from hitscope.scene import Scene, load
from hitscope.scene.bulk import Bulk
from tests.draw.draw_lists import build

PATHS = sorted(SCENES.rglob("*.scene.json"))
every_scene = pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(SCENES)))

SYSTEMS = {
    "000 six half-spaces: fraction and normal": "segment-aabb-irlan/six-faces",
    "000 parallel to a half-space": "segment-aabb-irlan/parallel-to-a-face",
    "000 without divisions": "segment-aabb-irlan/division-free",
    "000 convex polyhedron": "segment-aabb-irlan/convex-polyhedron",
    "001 the unit test": "triangle-aabb-szauer/unit-test",
    "001 thirteen axes": "triangle-aabb-szauer/thirteen-axes",
    "001 the other argument order": "triangle-aabb-szauer/box-probes",
    "001 both intervals": "triangle-aabb-szauer/both-intervals",
    "001 the printed list of axes": "triangle-aabb-szauer/printed-axis",
    "002 ray against box, distance and point": "boxes-ericson/ray-aabb",
    "002 whole line, bounded range": "boxes-ericson/line-and-range",
    "002 segment by separating axes": "boxes-ericson/segment-sat",
    "002 its epsilon": "boxes-ericson/segment-sat-epsilon",
    "002 signed distance": "boxes-ericson/signed-distance",
    "002 signed distance of an obb": "boxes-ericson/obb-distance",
    "002 ray against obb": "boxes-ericson/ray-obb-carousel",
    "003 plane from three points": "point-plane/plane-from-three-points",
    "003 front, back, on": "point-plane/classify",
    "003 the crossing": "point-plane/crossing",
    "003 both ends on the plane": "point-plane/both-ends-on-the-plane",
    "003 angle sum": "point-plane/angle-sum",
    "003 angle sum at a vertex": "point-plane/angle-sum-vertex",
    "003 angle sum on an edge": "point-plane/angle-sum-edge",
    "003 angle sum near an edge": "point-plane/angle-sum-near-edge",
    "003 angle sum of a thin triangle": "point-plane/angle-sum-thin-triangle",
    "003 clockwise is left-handed": "point-plane/left-handed",
    "003 too fast a point": "point-plane/too-fast-point",
    "004 line against box": "cuboid-slabs/line-aabb",
    "004 segment against box": "cuboid-slabs/segment-aabb",
    "004 general cuboid": "cuboid-slabs/cuboid",
    "004 edges that are not at right angles": "cuboid-slabs/skew-cuboid",
    "004 an absolute tolerance": "cuboid-slabs/absolute-tolerance",
    "Kay and Kajiya": "slabs-ieee/kay-kajiya",
    "Smits": "slabs-ieee/smits",
    "Williams": "slabs-ieee/williams",
}
"""Each system of the five sources and its scene."""


@cache
def report_of(path: Path) -> Report:
    """The report of a scene, which several tests look at."""
    return evaluate(load(path))


def names_of(scene: Scene) -> set[tuple[str, object]]:
    """Return (pair, method) of every method that a scene names in `methods` or in an expectation."""
    words = dict(zip(scene.probe_ids, (probe.element_word for probe in scene.probes), strict=True))
    targets = dict(zip(scene.primitive_ids, (item.element_word for item in scene.primitives), strict=True))
    found = {(pair, name(choice)) for pair, choice in scene.methods.items()}
    for expectation in scene.expect:
        if expectation.method is not UNSET and expectation.primitive is not UNSET:
            item, _, _ = expectation.primitive.partition("[")  # of an element, too
            pair = f"{words[expectation.probe]}_{targets[item]}"
            found.add((pair, name(expectation.method)))
    return found


def name(choice: str | dict[str, object]) -> object:
    return choice if isinstance(choice, str) else choice["name"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_of_the_sources_has_its_scene(system):
    assert SCENES / f"{SYSTEMS[system]}.scene.json" in PATHS


def test_every_method_has_a_source_and_a_scene():
    shown = {method for path in PATHS for _, method in names_of(report_of(path).scene)}
    for method in methods():
        assert method.source, method.name
        assert method.name in shown | {"exact"}, f"{method.name} is in no scene"


def test_every_method_has_a_deviation_unless_it_is_exact_by_definition():
    without = {method.name for method in methods() if not method.deviations}
    assert without == {"exact", "bounds", "overlap"}


@every_scene
def test_scene_is_described_and_has_all_expectations_and_meets_them(path: Path):
    report = report_of(path)
    assert [mismatch.words for mismatch in report.mismatches] == []
    assert_described(report.scene)
    assert_complete(report)
    assert_wrong_only_with_a_reason(report)


def assert_described(scene: Scene) -> None:
    assert scene.name
    assert len(scene.description) > 40
    assert scene.schema == "../scene.schema.json"
    assert scene.view.camera is not None


def assert_complete(report: Report) -> None:
    """Every pair of items is expected to hit or to miss, and each probe's hits are listed, element by element."""
    pairs = {
        (expectation.probe, expectation.primitive)
        for expectation in report.scene.expect
        if expectation.primitive is not UNSET and expectation.hit is not UNSET
    }
    listed = {
        expectation.probe: expectation.hits
        for expectation in report.scene.expect
        if expectation.hits is not UNSET and expectation.method is UNSET
    }
    assert set(listed) == set(report.probes.ids)
    assert pairs >= {(probe, primitive) for probe in report.probes.ids for primitive in report.elements.ids}
    for names in listed.values():
        assert all(len(report.elements.indices_of(name)) == 1 for name in names)


def assert_wrong_only_with_a_reason(report: Report) -> None:
    for expectation in report.scene.expect:
        if expectation.primitive is not UNSET and expectation.hit is not UNSET:
            k, _ = report.probes.item_and_row(expectation.probe)
            indices = report.elements.indices_of(expectation.primitive)
            true = report.tally(k, "exact").primitives[indices.start : indices.stop].any()
            wrong = expectation.hit != true
            assert not wrong or expectation.why is not UNSET, f"{expectation} is wrong without a why"


@pytest.mark.thorough
def test_every_other_scene_can_be_drawn():
    size, theme, crossed = (160, 120), without_grid_and_axes(DARK), 12
    settings = Settings(size, theme, samples=1, transparent=True)
    nothing = build(evaluate(Scene(version=1, primitives=(), probes=())))
    with offscreen_context() as context:
        renderer = Renderer(context)
        for path in PATHS[::2]:
            report, builder = evaluate_to_draw(load(path)), Builder()
            camera = Camera.of_view(report.scene.view, builder.corners(report), Viewport(0, 0, *size))
            pixels = draw_pixels(context, renderer, build(report, builder=builder), camera, settings).astype(int)
            # The cross at the origin, which is in every picture, is less opaque than that altogether.
            if pixels[..., 3].mean() < crossed:
                empty = draw_pixels(context, renderer, nothing, camera, settings).astype(int)
                assert empty[..., 3].mean() < crossed and np.abs(pixels - empty).max() > 60, path


def test_bulk_items_of_every_type_and_source_are_shown():
    scenes = [load(path) for path in PATHS]
    items = [item for scene in scenes for item in (*scene.primitives, *scene.probes) if isinstance(item, Bulk)]
    assert {item.word for item in items} == {
        *("aabbs", "obbs", "triangles", "spheres", "mesh"),
        *("segments", "rays", "points"),
    }
    assert {item.file.path.suffix for item in items if item.file} == {".npz", ".obj"}
    assert all(item.file.path.stat().st_size < 50_000 for item in items if item.file)
