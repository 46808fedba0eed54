"""Contenders compared: whether their answers agree, then their times, measured in turns under the same load."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.native import NoCompilerError

Run: TypeAlias = Callable[[int], Any]
"""A measured function of the round's number, by which it may take another probe each time."""

FEWEST_ROUNDS, MOST_ROUNDS = 3, 101
AGREEMENT = 1e-3
"""Contenders agree if at most this fraction of their answers differs."""
COMPARED_ROUNDS = 2
"""The number of rounds in which the answers of each contender are compared with those of the first."""
T_TOLERANCE = 1e-4
"""The relative difference of t from ours that is allowed: most peers work in float32."""


class Contender(NamedTuple):
    """One implementation of a query, whose cost is measured."""

    name: str
    setup: Callable[[], Run]
    judged: bool = False
    """Whether the figure's goal is about it: it is hitscope's own."""
    work: int | None = None
    """The number of the figure's pairs, rays or boxes that it works through; None means all of them."""


@dataclass(frozen=True)
class Row:
    """The measured cost of a contender."""

    contender: str
    judged: bool
    values: tuple[float, ...] = ()
    """The cost of each run, in the figure's unit, round by round."""
    work: int | None = None
    differs: int = 0
    """The number of answers that differ from the first contender's."""
    note: str = ""

    @property
    def value(self) -> float | None:
        """The median of its runs; None if it did not run."""
        return median(self.values) if self.values else None


@dataclass(frozen=True)
class Figure:
    """The costs of contenders that do the same work, and the goal for the best of ours."""

    name: str
    title: str
    unit: str
    rows: Sequence[Row]
    cores: int | None = None
    """The number of processor cores that they ran on; None where that was not limited."""
    yardsticks: Sequence[str] = ()
    """The names of the contenders of which the fastest is the yardstick."""
    limit: float | None = None
    """The goal: at most this many times the yardstick's value."""
    allowance: float | None = None
    """The goal: at most this much more than the yardstick or, where there is none, at most this much."""

    @property
    def yardstick(self) -> Row | None:
        """The row that the others are divided by; None if none of the yardsticks ran."""
        rows = [row for row in self.rows if row.contender in self.yardsticks and row.value]
        return min(rows, key=lambda row: row.value or 0, default=None)

    def ratio(self, row: Row) -> float | None:
        """Return the cost of a row divided by the yardstick's, as the median over the rounds in which both ran.

        So a busy moment of the machine affects both.
        """
        base = self.yardstick
        ratios = [value / other for value, other in zip(row.values, base.values, strict=False)] if base else []
        return median(ratios) if ratios else None

    @property
    def best(self) -> Row | None:
        """The fastest of the rows that the goal is about; None if none of them ran."""
        rows = [row for row in self.rows if row.judged and row.values]
        return min(rows, key=lambda row: self.ratio(row) or row.value or 0, default=None)

    @property
    def agree(self) -> bool:
        """Whether all answers are the same, but for the few that float32 may change."""
        return all(row.differs <= AGREEMENT * (row.work or 0) for row in self.rows)

    @property
    def goal(self) -> str:
        """The goal in words; empty where there is none."""
        if self.limit is not None:
            return f"ratio at most {self.limit:.3g}"
        if self.allowance is not None:
            return f"at most {self.allowance:g} {self.unit}{' more' if self.yardsticks else ''}"
        return ""

    @property
    def holds(self) -> bool | None:
        """Whether the best row meets the goal; None without a goal or a value, or if contenders disagree."""
        best, base = self.best, self.yardstick
        if best is None or best.value is None or (self.yardsticks and base is None) or not self.agree:
            return None
        if self.limit is not None:
            ratio = self.ratio(best)
            return ratio is not None and ratio <= self.limit
        if self.allowance is not None:
            return best.value - (base.value or 0 if base else 0) <= self.allowance
        return None


@dataclass
class CostScaling:
    """The cost of one query by the number of primitives, for each contender, in nanoseconds."""

    name: str
    title: str
    unit: str
    series: dict[str, dict[int, float]] = field(default_factory=dict)
    judged: set[str] = field(default_factory=set)
    """The names of those that are hitscope's own."""
    notes: dict[str, str] = field(default_factory=dict)
    """Why a contender is missing, or where its answers differ."""

    def add(self, count: int, figure: Figure) -> None:
        """Add a figure's values as those for a number of primitives."""
        for row in figure.rows:
            if row.value is not None:
                self.series.setdefault(row.contender, {})[count] = row.value
            if row.judged:
                self.judged.add(row.contender)
            if row.note:
                self.notes[row.contender] = f"{count:,}: {row.note}"

    def growth(self, contender: str) -> float | None:
        """Return the mean factor by which the cost grew per power of ten; None if there is one value only."""
        values = self.series[contender]
        first, last = min(values), max(values)
        return (values[last] / values[first]) ** (1 / np.log10(last / first)) if last > first else None


def compare(
    name: str,
    title: str,
    unit: str,
    work: int,
    contenders: Sequence[Contender],
    seconds: float,
    *,
    cores: int | None = None,
    yardsticks: Sequence[str] = (),
    limit: float | None = None,
    allowance: float | None = None,
    scale: float = 1e9,
) -> Figure:
    """Compare the answers of the contenders with those of the first one, then measure all of them.

    Values are the seconds per unit of `work`, times `scale`. A contender that cannot be set up or fails has no
    value, and a note with the reason.
    """
    rows: dict[str, Row] = {}
    runs: dict[str, Run] = {}
    expected: list[Any] = []
    for contender in contenders:
        rows[contender.name] = row = Row(contender.name, contender.judged, work=contender.work or work)
        try:
            run = contender.setup()
            answers = [run(k) for k in range(COMPARED_ROUNDS)]
            expected = expected or answers
            found = [_differences(*pair) for pair in zip(expected, answers, strict=True)]
        except (ImportError, NoCompilerError) as error:
            rows[contender.name] = _with(row, note=_first_line(error))
            continue
        except Exception as error:
            # A package that fails is a result; the others are measured all the same.
            rows[contender.name] = _with(row, note=f"fails: {_first_line(error)}")
            continue
        wrong, far = (sum(counts) for counts in zip(*found, strict=True))
        notes = [f"{wrong:,} verdicts differ"] * bool(wrong) + [f"{far:,} t differ"] * bool(far)
        rows[contender.name] = _with(row, differs=wrong + far, note=", ".join(notes))
        runs[contender.name] = run
    for contender_name, times in race(runs, seconds).items():
        row = rows[contender_name]
        rows[contender_name] = _with(row, values=tuple(time / (row.work or 1) * scale for time in times))
    return Figure(name, title, unit, list(rows.values()), cores, yardsticks, limit, allowance)


def race(runs: Mapping[str, Run], seconds: float) -> dict[str, list[float]]:
    """Run each function in turn, round after round, and return the seconds of every run.

    Each has an equal share of the time; one that has used it up runs no more.
    """
    times: dict[str, list[float]] = {name: [] for name in runs}
    for k in range(MOST_ROUNDS):
        for name, run in runs.items():
            if k >= FEWEST_ROUNDS and sum(times[name]) > seconds / len(runs):
                continue
            start = perf_counter()
            run(k)
            times[name].append(perf_counter() - start)
    return times


def _differences(expected: Any, found: Any) -> tuple[int, int]:
    """Return the numbers of differing verdicts, and of differing t where both have one.

    Answers are bools, packed bits, ascending indices of hits, (indices, t), or lists of these; None for what only
    builds. An answer about a part of the work is compared with the beginning of the others.
    """
    if expected is None:
        return 0, 0
    if isinstance(expected, list):
        counts = [_differences(*pair) for pair in zip(expected, found, strict=False)]
        return sum(wrong for wrong, _ in counts), sum(far for _, far in counts)
    if isinstance(expected, tuple):
        (indices, t), (others, u) = ((part[: len(found[0])] for part in answer) for answer in (expected, found))
        hit: NDArray[np.bool_] = indices >= 0
        both = hit & (others >= 0)
        far = ~(abs(t[both] - u[both]) <= T_TOLERANCE * abs(t[both]))
        return int(np.count_nonzero(hit != (others >= 0))), int(np.count_nonzero(far))
    if expected.dtype == np.intp:
        return len(np.setxor1d(expected, found)), 0
    differ = expected[: len(found)] ^ found
    return int(np.count_nonzero(np.unpackbits(differ) if differ.dtype == np.uint8 else differ)), 0


def _with(row: Row, **changes: Any) -> Row:
    return Row(**{**vars(row), **changes})


def _first_line(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"{error.name} is not installed"
    return (str(error).splitlines() or [type(error).__name__])[0]
