"""The commands that explain the pairs of a failed check."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import UNSET

from hitscope.evaluate import Report
from hitscope.geometry.registry import pair_of
from hitscope.targets.target_text import TargetText

STEPPED = ("catalogue_method", "python_function")
"""The kinds of TARGETs that can be stepped through."""


class FailingPair(NamedTuple):
    """A probe and a primitive, by their names, that a scene expects something else of."""

    probe: str
    primitive: str
    types: str
    """PROBE_PRIMITIVE, in the type words of scene files."""
    method: str
    """The method that the expectation names, as NAME[,ARG=VALUE]; "" for the one that decides the pair."""


def failing_pairs(report: Report) -> tuple[FailingPair, ...]:
    """Return each pair of which a report is not as expected once; mismatches of several elements are left out."""
    return tuple(dict.fromkeys(_failing_pairs(report)))


def _failing_pairs(report: Report) -> Iterator[FailingPair]:
    for mismatch in report.mismatches:
        i = report.probes.find_index(mismatch.probe)
        j = None if mismatch.primitive is None else report.elements.find_index(mismatch.primitive)
        if i is not None and j is not None and mismatch.primitive is not None:
            method = report.scene.expect[mismatch.expectation_index].method
            types = pair_of(report.probes[i].shape, report.elements[j].shape)
            text = "" if method is UNSET else _method_text(method)
            yield FailingPair(mismatch.probe, mismatch.primitive, types, text)


def explain_commands(
    path: str, pairs: Iterable[FailingPair], targets: Mapping[str, str], precision: str | None
) -> Iterator[str]:
    """Yield the command for each pair of a scene's file, as a shell reads it.

    `targets` are the TARGETs of the command line by pair, and `precision` its --float. A TARGET that cannot be
    stepped through has no command, and neither has a scene from standard input.
    """
    from shlex import quote

    if path == "-":
        return
    for pair in pairs:
        method = pair.method or targets.get(pair.types, "")
        if method and TargetText.of(method).kind not in STEPPED:
            continue
        words = [f"./{path}" if path.startswith("-") else path]
        words += _option("--probe", pair.probe) + _option("--primitive", pair.primitive)
        if method:
            words += _option("--method", method) + (["--float", precision] if precision else [])
        yield f"hitscope explain {' '.join(map(quote, words))}"


def _option(name: str, value: str) -> list[str]:
    """An option with its value, joined where the value begins as an option does."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def _method_text(choice: str | Mapping[str, Any]) -> str:
    """The text of a method's name and arguments, as the command line takes it."""
    if isinstance(choice, str):
        return choice
    arguments = ((name, str(value).lower()) for name, value in choice.items() if name != "name")
    return ",".join((str(choice["name"]), *(f"{name}={value}" for name, value in arguments)))
