"""Charts as SVG: well formed, by itself, with the numbers of the data."""

import re
from xml.etree import ElementTree

import pytest

from hitscope.explain import explain
from hitscope.explain.charts import as_data, chart_of, draw, row_at
from hitscope.explain.charts.marks import Mark, Sheet, ticks
from hitscope.explain.charts.svg import chart_svgs, svg
from hitscope.geometry.registry import choose, pair_of
from hitscope.geometry.shapes import Aabb, Line, Obb, Plane, Point, Ray, Segment, Sphere, Triangle
from hitscope.numerals import typeset

UNIT = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
TURNED = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0))
TRIANGLE = Triangle((2.0, 0.0, 0.0), (0.0, 2.0, 0.5), (3.0, 3.0, 3.0))
BALL = Sphere((0.0, 0.0, 0.0), 1.0)
PAIRS = [
    (Segment((-1.0, 0.5, 0.2), (2.0, 0.7, 0.4)), UNIT, "slab_ericson"),
    (Segment((0.2, 0.5, 0.2), (0.3, 0.7, 0.4)), UNIT, "slab_halfspaces"),
    (Segment((0.2, 0.5, 0.2), (0.2, 0.5, 0.2)), UNIT, "kay_kajiya"),
    (Ray((-1.0, 0.0, 0.5), (1.0, 0.0, 0.0)), UNIT, "kay_kajiya"),
    (Line((-1.0, 5.0, 0.5), (1.0, 0.0, 0.0)), UNIT, "kay_kajiya"),
    (Ray((-1.0, 0.5, 1e300), (1.0, 1e-300, 1e-9)), UNIT, "exact"),
    (TRIANGLE, UNIT, "sat13"),
    (UNIT, Obb((1.6, 0.9, 0.2), (1.0, 0.5, 0.25), TURNED), "sat15"),
    (UNIT, Plane((0.0, 1.0, 0.0), 0.5), "exact"),
    (UNIT, Aabb((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "overlap"),
    (Segment((1.0, 1.0, -4.0), (1.0, 1.1, 4.0)), TRIANGLE, "angle_sum"),
    (Ray((1.0, 1.0, -4.0), (0.0, 0.0, 0.0)), TRIANGLE, "exact"),
    (Line((1.0, 1.0, -4.0), (0.0, 1.0, 0.0)), TRIANGLE, "exact"),
    (Ray((0.0, 0.5, 0.0), (0.0, 1.0, 0.0)), Plane((0.0, 1.0, 0.0), 0.5), "plane_equation"),
    (Ray((0.0, 0.5, 0.0), (0.0, 0.0, 1.0)), Plane((0.0, 1.0, 0.0), 0.5), "plane_equation"),
    (Ray((-3.0, 0.5, 0.0), (1.0, 0.0, 0.0)), BALL, "exact"),
    (Segment((-3.0, 0.5, 0.0), (0.0, 0.5, 0.0)), BALL, "exact"),
    (Segment((0.0, 0.5, 0.0), (0.1, 0.5, 0.0)), BALL, "exact"),
    (Line((-3.0, 1.0, 0.0), (1e-3, 0.0, 0.0)), BALL, "exact"),
    (Line((1e200, 5.0, 0.0), (-1e-200, 1.0, 0.0)), BALL, "exact"),
    (Ray((0.0, 0.5, 0.0), (0.0, 0.0, 1e-300)), Sphere((0.0, 0.0, 0.0), 0.0), "exact"),
    (BALL, Sphere((2.0, 0.5, 0.0), 1.0), "exact"),
    (BALL, BALL, "exact"),
    (BALL, UNIT, "exact"),
    (BALL, Plane((0.0, 1.0, 0.0), 0.5), "exact"),
    (Segment((0.0, 1e-200, 0.0), (0.0, 1e200, 1.0)), Plane((0.0, 1.0, 0.0), 0.5), "exact"),
]


def explained(probe, primitive, name):
    return explain(choose(pair_of(probe, primitive), name), probe, primitive)


@pytest.mark.parametrize(("probe", "primitive", "name"), PAIRS)
@pytest.mark.parametrize("width", [20.0, 23.0, 44.0])
def test_all_marks_are_on_the_drawing(probe, primitive, name, width):
    drawing = draw(chart_of(explained(probe, primitive, name)), width)
    for mark in drawing.marks:
        for x, y in mark.points:
            assert -0.1 <= x <= drawing.width + 0.1, mark
            assert -0.1 <= y <= drawing.height + 0.1, mark
        if mark.kind in ("bar", "frame"):
            (left, top), (right, bottom) = mark.points
            assert left <= right
            assert top <= bottom


@pytest.mark.parametrize(("probe", "primitive", "name"), PAIRS)
def test_a_chart_is_one_svg_that_needs_nothing_else(probe, primitive, name):
    (found,) = chart_svgs(explained(probe, primitive, name))
    root = ElementTree.fromstring(found)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|<script|@import", found)
    assert "prefers-color-scheme:dark" in found
    # Only the themes name colours: every element takes that of its tone.
    assert "#" not in found.replace(re.search(r"<style>.*?</style>", found)[0], "")


def test_the_numbers_of_the_svg_are_those_of_the_data():
    for probe, primitive, name in PAIRS[:1] + PAIRS[6:8]:
        explanation = explained(probe, primitive, name)
        data = as_data(chart_of(explanation))
        (found,) = chart_svgs(explanation)
        for row in data["rows"]:
            for key in ("near", "far") if data["chart"] == "slabs" else ("gap",):
                assert typeset(row[key]) in found


def test_texts_are_escaped():
    sheet = Sheet()
    sheet.text((0.0, 0.0), "a < b & c")
    found = svg(sheet.drawing(1.0, 1.0, "x < y"))
    assert "a &lt; b &amp; c" in found
    assert ElementTree.fromstring(found)[0].text == "x < y"


def test_the_row_that_a_step_is_at_has_a_zone_that_a_page_can_light():
    explanation = explained(*PAIRS[0])
    last = len(explanation.trace.steps) - 3
    (found,) = chart_svgs(explanation)
    assert re.findall(r'class="zone" data-row="(\d)"', found) == ["0", "1", "2"]
    chart = chart_of(explanation)
    assert [row_at(explanation, chart, step) for step in (0, last)] == [None, 2]
    assert ".zone.lit{fill:" in found


def test_a_pair_without_a_chart_has_no_svg():
    assert chart_svgs(explained(Point((0.0, 0.0, 0.0)), UNIT, "exact")) == []


def test_the_slab_after_the_last_that_a_test_comes_to_is_faint():
    drawing = draw(chart_of(explained(Segment((-1.0, 3.0, 0.5), (2.0, 3.1, 0.5)), UNIT, "slab_ericson")), 30.0)
    names = {mark.text: mark.strength for mark in drawing.marks if mark.text in ("x", "y", "z")}
    assert names["x"] == names["y"] == 1.0 > names["z"]


def test_ticks_are_round_numbers_and_few():
    assert ticks(-0.1, 1.1) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert ticks(0.0, 0.0) == []
    for size in (1e-300, 1e-9, 3.0, 7e8, 1e300):
        assert 2 <= len(ticks(-size, size)) <= 7


def test_a_mark_of_a_slab_knows_its_slab():
    drawing = draw(chart_of(explained(*PAIRS[0])), 30.0)
    bars = {mark.row for mark in drawing.marks if isinstance(mark, Mark) and mark.tone == "interval"}
    assert bars == {0, 1, 2} == {zone.row for zone in drawing.zones}
