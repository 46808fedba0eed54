"""Every method of the catalogue errs where the ledger says so, and nowhere else."""

import ledger
import pytest

from hitscope.check.judge import GENERATORS, KINDS, catalogue, generate, judge, of_method
from hitscope.geometry import exact
from hitscope.geometry.registry import methods, pairs

LEDGER = ledger.read()
SEEDS = range(12)


@pytest.mark.parametrize("pair", pairs())
def test_a_method_errs_nowhere_else(pair):
    for name, entry in ledger.made(judge({pair: catalogue(pair)[pair]}, SEEDS)).items():
        for kind, witnesses in entry.items():
            unknown = {
                generator: seed
                for generator, (_, seed) in witnesses.items()
                if generator not in LEDGER[name].get(kind, {})
            }
            assert not unknown, f"{name}: a {kind} that the ledger does not know, by generator and seed"


@pytest.mark.parametrize("name", LEDGER)
def test_every_entry_has_a_case_that_shows_it(name):
    for kind, witnesses in LEDGER[name].items():
        for generator, (pair, seed) in witnesses.items():
            shapes = generate(generator, pair, seed)
            found = of_method(pair, name).difference(*shapes, exact.meet(*shapes))
            assert found is not None and found[0] == kind, f"{generator} {pair} {seed}"


def test_the_ledger_speaks_of_every_method_and_of_no_other():
    assert set(LEDGER) == {method.name for method in methods()} - {"exact"}
    assert {generator for entry in LEDGER.values() for kind in entry.values() for generator in kind} <= set(
        GENERATORS
    )
    assert {kind for entry in LEDGER.values() for kind in entry} <= set(KINDS)


@pytest.mark.parametrize("method", list(methods()), ids=lambda method: method.name)
def test_a_method_that_errs_says_so_and_one_that_never_does_claims_nothing(method):
    assert bool(method.deviations) == bool(LEDGER.get(method.name))
