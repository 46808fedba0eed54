"""The page of the engines: a row a function, the worst first."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.engines.functions import BOUNDARY, Counts, Function, Project, Result, Table
from hitscope import numerals

PAGE = Path("docs/engines.md")
SCENES = Path("scenes/engines")
TEMPLATE = Path(__file__).with_name("page.txt")
COLUMNS = (
    *("project", "function", "pair", "precision"),
    *("own range: hits / misses", "boundary: hits / misses", "worst depth", "strictly: own / boundary"),
    *("t: 99 % / worst", "cause", "case"),
)
FEW = 1000
"""The cases of which fewer say nothing about a million."""
FAIRNESS = ("function", "judged as", "how it is called", "left out")


def page(table: Table, results: Mapping[str, Result]) -> str:
    """Return the page of the functions that have a result."""
    judged = [function for function in table.functions if function.key in results]
    judged.sort(key=lambda function: function.key)
    judged.sort(key=lambda function: results[function.key].rank, reverse=True)
    found = [(function, table.projects[function.project], results[function.key]) for function in judged]
    cases = {counts.cases for _, _, result in found for counts in result.documented}
    words = {
        "functions": str(len(found)),
        "projects": str(len({project.source for _, project, _ in found})),
        "right": str(sum(not any(result.rank[:2]) for *_, result in found)),
        "own": f"{max(cases):,}",
        "boundary": f"{min(cases):,}",
        "generators": ", ".join(f"`{name}`" for name in BOUNDARY),
        "table": _lines(COLUMNS, [_row(*each) for each in found]),
        "fairness": _lines(FAIRNESS, [_fairness(*each) for each in found]),
        "commits": _lines(("project", "commit", "precision", "flags"), _projects(table)),
        "compilers": ", ".join(sorted({result.compiler for *_, result in found if result.compiler})),
    }
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _lines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (columns, ["---"] * len(columns), *rows))


def _row(function: Function, project: Project, result: Result) -> list[str]:
    own, boundary = result.documented
    strict_own, strict_boundary = result.strict
    scene = f"[case](../{(SCENES / function.key).as_posix()}.scene.json)" if result.has_scene else "–"
    return [
        function.project,
        f"[`{function.name}`]({project.source.replace('{}', function.source)})",
        f"`{function.pair}`",
        function.precision(project),
        _rates(own),
        _rates(boundary),
        _depth(own, boundary),
        f"{_rates(strict_own)}, {_rates(strict_boundary)}",
        _t_errors(own),
        function.cause if result.has_scene else "–",
        scene,
    ]


def _rates(counts: Counts) -> str:
    """Return the wrong hits and misses of a million cases, or of a few, and crashes if there are any."""
    wrong = [counts.wrong_hits, counts.wrong_misses, *([counts.crashes] if counts.crashes else [])]
    if counts.judged < FEW:
        return f"{' / '.join(map(str, wrong))} of {counts.judged}"
    return " / ".join(f"{counts.per_million(count):,.0f}" for count in wrong)


def _depth(*parts: Counts) -> str:
    ulps = max(counts.worst_ulps for counts in parts)
    units = max(counts.worst_units for counts in parts)
    return f"{_number(ulps)} ulps, {_number(units)} units" if ulps else "–"


def _t_errors(counts: Counts) -> str:
    if counts.t_99_ulps is None:
        return "–"
    return f"{_number(min(counts.t_99_ulps, counts.t_worst_ulps))} / {_number(counts.t_worst_ulps)} ulps"


def _number(value: float) -> str:
    return numerals.typeset(value, 3)


def _fairness(function: Function, project: Project, result: Result) -> list[str]:
    rules = function.documented
    judged = f"{rules.boundary}, slack {rules.slack:g}{''.join(f', {text}' for text in rules.require)}"
    cases = sum(counts.cases for counts in result.documented)
    left_out = cases - sum(counts.judged for counts in result.documented)
    name = f"{function.project}: `{function.name}`, `{function.pair}`"
    return [name, judged, function.says, f"{100 * left_out / cases:.1f} %"]


def _projects(table: Table) -> list[list[str]]:
    return [
        [name, f"`{project.commit}`", project.float, f"`{project.flags}`" if project.flags else "–"]
        for name, project in sorted(table.projects.items())
    ]
