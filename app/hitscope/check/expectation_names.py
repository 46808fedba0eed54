"""The names of expectations, by which tests are chosen and reported: PROBE-PRIMITIVE[METHOD]."""

from collections import Counter

from msgspec import UNSET

from hitscope.scene.model import Expectation, MethodChoice, Scene

ALL_HITS = "hits"
"""What stands for the primitive in the name of an expectation about all hits of a probe."""


def expectation_names(scene: Scene) -> tuple[str, ...]:
    """Return a name for each expectation of a scene; those of the same name are numbered from the second on."""
    seen: Counter[str] = Counter()
    names = []
    for expectation in scene.expect:
        name = _name(expectation)
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(names)


def method_text(choice: MethodChoice) -> str:
    """Return a method's name and arguments as the command line takes them: NAME[,ARG=VALUE]."""
    if isinstance(choice, str):
        return choice
    arguments = ((name, str(value).lower()) for name, value in choice.items() if name != "name")
    return ",".join((str(choice["name"]), *(f"{name}={value}" for name, value in arguments)))


def _name(expectation: Expectation) -> str:
    subject = ALL_HITS if expectation.primitive is UNSET else expectation.primitive
    method = "" if expectation.method is UNSET else f"[{method_text(expectation.method)}]"
    return f"{expectation.probe}-{subject}{method}"
