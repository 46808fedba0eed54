"""What methods answer beside hit or miss is right but for known deviations: t, normal, distance, axis and gap."""

import json
from fractions import Fraction

import pytest

from hitscope.geometry.registry import methods, of_pair, pairs
from hitscope.geometry.shapes import Aabb, Plane, Triangle, rational
from hitscope.judge.drawing import GENERATORS
from tests.judge import answer_deviations
from tests.judge.seeded_cases import generate

KNOWN = json.loads(answer_deviations.FILE.read_text(encoding="utf-8"))
SEEDS = range(12)
ANSWERING = [pair for pair in pairs() if answer_deviations.methods_of(pair)]


@pytest.mark.parametrize("pair", ANSWERING)
def test_an_answer_is_wrong_nowhere_else(pair):
    for name, parts in answer_deviations.found(pair, SEEDS).items():
        for part, witnesses in parts.items():
            unknown = {
                generator: seed
                for generator, (_, seed) in witnesses.items()
                if generator not in KNOWN.get(name, {}).get(part, {})
            }
            assert not unknown, (
                f"{name}: a wrong {part} that is not known, by generator and seed; "
                f"correct the method or, where its source has it so, {answer_deviations.REWRITE}"
            )


@pytest.mark.parametrize("name", KNOWN)
def test_every_entry_has_a_case_that_shows_it(name):
    for part, witnesses in KNOWN[name].items():
        for generator, (pair, seed) in witnesses.items():
            wrong = answer_deviations.wrong_parts(of_pair(pair)[name], *generate(generator, pair, seed))
            assert part in wrong, f"{generator} {pair} {seed}"


def test_every_method_that_answers_has_an_entry_and_nothing_else_has():
    answering = {method.name for pair in ANSWERING for method in answer_deviations.methods_of(pair)}
    assert set(KNOWN) == answering, answer_deviations.REWRITE
    assert {g for entry in KNOWN.values() for part in entry.values() for g in part} <= set(GENERATORS)
    for method in methods():
        assert set(KNOWN.get(method.name, {})) <= set(method.parts)


def test_only_axes_taken_for_orthonormal_give_an_axis_that_does_not_separate():
    assert [name for name, entry in KNOWN.items() if "axis" in entry] == ["obb_tree"]


def test_a_method_whose_answers_deviate_lists_deviations():
    assert all(method.deviations for method in methods() if KNOWN.get(method.name))


@pytest.mark.parametrize(
    ("probe", "primitive", "axis", "gap"),
    [
        (Aabb((0, 0, 0), (1, 1, 1)), Aabb((3, 0, 0), (4, 1, 1)), (2, 0, 0), 4),
        (Aabb((0, 0, 0), (1, 1, 1)), Aabb((3, 0, 0), (4, 1, 1)), (-1, 0, 0), 2),
        (Aabb((0, 0, 0), (1, 1, 1)), Aabb((3, 0, 0), (4, 1, 1)), (0, 1, 0), -1),
        (Triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)), Plane((0, 0, 2), 6), (0, 0, 4), 12),
        (Triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)), Plane((0, 0, 2), 6), (0, 1, 4), float("-inf")),
    ],
)
def test_the_referees_gap_is_that_of_the_projections(probe, primitive, axis, gap):
    fractions = tuple(map(Fraction, axis))
    assert answer_deviations.gap_along(fractions, rational(probe), rational(primitive)) == gap
