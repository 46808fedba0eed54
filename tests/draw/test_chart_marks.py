"""The marks of charts in the scene, of shapes near and beyond the end of float64 too."""

import numpy as np
import pytest

from hitscope.draw.step_marks import ChartFocus, with_chart_marks
from hitscope.evaluate import evaluate
from hitscope.explain import explain
from hitscope.explain.charts import chart_of
from hitscope.geometry.registry import choose, pair_of
from hitscope.geometry.shapes import Aabb, Plane, Ray, Segment, Triangle
from hitscope.scene import Scene
from tests.draw.draw_lists import build

EMPTY = build(evaluate(Scene(version=1, primitives=(), probes=())))


def marked(probe, primitive, name, row):
    """Return the draw list of an empty scene with the marks of a row of a pair's chart."""
    chart = chart_of(explain(choose(pair_of(probe, primitive), name), probe, primitive))
    return with_chart_marks(EMPTY, ChartFocus(chart, row, probe, primitive))


def test_without_a_row_nothing_is_added():
    assert with_chart_marks(EMPTY, None) is EMPTY


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e150, 1.5e308])
def test_all_marks_are_finite_however_large_the_shapes(size):
    box = Aabb((-size, -size, -size), (size, size, size))
    triangle = Triangle((size, 0.0, 0.0), (0.0, size, size / 2), (size, size, size))
    segment = Segment((-size, 0.0, size / 4), (size, size / 2, 0.0))
    for row in range(3):
        drawn = marked(segment, box, "kay_kajiya", row)
        assert len(drawn.single.boxes.origins) == 2
        assert_finite(drawn)
    for row in range(13):
        assert_finite(marked(triangle, box, "sat13", row))


def assert_finite(drawn):
    arrays = drawn.single.boxes.origins, drawn.single.boxes.edges, drawn.strokes.starts, drawn.strokes.ends
    for array in (*arrays, drawn.markers.positions, drawn.hierarchy.starts, drawn.hierarchy.ends):
        assert np.isfinite(array).all()


def test_a_probe_between_parallel_faces_lights_them_without_points():
    drawn = marked(Ray((-3.0, 0.5, 0.5), (1.0, 0.0, 0.0)), Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), "kay_kajiya", 1)
    assert len(drawn.single.boxes.origins) == 2
    assert len(drawn.markers.positions) == len(drawn.hierarchy.starts) == 0


def test_a_plane_has_no_marks():
    drawn = marked(Aabb((0.0, 1.0, 0.0), (1.0, 2.0, 1.0)), Aabb((0.0, 4.0, 0.0), (1.0, 5.0, 1.0)), "overlap", 1)
    assert len(drawn.strokes.starts) == 3
    probe, plane = Segment((0.0, 1.0, 0.0), (1.0, 2.0, 1.0)), Plane((0.0, 1.0, 0.0), 0.0)
    assert len(marked(probe, plane, "exact", 0).strokes.starts) == 0
