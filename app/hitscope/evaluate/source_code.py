"""Shapes and verdicts as source code that compiles, each number as the shortest decimal; and as Python tests."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from textwrap import indent as indented
from typing import Any

from hitscope.errors import escaped
from hitscope.evaluate import Report, Verdict, acceptance, verdict_words
from hitscope.geometry.registry import EXACT, of_pair, pair_of
from hitscope.geometry.shapes import Shape
from hitscope.targets import languages

ANSWERS = ("state", "side", "t_enter", "t_exit", "point", "normal", "distance")
LANGUAGES = {
    language.label: language
    for language in (languages.CPP, languages.CSHARP, languages.RUST, languages.PYTHON, languages.GLSL)
}
XYZ = dict.fromkeys("xyz", ("double", None))
VECTORS = {
    languages.CPP.label: "struct Vec3 {\n    double x, y, z;\n};\n",
    languages.CSHARP.label: "public struct Vec3\n{\n    public double x, y, z;\n}\n",
    languages.RUST.label: languages.RUST.struct_of("Vec3", XYZ),
    languages.PYTHON.label: "from typing import NamedTuple\n\n\n" + languages.PYTHON.struct_of("Vec3", XYZ),
    languages.GLSL.label: "#version 400\n",
}
"""The declaration of a vector, which stands before everything else."""
IN_TESTS = languages.SHAPES._replace(made=("hitscope.{type}(", *languages.SHAPES.made[1:]))
"""Python with the shapes of this package."""


def as_code(
    label: str, shapes: Mapping[tuple[str, str], Sequence[Shape]], verdicts: Iterable[Verdict] = ()
) -> str:
    """Source code in a language: shapes by kind and id as constants or arrays, and verdicts with comments."""
    language, names = LANGUAGES[label], _Names()
    structs: dict[str, str] = {}
    constants: list[str] = []
    name_of: dict[tuple[str, str], str] = {}
    for (kind, item), given in shapes.items():
        values = list(given)
        parts = _parts(values[0] if len(values) == 1 else values)
        name = name_of[kind, item] = names.free([kind, item], [end for end, _ in parts])
        for end, value in parts:
            _declare(language, value, structs)
            constants.append(_constant(language, name + end, value))
    for verdict in verdicts:
        probe, primitive = name_of["probe", verdict.probe], name_of["primitive", verdict.primitive]
        lines = _in_words(verdict, language.name(probe), language.name(primitive))
        comment = "".join(f"{language.comment} {line}\n" for line in lines)
        name = names.free([probe, "hits", primitive], [""])
        constants.append("\n" + comment + _constant(language, name, verdict.hit))
    body = "".join(constants).lstrip("\n")
    if language is languages.CSHARP:
        body = f"public static class Copied\n{{\n{indented(body, languages.INDENT)}}}\n"
    gap = "\n\n" if language is languages.PYTHON else "\n"
    return gap.join([VECTORS[language.label], *structs.values(), body])


class _Names:
    """Names in plain letters, all different in every language; as they begin with a kind, none is a keyword."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def free(self, words: Sequence[str], ends: Sequence[str]) -> str:
        """A name of these words that is free with each of the ends."""
        parts = re.findall(r"[a-z0-9]+", "_".join(words).lower())
        stem = "_".join(parts if len(parts) > 1 else [*parts, "item"])
        for number in count(1):
            name = stem if number == 1 else f"{stem}_{number}"
            given = {f"{name}{end}".replace("_", "") for end in ends}
            if not given & self._taken:
                self._taken |= given
                return name
        raise AssertionError


def _parts(value: languages.Value) -> list[tuple[str, languages.Value]]:
    """The constants of an item, each with the end of its name: a polyhedron is a list of its parts."""
    if not hasattr(value, "_fields"):
        return [("", value)]
    lists = {name: part for name, part in value._asdict().items() if name in value._field_defaults}
    return [(f"_{name}", list(part)) for name, part in lists.items() if part] if lists else [("", value)]


def _declare(language: languages.Language, value: languages.Value, structs: dict[str, str]) -> None:
    """Add the declarations of the structs of a value, inner ones first."""
    name = type(value).__name__
    if isinstance(value, list):
        _declare(language, value[0], structs)
    elif hasattr(value, "_fields") and name not in structs:
        members = {member: languages.type_of(part) for member, part in value._asdict().items()}
        meaning = (type(value).__doc__ or "").partition("\n")[0]
        structs[name] = f"{language.comment} {meaning}\n{language.struct_of(name, members)}"


def _constant(language: languages.Language, name: str, value: languages.Value) -> str:
    shown = language.name(name)
    declared = language.declare(shown, languages.type_of(value))
    return language.constant.format(declared=declared, name=shown, value=languages.literal(language, value))


def _in_words(verdict: Verdict, probe: str, primitive: str) -> list[str]:
    hit = "hit" if verdict.hit else "no hit"
    answers = (f"  {name} = {getattr(verdict, name)}" for name in ANSWERS if getattr(verdict, name) is not None)
    return [f"{probe} against {primitive}, by the method {verdict.method}: {hit},", *answers]


def as_test(report: Report, pairs: Iterable[tuple[int, int]]) -> str:
    """The source of a test for each pair: of the deciding method, or of `exact` where that errs or is own code."""
    tests: dict[str, str] = {}
    for i, j in pairs:
        found, verdict = report.verdict(i, j), acceptance.right_verdict(report, i, j)
        method, given = report.chosen(*found.shapes)
        if of_pair(pair_of(*found.shapes)).get(method.name) is not method:
            verdict = report.find_verdict(i, j, EXACT)
        name = f"test_{_identifier(verdict.probe)}_on_{_identifier(verdict.primitive)}"
        while name in tests:  # "a-b" and "a_b" are the same name in Python
            name += "_too"
        by = {"method": verdict.method, **(given if verdict.method == found.method else {})}
        tests[name] = _test(name, verdict, found, by)
    return "import hitscope\n" + "".join(f"\n\n{test}" for test in tests.values())


def _test(name: str, verdict: Verdict, found: Verdict, given: Mapping[str, Any]) -> str:
    """A test of the right verdict by a method with its arguments, beside the answer found by the deciding one."""
    probe, primitive = verdict.shapes
    lines = [
        f"def {name}():",
        f"    probe = {languages.literal(IN_TESTS, probe, languages.INDENT)}",
        f"    primitive = {languages.literal(IN_TESTS, primitive, languages.INDENT)}",
    ]
    if verdict.method != found.method:
        lines.append(f"    # {escaped(found.method)} says {verdict_words.hit_or_miss(found.hit)}; exact geometry:")
    named = (f"{key}={languages.literal(IN_TESTS, value, languages.INDENT)}" for key, value in given.items())
    call = languages.bracketed(
        "hitscope.intersect(", ["probe", "primitive", *named], ")", languages.INDENT, IN_TESTS.last_comma
    )
    lines.append(f"    verdict = {call}")
    for answer in ("hit", *ANSWERS):
        value = getattr(verdict, answer)
        if isinstance(value, bool):
            lines.append(f"    assert verdict.{answer} is {value}")
        elif value is not None:
            lines.append(f"    assert verdict.{answer} == {languages.literal(IN_TESTS, value, languages.INDENT)}")
    return "\n".join(lines) + "\n"


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_") or "it"
