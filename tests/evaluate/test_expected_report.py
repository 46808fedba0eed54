"""The report as a scene expects it, to be drawn beside what was found."""

import pytest

from hitscope import evaluate
from hitscope.evaluate.expected_report import expected_report
from hitscope.scene.bulk import AabbsPrimitive, RaysProbe
from hitscope.scene.items import AabbPrimitive, PointProbe, SegmentProbe
from hitscope.scene.model import Expectation, Scene

ROWS = [(0.5, 0.5), (0.5, 3.5), (0.5, 0.5)]
CUT = SegmentProbe(id="cut", start=(-1, 0.5, 0.5), end=(3, 0.5, 0.5))
RAYS = RaysProbe(id="rays", origin=[(-2, y, z) for z, y in ROWS], direction=[(1, 0, 0)] * 3)
OFF = PointProbe(id="off", position=(0, 0, 0), enabled=False)
NEAR = AabbPrimitive(id="near", min=(0, 0, 0), max=(1, 1, 1))
FAR = AabbPrimitive(id="far", min=(4, 4, 4), max=(5, 5, 5))
MANY = AabbsPrimitive(id="many", min=[(0, 3, 0), (0, 8, 0)], max=[(1, 4, 1), (1, 9, 1)])


def expected_hits(probes, *expect):
    """The names of the elements that are to be hit by any probe, where those of `expect` do not hold."""
    scene = Scene(version=1, probes=probes, primitives=(NEAR, FAR, MANY), expect=expect)
    report = evaluate(scene)
    found = expected_report(report)
    assert found.elements is report.elements
    return {found.elements[j].id for j in found.hit_elements.nonzero()[0].tolist()}


def of(probe, primitive, **answers):
    return Expectation(probe=probe, primitive=primitive, **answers)


@pytest.mark.parametrize(
    ("probes", "expect", "hit"),
    [
        ((CUT,), (), {"near"}),
        ((CUT,), (of("cut", "near", hit=False),), set()),
        ((CUT,), (of("cut", "far", hit=True),), {"near", "far"}),
        ((CUT,), (of("cut", "many", hit=True),), {"near", "many[0]", "many[1]"}),
        ((CUT, RAYS), (of("cut", "near", hit=False),), {"near", "many[0]"}),
        ((RAYS,), (of("rays[1]", "many[0]", hit=False),), {"near"}),
        ((RAYS,), (of("rays[0]", "near", hit=False),), {"near", "many[0]"}),
        ((RAYS,), (of("rays", "near", hit=False),), {"many[0]"}),
        ((RAYS,), (of("rays[0]", "far", hit=True),), {"near", "far", "many[0]"}),
        ((CUT,), (Expectation(probe="cut", hits=("far",)),), {"far"}),
        ((CUT, OFF), (of("off", "far", hit=True),), {"near"}),
        ((CUT,), (of("cut", "near", hit=False, method="slab_ericson"),), {"near"}),
    ],
)
def test_the_failing_expectations_say_what_is_hit(probes, expect, hit):
    assert expected_hits(probes, *expect) == hit


def test_a_pair_has_its_expected_answers_and_the_point_of_its_expected_t():
    scene = Scene(version=1, probes=(CUT,), primitives=(NEAR,), expect=(of("cut", "near", t_enter=0.5),))
    report = evaluate(scene)
    found = expected_report(report).verdict(0, 0)
    assert (found.hit, found.t_enter, found.t_exit, found.point) == (True, 0.5, 0.5, (1.0, 0.5, 0.5))
    assert report.verdict(0, 0).t_enter == 0.25
    missed = Scene(version=1, probes=(CUT,), primitives=(NEAR,), expect=(of("cut", "near", hit=False),))
    found = expected_report(evaluate(missed)).verdict(0, 0)
    assert (found.hit, found.t_enter, found.normal) == (False, None, None)
