"""What many items become while they are dragged: the same sets as in the end, to what float64 leaves of them."""

import math

import numpy as np
import pytest
from msgspec.structs import asdict

from hitscope.geometry.arrays import numbers_of
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.scene.items import (
    AabbPrimitive,
    AabbProbe,
    HalfSpace,
    LineProbe,
    ObbPrimitive,
    ObbProbe,
    ParallelepipedPrimitive,
    ParallelepipedProbe,
    PlanePrimitive,
    PointProbe,
    PolyhedronPrimitive,
    RayProbe,
    SegmentProbe,
    TrianglePrimitive,
    TriangleProbe,
)
from hitscope.scene.transforms import rotate_all, scale_all, translate_all

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
PIVOT = (0.3, -0.7, 1.1)
BY = (0.1, 0.0, -2.25)
TILTED = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), Z)
EDGES = ((1.0, 0.25, 0.0), (0.0, 0.7, 0.1), (-0.3, 0.0, 0.8))
CORNERS = ((0.1, 0.2, 0.3), (1.4, 0.2, -0.6), (0.0, 2.0, 0.5))
ITEMS = (
    AabbPrimitive(min=(0.1, 0.2, 0.3), max=(0.4, 0.6, 1.3)),
    AabbPrimitive(id="by its center", center=(2.0, 4.0, -1.0), half_extents=(0.5, 1.0, 1.5)),
    ObbPrimitive(center=(1.0, 2.0, 3.0), half_extents=(1.0, 2.0, 0.5)),
    ObbPrimitive(center=(1.1, 2.2, 3.3), half_extents=(1.0, 2.0, 0.5), euler_xyz_deg=(10.0, 20.0, 30.0)),
    ObbPrimitive(center=(0.0, 0.0, 0.0), half_extents=(1.0, 0.0, 0.5), quaternion_xyzw=(0.1, 0.2, 0.3, 0.9)),
    ObbPrimitive(id="by axes", center=(0.7, 0.0, 0.0), half_extents=(1.0, 2.0, 0.5), axes=TILTED),
    ParallelepipedPrimitive(origin=(0.5, 0.5, 0.5), edges=EDGES),
    TrianglePrimitive(vertices=CORNERS),
    PlanePrimitive(normal=(1.0, 2.0, -0.5), offset=0.3),
    PolyhedronPrimitive(vertices=(*CORNERS, (3.0, 3.0, 3.0))),
    PolyhedronPrimitive(planes=(HalfSpace(normal=X, offset=1.0), HalfSpace(normal=(-1.0, 0.5, 0.0), offset=0.2))),
    AabbsPrimitive(min=[(0.1, 0.2, 0.3)], max=[(0.4, 0.6, 1.3)]),
    AabbProbe(id="off", min=(0.1, 0.2, 0.3), max=(0.4, 0.6, 1.3), enabled=False),
    ObbProbe(center=(1.0, 2.0, 3.0), half_extents=(1.0, 2.0, 0.5), enabled=False, euler_xyz_deg=(0.0, 45.0, 0.0)),
    ParallelepipedProbe(origin=(0.5, 0.5, 0.5), edges=EDGES),
    TriangleProbe(vertices=CORNERS),
    PointProbe(position=(1.0, 2.0, 3.0)),
    SegmentProbe(start=(0.0, 1.0, 2.0), end=(3.0, 4.0, 5.5)),
    RayProbe(origin=(0.0, 1.0, 2.0), direction=(1.0, 0.5, 0.25)),
    LineProbe(origin=(0.0, 1.0, 2.0), direction=(1.0, 0.5, 0.25)),
)
CHANGES = {
    "moved": lambda items, rough: translate_all(items, BY, rough),
    "turned": lambda items, rough: rotate_all(items, PIVOT, Z, 41.3, rough),
    "turned a quarter": lambda items, rough: rotate_all(items, PIVOT, Y, -90.0, rough),
    "turned about any axis": lambda items, rough: rotate_all(items, PIVOT, (1.0, 2.0, -0.5), 200.0, rough),
    "scaled evenly": lambda items, rough: scale_all(items, PIVOT, (1.5, 1.5, 1.5), rough=rough),
    "scaled along an axis": lambda items, rough: scale_all(items, PIVOT, (1.0, -2.0, 1.0), rough=rough),
    "scaled along the axes of a box": lambda items, rough: scale_all(items, PIVOT, (3.0, 0.5, 1.0), TILTED, rough),
}


def numbers(item):
    shapes = item.shapes if hasattr(item, "shapes") else [item.shape]
    return [number for shape in shapes for number in numbers_of(tuple(shape)) if number is not None]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_shown_roughly_is_what_comes_of_it(change):
    items = [item for item in ITEMS if not (change.startswith("scaled al") and isinstance(item, AabbsPrimitive))]
    exact, rough = CHANGES[change](items, False), CHANGES[change](items, True)
    assert [type(item) for item in rough] == [type(item) for item in exact]
    assert [item.id for item in rough] == [item.id for item in exact]
    assert [getattr(item, "enabled", None) for item in rough] == [getattr(item, "enabled", None) for item in exact]
    for one, other in zip(rough, exact, strict=True):
        np.testing.assert_allclose(numbers(one), numbers(other), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("change", CHANGES)
def test_the_shape_of_what_is_shown_is_the_one_that_its_numbers_define(change):
    for item in CHANGES[change]([item for item in ITEMS if hasattr(item, "shape")], True):
        assert item.shape == type(item)(**asdict(item)).shape


def test_short_decimals_are_moved_roughly_as_they_are_exactly():
    assert translate_all(ITEMS, BY, rough=True) == translate_all(ITEMS, BY)


def test_long_decimals_are_moved_roughly_to_the_rounding_of_float64():
    random = np.random.default_rng(5)
    items = [AabbPrimitive(min=tuple(lo), max=tuple(lo + 1)) for lo in random.normal(size=(50, 3))]
    exact, rough = (translate_all(items, (math.pi, 0.0, 1 / 3), rough) for rough in (False, True))
    assert exact != rough
    for one, other in zip(rough, exact, strict=True):
        np.testing.assert_allclose(one.shape, other.shape, rtol=0, atol=2 * np.spacing(4.0))
        assert one.min[1] == other.min[1] and one.max[1] == other.max[1]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_shown_stays_within_float64(change):
    huge = [
        AabbPrimitive(min=(-1e308,) * 3, max=(1e308,) * 3),
        ObbPrimitive(center=(1.7e308,) * 3, half_extents=(1e308,) * 3, euler_xyz_deg=(10.0, 20.0, 30.0)),
    ]
    far = (-1.7e308,) * 3
    for items in (
        CHANGES[change](huge, True),
        translate_all(huge, far, rough=True),
        rotate_all(huge, far, (1.0, 2.0, -0.5), 41.3, rough=True),
        scale_all(huge[1:], far, (1e3, 1.0, 10.0), rough=True),
    ):
        assert np.isfinite([number for item in items for number in numbers(item)]).all()


def test_there_need_not_be_boxes():
    points = [PointProbe(position=(1.0, 0.0, 0.0))]
    assert rotate_all(points, (0.0, 0.0, 0.0), Z, 90.0, rough=True)[0].position == (0.0, 1.0, 0.0)
    assert scale_all([], PIVOT, (1.0, 2.0, 3.0), rough=True) == []
