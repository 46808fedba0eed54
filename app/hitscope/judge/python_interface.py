"""`hitscope.judge`: a function of one's own, or any TARGET, against the exact verdict."""

from __future__ import annotations  # so that signatures are short in help()

import inspect
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

from hitscope.errors import ArgumentFault, Fault, faults_in, shown
from hitscope.float_mode import in_default_mode
from hitscope.geometry.registry import of_pair
from hitscope.geometry.shapes import Shape
from hitscope.judge.alike import find_alike, wrong_in
from hitscope.judge.baseline import Baseline
from hitscope.judge.campaign import ALONE_SECONDS, Campaign
from hitscope.judge.drawing import GENERATORS
from hitscope.judge.finding_scenes import save_findings, scene_of
from hitscope.judge.findings import Finding, description, examples
from hitscope.judge.own_cases import CASES, own_cases
from hitscope.judge.results import COUNTS
from hitscope.judge.shrinking import distinct, shrunk_all
from hitscope.judge.tallies import Row
from hitscope.judge.wider import with_causes
from hitscope.scene.model import Boundary, Scene
from hitscope.targets.carried import carried
from hitscope.targets.deciding import function_target
from hitscope.targets.fixes import Alike, Fix, Fixes, Suspect, sentences
from hitscope.targets.judging.rules import DEFAULT_RULES, PRECONDITIONS, Rules, precondition
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import target_specs
from hitscope.targets.target import REALS, Carried, TargetSpec

NOT_SEARCHED = Fixes()
Names: TypeAlias = str | Sequence[str]
"""One or several."""
File: TypeAlias = str | Path | None
Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One or several."""
BOUNDARIES = ("closed", "open", "either")
WORKERS = 16
"""The workers that an executor is taken to have: it gets some more tasks than that at a time."""


class Difference(NamedTuple):
    """A pair on which a target differs from exact geometry, in numbers as simple as show it."""

    kind: str
    """E.g. "wrong hit"."""
    probe: Shape
    primitive: Shape
    words: str
    """The expected and the found answer, and why if that is known."""
    generator: str
    """The generator that drew the pair that it was shrunk from, and its seed."""
    seed: int
    scene: Scene
    """The pair as a scene that expects the right answer."""


@dataclass(frozen=True, eq=False)
class Judgement:
    """How often a target differs from exact geometry, with an example of each kind; true if it never does."""

    target: TargetSpec
    rules: Rules
    tallies: tuple[Row, ...]
    """The counts of each generator of cases, which `rows` has as dictionaries."""
    found: tuple[Finding, ...]
    found_fixes: Fixes = NOT_SEARCHED
    """The search for the wrong line, with `fix`."""
    alike: Alike | None = None
    """The method of the catalogue that errs on the same cases, if there is one."""
    known: tuple[str, ...] = ()
    """The comparison with the baseline, in words: what is worse than that, as bad, and not found any more."""

    def __bool__(self) -> bool:
        """Whether there is no difference that the baseline does not know."""
        return not self.found

    @property
    def findings(self) -> tuple[Difference, ...]:
        """An example of each kind of difference that each generator of cases found."""
        found = []
        for each in self.found:
            origin = each.generator, each.example.seed
            scene = scene_of(each, self.rules)
            found.append(Difference(each.kind, *each.shapes, description(each), *origin, scene))
        return tuple(found)

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """The changes of a line that make the function right, the best first, each proven on new cases."""
        return self.found_fixes.fixes

    @property
    def suspects(self) -> tuple[Suspect, ...]:
        """Where there is no such change: the lines that are most likely to be wrong, in order."""
        return self.found_fixes.suspects

    def rows(self) -> list[dict[str, Any]]:
        """Return the counts of each generator of cases as a dictionary: what a DataFrame is made of."""
        return [
            {
                "generator": row.generator,
                "cases": row.tally.cases,
                "hits": row.tally.hits,
                **{COUNTS[kind]: count for kind, count in row.tally.wrong.items()},
                "left_out": row.tally.left_out,
                "worst_ulps": row.tally.worst_ulps,
                "ns_per_call": row.tally.timed_ns_per_call,
            }
            for row in self.tallies
        ]

    def save(self, folder: str | PathLike[str]) -> list[Path]:
        """Write the findings into a folder as scene files, in place of those of the target's last run."""
        known = sentences(self.found_fixes, self.alike)
        return list(save_findings(self.found, Path(folder), [self.target], self.rules, known).values())

    def update_baseline(self, path: str | PathLike[str]) -> None:
        """Write the differences into a baseline, which may be new, in place of what it knows of the target."""
        Baseline.read(Path(path), may_be_new=True).updated(self.tallies).write()

    def __repr__(self) -> str:
        """Return the counts of cases and of differences, and what each is."""
        return "\n".join([f"<{self._words}>", *(f"    {line}" for line in self._differences())])

    def _repr_html_(self) -> str:
        """Return the same, with a table of the rows."""
        from hitscope import notebook

        rows, differences = self.rows(), list(self._differences())
        found = notebook.preformatted(differences) if differences else ""
        return notebook.paragraph(self._words) + notebook.table_of(rows, len(rows)) + found

    @property
    def _words(self) -> str:
        cases = sum(row.tally.cases for row in self.tallies)
        wrong = sum(count for row in self.tallies for count in row.tally.wrong.values())
        found = f"{wrong:,} differences" if self.found else f"no {'new ' if self.known else ''}difference"
        return f"Judgement of {self.target.name} on {self.target.pair}: {found} in {cases:,} cases"

    def _differences(self) -> list[str]:
        lines = [
            f"{found.kind} ({found.generator}): {description(found)}; {found.shapes[0]}, {found.shapes[1]}"
            for found in self.found
        ]
        lines += [self.alike.sentence] if self.alike else []
        return [*lines, *self.known, *(self.found_fixes.lines(self.target.name) if self.found_fixes.edits else ())]


@in_default_mode
def judge(
    target: Callable[..., Any] | str,
    pair: str,
    *,
    cases: int = 1000,
    seed: int = 0,
    generator: Names = (),
    float: str | None = None,
    boundary: str | None = None,
    slack: float | None = None,
    t_tolerance: tuple[float, float] = (DEFAULT_RULES.t_ulps, DEFAULT_RULES.t_distance),
    require: Names = (),
    flags: str = "",
    batch: bool = False,
    timeout: float = 10.0,
    jobs: int | None = None,
    executor: Executor | None = None,
    cases_from: Paths = (),
    baseline: File = None,
    fix: bool = False,
) -> Judgement:
    """Put a function of a probe and a primitive against exact geometry, on cases drawn to find its faults.

    The function answers a bool, or `hit, t_enter`, or None for a pair that it is not made for. It is called in
    this process; a TARGET text as of `hitscope judge`, e.g. "mine.c:hit", in a process of its own. `pair` is of
    type words, e.g. "ray_aabb". The other arguments are the options of `hitscope judge`: `cases` of each
    `generator`, one name or several, by default all; `float` is "f32" or "f64"; `cases_from` are logs of calls,
    scenes and folders of scenes, whose cases are the generator "cases"; differences that the file `baseline` knows
    are no findings. With `fix` the wrong line is looked for, and changes that make the function right. For texts
    alone are `timeout`, `jobs`, and `executor`, which has `submit` as those of
    `concurrent.futures` have (or Dask's `get_executor()`), and `jobs` workers, by default 16; they find what the
    text names in the same folder. What a text carries, as a name of a `hitscope.toml` does, stands for arguments
    that are not given.

    Returns a Judgement, which is true if there is no difference: print it, or take its `findings` (each with
    `kind`, `probe`, `primitive`, `words` and `scene`), the counts of its `rows()`, or `save(folder)` the findings
    as scenes. Raises HitscopeError for what cannot be judged.

    >>> import hitscope
    >>> def beside(point, box):
    ...     return all(low < x < high for low, x, high in zip(box.lo, point.position, box.hi))
    >>> found = hitscope.judge(beside, "point_aabb", cases=20, generator="integer_grid")
    >>> bool(found), found.findings[0].kind
    (False, 'wrong miss')
    """
    with faults_in("judge"):
        of_pair(pair)
        known = carried(target, pair) if isinstance(target, str) else Carried()
        slack = known.slack if slack is None else slack
        rules = _rules(boundary or known.boundary or "closed", 0.0 if slack is None else slack, t_tolerance)
        rules = rules._replace(require=_required(require) or known.require)
        paths = [Path(path) for path in ([cases_from] if isinstance(cases_from, str | PathLike) else cases_from)]
        names = _generators(generator or known.generators, [CASES] if paths else [])
        for name, number in (("cases", cases), ("jobs", jobs)):
            if (number is not None or name == "cases") and (not isinstance(number, int) or number < 1):
                raise Fault((name,), "a whole number, at least 1", shown(number))
        if not isinstance(seed, int) or seed < 0:
            raise Fault(("seed",), "a whole number, at least 0", shown(seed))
        if float not in (None, *REALS):
            raise Fault.unknown(("float",), "a precision", REALS, str(float))
        if executor is not None and not callable(getattr(executor, "submit", None)):
            raise Fault(("executor",), "an executor as those of concurrent.futures", shown(executor))
        if not isinstance(target, str):
            if not callable(target):
                raise Fault(("target",), "a function or the text of a TARGET", shown(target))
            for option, given in (("flags", flags), ("batch", batch), ("executor", executor)):
                if given:
                    raise Fault((option,), "a TARGET text beside it", "a function", at_key=True)
    real = REALS.get(float or "")
    workers = jobs or (1 if executor is None else WORKERS)
    with ExitStack() as stack:
        if isinstance(target, str):
            choices = [flags] if flags else ()
            spec, *_ = target_specs(known, pair, real=real, flags=choices, batch=batch, timeout=timeout)
            opened = stack.enter_context(OpenTargets())
        else:
            spec, function = function_target(target, pair, real or "float64")
            opened = stack.enter_context(OpenTargets(opened={spec: function}))
        own = own_cases(paths, pair, spec.real) if paths else None
        campaign = Campaign([spec], range(seed, seed + cases), rules, names, own)
        alone_seconds = ALONE_SECONDS if executor is None else 0.0
        campaign.run(opened, workers if isinstance(target, str) else 1, executor, alone_seconds=alone_seconds)
        campaign.require_judged()
        compared = (Baseline() if baseline is None else Baseline.read(Path(baseline))).compared(campaign.rows)
        found = compared.unknown(examples(campaign.rows, one_each=False))
        findings = with_causes(shrunk_all(found, opened, rules))
        alike = find_alike(opened[spec], campaign, wrong_in(campaign.rows)) if findings else None
    found_fixes = NOT_SEARCHED
    if fix and findings:
        from hitscope.judge.fixing.search import find_fixes  # which needs packages that judging does not

        of_file = spec if isinstance(target, str) else spec._replace(text=_text_of(target))
        found_fixes = find_fixes(Campaign([of_file], campaign.seeds, rules, names, own))
    known_lines, rows = tuple(compared.lines()), tuple(campaign.rows)
    return Judgement(spec, rules, rows, tuple(distinct(findings)), found_fixes, alike, known_lines)


def _text_of(function: Callable[..., Any]) -> str:
    """Return the TARGET that names a function by its file; raises HitscopeError where it has none."""
    try:
        file = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        file = None
    if file is None or not Path(file).is_file() or "." in function.__qualname__:
        raise ArgumentFault("judge", Fault(("fix",), "a function of a file, outside classes", shown(function)))
    return f"{file}:{function.__name__}"


def _rules(boundary: str, slack: float, t_tolerance: tuple[float, float]) -> Rules:
    if boundary not in BOUNDARIES:
        raise Fault.unknown(("boundary",), "a boundary", BOUNDARIES, str(boundary))
    if not isinstance(t_tolerance, tuple | list) or len(t_tolerance) != 2:
        raise Fault(("t_tolerance",), "two numbers, of ulps and of units", shown(t_tolerance))
    for name, number in zip(("slack", "t_tolerance", "t_tolerance"), (slack, *t_tolerance), strict=True):
        if not isinstance(number, Real) or not 0 <= number < inf:
            raise Fault((name,), "a number of at least 0", shown(number))
    return Rules(cast(Boundary, boundary), slack, *t_tolerance)


def _required(texts: str | Sequence[str]) -> tuple[str, ...]:
    listed = [texts] if isinstance(texts, str) else list(texts)
    for i, text in enumerate(listed):
        try:
            precondition(text)
        except (Fault, TypeError):
            raise Fault(("require", i), PRECONDITIONS, shown(text)) from None
    return tuple(listed)


def _generators(names: str | Sequence[str], own: Sequence[str]) -> list[str]:
    listed = [names] if isinstance(names, str) else list(names)
    for i, name in enumerate(listed):
        if name not in (*own, *GENERATORS):
            raise Fault.unknown(("generator", i), "a generator", [*own, *GENERATORS], str(name))
    return list(dict.fromkeys(listed)) or list(GENERATORS)
