"""Cues beside colours: many misses, outlines with a gap, rims, cores and signs."""

from dataclasses import replace

import numpy as np
import pytest

from hitscope.draw.items import Boxes, Cue, Ending, Role
from hitscope.render.camera import Camera
from hitscope.render.palette import DARK, THEMES, rgb
from hitscope.render.view import View
from tests.render.drawn import WHOLE, at, boxes, drawn, markers, shot, strokes

FRONT = Camera((0.0, 0.0, 8.0), (0.0, 0.0, 0.0))
EVERY_THEME = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def contrast(one, other):
    """The contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(colour)]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


def profile(pixels, point):
    """The pixels above a point of the scene, up to 12 of them."""
    x, y, _ = View(FRONT, WHOLE).project([point])[0]
    return pixels[int(y) - np.arange(12), int(x)]


def amid(others, cue=Cue.NONE):
    """A miss at the left and a hit at the right, with so many misses between them."""
    lows = [(0.2 * x, 0.2 * y - 1.6, 0.0) for x in range(-4, 5) for y in range(16)][:others]
    return boxes(
        ((-2, -1, -0.5), (-1.2, 1, 0.5), Role.MISS, Cue.NONE),
        ((1.3, -1, -0.5), (2, 1, 0.5), Role.HIT, Cue.NONE),
        *((low, np.add(low, 0.1), Role.MISS, cue) for low in lows),
    )


def test_among_many_misses_each_is_fainter_and_hits_are_not():
    empty = shot(drawn(), FRONT)
    few, many, hidden = (shot(drawn(boxes=amid(*which)), FRONT) for which in ((2,), (140,), (140, Cue.HIDDEN)))

    def loud(pixels, x):
        return np.abs(at(pixels, FRONT, (x, 0, 0.5)) - at(empty, FRONT, (x, 0, 0.5))).max()

    assert loud(many, -1.6) < 0.75 * loud(few, -1.6)
    assert loud(many, 1.65) == loud(few, 1.65)
    assert loud(hidden, -1.6) == loud(few, -1.6)


@EVERY_THEME
@pytest.mark.parametrize("kind", ["probe", "box"])
def test_between_what_is_selected_and_its_outline_is_a_gap(theme, kind):
    if kind == "probe":
        line = strokes(((-2, 0, 0), (2, 0, 0), Ending.PLAIN))
        what = drawn(strokes=replace(line, cues=np.array([Cue.SELECTED], np.uint8)))
    else:
        what = drawn(boxes=boxes(((-2, -1, 0), (2, 0, 0), Role.HIT, Cue.SELECTED)))
    pixels = profile(shot(what, FRONT, theme=theme), (0.5, 0, 0))
    halo, outline = (np.abs(pixels - 255 * np.array(rgb(c))).max(axis=1) for c in (theme.halo, theme.outline))
    ring = int(outline.argmin())
    assert outline[ring] < 60 and 2 <= ring <= 6
    assert halo[:ring].min() < 90 and halo[:ring].min() < halo[ring]


@EVERY_THEME
def test_what_is_selected_is_outlined_through_what_hides_it(theme):
    def seen(cue):
        front, behind = ((-3, -2, 1), (3, 2, 1.5), Role.MISS, Cue.NONE), ((-1, -1, -1), (1, 0, 0), Role.HIT, cue)
        return profile(shot(drawn(boxes=boxes(front, behind)), FRONT, theme=theme), (0.5, 0, 0)).astype(int)

    assert np.abs(seen(Cue.SELECTED) - seen(Cue.NONE)).max() > 30


@EVERY_THEME
def test_a_touched_box_has_a_rim_that_is_lighter_than_its_face(theme):
    box = boxes(((-2, -2, 0), (2, 0, 0), Role.HIT, Cue.TOUCHING))
    pixels = shot(drawn(boxes=box), FRONT, theme=theme)
    rim = at(pixels, FRONT, (0.5, -0.09, 0))
    assert rim.min() > at(pixels, FRONT, (0.5, -1, 0)).min() + 30


def test_a_degenerate_probe_has_a_sign_above_its_handle():
    plain, marked = (
        shot(drawn(markers=markers(((0, 0, 0), Role.PROBE, cue))), FRONT) for cue in (Cue.NONE, Cue.DEGENERATE)
    )
    changed = np.argwhere(np.abs(plain - marked).max(axis=2) > 30)
    x, y, _ = View(FRONT, WHOLE).project([(0, 0, 0)])[0]
    middle = changed.mean(axis=0)
    assert middle[1] == pytest.approx(x, abs=2)
    assert 10 < y - middle[0] < 22
    warning = 255 * np.array(rgb(DARK.warning))
    assert (np.abs(marked - warning).max(axis=2) < 40).sum() > 20


@EVERY_THEME
def test_words_and_signs_have_enough_contrast(theme):
    for ground in (theme.background_top, theme.background_bottom):
        for role in (Role.HIT, Role.MISS, Role.PROBE):
            assert contrast(theme.roles[role], ground) > 3.9
        for role in (Role.ENTRY, Role.EXIT, Role.NORMAL, Role.AXIS, Role.INTERVAL, Role.REFERENCE):
            assert contrast(theme.roles[role], ground) > 2.7
        assert contrast(theme.warning, ground) > 3.9
    assert contrast(theme.core, theme.roles[Role.PROBE]) > 2.4
    assert luminance(theme.bright) > 0.9


def test_a_hit_is_found_at_a_glance_among_thousands_of_misses():
    count, at_hit = 20_000, np.array([0.1, 0.2, -0.3])
    lows = np.random.default_rng(3).uniform(-1, 1, (count, 3))
    lows[0] = at_hit
    roles = np.full(count, Role.MISS, np.uint8)
    roles[0] = Role.HIT
    crowd = Boxes(lows, np.tile(np.eye(3) * 0.02, (count, 1, 1)), roles, np.zeros(count, np.uint8))
    camera = Camera((2.0, 1.5, 5.0), (0.0, 0.0, 0.0))
    picture = shot(replace(drawn(crowd), origin_axes=False), camera)
    green = picture[:, :, 1].astype(int) - picture[:, :, 0]
    x, y = View(camera, WHOLE).project(at_hit + 0.01)[0, :2]
    rows, columns = np.nonzero(green > 60)
    assert len(rows) > 40, "it is as large as a mark"
    assert np.hypot(columns - x, rows - y).max() < 14, "and nothing else is green"
    assert np.median(picture[60:180, 100:220, 0]) < 110, "the misses recede"
