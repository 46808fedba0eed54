"""The names of expectations, by which tests are chosen and reported: PROBE-PRIMITIVE[METHOD]."""

from collections import Counter
from collections.abc import Iterable

from msgspec import UNSET

from hitscope.scene.model import Expectation, Scene
from hitscope.targets.method_text import method_text

ALL_HITS = "hits"
"""What stands for the primitive in the name of an expectation about all hits of a probe."""


def expectation_names(scene: Scene) -> tuple[str, ...]:
    """Return a name for each expectation of a scene; those of the same name are numbered from the second on."""
    return numbered(map(_name, scene.expect))


def numbered(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of which each is there once: those of the same name are numbered from the second on."""
    repeated: Counter[str] = Counter()
    found: dict[str, None] = {}
    for name in names:
        unique = name
        while unique in found:
            repeated[name] += 1
            unique = f"{name}#{repeated[name] + 1}"
        found[unique] = None
    return tuple(found)


def _name(expectation: Expectation) -> str:
    subject = ALL_HITS if expectation.primitive is UNSET else expectation.primitive
    method = "" if expectation.method is UNSET else f"[{method_text(expectation.method)}]"
    return f"{expectation.probe}-{subject}{method}"
