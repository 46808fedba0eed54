"""The soft shadow on the ground: what casts one, how it tells a height, and when it is made again."""

from dataclasses import replace

import numpy as np
import pytest

from hitscope.draw.extent import Stage
from hitscope.draw.items import Boxes, Cue, Ending, Role, Solids
from hitscope.geometry.shapes import Plane, Polyhedron
from hitscope.offscreen_context import offscreen_context
from hitscope.render.camera import Camera
from hitscope.render.palette import DARK, LIGHT
from hitscope.render.renderer import Reduced, Renderer, Settings
from hitscope.render.shape_meshes import ShapeMeshes
from hitscope.render.view import View
from tests.render.drawn import SIZE, WHOLE, boxes, drawn, facets, shot, shots, spheres, strokes, triangles

NONE = Cue.NONE
LOW = Camera((0.0, 0.45, 4.0), (0.0, 0.1, 0.0))
"""Sees the ground below what floats, and nothing through a face."""
UNDER, RIM, BESIDE = (0.1, 0, 0.3), (0.6, 0, 0.3), (1.4, 0, 0.3)
EMPTY = drawn()


def slab(height, thickness=0.2, cue=NONE, half=0.5):
    return boxes(((-half, height, -half), (half, height + thickness, half), Role.HIT, cue))


def patch(pixels, camera, point):
    x, y, _ = View(camera, WHOLE).project([point])[0].astype(int)
    return pixels[y - 1 : y + 2, x - 2 : x + 3].mean()


def darkness(what, point, camera=LOW, theme=LIGHT):
    """How much darker a picture is than that of the empty stage, around a point."""
    empty, pixels = shot(EMPTY, camera, theme=theme), shot(what, camera, theme=theme)
    return patch(empty, camera, point) - patch(pixels, camera, point)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_the_ground_is_darker_under_what_floats_than_beside_it(theme):
    floating = drawn(slab(0.15))
    under, rim, beside = (darkness(floating, point, theme=theme) for point in (UNDER, RIM, BESIDE))
    assert under > rim + 1 > 2
    assert under > (5 if theme is DARK else 18)
    assert abs(beside) < 1.5


def test_with_z_up_the_shadow_lies_across_z():
    camera = Camera((0.0, -4.0, 0.45), (0.0, 0.0, 0.1), "z")
    upright = drawn(boxes(((-0.5, -0.5, 0.15), (0.5, 0.5, 0.35), Role.HIT, NONE)))
    same = [(x, -z, y) for x, y, z in (UNDER, RIM, BESIDE)]
    for there, here in zip(same, (UNDER, RIM, BESIDE), strict=True):
        assert darkness(upright, there, camera) == pytest.approx(darkness(drawn(slab(0.15)), here), abs=2)


def test_the_higher_the_softer_and_the_weaker():
    low, high, higher = (drawn(slab(height)) for height in (0.1, 0.35, 0.7))
    under = [darkness(what, UNDER) for what in (low, high, higher)]
    assert under[0] > 1.4 * under[1] > 1.4 * 1.4 * under[2] > 4
    soft = [darkness(what, RIM) / darkness(what, UNDER) for what in (low, high, higher)]
    assert soft[0] < soft[1] < soft[2]


def test_the_shadow_of_a_sphere_is_round_and_that_of_a_box_is_not():
    away = np.array([5000.0, 0.0, 5000.0])  # where no axes of the origin are drawn over it
    above = Camera(tuple(np.add(away, (0.0, 4.0, 0.01))), tuple(away))
    ball = drawn(spheres=spheres((np.add(away, (0, 0.6, 0)), 0.5, Role.HIT, NONE)), anchor=away)
    lo, hi = np.add(away, ((-0.5, 0.1, -0.5), (0.5, 1.1, 0.5)))
    box = drawn(boxes((lo, hi, Role.HIT, NONE)), anchor=away)
    empty = shot(drawn(anchor=away), above, theme=LIGHT)

    def shade(what, degrees):
        """How much darker the ground is beside a shape, at a distance of 0.8."""
        way = np.array([np.cos(np.radians(degrees)), 0.0, np.sin(np.radians(degrees))])
        pixels = shot(what, above, theme=LIGHT)
        return np.mean([patch(empty - pixels, above, away + far * way) for far in (0.75, 0.8, 0.85)])

    around = [shade(ball, degrees) for degrees in range(0, 360, 45)]
    assert 3 < max(around) < 1.25 * min(around)
    assert shade(box, 45) > 1.5 * shade(box, 0)


SHEET = Polyhedron(vertices=((-0.5, 0.2, -0.5), (0.5, 0.2, -0.5), (0.5, 0.2, 0.5), (-0.5, 0.2, 0.5)))


@pytest.mark.parametrize(
    "what",
    [
        drawn(slab(0.2, 0.0)),
        drawn(Boxes(np.array([[0.5, 0.2, -0.5]]), np.diag([-1.0, 0, 1])[None], *[np.zeros(1, np.uint8)] * 2)),
        drawn(facets=facets((SHEET, Role.HIT, NONE))),
        drawn(
            triangles=triangles(
                ((-0.5, 0.2, -0.5), (0.5, 0.2, -0.5), (0.5, 0.2, 0.5), Role.HIT, NONE),
                ((-0.5, 0.2, -0.5), (0.5, 0.2, 0.5), (-0.5, 0.2, 0.5), Role.HIT, NONE),
            )
        ),
    ],
    ids=["flat box", "left-handed flat box", "flat polyhedron", "triangles"],
)
def test_what_is_flat_casts_the_shadow_of_the_underside_of_a_box(what):
    for point in (UNDER, RIM):
        assert darkness(what, point) == pytest.approx(darkness(drawn(slab(0.2)), point), abs=2)


def test_what_stands_in_the_ground_has_the_rim_of_what_stands_on_it():
    on, in_it = (drawn(slab(height, 0.6)) for height in (0.0, -0.3))
    near, aside = (0.6, 0, 0.3), (0.8, 0, 0.3)
    assert darkness(on, near) > 5
    assert darkness(on, aside) < 3
    for point in (near, aside):
        assert darkness(in_it, point) == pytest.approx(darkness(on, point), abs=1)


@pytest.mark.parametrize("eye", [LOW.eye, (1.0, 3.0, 4.0)])
def test_what_lies_in_the_ground_has_its_shadow_under_it_not_over_it(eye):
    camera = replace(LOW, eye=eye)
    lying, lifted = (
        patch(
            shot(drawn(triangles=triangles(((-1, y, 1), (1, y, 1), (0, y, -1), Role.HIT, NONE))), camera),
            camera,
            point,
        )
        for y, point in ((0.0, (0.13, 0.0, 0.4)), (0.05, (0.13, 0.05, 0.4)))
    )
    assert lying > 0.6 * lifted


def test_what_is_under_the_ground_casts_none():
    assert abs(darkness(drawn(slab(-0.4)), (0.6, 0, 0.3))) < 1


def test_planes_and_probes_cast_none():
    above = Plane((0.0, 1.0, 0.0), 0.7)
    probe = replace(drawn(), probes=Solids(slab(0.15)))
    line = strokes(((-1, 0.2, 0), (1, 0.2, 0), Ending.PLAIN))
    for what in (drawn(facets=facets((above, Role.HIT, NONE))), probe, drawn(strokes=line)):
        assert abs(darkness(what, UNDER)) < 1


@pytest.mark.parametrize("reduced", [None, Reduced(4.0)])
def test_what_is_hidden_casts_none_and_casts_it_again_when_it_is_shown(reduced):
    shown, hidden = drawn(slab(0.15)), drawn(slab(0.15, cue=Cue.HIDDEN))
    first, without, again, empty = shots(
        *((what, LOW, reduced) for what in (shown, hidden, shown, EMPTY)), theme=LIGHT
    )
    assert np.abs(without - empty).max() <= 1
    assert np.abs(again - first).max() <= 1
    assert patch(empty, LOW, UNDER) - patch(first, LOW, UNDER) > 18


def test_in_motion_a_shadow_stays_and_at_rest_it_follows():
    here, there = drawn(slab(0.15)), drawn(replace(slab(0.15), origins=np.array([[1.0, 0.15, -0.5]])))
    before, moving, moved, fresh = shots(
        (here, LOW, Reduced(4.0)),
        (there, LOW, Reduced(4.0)),
        *[(there, LOW, None)] * 2,
        theme=LIGHT,
    )
    (alone,) = shots((there, LOW, None), theme=LIGHT)
    assert patch(moving, LOW, UNDER) == pytest.approx(patch(before, LOW, UNDER), abs=1)
    for pixels in (moved, fresh):
        assert np.abs(pixels - alone).max() <= 1


def test_in_motion_a_kept_shadow_keeps_its_position_when_the_scene_grows():
    here = drawn(slab(0.15))
    grown = replace(drawn(slab(0.15)), stage=Stage(np.array([1.0, 0.0, 0.0]), 2.5))
    before, after = shots((here, LOW, Reduced(4.0)), (grown, LOW, Reduced(4.0)), theme=LIGHT)
    assert np.abs(before - after).max() <= 3


def test_neither_orbiting_nor_selecting_makes_the_shadow_again(monkeypatch):
    made = []
    overhead = ShapeMeshes.overhead
    monkeypatch.setattr(ShapeMeshes, "overhead", lambda *given: made.append(given) or overhead(*given))
    what = drawn(slab(0.15))
    with offscreen_context() as context:
        renderer, target = Renderer(context), context.simple_framebuffer(SIZE, components=3)

        def makes(what, camera, theme=LIGHT):
            made.clear()
            renderer.draw(what, camera, Settings(SIZE, theme), target)
            return bool(made)

        assert makes(what, LOW)
        assert not makes(what, LOW.orbit(40, 30).zoom(2), DARK)
        marked = replace(what.single.boxes, cues=np.array([Cue.SELECTED], np.uint8), roles=np.array([1], np.uint8))
        assert not makes(replace(what, single=what.single._replace(boxes=marked)), LOW)
        assert makes(drawn(slab(0.2)), LOW)
        assert makes(what, LOW.with_up("z"))


@pytest.mark.parametrize("scale", [1e-305, 1e-9, 1e9, 1e290])
def test_the_shadow_of_a_tiny_and_of_a_huge_scene_is_the_same(scale):
    box = boxes((np.array((-0.5, 0.15, -0.5)) * scale, np.array((0.5, 0.35, 0.5)) * scale, Role.HIT, NONE))
    camera = Camera(*(tuple((np.array(end) * scale).tolist()) for end in (LOW.eye, LOW.target)))
    here, there = shot(drawn(slab(0.15)), LOW, theme=LIGHT), shot(drawn(box, scale=scale), camera, theme=LIGHT)
    for point in (UNDER, RIM, BESIDE):
        assert patch(there, LOW, point) == pytest.approx(patch(here, LOW, point), abs=2)


def test_many_boxes_cast_the_shadow_of_the_slab_that_they_fill():
    n = 64
    x, z = np.meshgrid(*(np.linspace(-0.5, 0.5, n, endpoint=False),) * 2)
    lows = np.stack([x, np.full_like(x, 0.15), z], axis=-1).reshape(-1, 3)
    codes = np.zeros(len(lows), np.uint8)
    many = drawn(Boxes(lows, np.tile(np.eye(3) / n, (len(lows), 1, 1)), codes, codes))
    for point in (UNDER, RIM):
        assert darkness(many, point) == pytest.approx(darkness(drawn(slab(0.15)), point), rel=0.15, abs=1)
