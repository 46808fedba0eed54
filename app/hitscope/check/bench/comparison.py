"""Contenders side by side: whether they agree, then what each costs, in turns, so that all meet one machine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.check.bench.native import NoCompilerError

Run: TypeAlias = Callable[[int], Any]
"""What is measured: a function of the round's number, to ask about another probe each time."""

LEAST, MOST = 3, 101
"""Every contender runs at least, and at most, so many times."""
SAME = 1e-3
"""Contenders agree that differ in so small a part of the answers."""
QUESTIONS = 2
"""So many answers of each contender are compared with those of the first."""
T_TOLERANCE = 1e-4
"""How far t may lie from ours, relatively: most peers work in float32."""


class Contender(NamedTuple):
    """One way to an answer."""

    name: str
    setup: Callable[[], Run]
    judged: bool = False
    """It is what the goal is about."""
    work: int | None = None
    """How many of the figure's pairs, rays or boxes it goes through, where these are not all."""


@dataclass(frozen=True)
class Row:
    """What one contender costs."""

    contender: str
    judged: bool
    values: tuple[float, ...] = ()
    """What each run cost, in the figure's unit, round by round."""
    work: int | None = None
    differs: int = 0
    """In how many answers it differs from the first contender."""
    note: str = ""

    @property
    def value(self) -> float | None:
        """Give the median of its runs."""
        return median(self.values) if self.values else None


@dataclass(frozen=True)
class Figure:
    """Contenders that did the same thing, and what the best of ours may cost at most."""

    name: str
    title: str
    unit: str
    rows: Sequence[Row]
    cores: int | None = None
    """How many processor cores all of them had."""
    yardsticks: Sequence[str] = ()
    """The fastest of these contenders is what the others are compared with."""
    limit: float | None = None
    """The goal: so many times the yardstick's value at most."""
    allowance: float | None = None
    """The goal: so much more than the yardstick at most or, where there is none, so much."""

    @property
    def yardstick(self) -> Row | None:
        """Give the row that the ratios are formed with."""
        rows = [row for row in self.rows if row.contender in self.yardsticks and row.value]
        return min(rows, key=lambda row: row.value or 0, default=None)

    def ratio(self, row: Row) -> float | None:
        """Give how many times what the yardstick cost a row did, as the median of the rounds that both ran in.

        So a time when the machine had something else to do weighs on both.
        """
        base = self.yardstick
        ratios = [value / other for value, other in zip(row.values, base.values, strict=False)] if base else []
        return median(ratios) if ratios else None

    @property
    def best(self) -> Row | None:
        """Give the best of the rows that the goal is about."""
        rows = [row for row in self.rows if row.judged and row.values]
        return min(rows, key=lambda row: self.ratio(row) or row.value or 0, default=None)

    @property
    def agree(self) -> bool:
        """Say whether all answers are the same, but for what float32 makes of a few."""
        return all(row.differs <= SAME * (row.work or 0) for row in self.rows)

    @property
    def goal(self) -> str:
        """Say in words what is aimed at; empty where nothing is."""
        if self.limit is not None:
            return f"ratio at most {self.limit:.3g}"
        if self.allowance is not None:
            return f"at most {self.allowance:g} {self.unit}{' more' if self.yardsticks else ''}"
        return ""

    @property
    def holds(self) -> bool | None:
        """Say whether the best reaches the goal; None where nothing is to be said, or contenders disagree."""
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
class Scaling:
    """What one question costs each contender, in nanoseconds, the more there is to search."""

    name: str
    title: str
    unit: str
    series: dict[str, dict[int, float]] = field(default_factory=dict)
    judged: set[str] = field(default_factory=set)
    """Which of them are hitscope's own."""
    notes: dict[str, str] = field(default_factory=dict)
    """What is to be said of a contender: why it is missing, or where it differs."""

    def add(self, count: int, figure: Figure) -> None:
        """Take a figure's values as those of a number of primitives."""
        for row in figure.rows:
            if row.value is not None:
                self.series.setdefault(row.contender, {})[count] = row.value
            if row.judged:
                self.judged.add(row.contender)
            if row.note:
                self.notes[row.contender] = f"{count:,}: {row.note}"

    def growth(self, contender: str) -> float | None:
        """Give by how many times the cost grew from one power of ten to the next, on the average."""
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
    """Compare the contenders' first two answers with those of the first one, then measure them all.

    Values are the seconds a piece of `work` takes, times `scale`. What cannot be set up or fails has no value, and
    a note that says why.
    """
    rows: dict[str, Row] = {}
    runs: dict[str, Run] = {}
    expected: list[Any] = []
    for contender in contenders:
        rows[contender.name] = row = Row(contender.name, contender.judged, work=contender.work or work)
        try:
            run = contender.setup()
            answers = [run(k) for k in range(QUESTIONS)]
            expected = expected or answers
            found = [_differences(*pair) for pair in zip(expected, answers, strict=True)]
        except (ImportError, NoCompilerError) as error:
            rows[contender.name] = _with(row, note=_words(error))
            continue
        except Exception as error:
            # A package that fails is a result; the others are measured all the same.
            rows[contender.name] = _with(row, note=f"fails: {_words(error)}")
            continue
        wrong, far = (sum(counts) for counts in zip(*found, strict=True))
        words = [f"{wrong:,} verdicts differ"] * bool(wrong) + [f"{far:,} t differ"] * bool(far)
        rows[contender.name] = _with(row, differs=wrong + far, note=", ".join(words))
        runs[contender.name] = run
    for contender_name, times in race(runs, seconds).items():
        row = rows[contender_name]
        rows[contender_name] = _with(row, values=tuple(time / (row.work or 1) * scale for time in times))
    return Figure(name, title, unit, list(rows.values()), cores, yardsticks, limit, allowance)


def race(runs: Mapping[str, Run], seconds: float) -> dict[str, list[float]]:
    """Run each in turn, round after round, and give the seconds of every run.

    Each has an equal share of the time; one that has used it up sits out.
    """
    times: dict[str, list[float]] = {name: [] for name in runs}
    for k in range(MOST):
        for name, run in runs.items():
            if k >= LEAST and sum(times[name]) > seconds / len(runs):
                continue
            start = perf_counter()
            run(k)
            times[name].append(perf_counter() - start)
    return times


def _differences(expected: Any, found: Any) -> tuple[int, int]:
    """Count the verdicts that differ, and the t that do where both have one.

    Answers are bools, bytes of bits, ascending places of hits, (places, t), or lists of these; None of what only
    builds. One that goes through a part of the work is compared with the beginning of the others'.
    """
    if expected is None:
        return 0, 0
    if isinstance(expected, list):
        counts = [_differences(*pair) for pair in zip(expected, found, strict=False)]
        return sum(wrong for wrong, _ in counts), sum(far for _, far in counts)
    if isinstance(expected, tuple):
        (places, t), (others, u) = ((part[: len(found[0])] for part in answer) for answer in (expected, found))
        hit: NDArray[np.bool_] = places >= 0
        both = hit & (others >= 0)
        far = ~(abs(t[both] - u[both]) <= T_TOLERANCE * abs(t[both]))
        return int(np.count_nonzero(hit != (others >= 0))), int(np.count_nonzero(far))
    if expected.dtype == np.intp:
        return len(np.setxor1d(expected, found)), 0
    differ = expected[: len(found)] ^ found
    return int(np.count_nonzero(np.unpackbits(differ) if differ.dtype == np.uint8 else differ)), 0


def _with(row: Row, **changes: Any) -> Row:
    return Row(**{**vars(row), **changes})


def _words(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"{error.name} is not installed"
    return (str(error).splitlines() or [type(error).__name__])[0]
