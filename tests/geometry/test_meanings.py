"""What methods say of their variables: names that they have, of places that they know."""

import pytest

from hitscope.geometry import registry
from hitscope.geometry.meanings import PLAIN_NAMES, Meaning

METHODS = [method for method in registry.methods() if method.name != registry.EXACT]


def each(meanings):
    """Yield the names of each picture, with each of its meanings."""
    for names, found in meanings.items():
        for meaning in (found,) if isinstance(found, Meaning) else found:
            yield names.split(", "), meaning


@pytest.mark.parametrize("method", METHODS, ids=lambda method: f"{method.pairs[0]}-{method.name}")
def test_a_method_gives_meanings_to_variables_that_it_has(method):
    variables = method.function.__code__.co_varnames
    parameters = variables[:2]
    assert method.meanings
    for names, meaning in each(method.meanings):
        assert set(names) <= set(variables)
        for path in filter(None, (meaning.origin, *meaning.along, meaning.over)):
            name, *attributes = path.split(".")
            assert name in variables
            assert not attributes or name in parameters
        assert meaning.whose in ("", *parameters)


def test_the_plain_names_of_a_users_function_need_nothing_else():
    assert all(not meaning.origin and not meaning.along for _, meaning in each(PLAIN_NAMES))
