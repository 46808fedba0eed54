"""The distance of bodies with many features, against that of each two of their faces."""

import random
from itertools import product

import pytest

from hitscope.geometry.exact import distance, features, nearest
from hitscope.geometry.shapes import Polyhedron, Triangle


def a_body(count, at, size, seed):
    """Return the hull of random points around a point."""
    rng = random.Random(seed)
    return Polyhedron(vertices=tuple(tuple((a + rng.gauss(0, 1)) * size for a in at) for _ in range(count)))


def faces(body):
    """Return the faces of a hull of points of which no four are coplanar."""
    numbers = [face.ahead.removeprefix("face ").split("-") for face in features.normals(body)]
    return [Triangle(*(body.vertices[int(number)] for number in face)) for face in numbers]


@pytest.mark.parametrize("size", [1.0, 1e-290, 1e150])
@pytest.mark.parametrize("away", [(4.0, 1.0, 0.5), (5.0, -3.0, 2.0), (30.0, 0.0, 0.0)])
def test_the_distance_of_bodies_is_that_of_their_nearest_faces(size, away):
    for seed in range(3):
        first, second = a_body(7, away, size, seed), a_body(9, (0.0, 0.0, 0.0), size, seed + 100)
        least = min(distance(*pair) for pair in product(faces(first), faces(second)))
        assert distance(first, second) == distance(second, first) == least
        if least:
            p, q = nearest(first, second) or ((), ())
            assert sum(((a - b) / size) ** 2 for a, b in zip(p, q, strict=True)) ** 0.5 == pytest.approx(
                least / size, rel=1e-6
            )
