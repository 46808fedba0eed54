"""Pictures of opaque triangles, as those of meshes are."""

from itertools import pairwise

import numpy as np
import pytest

from hitscope.draw.items import Cue, DrawList, Role
from hitscope.offscreen_context import offscreen_context
from hitscope.render.camera import Camera
from hitscope.render.palette import DARK, LIGHT, THEMES
from hitscope.render.renderer import Reduced, Renderer, Settings
from hitscope.render.view import View
from tests.render.drawn import SIZE, WHOLE, at, boxes, drawn, shot, triangles

RED, GREEN, BLUE = range(3)
NONE = Cue.NONE
FRONT = Camera((0.0, 0.0, 8.0), (0.0, 0.0, 0.0))
WALL = ((-2, -2, 0), (2, -2, 0), (0, 3, 0))


def sheet(count, role=Role.NEUTRAL, cue=NONE, half=2.0, z=0.0, other=None):
    """A square of 2 * count**2 opaque triangles across the view; `other` are roles by the triangles' indices."""
    steps = np.linspace(-half, half, count + 1)
    rows = []
    for x, right in pairwise(steps):
        for y, top in pairwise(steps):
            rows += [((x, y, z), (right, y, z), (right, top, z)), ((x, y, z), (right, top, z), (x, top, z))]
    given = [(*row, (other or {}).get(i, role), cue) for i, row in enumerate(rows)]
    return triangles(*given, opaque=True)


def colourfulness(colour):
    return int(max(colour) - min(colour))


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_what_is_not_tested_is_grey(theme):
    for what in (
        drawn(boxes(((-1, -1, -1), (1, 1, 1), Role.NEUTRAL, NONE))),
        drawn(triangles=triangles((*WALL, Role.NEUTRAL, NONE))),
        drawn(triangles=sheet(4)),
    ):
        pixels = shot(what, FRONT, theme=theme)
        empty = shot(drawn(), FRONT, theme=theme)
        covered = np.abs(pixels - empty).max(axis=2) > 12
        # The axes of the grid, which are coloured, are behind it.
        plain = covered & (np.ptp(empty, axis=2) < 20)
        assert plain.sum() > 500
        assert np.ptp(pixels[plain], axis=1).max() < 45


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_on_a_mesh_a_hit_is_clear_and_a_miss_is_calm(theme):
    hit, miss, neutral = (
        at(shot(drawn(triangles=sheet(1, role)), FRONT, theme=theme), FRONT, (1.0, -0.8, 0.0))
        for role in (Role.HIT, Role.MISS, Role.NEUTRAL)
    )
    main = BLUE if "orange" in theme.name else GREEN
    assert hit.argmax() == main and colourfulness(hit) > 80
    assert colourfulness(miss) < 45 and colourfulness(neutral) < 30
    assert np.abs(miss - neutral).max() > 4, "a miss looks like what is not tested"
    grey = np.array((0.2126, 0.7152, 0.0722))
    assert abs(float((hit - miss) @ grey)) > 15, "a hit is not seen in grey"


def test_a_hit_on_a_mesh_has_strong_edges_as_a_second_cue():
    shade = {}
    for role in (Role.HIT, Role.MISS):
        pixels = shot(drawn(triangles=sheet(2, role)), FRONT)
        face, edge = at(pixels, FRONT, (1.2, -1.7, 0)), at(pixels, FRONT, (1.0, 0.0, 0))
        shade[role] = np.abs(edge - face).max()
    assert shade[Role.HIT] > 40 and 8 < shade[Role.MISS] < shade[Role.HIT]


@pytest.mark.parametrize("samples", [1, 4])
def test_nothing_behind_an_opaque_triangle_is_seen_and_what_is_before_it_is(samples):
    wall = sheet(1)
    behind, before = (boxes(((-1, -1, z), (1, 1, z + 1), Role.HIT, NONE)) for z in (-4.0, 2.0))
    alone, hiding, hidden = (
        at(shot(what, FRONT, samples=samples), FRONT, (0.3, 0.4, 0))
        for what in (drawn(triangles=wall), drawn(behind, wall), drawn(before, wall))
    )
    assert np.abs(hiding - alone).max() <= 1
    assert hidden[GREEN] - hidden[RED] > alone[GREEN] - alone[RED] + 15


def test_the_grid_is_behind_and_before_an_opaque_wall_where_it_is():
    camera = Camera((0.0, 3.0, 8.0), (0.0, 0.0, 0.0))
    on_axis = (1.4, 0.0, 0.0)
    empty, behind, before = (
        at(shot(what, camera), camera, on_axis)
        for what in (drawn(), drawn(triangles=sheet(1, z=-1.0)), drawn(triangles=sheet(1, z=1.0)))
    )
    assert colourfulness(empty) > 60 and np.abs(behind - empty).max() < 40
    assert colourfulness(before) < 30, "the X axis is seen through the wall"


def test_a_translucent_box_before_a_wall_does_not_hide_the_grid_between_them():
    camera = Camera((0.0, 3.0, 8.0), (0.0, 0.0, 0.0))
    box = boxes(((0.5, -1, 2), (2.5, 2.5, 3), Role.NEUTRAL, NONE))
    seen = at(shot(drawn(box, sheet(1, z=-1.0)), camera), camera, (1.4, 0.0, 0.0))
    assert seen[RED] > seen[GREEN] + 40


def test_the_nearer_of_two_opaque_triangles_is_seen_in_whatever_order_they_come():
    near, far = (*((x, y, 1.0) for x, y, _ in WALL), Role.HIT, NONE), (*WALL, Role.NEUTRAL, NONE)
    one, other = (
        shot(drawn(triangles=triangles(*rows, opaque=True)), FRONT) for rows in ((near, far), (far, near))
    )
    assert np.abs(one - other).max() <= 2
    assert colourfulness(at(one, FRONT, (0.6, -1.0, 1.0))) > 80


def test_the_edges_of_a_dense_mesh_fade():
    spread = {}
    for count in (2, 10, 120):
        pixels = shot(drawn(triangles=sheet(count)), FRONT)
        left, bottom = View(FRONT, WHOLE).project([(0.6, 0.6, 0.0)])[0, :2].astype(int)
        inside = pixels[bottom - 40 : bottom, left : left + 40]
        spread[count] = int(np.ptp(inside.sum(axis=2)))
    assert spread[2] > 60 > spread[120] and spread[120] < 20
    assert spread[2] > spread[10] >= spread[120]


def test_a_mesh_is_lit_from_above():
    tilted = [((-2, -1, z), (2, -1, z), (0, 1, 0), Role.NEUTRAL, NONE) for z in (2.0, -2.0)]
    up, down = (
        at(shot(drawn(triangles=triangles(t, opaque=True)), FRONT), FRONT, (0.9, -0.5, 0.75 * z))
        for t, z in zip(tilted, (2.0, -2.0), strict=True)
    )
    assert up.sum() > down.sum() + 60


@pytest.mark.parametrize("reduced", [None, Reduced(4.0), Reduced(8.0, grain=2)])
def test_a_mesh_is_opaque_in_motion_too(reduced):
    behind = boxes(((-1, -1, -4), (1, 1, -3), Role.HIT, NONE))
    shots = []
    with offscreen_context() as context:
        renderer = Renderer(context)
        target = context.simple_framebuffer(SIZE, components=3)
        for what in (drawn(behind, sheet(20)), drawn(triangles=sheet(20)), drawn(behind)):
            renderer.draw(what, FRONT, Settings(SIZE, reduced=reduced), target)
            pixels = np.frombuffer(target.read(alignment=1), np.uint8).reshape(SIZE[1], SIZE[0], 3)[::-1]
            shots.append(at(pixels.astype(int), FRONT, (0.3, 0.4, 0)))
    assert np.abs(shots[0] - shots[1]).max() <= 1 and colourfulness(shots[1]) < 30
    assert colourfulness(shots[2]) > 25, "the opaque layer of an earlier picture is still seen"


def test_a_tiny_opaque_triangle_is_a_mark():
    mote = triangles(((2.0, 1, 0), (2.001, 1, 0), (2.0, 1.001, 0), Role.HIT, NONE), opaque=True)
    pixels = shot(drawn(triangles=mote), FRONT)
    assert colourfulness(at(pixels, FRONT, (2.0, 1, 0))) > 60


def test_a_selected_mesh_has_one_outline_around_it():
    pixels, plain = (shot(drawn(triangles=sheet(16, cue=cue)), FRONT) for cue in (Cue.SELECTED, NONE))
    changed = np.abs(pixels - plain).max(axis=2) > 30
    rows, columns = np.nonzero(changed)
    assert len(rows) > 300
    corner = at(pixels, FRONT, (0, 0, 0))
    np.testing.assert_array_equal(corner, at(plain, FRONT, (0, 0, 0)))
    middle = changed[rows.min() + 8 : rows.max() - 8, columns.min() + 8 : columns.max() - 8]
    assert middle.mean() < 0.01, "triangles inside of the mesh are outlined"


def test_one_selected_triangle_of_a_mesh_has_an_outline():
    codes = sheet(16)
    cues = codes.cues.copy()
    cues[16 * 16] = Cue.SELECTED
    chosen = type(codes)(codes.vertices, codes.roles, cues, codes.opaque)
    pixels, plain = (shot(drawn(triangles=what), FRONT) for what in (chosen, codes))
    assert (np.abs(pixels - plain).max(axis=2) > 60).sum() > 40


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_a_hidden_opaque_triangle_is_not_drawn(theme):
    gone = drawn(triangles=triangles((*WALL, Role.NEUTRAL, Cue.HIDDEN), opaque=True))
    assert np.abs(shot(gone, FRONT, theme=theme) - shot(drawn(), FRONT, theme=theme)).max() <= 1


def test_a_mesh_makes_boxes_that_are_missed_no_fainter():
    box = boxes(((-3, -1, 0), (-2, 1, 1), Role.MISS, NONE))
    few, many = drawn(box), drawn(box, sheet(20, Role.MISS, half=1.0))
    assert isinstance(few, DrawList)
    point = (-2.5, 0.3, 1.0)
    assert np.abs(at(shot(few, FRONT), FRONT, point) - at(shot(many, FRONT), FRONT, point)).max() <= 1
