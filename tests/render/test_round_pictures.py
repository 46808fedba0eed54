"""Pictures of spheres: round at every zoom, at the right depth, and in the look of boxes."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from hitscope.draw.items import NO_ROUND_SHAPES, Cue, Role, RoundShapes
from hitscope.draw.shape_drawings import round_arrays_of
from hitscope.geometry import exact
from hitscope.geometry.shapes import Aabb, Capsule, Obb, Parallelepiped, Polyhedron, Ray, Rounded, Triangle, word
from hitscope.offscreen_context import offscreen_context
from hitscope.render import shape_meshes
from hitscope.render.camera import Camera
from hitscope.render.palette import DARK, THEMES
from hitscope.render.renderer import Reduced, Renderer, Settings
from hitscope.render.view import View
from hitscope.scene.python_interface import scene
from hitscope.scene.transforms import translate
from tests.geometry.oracle import cross
from tests.render.drawn import SIZE, WHOLE, at, boxes, drawn, shot, shots, spheres, triangles

NONE = Cue.NONE
RED, GREEN, BLUE = range(3)
FRONT = Camera((0.0, 0.0, 6.0), (0.0, 0.0, 0.0))
ASIDE = Camera((0.0, 0.0, 3.0), (2.0, 0.5, 0.0), fov_deg=80.0)
CLOSE = Camera((0.0, 0.2, 1.1), (0.0, 0.9, 0.0))
ABOVE = Camera((0.6, 1.5, 1.2), (0.2, 0.0, 0.4))
FLAT = Camera((1.0, 2.0, 6.0), (0.0, 0.0, 0.0), orthographic=True)
UNIT = ((0, 0, 0), 1.0)
PLANET = ((0.0, -1e6, 0.0), 1e6)
ON_PLANET = Camera((0.0, 2.0, 5.0), (0.0, 2.0, 0.0))
AWAY = (5000.0, 0.0, 5000.0)
EVERY_THEME = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def ball(role=Role.HIT, cue=NONE, sphere=UNIT, **more):
    return drawn(spheres=spheres((*sphere, role, cue)), **more)


def is_hit(view, sphere, x, y):
    """Whether the line of sight through a point of the picture meets a sphere, right to far less than a pixel."""
    origin, way = (part.tolist() for part in view.ray_through(x, y))
    out = [c - o for c, o in zip(sphere[0], origin, strict=True)]
    along = sum(a * b for a, b in zip(way, out, strict=True))
    return along > 0 and math.hypot(*cross(out, way)) <= sphere[1] * math.hypot(*way)


def moved_away(camera):
    """The camera at AWAY, where no axes of the origin are drawn over anything."""
    return replace(camera, eye=tuple(np.add(camera.eye, AWAY)), target=tuple(np.add(camera.target, AWAY)))


def covered(shapes_of, camera, reduced):
    """The pixels that differ by the role of round shapes: those that they cover."""
    hit, missed = shots(
        *((drawn(spheres=shapes_of(role), anchor=AWAY), camera, reduced) for role in (Role.HIT, Role.MISS))
    )
    return np.abs(hit - missed).max(axis=2) > 12


@pytest.mark.parametrize(
    ("shape", "camera", "reduced"),
    [
        (Capsule((-1, 0, 0), (1, 0.5, 0), 0.5), FRONT, None),
        (Capsule((-1, 0, 0), (1, 0.5, 0), 0.5), FRONT, Reduced(4.0)),
        (Capsule((-1, 0, 2), (1, 0.5, -3), 0.5), FRONT, None),
        (Capsule((-1, 0, 1), (1, 0.5, -2), 0.5), FRONT, Reduced(4.0)),
        (Capsule((0, 0, 1), (0, 0, -9), 0.5), FRONT, None),
        (Capsule((0, -1, 0), (1, 0.4, -1), 0.5), ASIDE, None),
        (Capsule((0, -0.5, -9), (0, -0.5, 9), 0.4), FRONT, None),
        (Capsule((-1, 0.2, 0), (0.5, 0, 2), 0.6), FLAT, None),
        (Capsule((-1, 0.2, 0), (0.5, 0, 2), 0.6), FLAT, Reduced(4.0)),
        (Capsule((0, 0, 2), (0, 0, -2), 0.6), replace(FRONT, orthographic=True), None),
        (Capsule((-2e6, -1e6, 0), (3e6, -1e6, 1e5), 1e6), ON_PLANET, None),
        (Rounded(Aabb((-1, -0.5, -1), (1, 0.5, 1)), 0.4), FRONT, None),
        (Rounded(Aabb((-1, -0.5, -1), (1, 0.5, 1)), 0.4), ASIDE, Reduced(4.0)),
        (Rounded(Aabb((-1, 0.25, -1), (1, 0.25, 1)), 0.4), FLAT, None),
        (
            Rounded(Obb((0, 0, 0), (1, 0.5, 0.25), ((0.6, 0.8, 0), (-0.8, 0.6, 0), (0, 0, 1))), 0.4),
            ABOVE,
            None,
        ),
        (Rounded(Parallelepiped((-1, 0, 0), ((1, 0, 0), (0.5, 1, 0), (0, 0.5, 1))), 0.4), FRONT, None),
        (Rounded(Triangle((-1, -1, 0), (1, -0.5, 0), (0, 1, 1)), 0.4), FRONT, None),
        (Rounded(Triangle((-1, -1, 0), (0, 0, 0), (1, 1, 0)), 0.4), FRONT, None),
        (
            Rounded(Polyhedron(vertices=[(-1, 0, 0), (1, 0, 0), (0, 0, 1), (0, 1.5, 0.5), (0, -1, 0.5)]), 0.4),
            ASIDE,
            None,
        ),
    ],
    ids=lambda given: word(given) if hasattr(given, "_fields") else "",
)
def test_the_silhouette_of_a_round_shape_is_that_of_all_within_its_radius(shape, camera, reduced):
    shape = translate(scene([shape]).primitives[0], AWAY).shape
    camera = moved_away(camera)
    arrays = round_arrays_of([shape])
    unlike = covered(lambda role: RoundShapes(*arrays, *np.array([[role], [NONE]], np.uint8)), camera, reduced)
    # The reduced picture has discs between those of a capsule's ends, which are rounder than they appear.
    margin = 4 if reduced and isinstance(shape, Capsule) else 1.5
    inside = outside = 0
    for x, y in product(range(3, SIZE[0], 19), range(3, SIZE[1], 19)):
        around = set()
        for dx, dy in product((-margin, margin), repeat=2):
            origin, way = View(camera, WHOLE).ray_through(x + 0.5 + dx, y + 0.5 + dy)
            around.add(exact.meet(Ray(origin.tolist(), way.tolist()), shape))
        if len(around) == 1:
            assert unlike[y, x] == (True in around), (x, y)
            inside, outside = inside + unlike[y, x], outside + (not unlike[y, x])
    assert min(inside, outside) > 4


@pytest.mark.parametrize(
    ("sphere", "camera", "reduced"),
    [
        (UNIT, FRONT, None),
        (UNIT, FRONT, Reduced(4.0)),
        (UNIT, ASIDE, None),
        (UNIT, CLOSE, None),
        (UNIT, CLOSE, Reduced(4.0)),
        (UNIT, FLAT, None),
        (PLANET, ON_PLANET, None),
    ],
    ids=["far", "far, reduced", "aside", "near", "near, reduced", "orthographic", "as large as a planet"],
)
def test_the_silhouette_is_the_exact_conic(sphere, camera, reduced):
    sphere, camera = (tuple(np.add(sphere[0], AWAY).tolist()), sphere[1]), moved_away(camera)
    unlike, view = covered(lambda role: spheres((*sphere, role, NONE)), camera, reduced), View(camera, WHOLE)
    inside = outside = 0
    for x, y in product(range(3, SIZE[0], 13), range(3, SIZE[1], 13)):
        around = {is_hit(view, sphere, x + 0.5 + dx, y + 0.5 + dy) for dx, dy in product((-1.5, 0, 1.5), repeat=2)}
        if len(around) == 1:
            assert unlike[y, x] == (True in around), (x, y)
            inside, outside = inside + unlike[y, x], outside + (not unlike[y, x])
    assert min(inside, outside) > 20


AROUND = (0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)
LO, HI = np.array([-0.3, -0.4, 0.2]), np.array([1.2, 0.3, 0.9])


def nearest_surface(camera, x, y):
    """The depth in the camera's direction, and which is nearest: 0 the unit sphere, 1 the box, None neither."""
    origin, way = View(camera, WHOLE).ray_through(x, y)
    start, slope = (-camera.axes[2] @ part for part in (origin - np.array(camera.eye), way))
    along, beside = origin @ way, origin @ origin - (origin @ way) ** 2
    ends = np.sort([(LO - origin) / way, (HI - origin) / way], axis=0)
    ball = -along - np.sqrt(1 - beside) if beside < 1 else np.inf
    box = ends[0].max() if ends[0].max() < ends[1].min() else np.inf
    return start + min(ball, box) * slope, None if ball == box else int(box < ball)


@pytest.mark.parametrize("camera", [FRONT, ABOVE, FLAT], ids=["far", "near", "orthographic"])
def test_depths_are_those_of_the_nearest_surface_where_a_sphere_and_a_box_interpenetrate(camera):
    what = drawn(boxes=boxes((LO, HI, Role.HIT, NONE)), spheres=ball().single.rounds)
    with offscreen_context() as context:
        renderer, target = Renderer(context), context.simple_framebuffer(SIZE, components=3)
        renderer.draw(what, camera, Settings(SIZE, samples=1), target)
        canvas = renderer._canvas(SIZE, 1, 1)
        depths = np.frombuffer(canvas.face_depth.read(), np.float32).reshape(SIZE[::-1])[::-1]
        near, far = np.frombuffer(canvas.frame.read(), np.float32)[36:38].tolist()
    counts = {0: 0, 1: 0, None: 0}
    for x, y in product(range(3, SIZE[0], 9), range(3, SIZE[1], 9)):
        steps = [nearest_surface(camera, x + 0.5 + dx, y + 0.5 + dy) for dx, dy in AROUND]
        depth, which = steps[0]
        if {found for _, found in steps} != {which}:
            continue
        counts[which] += 1
        if which is None:
            assert depths[y, x] == 1
            continue
        window = depths[y, x].astype(float)
        shown = near + window * (far - near) if camera.orthographic else far * near / (far - window * (far - near))
        # Faces are behind the lines on them by one and a half times their slope.
        slope = max(abs(other - depth) for other, _ in steps[1:])
        assert depth - 0.01 < shown < depth + 2 * slope + 0.01, (x, y, which)
    assert min(counts.values()) > 10, "one of the two is never in front"


@EVERY_THEME
@pytest.mark.parametrize(("role", "high", "low"), [(Role.HIT, GREEN, RED), (Role.MISS, RED, GREEN)])
def test_a_sphere_has_the_colour_of_its_role(theme, role, high, low):
    empty, pixels = shot(drawn(), FRONT, theme=theme), shot(ball(role), FRONT, theme=theme)
    shift = at(pixels, FRONT, (0.2, 0.4, 0)) - at(empty, FRONT, (0.2, 0.4, 0))
    if theme.name in ("dark", "light"):
        assert shift[high] > shift[low] + 15
    boxed = shot(drawn(boxes=boxes(((-1, -1, -1), (1, 1, 1), role, NONE))), FRONT, theme=theme)
    assert np.abs(at(pixels, FRONT, (0.2, 0.4, 0)) - at(boxed, FRONT, (0.2, 0.4, 0))).max() < 45


def test_what_is_hidden_or_behind_the_eye_is_not_drawn():
    empty = shot(drawn(), FRONT)
    assert (shot(ball(cue=Cue.HIDDEN), FRONT) == empty).all()
    behind = shot(ball(sphere=((0, 0, 8.0), 1.0)), FRONT) - empty
    assert np.abs(behind[:100]).max() <= 1, "its shadow aside"


def test_from_within_the_far_side_fills_the_picture_and_the_equator_is_drawn_on_it():
    inside = Camera((0.1, 0.3, 0.2), (0.0, -0.4, -5.0))
    whole, empty = shot(ball(), inside), shot(drawn(), inside)
    assert (np.abs(whole - empty).max(axis=2)[:60] > 3).all()
    x, y, _ = View(inside, WHOLE).project([(0, 0, -1)])[0]
    column = whole[int(y) - 8 : int(y) + 9, int(x), GREEN]
    assert column.max() > np.median(column) + 12 and abs(int(column.argmax()) - 8) <= 1


@EVERY_THEME
def test_a_hit_has_a_solid_silhouette_and_a_miss_a_dashed_one(theme):
    angles = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    distance = np.sqrt(1 - 1 / 36)
    ring = np.stack([distance * np.cos(angles), distance * np.sin(angles), np.full(400, 1 / 6)], axis=1)
    pixels = View(FRONT, WHOLE).project(ring)[:, :2].astype(int)
    unlike = []
    for role in (Role.HIT, Role.MISS):
        picture, empty = shot(ball(role), FRONT, theme=theme), shot(drawn(), FRONT, theme=theme)
        unlike.append(np.abs(picture - empty).max(axis=2)[pixels[:, 1], pixels[:, 0]])
    solid, dashed = (np.percentile(part, 10) / np.percentile(part, 90) for part in unlike)
    assert solid > 0.6 and dashed < solid - 0.1


@EVERY_THEME
def test_a_selected_sphere_has_an_outline_and_a_touched_one_a_lighter_rim(theme):
    plain, selected, touched = (
        shot(ball(cue=cue), FRONT, theme=theme) for cue in (NONE, Cue.SELECTED, Cue.TOUCHING)
    )
    changed = np.argwhere(np.abs(selected - plain).max(axis=2) > 40) + 0.5
    x, y, _ = View(FRONT, WHOLE).project([(0, 0, 0)])[0]
    radius = View(FRONT, WHOLE).project([(1 / np.sqrt(1 - 1 / 36), 0, 0)])[0, 0] - x
    away = np.hypot(changed[:, 1] - x, changed[:, 0] - y)
    assert len(away) > 200 and np.abs(away - radius).max() < 6
    inner = (0.93 / np.sqrt(2),) * 2
    rim, face = (at(touched, FRONT, (*(scale * c for c in inner), 0)) for scale in (1.0, 0.5))
    assert rim.min() > face.min() + 20


@pytest.mark.parametrize("target", [(0.0, 0.0, 0.0), (0.4, 0.5, -0.3), (-0.5, -0.6, 0.1)])
@pytest.mark.parametrize("orthographic", [False, True], ids=["perspective", "orthographic"])
def test_from_the_side_the_equator_is_one_line(target, orthographic):
    eye = (1.0, target[1] if orthographic else 0.0, 5.0)
    camera = Camera(eye, target, orthographic=orthographic)
    picture = shot(ball(), camera)
    for angle in (-50, 0, 30):
        way = np.array([np.sin(np.radians(angle) + 0.2), 0.0, np.cos(np.radians(angle) + 0.2)])
        x, y, _ = View(camera, WHOLE).project([way])[0]
        column = picture[int(y) - 6 : int(y) + 7, int(x), GREEN]
        assert abs(int(column.argmax()) - 6) <= 1 and column.max() > np.median(column) + 15


def test_spheres_in_bulk_and_as_points_look_like_single_ones():
    centers = np.random.default_rng(0).uniform(-1, 1, (400, 3))
    rows = [(center, 0.06, Role.HIT if center[1] < 0 else Role.MISS, NONE) for center in centers]
    single = drawn(spheres=spheres(*rows))
    bulk = replace(drawn(), bulk=single.single)
    assert np.abs(shot(single, FRONT) - shot(bulk, FRONT)).max() <= 1
    far = Camera((0.0, 0.0, 90.0), (0.0, 0.0, 0.0))
    cube = drawn(spheres=spheres(*rows * 3))
    points = shot(cube, far) - shot(drawn(), far)
    upper, lower = points[112:119, 112:209].sum(axis=(0, 1)), points[121:128, 112:209].sum(axis=(0, 1))
    assert upper[RED] > upper[GREEN] and lower[GREEN] > lower[RED]


def test_of_a_sphere_in_an_opaque_wall_the_part_before_the_wall_is_drawn():
    corners = (-3, -3, 0.8), (3, -3, 0.8), (3, 3, 0.8), (-3, 3, 0.8)
    wall = [(corners[0], *corners[k : k + 2], Role.MISS, NONE) for k in (1, 2)]
    with_ball, without = (
        shot(drawn(triangles=triangles(*wall, opaque=True), spheres=given), FRONT)
        for given in (ball().single.rounds, NO_ROUND_SHAPES)
    )
    # The sphere meets the wall on a circle of radius 0.6.
    visible, hidden = (
        at(with_ball, FRONT, point) - at(without, FRONT, point) for point in ((0.3, 0.3, 0.8), (0.6, 0.4, 0.8))
    )
    assert np.abs(hidden).max() <= 2
    assert np.abs(visible).max() > 15


def test_no_program_is_compiled_for_a_kind_of_which_there_is_no_shape(monkeypatch):
    compiled, program = [], shape_meshes.program
    monkeypatch.setattr(
        shape_meshes, "program", lambda *given, **named: compiled.append(given[1]) or program(*given, **named)
    )
    with offscreen_context() as context:
        renderer, target = Renderer(context), context.simple_framebuffer(SIZE, components=3)
        for what in (drawn(boxes=boxes(((-1, -1, -1), (1, 1, 1), Role.HIT, NONE))), ball()):
            before = len(compiled)
            renderer.draw(what, FRONT, Settings(SIZE, DARK), target)
            kinds = {name.split("_")[0] for name in compiled[before:]}
            assert kinds == {"round" if len(what.single.rounds.radii) else "box"}
