"""Tracing changes no answer: every method with the stepped reading, on the gallery's pairs, in every reading."""

from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from hitscope.evaluate import evaluate
from hitscope.explain import trace
from hitscope.geometry.registry import choose, methods, of_pair, pair_of
from hitscope.geometry.shapes import rational
from hitscope.resources import SCENES
from hitscope.scene import load

MOST_ELEMENTS = 30
"""The probes and the elements of a scene that are run, at most: bulk scenes have thousands."""
MOST_PAIRS = 2
"""The pairs of a method on a pair of types, at most."""
STEPPED = sorted({method.name for method in methods() if "stepped" in method.readings})


@pytest.fixture(scope="module")
def gallery():
    """The pairs of shapes in the gallery's scenes, by their types."""
    found = {}
    for path in sorted(SCENES.rglob("*.scene.json")):
        report = evaluate(load(path))
        for probe in islice(report.probes, MOST_ELEMENTS):
            for element in islice(report.elements, MOST_ELEMENTS):
                of_types = found.setdefault(pair_of(probe.shape, element.shape), {})
                of_types[probe.shape, element.shape] = None
    return {pair: list(of_types)[:: max(1, len(of_types) // MOST_PAIRS)] for pair, of_types in found.items()}


def untraced(chosen, reading, probe, primitive):
    """Return the answer of a method as it is called everywhere else."""
    if reading == "float32":
        with np.errstate(over="ignore"):
            return chosen.method.in_float32(probe, primitive, **chosen.arguments)
    if reading == "unrounded":
        arguments = {name: Fraction(value) for name, value in chosen.method.arguments.items()}
        return chosen.method(rational(probe), rational(primitive), **arguments)
    return chosen.method(probe, primitive, **chosen.arguments)


@pytest.mark.parametrize("reading", ["interpreted", "float32", "unrounded"])
@pytest.mark.parametrize("name", STEPPED)
def test_the_answer_with_tracing_is_that_without(name, reading, gallery):
    runs = 0
    for pair, shapes in gallery.items():
        if name not in of_pair(pair):
            continue
        chosen = choose(pair, name)
        if reading not in chosen.method.readings:
            continue
        for probe, primitive in shapes:
            run = trace(chosen, probe, primitive, reading)
            runs += 1
            try:
                answer = untraced(chosen, reading, probe, primitive)
            except ArithmeticError as error:  # numbers beyond float32 have no planes
                assert type(error).__name__ in run.error and run.answer is None
                continue
            # The text of a number has all its bits and its type.
            assert repr(run.answer) == repr(answer), (pair, probe, primitive)
            assert run.error == "" and run.steps
    has_reading = {method.name for method in methods() if reading in method.readings}
    assert runs >= MOST_PAIRS // 2 or name not in has_reading
