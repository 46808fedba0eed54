"""Threads share shapes, scenes, reports and hierarchies."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import hitscope
from hitscope import Aabb, Plane, Polyhedron, Ray, Segment, Triangle

BOXES = [Aabb((x, 0, 0), (x + 1, 1, 1)) for x in range(0, 12, 2)]
PRIMITIVES = [
    *BOXES,
    Triangle(*np.eye(3)),
    Plane((0, 0, 1), 0.5),
    Polyhedron(vertices=[*np.eye(3).tolist(), (0, 0, 0)]),
]
PROBES: list[Any] = [Ray((-1, 0.5, 0.5), (1, 0, 0)), Segment((0, 0, 0), (4, 1, 1)), Segment((0, 0, 9), (0, 0, -9))]


@pytest.fixture(autouse=True)
def switching_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_what_threads_share_answers_as_alone() -> None:
    made = hitscope.scene(PRIMITIVES, PROBES)
    shared = hitscope.evaluate(made)
    right = hitscope.evaluate(made).rows()
    probe, primitive = PROBES[0], BOXES[0]
    verdict, explained = (
        hitscope.intersect(probe, primitive),
        repr(hitscope.explain(probe, primitive, "slab_ericson")),
    )

    def ask(k: int) -> list[Any]:
        return [
            hitscope.evaluate(made).rows() == right,
            shared.rows() == right,
            hitscope.evaluate(hitscope.scene(PRIMITIVES, PROBES)).rows() == right,
            hitscope.intersect(probe, primitive) == verdict,
            repr(hitscope.explain(probe, primitive, "slab_ericson")) == explained,
            bool(hitscope.hits([probe] * 6, BOXES).all()),
        ]

    with ThreadPoolExecutor(6) as pool:
        assert [all(answers) for answers in pool.map(ask, range(12))] == [True] * 12
