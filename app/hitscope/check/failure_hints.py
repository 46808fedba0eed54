"""Common slips that explain why a pair is not as expected."""

from collections.abc import Iterator
from math import hypot, isclose
from typing import Any

import numpy as np
from msgspec import UNSET

from hitscope.evaluate import Verdict
from hitscope.evaluate.expectations import Allowed, differing
from hitscope.geometry.shapes import is_linear, linear
from hitscope.scene.model import Expectation

SAME_NUMBER = 1e-6
"""The relative difference up to which a number is taken for another one that was meant."""


def hints(expectation: Expectation, answered: Verdict, allowed: Allowed) -> Iterator[str]:
    """Yield the slips that would explain the difference of a pair's answer, in words."""
    if expectation.primitive is not UNSET:
        for name in differing(expectation, answered, allowed):
            yield from _of_answer(name, getattr(expectation, name), answered)
    if expectation.hit is False and answered.state == "touching":
        yield "touching is a hit: every shape is closed"


def _of_answer(name: str, expected: Any, answered: Verdict) -> Iterator[str]:
    found = getattr(answered, name)
    if expected is None or found is None:
        return
    if name in ("t_enter", "t_exit"):
        other = "t_exit" if name == "t_enter" else "t_enter"
        size = _length_of_vector(answered)
        if isclose(size, 1, rel_tol=SAME_NUMBER):
            pass
        elif found and isclose(expected, found * size, rel_tol=SAME_NUMBER):
            yield f"the expected {name} is a length: t is a fraction of the vector, whose length is {size:.6g}"
        elif found and isclose(expected * size, found, rel_tol=SAME_NUMBER):
            yield f"the expected {name} is divided by the length of the vector, {size:.6g}"
        elif (swapped := getattr(answered, other)) is not None and isclose(expected, swapped, rel_tol=SAME_NUMBER):
            yield f"that is {other}"
    elif name == "normal" and all(
        isclose(a, -b, abs_tol=SAME_NUMBER) for a, b in zip(expected, found, strict=True)
    ):
        yield "the expected normal points the other way: it is the outward one of the face that is entered"
    elif name == "distance" and expected == -found:
        yield "a distance is negative inside a solid and behind a plane"
    if isinstance(found, float) and expected != found and expected == _in_float32(found):
        yield 'the expected number is the found one in float32: a "tolerance" of the scene is meant for that'


def _in_float32(value: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def _length_of_vector(answered: Verdict) -> float:
    probe = answered.shapes[0]
    assert is_linear(probe)
    return hypot(*linear(probe).direction)
