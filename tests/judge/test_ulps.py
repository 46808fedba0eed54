"""The unit of how wrong a verdict is: an ulp at a pair's largest length."""

import math

import numpy as np
import pytest

from hitscope.geometry.shapes import Aabb, Obb, Parallelepiped, Plane, Point, Polyhedron, Ray, Segment
from hitscope.targets.cases import Cases
from hitscope.targets.judging.truth import Truth

AXES = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def ulp_of(pair, probe, primitive, real=np.float64):
    return float(Truth(Cases.of_shapes(pair, [probe], [primitive], real)).ulps(np.arange(1))[0])


@pytest.mark.parametrize(
    ("pair", "probe", "primitive", "largest"),
    [
        ("ray_plane", Ray((1, -6, 3), (900, 0, 0)), Plane((80, 0, 0), 2), 6.0),
        ("ray_plane", Ray((1, 2, 3), (900, 0, 0)), Plane((80, 0, 0), -9), 9.0),
        ("segment_obb", Segment((0, 0, 0), (1, 0, 0)), Obb((0, 0, 0), (0.25, 0.5, 0.125), AXES), 1.0),
        ("point_obb", Point((0, 0, 0)), Obb((0, 0, 0), (0.25, 5, 0.125), AXES), 5.0),
        ("point_parallelepiped", Point((0, 0, 0)), Parallelepiped((1, 1, 1), ((1, 0, -7), *AXES[1:])), 7.0),
        ("point_polyhedron", Point((1, 0, 0)), Polyhedron(planes=(Plane((90, 0, 0), 3),)), 3.0),
        ("point_polyhedron", Point((1, 0, 0)), Polyhedron(vertices=((1, 2, -12), (1, 1, 1))), 12.0),
    ],
)
def test_directions_axes_and_normals_are_no_lengths(pair, probe, primitive, largest):
    assert ulp_of(pair, probe, primitive) == math.ulp(largest)


@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_an_ulp_is_finite_and_not_zero_over_the_whole_range(real):
    limits = np.finfo(real)
    for number in (0.0, limits.smallest_subnormal, limits.tiny, 1.0, 3.0, limits.max):
        below = np.nextafter(real(number), real(0))
        expected = float(real(number) - below) if number else float(limits.smallest_subnormal)
        # Below a power of two the spacing is half of that above.
        expected *= 2 if number == 1 else 1
        found = ulp_of("point_aabb", Point((0, 0, 0)), Aabb((0, 0, 0), (float(number), 0, 0)), real)
        assert found == expected
