"""The axis that tells a pair apart, as an arrow of its own role from where the primitive is nearest."""

import numpy as np

from hitscope.draw.items import Role
from hitscope.draw.target import Target
from hitscope.evaluate import evaluate
from hitscope.scene import Scene
from hitscope.scene.bulk import SegmentsProbe
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from tests.draw.draw_lists import build

BOX = AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
ABOVE = SegmentProbe(id="above", start=(0.5, 3.0, 0.5), end=(2.5, 4.0, 0.5))
INSIDE = SegmentProbe(id="inside", start=(0.5, 0.5, 0.5), end=(2.5, 4.0, 0.5))


def axes(*probes, chosen):
    """The positions and directions of the arrows that are axes, with a pair selected."""
    report = evaluate(Scene(version=1, primitives=(BOX,), probes=probes))
    selection = () if chosen is None else (Target("primitive", "box"), Target("probe", chosen))
    arrows = build(report, selection=selection, partner=selection[0] if selection else None).arrows
    of_axes = arrows.roles == Role.AXIS
    return arrows.positions[of_axes].tolist(), arrows.directions[of_axes].tolist()


def test_the_axis_of_a_pair_that_misses_leaves_the_primitive_towards_the_probe():
    assert axes(ABOVE, chosen="above") == ([[0.5, 1.0, 0.5]], [[0.0, 1.0, 0.0]])


def test_there_is_no_axis_of_a_hit_or_without_a_current_pair():
    assert axes(INSIDE, chosen="inside") == ([], [])
    assert axes(ABOVE, chosen=None) == ([], [])


def test_one_of_a_bundle_has_an_axis_and_a_gap_like_any_probe():
    bundle = SegmentsProbe(id="many", start=[(9.0, 9.0, 9.0), ABOVE.start], end=[(9.0, 8.0, 9.0), ABOVE.end])
    assert axes(bundle, chosen="many[1]") == ([[0.5, 1.0, 0.5]], [[0.0, 1.0, 0.0]])
    report = evaluate(Scene(version=1, primitives=(BOX,), probes=(bundle,)))
    gap = build(report, selection=(Target("probe", "many[1]"),), partner=Target("primitive", "box")).gap
    assert np.array_equal(gap, [[ABOVE.start, (0.5, 1.0, 0.5)]])
