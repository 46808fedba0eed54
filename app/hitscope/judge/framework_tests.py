"""Findings as the source of tests in the user's own framework: a file a target and pair."""

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import copysign, inf, nextafter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hitscope.errors import Fault, HitscopeError, escaped
from hitscope.geometry.arrays import width
from hitscope.geometry.shapes import Vec3
from hitscope.judge.finding_scenes import LONGEST_NAME, own_name, relative, source
from hitscope.judge.findings import Finding, difference, reason
from hitscope.judge.frameworks import FILL_IN, FRAMEWORKS, Framework, call_of, hexadecimal, shortest
from hitscope.outputs import STANDARD_OUTPUT, folder_for, numbered, write_file, write_output
from hitscope.targets.cases import Reals, fields, kinds, layout
from hitscope.targets.judging.judged import CRASH, WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T, judged, t_errors
from hitscope.targets.judging.precisions import PRECISIONS
from hitscope.targets.judging.rules import Rules
from hitscope.targets.judging.truth import Truth
from hitscope.targets.languages import SHAPES, literal
from hitscope.targets.method_text import choice_of
from hitscope.targets.target import HIT, MISS, Answers, TargetSpec, TargetText
from hitscope.terminal import print_error


class ExpectedAnswer(NamedTuple):
    hit: bool | None
    """None where both verdicts count as right."""
    ts: tuple[float, float, float] | None = None
    """For a finding of a wrong t: the exact one, rounded, and the ends of the right ones, perhaps infinite."""
    normals: tuple[list[Vec3], float] | None = None
    """For one of a wrong normal: those of the faces entered at once, and the most that a component may be off."""


def expected_answer(finding: Finding, rules: Rules) -> ExpectedAnswer:
    """Return what counts as right for the pair of a finding."""
    truth = Truth(finding.cases)
    accepted = [verdict == HIT for verdict in (HIT, MISS) if _is_right(truth, verdict, rules)]
    hit = accepted[0] if len(accepted) == 1 else None
    if hit is not False and finding.kind == WRONG_T:
        return ExpectedAnswer(hit, ts=_expected_ts(truth, rules))
    if hit is not False and finding.kind == WRONG_NORMAL:
        return ExpectedAnswer(hit, normals=(truth.entry_normals(0) or [], truth.normal_tolerance))
    return ExpectedAnswer(hit)


def _is_right(truth: Truth, verdict: int, rules: Rules) -> bool:
    answers = Answers(np.array([verdict], np.int8), np.full(1, np.nan, truth.cases.numbers.dtype))
    wrong = judged(truth, answers, rules).wrong
    return not any(wrong[kind][0] for kind in (WRONG_HIT, WRONG_MISS) if kind in wrong)


def _expected_ts(truth: Truth, rules: Rules) -> tuple[float, float, float]:
    precision = PRECISIONS[truth.cases.numbers.dtype.name]
    ts = precision.clipped(truth.exact_ts(np.zeros(1, np.intp)))
    (t,), (ulp,), (length,) = ts, precision.spacing(ts), truth.lengths
    reach = max(rules.t_ulps * ulp, rules.t_distance / length if rules.t_distance and length else 0.0)

    def is_right(found: float) -> bool:
        given = np.array([found]), np.ones(1, np.bool_), ts, np.zeros(1)
        return not t_errors(rules, precision, *given, np.array([length])).wrong[0]

    def edge(end: float) -> float:
        """Return the last t that is right in the direction of an infinite end, but for rounding."""
        found = float(t + copysign(reach, end))
        if abs(found) >= precision.largest:
            return end
        while not is_right(found):
            found = nextafter(found, t)
        return found

    return t.item(), edge(-inf), edge(inf)


TEMPLATES = Path(__file__).with_name("test_templates")
DIVIDER = "@@\n"
MARK = (
    "What stands above this line is yours: a later run of `hitscope judge` keeps it, and writes anew what follows."
)
"""The line of a file of tests up to which the user may edit it."""


def first_line(framework: Framework, folder: Path, target: TargetSpec) -> str:
    """Return the first line of a file of tests in a folder, by which it is known."""
    origin = f"From `hitscope judge --as {framework.name}`"
    return f"{framework.comment} {origin}: {escaped(_source(target, folder))} on {target.pair}, {target.precision}"


def _source(target: TargetSpec, folder: Path) -> str:
    text = target.code
    return text.location if text.kind == "catalogue_method" else source(text, folder)


def file_name(framework: Framework, target: TargetSpec) -> str:
    """Return the name that a file of tests has, unless another file has it."""
    return framework.file_name.format(_name(target))


def _name(target: TargetSpec) -> str:
    """Return the name of what is tested, which is an identifier in every language."""
    name = re.sub("[^A-Za-z0-9]+", "_", own_name(target))[:LONGEST_NAME].strip("_")
    return f"{name if name[:1].isalpha() else f'target_{name}'}_{target.pair}"


def head(framework: Framework, folder: Path, target: TargetSpec, file: str) -> str:
    """Return what stands before the tests in a file of a folder: the call of the target, MARK and its helpers."""
    text = target.code
    names = {"target": escaped(_source(target, folder)), "suite": _name(target), "function": text.function}
    names |= {"number": framework.reals[target.real], "real": target.real}
    names |= (_names_in_python if framework.has_shapes else _names_of_arrays)(folder, target, text)
    if language := framework.language:
        call = call_of(target) if (TEMPLATES / f"{language}_{call_of(target)}.txt").is_file() else FILL_IN
        names["call"] = _filled(_template(f"{language}_{call}")[0], names).rstrip("\n")
    if framework.has_shapes:
        answer = "pytest_batch" if target.batch else "pytest_pairs"
        names["answer"] = _filled(_template(answer)[0], names).rstrip("\n")
    names |= {"first_line": first_line(framework, folder, target), "run": framework.run.format(file), "mark": MARK}
    return _filled(_template(framework.name)[0], names)


def _names_in_python(folder: Path, target: TargetSpec, text: TargetText) -> dict[str, str]:
    """Return the names of a target that takes shapes, or their arrays, in Python."""
    names, call = {}, call_of(target)
    imported = {kind.__name__ for kind in kinds(target.pair)}
    if "Polyhedron" in imported:
        imported.add("Plane")
    if call == "catalogue_method":
        imported.add("intersect")
        choice = choice_of(text.location)
        given = (f"{key}={value!r}" for key, value in choice.items() if key != "name")
        names["method"] = ", ".join([repr(choice["name"]), *given])
    if text.kind == "python_function":
        names["path"] = ascii(relative(Path(text.location) if call == "file" else Path.cwd(), folder))
        names["module"] = ascii(text.location)
    by_kind = sorted(imported, key=lambda name: (name.islower(), name))
    names["hitscope"] = "" if target.batch else f"from hitscope import {', '.join(by_kind)}"
    return names


def _names_of_arrays(folder: Path, target: TargetSpec, text: TargetText) -> dict[str, str]:
    """Return the names of a target that takes arrays in another language."""
    names: dict[str, str] = {}
    for role, kind in zip(("probe", "primitive"), kinds(target.pair), strict=True):
        words = (f"{p.name}{f' {p.parts} times' * (p.parts > 1)}{' x y z' * p.is_vector}" for p in fields(kind))
        names |= {f"{role}_width": str(width(kind)), f"{role}_layout": ", ".join(words)}
    if text.kind in ("c_source", "library"):
        file = Path(text.location)
        names["path"] = relative(file, folder)
        names["shown_path"] = escaped(names["path"])
        names["link"] = _link_in_rust(file)
        names["quoted_function"] = json.dumps(text.function, ensure_ascii=False)
        names["result"] = _result_of_c(text) if text.kind == "c_source" else ""
    return names


def _link_in_rust(library: Path) -> str:
    """Return the arguments of Rust's attribute `link`, which takes libNAME.so by its NAME."""
    if library.stem.startswith("lib"):
        return f"name = {json.dumps(library.stem.removeprefix('lib'), ensure_ascii=False)}"
    return f'name = {json.dumps(library.name, ensure_ascii=False)}, kind = "dylib", modifiers = "+verbatim"'


def _result_of_c(text: TargetText) -> str:
    """Return the type of the result of a function in C, which a caller in C++ has to declare."""
    code = Path(text.location).read_text(encoding="utf-8", errors="replace")
    return "bool" if re.search(rf"\b(bool|_Bool)\s+{re.escape(text.function)}\s*\(", code) else "int"


def tests(findings: Iterable[Finding], framework: Framework, rules: Rules) -> str:
    """Return the tests and what stands after them; "" without a finding."""
    _, test, end = _template(framework.name)
    written, seen, names = [], set(), Counter[str]()
    for finding in findings:
        key = finding.kind, finding.example.numbers.tobytes()
        if key in seen or (finding.kind == WRONG_NORMAL and not framework.has_shapes):
            continue
        seen.add(key)
        seed = str(finding.example.seed).replace("-", "minus_")
        name = f"{finding.kind.replace(' ', '_')}_{finding.generator}_seed_{seed}"
        names[name] += 1
        expected = expected_answer(finding, rules)
        parts = {
            "name": name if names[name] == 1 else f"{name}_{names[name]}",
            "suite": _name(finding.target),
            "words": "\n".join(f"{framework.comment} {line}" for line in _words(finding, expected, rules)),
            "number": framework.reals[finding.target.real],
            "checks": "\n".join(_checks(framework, expected, finding)),
            **_numbers(finding, framework),
        }
        written.append(_filled(test, parts))
    return "".join(written) + end if written else ""


def _words(finding: Finding, expected: ExpectedAnswer, rules: Rules) -> Iterator[str]:
    """Yield why a finding is one; no line ends in a text of the user's, which could continue a comment."""
    name = f"{own_name(finding.target)} {finding.target.flags}".rstrip()
    yield f"{escaped(reason(finding, name))} ({finding.generator}, seed {finding.example.seed})."
    if finding.kind != CRASH:
        yield f"Judged: {difference(finding)}."
    if expected.ts:
        yield f"The exact t_enter is {expected.ts[0]!r}; it counts as right within {rules.t_words}."


def _checks(framework: Framework, expected: ExpectedAnswer, finding: Finding) -> Iterator[str]:
    judged = "a crash" if finding.kind == CRASH else difference(finding)
    names = {"words": json.dumps(f"judged: {judged}"), "hit": framework.verdicts[bool(expected.hit)]}
    yield _filled(framework.either if expected.hit is None else framework.check, names)
    if expected.ts:
        _, low, high = expected.ts
        yield _filled(framework.t_check, names | {"low": _bound(framework, low), "high": _bound(framework, high)})
    if expected.normals:
        faces, tolerance = expected.normals
        yield "normal = np.divide(normal, np.linalg.norm(normal))"
        yield f"faces = {faces!r}"
        yield f"assert any(np.abs(np.subtract(normal, face)).max() <= {tolerance!r} for face in faces)"


def _bound(framework: Framework, number: float) -> str:
    if np.isinf(number):
        return framework.infinity if number > 0 else f"-{framework.infinity}"
    return framework.numbers(np.float64(number))


def _numbers(finding: Finding, framework: Framework) -> dict[str, str]:
    target = finding.target
    if framework.has_shapes and not target.batch:
        texts = [literal(SHAPES, shape) for shape in finding.shapes]
    else:
        types = kinds(target.pair)
        parts = np.split(finding.example.numbers, [width(types[0])])
        texts = [
            repr(part.tolist()) if framework.has_shapes else "\n".join(_rows(kind, part, framework, target.real))
            for kind, part in zip(types, parts, strict=True)
        ]
    return dict(zip(("probe", "primitive"), texts, strict=True))


def _rows(kind: type, numbers: Reals, framework: Framework, real: str) -> Iterator[str]:
    """Yield a line a point, vector or number of a shape."""
    left = iter(numbers)
    for part in fields(kind):
        for _ in range(part.parts):
            row = list(islice(left, part.size))
            texts = ", ".join(framework.numbers(number) + framework.suffixes[real] for number in row)
            decimal = f": {', '.join(map(shortest, row))}" if framework.numbers is hexadecimal else ""
            yield f"{texts}, {framework.comment} {part.name}{decimal}"


def _template(name: str) -> list[str]:
    return (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8").split(DIVIDER)


def _filled(template: str, names: Mapping[str, str]) -> str:
    """Put texts in place of their names; each line of one gets the indentation of its name."""

    def text(found: re.Match[str]) -> str:
        indentation, name = found[1] or "", found[2]
        return indentation + names[name].replace("\n", f"\n{indentation}")

    return re.sub(r"(?m)(^ *)?\$(\w+)", text, template)


def require_framework(options: argparse.Namespace) -> None:
    """Raise HitscopeError, before the work, where the options of `judge` ask for tests that there cannot be."""
    if options.builtin:
        raise HitscopeError("--as: expected TARGET, found --builtin")
    if options.json and not options.output:
        raise HitscopeError("--as: expected -o DIR, or no --json, as both would be on standard output")
    framework_of(options.framework, options.pair)


def write_tests(
    options: argparse.Namespace, findings: Sequence[Finding], target: TargetSpec, rules: Rules
) -> None:
    """Write the tests that the options of `judge` ask for, into a folder or to standard output.

    Says on standard error where they are, or that there is none. Raises HitscopeError.
    """
    framework = framework_of(options.framework, options.pair)
    normals = sum(finding.kind == WRONG_NORMAL for finding in findings)
    left_out = f" (only pytest tests the {normals} wrong normals)" if normals and not framework.has_shapes else ""
    if options.output:
        path = save_tests(findings, framework, options.output, target, rules)
        print_error(f"{f'tests: {path}' if path else 'there is no finding to write a test of'}{left_out}")
    elif written := tests(findings, framework, rules):
        text = head(framework, Path.cwd(), target, file_name(framework, target)) + written
        write_output(STANDARD_OUTPUT, [_encoded(text)])
    else:
        print_error(f"there is no finding to write a test of{left_out}")


def framework_of(name: str, pair: str) -> Framework:
    """Return a framework by its name; raises HitscopeError for an unknown one, and where it has no such shapes."""
    if name not in FRAMEWORKS:
        raise Fault.unknown((), "a framework of tests", FRAMEWORKS, name)
    if not FRAMEWORKS[name].has_shapes:
        layout(pair)
    return FRAMEWORKS[name]


def save_tests(
    findings: Sequence[Finding], framework: Framework, folder: Path, target: TargetSpec, rules: Rules
) -> Path | None:
    """Write the findings of a target, under whatever flags, as a file of tests; returns its path.

    Of the file of an earlier run the head is kept. Without a test there is no file, and the earlier one is removed
    unless its head was edited. Raises HitscopeError.
    """
    with folder_for("tests", folder):
        path, old = _place(framework, folder, target)
        yours, _, helpers = head(framework, folder, target, path.name).partition(MARK)
        kept = old.partition(MARK)[0] if old else yours
        if written := tests(findings, framework, rules):
            write_file(path, [_encoded(kept + MARK + helpers + written)])
            return path
        if old and kept == yours:
            path.unlink()
    return None


def _place(framework: Framework, folder: Path, target: TargetSpec) -> tuple[Path, str]:
    """Return the path of the file of tests, and the text that an earlier run left there; "" without one."""
    wanted = folder / file_name(framework, target)
    stem, ending = wanted.name.split(".", 1)
    first = first_line(framework, folder, target)
    for path in sorted(folder.glob(f"{stem}*.{ending}")):
        with suppress(OSError, UnicodeError):
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            if text.startswith(f"{first}\n") and MARK in text:
                return path, text
    return next(path for path in numbered(wanted, "_") if not os.path.lexists(path)), ""


def _encoded(text: str) -> bytes:
    """Return a text in UTF-8, with a path that is no text as the bytes that it is."""
    return text.encode("utf-8", "surrogateescape")
