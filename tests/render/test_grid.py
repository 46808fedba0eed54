"""The grid of a view straight along an axis is upright; of every other view it is the ground."""

from dataclasses import replace

import numpy as np
import pytest

from hitscope.draw.items import Cue, Ending, Role
from hitscope.render.camera import Camera
from hitscope.render.palette import LIGHT
from hitscope.render.view import View
from hitscope.viewer.tools.drags.drag_points import grid_step
from tests.render.drawn import SIZE, WHOLE, at, boxes, drawn, shot, strokes

RED, GREEN, BLUE = 0, 1, 2
FRONT = Camera((0.25, 1.25, 8.0), (0.25, 1.25, 0.0))
RIGHT = Camera((8.0, 1.25, 0.25), (0.0, 1.25, 0.25))
EMPTY = drawn()
SIDES = {
    "front": (FRONT, ((1, 0, 0), RED), ((0, 1, 0), GREEN)),
    "back": (replace(FRONT, eye=(0.25, 1.25, -8.0)), ((1, 0, 0), RED), ((0, 1, 0), GREEN)),
    "right": (RIGHT, ((0, 0, 1), BLUE), ((0, 1, 0), GREEN)),
    "left": (replace(RIGHT, eye=(-8.0, 1.25, 0.25)), ((0, 0, 1), BLUE), ((0, 1, 0), GREEN)),
    "front of z up": (
        Camera((0.25, -8.0, 1.25), (0.25, 0.0, 1.25), "z"),
        ((1, 0, 0), RED),
        ((0, 0, 1), BLUE),
    ),
}


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("side", SIDES)
def test_straight_along_an_axis_the_grid_is_upright_with_its_two_axes(side, orthographic):
    camera, *axes = SIDES[side]
    camera = replace(camera, orthographic=orthographic)
    pixels = shot(EMPTY, camera)
    for way, colour in axes:
        for sign in (-1, 1):
            seen = at(pixels, camera, sign * 1.3 * np.array(way))
            others = [seen[k] for k in range(3) if k != colour]
            assert seen[colour] > max(others) + 25, (way, sign)
    # Between the lines there is only the background; on one that is no axis more than that.
    (first, _), (second, _) = axes
    line = at(pixels, camera, np.array(first) + 0.5 * np.array(second)).sum()
    assert line > at(pixels, camera, 0.5 * np.array(first) + 0.5 * np.array(second)).sum() + 6


def test_a_view_that_is_a_little_off_an_axis_has_the_ground():
    assert FRONT.grid_axis == 2 and RIGHT.grid_axis == 0
    assert replace(FRONT, eye=(0.2501, 1.25, 8.0)).grid_axis == 1
    assert Camera((0.0, 9.0, 0.0), (0.0, 0.0, 0.0)).grid_axis == 1
    assert Camera((0.0, 9.0, 0.0), (0.0, 0.0, 0.0), "z").grid_axis == 1
    assert Camera((3.0, 4.0, 5.0), (0.0, 0.0, 0.0), "z").grid_axis == 2


@pytest.mark.parametrize("orthographic", [False, True])
def test_an_upright_grid_has_no_shadow_and_is_behind_all(orthographic):
    camera = replace(FRONT, orthographic=orthographic)
    behind = ((-1.0, 0.5, -2.0), (1.0, 1.75, -1.5), Role.HIT, Cue.NONE)
    empty, pixels = shot(EMPTY, camera, theme=LIGHT), shot(drawn(boxes(behind)), camera, theme=LIGHT)
    changed = np.abs(pixels - empty).max(axis=2) > 4
    corners = [(x, y, z) for x in (-1, 1) for y in (0.5, 1.75) for z in (-2, -1.5)]
    x, y, _ = View(camera, WHOLE).project(corners).T
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    assert y.min() - 5 < rows[0] and rows[-1] < y.max() + 5, "nothing changed beside the box"
    assert x.min() - 5 < columns[0] and columns[-1] < x.max() + 5
    # The green axis is behind the face, and dimmed by it.
    on_face, above = at(pixels, camera, (0.0, 1.2, 0.0)), at(pixels, camera, (0.0, 2.6, 0.0))
    beside = at(pixels, camera, (-0.1, 1.2, 0.0))
    assert np.abs(on_face - beside).max() < 0.6 * np.abs(above - at(pixels, camera, (-0.1, 2.6, 0.0))).max()


def test_in_an_orthographic_view_the_lines_are_as_dense_however_far_away_the_grid_is():
    here = replace(FRONT, orthographic=True)
    there = replace(here, eye=(0.25, 1.25, 508.0), target=(0.25, 1.25, 500.0))
    assert np.abs(shot(EMPTY, here) - shot(EMPTY, there)).max() <= 2
    assert grid_step(here) == grid_step(there) == 1.0
    assert grid_step(replace(there, orthographic=False)) == 10.0


# Arrow heads


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("way", [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])
def test_an_arrow_seen_end_on_is_a_round_dot_around_its_position(way, orthographic):
    camera = Camera((0.0, 2.0, 8.0), (0.0, 2.0, 0.0), orthographic=orthographic)
    empty, pixels = shot(EMPTY, camera), shot(drawn(arrows=[((0.0, 2.0, 0.0), way)]), camera)
    rows, columns = np.nonzero(np.abs(pixels - empty).max(axis=2) > 8)
    middle = SIZE[1] / 2 - 0.5, SIZE[0] / 2 - 0.5
    away = np.hypot(rows - middle[0], columns - middle[1])
    assert 2 < away.max() < 7
    assert len(rows) > 0.7 * np.pi * away.max() ** 2, "it is filled, and not in the corners of a square"
    assert abs(rows.mean() - middle[0]) < 0.5 and abs(columns.mean() - middle[1]) < 0.5


def test_a_ray_seen_end_on_leaves_nothing_but_a_dot():
    camera = Camera((1.0, 2.0, 8.0), (1.0, 2.0, 0.0), orthographic=True)
    ray = strokes(((1.0, 2.0, 3.0), (1.0, 2.0, -3.0), Ending.ARROW_END))
    changed = np.abs(shot(drawn(strokes=ray), camera) - shot(EMPTY, camera)).max(axis=2) > 8
    rows, columns = np.nonzero(changed)
    assert np.hypot(rows - SIZE[1] / 2 + 0.5, columns - SIZE[0] / 2 + 0.5).max() < 8
    assert 20 < len(rows) < 160
