"""Maps of stored axes: to their last bit."""

from fractions import Fraction

import numpy as np
import pytest

from hitscope.geometry.exact import rounded
from hitscope.scene.affine_maps import rotation

RANDOM = np.random.default_rng(11)
AXES = [tuple(axis) for axis in (RANDOM.normal(size=(200, 3)) * [1.0, 0.9, 0.2]).tolist()]
TINY = [(1e-200, 1.0, -1e-300), (5e-324, 0.0, 1.0), (1e-150, 1e-150, 0.0), (0.0, -0.0, 1.0), (1.0, 2.0**-60, 0.0)]


@pytest.mark.parametrize(
    ("axis", "degrees"),
    [((0.0, 0.0, 1.0), 41.3), ((0.0, -1.0, 0.0), 90.0), ((1.0, 2.0, -0.5), 200.0), ((1.0, 1e-180, 1e-170), 3.0)],
)
def test_an_axis_is_turned_as_if_in_exact_arithmetic_and_rounded_once(axis, degrees):
    motion, _ = rotation((0.0, 0.0, 0.0), axis, degrees)
    for vector in (*AXES, *TINY):
        wanted = [
            rounded(sum(Fraction(a) * Fraction(image[k]) for a, image in zip(vector, motion.images, strict=True)))
            for k in range(3)
        ]
        assert list(map(repr, motion.unit(vector))) == list(map(repr, wanted))
