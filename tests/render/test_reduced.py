"""The reduced picture of many shapes: what it leaves out, and what it must not."""

import numpy as np
import pytest
from drawn import SIZE, at, boxes, drawn, triangles

from hitscope.draw.items import Boxes, Cue, Role
from hitscope.render.camera import Camera, Viewport
from hitscope.render.offscreen import offscreen_context
from hitscope.render.palette import DARK
from hitscope.render.renderer import Renderer

CAMERA = Camera((2.0, 1.5, 5.0), (0.0, 0.0, 0.0))
MANY = 5000


def shots(what, *reduced, camera=CAMERA):
    """Give a picture for each way of reducing it; 0 is the whole one."""
    pictures = []
    with offscreen_context() as context:
        renderer, target = Renderer(context), context.simple_framebuffer(SIZE, components=3)
        for how in reduced:
            renderer.draw(what, camera, SIZE, target=target, reduced=how)
            pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8)
            pictures.append(pixels.reshape(SIZE[1], SIZE[0], 3)[::-1].astype(int))
    return pictures


def crowd(size, cues=None):
    """Give small boxes in a cube of side 2: the upper ones miss, the lower ones hit."""
    lows = np.random.default_rng(0).uniform(-1, 1, (MANY, 3))
    roles = np.where(lows[:, 1] > 0, Role.MISS, Role.HIT).astype(np.uint8)
    edges = np.tile(np.eye(3) * size, (MANY, 1, 1))
    return drawn(Boxes(lows, edges, roles, np.zeros(MANY, np.uint8) if cues is None else cues))


@pytest.mark.parametrize(
    "box", [((-1, -1, -1), (1, 1, 1)), ((-1, -0.2, -1), (1, 0.1, 1)), ((-1, 0, -1), (1, 0, 1))]
)
@pytest.mark.parametrize("role", [Role.HIT, Role.MISS])
def test_a_box_has_nearly_the_same_colours(box, role):
    whole, reduced = shots(drawn(boxes((*box, role, Cue.NONE))), 0.0, 4.0)
    assert np.abs(whole - reduced).mean() < 4
    assert np.abs(at(whole, CAMERA, np.mean(box, axis=0)) - at(reduced, CAMERA, np.mean(box, axis=0))).max() < 40


@pytest.mark.parametrize("eye", [(0.0, 0.0, 5.0), (0.0, 5.0, 0.1), (-4.0, -3.0, -2.0), (0.2, 0.1, 4.0)])
def test_from_every_side_the_visible_faces_are_drawn(eye):
    camera = Camera(eye, (0.0, 0.0, 0.0))
    box = drawn(boxes(((-1, -1, -1), (1, 1, 1), Role.HIT, Cue.NONE)))
    whole, reduced = shots(box, 0.0, 4.0, camera=camera)
    (empty,) = shots(drawn(), 0.0, camera=camera)
    covered = [(np.abs(picture - empty).max(axis=2) > 10).sum() for picture in (whole, reduced)]
    assert covered[1] == pytest.approx(covered[0], rel=0.06)


def test_a_triangle_has_nearly_the_same_colours():
    what = drawn(triangles=triangles(((-1, -1, 0), (1.5, -1, 0), (0, 1.5, 0), Role.HIT, Cue.NONE)))
    whole, reduced = shots(what, 0.0, 4.0)
    assert np.abs(whole - reduced).mean() < 3


@pytest.mark.parametrize("reduced", [4.0, 32.0])
def test_a_crowd_keeps_its_colours_as_points_too(reduced):
    whole, points = shots(crowd(0.05), 0.0, reduced)
    for y in (0.5, -0.5):
        part = np.s_[int(120 - y * 50) - 15 : int(120 - y * 50) + 15, 130:190]
        a, b = whole[part].mean(axis=(0, 1)), points[part].mean(axis=(0, 1))
        assert a.argmax() == b.argmax()
        np.testing.assert_allclose(a, b, atol=60)


def test_a_selected_box_of_a_crowd_of_points_has_its_outline():
    cues = np.zeros(MANY, np.uint8)
    plain, *_ = shots(crowd(0.05), 32.0)
    cues[17] = Cue.SELECTED
    selected, *_ = shots(crowd(0.05, cues), 32.0)
    assert (selected.min(axis=2) > 200).sum() > (plain.min(axis=2) > 200).sum() + 10


def test_a_picture_made_in_steps_is_the_picture():
    what = crowd(0.05)
    with offscreen_context() as context:
        target = context.simple_framebuffer(SIZE, components=3)
        renderer = Renderer(context)
        renderer.draw(what, CAMERA, SIZE, target=target)
        whole = target.read(components=3)
        steps = Renderer(context).steps(what, CAMERA, SIZE, DARK, 4, 1.0, Viewport(0, 0, *SIZE), target)
        target.clear()
        made = 0
        for _ in steps:
            made += 1
            context.enable(context.CULL_FACE)  # as others may who draw in between
        assert made > 3
        assert target.read(components=3) == whole
