"""Shapes with a radius around a core, casts and frusta in the window."""

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.element_arrays import corners_of
from hitscope.draw.handle_targets import handle_target
from hitscope.draw.items import Role
from hitscope.maps.handles import find_handle
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    FrustumPrimitive,
    FrustumProbe,
    ObbPrimitive,
    SphereProbe,
    TrianglePrimitive,
    TriangleProbe,
)
from hitscope.scene.model import Scene
from hitscope.viewer.interface.user_interface import draw_list
from hitscope.viewer.tools.gizmo import Rotation, Scaling
from tests.viewer.user import status_of, target_at

DIE = AabbPrimitive(id="die", min=(-1.0, 0.0, -1.0), max=(1.0, 2.0, 1.0), radius=0.5)
SAIL = TrianglePrimitive(id="sail", vertices=((2.0, 0.0, 0.0), (4.0, 0.0, 0.0), (3.0, 2.0, 0.0)), radius=0.25)
SCALING = (0.0, 0.0, 0.0), (2.0, 2.0, 2.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
BALL = SphereProbe(id="ball", center=(-4.0, 1.0, 0.0), radius=0.5, motion=(2.0, 0.0, 0.0))
CAMERA = FrustumProbe(
    id="camera",
    eye=(0.0, 1.0, 6.0),
    target=(0.0, 1.0, 0.0),
    up=(0.0, 1.0, 0.0),
    fov_deg=60.0,
    aspect=1.0,
    near=1.0,
    far=3.0,
)


@pytest.mark.replayed
def test_a_rounded_shape_is_selected_on_its_surface_and_its_radius_is_dragged(open_items):
    user = open_items(DIE, SAIL, probes=(BALL,))
    assert target_at(user.state, *user.pixel((3.0, 0.5, 0.25)))[:2] == ("primitive", "sail")
    user.click_on("primitive die")
    user.drag(user.pixel((1.5, 2.0, 1.0)), user.pixel((1.75, 2.0, 1.0)), release=False)
    assert "radius" in status_of(user.state)
    user.release()
    assert user.item("die").radius == pytest.approx(0.75, abs=0.02)
    assert (user.item("die").min, user.item("die").max) == (DIE.min, DIE.max)
    user.keys("Ctrl+Z")
    assert user.item("die") == DIE


@pytest.mark.replayed
def test_the_end_of_a_motion_is_dragged_and_its_start_moves_the_whole_cast(open_items):
    user = open_items(DIE, probes=(BALL,))
    user.drag(user.pixel((-2.0, 1.0, 0.0)), user.pixel((-3.0, 2.0, 0.0)))
    np.testing.assert_allclose(user.item("ball").motion, (1.0, 1.0, 0.0), atol=0.1)
    assert user.item("ball").center == BALL.center
    user.keys("Ctrl+Z")
    user.drag(user.pixel((-4.0, 1.0, 0.0)), user.pixel((-4.0, 2.0, 0.0)))
    np.testing.assert_allclose(user.item("ball").center, (-4.0, 2.0, 0.0), atol=0.4)
    assert user.item("ball").motion == BALL.motion


@pytest.mark.parametrize(
    ("probe", "drawn"),
    [
        (BALL, "rounds"),
        (AabbProbe(id="p", min=(-5.0, 0.0, 0.0), max=(-4.0, 1.0, 1.0), motion=(2.0, 0.0, 0.0)), "boxes"),
        (
            TriangleProbe(id="p", vertices=((-5, 0, 0), (-4, 0, 0), (-4, 1, 0)), motion=(2.0, 0.0, 0.0)),
            "triangles",
        ),
    ],
    ids=["round", "box", "triangle"],
)
def test_a_cast_is_drawn_at_its_start_on_its_way_and_where_it_stops(open_items, probe, drawn):
    user = open_items(SAIL, probes=(probe,))
    roles = getattr(draw_list(user.state).probes, drawn).roles.tolist()
    assert roles == [Role.PROBE, Role.PROBE, *[Role.REFERENCE] * 3], "it meets nothing and gets to its end"
    user = open_items(SAIL, probes=(probe.__class__(**{**fields(probe), "motion": (0.0, 0.0, 0.0)}),))
    assert getattr(draw_list(user.state).probes, drawn).roles.tolist() == [Role.PROBE]


def fields(item):
    return {name: getattr(item, name) for name in item.__struct_fields__}


def test_a_frustum_is_drawn_by_its_faces_and_moved_by_its_middle(open_items):
    user = open_items(DIE, probes=(CAMERA,))
    facets = draw_list(user.state).facets
    assert set(facets.roles.tolist()) == {Role.PROBE}
    assert len({tuple(np.round(normal, 9)) for normal in facets.normals.tolist()}) == 6
    moved = handle_target(CAMERA, 0)
    x, y, z = moved.vector
    after = moved.store((x + 1.0, y, z))
    assert (after.eye, after.target, after.up) == ((1.0, 1.0, 6.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))


@pytest.mark.replayed
@pytest.mark.parametrize("role", ["probe", "primitive"])
def test_a_frustum_by_its_view_is_dragged_by_its_eye_and_its_target(open_items, role):
    kind, motion = (FrustumProbe, {"motion": (3.0, 0.0, 0.0)}) if role == "probe" else (FrustumPrimitive, {})
    camera = kind(**{name: getattr(CAMERA, name) for name in FrustumPrimitive.__struct_fields__}, **motion)
    user = open_items(DIE, *([camera] if role == "primitive" else []), probes=(camera,) if motion else ())
    before = user.item("camera")
    user.click_on(f"{role} camera")
    user.drag(user.pixel(CAMERA.eye), user.pixel((-2.0, 2.0, 6.0)), release=False)
    assert "eye" in status_of(user.state)
    user.release()
    moved = user.item("camera")
    np.testing.assert_allclose(moved.eye, (-2.0, 2.0, 6.0), atol=0.2)
    user.drag(user.pixel(CAMERA.target), user.pixel((1.0, 1.0, 1.0)))
    turned = user.item("camera")
    np.testing.assert_allclose(user.pixel(turned.target), user.pixel((1.0, 1.0, 1.0)), atol=2)
    assert turned == replace(before, eye=moved.eye, target=turned.target), "it keeps the form that it is stored in"
    user.keys("Ctrl+Z", "Ctrl+Z")
    assert user.item("camera") == before


def test_the_eye_of_a_view_stays_where_it_would_have_no_direction():
    eye = handle_target(CAMERA, 1)
    assert (eye.name, eye.store(CAMERA.target), eye.store((0.0, 9.0, 0.0))) == ("eye", CAMERA, CAMERA)
    scene = Scene(version=1, primitives=(), probes=(CAMERA,))
    assert find_handle(scene, "camera.target").numbers.vector == CAMERA.target


@pytest.mark.parametrize("scaling", [False, True])
def test_a_frustum_is_changed_alike_in_each_of_its_forms(scaling):
    clip = [
        [3**0.5, 0.0, 0.0, 0.0],
        [0.0, 3**0.5, 0.0, -(3**0.5)],
        [0.0, 0.0, -1.5, 7.5],
        [0.0, 0.0, -1.0, 6.0],
    ]
    by_matrix = FrustumProbe(id="m", matrix=tuple(map(tuple, clip)))
    change = Scaling(*SCALING) if scaling else Rotation((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 90.0)
    for before, after in zip((CAMERA, by_matrix), change.apply([CAMERA, by_matrix]), strict=True):
        for corner in corners_of([before.shape]):
            x, y, z = corner
            image = (2 * x, 2 * y, 2 * z) if scaling else (1 - y, x - 1, z)
            assert np.abs(corners_of([after.shape]) - image).max(axis=1).min() < 1e-12


@pytest.mark.replayed
def test_the_gizmo_scales_a_radius_evenly_and_refuses_one_axis_in_words(open_items):
    user = open_items(
        DIE, ObbPrimitive(id="bar", center=(5.0, 1.0, 0.0), half_extents=(1.0, 1.0, 1.0), radius=0.5)
    )
    user.click_on("primitive die")
    user.keys("R")
    scene = user.state.session.scene
    x, y = user.arrow()
    user.drag((x, y), (x + 60, y))
    assert "the same factor along every axis" in status_of(user.state)
    assert user.state.session.scene is scene
    middle = user.pixel((0.0, 1.0, 0.0))
    user.drag(middle, (middle[0] + 30, middle[1]), release=False)
    user.keys("2", "Enter")
    user.release()
    assert user.item("die") == AabbPrimitive(id="die", min=(-2.0, -1.0, -2.0), max=(2.0, 3.0, 2.0), radius=1.0)


@pytest.mark.parametrize("change", [Rotation((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 90.0), Scaling(*SCALING)])
def test_a_change_of_a_rounded_cast_keeps_its_radius_and_takes_its_motion_along(change):
    probe = AabbProbe(id="p", min=(-1.0, 0.0, -1.0), max=(1.0, 2.0, 1.0), radius=0.5, motion=(2.0, 0.0, 0.0))
    (changed,) = change.apply([probe])
    (rough,) = change.apply([probe], rough=True)
    turned = isinstance(change, Rotation)
    np.testing.assert_allclose(changed.motion, (0.0, 2.0, 0.0) if turned else (4.0, 0.0, 0.0), atol=1e-15)
    assert changed.radius == (0.5 if turned else 1.0)
    assert (rough.motion, rough.radius) == (changed.motion, changed.radius)
