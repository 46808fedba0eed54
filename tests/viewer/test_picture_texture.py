"""The picture behind the panels: reduced while something moves, whole again when it rests."""

from types import SimpleNamespace

import numpy as np
import pytest

from hitscope.draw.builder import Builder
from hitscope.evaluate import evaluate
from hitscope.offscreen_context import offscreen_context
from hitscope.render.camera import Camera, Viewport
from hitscope.render.palette import DARK, LIGHT, rgb
from hitscope.render.renderer import Renderer
from hitscope.render.view import View
from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.scene.items import AabbProbe, SegmentProbe
from hitscope.viewer.window.picture_texture import (
    EASY_SECONDS,
    LEVELS,
    REDUCED_SECONDS,
    REST_SECONDS,
    MotionQuality,
    PictureTexture,
)
from tests.draw.draw_lists import build

SIZE = Viewport(0, 0, 320, 240)
MANY = 20_000
LOWS = np.random.default_rng(0).uniform(-1, 1, (MANY, 3))
CLOUD = AabbsPrimitive(id="cloud", min=LOWS, max=LOWS + 0.04)


def many_boxes(count=MANY):
    """A draw list of boxes in a cube of side 2, the lower half of them hit."""
    cloud = CLOUD if count == MANY else AabbsPrimitive(id="cloud", min=LOWS[:count], max=LOWS[:count] + 0.04)
    half = AabbProbe(id="half", min=(-2.0, -2.0, -2.0), max=(2.0, 0.0, 2.0))
    return build(evaluate(Scene(version=1, primitives=(cloud,), probes=(half,))))


@pytest.fixture
def clock():
    """A clock that only the test sets; drawing takes no time on it."""
    return SimpleNamespace(now=100.0)


@pytest.fixture(scope="module")
def context():
    with offscreen_context() as context:
        yield context


@pytest.fixture
def open_texture(context, clock):
    """A function that makes a picture texture, of whose settings each may be given."""
    renderer = Renderer(context)

    def open_with(**settings):
        surface = PictureTexture(context, renderer, lambda: clock.now, **settings)
        # Which would learn from this clock that drawing is for free.
        surface._quality.add_time = lambda *_: None
        return surface

    return open_with


@pytest.fixture
def surface(open_texture):
    return open_texture()


def pixels(texture):
    return np.frombuffer(texture.read(alignment=1), np.uint8).reshape(SIZE.height, SIZE.width, 3).astype(int)


def view(turned=0.0):
    return View(Camera((2.0, 1.5, 3.5), (0.0, 0.0, 0.0)).orbit(turned, 0.0), SIZE)


def shown(surface, draw_list, view):
    """The pixels of the whole picture, as it is when nothing moves any more."""
    texture = surface.show(draw_list, view)
    while surface.unfinished:
        texture = surface.show(draw_list, view)
    return pixels(texture)


def test_in_motion_the_picture_is_reduced_and_after_a_rest_it_is_whole(surface, clock):
    draw_list = many_boxes()
    whole = shown(surface, draw_list, view(5))
    surface.note_input()
    moving = pixels(surface.show(draw_list, view(5.001)))
    assert surface.unfinished
    clock.now += 0.9 * REST_SECONDS
    assert (pixels(surface.show(draw_list, view(5.001))) == moving).all(), "whole too early"
    assert surface.seconds_to_rest == pytest.approx(0.1 * REST_SECONDS)
    clock.now += 0.2 * REST_SECONDS
    rested = shown(surface, draw_list, view(5.001))
    difference = np.abs(whole - rested).mean()
    assert difference < 0.5 * np.abs(whole - moving).mean()


def test_a_drag_under_a_camera_at_rest_is_as_sharp_as_the_whole_picture(surface, clock):
    """Regression: while a probe was dragged among many boxes, these were coarse and dim until it rested."""
    builder = Builder()

    def with_segment(end):
        segment = SegmentProbe(start=(-2.0, 0.5, 0.9), end=end)
        return builder.build(evaluate(Scene(version=1, primitives=(CLOUD,), probes=(segment,))))

    shown(surface, with_segment((2.0, 0.5, 0.9)), view(5))
    surface.note_input()
    moved = with_segment((2.0, 0.4, 0.8))
    moving = pixels(surface.show(moved, view(5)))
    assert surface.unfinished
    clock.now += 1.0
    assert np.abs(shown(surface, moved, view(5)) - moving).mean() < 1


def test_after_a_motion_the_picture_is_sharp_before_it_is_whole(open_texture, clock):
    """Regression: after the camera had turned, a large scene was coarse for half a second."""
    surface, draw_list = open_texture(step_seconds=np.inf), many_boxes()
    whole = shown(surface, draw_list, view(5))
    surface.note_input()
    moving = pixels(surface.show(draw_list, view(5.001)))
    clock.now += 1.0
    sharp = pixels(surface.show(draw_list, view(5.001)))
    assert surface.unfinished
    assert np.abs(sharp - whole).mean() < 0.7 * np.abs(moving - whole).mean()
    again = pixels(surface.show(draw_list, view(5.001)))
    assert np.abs(again - whole).mean() < 0.5 * np.abs(sharp - whole).mean()


def test_at_the_end_of_a_drag_the_picture_is_made_whole_without_a_rest(surface):
    draw_list = many_boxes()
    surface.note_input()
    surface.show(draw_list, view())
    assert surface.unfinished and surface.seconds_to_rest == pytest.approx(REST_SECONDS)
    surface.note_end()
    assert surface.seconds_to_rest == 0.0
    for _ in range(200):
        surface.show(draw_list, view())
    assert not surface.unfinished


def test_the_reduced_picture_has_the_colours_of_the_whole_one(surface, clock):
    draw_list = many_boxes()
    surface.note_input()
    moving = pixels(surface.show(draw_list, view()))
    clock.now += 1.0
    whole = shown(surface, draw_list, view())
    for part in (np.s_[150:190, 120:200], np.s_[60:100, 120:200]):
        np.testing.assert_allclose(moving[part].mean(axis=(0, 1)), whole[part].mean(axis=(0, 1)), atol=30)
    assert np.abs(moving - whole).mean() < 12


def test_an_input_while_the_whole_picture_is_made_comes_first(open_texture, clock):
    surface = open_texture(step_seconds=-1.0)
    draw_list = many_boxes()
    surface.note_input()
    reduced = pixels(surface.show(draw_list, view()))
    clock.now += 1.0
    for _ in range(3):
        assert (pixels(surface.show(draw_list, view())) == reduced).all(), "a part of a picture is shown"
    surface.note_input()
    moving = pixels(surface.show(draw_list, view(40)))
    assert surface.unfinished
    clock.now += 1.0
    assert np.abs(shown(surface, draw_list, view(40)) - moving).mean() < 12


def test_a_small_scene_is_never_reduced(surface):
    draw_list = many_boxes(count=3)
    surface.note_input()
    surface.show(draw_list, view())
    assert not surface.unfinished


def test_a_graphics_card_reduces_nothing_unless_it_is_slow():
    quality = MotionQuality("NVIDIA H200")
    quality.set_shapes(1_000_000)
    assert quality.reduction is None
    quality.add_time(None, 0.2)
    assert quality.reduction == LEVELS[0]
    quality.set_shapes(1000)
    assert quality.reduction is None


def software(shapes):
    """The quality of a software renderer with so many shapes."""
    quality = MotionQuality("llvmpipe (LLVM 15.0.6, 256 bits)")
    quality.set_shapes(shapes)
    return quality


def test_a_software_renderer_begins_reduced_the_more_the_more_there_is():
    assert software(10).reduction is None
    assert [software(shapes).reduction for shapes in (5000, 100_000, 10_000_000)] == [
        LEVELS[1],
        LEVELS[2],
        LEVELS[-1],
    ]


def test_the_level_follows_the_time_that_frames_take():
    quality = software(5000)
    quality.add_time(quality.reduction, 0.9 * REDUCED_SECONDS)
    assert quality.reduction == LEVELS[1]
    for _ in LEVELS:
        quality.add_time(quality.reduction, 3 * REDUCED_SECONDS)
    assert quality.reduction == LEVELS[-1]
    quality.add_time(None, 0.01)
    assert quality.reduction is None


def test_pictures_are_reduced_in_the_order_of_how_much_they_lose():
    assert [level.grain for level in LEVELS] == sorted(level.grain for level in LEVELS)
    assert [level.points for level in LEVELS] == sorted(level.points for level in LEVELS)


def test_one_slow_picture_among_quick_ones_changes_nothing():
    quality = software(5000)
    for _ in range(5):
        quality.add_time(quality.reduction, 1.8 * REDUCED_SECONDS)
        for _ in range(2):
            quality.add_time(quality.reduction, 0.6 * REDUCED_SECONDS)
    assert quality.reduction == LEVELS[1]


def test_what_is_a_little_slow_all_the_time_is_reduced():
    quality = software(5000)
    for _ in range(6):
        quality.add_time(quality.reduction, 1.2 * REDUCED_SECONDS)
    assert quality.reduction == LEVELS[2]


def test_the_next_motion_begins_at_the_last_level():
    quality = software(5000)
    quality.add_time(quality.reduction, 3 * REDUCED_SECONDS)
    for _ in range(3):
        quality.add_time(quality.reduction, 0.8 * REDUCED_SECONDS)
        quality.add_time(None, 0.5)
    assert quality.reduction == LEVELS[2]


def test_where_pictures_are_quick_the_next_motion_shows_more():
    quality = software(5000)
    quality.add_time(quality.reduction, 0.9 * EASY_SECONDS)
    assert quality.reduction == LEVELS[1], "in the middle of a motion"
    quality.add_time(None, 0.5)
    assert quality.reduction == LEVELS[0]
    quality.add_time(None, 0.5)
    assert quality.reduction == LEVELS[0]


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_where_a_large_scene_is_to_be_drawn_the_background_is_shown_and_not_black(open_texture, theme):
    """Regression: a mesh of a million triangles was opened into a black window, which a panel had widened."""
    surface = open_texture(step_seconds=-1.0)
    begun = pixels(surface.show(many_boxes(), view(), theme, scene="large"))
    assert surface.unfinished
    assert (np.abs(begun - 255 * np.array(rgb(theme.background_bottom))) <= 1).all()
