"""The backdrop of pictures in motion: over it, what has changed looks as it does in the full picture."""

from collections import deque

import numpy as np
import pytest

from hitscope.draw.items import Boxes, Cue, Role
from hitscope.offscreen_context import offscreen_context
from hitscope.render.backdrop import MOST_CHANGED
from hitscope.render.camera import Camera
from hitscope.render.renderer import Reduced, Renderer, Settings
from tests.render.drawn import SIZE, drawn

CAMERA = Camera((2.0, 1.5, 5.0), (0.0, 0.0, 0.0))
REDUCED = Reduced(4.0, grain=2)
MANY = 2000
LOWS = np.random.default_rng(0).uniform(-1, 1, (MANY, 3))
EDGES = np.tile(np.eye(3) * 0.1, (MANY, 1, 1))
NO_CUES = np.zeros(MANY, np.uint8)
FRONT = np.argsort(-LOWS[:, 2])
"""The boxes, those in front first."""


def scene(hit, cues=NO_CUES, lows=LOWS):
    """A draw list of boxes that miss, but for some."""
    roles = np.full(MANY, Role.MISS, np.uint8)
    roles[hit] = Role.HIT
    return drawn(Boxes(lows, EDGES, roles, cues))


SELECTED = np.where(np.arange(MANY) == FRONT[0], Cue.SELECTED, Cue.NONE).astype(np.uint8)
BEFORE = scene(FRONT[:20:2], SELECTED)


@pytest.fixture
def shoot():
    """A function that draws a picture, after a backdrop of `BEFORE`."""
    with offscreen_context() as context:
        renderer = Renderer(context)
        deque(renderer.steps(BEFORE, CAMERA, Settings(SIZE), None, is_backdrop=True), maxlen=0)

        def shot(what, reduced=REDUCED, camera=CAMERA, size=SIZE):
            target = context.simple_framebuffer(size, components=3)
            renderer.draw(what, camera, Settings(size, reduced=reduced), target)
            assert not (reduced is None and renderer.used_backdrop)
            pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8)
            return pixels.reshape(size[1], size[0], 3)[::-1].astype(int), renderer.used_backdrop

        yield shot


def test_hits_that_change_are_drawn_over_it_as_in_the_full_picture(shoot):
    what = scene(FRONT[1:21:2])
    over, is_over = shoot(what)
    whole, _ = shoot(what, None)
    before, _ = shoot(BEFORE, None)
    assert is_over
    changed = np.abs(before - whole).max(axis=2) > 60
    assert changed.sum() > 100
    assert np.abs(over - whole)[changed].mean() < 0.25 * np.abs(before - whole)[changed].mean()


def test_where_nothing_has_changed_it_is_the_full_picture(shoot):
    over, _ = shoot(scene(FRONT[:1]))
    whole, _ = shoot(scene(FRONT[:1]), None)
    assert np.median(np.abs(over - whole)) == 0 and (np.abs(over - whole).max(axis=2) > 16).mean() < 0.02


def test_a_picture_that_a_panel_makes_narrower_is_drawn_over_its_middle(shoot):
    what, narrow = scene(FRONT[1:21:2]), (SIZE[0] - 80, SIZE[1])
    over, is_over = shoot(what, size=narrow)
    whole, _ = shoot(what, None, size=narrow)
    assert is_over and np.abs(over - whole).mean() < 2
    assert not shoot(what, size=SIZE)[1]


@pytest.mark.parametrize(
    ("what", "camera"),
    [
        (BEFORE, CAMERA.orbit(1.0, 0.0)),
        (scene(FRONT[:20:2], lows=LOWS + 0.01), CAMERA),
        (scene(FRONT[:20:2], cues=np.where(np.arange(MANY) == 7, Cue.HIDDEN, 0).astype(np.uint8)), CAMERA),
        (scene(FRONT[: MOST_CHANGED + 1]), CAMERA),
    ],
    ids=["camera", "moved", "hidden", "many"],
)
def test_what_it_does_not_fit_is_reduced_as_without_it(shoot, what, camera):
    assert shoot(BEFORE)[1]
    assert not shoot(what, camera=camera)[1]


def test_what_was_selected_leaves_no_outline_in_it(shoot):
    over, is_over = shoot(scene([]))
    outlined, _ = shoot(BEFORE, None)
    bright = [(picture.min(axis=2) > 180).sum() for picture in (over, outlined)]
    assert is_over and bright[0] == 0 < bright[1]
