"""Every method of the catalogue errs where its known deviations say so, and nowhere else."""

import pytest

from hitscope.geometry import exact
from hitscope.geometry.registry import methods, of_pair, pairs
from hitscope.judge.campaign import catalogue
from hitscope.judge.drawing import GENERATORS
from hitscope.targets.judging.judged import CRASH, WRONG_HIT, WRONG_MISS
from tests.judge import known_deviations
from tests.judge.campaigns import judge
from tests.judge.seeded_cases import generate

KNOWN = known_deviations.read()
SEEDS = range(12)


@pytest.mark.parametrize("pair", [pair for pair in pairs() if catalogue(pair)])
def test_a_method_errs_nowhere_else(pair):
    for name, entry in known_deviations.deviations_of(judge(catalogue(pair), SEEDS)).items():
        for kind, witnesses in entry.items():
            unknown = {
                generator: seed
                for generator, (_, seed) in witnesses.items()
                if generator not in KNOWN.get(name, {}).get(kind, {})
            }
            assert not unknown, (
                f"{name}: a {kind} that is not known, by generator and seed; "
                f"correct the method or, where its source has it so, {known_deviations.REWRITE}"
            )


def difference(method, shapes):
    """Return the kind of a method's difference from the exact verdict on a pair; None if it is right."""
    try:
        hit = method.hit(*shapes)
    except ArithmeticError:
        return CRASH
    return None if hit == exact.meet(*shapes) else WRONG_HIT if hit else WRONG_MISS


@pytest.mark.parametrize("name", KNOWN)
def test_every_entry_has_a_case_that_shows_it(name):
    for kind, witnesses in KNOWN[name].items():
        for generator, (pair, seed) in witnesses.items():
            shapes = generate(generator, pair, seed)
            assert difference(of_pair(pair)[name], shapes) == kind, f"{generator} {pair} {seed}"


def test_every_method_has_an_entry_and_nothing_else_has():
    assert set(KNOWN) == {method.name for method in methods()} - {"exact"}, known_deviations.REWRITE
    assert {generator for entry in KNOWN.values() for kind in entry.values() for generator in kind} <= set(
        GENERATORS
    )
    assert {kind for entry in KNOWN.values() for kind in entry} <= set(known_deviations.KINDS)


@pytest.mark.parametrize("method", list(methods()), ids=lambda method: method.name)
def test_a_method_lists_deviations_exactly_if_it_errs(method):
    assert bool(method.deviations) == bool(KNOWN.get(method.name)), (
        "`deviations` of @method says in words how it errs, exactly where deviations.json has cases of it"
    )
