"""One linear probe against many triangles in compiled code: the same verdicts as pair by pair without rounding."""

from itertools import pairwise

import cases
import numpy as np
import pytest

from hitscope.geometry import exact
from hitscope.geometry.exact import triangles as triangles_module
from hitscope.geometry.exact.triangles import Triangles
from hitscope.geometry.shapes import Line, Ray, Segment, Triangle


def assert_as_pair_by_pair(probe, triangles):
    found = Triangles(triangles).hit_by(probe)
    assert found.tolist() == [exact.meet(probe, triangle) for triangle in triangles]


@pytest.mark.parametrize("kind", ["segment", "ray", "line"])
def test_hard_cases(kind):
    for seed in range(150):
        probe, triangle = cases.pair(f"{kind}_triangle", seed)
        others = [cases.pair(f"{kind}_triangle", 10_000 + 20 * seed + k)[1] for k in range(20)]
        assert_as_pair_by_pair(probe, [triangle, *others])


def fan(unit, height):
    """Give triangles round the origin, in the plane z = height, that share edges on the axes and diagonals."""
    rim = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)]
    corners = [(x * unit, y * unit, height) for x, y in rim]
    return [Triangle((0.0, 0.0, height), p, q) for p, q in pairwise(corners)]


@pytest.mark.parametrize("exponent", [-1074, -600, -300, 0, 300, 600, 1020])
def test_through_the_shared_edges_of_a_fan_at_any_magnitude(exponent):
    unit = 2.0**exponent
    triangles = fan(unit, 0.0)
    for x, y in ((0, 0), (1, 0), (1, 1), (-1, 0), (0, -1), (0.5, 0.25)):
        start, end = (x * unit, y * unit, -unit), (x * unit, y * unit, unit)
        along = (0.0, 0.0, unit)
        for probe in (Segment(start, end), Segment(start, (*start[:2], 0.0)), Ray(start, along), Line(end, along)):
            assert_as_pair_by_pair(probe, triangles)
            assert Triangles(triangles).hit_by(probe).any() or exponent == -1074


def test_shared_edges_are_settled_without_fractions(monkeypatch):
    triangles = fan(1.0, 0.0)
    probe = Segment((0.3, 0.3, -1.0), (0.3, 0.3, 1.0))
    with monkeypatch.context() as patch:
        patch.setattr(triangles_module, "meet", None)
        assert Triangles(triangles).hit_by(probe).tolist() == [True, True, *[False] * 6]


def test_a_plain_scene_is_settled_by_the_filter_alone(monkeypatch):
    random = np.random.default_rng(1)
    corners = random.uniform(-1, 1, (3000, 1, 3)) + random.uniform(-0.2, 0.2, (3000, 3, 3))
    triangles = [Triangle(*(tuple(map(float, corner)) for corner in triangle)) for triangle in corners]
    for probe in (
        Segment((-1.0, -0.9, -0.8), (1.0, 0.9, 0.7)),
        Ray((-1.0, -0.9, -0.8), (1.0, 0.9, 0.7)),
        Line((0.0, 0.1, 0.2), (1.0, 0.5, 0.7)),
    ):
        expected = [exact.meet(probe, triangle) for triangle in triangles]
        with monkeypatch.context() as patch:
            patch.setattr(triangles_module, "meet", None)
            assert Triangles(triangles).hit_by(probe).tolist() == expected
        assert 2 < sum(expected) < 300
