"""The same boxes and triangles as bulk items and as single ones."""

import numpy as np

from hitscope.evaluate import evaluate
from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive, ObbsPrimitive, TrianglesPrimitive
from hitscope.scene.items import AabbPrimitive, ObbPrimitive, SegmentProbe, TrianglePrimitive

RANDOM = np.random.default_rng(0)
LOWS = RANDOM.uniform(-1, 1, (6, 3))
HIGHS = LOWS + np.array([[1, 1, 1]] * 5 + [[1, 0, 1]])
CENTERS, HALVES = RANDOM.uniform(-1, 1, (3, 3)), RANDOM.uniform(0.1, 1, (3, 3))
QUATERNIONS = RANDOM.normal(size=(3, 4))
CORNERS = RANDOM.uniform(-1, 1, (4, 3, 3))
SEGMENT = SegmentProbe(id="seg", start=(-3.0, 0.1, 0.2), end=(3.0, 0.3, -0.1))


def vectors(rows):
    return [tuple(row) for row in rows.tolist()]


def singles():
    return (
        *(AabbPrimitive(min=lo, max=hi) for lo, hi in zip(vectors(LOWS), vectors(HIGHS), strict=True)),
        *(TrianglePrimitive(vertices=tuple(map(tuple, corners))) for corners in CORNERS.tolist()),
        *(
            ObbPrimitive(center=c, half_extents=h, quaternion_xyzw=q)
            for c, h, q in zip(vectors(CENTERS), vectors(HALVES), vectors(QUATERNIONS), strict=True)
        ),
    )


def bulk():
    return (
        AabbsPrimitive(id="boxes", min=LOWS, max=HIGHS),
        TrianglesPrimitive(id="triangles", vertices=CORNERS),
        ObbsPrimitive(id="turned", center=CENTERS, half_extents=HALVES, quaternion_xyzw=QUATERNIONS),
    )


def report_of(primitives, *probes):
    return evaluate(Scene(version=1, primitives=primitives, probes=probes or (SEGMENT,)))
