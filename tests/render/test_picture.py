"""Offscreen pictures, checked by what they show."""

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from PIL import Image

from hitscope.draw.items import Cue, Ending, Role
from hitscope.errors import HitscopeError
from hitscope.geometry.shapes import Plane, Polyhedron
from hitscope.offscreen_context import offscreen_context
from hitscope.render.buffers import CachedBuffer
from hitscope.render.camera import Camera, Viewport
from hitscope.render.offscreen import picture, write_png
from hitscope.render.palette import DARK, LIGHT, THEMES, rgb
from hitscope.render.renderer import Reduced, Renderer, Settings
from hitscope.render.view import View
from tests.render.drawn import SIZE, WHOLE, at, boxes, drawn, facets, markers, shot, strokes, triangles

RED, GREEN, BLUE = range(3)
NONE = Cue.NONE
CAMERA = Camera((3.0, 2.5, 6.0), (0.0, 0.5, 0.0))
FRONT = Camera((0.0, 0.0, 8.0), (0.0, 0.0, 0.0))
UNIT = ((-1, 0, -1), (1, 1.5, 1))


def difference(a, b):
    return int(np.abs(a - b).max())


def one_box(role=Role.HIT, cue=NONE):
    return drawn(boxes((*UNIT, role, cue)))


def test_an_empty_draw_list_shows_the_stage():
    pixels = shot(drawn(), CAMERA)
    top, bottom = (255 * np.array(rgb(c)) for c in (DARK.background_top, DARK.background_bottom))
    assert np.abs(pixels[0, 0] - top).max() <= 3
    assert np.abs(pixels - (top + bottom) / 2).max() > 30, "no grid and no axes"
    origin = at(pixels, CAMERA, (1.5, 0, 0))
    assert origin[RED] > origin[GREEN] + 40, "the X axis is not red"
    z_axis = at(pixels, CAMERA, (0, 0, 1.5))
    assert z_axis[BLUE] > z_axis[RED] + 40, "the Z axis is not blue"


def test_z_up_lays_the_ground_across_z():
    camera = Camera((3.0, -6.0, 2.5), (0.0, 0.0, 0.5), "z")
    pixels = shot(drawn(), camera)
    y_axis = at(pixels, camera, (0, 1.5, 0))
    assert y_axis[GREEN] > y_axis[RED] + 30 and y_axis[GREEN] > y_axis[BLUE] + 30


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize(("role", "high", "low"), [(Role.HIT, GREEN, RED), (Role.MISS, RED, GREEN)])
def test_faces_and_edges_have_the_colour_of_their_role(theme, samples, role, high, low):
    pixels = shot(one_box(role), CAMERA, samples=samples, theme=theme)
    empty = shot(drawn(), CAMERA, samples=samples, theme=theme)
    for inside_a_face in ((0, 0.75, 1), (1, 0.75, 0), (0.3, 1.5, 0.2)):
        colour = at(pixels, CAMERA, inside_a_face)
        assert colour[high] > colour[low] + 15
    # A miss has dashed edges: somewhere along the edge there is one.
    edge = np.array([at(pixels, CAMERA, (1, y, 1)) for y in np.linspace(0.1, 1.4, 60)])
    assert (edge[:, high] - edge[:, low]).max() > 70
    assert difference(pixels[:20], empty[:20]) <= 1, "colour where there is nothing"


def test_a_miss_has_dashed_edges_and_a_hit_has_not():
    edge = [(1, y, 1) for y in np.linspace(0.1, 1.4, 80)]
    hit, miss = (
        np.array([at(pixels, CAMERA, point)[high] for point in edge])
        for pixels, high in ((shot(one_box(Role.HIT), CAMERA), GREEN), (shot(one_box(Role.MISS), CAMERA), RED))
    )
    assert hit.min() > 0.8 * hit.max()
    assert miss.min() < 0.6 * miss.max()


def test_hidden_edges_are_dimmer_than_those_in_front():
    pixels = shot(one_box(), CAMERA)
    front = np.array([at(pixels, CAMERA, (1, y, 1))[GREEN] for y in np.linspace(0.2, 1.3, 60)])
    back = np.array([at(pixels, CAMERA, (-1, y, -1))[GREEN] for y in np.linspace(0.2, 1.0, 60)])
    face = int(at(pixels, CAMERA, (-0.2, 0.75, 1))[GREEN])
    assert np.median(front) > back.max() + 20
    assert back.max() > face + 5, "hidden edges are not there at all"


def test_triangles_have_the_colour_of_their_role_from_both_sides_and_a_lighter_front():
    corners = ((-1, -1, 0), (1, -1, 0), (0, 1.5, 0))
    front = shot(drawn(triangles=triangles((*corners, Role.HIT, NONE))), FRONT)
    back = shot(drawn(triangles=triangles((*corners[::-1], Role.HIT, NONE))), FRONT)
    for pixels in (front, back):
        colour = at(pixels, FRONT, (0, -0.3, 0))
        assert colour[GREEN] > colour[RED] + 15
    assert at(front, FRONT, (0, -0.3, 0))[GREEN] > at(back, FRONT, (0, -0.3, 0))[GREEN]


CUBE = Polyhedron(vertices=tuple(itertools.product((-1.0, 1.0), (0.0, 1.5), (-1.0, 1.0))))
COLUMN = Polyhedron(
    planes=tuple(
        Plane(normal, offset)
        for normal, offset in (
            ((1.0, 0.0, 0.0), 0.5),
            ((-1.0, 0.0, 0.0), 0.5),
            ((0.0, 0.0, 1.0), 0.5),
            ((0.0, 0.0, -1.0), 0.5),
            ((0.0, -1.0, 0.0), 1.0),
        )
    )
)
WALL = Plane((0.0, 0.0, 1.0), 0.0)


def test_a_cube_by_its_corners_looks_as_a_box_does():
    for role, cue in ((Role.HIT, NONE), (Role.MISS, NONE), (Role.HIT, Cue.INSIDE), (Role.HIT, Cue.SELECTED)):
        box, hull = one_box(role, cue), drawn(facets=facets((CUBE, role, cue)))
        changed = np.abs(shot(box, CAMERA) - shot(hull, CAMERA)).max(axis=2) > 12
        # Only where samples straddle two triangles of a face, or dashes are counted from the other end.
        assert changed.mean() < 0.003


def test_an_unbounded_polyhedron_fades_out_and_is_not_closed():
    pixels = shot(drawn(facets=facets((COLUMN, Role.HIT, NONE), half=2.5)), FRONT)
    empty = shot(drawn(), FRONT)
    points = [(-0.3, y, 0.5) for y in (0.4, 1.5, 2.2)]
    green = [int((at(pixels, FRONT, point) - at(empty, FRONT, point))[GREEN]) for point in points]
    assert green[0] > green[1] + 10 > green[2] + 20
    assert np.abs(pixels - empty)[: int(View(FRONT, WHOLE).project([(0, 2.6, 0)])[0, 1])].max() < 20


def test_a_plane_is_a_sheet_with_a_lighter_front_that_fades_before_its_corners():
    front, back = (
        shot(drawn(facets=facets((Plane((0.0, 0.0, side), 0.0), Role.HIT, NONE))), FRONT) for side in (1.0, -1.0)
    )
    empty = shot(drawn(), FRONT)

    def green(pixels, point):
        return int((at(pixels, FRONT, point) - at(empty, FRONT, point))[GREEN])

    middle, corner = (0.3, 0.4, 0), (1.8, 1.85, 0)
    assert green(front, middle) > green(back, middle) + 10 > 15
    assert green(front, middle) > green(front, corner) + 20
    assert green(front, (2.3, 0.3, 0)) < 4


def test_a_probe_behind_a_plane_is_seen_through_it():
    line = strokes(((-1.5, 0.5, -1), (1.5, 0.5, -1), Ending.PLAIN))
    pixels = shot(drawn(facets=facets((WALL, Role.MISS, NONE)), strokes=line), FRONT)
    colour = at(pixels, FRONT, (0.3, 0.5, -1))
    assert colour[BLUE] > colour[RED] + 20


@cache
def hit_facets(shape, cue=NONE):
    return shot(drawn(facets=facets((shape, Role.HIT, cue))), CAMERA)


@pytest.mark.parametrize("cue", [c for c in Cue if c])
@pytest.mark.parametrize("shape", [CUBE, COLUMN, WALL], ids=["bounded", "unbounded", "plane"])
def test_every_cue_is_seen_on_facets(shape, cue):
    assert (np.abs(hit_facets(shape) - hit_facets(shape, cue)).max(axis=2) > 15).sum() > 40


@pytest.mark.parametrize(
    "corners",
    [
        ((-1.0, 0.7, 0.0), (1.0, 0.7, 0.0), (1.0, 1.5, 0.0), (-1.0, 1.5, 0.0)),
        ((-1.0, 0.7, 0.0), (1.0, 1.5, 0.0)),
        ((-0.6, 0.9, 0.0),),
    ],
    ids=["flat", "segment", "point"],
)
def test_degenerate_polyhedra_are_seen_and_marked_once(corners):
    shape = Polyhedron(vertices=corners)
    empty = shot(drawn(), FRONT)
    plain, marked = (shot(drawn(facets=facets((shape, Role.HIT, cue))), FRONT) for cue in (NONE, Cue.DEGENERATE))
    assert np.abs(at(plain, FRONT, corners[0]) - at(empty, FRONT, corners[0])).max() > 30
    warning = 255 * np.array(rgb(DARK.warning))
    assert 20 < (np.abs(marked - warning).max(axis=2) < 40).sum() < 150


def test_the_order_of_drawing_does_not_matter():
    rows = [
        ((-1.0, 0, -1), (0.5, 1, 0.5), Role.HIT, NONE),
        ((-0.5, 0.3, -0.6), (1, 1.4, 1), Role.MISS, NONE),
        ((-0.2, -0.5, 0), (0.4, 0.9, 1.3), Role.HIT, Cue.INSIDE),
    ]
    pictures = [shot(drawn(boxes(*order)), CAMERA) for order in itertools.permutations(rows)]
    # Where two edges cross, the later one lies above: only faces blend without an order.
    interior = np.ones(SIZE[::-1], bool)
    for lo, hi, *_ in rows:
        interior &= _far_from_edges(lo, hi)
    assert interior.sum() > 5000
    for other in pictures[1:]:
        assert difference(pictures[0][interior], other[interior]) <= 1


def _far_from_edges(lo, hi):
    far = np.ones(SIZE[::-1], bool)
    y, x = np.mgrid[: SIZE[1], : SIZE[0]] + 0.5
    corners = list(itertools.product(*zip(lo, hi, strict=True)))
    for a, b in itertools.combinations(corners, 2):
        if sum(p != q for p, q in zip(a, b, strict=True)) == 1:
            (ax, ay, _), (bx, by, _) = View(CAMERA, WHOLE).project([a, b])
            t = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
            far &= np.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)) > 4
    return far


@pytest.mark.parametrize("distance", [5.0, 20.0])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_edges_are_equally_wide_near_and_far(distance, ratio):
    camera = Camera((0.0, 0.0, distance), (0.0, 0.0, 0.0), fov_deg=30)
    side = distance / 10
    flat = drawn(boxes(((-side, -side, 0), (side, side, 0), Role.HIT, NONE)))
    pixels = picture(flat, camera, Settings((640, 640), pixel_ratio=ratio)).astype(float)
    x = round(View(camera, Viewport(0, 0, 640, 640)).project([(side, 0, 0)])[0, 0])
    row = pixels[300, x - 12 : x + 12, GREEN]
    outside, inside = row[-4:].mean(), row[:4].mean()
    # The ink above a step from the face's colour to that of the background, in pixels of full ink.
    ink = (row - np.where(np.arange(24) < 12, inside, outside)).clip(0)
    width = ink.sum() / (ink.max() or 1)
    assert 1.3 * ratio < width < 2.2 * ratio


def scene_at(anchor=(0.0, 0.0, 0.0), scale=1.0):
    def moved(point):
        return tuple((np.array(anchor) + scale * np.array(point)).tolist())

    what = drawn(
        boxes(
            (moved((-1, 0, -1)), moved((1, 1.5, 1)), Role.HIT, NONE),
            (moved((1.25, 0.25, -0.5)), moved((2, 1, 0.5)), Role.MISS, NONE),
        ),
        triangles((moved((-2, 0, 0)), moved((-1.5, 0, 1)), moved((-1.5, 1, 0.5)), Role.MISS, NONE)),
        strokes((moved((-2, 0.5, 2)), moved((2, 1, -2)), Ending.ARROW_END)),
        markers((moved((-2, 0.5, 2)), Role.PROBE, NONE)),
        anchor=moved((0, 0, 0)),
        scale=scale,
    )
    return shot(what, Camera(moved(CAMERA.eye), moved(CAMERA.target)))


@pytest.mark.parametrize("far", [1e6, 1e9])
def test_a_scene_far_from_the_origin_looks_as_sharp_as_at_the_origin(far):
    here, there = scene_at(), scene_at(anchor=(far, 0.0, -far))
    # The origin's own axes are not there to be seen.
    changed = (np.abs(here - there).max(axis=2) > 6).sum()
    assert changed < 0.04 * here[..., 0].size
    apart_from_the_axes = [(-0.7, 1.2, 1), (-1, 1.2, 1), (1, 1.3, -0.6)]
    for x, y in View(CAMERA, WHOLE).project(apart_from_the_axes)[:, :2].astype(int):
        assert difference(here[y - 3 : y + 3, x - 3 : x + 3], there[y - 3 : y + 3, x - 3 : x + 3]) <= 6
    assert difference(scene_at(anchor=(1e6, 0.0, 1e6)), scene_at(anchor=(far, 0.0, far))) <= 3


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e3, 1e30])
def test_a_tiny_or_huge_scene_gives_the_same_picture(scale):
    assert difference(scene_at(), scene_at(scale=scale)) <= 3


def test_a_stroke_that_passes_behind_the_camera_does_not_wrap_around():
    through = drawn(strokes=strokes(((0, -0.5, -5), (0.3, -0.5, 40), Ending.PLAIN)))
    pixels, empty = shot(through, FRONT), shot(drawn(), FRONT)
    changed = np.argwhere(np.abs(pixels - empty).max(axis=2) > 20)
    # It comes towards the eye below it: nothing of it is above the horizon.
    assert len(changed) > 50
    assert changed[:, 0].min() > SIZE[1] / 2
    assert changed[:, 0].max() >= SIZE[1] - 2, "it ends before it leaves the picture"


def test_a_stroke_wholly_behind_the_camera_is_not_drawn():
    behind = drawn(strokes=strokes(((-1, 0, 12), (1, 0, 9), Ending.PLAIN)), markers=markers())
    assert difference(shot(behind, FRONT), shot(drawn(), FRONT)) == 0


def test_probes_are_blue_also_behind_a_face():
    camera = Camera((0.0, 0.75, 8.0), (0.0, 0.75, 0.0))
    what = drawn(boxes((*UNIT, Role.MISS, NONE)), strokes=strokes(((-3, 0.7, 0), (3, 0.7, 0), Ending.PLAIN)))
    pixels = shot(what, camera)
    in_the_open, behind = at(pixels, camera, (2, 0.7, 0)), at(pixels, camera, (0.2, 0.7, 0))
    for colour in (in_the_open, behind):
        assert colour[BLUE] > colour[RED] + 20
    assert in_the_open[BLUE] > behind[BLUE]


def test_the_part_inside_a_hit_has_a_bright_core():
    def middle(inside):
        line = strokes(((-2, 0.5, 0), (2, 0.5, 0), Ending.PLAIN), inside=inside)
        return at(shot(drawn(strokes=line), FRONT), FRONT, (0.4, 0.5, 0)).min()

    assert middle(inside=True) > 200 > middle(inside=False)


def test_a_line_fades_towards_its_end():
    line = drawn(strokes=strokes(((-2, 0.5, 0), (2, 0.5, 0), Ending.FADE_END)))
    pixels = shot(line, FRONT)
    blue = [at(pixels, FRONT, (x, 0.5, 0))[BLUE] for x in (-1.9, 0, 1.7)]
    assert blue[0] > blue[1] + 30 > blue[2] + 60


def handle_area(cue, distance=8.0):
    camera = Camera((0.0, 0.0, distance), (0.0, 0.0, 0.0))
    what = drawn(markers=markers(((0.0, 0.1 * distance, 0), Role.PROBE, cue)))
    changed = np.abs(shot(what, camera) - shot(drawn(), camera)).max(axis=2) > 60
    return int(changed[:90].sum())


def test_handles_keep_their_size_on_screen_and_grow_when_hovered():
    assert handle_area(NONE) == pytest.approx(handle_area(NONE, 80.0), rel=0.1)
    assert handle_area(Cue.HOVERED) > 1.4 * handle_area(NONE)
    assert handle_area(Cue.SELECTED) > 1.2 * handle_area(NONE)


def test_entry_and_exit_differ_in_more_than_colour():
    def middle(role):
        what = drawn(markers=markers(((0, 0.5, 0), role, NONE)))
        return at(shot(what, FRONT), FRONT, (0, 0.5, 0)).max()

    assert middle(Role.ENTRY) > 200
    assert middle(Role.EXIT) < 100, "an exit is a ring"


def test_normals_have_the_same_length_near_and_far():
    def length(distance):
        camera = Camera((0.0, 0.0, distance), (0.0, 0.0, 0.0))
        what = drawn(arrows=[((0, 0.08 * distance, 0), (0, 1, 0))])
        changed = np.abs(shot(what, camera) - shot(drawn(), camera)).max(axis=2) > 60
        rows = np.flatnonzero(changed[:100].any(axis=1))
        return np.ptp(rows)

    assert 35 < length(5.0) < 48
    assert abs(length(5.0) - length(50.0)) <= 2


@pytest.mark.parametrize("cue", [c for c in Cue if c])
def test_every_cue_is_seen(cue):
    plain, cued = shot(one_box(), CAMERA), shot(one_box(cue=cue), CAMERA)
    assert (np.abs(plain - cued).max(axis=2) > 20).sum() > 40


def test_a_selected_shape_has_a_white_outline_whatever_its_colour():
    for role in (Role.HIT, Role.MISS):
        plain, selected = shot(one_box(role), CAMERA), shot(one_box(role, Cue.SELECTED), CAMERA)
        assert (selected.min(axis=2) > 200).sum() > 300
        assert (plain.min(axis=2) > 200).sum() < 20


def test_flat_and_pointlike_boxes_are_still_seen():
    empty = shot(drawn(), CAMERA)
    for hi in ((1, 0.7, 1), (1, 0.7, -1), (-1, 0.7, -1)):
        what = drawn(boxes(((-1, 0.7, -1), hi, Role.HIT, NONE)))
        pixels = shot(what, CAMERA)
        assert (np.abs(pixels - empty).max(axis=2) > 30).any()


def test_handles_stand_on_the_ground_by_a_drop_line():
    what = drawn(markers=markers(((-1, 1.5, 0), Role.PROBE, NONE)))
    pixels, empty = shot(what, CAMERA), shot(drawn(), CAMERA)
    changed = [
        difference(at(pixels, CAMERA, (-1, y, 0)), at(empty, CAMERA, (-1, y, 0))) > 15
        for y in np.linspace(0.05, 1.1, 40)
    ]
    assert sum(changed) > 10


def test_themes_have_a_colour_for_every_role_and_tell_hit_from_miss():
    for theme in THEMES.values():
        assert len(theme.roles) == len(theme.face_opacities) == len(Role)
        assert np.abs(np.array(theme.role(Role.HIT)) - theme.role(Role.MISS)).max() > 0.3
        hit, miss = (shot(one_box(role), CAMERA, theme=theme) for role in (Role.HIT, Role.MISS))
        assert difference(at(hit, CAMERA, (0, 0.75, 1)), at(miss, CAMERA, (0, 0.75, 1))) > 25


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_neutral_is_grey_and_stands_out_from_background_and_hit(theme):
    neutral, opaque, hit = theme.role(Role.NEUTRAL), rgb(theme.opaque), theme.role(Role.HIT)
    for grey in (neutral, opaque):
        assert max(grey) - min(grey) < 0.1
    for ground in (theme.background_top, theme.background_bottom):
        assert contrast(neutral, rgb(ground)) > 3
    assert contrast(opaque, hit) > 1.3, "a hit on a mesh is not seen in grey"


def test_one_renderer_draws_at_changing_sizes():
    what = one_box()
    with offscreen_context() as context:
        renderer = Renderer(context)
        for size, samples in (((200, 150), 4), ((320, 240), 1), ((320, 240), 4), ((64, 480), 2), ((1, 1), 4)):
            target = context.simple_framebuffer(size, components=3)
            renderer.draw(what, CAMERA, Settings(size, samples=samples), target)
            pixels = np.frombuffer(target.read(alignment=1), np.uint8).reshape(size[1], size[0], 3)[::-1]
            fresh = picture(what, CAMERA, Settings(size, samples=samples))
            assert difference(pixels.astype(int), fresh.astype(int)) <= 1


def test_only_arrays_that_are_new_are_uploaded(monkeypatch):
    writes = []
    with offscreen_context() as context:
        renderer = Renderer(context)
        target = context.simple_framebuffer(SIZE, components=3)
        what = one_box()
        renderer.draw(what, CAMERA, Settings(SIZE), target)
        update = CachedBuffer.update

        def watched(self, made_of, make):
            before = self.fills
            update(self, made_of, make)
            writes.append(self.fills > before)

        monkeypatch.setattr(CachedBuffer, "update", watched)
        renderer.draw(what, CAMERA.orbit(10, 0), Settings(SIZE), target)
        assert not any(writes)

        recoloured = replace(what, single=what.single._replace(boxes=boxes((*UNIT, Role.MISS, NONE))))
        renderer.draw(recoloured, CAMERA, Settings(SIZE), target)
        pixels = np.frombuffer(target.read(alignment=1), np.uint8).reshape(SIZE[1], SIZE[0], 3)[::-1]
        colour = at(pixels.astype(int), CAMERA, (0, 0.75, 1))
        assert any(writes) and colour[RED] > colour[GREEN] + 15


@pytest.mark.parametrize("size", [(0, 100), (100, -1), (16385, 10)])
def test_a_size_that_cannot_be_drawn_is_an_error_in_one_line(size):
    with pytest.raises(HitscopeError, match=f"1 to 16384 pixels wide and high, not {size[0]}x{size[1]}"):
        picture(drawn(), CAMERA, Settings(size))


def test_samples_below_one_are_an_error():
    with pytest.raises(HitscopeError, match="1 or more samples a pixel, not 0"):
        picture(drawn(), CAMERA, Settings(SIZE, samples=0))


def test_without_opengl_the_error_says_what_to_install(monkeypatch):
    def none(*_, **__):
        raise OSError("libEGL.so not found\nsecond line")

    monkeypatch.setattr("moderngl.create_context", none)
    with pytest.raises(HitscopeError, match="install") as caught:
        picture(drawn(), CAMERA, Settings(SIZE))
    assert "libEGL.so not found" in str(caught.value) and "\n" not in str(caught.value)


def test_a_png_is_written_wholly_or_not_at_all(tmp_path):
    pixels = picture(drawn(), CAMERA, Settings((40, 30)))
    write_png(tmp_path / "a.png", pixels)
    with Image.open(tmp_path / "a.png") as image:
        np.testing.assert_array_equal(np.asarray(image), pixels)
    with pytest.raises(HitscopeError, match="cannot be written"):
        write_png(tmp_path / "nowhere" / "a.png", pixels)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


# Orthographic


FLAT = Camera((0.0, 0.5, 8.0), (0.0, 0.5, 0.0), orthographic=True)


@pytest.mark.parametrize("samples", [1, 4])
def test_orthographic_draws_a_box_as_large_wherever_it_is(samples):
    near, far = (
        shot(drawn(boxes(((-1, 0, z), (1, 1, z + 1), Role.HIT, NONE))), FLAT, samples=samples) for z in (4, -9)
    )
    green = [(pixels[..., GREEN] - pixels[..., RED] > 15) for pixels in (near, far)]
    assert green[0].sum() > 1000
    assert (green[0] != green[1]).sum() < 0.05 * green[0].sum()


def test_orthographic_hides_what_is_behind_a_face_and_shows_what_is_behind_the_eye():
    pixels = shot(drawn(boxes(((-1, 0, -1), (1, 1, 1), Role.HIT, NONE))), FLAT)
    edge = pixels[:, :, GREEN].max(axis=1)
    assert edge.max() > 120
    behind = shot(drawn(boxes(((-1, 0, 19), (1, 1, 20), Role.HIT, NONE))), FLAT)
    assert (behind[..., GREEN] - behind[..., RED] > 15).sum() > 1000


def test_orthographic_lines_are_hidden_by_the_faces_before_them():
    box = ((-1, 0, -1), (1, 1, 1), Role.HIT, NONE)
    before, behind = (
        shot(drawn(boxes(box), strokes=strokes(((-2, 0.5, z), (2, 0.5, z), Ending.PLAIN))), FLAT) for z in (3, -3)
    )
    assert at(before, FLAT, (0.3, 0.5, 3))[BLUE] > at(behind, FLAT, (0.3, 0.5, -3))[BLUE] + 30


def test_orthographic_ground_is_ruled_evenly_and_a_line_from_the_side():
    above = Camera((0.0, 8.0, 0.0), (0.0, 0.0, 0.0), orthographic=True)
    pixels = shot(drawn(), above)
    for x in (-1.5, 1.5):
        axis = at(pixels, above, (x, 0, 0))
        assert axis[RED] > axis[GREEN] + 40
    aslant = Camera((6.0, 1.0, 6.0), (0.0, 1.0, 0.0), orthographic=True)
    side = shot(drawn(), aslant)
    ground = at(side, aslant, (1.5, 0, -1.5))
    assert ground.max() > side[10].max() + 10


def test_the_reduced_picture_is_orthographic_too():
    box = drawn(boxes(((-1, 0, -1), (1, 1, 1), Role.HIT, NONE)))
    with offscreen_context() as context:
        target = context.simple_framebuffer(SIZE, components=3)
        Renderer(context).draw(box, FLAT, Settings(SIZE, reduced=Reduced(2.0)), target)
        pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(SIZE[1], SIZE[0], 3)[::-1]
    full = shot(box, FLAT)
    covered = [(some[..., GREEN].astype(int) - some[..., RED] > 15) for some in (pixels, full)]
    assert (covered[0] != covered[1]).sum() < 0.1 * covered[1].sum()


def test_a_face_through_the_eye_of_a_picture_of_next_to_nothing_is_coloured():
    corners = ((0.0, 0.0, 0.0), (-0.03, 0.0, -0.03), (-0.03, 0.0, 0.03))
    near = Camera((1.5e-22, 0.75e-22, 7e-22), (-0.5e-22, 0.75e-22, 0.0))
    pixels = shot(drawn(triangles=triangles((*corners, Role.HIT, NONE))), near)
    assert not (pixels == 0).all(axis=2).any()


@pytest.mark.parametrize("reduced", [None, Reduced(2.0), Reduced(2.0, 2)])
def test_what_is_hidden_is_not_drawn(reduced):
    sheet = Plane((0.0, 1.0, 0.0), 0.5)
    shown = drawn(
        boxes((*UNIT, Role.HIT, Cue.HIDDEN)),
        triangles(((-1, 0, 2), (1, 0, 2), (0, 1, 2), Role.HIT, Cue.HIDDEN | Cue.SELECTED)),
        facets=facets((sheet, Role.HIT, Cue.HIDDEN)),
    )
    with offscreen_context() as context:
        renderer, target = Renderer(context), context.simple_framebuffer(SIZE, components=3)
        pictures = []
        for what in (shown, drawn()):
            renderer.draw(what, CAMERA, Settings(SIZE, reduced=reduced), target)
            pictures.append(np.frombuffer(target.read(components=3, alignment=1), np.uint8).astype(int))
    assert difference(*pictures) <= 1


def test_the_line_of_a_gap_is_dashed():
    ends = np.array([[(-1.5, 1, 0), (1.5, 1, 0)]], float)
    pixels = shot(replace(drawn(), gap=ends), FRONT)
    along = np.array([at(pixels, FRONT, (x, 1, 0)).min() for x in np.linspace(-1.4, 1.4, 120)])
    assert along.max() > 120 and along.min() < 60
