"""Counts what every method gets wrong, for the page of methods: `python method_errors.py OUT.json [PAIR ...]`."""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from hitscope.cli.catalogue import ERROR_CASES
from hitscope.geometry.registry import of_pair, pairs
from hitscope.judge.campaign import catalogue
from hitscope.judge.drawing import GENERATORS, draw
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.judging.truth import Truth
from hitscope.targets.runners import catalogue_method
from hitscope.targets.target import FLOATS, HIT

PROCESSES = 4


def main(path: Path, only: list[str]) -> None:
    """Write what the methods of some pairs, or of all that have any beside `exact`, get wrong."""
    chosen = only or [pair for pair in pairs() if len(of_pair(pair)) > 1]
    with ProcessPoolExecutor(PROCESSES) as pool:
        found = dict(zip(chosen, pool.map(errors_of, chosen), strict=True))
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def errors_of(pair: str) -> dict[str, dict[str, dict[str, int]]]:
    """Return the wrong verdicts of a pair's methods by method, precision and generator; none are left out."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for real, name in FLOATS.items():
        targets = catalogue(pair)
        runners = [catalogue_method.load(target._replace(real=real)) for target in targets]
        for generator in GENERATORS:
            cases = draw(generator, pair, 0, real, ERROR_CASES)
            truth = Truth(cases).hit
            for target, runner in zip(targets, runners, strict=True):
                arrays = CaseArrays.of_numbers(cases.numbers)
                failures = runner.run(arrays)
                wrong = (arrays.hit == HIT) != truth
                wrong[list(failures)] = True
                errors = found.setdefault(target.text, {}).setdefault(name, {})
                if count := int(np.count_nonzero(wrong)):
                    errors[generator] = count
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
