"""The picture behind the panels: reduced while something moves, whole again when it rests."""

from types import SimpleNamespace

import numpy as np
import pytest

from hitscope.draw.builder import build
from hitscope.evaluate import evaluate
from hitscope.render.camera import Camera, Viewport
from hitscope.render.offscreen import offscreen_context
from hitscope.render.renderer import Renderer
from hitscope.render.view import View
from hitscope.scene import Scene
from hitscope.scene.model import AabbProbe, AabbsPrimitive
from hitscope.viewer.window.pace import EASY, LEVELS, SLOW, Pace
from hitscope.viewer.window.picture_texture import REST_SECONDS, PictureTexture

SIZE = Viewport(0, 0, 320, 240)
MANY = 20_000


def many_boxes(count=MANY):
    """A draw list of boxes in a cube of side 2, the lower half of them hit."""
    lows = np.random.default_rng(0).uniform(-1, 1, (count, 3))
    cloud = AabbsPrimitive(id="cloud", min=lows, max=lows + 0.04)
    half = AabbProbe(id="half", min=(-2.0, -2.0, -2.0), max=(2.0, 0.0, 2.0))
    return build(evaluate(Scene(version=1, primitives=(cloud,), probes=(half,))))


@pytest.fixture
def clock():
    """A clock that only the test sets; drawing takes no time on it."""
    return SimpleNamespace(now=100.0)


@pytest.fixture
def open_texture(clock):
    """A function that makes a picture texture, of whose settings each may be given."""
    with offscreen_context() as context:

        def open_with(**settings):
            surface = PictureTexture(context, Renderer(context), lambda: clock.now, **settings)
            # Which would learn from this clock that drawing is for free.
            surface._pace.took = lambda *_: None
            return surface

        yield open_with


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
    pace = Pace("NVIDIA H200")
    pace.begin(1_000_000)
    assert pace.in_motion is None
    pace.took(None, 0.2)
    assert pace.in_motion == LEVELS[0]
    pace.begin(1000)
    assert pace.in_motion is None


def software(shapes):
    """The pace of a software renderer with so many shapes."""
    pace = Pace("llvmpipe (LLVM 15.0.6, 256 bits)")
    pace.begin(shapes)
    return pace


def test_a_software_renderer_begins_reduced_the_more_the_more_there_is():
    assert software(10).in_motion is None
    assert [software(shapes).in_motion for shapes in (5000, 100_000, 10_000_000)] == [
        LEVELS[1],
        LEVELS[2],
        LEVELS[-1],
    ]


def test_the_level_follows_the_time_that_frames_take():
    pace = software(5000)
    pace.took(pace.in_motion, 0.9 * SLOW)
    assert pace.in_motion == LEVELS[1]
    for _ in LEVELS:
        pace.took(pace.in_motion, 3 * SLOW)
    assert pace.in_motion == LEVELS[-1]
    pace.took(None, 0.01)
    assert pace.in_motion is None


def test_pictures_are_reduced_in_the_order_of_how_much_they_lose():
    assert [level.grain for level in LEVELS] == sorted(level.grain for level in LEVELS)
    assert [level.points for level in LEVELS] == sorted(level.points for level in LEVELS)


def test_one_slow_picture_among_quick_ones_changes_nothing():
    pace = software(5000)
    for _ in range(5):
        pace.took(pace.in_motion, 1.8 * SLOW)
        for _ in range(2):
            pace.took(pace.in_motion, 0.6 * SLOW)
    assert pace.in_motion == LEVELS[1]


def test_what_is_a_little_slow_all_the_time_is_reduced():
    pace = software(5000)
    for _ in range(6):
        pace.took(pace.in_motion, 1.2 * SLOW)
    assert pace.in_motion == LEVELS[2]


def test_the_next_motion_begins_at_the_last_level():
    pace = software(5000)
    pace.took(pace.in_motion, 3 * SLOW)
    for _ in range(3):
        pace.took(pace.in_motion, 0.8 * SLOW)
        pace.took(None, 0.5)
    assert pace.in_motion == LEVELS[2]


def test_where_pictures_are_quick_the_next_motion_shows_more():
    pace = software(5000)
    pace.took(pace.in_motion, 0.9 * EASY)
    assert pace.in_motion == LEVELS[1], "in the middle of a motion"
    pace.took(None, 0.5)
    assert pace.in_motion == LEVELS[0]
    pace.took(None, 0.5)
    assert pace.in_motion == LEVELS[0]
