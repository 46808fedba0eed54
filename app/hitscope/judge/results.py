"""The document that `hitscope judge --json` prints."""

from collections.abc import Iterable, Mapping
from math import inf, isfinite, isinf
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from hitscope.errors import escaped
from hitscope.judge.finding_scenes import scene_of
from hitscope.judge.findings import Finding, reason
from hitscope.judge.tallies import COUNTED, WORST, Example, Row, Tally, percentile
from hitscope.targets.judging.judged import KINDS, MISSING_T
from hitscope.targets.judging.rules import Rules
from hitscope.targets.target import TargetSpec

COUNTS = {
    kind: f"{kind.replace(' ', '_')}{'es' if kind.endswith(('s', 'h')) else 's'}" for kind in (*KINDS, MISSING_T)
}
"""The fields of the counts of each kind."""
HISTOGRAMS = ("t_ulps", "t_distances")
BEYOND = "infinite"
"""The word for an error that no number says: of an infinite t, or beyond float64."""


def as_dict(
    rows: Iterable[Row], findings: Iterable[Finding], paths: Mapping[Finding, Path], rules: Rules
) -> dict[str, Any]:
    """Return the document that `hitscope judge --json` prints."""
    return {
        "rules": rules.as_dict(),
        "tallies": [_row_as_dict(row) for row in rows],
        "findings": [
            {
                **target_as_dict(finding.target),
                "kind": finding.kind.replace(" ", "_"),
                "generator": finding.generator,
                "seed": finding.example.seed,
                "why": reason(finding),
                **sizes(finding.example),
                "file": str(paths[finding]) if finding in paths else None,
                "scene": to_builtins(scene_of(finding, rules)),
            }
            for finding in findings
        ],
    }


def sizes(example: Example) -> dict[str, Any]:
    """Return how wrong an example is; what no number says is None, with why in `unmeasured`."""
    why = "t_is_infinite" if isinf(example.t_enter) else BEYOND
    return _with_reasons({"distance": example.distance, "ulps": example.ulps}, why)


def _with_reasons(numbers: Mapping[str, float | None], why: str) -> dict[str, Any]:
    """Return numbers with None in place of those that JSON has no number for, and `unmeasured`: why, by name."""
    left = {name: why for name, number in numbers.items() if number is not None and not isfinite(number)}
    return {**numbers, **dict.fromkeys(left), "unmeasured": left}


def target_as_dict(target: TargetSpec) -> dict[str, str]:
    """Return what says which target a tally or a finding is of."""
    return {"method": escaped(target.given), "flags": target.flags, "float": target.precision, "pair": target.pair}


def _row_as_dict(row: Row) -> dict[str, Any]:
    """Return a row's tally; of one with failures also its parts, without which it could not be merged."""
    parts = {"parts": [_part_as_dict(part) for part in row.parts]} if len(row.parts) > 1 else {}
    return {**target_as_dict(row.target), "generator": row.generator, **_part_as_dict(row.tally), **parts}


def _part_as_dict(tally: Tally) -> dict[str, Any]:
    most = {"t_p99_ulps": percentile(tally.t_ulps), "t_p99_distance": percentile(tally.t_distances)}
    return {
        "first_seed": tally.first_seed,
        **{name: getattr(tally, name) for name in COUNTED},
        **{name: tally.counts[kind] for kind, name in COUNTS.items()},
        "wrong_per_million": tally.per_million(sum(tally.wrong.values())),
        "ns_per_call": tally.ns_per_call,
        **_with_reasons({name: getattr(tally, name) for name in WORST} | most, BEYOND),
        **{f"{name}_histogram": _pairs_of(getattr(tally, name)) for name in HISTOGRAMS},
    }


def _pairs_of(histogram: Mapping[float, int]) -> list[list[float | None]]:
    return [[None if bound == inf else bound, count] for bound, count in sorted(histogram.items())]
