"""A level of the hierarchy: boxes that hold all primitives, and of those that are entered all that is hit."""

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.draw.builder import Builder
from hitscope.draw.items import NO_THIN_LINES, Cue
from hitscope.evaluate import evaluate
from hitscope.resources import SCENES
from hitscope.scene import Scene, load
from hitscope.scene.edits import show_hierarchy
from hitscope.scene.items import AabbPrimitive
from tests.draw.draw_lists import build

pytestmark = pytest.mark.thorough  # it compiles

SCENE = load(SCENES / "bulk" / "hierarchy-levels.scene.json")


def shown(level):
    report = evaluate(show_hierarchy(SCENE, level))
    report.hierarchies(build=True)
    return report, Builder().picture(report).level


def inside(inner, outer):
    """Of each inner box (n, 2, 3): is it within one of the outer ones."""
    lo = (outer[None, :, 0] <= inner[:, None, 0]).all(axis=2)
    hi = (inner[:, None, 1] <= outer[None, :, 1]).all(axis=2)
    return (lo & hi).any(axis=1)


def test_every_level_holds_every_primitive_and_what_is_entered_holds_what_is_hit():
    deepest = shown(0)[1].deepest
    assert deepest >= 2
    for number in range(deepest + 1):
        report, level = shown(number)
        houses = report.elements.parts[0].shapes.rows.reshape(2, 3, -1).transpose(2, 0, 1)
        assert level.number == number
        assert inside(houses, level.boxes).all()
        assert inside(houses[report.hits[0]], level.entered).all()
        assert inside(level.entered, level.boxes).all()
        assert 0 < len(level.entered) <= len(level.boxes)
    assert len(level.entered) < len(level.boxes) / 2


def test_deeper_than_the_deepest_is_the_deepest():
    deepest = shown(0)[1].deepest
    assert shown(99)[1].number == deepest
    assert shown(deepest)[1].words == shown(99)[1].words


def test_shapes_too_large_for_a_hierarchy_have_no_level():
    giant = AabbPrimitive(min=(0, 0, 0), max=(1e300, 1, 1))
    report = evaluate(show_hierarchy(Scene(version=1, primitives=(giant,), probes=()), 0))
    report.hierarchies(build=True)
    assert Builder().picture(report).level is None
    assert len(build(report).hierarchy.starts) == 0


def test_the_edges_of_the_boxes_are_drawn_and_those_of_the_entered_ones_stand_out():
    report, level = shown(1)
    thin_lines = build(report).hierarchy
    boxes = np.concatenate([level.boxes, level.entered])
    assert len(thin_lines.starts) == 12 * len(boxes)
    assert np.count_nonzero(thin_lines.cues == Cue.TOUCHING) == 12 * len(level.entered)
    lengths = (thin_lines.ends - thin_lines.starts).reshape(-1, 12, 3)
    assert np.count_nonzero(lengths, axis=2).max() == 1
    for axis in range(3):
        along = lengths[:, :, axis]
        sizes = boxes[:, 1, axis] - boxes[:, 0, axis]
        assert np.allclose(np.sort(along, axis=1)[:, -4:], sizes[:, None])


def test_nothing_is_made_or_drawn_of_it_unless_the_scene_shows_it():
    report = evaluate(replace(SCENE, view=replace(SCENE.view, hierarchy=None)))
    assert not report.lacks_hierarchies
    assert build(report).hierarchy is NO_THIN_LINES
    assert evaluate(SCENE).lacks_hierarchies
