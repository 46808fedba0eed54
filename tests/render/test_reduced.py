"""The reduced picture of many shapes: what it leaves out, and what it must not."""

import numpy as np
import pytest

from hitscope.draw.items import Boxes, Cue, Ending, Role
from hitscope.offscreen_context import offscreen_context
from hitscope.render.camera import Camera
from hitscope.render.renderer import Reduced, Renderer, Settings
from tests.render.drawn import SIZE, at, boxes, drawn, markers, shots, strokes, triangles

CAMERA = Camera((2.0, 1.5, 5.0), (0.0, 0.0, 0.0))
MANY = 5000
FINE, COARSE = Reduced(4.0), Reduced(4.0, grain=2)


def reduced_shots(what, *reduced, camera=CAMERA, ratio=1.0):
    """A picture for each way of reducing it; None is the full one."""
    return shots(*((what, camera, how) for how in reduced), ratio=ratio)


def many_boxes(size, cues=None):
    """Small boxes in a cube of side 2: the upper ones miss, the lower ones hit."""
    lows = np.random.default_rng(0).uniform(-1, 1, (MANY, 3))
    roles = np.where(lows[:, 1] > 0, Role.MISS, Role.HIT).astype(np.uint8)
    edges = np.tile(np.eye(3) * size, (MANY, 1, 1))
    return drawn(Boxes(lows, edges, roles, np.zeros(MANY, np.uint8) if cues is None else cues))


@pytest.mark.parametrize(
    "box", [((-1, -1, -1), (1, 1, 1)), ((-1, -0.2, -1), (1, 0.1, 1)), ((-1, 0, -1), (1, 0, 1))]
)
@pytest.mark.parametrize("role", [Role.HIT, Role.MISS])
@pytest.mark.parametrize("how", [FINE, COARSE], ids=["fine", "coarse"])
def test_a_box_has_nearly_the_same_colours(box, role, how):
    whole, reduced = reduced_shots(drawn(boxes((*box, role, Cue.NONE))), None, how)
    assert np.abs(whole - reduced).mean() < 4
    assert np.abs(at(whole, CAMERA, np.mean(box, axis=0)) - at(reduced, CAMERA, np.mean(box, axis=0))).max() < 40


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_box_has_edges_where_pixels_are_large_too(ratio):
    front = Camera((0.0, 0.0, 5.0), (0.0, 0.0, 0.0))
    box = drawn(boxes(((-1, -1, -1), (1, 1, 1), Role.HIT, Cue.NONE)))
    for picture in reduced_shots(box, None, FINE, COARSE, camera=front, ratio=ratio):
        row = picture[120, :, 1]
        assert row[80:95].max() > row[110:130].mean() + 15


@pytest.mark.parametrize("eye", [(0.0, 0.0, 5.0), (0.0, 5.0, 0.1), (-4.0, -3.0, -2.0), (0.2, 0.1, 4.0)])
def test_from_every_side_the_visible_faces_are_drawn(eye):
    camera = Camera(eye, (0.0, 0.0, 0.0))
    box = drawn(boxes(((-1, -1, -1), (1, 1, 1), Role.HIT, Cue.NONE)))
    whole, reduced = reduced_shots(box, None, FINE, camera=camera)
    (empty,) = reduced_shots(drawn(), None, camera=camera)
    covered = [(np.abs(picture - empty).max(axis=2) > 10).sum() for picture in (whole, reduced)]
    assert covered[1] == pytest.approx(covered[0], rel=0.06)


@pytest.mark.parametrize("how", [FINE, COARSE], ids=["fine", "coarse"])
def test_a_triangle_has_nearly_the_same_colours(how):
    what = drawn(triangles=triangles(((-1, -1, 0), (1.5, -1, 0), (0, 1.5, 0), Role.HIT, Cue.NONE)))
    whole, reduced = reduced_shots(what, None, how)
    assert np.abs(whole - reduced).mean() < 3


@pytest.mark.parametrize("reduced", [FINE, COARSE, Reduced(32.0), Reduced(32.0, grain=2)])
def test_many_shapes_drawn_as_points_keep_their_colours(reduced):
    whole, points = reduced_shots(many_boxes(0.05), None, reduced)
    for y in (0.5, -0.5):
        part = np.s_[int(120 - y * 50) - 15 : int(120 - y * 50) + 15, 130:190]
        a, b = whole[part].mean(axis=(0, 1)), points[part].mean(axis=(0, 1))
        assert a.argmax() == b.argmax()
        np.testing.assert_allclose(a, b, atol=60)


def test_a_selected_box_among_many_points_has_its_outline():
    cues = np.zeros(MANY, np.uint8)
    plain, *_ = reduced_shots(many_boxes(0.05), Reduced(32.0))
    cues[17] = Cue.SELECTED
    selected, *_ = reduced_shots(many_boxes(0.05, cues), Reduced(32.0))
    assert (selected.min(axis=2) > 200).sum() > (plain.min(axis=2) > 200).sum() + 10


def test_a_picture_made_in_steps_is_the_picture():
    what = many_boxes(0.05)
    with offscreen_context() as context:
        target = context.simple_framebuffer(SIZE, components=3)
        renderer = Renderer(context)
        renderer.draw(what, CAMERA, Settings(SIZE), target)
        whole = target.read(components=3)
        steps = Renderer(context).steps(what, CAMERA, Settings(SIZE), target)
        target.clear()
        made = 0
        for _ in steps:
            made += 1
            context.enable(context.CULL_FACE)  # as others may who draw in between
        assert made > 3
        assert target.read(components=3) == whole


def test_tiny_shapes_are_as_bright_where_pixels_are_large():
    whole, fine, coarse = (picture.mean() for picture in reduced_shots(many_boxes(0.002), None, FINE, COARSE))
    assert coarse == pytest.approx(fine, rel=0.05)
    assert coarse == pytest.approx(whole, rel=0.15)


def test_probes_and_handles_are_as_sharp_where_pixels_are_large():
    line = strokes(((-1.5, -1, 0), (1.5, 1.2, 0), Ending.ARROW_END))
    what = drawn(strokes=line, markers=markers(((1, -1, 0), Role.PROBE, Cue.SELECTED)))
    whole, coarse = reduced_shots(what, None, COARSE)
    (empty,) = reduced_shots(drawn(), None)
    on = np.abs(whole - empty).max(axis=2) > 100
    assert on.sum() > 500
    # The lines of the ground are all that is blurred under them.
    np.testing.assert_allclose(coarse[on], whole[on], atol=24)


def test_what_is_selected_is_as_sharp_where_pixels_are_large():
    fine, coarse = reduced_shots(drawn(boxes(((-1, -1, -1), (1, 1, 1), Role.HIT, Cue.SELECTED))), FINE, COARSE)
    for picture in (fine, coarse):
        assert (picture.min(axis=2) > 200).sum() > 500
    bright = [(picture.min(axis=2) > 200) for picture in (fine, coarse)]
    assert (bright[0] != bright[1]).sum() < 0.1 * bright[0].sum()


@pytest.mark.parametrize("size", [SIZE, (321, 241)])
def test_nothing_moves_where_pixels_are_large(size):
    what = drawn(boxes(((-1, -1, -1), (1, 1, 1), Role.HIT, Cue.NONE)))
    centers = []
    with offscreen_context() as context:
        renderer, target = Renderer(context), context.simple_framebuffer(size, components=3)
        for how in (FINE, COARSE):
            taken = []
            for shown in (what, drawn()):
                renderer.draw(shown, CAMERA, Settings(size, reduced=how), target)
                pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8)
                taken.append(pixels.reshape(size[1], size[0], 3).astype(float))
            weight = np.abs(taken[0] - taken[1]).sum(axis=2)
            centers.append([(weight.sum(axis=k) * np.arange(size[k])).sum() / weight.sum() for k in (0, 1)])
    np.testing.assert_allclose(centers[1], centers[0], atol=0.5)


def test_nothing_is_uploaded_for_another_camera_however_it_is_reduced():
    what = many_boxes(0.05)
    with offscreen_context() as context:
        renderer, target = Renderer(context), context.simple_framebuffer(SIZE, components=3)
        renderer.draw(what, CAMERA, Settings(SIZE), target)
        fills = [meshes.row_buffer.fills for meshes in renderer._meshes]
        written = [meshes.code_buffer.written for meshes in renderer._meshes]
        for how in (FINE, COARSE, None):
            renderer.draw(what, CAMERA.orbit(10, 5), Settings(SIZE, reduced=how), target)
        assert [meshes.row_buffer.fills for meshes in renderer._meshes] == fills
        assert [meshes.code_buffer.written for meshes in renderer._meshes] == written
