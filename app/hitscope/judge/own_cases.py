"""One's own cases for a campaign, beside those that are drawn: of logs of calls, and of scenes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import Array, numbers_of, width
from hitscope.geometry.kinds import KINDS
from hitscope.judge import log
from hitscope.scene import ENDING, load
from hitscope.scene.bulk import shapes_in
from hitscope.scene.items import Item
from hitscope.scene.model import Scene
from hitscope.targets.cases import Cases, Reals, case_width, in_arrays, kinds
from hitscope.terminal import print_error

CASES = "cases"
"""The name in place of a generator in the tallies."""
MOST_PAIRS = 1 << 20
"""The most pairs of a scene."""


def own_cases(paths: Sequence[Path], pair: str, real: str) -> Cases:
    """Return the cases of a pair in logs, scenes and folders of scenes, each once, rounded to a precision.

    Says on standard error what cannot be judged. Raises HitscopeError for a file that cannot be read, and where
    there is no case.
    """
    if not in_arrays(pair):
        raise HitscopeError(f"--cases-from: expected a pair of shapes with a fixed count of numbers, found {pair}")
    parts: list[Array] = [np.empty((0, case_width(pair)))]
    for path in paths:
        for file in sorted(path.rglob(f"*{ENDING}")) if path.is_dir() else [path]:
            parts += [_of_scene(load(file), pair, file)] if file.suffix == ".json" else _of_log(file, pair)
    with np.errstate(over="ignore"):
        numbers = np.concatenate(parts).astype(real)
    left = np.ones(len(numbers), np.bool_)
    reasons: Counter[str] = Counter()
    for words, is_wrong in faults(Cases(pair, numbers)):
        reasons[words] += int(np.count_nonzero(is_wrong & left))
        left &= ~is_wrong
    named = ", ".join(map(str, paths))
    for words, count in reasons.items():
        print_error(f"{named}: left out {count:,} of {len(numbers):,} cases of {pair}: {words}")
    numbers = numbers[left]
    if not len(numbers):
        raise HitscopeError(f"{named}: expected cases of {pair}, found none")
    return Cases(pair, np.ascontiguousarray(numbers[first_of_each(numbers)]))


def _of_log(path: Path, pair: str) -> Iterator[Array]:
    for form, calls in log.read(path).calls.items():
        if form.pair == pair and not log.mistake(form):
            yield calls.numbers[:, : case_width(pair)].astype(np.float64)


def _of_scene(scene: Scene, pair: str, file: Path) -> Array:
    """Return the numbers of every enabled probe with every primitive of a pair's types."""
    probe, primitive = kinds(pair)
    probes = _rows([item for item in scene.probes if item.enabled], probe)
    primitives = _rows(scene.primitives, primitive)
    if len(probes) * len(primitives) > MOST_PAIRS:
        found = f"{len(probes):,} probes and {len(primitives):,} primitives"
        raise HitscopeError(f"{file}: expected at most {MOST_PAIRS:,} pairs of {pair}, found {found}")
    if not (len(probes) and len(primitives)):
        return np.empty((0, case_width(pair)))
    every = np.repeat(probes, len(primitives), axis=0), np.tile(primitives, (len(probes), 1))
    return np.concatenate(every, axis=1)


def _rows(items: Iterable[Item], kind: type) -> Array:
    return np.array([numbers_of(shape) for shape in shapes_in(items) if type(shape) is kind])


def first_of_each(numbers: Reals) -> NDArray[np.intp]:
    """Return where rows with other bits than all before them are, in their order.

    Rows are compared by 64 bits of a checksum: of ten million, two others are alike once in 400,000 logs.
    """
    words = numbers.view(np.uint64 if numbers.dtype == np.float64 else np.uint32)
    checksum = np.zeros(len(numbers), np.uint64)
    for column in words.T:
        checksum ^= column
        checksum *= np.uint64(0x9E3779B97F4A7C15)
        checksum ^= checksum >> np.uint64(32)
    _, first = np.unique(checksum, return_index=True)
    first.sort()
    return first


NOT_FINITE = "numbers that are not finite"
"""Why numbers are no case."""


def faults(cases: Cases) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield why some of n cases cannot be judged, and which; each has the first of its reasons."""
    with np.errstate(all="ignore"):
        left: NDArray[np.bool_] = np.asarray(np.isfinite(cases.rows).all(axis=0))
        if not left.all():
            yield NOT_FINITE, ~left
        probe, primitive = kinds(cases.pair)
        for kind, rows in ((probe, cases.rows[: width(probe)]), (primitive, cases.rows[width(probe) :])):
            for words, is_wrong in KINDS[kind].faults:
                wrong = is_wrong(rows) & left
                if wrong.any():
                    yield words, wrong
                    left &= ~wrong
