"""A box's axes as a quaternion or as angles: those that gave them, or the nearest there are."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitscope.scene.checked_shapes import IDENTITY, axes_from_euler, axes_from_quaternion
from hitscope.scene.rotations import axes_difference, euler_of, quaternion_of

CLOSE = 2.0**-51
"""Two ulps of 1: no entry of the axes may be off by more."""
angles = st.floats(-180, 180)
components = st.floats(-1, 1)


@given(st.tuples(angles, angles, angles))
def test_both_forms_give_the_axes_of_any_angles_back_to_rounding(euler):
    axes = axes_from_euler(euler)
    assert axes_difference(axes_from_quaternion(quaternion_of(axes)), axes) <= CLOSE
    assert axes_difference(axes_from_euler(euler_of(axes)), axes) <= CLOSE


@given(st.tuples(components, components, components, components).filter(lambda q: max(map(abs, q)) > 1e-3))
def test_both_forms_give_the_axes_of_any_quaternion_back_to_rounding(quaternion):
    axes = axes_from_quaternion(quaternion)
    found = quaternion_of(axes)
    assert math.isclose(math.hypot(*found), 1, rel_tol=1e-15) or max(map(abs, found)) == 1
    assert axes_difference(axes_from_quaternion(found), axes) <= CLOSE
    assert axes_difference(axes_from_euler(euler_of(axes)), axes) <= CLOSE


def test_quarter_turns_lose_nothing():
    for turns in product(range(-180, 181, 90), repeat=3):
        axes = axes_from_euler(tuple(map(float, turns)))
        assert axes_difference(axes_from_quaternion(quaternion_of(axes)), axes) == 0, turns
    assert axes_difference(axes_from_euler(euler_of(axes)), axes) == 0


@pytest.mark.parametrize("euler", [(30.0, 20.0, -45.0), (0.1, 0.0, 0.0), (-12.5, 80.25, 179.0)])
def test_angles_with_few_decimals_are_found_as_they_were_typed(euler):
    assert euler_of(axes_from_euler(euler)) == euler


def test_axes_may_be_left_handed_or_point_the_other_way():
    a, b, c = axes_from_euler((30.0, 20.0, 10.0))
    mirrored = (a, b, tuple(-value for value in c))
    assert euler_of(mirrored) == (30.0, 20.0, 10.0)
    assert axes_difference(mirrored, (a, b, c)) == 0
    assert axes_difference(axes_from_quaternion(quaternion_of(mirrored)), mirrored) <= CLOSE
    assert axes_difference(IDENTITY, (a, b, c)) > 0.1
