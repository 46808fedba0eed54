"""Scenes in which no shape has a size: what is drawn there is large enough for the camera that frames it."""

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.builder import Builder
from hitscope.draw.probe_layouts import MOST_STROKED
from hitscope.evaluate import evaluate
from hitscope.render.camera import Camera, Viewport
from hitscope.render.view import View
from hitscope.scene import Scene
from hitscope.scene.bulk import RaysProbe
from hitscope.scene.items import LineProbe, PlanePrimitive, PointProbe, RayProbe, SegmentProbe
from tests.draw.draw_lists import build

VIEWPORT = Viewport(0, 0, 1280, 800)
RAY = RayProbe(id="ray", origin=(10.0, 20.0, 30.0), direction=(2.0, 0.5, 0.0))
LINE = LineProbe(id="line", origin=(10.0, 20.0, 30.0), direction=(0.0, 0.5, 2.0))
POINT = PointProbe(id="point", position=(10.0, 20.0, 30.0))
DOT = SegmentProbe(id="dot", start=RAY.origin, end=RAY.origin)
BESIDE = RayProbe(id="beside", origin=(10.0, 20.0, 30.0001), direction=(0.0, 1.0, 0.0))
FAR_TINY = RayProbe(id="tiny", origin=(1e9, 1e9, 1e9), direction=(1e-9, 0.0, 0.0))
PLANE = PlanePrimitive(id="plane", normal=(0.0, 1.0, 0.0), offset=20.0)


def seen(*probes, primitives=()):
    """The draw list of probes and the view that a scene of them opens with."""
    report = evaluate(Scene(version=1, primitives=primitives, probes=probes))
    camera = Camera.of_view(None, Builder().corners(report), VIEWPORT)
    drawn = build(report, seen_from=(camera.eye, camera.target), builder=Builder())
    return drawn, View(camera, VIEWPORT)


def longest(view, starts, ends):
    """The length of the longest line in the picture, in pixels."""
    first, last = view.project(starts)[:, :2], view.project(ends)[:, :2]
    return float(np.linalg.norm(first - last, axis=1).max())


@pytest.mark.parametrize(
    "probes",
    [
        (RAY,),
        (LINE,),
        (RAY, POINT),
        (RAY, DOT),
        (RAY, LINE),
        (replace(RAY, enabled=False),),
        (FAR_TINY,),
    ],
    ids=lambda probes: "+".join(probe.id for probe in probes),
)
def test_a_lone_ray_or_line_is_drawn_across_the_picture(probes):
    drawn, view = seen(*probes)
    assert longest(view, drawn.strokes.starts, drawn.strokes.ends) > 200


def test_a_lone_ray_is_drawn_beside_a_plane_which_has_no_size():
    drawn, view = seen(RAY, primitives=(PLANE,))
    assert longest(view, drawn.strokes.starts, drawn.strokes.ends) > 200


def test_two_rays_from_almost_one_point_are_drawn_to_their_tips_at_least():
    drawn, _ = seen(RAY, BESIDE)
    lengths = np.linalg.norm(drawn.strokes.ends - drawn.strokes.starts, axis=1)
    assert lengths.max() > 1.0


@pytest.mark.parametrize("times", [1, MOST_STROKED], ids=["strokes", "thin lines"])
def test_a_bundle_of_rays_from_one_point_is_drawn_across_the_picture(times):
    directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]] * times
    origins = [[5.0, 5.0, 5.0]] * len(directions)
    drawn, view = seen(RaysProbe(id="sensor", origin=origins, direction=directions))
    lines = drawn.strokes if times == 1 else drawn.thin_lines
    assert longest(view, lines.starts, lines.ends) > 200


def test_a_lone_point_and_a_lone_ray_are_in_the_middle_of_the_picture():
    for probe in (POINT, RAY, replace(POINT, enabled=False)):
        drawn, view = seen(probe)
        pixels = view.project(drawn.markers.positions)[:, :2]
        assert (np.abs(pixels.mean(axis=0) - (640, 400)) < (150, 150)).all()


def test_a_scene_with_a_size_is_framed_without_the_tips_of_its_rays():
    segment = SegmentProbe(id="segment", start=(0.0, 0.0, 0.0), end=(1.0, 0.0, 0.0))
    far = RayProbe(id="far", origin=(0.5, 0.0, 0.0), direction=(0.0, 1e6, 0.0))
    report = evaluate(Scene(version=1, primitives=(), probes=(segment, far)))
    assert Builder().corners(report).max() == 1.0
